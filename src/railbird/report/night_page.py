"""A night of any hold'em as it is read, and its page: for the verb and for the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from railbird.assessment.log import Log
from railbird.assessment.player_statistics import (
    Filter,
    LogCards,
    chosen_rows,
    divided,
    hourly_rates,
    integrity_of,
    rows_of,
    styles_of,
)
from railbird.assessment.season import Season, hands_worth_telling, season_of
from railbird.errors import NothingUsable
from railbird.histories import HandRecord, Skipped
from railbird.histories.columns import (
    HandBatch,
    PackedHands,
    Piece,
    batches_of,
    pack,
    records_of,
    with_blinds,
)
from railbird.histories.ledger import (
    Settlement,
    cash_games,
    money_alone,
    money_by_player,
    settle,
    with_house,
)
from railbird.progress import Progress
from railbird.report import html_page
from railbird.report.night_document import hand_told, night_document
from railbird.report.number_format import counted, display_name
from railbird.report.play_data import BoundedLog
from railbird.units import reasons_in_words

if TYPE_CHECKING:
    import polars as pl

    from railbird.report.document import Document

_FEWEST: Final = 2


@dataclass
class NightTable:
    """What is kept of hands as they are read: the money, and the hands themselves in few bytes."""

    money: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    unlabelled: set[str] = field(default_factory=set)
    """Files of hands of which an older archive does not say whether they are for money."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Hands whose chips are not money, by what they are."""
    without_blinds: list[Skipped] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)

    def watched(self, batches: Iterable[HandBatch]) -> Iterator[HandBatch]:
        """Yield the hands that have blinds to count by, and add up the money of all."""
        for batch in cash_games(batches, self.unlabelled, self.left_out):
            for currency, of in money_by_player([batch]).items():
                mine = self.money.setdefault(currency, {})
                for name, amount in of.items():
                    mine[name] = mine.get(name, Fraction(0)) + amount
            for blinded, skipped in with_blinds([(batch, ())]):
                self.without_blinds.extend(skipped)
                if len(blinded):
                    self.pieces.append(pack(blinded))
                    yield blinded

    def records(self, hands: Sequence[int]) -> Iterator[HandRecord]:
        """Return hands by their place among those that `watched` gave."""
        if not hands:
            return iter(())
        return records_of(PackedHands(self.pieces).rows(hands))


class MemorableHand(NamedTuple):
    """A hand that is worth telling."""

    title: str
    place: int
    """Place of the hand, from 0."""
    player: str
    won: float
    """Big blinds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightAmongFriends:
    """A night or a season among friends."""

    rows: pl.DataFrame
    """A row for each hand and seat, people under one name."""
    season: Season
    won: Mapping[str, Mapping[str, Fraction]]
    """Money by currency and player, the house among them."""
    settled: Mapping[str, Settlement]
    memorable: Sequence[MemorableHand]
    withheld: str | None
    """Why nobody is called better than another, if so."""
    doubt: str | None
    """Why the money may be wrong, if so."""

    def memorable_records(self, table: NightTable) -> Iterator[tuple[MemorableHand, HandRecord]]:
        """Yield the hands that are worth telling, as they were played."""
        records = table.records([hand.place for hand in self.memorable])
        return zip(self.memorable, records, strict=True)

    def document(self, table: NightTable) -> Document:
        """Return the page's document."""
        by_player = divided(self.rows, None)
        standings = self.season.standings
        return night_document(
            self.season,
            self.rows,
            {standing.player: by_player[standing.player][""] for standing in standings},
            self.won,
            self.settled,
            styles=styles_of(self.rows),
            rates=hourly_rates(self.rows),
            hands=[
                hand_told(record, hand.title, hand.player, hand.won)
                for hand, record in self.memorable_records(table)
            ],
            withheld=self.withheld,
            doubt=self.doubt,
        )


def why_open(
    won: Mapping[str, Mapping[str, Fraction]], skipped: Counter[str], unlabelled: set[str]
) -> str | None:
    """Say why a ledger may be wrong though no hand is missing; None if nothing is known of that."""
    if "" in won and unlabelled:
        return "an older archive does not say which hands are of tournaments or for play money"
    return f"{reasons_in_words(skipped) or 'there are none'}, left out" if skipped else None


def night_of(
    everything: pl.DataFrame,
    table: NightTable,
    log: Log,
    money: Mapping[str, Mapping[str, Fraction]],
    *,
    same: Mapping[str, str] = MappingProxyType({}),
) -> NightAmongFriends:
    """Sum up the rows of all hands that ``table`` watched, and the ``money`` by currency.

    ``same`` has other names of people. Raises `NothingUsable` for hands of fewer than two people.
    """
    if everything.is_empty():
        why = reasons_in_words(log.skipped + table.left_out) or "there are none"
        raise NothingUsable(f"no hand of a cash game: {why}")
    rows = chosen_rows(everything, Filter(same=same))
    if (people := rows["player"].n_unique()) < _FEWEST:
        raise NothingUsable(f"{people} player; allowed: hands of {_FEWEST} or more")
    cards = LogCards.of(everything)
    withheld = integrity_of(rows, log, cards).withheld(None, display=display_name)
    won = with_house(money, same)
    return NightAmongFriends(
        rows=rows,
        season=season_of(rows, cards),
        won=won,
        settled={currency: settle(of) for currency, of in won.items()},
        memorable=[MemorableHand(*chosen) for chosen in hands_worth_telling(rows)],
        withheld=withheld,
        doubt=withheld or why_open(won, log.skipped, table.unlabelled),
    )


def made_night(path: str, progress: Progress) -> dict[str, Any]:
    """Return the page of a log's night as the server keeps it: its ``title`` and the ``page``.

    Raises `railbird.errors.RailbirdError` for what cannot be read.
    """
    log, table, bounded = Log(), NightTable(), BoundedLog(path, progress)

    def hands() -> Iterator[HandBatch]:
        for batch in log.hands(batches_of(bounded.hands())):
            log.take(batch)
            yield batch

    everything = rows_of(table.watched(hands()))
    log.leave_out(table.without_blinds)
    night = night_of(everything, table, log, money_alone(table.money))
    progress(0, 0, "writing")
    document = night.document(table)
    cut = f" Only the first {counted(bounded.most)} of the log." if bounded.is_cut else ""
    return {"title": f"{document.title}.{cut}".removesuffix("."), "page": html_page.page(document)}
