"""The distributions of estimates beside SciPy's, which the program does without."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

from railbird.estimates import distributions as ours
from railbird_papers.framework.rows import mean_ranks, rank_correlation

SHAPES = [(0.5, 0.5), (1, 1), (2, 3), (50, 0.5), (3, 1000), (1e4, 2e4), (5e5, 0.5)]


@pytest.mark.parametrize("z", [-37.0, -8.0, -1.96, 0.0, 0.3, 5.0])
def test_normal(z: float) -> None:
    assert ours.normal_below(z) == pytest.approx(float(special.ndtr(z)), rel=1e-12, abs=0)
    if -30 < z < 5:
        assert ours.normal_quantile(ours.normal_below(z)) == pytest.approx(z, abs=1e-9)


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_beta(a: float, b: float) -> None:
    for x in (0.0, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999, 1.0):
        expected = float(special.betainc(a, b, x))
        assert ours.beta_below(a, b, x) == pytest.approx(expected, rel=2e-9, abs=1e-200)
    for probability in (0.001, 0.025, 0.5, 0.975, 0.9999):
        expected = float(special.betaincinv(a, b, probability))
        assert ours.beta_quantile(a, b, probability) == pytest.approx(expected, rel=2e-9, abs=1e-12)


def test_log_beta() -> None:
    sizes = [1e-9, 0.01, 0.5, 1.0, 2.0, 3.7, 8.0, 50.0, 1e4, 1e7]
    a, b = np.array([(a, b) for a in sizes for b in sizes]).T
    largest = np.abs([special.gammaln(each) for each in (a, b, a + b)]).max(axis=0)
    assert (np.abs(ours.log_beta(a, b) - special.betaln(a, b)) < 1e-14 * (1 + largest)).all()


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 10, 99, 10_000, 10_001, 10**7])
def test_students_t(freedom: int) -> None:
    for probability in (1e-6, 0.025, 0.5, 0.6, 0.975, 0.995, 1 - 1e-9):
        expected = float(special.stdtrit(freedom, probability))
        assert ours.student_t(probability, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    for t in (0.0, 1e-8, 0.1, -1.0, 2.0, 10.0, 30.0):
        expected = float(2 * special.stdtr(freedom, -abs(t)))
        assert ours.student_p_value(t, freedom) == pytest.approx(expected, rel=2e-8, abs=1e-200)
    assert ours.student_p_value(math.inf, freedom) == 0.0


@pytest.mark.parametrize("x", [-1.0, 0.0, 0.05, 0.3, 0.99, 1.0, 1.358, 4.0])
def test_kolmogorov(x: float) -> None:
    assert ours.kolmogorov_above(x) == pytest.approx(float(special.kolmogorov(x)), abs=1e-14)


def test_root() -> None:
    for low, high in ((0.0, 2.0), (1.0, 2.0), (-1.0, math.pi / 2), (math.pi / 2, 4.0)):
        assert ours.root(math.cos, low, high, tolerance=1e-13) == pytest.approx(math.pi / 2)
    assert ours.root(lambda x: x**9, -1.0, 3.0, tolerance=1e-6) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("often", [0.0, 1.0, 7.0, 40.0])
def test_integral_of_what_oscillates(often: float) -> None:
    found = ours.half_line_integral(lambda u: np.cos(often * u) * np.exp(-u))
    assert found == pytest.approx(1 / (1 + often**2), abs=1e-9)


def test_integral_of_what_falls_off_slowly() -> None:
    found = ours.half_line_integral(lambda u: 1 / (1 + u) ** 3)
    assert found == pytest.approx(0.5, abs=1e-9)


def test_ranks_with_ties() -> None:
    values, others = np.random.default_rng(1).integers(6, size=(2, 40)).astype(float)
    np.testing.assert_array_equal(mean_ranks(values), stats.rankdata(values))
    expected = float(stats.spearmanr(values, others).statistic)
    assert rank_correlation(values, others) == pytest.approx(expected, rel=1e-12)
