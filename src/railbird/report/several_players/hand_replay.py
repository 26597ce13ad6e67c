"""A hand of any hold'em in words: every decision beside the baseline's, and whom it moved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from railbird.cards import Suits, cards_of, format_cards
from railbird.report.toolkit import number_format
from railbird.report.toolkit.number_format import THIN, display_name, file_name, signed
from railbird.report.toolkit.responsive_table import Fitted

if TYPE_CHECKING:
    from railbird.assessment.decision_divat.hand import Change, TableDecision, TableHandScore
    from railbird.cards import Card
    from railbird.histories import HandRecord

_PLAIN = "\N{VARIATION SELECTOR-15}"
"""Asks for the plain suit symbol where a phone would draw a picture."""
_UNSEEN = 0.005
"""Threshold below which amounts are hidden, being zero to two decimals."""
_WORDS = (
    "For each action: what the baseline would have done there; what the action changed for the "
    "player, compared with that, if the baseline plays on for everybody, and for the others; and "
    "the same change for the player if everybody only calls from here on (all-in). "
    "Errors are standard errors of the boards drawn before the flop; later changes are exact."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRow:
    """One action; amounts are in the hand's unit and already text."""

    player: str
    action: str
    baseline: str
    own: str
    """Change for the player."""
    others: str
    """Other players affected, and by how much."""
    call_down: str
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetRows:
    """One street."""

    name: str
    board: str
    luck: str
    decisions: tuple[DecisionRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """One player's account: money = position + luck + decisions - rake."""

    player: str
    place: str
    cards: str
    money: str
    position: str
    luck: str
    own: str
    others: str
    rake: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStory:
    """One hand, ready to be shown."""

    name: str
    amount: str
    """Amount it is listed by, such as the effect of a player's decisions; may be empty."""
    place: str
    unit: str
    seats: tuple[SeatRow, ...]
    streets: tuple[StreetRows, ...]
    has_rake: bool

    @property
    def cards(self) -> str:
        """Name who held what, those who put chips in by choice or by blind first."""
        return ", ".join(f"{seat.player} {seat.cards}" for seat in self.seats)


def table_story(score: TableHandScore, *, amount: str = "") -> TableStory:
    """Put a scored hand into words; names lose invisible characters."""
    record = score.record
    names = [display_name(name) for name in score.players]
    own = [0.0] * len(names)
    for row in score.rounds:
        for decision in row.decisions:
            own[decision.seat] += decision.delta.value[decision.seat]
    return TableStory(
        name="A hand" if record.number is None else f"Hand {record.number:,}",
        amount=amount,
        place=_place(record),
        unit=score.unit.value,
        seats=tuple(
            SeatRow(
                player=name,
                place=_seat_words(seat, len(names)),
                cards=cards_text(cards_of(score.holes[seat])),
                money=signed(score.money[seat], 2),
                position=signed(score.position.value[seat], 2),
                luck=_with_error(score.luck, seat),
                own=signed(own[seat], 2),
                others=signed(score.decisions.value[seat] - own[seat], 2),
                rake=signed(-score.rake[seat], 2),
            )
            for seat, name in enumerate(names)
        ),
        streets=tuple(
            StreetRows(
                name=row.street.name.capitalize(),
                board=cards_text(row.board),
                luck=", ".join(_changes(row.luck, names)),
                decisions=tuple(_decision(decision, names) for decision in row.decisions),
            )
            for row in score.rounds
        ),
        has_rake=any(score.rake),
    )


def hand_page(score: TableHandScore) -> str:
    """Write one hand as a page of its own; it needs no other file and runs no script."""
    from railbird.report.toolkit.charts_page import Section, charts_page  # charts take a second

    story = table_story(score)
    won = story.seats[max(range(len(story.seats)), key=score.money.__getitem__)]
    lead = (
        f"{won.player} won {won.money} {score.unit.words}: luck {won.luck}, own decisions "
        f"{won.own}, the others’ {won.others}, position {won.position}."
    )
    words = f"{_WORDS} Settings {score.settings}, {score.boards:,} boards."
    return charts_page(story.name, [Section(words=words, stories=(story,), opened=True)], lead=lead)


def hand_words() -> str:
    """Return how to read a replayed hand."""
    return _WORDS


def hand_table(score: TableHandScore) -> RenderableType:
    """Lay one hand out for the terminal."""
    story = table_story(score)
    parts: list[RenderableType] = [
        Text(
            f"{story.name}; {score.unit.words}, settings {score.settings}, {score.boards:,} boards "
            "before the flop"
        )
    ]
    for street in story.streets:
        title = f"{street.name} {street.board}".rstrip()
        luck = f"luck: {street.luck}" if street.luck else "no luck"
        parts.append(Padding(Text(f"{title}    {luck}", style="bold"), (1, 0, 0, 0)))
        if street.decisions:
            parts.append(Fitted(_decisions_table(street.decisions), lead=1))
    parts.append(Padding(Fitted(_seats_table(story), lead=1), (1, 0, 0, 0)))
    parts.append(
        Text(
            "own: what a decision changed for its player against the baseline's action; all-in: "
            "the same if all only call from here on. money = position + luck + own + others"
            + (" + rake." if story.has_rake else ".")
        )
    )
    return Group(*parts)


def cards_text(cards: Iterable[Card]) -> str:
    """Show cards with suit symbols that stay text on a phone."""
    shown = (f"{format_cards((card,), suits=Suits.SYMBOLS)}{_PLAIN}" for card in cards)
    return THIN.join(shown)


def _decision(decision: TableDecision, names: list[str]) -> DecisionRow:
    others = _changes(decision.delta, names, but=decision.seat)
    return DecisionRow(
        player=names[decision.seat],
        action=str(decision.action),
        baseline="the same" if decision.agrees else str(decision.baseline),
        own="" if decision.agrees else _with_error(decision.delta, decision.seat),
        others=", ".join(others),
        call_down=_with_error(decision.call_down, decision.seat),
        agrees=decision.agrees,
    )


def _changes(change: Change, names: list[str], *, but: int | None = None) -> list[str]:
    return [
        f"{name} {_with_error(change, seat)}"
        for seat, name in enumerate(names)
        if seat != but and abs(change.value[seat]) >= _UNSEEN
    ]


def _with_error(change: Change, seat: int) -> str:
    error = change.stderr[seat]
    within = f"{THIN}±{THIN}{number_format.number(error, 2)}" if error >= _UNSEEN else ""
    return signed(change.value[seat], 2) + within


def _seat_words(seat: int, seats: int) -> str:
    if seats == 2:
        return ("big blind", "dealer")[seat]
    if seat < 2:
        return ("small blind", "big blind")[seat]
    return "button" if seat == seats - 1 else "cutoff" if seat == seats - 2 else ""


def _place(record: HandRecord) -> str:
    source = record.source
    return (
        ""
        if source is None or not source.file
        else f"{file_name(source.file)}, line {source.line:,}"
    )


def _decisions_table(rows: Iterable[DecisionRow]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in ("action", "baseline"):
        table.add_column(name, no_wrap=True)
    for name in ("own", "all-in"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("others")
    for row in rows:
        table.add_row(row.player, row.action, row.baseline, row.own, row.call_down, row.others)
    return table


def _seats_table(story: TableStory) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column("cards", no_wrap=True)
    columns = ["money", "position", "luck", "own", "others", *(["rake"] * story.has_rake)]
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for seat in story.seats:
        place = f" ({seat.place})" if seat.place else ""
        cells = (getattr(seat, name) for name in columns)
        table.add_row(seat.player + place, seat.cards, *cells)
    return table
