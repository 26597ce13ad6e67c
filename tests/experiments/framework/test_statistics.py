"""Standard errors of spreads, against theory and the bootstrap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from railbird.estimates import paired_difference
from railbird.experiments.framework.statistics import Floats, reduction, sd, sd_change

N = 4000


@pytest.fixture(scope="module")
def scores() -> tuple[Floats, Floats]:
    """Money with heavy tails, and a score that follows it at a distance."""
    rng = np.random.default_rng(4)
    money = rng.standard_t(7, N) * 4
    return money, 0.4 * money + rng.standard_normal(N)


def bootstrapped(
    statistic: Callable[[Floats, Floats], float], scores: tuple[Floats, Floats]
) -> float:
    """The slow twin: the scatter of a statistic over resampled hands."""
    rng = np.random.default_rng(5)
    draws = (rng.integers(0, N, N) for _ in range(600))
    return float(np.std([statistic(scores[0][draw], scores[1][draw]) for draw in draws]))


def test_sd_of_normal_values_has_the_textbook_error() -> None:
    """The standard error of a normal sample's sd is sigma / sqrt(2n)."""
    x = np.random.default_rng(1).standard_normal(200_000) * 3
    found = sd(x)
    assert found.value == pytest.approx(np.std(x, ddof=1))
    assert found.stderr == pytest.approx(3 / np.sqrt(2 * len(x)), rel=0.02)
    assert abs(found.value - 3) < 4 * found.stderr


def test_sd_agrees_with_the_bootstrap(scores: tuple[Floats, Floats]) -> None:
    twin = bootstrapped(lambda money, _: float(np.std(money, ddof=1)), scores)
    assert sd(scores[0]).stderr == pytest.approx(twin, rel=0.15)


def test_reduction_agrees_with_the_bootstrap(scores: tuple[Floats, Floats]) -> None:
    twin = bootstrapped(lambda money, divat: float(money.var() / divat.var()), scores)
    found = reduction(*scores)
    assert found.value == pytest.approx(scores[0].var() / scores[1].var())
    assert found.stderr == pytest.approx(twin, rel=0.15)


def test_sd_change_knows_that_the_hands_are_the_same(scores: tuple[Floats, Floats]) -> None:
    money, divat = scores
    twin = bootstrapped(lambda x, y: float(np.std(x, ddof=1) - np.std(y, ddof=1)), scores)
    assert sd_change(money, divat).stderr == pytest.approx(twin, rel=0.15)
    same = sd_change(money, money)
    assert (same.value, same.stderr) == (0.0, 0.0)


def test_what_does_not_vary_has_no_error() -> None:
    constant = np.full(50, 2.0)
    assert (sd(constant).value, sd(constant).stderr) == (0.0, 0.0)
    assert paired_difference(constant, constant).value == 0


def test_units_of_small_bets_do_not_move_a_ratio(scores: tuple[Floats, Floats]) -> None:
    money, divat = scores
    assert reduction(10 * money, 10 * divat).value == pytest.approx(reduction(money, divat).value)
