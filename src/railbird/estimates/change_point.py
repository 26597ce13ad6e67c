"""Test for a change of the mean anywhere in a sequence.

The statistic is a CUSUM of the Kolmogorov-Smirnov type: the largest deviation of the running sum
from the straight line to its end, in standard deviations times the square root of the length. The
null distribution is that of the same maximum over all places, which accounts for looking
everywhere. For long sequences it is the limit, the maximum of a Brownian bridge
(`scipy.special.kolmogorov`); for others, and for values that are dependent within deals, it comes
from permutations of whole deals, without assuming a limit or normality. Weighted forms (sup F) were
rejected: with heavy-tailed winnings a single pot at either end decides them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.estimates.settings import LONG_SEQUENCE, MOST_PERMUTED, PERMUTATIONS

Floats = npt.NDArray[np.float64]
_FEWEST_PERMUTATIONS = 199


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """The largest deviation of a sequence from a constant mean, and its p-value."""

    place: int
    """Number of values before the change."""
    statistic: float
    """CUSUM statistic; above 1.36 in one of twenty long sequences without a change."""
    p_value: float
    """Probability of a statistic at least this large anywhere if the mean never changed."""
    by: str
    """``permutation`` or ``limit``."""


def change_point(
    values: npt.ArrayLike,
    deals: npt.ArrayLike | None = None,
    *,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> ChangePoint:
    """Test whether the mean of ``values`` (n,), in the order of play, is the same throughout.

    Values with the same number in ``deals`` (n,) are dependent and are permuted together, with
    other deals of the same size; omit it if all values are independent.

    >>> steady = np.tile([1.0, -1.0], 500)
    >>> change_point(steady).p_value > 0.9
    True
    >>> change = change_point(steady + np.repeat([0.0, 0.5], 500))
    >>> change.place, change.p_value < 0.01
    (500, True)
    """
    x = np.asarray(values, np.float64)
    n = len(x)
    spread = float(x.std()) if n else 0.0
    if n < 2 or spread == 0.0:
        return ChangePoint(n, 0.0, 1.0, "permutation")
    scale = spread * math.sqrt(n)
    strayed = _strayed(x[None])[0]
    place = int(strayed.argmax()) + 1
    statistic = float(strayed.max()) / scale
    blocks = _blocks(n, deals)
    if n > LONG_SEQUENCE and len(blocks) == 1 and blocks[0].shape[1] == 1:
        from scipy.special import kolmogorov

        return ChangePoint(place, statistic, float(kolmogorov(statistic)), "limit")
    drawn = max(_FEWEST_PERMUTATIONS, min(permutations, MOST_PERMUTED // n))
    as_far = _count_as_far(x, blocks, statistic * scale, drawn, np.random.default_rng(seed))
    return ChangePoint(place, statistic, (1 + as_far) / (1 + drawn), "permutation")


def _strayed(rows: Floats) -> Floats:
    """Return the deviation of each running sum (rows, n) from the straight line to its end."""
    sums = np.cumsum(rows, axis=1)
    line = np.arange(1, rows.shape[1] + 1) / rows.shape[1]
    far: Floats = np.abs(sums - line * sums[:, -1:])
    return far


def _blocks(n: int, deals: npt.ArrayLike | None) -> list[npt.NDArray[np.int64]]:
    """Return the positions of the deals, (deals, values of each), by number of values."""
    if deals is None:
        return [np.arange(n)[:, None]]
    _, deal, count = np.unique(np.asarray(deals), return_inverse=True, return_counts=True)
    order = np.argsort(deal, kind="stable")
    size_in_order = count[deal[order]]
    return [order[size_in_order == size].reshape(-1, size) for size in np.unique(count).tolist()]


def _count_as_far(
    x: Floats,
    blocks: list[npt.NDArray[np.int64]],
    far: float,
    permutations: int,
    rng: np.random.Generator,
) -> int:
    """Count the permutations whose running sum deviates at least as far."""
    count = 0
    drawn = np.empty_like(x)
    for _ in range(permutations):
        for block in blocks:
            drawn[block] = x[block[rng.permutation(len(block))]]
        count += bool(_strayed(drawn[None]).max() >= far * (1 - 1e-12))
    return count
