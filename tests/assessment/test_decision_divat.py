"""Decision-by-decision values: identities, and the readable form beside the compiled one."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from helpers.random_hands import random_cards, random_rules
from helpers.random_records import random_table_hand
from railbird.assessment.divat import any_game as hand
from railbird.assessment.divat.any_game import (
    CALL_DOWN,
    LIMIT,
    NO_LIMIT,
    HandValueChanges,
    TableHandScore,
    ValuePolicy,
    baseline_for,
    position_of,
    score_table_hand,
    values_of,
)
from railbird.baseline import SizedBy, parse_settings
from railbird.cards import parse_holding
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Action,
    ActionName,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    Street,
    initial,
    no_limit_holdem,
    payoffs,
    replay,
    step,
)
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import HandBatch, batch_of
from railbird.units import Chips
from twins.slow_divat import choice, value

ODD = replace(NO_LIMIT, name="odd", gamma=0.3, offset=(0.1,) * 4, fold_multiplier=(1.2, 0.5, 2, 1))
MENU = replace(NO_LIMIT, name="menu", sizes=(0.5, 1, 2, math.inf))
BY_BET = replace(MENU, name="menu by bet", sized_by=SizedBy.BET)
BY_BETS_OWED = replace(LIMIT, name="by bets owed", folds=(0.3, 0.5, 0.6, 0.7))
POLICIES = (CALL_DOWN, LIMIT, NO_LIMIT, ODD, MENU, BY_BET, BY_BETS_OWED)


def hands_of(seed: int, count: int) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    return [random_table_hand(rng, all_cards=True) for _ in range(count)]


def by_hand(batch: HandBatch, values: HandValueChanges) -> np.ndarray:
    total = np.zeros(batch.player.shape)
    np.add.at(total, batch.hand_of, values.decisions)
    return total


@pytest.mark.slow(but=["call-down"])
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


@pytest.mark.slow(but=["call-down"])
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


@pytest.mark.slow(only=["limit"])
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


@pytest.mark.slow
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


def test_sizes_and_thresholds_of_chapter_6_are_for_their_own_betting() -> None:
    menu, counted = parse_settings("sizes-by-bet=0.5/1/2/all-in"), parse_settings("folds=0.4")
    assert baseline_for(HEADS_UP_NO_LIMIT, menu) == replace(BY_BET, name=menu.name)
    assert baseline_for(HEADS_UP_LIMIT, counted).folds == (0.4,) * 4
    with pytest.raises(BadInput, match="in limit a raise has one size"):
        baseline_for(HEADS_UP_LIMIT, menu)
    with pytest.raises(BadInput, match="counts bets of limit"):
        baseline_for(HEADS_UP_NO_LIMIT, counted)


def test_a_hand_that_is_worth_four_bets_goes_all_in_by_the_menu() -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=20_000)
    state = step(initial(rules), DealHoles((parse_holding("7c2d"), parse_holding("AsAh"))))
    assert choice(state, MENU) == Raise(Chips(20_000))
    assert choice(state, BY_BET) == Raise(Chips(100 + 200))  # its second bet: a pot after the call


# One hand of any hold'em in full: the account adds up, and its standard errors are honest.


LINE = (
    "STATE:7:ffr300fcf/cr800c/cc/cc:AsAd|KcQc|2d2c|3d3c|9s8s|7h7c/2h3h4h/Ts/Js:"
    "900|-100|0|0|-800|0:Ann|Bob|Cy|Di|Ed|Flo"
)
SIX = "holdem.nolimit.6p.game,stack=10000"


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Position is sampled for a second else, for each of the random rules."""
    monkeypatch.setattr(hand, "POSITION_DEALS", 2_000)


def hands(seed: int, count: int) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    return [random_table_hand(rng, all_cards=True) for _ in range(count)]


def scored(record: HandRecord, *, boards: int = 200, seed: int = 0) -> TableHandScore:
    return score_table_hand(record, boards=boards, seed=seed)


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_the_account_of_every_seat_adds_up_to_the_money() -> None:
    for record in hands(3, 12):
        score = scored(record)
        scale = max(1.0, *(abs(amount) for amount in score.money))
        for seat in range(record.rules.seats):
            parts = (score.position.value, score.luck.value, score.decisions.value)
            total = sum(part[seat] for part in parts) - score.rake[seat]
            assert total == pytest.approx(score.money[seat], abs=1e-9 * scale)
            by_street = sum(row.luck.value[seat] for row in score.rounds)
            assert by_street == pytest.approx(score.luck.value[seat], abs=1e-9 * scale)
            by_action = sum(d.delta.value[seat] for row in score.rounds for d in row.decisions)
            assert by_action == pytest.approx(score.decisions.value[seat], abs=1e-9 * scale)


@pytest.mark.usefixtures("few_deals")
def test_every_decision_has_the_baseline_of_the_readable_form() -> None:
    compared = 0
    for record in hands(4, 25):
        score = scored(record, boards=1)
        answers, policy = batch_of([record]).answers, baseline_for(record.rules)
        decisions = [each for row in score.rounds for each in row.decisions]
        assert len(decisions) == len(record.actions)
        unit = record.rules.chips_per_unit
        for i, each in enumerate(decisions):
            if answers.street[i] < Street.TURN:
                continue
            dealt = (0, 3, 4, 5)[answers.street[i]]
            state = replay(record.rules, record.holes, record.board[:dealt], record.actions[:i])
            match choice(state, policy):
                case Fold():
                    assert each.baseline.name is ActionName.FOLD
                case Call():
                    assert each.baseline.name in (ActionName.CALL, ActionName.CHECK)
                case Raise(to):
                    assert each.baseline.name.is_aggressive
                    assert each.baseline.amount * unit == pytest.approx(to)
            compared += 1
    assert compared > 20


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_standard_errors_are_the_spread_of_other_seeds() -> None:
    record = read_hand(LINE, game=SIX)
    several = [scored(record, boards=500, seed=seed) for seed in range(40)]
    said = np.array([each.decisions.stderr for each in several])
    spread = np.array([each.decisions.value for each in several]).std(axis=0, ddof=1)
    moved = spread > 1e-6
    assert moved.any()
    ratios = spread[moved] / np.sqrt((said**2).mean(axis=0))[moved]
    assert np.all((ratios > 0.6) & (ratios < 1.6)), ratios


@pytest.mark.usefixtures("few_deals")
def test_what_happens_after_the_flop_is_exact() -> None:
    score = scored(read_hand(LINE, game=SIX))
    preflop, *later = score.rounds
    assert any(preflop.luck.stderr)
    assert any(any(each.delta.stderr) for each in preflop.decisions if not each.agrees)
    assert not any(any(each.delta.stderr) for row in later for each in row.decisions)
    assert not any(any(row.luck.stderr) for row in later[1:])


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_agreement_changes_nothing_and_changes_add_up_to_nothing() -> None:
    seen = 0
    for record in hands(5, 15):
        for row in scored(record, boards=50).rounds:
            for each in row.decisions:
                if each.agrees:
                    assert not any(each.delta.value)
                    seen += 1
                assert math.fsum(each.delta.value) == pytest.approx(0, abs=1e-6)
    assert seen > 10


@pytest.mark.usefixtures("few_deals")
def test_several_settings_are_averaged() -> None:
    record = read_hand(LINE, game=SIX)
    settings = [parse_settings("standard"), parse_settings("loose-high")]
    one, two = (scored(record).decisions.value, score_table_hand(record, settings[1], boards=200))
    both = score_table_hand(record, settings, boards=200)
    mean = [(a + b) / 2 for a, b in zip(one, two.decisions.value, strict=True)]
    assert both.decisions.value == pytest.approx(mean)
    assert both.settings == "standard+loose-high"


@pytest.mark.usefixtures("few_deals")
def test_hidden_cards_are_refused_by_name() -> None:
    record = read_hand(LINE, game=SIX)
    hidden = replace(record, holes=(*record.holes[:5], None))
    with pytest.raises(BadInput, match=record.players[5]):
        scored(hidden)


@pytest.mark.usefixtures("few_deals")
def test_settings_without_a_meaning_here_are_refused() -> None:
    record = read_hand(LINE, game=SIX)
    with pytest.raises(BadInput, match="heads-up limit alone"):
        score_table_hand(record, "standard,pot=facing-bet", boards=10)
