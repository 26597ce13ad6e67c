"""Decision-by-decision values: identities, and the readable form beside the compiled one."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from helpers.random_hands import random_cards, random_rules
from helpers.random_records import random_table_hand
from railbird.assessment.decision_divat.scorer import HandValues, position_of, values_of
from railbird.assessment.decision_divat.settings import (
    CALL_DOWN,
    LIMIT,
    NO_LIMIT,
    ValuePolicy,
    baseline_for,
)
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Action,
    Betting,
    DealBoard,
    DealHoles,
    HandState,
    Phase,
    Rules,
    initial,
    no_limit_holdem,
    payoffs,
    replay,
    step,
)
from railbird.histories import HandRecord
from railbird.histories.columns import HandBatch, batch_of
from twins.slow_decision_divat import choice, value

ODD = replace(NO_LIMIT, name="odd", gamma=0.3, offset=(0.1,) * 4, fold_multiplier=(1.2, 0.5, 2, 1))
POLICIES = (CALL_DOWN, LIMIT, NO_LIMIT, ODD)


def hands_of(seed: int, count: int) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    return [random_table_hand(rng, all_cards=True) for _ in range(count)]


def by_hand(batch: HandBatch, values: HandValues) -> np.ndarray:
    total = np.zeros(batch.player.shape)
    np.add.at(total, batch.hand_of, values.decisions)
    return total


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_money_is_deal_and_luck_and_decisions(policy: ValuePolicy) -> None:
    batch = batch_of(hands_of(1, 250))
    values = values_of(batch, policy, boards=8)
    money = values.deal + values.luck.sum(axis=1) + by_hand(batch, values)
    scale = np.abs(batch.chips).max()
    assert np.abs(money - batch.chips).max() < 1e-9 * scale
    assert np.abs(values.decisions.sum(axis=1)).max() < 1e-9 * scale
    assert np.abs(values.luck.sum(axis=2)).max() < 1e-9 * scale


def states_of(record: HandRecord) -> list[HandState]:
    """The states in which somebody acted."""
    return [
        replay(record.rules, record.holes, record.board[:cards], record.actions[:i])
        for i in range(len(record.actions))
        for cards in (_dealt_before(record, i),)
    ]


def _dealt_before(record: HandRecord, action: int) -> int:
    batch = batch_of([record])
    return (0, 3, 4, 5)[batch.answers.street[action]]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_changes_on_turn_and_river_are_those_of_the_readable_form(policy: ValuePolicy) -> None:
    compared = 0
    for record in hands_of(2, 120):
        batch = batch_of([record])
        late = np.flatnonzero(batch.answers.street >= 2)
        values = values_of(batch, policy, boards=2)
        states = [*states_of(record), None]
        for i in late.tolist():
            before, action = states[i], record.actions[i]
            assert before is not None
            after = step(before, Act(before.actor, action))  # type: ignore[arg-type]
            agreed = action == choice(before, policy)
            expected = np.zeros(record.rules.seats)
            if not agreed:
                change = zip(value(after, policy), value(before, policy), strict=True)
                expected = np.array([float(new - old) for new, old in change])
            said = values.decisions[i, : record.rules.seats]
            assert said == pytest.approx(expected, abs=1e-7), (record, i)
            assert agreed == (not said.any() and not expected.any()) or not agreed
            compared += not agreed
    assert compared > 40


@pytest.mark.slow
def test_a_flop_is_the_mean_over_all_turns_and_rivers() -> None:
    batch = batch_of(hands_of(5, 200))
    of_three = batch.seats[batch.hand_of] == 3
    chosen = batch.hand_of[of_three & (batch.answers.street == 1)][0]
    record = hands_of(5, 200)[chosen]
    batch = batch_of([record])
    first = int(np.flatnonzero(batch.answers.street >= 1)[0])
    state = states_of(record)[first]
    policy = baseline_for(record.rules)
    values = values_of(batch, policy, boards=4)
    preflop = values.decisions[:first].sum(axis=0)
    said = values.deal[0] + preflop + values.luck[0, 0]
    assert said == pytest.approx([float(v) for v in value(state, policy)], abs=1e-6)


def played_by(policy: ValuePolicy, rules: Rules, seed: int) -> HandRecord:
    """A hand in which everybody does what the policy says."""
    holes, board = random_cards(np.random.default_rng(seed), rules.seats)
    state = step(initial(rules), DealHoles(holes))
    actions: list[Action] = []
    while state.phase in (Phase.BETTING, Phase.DEAL_BOARD):
        if state.phase is Phase.DEAL_BOARD:
            size = len(state.board)
            state = step(state, DealBoard(board[size : max(size + 1, 3)]))
            continue
        actions.append(choice(state, policy))
        assert state.actor is not None
        state = step(state, Act(state.actor, actions[-1]))
    return HandRecord(
        rules=rules,
        players=tuple(f"P{seat}" for seat in range(rules.seats)),
        holes=holes,
        board=state.board,
        actions=tuple(actions),
        payoffs=payoffs(replay(rules, holes, state.board, actions)),
    )


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_who_plays_the_policy_changes_nothing(policy: ValuePolicy) -> None:
    rng = np.random.default_rng(3)
    rules = [random_rules(rng) for _ in range(60)]
    records = [played_by(policy, each, seed) for seed, each in enumerate(rules)]
    values = values_of(batch_of(records), policy, boards=4)
    assert not values.decisions.any()


def test_a_batch_may_be_cut_anywhere() -> None:
    batch = batch_of(hands_of(7, 40))
    whole = values_of(batch, NO_LIMIT, boards=8)
    cut = batch.rows(np.arange(13, 40))
    rest = values_of(cut, NO_LIMIT, boards=8, first=13)
    assert np.array_equal(rest.deal, whole.deal[13:, : rest.deal.shape[1]])
    assert np.array_equal(rest.decisions, whole.decisions[batch.start[13] :])


def test_positions_are_a_zero_sum_game_and_symmetric_to_calls() -> None:
    """If everybody calls, nobody's seat is worth anything; the baseline plays the button better."""
    three = no_limit_holdem(3, blinds=(10, 20), stack=2000)
    calls = position_of(three, CALL_DOWN, deals=20_000)
    error = np.sqrt(np.diag(calls.covariance))
    assert np.abs(calls.mean / error).max() < 4
    played = position_of(three, NO_LIMIT, deals=20_000)
    assert played.mean.sum() == pytest.approx(0, abs=1e-9)
    assert played.mean[2] > 4 * np.sqrt(played.covariance[2, 2])


def test_the_deal_is_worth_its_position_on_average() -> None:
    for rules in (HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT):
        policy = baseline_for(rules)
        records = [played_by(policy, rules, seed) for seed in range(600)]
        deal = values_of(batch_of(records), policy, boards=32).deal[:, 0]
        position = position_of(rules, policy, deals=50_000)
        error = np.hypot(deal.std() / len(deal) ** 0.5, position.covariance[0, 0] ** 0.5)
        assert abs(deal.mean() - position.mean[0]) < 4 * error


def test_the_baseline_goes_by_the_betting() -> None:
    assert baseline_for(HEADS_UP_LIMIT) is LIMIT
    assert baseline_for(HEADS_UP_NO_LIMIT) is NO_LIMIT
    assert HEADS_UP_LIMIT.betting is Betting.LIMIT
    assert all(a <= b for make in NO_LIMIT.make for a, b in pairwise(make))
