"""Coverage of whole paths: a match is missed if its interval ever leaves the mean out.

Hands are mixtures: mostly small results, seldom one near the bound, and a skew, as in limit
hold'em and as AIVAT leaves them.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from railbird.errors import BadInput
from railbird.estimates.bounded_sequence import bounded_path, bounded_sequence
from railbird.estimates.confidence_sequences import confidence_sequence
from railbird.estimates.estimate import Moments
from railbird.estimates.settings import ALPHA, FEWEST, FIRST_LOOK, TUNED_FOR

BOUND = 24.0
Floats = npt.NDArray[np.float64]


def hands(rng: np.random.Generator, shape: tuple[int, int], rare: float) -> tuple[Floats, float]:
    """Return results, and their mean: a part ``rare`` of them is large."""
    sizes = np.array([-24.0, -12.0, 7.0, 18.0, -1.0, -0.5, 0.0, 1.5])
    chances = np.array([rare / 4] * 4 + [(1 - rare) / 4] * 4)
    return rng.choice(sizes, shape, p=chances), float(sizes @ chances)


def asymptotic(values: Floats) -> tuple[Floats, Floats]:
    """Return means and half-widths of `confidence_sequence` after every value."""
    time = np.arange(1, values.shape[1] + 1)
    mean = values.cumsum(axis=1) / time
    deviations = np.square(values).cumsum(axis=1) - time * np.square(mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.sqrt(np.maximum(deviations, 0) / (time - 1))
    one = Moments(1, 0.0, 0.0)
    widths = np.full(len(time), math.inf)
    for n in range(FIRST_LOOK, len(time) + 1):
        widths[n - 1] = confidence_sequence(Moments(n, 0.0, n - 1.0)).half_width
    assert math.isinf(confidence_sequence(one).half_width)
    with np.errstate(invalid="ignore"):
        return mean, sd * widths


def test_the_sequence_is_what_is_computed_value_by_value() -> None:
    rng = np.random.default_rng(2)
    values, _ = hands(rng, (1, 300), 0.05)
    path = bounded_path(values[0], bound=BOUND)
    seen: list[float] = []
    means, bets, costs = [0.5], [], 0.0
    spread = 0.25
    for time, value in enumerate(values[0].tolist(), start=1):
        x = (value + BOUND) / (2 * BOUND)
        variance = spread / time
        bet = min(0.5, math.sqrt(2 * math.log(2 / ALPHA) / (variance * time * math.log1p(time))))
        costs += (x - means[-1]) ** 2 * (-math.log(1 - bet) - bet)
        seen.append(x)
        bets.append(bet)
        means.append((0.5 + sum(seen)) / (time + 1))
        spread += (x - means[-1]) ** 2
    centre = sum(b * x for b, x in zip(bets, seen, strict=True)) / sum(bets)
    half_width = (math.log(2 / ALPHA) + costs) / sum(bets)
    assert path.centre[-1] == pytest.approx(BOUND * (2 * centre - 1))
    assert path.half_width[-1] == pytest.approx(2 * BOUND * half_width)
    last = bounded_sequence(values[0], bound=BOUND)
    assert (last.value, last.half_width) == pytest.approx((path.centre[-1], path.half_width[-1]))


def test_values_beyond_the_bound_are_refused() -> None:
    with pytest.raises(BadInput, match="values up to 25"):
        bounded_sequence([1.0, -25.0], bound=BOUND)
    assert math.isinf(bounded_sequence([], bound=BOUND).half_width)


@pytest.mark.slow
@pytest.mark.parametrize("rare", [0.3, 0.02])
def test_paths_of_two_thousand_matches(rare: float) -> None:
    rng = np.random.default_rng(7)
    matches, length, at_once = 2000, TUNED_FOR, 100
    missed = dict.fromkeys(("asymptotic", "bounded", "fixed", "fixed at the end"), 0)
    for _ in range(matches // at_once):
        values, true = hands(rng, (at_once, length), rare)
        mean, half_width = asymptotic(values)
        missed["asymptotic"] += int((np.abs(mean - true) > half_width).any(axis=1).sum())
        path = bounded_path(values, bound=BOUND)
        missed["bounded"] += int((np.abs(path.centre - true) > path.half_width).any(axis=1).sum())
        time = np.arange(1, length + 1)
        sd = np.sqrt(np.maximum(np.square(values).cumsum(axis=1) / time - np.square(mean), 0))
        outside = np.abs(mean - true) > 1.96 * sd / np.sqrt(time)
        missed["fixed"] += int(outside[:, FEWEST - 1 :].any(axis=1).sum())
        missed["fixed at the end"] += int(outside[:, -1].sum())
    assert missed["bounded"] <= 0.05 * matches
    assert missed["asymptotic"] <= 0.07 * matches
    assert missed["fixed"] >= 0.4 * matches
    assert 0.035 * matches <= missed["fixed at the end"] <= 0.065 * matches
