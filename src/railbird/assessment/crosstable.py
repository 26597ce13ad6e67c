"""Crosstable of many matches: what each player won from each other, and skill."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird._display import Tabular, table_of
from railbird.assessment.estimator import Estimator, Form, Scoring
from railbird.assessment.match import Assessment
from railbird.assessment.registry import estimators_of
from railbird.assessment.score_frame import INCOMPLETE
from railbird.estimates.estimate import Estimate
from railbird.estimates.ratio import ratio
from railbird.histories.columns import hand_keys

CrosstableRow = Mapping[str, Estimate]
"""An estimate per hand by the name of an estimator."""

_SCHEMA: dict[str, type[pl.DataType]] = {
    "player": pl.UInt32,
    "opponent": pl.UInt32,
    "hand": pl.UInt64,
    "deal": pl.UInt64,
}

_OTHERS = "others_"
"""Before the name of an estimator: the opponent's value."""
_COUNT = "count_"
"""Before the name of an estimator: hands that it has a value of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable(Tabular):
    """Results between players over any number of matches, in small bets a hand.

    Hands of one deal, as in a duplicate match and across the matches of a league, count as one
    value, for they are not independent.
    """

    players: tuple[str, ...]
    """Whoever has the highest fitted estimate against all comes first; money where cards are
    hidden."""
    totals: Mapping[str, CrosstableRow]
    """Totals by player, against all."""
    pairs: Mapping[tuple[str, str], CrosstableRow]
    """By player and opponent, for those who met; each meeting is listed from both sides."""
    hands: int
    """Different hands."""
    raked: float
    """What the house took, in small bets."""
    again: int
    """Hands given more than once, which count once."""
    hidden: int
    """Hands whose cards are not known because of how they ended; `Assessment.hidden`."""
    estimators: tuple[str, ...]
    """Names of the estimators that there are: money alone where cards are hidden."""

    def as_json(self) -> dict[str, object]:
        """Return the players in order, their totals, and each pair once."""
        return {
            "hands": self.hands,
            "hidden": self.hidden,
            "raked_sb": self.raked,
            "players": {name: _as_json(self.totals[name]) for name in self.players},
            "pairs": [
                {"players": [first, second], **_as_json(row)}
                for (first, second), row in self.pairs.items()
                if self.players.index(first) < self.players.index(second)
            ],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each player and opponent: money and scores in a hand."""
        return table_of(
            {"player": player, "opponent": opponent, **_as_json(row)}
            for (player, opponent), row in self.pairs.items()
        )


def _as_json(row: CrosstableRow) -> dict[str, object]:
    return {name: estimate.as_json() for name, estimate in row.items()}


@checked
def crosstable(matches: Iterable[Assessment]) -> Crosstable:
    """Combine assessed matches; those between the same players are pooled.

    Takes the matches one at a time, so they may come from a generator.
    """
    numbers: dict[str, int] = {}
    listed = [one for one in estimators_of(Form.MATCH) if one.in_crosstable]
    parts, hidden = list[pl.DataFrame](), 0
    for file, match in enumerate(matches):
        if not parts:
            listed = [one for one in match.estimators if one.in_crosstable]
        first, second = (numbers.setdefault(name, len(numbers)) for name in match.players)
        parts.append(_hands(match, listed, file, first, second))
        hidden += match.hidden
    amounts = [one.name for one in listed]
    columns = ["raked", *amounts, *(_OTHERS + name for name in amounts)]
    none = pl.DataFrame(schema={**_SCHEMA, **dict.fromkeys(columns, pl.Float64)})
    given = pl.concat([none, *parts])
    played = given.unique("hand", keep="first", maintain_order=True)
    sides = pl.concat([played, _other_side(played, amounts)])
    names, estimators = tuple(numbers), amounts[:1] if hidden else amounts
    totals = {names[player]: row for (player,), row in _by(sides, ["player"], estimators).items()}
    pairs = {
        (names[player], names[opponent]): row
        for (player, opponent), row in _by(sides, ["player", "opponent"], estimators).items()
    }
    by = "money" if hidden else "fitted"
    ranking = sorted(totals, key=lambda player: -totals[player][by].value)
    return Crosstable(
        players=tuple(ranking),
        totals=totals,
        pairs=pairs,
        hands=played.height,
        raked=float(played["raked"].sum()),
        again=given.height - played.height,
        hidden=hidden,
        estimators=tuple(estimators),
    )


def _hands(
    match: Assessment, listed: Sequence[Estimator], file: int, first: int, second: int
) -> pl.DataFrame:
    """Lay out the hands of one file from the first player's side, identified by keys."""
    keys, done = [np.empty(0, np.uint64)], 0
    for batch in match.played.batches():
        keys.append(hand_keys(batch, first=done))
        done += len(batch)
    one, two = match.played.column("holding")[:, :2].T
    # Hands whose cards are not known, or that have no number, are deals apart.
    shared = pl.col("number").is_not_null() & ~pl.col("kind").is_in(INCOMPLETE)
    alone = pl.struct(file=pl.lit(file), row=pl.int_range(pl.len()))
    deal = pl.struct("number", one=pl.Series(one), two=pl.Series(two))
    return match.scores.select(
        player=pl.lit(first, pl.UInt32),
        opponent=pl.lit(second, pl.UInt32),
        hand=pl.Series(np.concatenate(keys)),
        deal=pl.when(shared).then(deal.hash()).otherwise(alone.hash()),
        raked=pl.col("rake") + pl.col("other_rake"),
        **{one.name: one.values(match.scores, Scoring()) for one in listed},
        **{_OTHERS + one.name: one.others(match.scores, Scoring()) for one in listed},
    )


def _other_side(hands: pl.DataFrame, amounts: Sequence[str]) -> pl.DataFrame:
    return hands.with_columns(
        player="opponent", opponent="player", **{name: pl.col(_OTHERS + name) for name in amounts}
    )


def _by(
    hands: pl.DataFrame, who: list[str], estimators: Sequence[str]
) -> dict[tuple[int, ...], CrosstableRow]:
    """Estimate the mean of a hand for each of ``who``, the different deals being independent."""
    deals = hands.group_by(*who, "deal", maintain_order=True).agg(
        pl.col(estimators).sum(), pl.col(estimators).count().name.prefix(_COUNT)
    )
    return {
        tuple(int(number) for number in key): {
            name: ratio(rows[name], rows[_COUNT + name]) for name in estimators
        }
        for key, rows in deals.group_by(who, maintain_order=True)
    }
