"""What people's push/fold decisions gave up."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from railbird.assessment.pushfold.decisions import (
    Population,
    PushFoldDecision,
    count_decisions,
    read_decisions,
    take_census,
)
from railbird.assessment.pushfold.judged_decisions import JudgedDecisions, judge_decisions
from railbird.assessment.pushfold.matchup import Strategy, match_up
from railbird.cards import CLASS_OF_HOLDING, HOLDINGS, HandClass, Holding, parse_class
from railbird.errors import NothingUsable
from railbird.solve import COMBINATIONS, Seat, pushfold_ev, solve_pushfold


@cache
def _equilibrium(stack: float) -> Strategy:
    solution = solve_pushfold(stack)
    return Strategy(solution.push, solution.call)


def _judge(people: Population, stack: float = 10) -> JudgedDecisions:
    return judge_decisions({stack: people}, {stack: _equilibrium(stack)})


def _holding(hand_class: HandClass) -> Holding:
    return Holding(int(np.flatnonzero(hand_class == CLASS_OF_HOLDING)[0]))


def _drawn(people: Strategy, count: int, rng: np.random.Generator, stack: float = 10) -> Population:
    """Decisions of people against the equilibrium: the big blind is asked after a push only."""
    own = _equilibrium(stack)
    decisions = []
    for _ in range(count):
        hand, other = rng.choice(HOLDINGS, 2, replace=False)
        seat = Seat.SMALL_BLIND if rng.random() < 0.5 else Seat.BIG_BLIND
        if seat is Seat.BIG_BLIND and rng.random() >= own.push[CLASS_OF_HOLDING[other]]:
            continue
        frequency = people.push if seat is Seat.SMALL_BLIND else people.call
        played = bool(rng.random() < frequency[CLASS_OF_HOLDING[hand]])
        decisions.append(PushFoldDecision(seat, Holding(int(hand)), played))
    return count_decisions(decisions)


def test_a_decision_gives_up_what_the_better_one_would_have_earned() -> None:
    values = pushfold_ev(*_equilibrium(10), stack=10)
    aces, deuce = parse_class("AA"), parse_class("72o")
    hand = {place: _holding(place) for place in (aces, deuce)}
    judged = _judge(
        count_decisions(
            [
                PushFoldDecision(Seat.SMALL_BLIND, hand[aces], False),
                PushFoldDecision(Seat.SMALL_BLIND, hand[deuce], False),
                PushFoldDecision(Seat.BIG_BLIND, hand[deuce], True),
            ]
        )
    )
    folded = values.push_ev[aces] - values.fold_ev_sb
    called = values.fold_ev_bb - values.call_ev[deuce]
    assert judged.small_blind.given_up.value == pytest.approx(folded / 2)
    assert judged.small_blind.lost[aces] == pytest.approx(folded)
    assert (judged.small_blind.mistakes, judged.small_blind.decisions) == (1, 2)
    assert judged.big_blind.given_up.value == pytest.approx(called)
    # The equilibrium wins what it is worth and what is given up; the big blind is not asked always.
    assert judged.small_blind.win.value == pytest.approx(folded / 2 - values.sb_value)
    asked = float(values.facing @ COMBINATIONS) / HOLDINGS
    assert judged.big_blind.win.value == pytest.approx(values.sb_value + asked * called, abs=1e-6)
    assert np.isnan(np.delete(judged.small_blind.frequency, [aces, deuce])).all()


def test_on_a_long_list_it_is_what_their_frequencies_come_to() -> None:
    rng = np.random.default_rng(5)
    people = Strategy(rng.random(169), rng.random(169))
    judged = _judge(_drawn(people, 60_000, rng))
    whole = match_up(_equilibrium(10), people, stack=10)
    for value, estimate in (
        (whole.small_blind, judged.big_blind.win),
        (whole.big_blind, judged.small_blind.win),
        (whole.mean, judged.mean),
    ):
        assert abs(estimate.value - value) < 4 * estimate.stderr
        assert estimate.stderr < 0.02


@pytest.mark.parametrize("count", [40, 160])
def test_short_lists_estimate_the_same_and_their_intervals_hold_it(count: int) -> None:
    """Classes that never came must not count as played half of the time, nor as certain."""
    rng = np.random.default_rng(7)
    solved = _equilibrium(10)
    people = Strategy(0.8 * solved.push + 0.1, 0.8 * solved.call + 0.1)
    truth = match_up(solved, people, stack=10).mean
    judged = [_judge(_drawn(people, count, rng)).mean for _ in range(150)]
    values = [each.value for each in judged]
    assert abs(np.mean(values) - truth) < 4 * np.std(values) / np.sqrt(len(values))
    held = sum(each.low <= truth <= each.high for each in judged)
    assert held >= 0.9 * len(judged)


@pytest.mark.parametrize("count", [80, 300])
def test_random_parts_of_the_sources_people(shared_data: Path, count: int) -> None:
    """All 5,123 give +0.064; 80 of them were once said to give +0.3077 (0.3062 to 0.3092)."""
    rows = read_decisions(shared_data / "pushfold_users" / "gameplay.csv")
    decisions = [row for row in rows if isinstance(row, PushFoldDecision)]
    truth = _judge(count_decisions(decisions)).mean.value
    assert truth == pytest.approx(0.0643, abs=1e-4)
    rng = np.random.default_rng(1)
    parts = [rng.choice(len(decisions), count, replace=False) for _ in range(150)]
    judged = [_judge(count_decisions(decisions[at] for at in part)).mean for part in parts]
    values = [each.value for each in judged]
    assert abs(np.mean(values) - truth) < 4 * np.std(values) / np.sqrt(len(values))
    held = sum(each.low <= truth <= each.high for each in judged)
    assert 0.9 * len(judged) <= held


def test_the_figures_of_the_whole_list(shared_data: Path) -> None:
    census = take_census(
        read_decisions(shared_data / "pushfold_users" / "gameplay.csv"), first=4993
    )
    people, solved = census.population, _equilibrium(10)
    # The source, section 3.2, with its sampled win chances: +0.040, +0.090, +0.065.
    whole = match_up(solved, Strategy(people.push, people.call), stack=10)
    assert whole.small_blind == pytest.approx(0.0458, abs=5e-5)
    assert whole.big_blind == pytest.approx(0.0827, abs=5e-5)
    assert whole.mean == pytest.approx(0.0643, abs=5e-5)
    # Section 3.3: 113 and 38 of 1,326 holdings.
    better = [COMBINATIONS[whole.opposite_is_better(seat)].sum() for seat in Seat]
    assert better == [112, 44]
    assert whole.opponent_values(Seat.BIG_BLIND).argmax() == parse_class("AA")
    judged = _judge(people)
    assert judged.mean.value == pytest.approx(whole.mean, abs=0.001)


def test_each_decision_is_judged_at_its_stack() -> None:
    hand = _holding(parse_class("K5o"))
    call = count_decisions([PushFoldDecision(Seat.BIG_BLIND, hand, True)] * 30)
    stacks = {5.0: call, 20.0: call}
    judged = judge_decisions(stacks, {stack: _equilibrium(stack) for stack in stacks})
    # K5o calls up to 10.2 big blinds.
    alone = {stack: _judge(call, stack).big_blind for stack in stacks}
    assert alone[5.0].mistakes == 0
    assert alone[20.0].mistakes == 30
    assert judged.big_blind.mistakes == 30
    assert judged.big_blind.given_up.value == pytest.approx(alone[20.0].given_up.value / 2)
    assert judged.big_blind.expected[parse_class("K5o")] == pytest.approx(0.5, abs=1e-3)
    assert judged.big_blind.win.value == pytest.approx(
        np.mean([each.win.value for each in alone.values()])
    )


def test_one_seat_alone_is_judged_and_nothing_said_of_the_other() -> None:
    hands = [Holding(hand) for hand in range(50)]
    judged = _judge(count_decisions(PushFoldDecision(Seat.SMALL_BLIND, h, True) for h in hands))
    assert np.isfinite(judged.small_blind.win.interval()).all()
    assert judged.big_blind.decisions == 0
    assert not np.isfinite(judged.big_blind.win.interval()).any()
    assert not np.isfinite(judged.mean.interval()).any()


def test_no_decision_is_nothing_usable() -> None:
    with pytest.raises(NothingUsable, match="no decision"):
        _judge(count_decisions([]))
