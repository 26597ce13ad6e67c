"""The test for a change of the mean: its size at its nominal level, its power, whole deals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from railbird.estimates import change_point as module
from railbird.estimates.change_point import change_point

RUNS = 400


def heavy_tailed(rng: np.random.Generator, n: int) -> np.ndarray:
    """Winnings of no-limit: most hands are folded, few are worth a stack."""
    won = rng.standard_t(2.5, n)
    return np.where(rng.random(n) < 0.3, won, 0.0)


def rejected(p_values: list[float], level: float) -> int:
    return sum(p <= level for p in p_values)


@pytest.mark.parametrize("level", [0.05, 0.2])
def test_without_a_change_it_finds_one_no_oftener_than_its_level(level: float) -> None:
    rng = np.random.default_rng(1)
    found = [
        change_point(heavy_tailed(rng, 150), permutations=199, seed=run).p_value
        for run in range(RUNS)
    ]
    said = binomtest(rejected(found, level), RUNS, level, alternative="greater")
    assert said.pvalue > 0.001, rejected(found, level) / RUNS
    # Nor is it idle: a test that never spoke would pass, too.
    assert rejected(found, level) > RUNS * level / 3


def test_by_the_limit_it_finds_one_no_oftener_than_its_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LONG_SEQUENCE", 1_000)
    rng = np.random.default_rng(2)
    found = [change_point(heavy_tailed(rng, 2_000)) for _ in range(RUNS)]
    assert {each.by for each in found} == {"limit"}
    times = rejected([each.p_value for each in found], 0.05)
    assert binomtest(times, RUNS, 0.05, alternative="greater").pvalue > 0.001, times / RUNS
    assert times > 3


def test_deals_that_are_played_twice_do_not_pass_for_a_change() -> None:
    """Values that come twice in a row vary twice as much in their sums as single ones."""
    rng = np.random.default_rng(3)
    whole, single = [], []
    for run in range(150):
        twice = np.repeat(rng.normal(size=60), 4)
        deals = np.repeat(np.arange(60), 4)
        whole.append(change_point(twice, deals, permutations=199, seed=run).p_value)
        single.append(change_point(twice, permutations=199, seed=run).p_value)
    assert binomtest(rejected(whole, 0.05), 150, 0.05, alternative="greater").pvalue > 0.001
    assert rejected(single, 0.05) > 30, "the deals make no difference here"


@pytest.mark.parametrize("at", [0.3, 0.5, 0.8])
def test_a_change_of_half_a_standard_deviation_is_found_in_four_hundred_values(at: float) -> None:
    rng = np.random.default_rng(4)
    n = 400
    found = []
    for run in range(60):
        values = rng.normal(size=n) + 0.5 * (np.arange(n) >= at * n)
        found.append(change_point(values, permutations=199, seed=run))
    assert sum(each.p_value <= 0.05 for each in found) >= 48
    assert np.median([abs(each.place / n - at) for each in found]) < 0.08


def test_thecounts_line_has_no_bend_beyond_chance() -> None:
    """Kan (2007) 5.2: 7,000 games, 0.01091 sb/g, sd 2.109; level for 3,700 games, then all of it.

    The straightest case for the bend that is read there as learning: no noise is added to it.
    """
    hands, turn = 7_000, 3_700
    slope = 0.01091 * hands / (hands - turn)
    strayed = slope * (hands - turn) * turn / hands
    statistic = strayed / (2.109 * np.sqrt(hands))
    assert statistic == pytest.approx(0.2288, abs=1e-4)
    from scipy.special import kolmogorov

    assert kolmogorov(statistic) > 0.999


def test_nothing_can_be_said_of_equal_values() -> None:
    assert change_point(np.zeros(50)).p_value == 1.0
    assert change_point([]).p_value == 1.0
    assert change_point([1.0]).p_value == 1.0
