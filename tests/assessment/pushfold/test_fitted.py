"""A complete strategy for people whose decisions are known in part."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.assessment.pushfold.decisions import Population
from railbird.assessment.pushfold.matchup import Strategy, match_up
from railbird.assessment.pushfold.population_strategy import fit_strategy, judge_fit
from railbird.errors import BadInput
from railbird.solve import COMBINATIONS, pushfold_ev, solve_pushfold

SOLUTION = solve_pushfold(10)
OWN = Strategy(SOLUTION.push, SOLUTION.call)
WEIGHTS = COMBINATIONS / COMBINATIONS.sum()


def _people(rng: np.random.Generator) -> Strategy:
    """People as the prior has them."""
    values = pushfold_ev(OWN.push, OWN.call, stack=10)
    drawn = []
    for gain in (values.push_ev - values.fold_ev_sb, values.call_ev - values.fold_ev_bb):
        a, b, m = rng.normal(0, 0.5), rng.uniform(2, 6), rng.uniform(10, 60)
        mean = 1 / (1 + np.exp(-(a + b * gain)))
        drawn.append(rng.beta(np.maximum(m * mean, 1e-9), np.maximum(m * (1 - mean), 1e-9)))
    return Strategy(drawn[0], drawn[1])


def _decisions(people: Strategy, count: int, rng: np.random.Generator) -> Population:
    hands = [rng.multinomial(count, WEIGHTS) for _ in range(2)]
    return Population(
        shoves=rng.binomial(hands[0], people.push),
        sb_hands=hands[0],
        calls=rng.binomial(hands[1], people.call),
        bb_hands=hands[1],
    )


def test_intervals_hold_the_value_of_people_as_the_prior_has_them() -> None:
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(20):
        people = _people(rng)
        fit = fit_strategy(_decisions(people, 60, rng), SOLUTION, rng=rng, draws=400)
        judged = judge_fit(OWN, fit, stack=10, ante=0)
        truth = match_up(OWN, people, stack=10).mean
        held += judged.mean.low <= truth <= judged.mean.high
    assert held >= 17


def test_many_decisions_speak_for_themselves() -> None:
    rng = np.random.default_rng(3)
    people = Strategy(rng.random(169), rng.random(169))
    fit = fit_strategy(_decisions(people, 2_000_000, rng), SOLUTION, rng=rng, draws=400)
    assert np.abs(fit.mean.push - people.push).max() < 0.03
    assert np.abs(fit.mean.call - people.call).max() < 0.03
    judged = judge_fit(OWN, fit, stack=10, ante=0)
    truth = match_up(OWN, people, stack=10)
    assert judged.mean.value == pytest.approx(truth.mean, abs=0.005)
    assert judged.gain.value == pytest.approx(truth.gain, abs=0.005)
    # The mean of the draws is the value against their mean.
    assert judged.mean.value == pytest.approx(judged.matchup.mean)


def test_classes_that_never_came_follow_the_rest() -> None:
    """Not a half: people who pushed what gains and folded what does not push aces."""
    rng = np.random.default_rng(4)
    whole = _decisions(OWN, 3_000, rng)
    missing = np.arange(169) == 0
    known = Population(
        shoves=np.where(missing, 0, whole.shoves),
        sb_hands=np.where(missing, 0, whole.sb_hands),
        calls=np.where(missing, 0, whole.calls),
        bb_hands=np.where(missing, 0, whole.bb_hands),
    )
    fit = fit_strategy(known, SOLUTION, rng=rng, draws=400)
    assert fit.mean.push[0] > 0.97
    assert fit.mean.call[0] > 0.97


def test_a_seat_without_decisions_cannot_be_made_complete() -> None:
    nothing = np.zeros(169, dtype=np.int64)
    some = np.ones(169, dtype=np.int64)
    population = Population(shoves=some, sb_hands=some, calls=nothing, bb_hands=nothing)
    with pytest.raises(BadInput, match="no decision in the big blind"):
        fit_strategy(population, SOLUTION, rng=np.random.default_rng(0))
