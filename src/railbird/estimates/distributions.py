"""The few distributions that estimates need: normal, Student's t, beta and Kolmogorov's.

SciPy has them all, but it would make up a fifth of the installed program and takes a quarter of a
second to load. The tests compare each function with SciPy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np

from railbird._arrays import Floats

_LEAST: Final = 1e-300
_CLOSE: Final = 1e-15
_STIRLING: Final = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
_MOST_TERMS: Final = 100_000
_MOST_STEPS: Final = 100
_MANY: Final = 10_000
"""Degrees of freedom from which the expansion's next term no longer matters."""


def normal_below(z: float) -> float:
    """Return the probability that a standard normal variable is below ``z``, also far in the tails.

    >>> round(normal_below(-1.96), 6)
    0.024998
    """
    return math.erfc(-z / math.sqrt(2)) / 2


def normal_quantile(probability: float) -> float:
    """Return the value below which a standard normal variable lies with this probability.

    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    return NormalDist().inv_cdf(probability)


def beta_below(a: float, b: float, x: float, rest: float | None = None) -> float:
    """Return the probability that a beta variable is below ``x``, the regularised incomplete beta.

    ``rest`` is 1 - x, for callers who know it more exactly. This is the continued fraction of DLMF
    8.17.22, evaluated by Lentz's method.

    >>> round(beta_below(2, 3, 0.5), 6)
    0.6875
    """
    rest = 1 - x if rest is None else rest
    if x <= 0 or rest <= 0:
        return float(x > 0)
    # The continued fraction converges fast on this side of the mean only; on the other the symmetry
    # of the distribution leads back.
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_below(b, a, rest, x)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(scale + a * math.log(x) + b * math.log(rest)) / a
    above, below = 1.0, 1 / _kept(1 - (a + b) * x / (a + 1))
    value = below
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            above, below = _kept(1 + term / above), 1 / _kept(1 + term * below)
            value *= above * below
        if abs(above * below - 1) < _CLOSE:
            break
    return front * value


def log_beta(a: Floats, b: Floats) -> Floats:
    """Return logarithms of the beta function, in any shape, for numbers above 0 and up to 10^37.

    Each is a difference of three logarithms of the gamma function. Its error is below 10^-14 of the
    largest of these, and below 2 * 10^-14 if they are small.

    >>> log_beta(np.array([1.0, 2.0]), np.array([1.0, 3.0])).round(6).tolist()
    [0.0, -2.484907]
    """
    logarithm: Floats = _log_gamma(a) + _log_gamma(b) - _log_gamma(a + b)
    return logarithm


def _log_gamma(x: Floats) -> Floats:
    """Return logarithms of the gamma function by Stirling's series at x + 8 (DLMF 5.11.1)."""
    # Stirling's series is accurate for large arguments alone, so it is used eight higher and the
    # eight factors are divided out.
    product = x * (x + 1)
    for more in range(2, 8):
        product *= x + more
    far = x + 8
    inverse = 1 / far
    square = inverse * inverse
    series = inverse * _STIRLING[-1]
    for coefficient in reversed(_STIRLING[:-1]):
        series = coefficient * inverse + series * square
    logarithm: Floats = (far - 0.5) * np.log(far) - far - np.log(product) + series
    logarithm += math.log(2 * math.pi) / 2
    return logarithm


def _kept(value: float) -> float:
    """Keep a denominator away from zero."""
    return value if abs(value) > _LEAST else _LEAST


def beta_quantile(a: float, b: float, probability: float) -> float:
    """Return the value below which a beta variable lies with this probability.

    >>> round(beta_quantile(2, 3, 0.6875), 6)
    0.5
    """
    return root(lambda x: beta_below(a, b, x) - probability, 0.0, 1.0, tolerance=1e-15)


def student_p_value(t: float, freedom: float) -> float:
    """Return the probability that Student's t is at least as far from zero as ``t``.

    >>> round(student_p_value(2.7764, 4), 4)
    0.05
    """
    square = t * t
    if math.isinf(square):
        return 0.0
    total = freedom + square
    # Both x and 1 − x are given exactly: for a t near zero the difference would lose its digits.
    return beta_below(freedom / 2, 0.5, freedom / total, square / total)


@lru_cache(maxsize=1024)
def student_t(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t distribution.

    This is the expansion about the normal quantile (Abramowitz and Stegun 26.7.5), followed by
    Newton steps if there are few degrees of freedom.

    >>> round(student_t(0.975, 4), 4), round(student_t(0.975, 10**6), 4)
    (2.7764, 1.96)
    """
    if probability < 0.5:
        return -student_t(1 - probability, freedom)
    z, n = normal_quantile(probability), float(freedom)
    x = z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n * n)
    x += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    if freedom > _MANY:
        return x
    tail = 2 * (1 - probability)
    scale = math.lgamma((n + 1) / 2) - math.lgamma(n / 2) - math.log(n * math.pi) / 2
    for _ in range(_MOST_STEPS):
        density = math.exp(scale - (n + 1) / 2 * math.log1p(x * x / n))
        step = (student_p_value(x, n) - tail) / (2 * density)
        # Half of the last value is the least that a step may lead to: a Newton step from the flat
        # tail can overshoot to the other side of zero.
        x, before = max(x + step, x / 2), x
        if abs(x - before) <= 4e-16 * abs(x):
            break
    return x


def kolmogorov_above(x: float) -> float:
    """Return the probability that the largest deviation of a Brownian bridge is above ``x``.

    This is Kolmogorov's series (1933), or for small ``x`` the other series of the same theta
    function, each of which converges fast where the other does not.

    >>> round(kolmogorov_above(1.3581), 4)
    0.05
    """
    if x <= 0:
        return 1.0
    if x < 1:
        terms = (math.exp(-((2 * k - 1) ** 2) * math.pi**2 / (8 * x * x)) for k in range(1, 20))
        return 1 - math.sqrt(2 * math.pi) / x * math.fsum(terms)
    return 2 * math.fsum((-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 20))


def root(function: Callable[[float], float], low: float, high: float, *, tolerance: float) -> float:
    """Return where a function changes its sign, by bisection."""
    below = function(low) < 0
    while high - low > tolerance:
        middle = (low + high) / 2
        # Neighbouring floats have no middle, so a tolerance below their distance would never be
        # reached.
        if not low < middle < high:
            break
        low, high = (middle, high) if (function(middle) < 0) == below else (low, middle)
    return (low + high) / 2


def half_line_integral(integrand: Callable[[Floats], Floats]) -> float:
    """Integrate a function that falls off from 0 to infinity, to nine decimals.

    A substitution turns the half line into the whole line, where the trapezoidal rule is refined by
    halves until nothing changes (Takahasi and Mori, "Double exponential formulas for numerical
    integration", 1974).

    >>> round(half_line_integral(lambda u: np.exp(-u)), 9)
    1.0
    """
    value = math.inf
    for points in (1 << k for k in range(8, 18)):
        # At 4.5 the substitution reaches about 10 to the ±31, beyond which nothing is left of the
        # integrand.
        t = np.linspace(-4.5, 4.5, points)
        u = np.exp(np.pi / 2 * np.sinh(t))
        slope = np.pi / 2 * np.cosh(t) * u
        before, value = value, float(np.sum(integrand(u) * slope) * (t[1] - t[0]))
        if abs(value - before) < 1e-10:
            break
    return value
