"""Intervals of real winnings and scores hold the mean about as often as they say, or say nothing.

The populations are matches of players in the registry; samples are drawn from them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from railbird.arena import Match, Seating, hands, play
from railbird.assessment import assess
from railbird.assessment.divat.estimators import CALL_LUCK, LUCK
from railbird.assessment.fitted.cross_fit import fit_of_sums
from railbird.assessment.mivat.frozen import frozen_for
from railbird.estimates.estimate import Moments
from railbird.estimates.settings import FEWEST
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Betting, Rules

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


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [match[:2] for match in MATCHES[:3]])
def test_fitted(first: str, second: str) -> None:
    """The whole procedure: frozen coefficients below 500 hands, those of other hands above."""
    match = Match(players=(first, second), rules=HEADS_UP_LIMIT, deals=20_000, seed=3)
    scores = assess(hands(match)).scores
    money = scores.select(pl.col("money") - pl.col("position")).to_series().to_numpy()
    luck = scores.select(*CALL_LUCK, *LUCK).to_numpy()
    # In the population that samples are drawn from, luck has to have mean zero.
    luck = luck - luck.mean(axis=0)
    frozen = frozen_for(Betting.LIMIT, 2).luck_by_rounds
    assert frozen is not None
    told = scores["divat"].to_numpy() != 0
    rng = np.random.default_rng(0)
    for n, samples in ((50, 2_000), (200, 2_000), (499, 1_000), (500, 1_000), (2_000, 1_000)):
        missed = 0
        for _ in range(samples):
            rows = rng.choice(len(money), n)
            fit = fit_of_sums(money[rows], luck[rows], np.arange(n), hands=n, frozen=frozen)
            mean = replace(Moments.of(fit.values).estimate(), nonzero=int(told[rows].sum()))
            missed += not mean.low <= money.mean() <= mean.high
        assert missed / samples < 0.075, n
