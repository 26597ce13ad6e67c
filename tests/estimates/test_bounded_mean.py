"""Shares and other bounded means: the exact interval of shares, and coverage of the rest."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from railbird.errors import BadInput
from railbird.estimates.bounded_mean import BoundedMean, Proportion, SkewedEstimate, mean_of, skewed
from railbird.estimates.estimate import FEWEST


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


@pytest.mark.slow
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


# Wilson's interval, with independent trials and with clusters.


def test_the_interval_is_wilsons() -> None:
    """81 of 263: Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    trials = np.repeat([1.0, 0.0], [81, 263 - 81])
    low, high = Proportion.of_trials(trials).interval()
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


@pytest.mark.parametrize(("wins", "n", "ends"), [(0, 20, (0.0, 0.1611)), (1, 29, (0.0061, 0.1718))])
def test_extremes_have_a_width(wins: int, n: int, ends: tuple[float, float]) -> None:
    """From the same table."""
    found = Proportion.of_trials(np.repeat([1.0, 0.0], [wins, n - wins])).interval()
    assert tuple(round(end, 4) for end in found) == ends


def test_dependent_trials_are_worth_fewer() -> None:
    rng = np.random.default_rng(1)
    alike = np.repeat(rng.integers(0, 2, (100, 1)), 10, axis=1)
    clustered = Proportion.of_trials(alike)
    assert clustered.n == 1000
    assert clustered.trials == pytest.approx(100, rel=0.05)
    assert clustered.low == pytest.approx(Proportion.of_trials(alike[:, 0]).low, abs=0.005)


def test_independent_trials_in_clusters_keep_their_worth() -> None:
    trials = (np.random.default_rng(2).random((400, 50)) < 0.3).astype(float)
    assert Proportion.of_trials(trials).trials > 0.85 * trials.size


def test_nothing_is_known_without_trials() -> None:
    nothing = Proportion.of_trials([])
    assert nothing.interval() == (0.0, 1.0)
    assert math.isnan(nothing.value)


def test_coverage_of_clusters() -> None:
    """Intervals of sessions whose share of wins varies contain the mean as often as they say."""
    rng, inside = np.random.default_rng(3), 0
    for _ in range(400):
        shares = rng.beta(6, 4, size=(60, 1))
        low, high = Proportion.of_trials(rng.random((60, 20)) < shares).interval()
        inside += low <= 0.6 <= high
    assert inside / 400 > 0.92


# Intervals of means of rare and dear things.


RARE, MEAN = 0.15, 0.5


def _sample(n: int, rng: np.random.Generator) -> SkewedEstimate:
    values = np.where(rng.random(n) < RARE, rng.exponential(MEAN, n), 0.0)
    return skewed(values, np.ones(n, dtype=int), unknown=MEAN, unit="bb")


@pytest.mark.parametrize("n", [200, 400])
def test_intervals_hold_a_skewed_mean(n: int) -> None:
    rng = np.random.default_rng(n)
    found = [_sample(n, rng) for _ in range(600)]
    told = [each for each in found if each.enough]
    assert len(told) >= 0.9 * len(found)
    held = [low <= RARE * MEAN <= high for low, high in (each.interval() for each in told)]
    assert np.mean(held) >= 0.92
    values = [each.value for each in found]
    assert np.mean(values) == pytest.approx(RARE * MEAN, abs=4 * np.std(values) / np.sqrt(600))


def test_means_of_two_hold_too() -> None:
    rng = np.random.default_rng(8)
    found = [mean_of([_sample(400, rng), _sample(200, rng)]) for _ in range(600)]
    told = [each for each in found if each.enough]
    assert len(told) >= 0.9 * len(found)
    assert np.mean([each.low <= RARE * MEAN <= each.high for each in told]) >= 0.92


def test_a_record_without_a_loss_is_not_certain() -> None:
    found = skewed([0.0], [100], unknown=0.2, unit="bb")
    assert found.value == 0
    assert found.stderr > 0
    assert found.interval() == (-math.inf, math.inf)


def test_too_few_have_no_interval() -> None:
    few = skewed([0.0, 1.0], [500, FEWEST - 1], unknown=1.0, unit="bb")
    enough = skewed([0.0, 1.0], [500, FEWEST], unknown=1.0, unit="bb")
    assert few.interval() == (-math.inf, math.inf)
    assert np.isfinite(enough.interval()).all()
    both = mean_of([few, enough])
    assert both.interval() == (-math.inf, math.inf)
    assert both.as_json()["low"] is None


def test_seen_from_the_other_side_the_interval_is_mirrored() -> None:
    found = _sample(300, np.random.default_rng(0))
    low, high = found.interval()
    assert math.isfinite(low)
    assert math.isfinite(high)
    assert (-found).interval() == pytest.approx((-high, -low))
    assert found.scaled(2.0, 1.0).interval() == pytest.approx((2 * low + 1, 2 * high + 1))


def test_without_skewness_it_is_students_t() -> None:
    plain = SkewedEstimate(value=1.0, stderr=0.5, n=30, unit="bb", skewness=0.0)
    nearly = SkewedEstimate(value=1.0, stderr=0.5, n=30, unit="bb", skewness=1e-6)
    # 2.04523: the 97.5 % point of t with 29 degrees of freedom.
    assert plain.interval() == pytest.approx((1 - 2.04523 * 0.5, 1 + 2.04523 * 0.5), abs=1e-5)
    assert nearly.interval() == pytest.approx(plain.interval(), abs=1e-4)
