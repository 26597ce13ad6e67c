"""How one person's statistics differ from those of all others in the same hands, in any hold'em.

With dozens of statistics, at least one is more often than not far from the field's by chance
alone. So the marks are corrected for the number of statistics: the expected share of false marks
among all marks is at most the level. The correction is that of Benjamini and Yekutieli ("The
control of the false discovery rate in multiple testing under dependency", Annals of Statistics 29,
2001), which holds however the statistics depend on each other, as a player who raises more also
plays more.

Chances are not independent: one player has several in a hand, and one player's win at a showdown is
another's loss. So the variance is computed over hands, each with the actions of the player and of
the field in it: with shares k/n and K/N, hand h adds (k_h - p n_h) / n - (K_h - p N_h) / N, and the
variance of the difference is the sum of the squares. For the test, p is the share of all together;
for the interval, each side's own, unless one did it always or never. Hands are treated as
independent, and the field as one player.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird._arguments import checked
from railbird._display import HasTable
from railbird.assessment.player_statistics import Statistic
from railbird.estimates.distributions import normal_below
from railbird.estimates.estimate import FEWEST, Z_95, finite_or_none

LEVEL: Final = 0.05
"""Expected share of false marks among the marks, at most."""

_EXPECTED: Final = 5
"""Occurrences and their opposites on each side, by the share of all together, below which there is
no test: the normal approximation needs them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDifference(HasTable):
    """One statistic of a player beside the field's."""

    statistic: Statistic
    share: float
    """The player's, of ``chances``; nan without any."""
    chances: int
    field: float
    """That of all others, of ``field_chances``."""
    field_chances: int
    value: float
    """The player's share less the field's."""
    low: float
    high: float
    """95 % interval, infinite where there are too few chances; not corrected for their number."""
    p_value: float
    """Two-sided; 1 where there are too few chances."""
    stands: bool
    """Whether it is marked after the correction."""

    def as_json(self, *, withheld: bool = False) -> dict[str, object]:
        """Return the numbers unrounded; with ``withheld``, without the significant differences."""
        return {
            "statistic": self.statistic.key,
            **finite_or_none(share=self.share, field=self.field),
            "n": self.chances,
            "field_n": self.field_chances,
            "difference": finite_or_none(value=self.value, low=self.low, high=self.high),
            "p_value": self.p_value,
            "stands": None if withheld else self.stands,
        }


@checked
def field_differences(
    rows: pl.DataFrame, player: str, *, statistics: Sequence[Statistic] = tuple(Statistic)
) -> tuple[FieldDifference, ...]:
    """Compare a player with all others in ``rows``, the result of `player_statistics.rows_of`.

    The correction is for the number of ``statistics``, by default all.
    """
    mine = (rows["player"] == player).to_numpy()
    hand = rows["hand"].rank("dense").to_numpy() - 1
    differences = [_difference(rows, statistic, mine, hand) for statistic in statistics]
    tested = [
        index for index, difference in enumerate(differences) if math.isfinite(difference[-1])
    ]
    corrected = dict(
        zip(
            tested,
            benjamini_yekutieli(
                [2 * normal_below(-abs(differences[index][-1])) for index in tested]
            ),
            strict=True,
        )
    )
    return tuple(
        FieldDifference(
            statistic=statistic,
            share=share,
            chances=chances,
            field=field,
            field_chances=others,
            value=share - field,
            low=share - field - half if math.isfinite(half) else -math.inf,
            high=share - field + half if math.isfinite(half) else math.inf,
            p_value=2 * normal_below(-abs(z)) if index in corrected else 1.0,
            stands=corrected.get(index, 1.0) <= LEVEL,
        )
        for index, (statistic, (share, chances, field, others, half, z)) in enumerate(
            zip(statistics, differences, strict=True)
        )
    )


def _difference(
    rows: pl.DataFrame,
    statistic: Statistic,
    mine: npt.NDArray[np.bool_],
    hand: npt.NDArray[np.int64],
) -> tuple[float, int, float, int, float, float]:
    """Return both shares with their chances, half the width of the interval, and z; nan if few."""
    done = rows[statistic.key].to_numpy().astype(np.int64)
    chances = rows[f"{statistic.key}_chances"].to_numpy().astype(np.int64)
    counts = np.array([[done[side].sum(), chances[side].sum()] for side in (mine, ~mine)])
    n, others = (int(count) for count in counts[:, 1])
    share, field = (int(k) / int(of) if of else math.nan for k, of in counts)
    together = float(counts[:, 0].sum() / max(n + others, 1))
    expected = min(n, others) * min(together, 1 - together)
    if min(n, others) < FEWEST or expected < _EXPECTED:
        return share, n, field, others, math.inf, math.nan

    def deviation(own: npt.NDArray[np.float64]) -> float:
        """The standard error, from what each hand adds to the difference."""
        added = (done - own * chances) * np.where(mine, 1 / n, -1 / others)
        by_hand = np.bincount(hand, added)
        hands = np.count_nonzero(np.bincount(hand, chances))
        return math.sqrt(float(np.square(by_hand).sum()) * hands / (hands - 1))

    error = deviation(np.full(len(mine), together))
    z = (share - field) / error if error else 0.0
    # Of what a side did always or never, its own share says that it could not be otherwise.
    varies = 0 < share < 1 and 0 < field < 1
    own = np.where(mine, share, field) if varies else np.full(len(mine), together)
    return share, n, field, others, Z_95 * deviation(own), z


def benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number: those up to a level have that false-discovery rate.

    >>> [round(p, 4) for p in benjamini_yekutieli([0.01, 0.5, 0.02])]
    [0.055, 0.9167, 0.055]
    """
    count = len(p_values)
    factor = count * sum(1 / rank for rank in range(1, count + 1))
    order = sorted(range(count), key=p_values.__getitem__)
    corrected, least = [1.0] * count, 1.0
    for rank in range(count, 0, -1):
        least = min(least, factor / rank * p_values[order[rank - 1]])
        corrected[order[rank - 1]] = least
    return corrected
