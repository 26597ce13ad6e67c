"""Reported hands: one call of a kernel against the same, step by step in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from helpers.random_hands import random_action, random_cards, random_rules
from railbird.cards import Card, Holding, parse_cards, parse_holding
from railbird.errors import BadInput, DuplicateCard, IllegalAction
from railbird.game import (
    BOARD_CARDS,
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Action,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    initial,
    legal,
    no_limit_holdem,
    replay,
    step,
)
from railbird.game.actions import betting_action
from railbird.game.reported import (
    CALL,
    CHECK_IF_OPEN,
    FOLD,
    FOLD_IF_ABLE,
    NEXT_STREET,
    NOT_STATED,
    PUT_IN,
    RAISE,
    replay_reported,
)
from railbird.units import Chips

Report = list[int]
NOTHING = (NOT_STATED, NOT_STATED)


def row_of(rng: np.random.Generator, state: HandState, action: Action) -> Report:
    """One of the ways in which a text may say an action."""
    assert state.actor is not None
    seat, already = state.actor, state.street_bets[state.actor]
    match betting_action(action):
        case Fold():
            return [seat, int(rng.choice([FOLD, FOLD_IF_ABLE])), *NOTHING]
        case Call():
            kind = int(rng.choice([CALL, PUT_IN, CHECK_IF_OPEN]))
            amount = NOT_STATED if rng.random() < 0.3 and kind == CALL else int(state.to_call)
            return [seat, kind, amount, NOT_STATED]
        case Raise(to):
            if rng.random() < 0.3:
                return [seat, PUT_IN, to - already, NOT_STATED]
            by = int(rng.choice([to - state.bet, to - already, to, NOT_STATED]))
            return [
                seat,
                RAISE,
                by,
                to if by != to - state.bet or rng.random() < 0.5 else NOT_STATED,
            ]


def random_report(
    rng: np.random.Generator, rules: Rules
) -> tuple[tuple[Holding, ...], tuple[Card, ...], Report, list[Action]]:
    holes, board = random_cards(rng, rules.seats)
    state = step(initial(rules), DealHoles(holes))
    report: Report = []
    actions: list[Action] = []
    while state.phase in (Phase.BETTING, Phase.DEAL_BOARD):
        if state.phase is Phase.DEAL_BOARD:
            due = slice(BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1])
            state = step(state, DealBoard(board[due]))
            report += NEXT_STREET
        else:
            actions.append(random_action(rng, legal(state)))
            report += row_of(rng, state, actions[-1])
            assert state.actor is not None
            state = step(state, Act(state.actor, actions[-1]))
    return holes, state.board, report, actions


def slow_actions(
    rules: Rules, holes: Sequence[Holding | None], board: Sequence[Card], report: Report
) -> tuple[Action, ...]:
    """The same by the definitions, one event after the other."""
    state = step(initial(rules), DealHoles(tuple(holes)))
    actions: list[Action] = []
    for place in range(0, len(report), 4):
        seat, kind, *amounts = report[place : place + 4]
        if kind == NEXT_STREET[1]:
            if state.phase is not Phase.DEAL_BOARD:
                raise BadInput("no cards are due")
            due = slice(BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1])
            state = step(state, DealBoard(tuple(board[due])))
        elif not is_passed_over(state, seat, kind):
            if state.actor != seat:
                raise IllegalAction("out of turn")
            actions.append(slow_action(state, kind, *amounts))
            state = step(state, Act(state.actor, actions[-1]))
    if len(state.board) < len(board):
        raise BadInput("cards left")
    return tuple(actions)


def is_passed_over(state: HandState, seat: int, kind: int) -> bool:
    stacks = state.stacks
    all_in = seat in state.in_hand and stacks is not None and stacks[seat] == 0
    no_turn = state.phase is not Phase.BETTING
    return (kind == CHECK_IF_OPEN and no_turn) or (kind == FOLD_IF_ABLE and all_in)


def slow_action(state: HandState, kind: int, amount: int, to: int) -> Action:
    assert state.actor is not None
    already = state.street_bets[state.actor]
    if kind in (FOLD, FOLD_IF_ABLE):
        return Fold()
    if kind == RAISE:
        goal = state.bet + amount if to == NOT_STATED else to
        if amount not in (NOT_STATED, goal - state.bet, goal - already, goal):
            raise IllegalAction("another raise")
        return Raise(Chips(goal))
    if kind == PUT_IN and amount > state.to_call:
        return Raise(Chips(already + amount))
    if amount not in (NOT_STATED, state.to_call):
        raise IllegalAction("another call")
    return Call()


@pytest.mark.parametrize("seed", range(60))
def test_a_report_replays_as_its_actions_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    holes, board, report, actions = random_report(rng, rules)
    state, found = replay_reported(rules, holes, board, report)
    assert found == tuple(actions)
    assert state == replay(rules, holes, board, actions)


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_report_is_judged_as_step_by_step(seed: int) -> None:
    """Numbers changed, rows dropped and doubled: the same actions come out, or the same refusal."""
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    holes, board, report, _ = random_report(rng, rules)
    place = 4 * int(rng.integers(len(report) // 4))
    match rng.integers(4):
        case 0:
            del report[place : place + 4]
        case 1:
            report[place:place] = report[place : place + 4]
        case 2:
            report[place + int(rng.integers(2, 4))] += int(rng.choice([-1, 1, 7]))
        case _:
            seat = int(rng.integers(rules.seats))
            kind = int(rng.choice([CALL, CHECK_IF_OPEN, FOLD, FOLD_IF_ABLE, PUT_IN]))
            report[place : place + 4] = [seat, kind, 0, NOT_STATED]
    assert outcome(slow_actions, rules, holes, board, report) == outcome(
        lambda *hand: replay_reported(*hand)[1], rules, holes, board, report
    )


def outcome(replayed: Callable[..., tuple[Action, ...]], *hand: object) -> object:
    try:
        return replayed(*hand)
    except IllegalAction:
        return "illegal"
    except BadInput:
        return "wrong board"


FLOP = parse_cards("2c3d4h")


@pytest.mark.parametrize(
    ("board", "report", "message"),
    [
        ((), [0, FOLD, *NOTHING], "Ann folds out of turn"),
        ((), [1, CALL, 60, NOT_STATED], "Bo calls 60 where 50 is due"),
        ((), [1, CALL, 0, NOT_STATED], "Bo checks where 50 is due"),
        ((), [1, PUT_IN, 20, NOT_STATED], "Bo puts in 20 where 50 is due"),
        ((), [1, RAISE, 110, 200], "Bo raises by 110 from 100 to 200"),
        ((), [1, RAISE, NOT_STATED, 150], "action 0: seat 1 cannot raise to 150: legal 200"),
        (
            (),
            [1, CALL, 50, NOT_STATED, 0, RAISE, NOT_STATED, 0],
            "action 1: seat 0 cannot raise to 0",
        ),
        ((), [1, PUT_IN, 1 << 70, NOT_STATED], "an amount beyond all chips"),
        (FLOP, [*NEXT_STREET], "cards after action 0 are not due"),
        (FLOP, [1, CALL, 50, NOT_STATED], "cards after action 1 are not due"),
        (FLOP[:1], [], "2 holdings and 1 board cards; allowed: 2 holdings and"),
    ],
)
def test_what_is_wrong_is_said(board: tuple[Card, ...], report: Report, message: str) -> None:
    with pytest.raises(BadInput, match=re.escape(message)):
        replay_reported(HEADS_UP_NO_LIMIT, (None, None), board, report, ("Ann", "Bo"))


def test_cards_that_come_twice() -> None:
    holes = (parse_holding("2c2d"), None)
    report = [1, CALL, 5, NOT_STATED, 0, CALL, 0, NOT_STATED, *NEXT_STREET]
    with pytest.raises(DuplicateCard):
        replay_reported(HEADS_UP_LIMIT, holes, FLOP, report)


def test_absent_players_fold_even_when_all_in() -> None:
    rules = no_limit_holdem(3, blinds=(50, 100), stack=(1000, 60, 1000))
    report = [2, CALL, 100, NOT_STATED, 0, CALL, 50, NOT_STATED, 1, FOLD_IF_ABLE, *NOTHING]
    state, actions = replay_reported(rules, (None,) * 3, FLOP, [*report, *NEXT_STREET])
    assert actions == (Call(), Call())
    assert state.in_hand == (0, 1, 2)
    with pytest.raises(IllegalAction, match="seat 1 folds out of turn"):
        replay_reported(rules, (None,) * 3, (), [*report[:9], FOLD, *NOTHING])
