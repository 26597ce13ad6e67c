"""Estimates, streaming moments and the hands that decide."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from railbird.errors import BadInput
from railbird.estimates.estimate import (
    FEWEST,
    Estimate,
    Moments,
    estimate,
    ratio,
    variance_reduction,
)

T_399 = 1.9659273
"""Two-sided 95 % point of Student's t with 399 degrees of freedom (scipy.stats.t.ppf)."""

_VALUES = st.lists(st.floats(-24, 24), max_size=30)


@given(_VALUES, _VALUES)
def test_merged_moments_are_those_of_the_whole(a: list[float], b: list[float]) -> None:
    merged, whole = Moments.of(a) + Moments.of(b), Moments.of(a + b)
    assert merged.n == whole.n
    assert merged.mean == pytest.approx(whole.mean, abs=1e-12)
    assert merged.deviations == pytest.approx(whole.deviations, abs=1e-9)


def test_moments_agree_with_numpy() -> None:
    values = np.random.default_rng(5).normal(0.1, 6.0, size=10_000)
    parts = Moments.sum(Moments.of(part) for part in np.array_split(values, 7))
    assert parts.mean == pytest.approx(values.mean(), rel=1e-12)
    assert parts.sd == pytest.approx(values.std(ddof=1), rel=1e-12)
    assert parts.estimate().stderr == pytest.approx(values.std(ddof=1) / 100, rel=1e-12)


def test_absent_values_do_not_count() -> None:
    assert Moments.of([1.0, math.nan, 3.0]) == Moments.of([1.0, 3.0])


def test_interval_holds_the_mean_in_95_of_100_samples() -> None:
    samples = np.random.default_rng(11).normal(0.5, 2.0, size=(4000, 400))
    estimates = [estimate(sample) for sample in samples]
    held = np.mean([e.low < 0.5 < e.high for e in estimates])
    assert abs(held - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 4000)


def test_few_values_have_no_interval() -> None:
    """Two hands, or five that were not zero, say nothing; before, they excluded zero."""
    assert estimate([6.0, 6.5]).interval() == (-math.inf, math.inf)
    assert not math.isfinite(estimate([1.0] * (FEWEST - 1)).low)
    rare = np.zeros(500)
    rare[:5] = 2.0
    assert not estimate(rare).enough
    rare[:FEWEST] = 2.0
    assert estimate(rare).enough
    assert estimate([1.5, 2.5]).as_json()["low"] is None


def test_what_is_exact_has_no_width() -> None:
    assert Estimate(-0.111, 0.0, 1).interval() == (-0.111, -0.111)


def test_intervals_are_by_students_t() -> None:
    values = np.random.default_rng(1).normal(0.3, 2.0, 25)
    found = estimate(values)
    for level in (0.5, 0.95, 0.99):
        expected = scipy.stats.t.interval(level, 24, values.mean(), values.std(ddof=1) / 5)
        assert found.interval(level) == pytest.approx(expected)
    assert found.p_value == pytest.approx(scipy.stats.ttest_1samp(values, 0).pvalue)


def test_merged_counts_of_what_is_not_zero() -> None:
    one, other = Moments.of([0.0, 1.0, math.nan]), Moments.of([2.0, 0.0, 3.0])
    assert (one + other).nonzero == 3
    assert (one + Moments(4, 0.0, 1.0)).nonzero is None
    assert (Moments() + one) == one


def test_json_is_plain_and_unrounded() -> None:
    e = Estimate(0.1, 0.01, 400)
    assert json.loads(json.dumps(e.as_json())) == {
        "value": 0.1,
        "stderr": 0.01,
        "low": pytest.approx(0.1 - T_399 * 0.01),
        "high": pytest.approx(0.1 + T_399 * 0.01),
        "n": 400,
    }
    assert json.dumps(estimate([]).as_json(), allow_nan=False)


def test_negation_and_difference() -> None:
    a, b = Estimate(1.0, 0.3, 10), Estimate(0.5, 0.4, 20)
    assert (-a).value == -1.0
    assert a - b == Estimate(0.5, 0.5, 10)
    with pytest.raises(BadInput, match="allowed: the same unit"):
        _ = a - Estimate(0.5, 0.4, 20, "bb")


def test_variance_reductions_of_the_source() -> None:
    """Kan 2007, 4.2.1 and 4.2.2: standard deviations of money and DIVAT, and their factors."""
    for money, divat, factor in [(6.856, 2.934, 5.46), (6.856, 2.917, 5.52), (4.691, 1.863, 6.34)]:
        samples = (Moments(2, 0.0, money**2), Moments(2, 0.0, divat**2))
        assert variance_reduction(*samples) == pytest.approx(factor, abs=0.005)
    constant = Moments.of([1.0, 1.0])
    assert variance_reduction(Moments.of([0.0, 1.0]), constant) == math.inf
    assert math.isnan(variance_reduction(constant, constant))


# Means per hand from sessions of unequal length.


def test_pieces_of_equal_size_give_the_mean_of_their_means() -> None:
    totals = np.random.default_rng(1).normal(3, 5, 50)
    found, plain = ratio(totals, np.full(50, 20)), estimate(totals / 20)
    assert (found.value, found.stderr) == pytest.approx((plain.value, plain.stderr))
    assert found.n == 50


def test_the_interval_holds_as_often_as_it_says() -> None:
    """Sessions of 1 to 200 hands with a true mean of 0.3 a hand."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(1000):
        sizes = rng.integers(1, 201, 60)
        found = ratio(0.3 * sizes + rng.normal(0, 4 * np.sqrt(sizes)), sizes)
        held += found.low < 0.3 < found.high
    # 1000 intervals at 95 % have a standard deviation of 6.9; 60 pieces cost a percent or so.
    assert 925 < held < 975


def test_one_piece_tells_nothing_of_its_error_and_none_nothing_at_all() -> None:
    assert (ratio([5], [10]).value, ratio([5], [10]).stderr) == (0.5, math.inf)
    assert math.isnan(ratio([0, 0], [0, 0]).value)
    assert ratio([5, 0], [10, 0]).n == 1


@pytest.mark.parametrize("value", [-50.0, -0.1, 1 / 3])
def test_equal_values_decide_nothing(value: float) -> None:
    alike = estimate([value] * 40)
    assert alike.alike
    assert alike.interval() == (-math.inf, math.inf)
    assert not alike.excludes_zero
    assert alike.p_value == 1.0
    assert estimate([value * (1 + 0.01 * (k % 2)) for k in range(40)]).excludes_zero


def test_an_exact_value_is_an_interval_but_no_verdict() -> None:
    exact = Estimate(2.0, 0.0, 1)
    assert exact.interval() == (2.0, 2.0)
    assert not exact.excludes_zero
