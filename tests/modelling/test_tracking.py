"""Weights from actions: the numbers of Papp 1998, chapter 7, and a table that is told of hands."""

from __future__ import annotations

from dataclasses import replace

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
    showdown,
    step,
    view,
)
from railbird.modelling import (
    ActionKind,
    Checks,
    Frequencies,
    Ranking,
    Sigma,
    ThresholdSpread,
    Tracker,
    board_values,
    income_rates,
)
from railbird.modelling.reweighting import (
    ANYTHING,
    OCTAVES,
    Belief,
    Side,
    chances,
    factors,
    field_scale,
    interpolated,
)
from railbird.modelling.settings import LOW
from railbird.odds import hand_rank, hand_strength, hand_strengths, potential
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


def test_a_lower_floor_leaves_weak_hands_less_and_strong_ones_all() -> None:
    usual, low = (Tracker(specific=False, floor=floor) for floor in (LOW, 1e-4))
    for tracker in (usual, low):
        seen(tracker, *OPENING)
    before, after = usual.weights(Seat(0)), low.weights(Seat(0))
    assert after[HOLES[0]] == before[HOLES[0]] == 1
    assert after[HOLES[1]] == pytest.approx(1e-4)
    assert (after <= before).all()
    assert after.min() == pytest.approx(1e-4)


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
    assert tracker.habits(Seat(1)).of(Street.PREFLOP, 0)[ActionKind.RAISE] == 1
    assert tracker.habits(Seat(0)).of(Street.PREFLOP, 0)[ActionKind.RAISE] == 0.5


def test_observations_replace_the_defaults_over_twenty() -> None:
    habits = Frequencies()
    for seen_so_far in range(1, 31):
        habits.count(Street.FLOP, 2, ActionKind.FOLD)
        weight = min(seen_so_far / 20, 1)
        assert habits.of(Street.FLOP, 2)[ActionKind.FOLD] == pytest.approx(
            weight + (1 - weight) * 0.7
        )
    assert habits.of(Street.PREFLOP, 2) == (0.7, 0.2, 0.1)


def test_income_rates_rank_aces_first_and_preflop_evidence_by_them() -> None:
    """The 30 % quantile of the 1,326 hands is near the source's +118 above a fold of it."""
    rates = income_rates(6)
    assert rates[parse_class("AA")] == pytest.approx(2043, abs=10)  # published: 2043
    by_holding = rates[CLASS_OF_HOLDING]
    assert np.quantile(by_holding, 0.70) == pytest.approx(118, abs=15)
    assert np.quantile(by_holding, 0.05) == pytest.approx(-433, abs=15)


HOLES_OF_A_MANIAC = (parse_holding("7c2d"), parse_holding("AsAd"))


def dealt(tracker: Tracker, *events: Act | DealBoard) -> None:
    """A hand of a maniac to its showdown, told to seat 1."""
    state = step(initial(RULES), DealHoles(HOLES_OF_A_MANIAC))
    tracker.begin(view(state, Seat(1)))
    for event in events:
        state = step(state, event)
        tracker.observe(view(state, Seat(1)), event)
    for shown in showdown(state):
        state = step(state, shown)
        tracker.observe(view(state, Seat(1)), shown)
    tracker.end(view(state, Seat(1)))


BET = (Act(Seat(0), Raise(Chips(10))), Act(Seat(1), Call()))
CHECKED = (Act(Seat(0), Call()), Act(Seat(1), Call()))
BIG_BET = (Act(Seat(0), Raise(Chips(20))), Act(Seat(1), Call()))
TO_SHOWDOWN = (
    *OPENING,
    DealBoard(FLOP),
    *BET,
    DealBoard(parse_cards("2s")),
    *BIG_BET,
    DealBoard(parse_cards("9d")),
    *BIG_BET,
)


def test_by_the_field_holdings_are_ranked_against_what_their_opponents_may_hold() -> None:
    """Papp 1998, section 7.2.4: the array of whoever watches is part of the field as well."""
    tracker = Tracker(specific=False, ranking=Ranking.FIELD)
    board = tuple(sorted(FLOP))
    seen(tracker, *OPENING, DealBoard(FLOP), BET[0])
    (_, bet) = tracker.learned()
    own = tracker.field((Seat(1),))
    assert bet.evidence.scale is not None
    for text in ("AdQc", "JsTs", "8h7h"):
        holding = parse_holding(text)
        strength = hand_strength(holding, board, weights=own)
        potential_of = board_values(board).potential[holding]
        assert bet.evidence.scale.values[holding] == pytest.approx(
            strength + (1 - strength) * potential_of
        )
    plain = Tracker(specific=False, ranking=Ranking.ANYTHING)
    seen(plain, *OPENING, DealBoard(FLOP), BET[0])
    assert not np.array_equal(tracker.weights(Seat(0)), plain.weights(Seat(0)))


def test_values_by_the_field_are_those_of_the_slow_way() -> None:
    """Strength against the mean of the opponents' chances, and the crude potential."""
    board, rng = tuple(sorted(FLOP)), np.random.default_rng(5)
    beliefs = tuple(Belief(rng.random(1326)) for _ in range(3))
    shown = [np.where(board_values(board).strength > 0, each.weights, 0.0) for each in beliefs]
    field = np.mean([weights / weights.sum() for weights in shown], axis=0)
    strength = np.nan_to_num(hand_strengths(board, weights=field))
    potential_of = board_values(board).potential
    slow = strength + (1 - strength) * potential_of
    assert field_scale(beliefs, board).values == pytest.approx(slow, abs=1e-12)


def test_trackers_that_saw_the_same_share_their_arrays() -> None:
    trackers = [Tracker(specific=False, ranking=ranking) for ranking in Ranking for _ in "ab"]
    for tracker in trackers:
        seen(tracker, *TO_SHOWDOWN[:6])
    a, b, c, d = (tracker.weights(Seat(0)) for tracker in trackers)
    assert a is b
    assert c is d
    assert a is not c


def test_inverse_evidence_is_the_mirror_of_a_bet_until_the_player_does_more() -> None:
    tracker = Tracker(specific=False, ranking=Ranking.ANYTHING, checks=Checks.INVERSE)
    seen(tracker, *OPENING, DealBoard(FLOP))
    before = tracker.weights(Seat(0))
    seen(tracker, *OPENING, DealBoard(FLOP), CHECKED[0])
    after = tracker.weights(Seat(0))
    strong, weak = parse_holding("JsJd"), parse_holding("9c8c")
    assert after[strong] == pytest.approx(LOW)
    assert after[weak] == before[weak]
    (_, check) = tracker.learned()
    assert check.evidence.side is Side.BELOW
    assert check.evidence.pot_odds == 1
    bet = factors(replace(check.evidence, side=Side.ABOVE))
    assert factors(check.evidence) + bet == pytest.approx(np.full(1326, 1 + LOW))
    answers = (Act(Seat(1), Raise(Chips(10))), Act(Seat(0), Call()))
    seen(tracker, *OPENING, DealBoard(FLOP), CHECKED[0], *answers)
    caught = tracker.weights(Seat(0))
    plain = Tracker(specific=False, ranking=Ranking.ANYTHING)
    seen(plain, *OPENING, DealBoard(FLOP), CHECKED[0], *answers)
    assert caught is plain.weights(Seat(0))


def test_a_blind_that_checks_teaches_nothing() -> None:
    tracker = Tracker(specific=False, checks=Checks.INVERSE)
    seen(tracker, Act(Seat(1), Call()), Act(Seat(0), Call()))
    assert tracker.weights(Seat(0)).min() == 1


def test_shown_hands_far_below_the_thresholds_widen_the_spread() -> None:
    """Seat 0 raises and bets every street with seven and deuce, and has to show."""
    tracker = Tracker(specific=False, sigma=Sigma.LEARNED)
    assert tracker.spreads(Seat(1)).of(postflop=True) == 1
    for _ in range(10):
        dealt(tracker, *TO_SHOWDOWN)
    wild, sound = tracker.spreads(Seat(0)), tracker.spreads(Seat(1))
    assert wild.of(postflop=True) > 1.5
    assert wild.of(postflop=False) > 1.5
    assert sound.of(postflop=False) < 1
    fixed = Tracker(specific=False)
    seen(fixed, *TO_SHOWDOWN[:5])
    seen(tracker, *TO_SHOWDOWN[:5])
    held = HOLES_OF_A_MANIAC[0]
    assert tracker.weights(Seat(0))[held] > fixed.weights(Seat(0))[held]


def test_the_evidence_of_a_shown_hand_is_its_chance_by_spread() -> None:
    tracker = Tracker(specific=False, sigma=Sigma.LEARNED)
    seen(tracker, *OPENING)
    (evidence,) = [each.evidence for each in tracker.learned()]
    logs = chances(ANYTHING, evidence, HOLES[0])
    usual = factors(evidence)
    assert logs[len(OCTAVES) // 2] == pytest.approx(np.log(usual[HOLES[0]] / usual.sum()))
    spreads = ThresholdSpread()
    spreads.show(ANYTHING, evidence, HOLES[0])
    spreads.show(ANYTHING, evidence, HOLES[1])
    assert ThresholdSpread(spreads.evidence).of(postflop=False) == spreads.of(postflop=False) > 1
    assert spreads.of(postflop=True) == 1
