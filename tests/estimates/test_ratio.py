"""Means per hand from sessions of unequal length."""

from __future__ import annotations

import math

import numpy as np
import pytest

from railbird.estimates.estimate import estimate
from railbird.estimates.ratio import ratio


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
