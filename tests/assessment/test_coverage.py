"""Intervals of real winnings and scores hold the mean about as often as they say, or say nothing.

The populations are matches of players in the registry; samples are drawn from them.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.arena import Match, Seating, hands, play
from railbird.assessment import assess
from railbird.estimates.estimate import Moments
from railbird.estimates.settings import FEWEST
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Rules

SAMPLES = 2_000
MATCHES = [
    ("baseline", "always-call", HEADS_UP_LIMIT),
    ("baseline", "baseline:loose-high", HEADS_UP_LIMIT),
    ("baseline:tight-high", "baseline:loose-high", HEADS_UP_LIMIT),
    ("random", "always-call", HEADS_UP_NO_LIMIT),
]


def coverage(values: NDArray[np.float64], n: int, seed: int = 0) -> tuple[float, float]:
    """Count how often an interval of ``n`` values misses their mean, and how often there is one."""
    samples = np.random.default_rng(seed).choice(values, (SAMPLES, n))
    ends = np.array([Moments.of(sample).estimate().interval() for sample in samples])
    mean = float(values.mean())
    missed = (mean < ends[:, 0]) | (ends[:, 1] < mean)
    return float(missed.mean()), float(np.isfinite(ends[:, 0]).mean())


@pytest.mark.slow
@pytest.mark.parametrize("seating", Seating)
@pytest.mark.parametrize(("first", "second", "rules"), MATCHES)
def test_money(first: str, second: str, rules: Rules, seating: Seating) -> None:
    match = Match(players=(first, second), rules=rules, deals=40_000, seed=3, seating=seating)
    won = play(match).per_deal(0)
    assert coverage(won, 2) == coverage(won, FEWEST - 1) == (0.0, 0.0)
    for n in (20, 30, 50, 100):
        assert coverage(won, n)[0] < 0.07, n
    missed, said = coverage(won, 500)
    assert missed == pytest.approx(0.05, abs=0.015)
    assert said == 1


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [match[:2] for match in MATCHES[:3]])
def test_divat(first: str, second: str) -> None:
    """Zero wherever both do what the baseline does: nine hands of ten between near relatives."""
    match = Match(players=(first, second), rules=HEADS_UP_LIMIT, deals=20_000, seed=3)
    scores = assess(hands(match)).scores["divat"].to_numpy()
    for n in (20, 50, 100, 200):
        assert coverage(scores, n)[0] < 0.075, n
    missed, said = coverage(scores, 500)
    assert missed == pytest.approx(0.055, abs=0.02)
    assert said > 0.99
