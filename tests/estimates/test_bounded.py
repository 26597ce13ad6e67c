"""Shares and other bounded means: the exact interval of shares, and coverage of the rest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from railbird.errors import BadInput
from railbird.estimates.bounded_mean import BoundedMean


@pytest.mark.parametrize(("wins", "n"), [(0, 3), (3, 3), (1, 10), (20, 100), (5_000, 100_000)])
@pytest.mark.parametrize("level", [0.95, 0.5])
def test_shares_have_the_interval_of_clopper_and_pearson(wins: int, n: int, level: float) -> None:
    share = BoundedMean.of([1] * wins + [0] * (n - wins), least=0, most=1, unit="wins")
    exact = binomtest(wins, n).proportion_ci(level)
    assert share.interval(level) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert (share.value, share.n) == (wins / n, n)


@pytest.mark.parametrize("counts", [(3, 1, 2), (30, 100, 2), (3_000, 1, 500), (0, 4, 1, 7)])
def test_the_integral_agrees_with_drawn_weights(counts: tuple[int, ...]) -> None:
    levels = np.arange(len(counts), dtype=float) ** 2
    most = float(levels[-1]) + 1
    found = BoundedMean.of(np.repeat(levels, counts), least=0, most=most, unit="money").interval()
    rng = np.random.default_rng(4)
    for end, level, tail in zip(found, (0.0, most), (0.025, 0.975), strict=True):
        weights = rng.gamma([1.0, *counts], size=(400_000, len(counts) + 1))
        drawn = weights @ np.array([level, *levels]) / weights.sum(axis=1)
        # A quantile of so many draws is off by a quarter of a thousandth in probability.
        low, high = np.quantile(drawn, [tail - 0.001, tail + 0.001])
        assert low < end < high


def test_the_interval_holds_prizes_as_often_as_it_says() -> None:
    """Three prizes among nine, in few tournaments: where Student's t holds 60 times in 100."""
    prizes = np.array([5.0, 3.0, 1.0, 0, 0, 0, 0, 0, 0])
    rng = np.random.default_rng(8)
    for n in (5, 20, 100):
        samples = rng.choice(prizes, (150, n))
        ends = [BoundedMean.of(s, least=0, most=5, unit="money").interval() for s in samples]
        held = np.mean([low <= 1 <= high for low, high in ends])
        assert held > 0.93, n


def test_a_shift_of_the_values_is_one_of_the_interval() -> None:
    values = np.array([0, 0, 3.5, 10, 0, 3.5])
    plain = BoundedMean.of(values, least=0, most=10, unit="money")
    moved = BoundedMean.of(values - 16.66, least=-16.66, most=10 - 16.66, unit="money")
    assert moved.interval() == pytest.approx([end - 16.66 for end in plain.interval()])


def test_ends_and_json() -> None:
    nothing = BoundedMean.of([], least=0, most=1, unit="wins")
    assert nothing.interval() == (0, 1)
    assert nothing.as_json() == {"value": None, "stderr": None, "low": 0.0, "high": 1.0, "n": 0}
    one = BoundedMean.of([1], least=0, most=1, unit="wins")
    assert one.as_json()["stderr"] is None
    assert one.interval() == pytest.approx((0.025, 1.0))
    with pytest.raises(BadInput, match="values 0 to 2; allowed: 0 to 1"):
        BoundedMean.of([0, 2], least=0, most=1, unit="wins")
