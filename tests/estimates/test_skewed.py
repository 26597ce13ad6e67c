"""Intervals of means of rare and dear things."""

from __future__ import annotations

import math

import numpy as np
import pytest

from railbird.estimates.settings import FEWEST
from railbird.estimates.skewed_mean import SkewedEstimate, mean_of, skewed

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
