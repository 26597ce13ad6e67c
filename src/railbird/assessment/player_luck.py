"""How much of one player's result was luck, in any hold'em: by holdings, by boards, by all-ins.

`own_side` takes luck out of an estimate that decides nothing; here the luck itself is told, with
how often chance gives less.

Three kinds of cards make a result larger or smaller whoever plays: the player's own holdings, the
boards while there was betting to come, and the boards of all-ins. What they gave is the pot times
the change of the player's share at each card, less the mean of that change over all cards that
could have come: own cards and the board tell it (`own_luck_kernels`), all cards tell more of it
(`divat.any_game`). Coefficients were fixed before the log was seen, or fitted on its other hands,
so each term has mean zero whoever plays.

As the mean is known, a sum S of terms X is set against its variance, V: ΣX², or for boards the sum
of the variances over the cards that could have come. Hands drawn again from the log would take its
luck for its mean. Luck is skewed, and S / √V goes with V: after good cards pots are larger, and in
ΣX² a lucky card counts twice. So the percentile is Φ of S / √V less its own mean and skewness to
first order (Hall 1992), by moments over the cards that could have come: those of the few large pots
of a log itself tell too little. Over 6,000 simulated players of six seats and 250 hands the mean
percentile was 0.470 by ΣX² alone, and is 0.487; it would be 0.493 but for the cards of others.

From own cards alone the mean is not quite zero, since cards that others hold do not come. Given all
cards it was 0.003 ± 0.002 blinds a hand below zero in these hands, and in all forms 0.003 to 0.006
among our own players, which `railbird experiment hidden-cards` measures: above zero where one
opponent saw the flop, as those who folded left high cards in the deck, and far below with three and
more. It depends on others' play, so it cannot be taken out whoever plays; `LuckSum.percentile_high`
has its size.

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

DRIFT: Final = 0.006
"""Most by which the luck of boards from own cards was too low, blinds a hand; see `own_side`."""
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
    covariance: float = 0.0
    """Of the sum and its own variance, both by the deviation."""
    skewness: float = 0.0
    """Of the sum by the deviation that it had."""
    drift: float = 0.0
    """By how much the total may be too low, as others' cards are not known."""

    @classmethod
    def of(cls, luck: Floats, moments: Floats | None = None, *, drift: float = 0.0) -> LuckSum:
        """Add up the luck of hands, (hands,), with its `_moments`, by default those of itself.

        ``drift`` is by how much a hand's may be too low.
        """
        square, cross, cube = (_moments(luck) if moments is None else moments).sum(axis=0).tolist()
        deviation = math.sqrt(square)
        return cls(
            total=float(luck.sum()),
            deviation=deviation,
            hands=len(luck),
            nonzero=int(np.count_nonzero(luck)),
            covariance=cross / deviation**3 if deviation else 0.0,
            skewness=cube / deviation**3 if deviation else 0.0,
            drift=drift * len(luck),
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
        >>> skewed = LuckSum(total=0.0, deviation=3.0, hands=100, nonzero=50, skewness=0.3)
        >>> round(skewed.percentile, 2)  # more than half of such sums are below their mean
        0.52
        """
        return self._below(self.total)

    @property
    def percentile_high(self) -> float:
        """The same of a total without its drift.

        >>> luck = LuckSum(total=0.0, deviation=3.0, hands=100, nonzero=50, drift=3.0)
        >>> round(luck.percentile_high, 4)
        0.8413
        """
        return self._below(self.total + self.drift)

    def _below(self, total: float) -> float:
        if self.nonzero < FEWEST:
            return math.nan
        z, third = total / self.deviation, -self.skewness / 6
        # The cubic term makes it rise everywhere (Hall 1992, On the removal of skewness).
        z += self.covariance / 2 - third + third * z**2 + third**2 * z**3 / 3
        return normal_below(z)

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
                percentile_high=self.percentile_high,
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
    money: Floats,
    luck: pl.DataFrame,
    *,
    unit: str,
    all_cards: bool = False,
    of_boards: Floats | None = None,
) -> PlayerLuck:
    """Sum up a player's hands in the order of play.

    ``money`` (hands,) and the columns of ``luck`` (hands,) are in ``unit``; those of `PARTS` are
    told apart. ``of_boards`` (hands, 3) are the `_moments` of the luck of the boards, if known by
    the cards that could have come; of hands with an all-in at its mean they are not used.
    """
    parts = {name: luck[name].to_numpy() for name in PARTS if name in luck.columns}
    total = luck.sum_horizontal().to_numpy()
    moments = {name: _moments(part) for name, part in parts.items()}
    of_total = _moments(total)
    if of_boards is not None:
        known, holdings = parts[ALL_INS] == 0, parts[HOLDINGS]
        moments[BOARDS][known] = of_boards[known]
        of_total[known] = (moments[HOLDINGS] + of_boards)[known]
        # Whoever is dealt good cards plays for larger pots.
        of_total[known, 1] += (holdings * of_boards[:, 0])[known]
    without = money - total
    drifts = {} if all_cards else {BOARDS: DRIFT}
    return PlayerLuck(
        unit=unit,
        money=Moments.of(money).estimate(unit),
        without=Moments.of(without).estimate(unit),
        parts={
            name: LuckSum.of(part, moments[name], drift=drifts.get(name, 0.0))
            for name, part in parts.items()
        },
        total=LuckSum.of(total, of_total, drift=sum(drifts.values())),
        all_cards=all_cards,
        course=_course({"money": money, "without": without}),
    )


def _moments(luck: Floats) -> Floats:
    """Return what each hand adds to three moments of a sum, (hands, 3), by its own luck alone.

    They are its variance; the covariance of the sum and this variance; and the third moment of the
    sum less three times that covariance, which is that of the sum in its own deviations.
    """
    cubes = luck**3
    return np.stack([luck**2, cubes, -2 * cubes], axis=1)


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
