"""Bankrolls: published values, games that can be enumerated, and laws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.errors import BadInput
from railbird.estimates import bankroll_of, risk_of_ruin

MEANS = st.floats(-20, 20).map(lambda mean: round(mean, 3))
AMOUNTS = st.floats(0.1, 5000)


@pytest.mark.parametrize(
    ("mean", "sd", "bankroll", "published"),
    [
        (1.5, 17, 300, 0.0444),  # Ankenman, forum of Two Plus Two, 6 November 2007
        (3, 17, 300, 0.002),  # Demiparadigm, flopturnriver.com
        (2.5, 100, 5991, 0.05),  # primedope.com's variance calculator: 5,991 big blinds for 5 %
        (10, 50, 776, 0.002),  # Demiparadigm
    ],
)
def test_risks_are_those_published(
    mean: float, sd: float, bankroll: float, published: float
) -> None:
    assert risk_of_ruin(mean, sd, bankroll) == pytest.approx(published, rel=0.015)


def test_a_bankroll_for_a_risk_is_the_one_published() -> None:
    found = bankroll_of(2.5, 100.0, low=2.5, high=2.5)
    assert math.floor(found.needed[0.05].value) == 5991


def test_the_curve_of_a_counter_is_the_one_published() -> None:
    """Wattenberger, *Modern Blackjack*, by Schlesinger's formula: 82, 2.75 and 1.8 per cent."""
    ratio = -math.log(0.0275) / (2 * 18_000)  # mean over variance, from one of the three
    for bankroll, published in ((1_000, 0.82), (20_000, 0.018)):
        assert risk_of_ruin(ratio, 1.0, bankroll) == pytest.approx(published, rel=0.03)


def test_full_kelly_risks_as_much_as_published() -> None:
    """13.5 % of ruin at stakes that are kept: Schlesinger's SCORE; half Kelly squares it."""
    found = bankroll_of(3.0, 75.0, low=1.0, high=5.0)
    assert risk_of_ruin(3.0, 75.0, found.kelly.value) == pytest.approx(0.135, abs=0.0005)
    assert risk_of_ruin(3.0, 75.0, 2 * found.kelly.value) == pytest.approx(0.0183, abs=0.0001)


def test_after_n0_the_mean_is_one_deviation() -> None:
    found = bankroll_of(4.0, 90.0, low=2.0, high=6.0)
    assert 4.0 * found.n0.value == pytest.approx(90.0 * math.sqrt(found.n0.value))
    assert found.n0.low == pytest.approx(15.0**2)
    assert found.n0.high == pytest.approx(45.0**2)


@pytest.mark.parametrize("p", [0.49, 0.5, 0.505, 0.52])
@pytest.mark.parametrize("flips", [400, 2500])
def test_a_game_of_coins_is_lost_about_as_often(p: float, flips: int) -> None:
    """The exact chance by dynamic programming: one unit a flip, ruin is 0 of 20 units."""
    start, most = 20, 20 + flips
    chances = np.zeros(most + 2)
    chances[start] = 1.0
    lost = 0.0
    for _ in range(flips):
        moved = np.zeros_like(chances)
        moved[1:] += p * chances[:-1]
        moved[:-1] += (1 - p) * chances[1:]
        lost += moved[0]
        moved[0] = 0.0
        chances = moved
    mean, sd = 2 * p - 1, math.sqrt(1 - (2 * p - 1) ** 2)
    assert risk_of_ruin(mean, sd, start, rounds=flips) == pytest.approx(lost, abs=0.004)
    if p > 0.5:
        assert risk_of_ruin(mean, sd, start) == pytest.approx(((1 - p) / p) ** start, rel=0.005)


@given(MEANS, st.floats(1, 200), AMOUNTS, st.floats(1, 1e6))
def test_laws_of_ruin(mean: float, sd: float, bankroll: float, rounds: float) -> None:
    ever, then = risk_of_ruin(mean, sd, bankroll), risk_of_ruin(mean, sd, bankroll, rounds=rounds)
    assert 0 <= then <= ever + 1e-9
    assert ever <= 1
    assert risk_of_ruin(mean, sd, 2 * bankroll) == pytest.approx(ever**2, abs=1e-9)
    assert then <= risk_of_ruin(mean, sd, bankroll, rounds=2 * rounds) + 1e-9
    assert risk_of_ruin(mean + 1, sd, bankroll, rounds=rounds) <= then + 1e-9


@given(MEANS, st.floats(1, 200), st.floats(0, 10), AMOUNTS)
def test_an_interval_carries_over(mean: float, sd: float, half: float, bankroll: float) -> None:
    found = bankroll_of(
        mean, sd, low=mean - half, high=mean + half, bankroll=bankroll, horizon=100.0
    )
    assert found.ruin is not None
    assert found.ruin_by_then is not None
    spreads = (found.n0, found.kelly, *found.needed.values(), found.ruin, found.ruin_by_then)
    for value, low, high in spreads:
        assert low <= value * (1 + 1e-12)
        assert value <= high * (1 + 1e-12)
    for risk, needed in found.needed.items():
        if math.isfinite(needed.value):
            assert risk_of_ruin(mean, sd, needed.value) == pytest.approx(risk)


def test_far_tails_neither_overflow_nor_vanish() -> None:
    """The first passage of a strong drift down: half of the time by the time of the mean."""
    then = risk_of_ruin(-1.0, 1.0, 2000.0, rounds=2000)
    assert then == pytest.approx(0.5 + 1 / math.sqrt(2 * math.pi) / (2 * math.sqrt(2000)), rel=0.01)
    assert risk_of_ruin(-1e6, 1.0, 1e9, rounds=1e6) == pytest.approx(1.0)


def test_without_an_interval_nothing_is_ruled_out() -> None:
    found = bankroll_of(5.0, 80.0, low=-math.inf, high=math.inf, bankroll=2000.0)
    assert found.ruin is not None
    assert found.ruin[1:] == (0.0, 1.0)
    assert found.n0[1:] == (0.0, math.inf)


@pytest.mark.parametrize(
    ("mean", "sd", "low", "high", "bankroll"),
    [
        (math.nan, 80.0, 0.0, 1.0, None),
        (5.0, 80.0, 6.0, 7.0, None),
        (5.0, 0.0, 4.0, 6.0, None),
        (5.0, math.inf, 4.0, 6.0, None),
        (5.0, 80.0, 4.0, 6.0, 0.0),
        (5.0, 80.0, 4.0, 6.0, math.nan),
    ],
)
def test_refusals(mean: float, sd: float, low: float, high: float, bankroll: float | None) -> None:
    with pytest.raises(BadInput, match="allowed:"):
        bankroll_of(mean, sd, low=low, high=high, bankroll=bankroll)
