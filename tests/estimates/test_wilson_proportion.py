"""Wilson's interval, with independent trials and with clusters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from railbird.estimates.wilson_proportion import Proportion


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
