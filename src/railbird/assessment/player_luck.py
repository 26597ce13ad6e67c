"""How much of one player's result was luck, in any hold'em: by holdings, by boards, by all-ins.

`own_side` takes luck out of an estimate that decides nothing; here the luck itself is told, with
how often chance gives less.

Three kinds of cards make a result larger or smaller whoever plays: the player's own holdings, the
boards while there was betting to come, and the boards of all-ins. What they gave is the pot times
the change of the player's share at each card, less the mean of that change over all cards that
could have come: own cards and the board tell it (`own_luck_kernels`), all cards tell more of it
(`divat.any_game`). Coefficients were fixed before the log was seen, or fitted on its other hands,
so each term has mean zero whoever plays; from own cards alone its mean was 0.003 to 0.005 blinds a
hand below zero among our own players, which `railbird experiment hidden-cards` measures.

As the mean is known, the deviation of a sum S of terms X is √ΣX², and its percentile Φ(S / √ΣX²): a
huge pot in the sum is one in its deviation as well. Hands drawn again from the log would take its
luck for its mean. Over simulated players heads-up the percentile is uniform
(`tests/assessment/test_player_luck.py`). Six-handed it is not: luck of a hand is skewed, and over
250 hands the percentile was up to six points too low.

What cannot be known from one side: which hands opponents held and mucked, and whether they were
weak opponents. That luck stays in the result.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arrays import Floats
from railbird.assessment.control_variates import CARD_EVENTS
from railbird.estimates.distributions import normal_below
from railbird.estimates.estimate import FEWEST, Z_95, Estimate, Moments, finite_or_none

HOLDINGS: Final = "holdings"
BOARDS: Final = "boards"
ALL_INS: Final = "all_ins"
PARTS: Final = (HOLDINGS, BOARDS, ALL_INS)
"""Columns of the luck of a hand, by the kind of cards that gave it."""

_PER: Final = 100
_POINTS: Final = 300
"""Most points of a line of `PlayerLuck.course`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckSum:
    """Luck over some hands."""

    total: float
    """In the unit of the result."""
    deviation: float
    """Standard deviation of such a sum by chance; 0 without luck."""
    hands: int
    nonzero: int
    """Hands that had such luck."""

    @classmethod
    def of(cls, luck: Floats) -> LuckSum:
        """Add up the luck of hands, (hands,)."""
        return cls(
            total=float(luck.sum()),
            deviation=math.sqrt(float(np.square(luck).sum())),
            hands=len(luck),
            nonzero=int(np.count_nonzero(luck)),
        )

    @property
    def margin(self) -> float:
        """Half the width of the interval around zero in which chance leaves 95 % of such sums."""
        return Z_95 * self.deviation

    @property
    def percentile(self) -> float:
        """Share of such stretches with less luck; nan with fewer than `FEWEST` hands that had any.

        >>> LuckSum(total=0.0, deviation=3.0, hands=100, nonzero=50).percentile
        0.5
        """
        if self.nonzero < FEWEST:
            return math.nan
        return normal_below(self.total / self.deviation)

    def as_json(self) -> dict[str, float | int | None]:
        """Return the sum, per hundred hands, and its place among such sums."""
        per = _PER / self.hands if self.hands else math.nan
        return {
            **finite_or_none(
                total=self.total,
                per_100=self.total * per,
                margin=self.margin,
                margin_per_100=self.margin * per,
                percentile=self.percentile,
            ),
            "hands_with_any": self.nonzero,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLuck:
    """One player's luck, and the result with and without it."""

    unit: str
    """``bb`` or ``sb``."""
    money: Estimate
    """Per hand."""
    without: Estimate
    """Money less luck, per hand."""
    parts: Mapping[str, LuckSum]
    """By `PARTS`."""
    total: LuckSum
    all_cards: bool
    """Whether everybody's cards tell it; else the player's own alone."""
    course: pl.DataFrame
    """Running sums ``money`` and ``without`` after some of the hands (``hand``, from 0)."""

    @property
    def hands(self) -> int:
        """Number of hands."""
        return self.total.hands

    def as_json(self) -> dict[str, Any]:
        """Return the numbers unrounded."""
        return {
            "by": "all cards" if self.all_cards else "own cards",
            "without": self.without.as_json(),
            "total": self.total.as_json(),
            **{name: part.as_json() for name, part in self.parts.items()},
        }


def player_luck(
    money: Floats, luck: pl.DataFrame, *, unit: str, all_cards: bool = False
) -> PlayerLuck:
    """Sum up a player's hands in the order of play.

    ``money`` (hands,) and the columns of ``luck`` (hands,) are in ``unit``; those of `PARTS` are
    told apart.
    """
    parts = {name: luck[name].to_numpy() for name in PARTS if name in luck.columns}
    total = luck.sum_horizontal().to_numpy()
    without = money - total
    return PlayerLuck(
        unit=unit,
        money=Moments.of(money).estimate(unit),
        without=Moments.of(without).estimate(unit),
        parts={name: LuckSum.of(values) for name, values in parts.items()},
        total=LuckSum.of(total),
        all_cards=all_cards,
        course=_course({"money": money, "without": without}),
    )


def parts_of(
    events: pl.DataFrame, closed_at: npt.NDArray[np.float64] | None = None
) -> pl.DataFrame:
    """Sort the luck of events, a column each and a row a hand, into `PARTS`.

    ``events`` has `CARD_EVENTS`, and ``all_in`` where the boards of all-ins were taken apart; or
    else ``closed_at`` (rows,) says how many cards lay on the board when nobody could act any more,
    nan in hands without an all-in.
    """
    deal, *streets = CARD_EVENTS
    if closed_at is None:
        return events.select(
            pl.col(deal).alias(HOLDINGS),
            pl.sum_horizontal(streets).alias(BOARDS),
            pl.col("all_in").alias(ALL_INS),
        )
    cards_before = (0, 3, 4)
    # The luck of a street belongs to the all-in if nobody could act any more when its cards came,
    # that is, if no more cards lay there then than lie before this street.
    after = [
        pl.Series(street, closed_at <= cards)  # nan compares as False
        for street, cards in zip(streets, cards_before, strict=True)
    ]
    closed = [
        pl.when(mask).then(pl.col(street)).otherwise(0.0)
        for street, mask in zip(streets, after, strict=True)
    ]
    return events.select(
        pl.col(deal).alias(HOLDINGS),
        (pl.sum_horizontal(streets) - pl.sum_horizontal(closed)).alias(BOARDS),
        pl.sum_horizontal(closed).alias(ALL_INS),
    )


def _course(lines: Mapping[str, Floats]) -> pl.DataFrame:
    """Sum lines up, thinned to the width of a page."""
    hands = len(next(iter(lines.values())))
    ends = np.unique(np.linspace(0, hands, min(hands, _POINTS) + 1).round().astype(np.int64))
    sums = {name: np.concatenate([[0.0], np.cumsum(line)])[ends] for name, line in lines.items()}
    return pl.DataFrame({"hand": ends, **sums})
