"""Weights from actions: the numbers of Papp 1998, chapter 6, and a table that is told of hands."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, parse_cards, parse_class, parse_holding
from railbird.game import (
    Act,
    Call,
    DealBoard,
    DealHoles,
    Raise,
    Street,
    View,
    acpc_rules,
    initial,
    limit_holdem,
    step,
    view,
)
from railbird.modelling import Frequencies, Habit, Tracker, board_values, income_rates
from railbird.modelling.tracker import LOW, interpolated
from railbird.odds import hand_rank, potential
from railbird.units import Chips, Seat

RULES = acpc_rules(limit_holdem(2))
HOLES = (parse_holding("AsAd"), parse_holding("7c2d"))
FLOP = parse_cards("3h4cJh")


def seen(tracker: Tracker, *events: Act | DealBoard) -> View:
    state = step(initial(RULES), DealHoles(HOLES))
    tracker.begin(view(state, Seat(1)))
    for event in events:
        state = step(state, event)
        tracker.observe(view(state, Seat(1)), event)
    return view(state, Seat(1))


OPENING = (Act(Seat(1), Call()), Act(Seat(0), Raise(Chips(20))), Act(Seat(1), Call()))


def test_board_values_are_the_strength_and_near_the_potential() -> None:
    values = board_values(tuple(sorted(FLOP)))
    for text in ("AdQc", "8h7h", "JsJd", "5s6s"):
        holding = parse_holding(text)
        assert values.strength[holding] == pytest.approx(hand_rank(holding, FLOP).ihr, abs=1e-6)
        exact = potential(holding, FLOP, to_come=1).ppot
        assert values.potential[holding] == pytest.approx(exact, abs=0.06)
    assert values.ehs[parse_holding("3hAs")] == 0
    river = board_values(tuple(sorted((*FLOP, *parse_cards("2s9d")))))
    assert river.gain.max() == 0


def test_the_factor_function_keeps_its_area() -> None:
    """A raise with the share f of hands lets through about f of them, wherever the mean lies."""
    grid = np.linspace(0, 1, 10_001)
    for mean in (0.3, 0.5, 0.8, 0.9):
        factors = interpolated(grid, mean, 0.4 * (1 - mean), least=0.0)
        assert factors.mean() == pytest.approx(1 - mean, abs=0.012)
        assert factors.min() >= LOW
        assert factors.max() == 1


def test_a_raise_takes_weight_from_weak_hands_and_a_check_from_none() -> None:
    tracker = Tracker(specific=False)
    seen(tracker, Act(Seat(1), Call()), Act(Seat(0), Call()))
    assert tracker.weights(Seat(0)).min() == 1
    seen(tracker, *OPENING)
    weights = tracker.weights(Seat(0))
    assert weights[HOLES[0]] == 1
    assert weights[HOLES[1]] == pytest.approx(LOW)
    (learned,) = tracker.learned()
    assert learned.act == OPENING[1]
    assert np.array_equal(learned.after, weights)


def test_a_street_counts_once_by_its_highest_threshold() -> None:
    tracker = Tracker(specific=False)
    flop = DealBoard(FLOP)
    bet, raised = Act(Seat(0), Raise(Chips(10))), Act(Seat(1), Raise(Chips(20)))
    seen(tracker, *OPENING, flop, bet)
    once = tracker.weights(Seat(0))
    seen(tracker, *OPENING, flop, bet, raised, Act(Seat(0), Call()))
    assert np.array_equal(tracker.weights(Seat(0)), once)
    assert len(tracker.learned()) == 3
    assert once[parse_holding("3hAs")] == 0
    assert once[parse_holding("JsJd")] > once[parse_holding("9c8c")]


def test_habits_follow_a_person_to_another_seat() -> None:
    tracker = Tracker(specific=True)
    for _ in range(30):
        tracker.meet((7, 8))
        seen(tracker, *OPENING)
    tracker.meet((8, 7))
    seen(tracker)
    assert tracker.habits(Seat(1)).of(Street.PREFLOP, 0)[Habit.RAISE] == 1
    assert tracker.habits(Seat(0)).of(Street.PREFLOP, 0)[Habit.RAISE] == 0.5


def test_observations_replace_the_defaults_over_twenty() -> None:
    habits = Frequencies()
    for seen_so_far in range(1, 31):
        habits.count(Street.FLOP, 2, Habit.FOLD)
        weight = min(seen_so_far / 20, 1)
        assert habits.of(Street.FLOP, 2)[Habit.FOLD] == pytest.approx(weight + (1 - weight) * 0.7)
    assert habits.of(Street.PREFLOP, 2) == (0.7, 0.2, 0.1)


def test_income_rates_rank_aces_first_and_preflop_lessons_by_them() -> None:
    """The 30 % quantile of the 1,326 hands is near the source's +118 above a fold of it."""
    rates = income_rates(6)
    assert rates[parse_class("AA")] == pytest.approx(2043, abs=10)  # published: 2043
    by_holding = rates[CLASS_OF_HOLDING]
    assert np.quantile(by_holding, 0.70) == pytest.approx(118, abs=15)
    assert np.quantile(by_holding, 0.05) == pytest.approx(-433, abs=15)
