"""Hands as short texts: ``c`` calls or checks, ``f`` folds, ``r150`` raises to 150."""

from __future__ import annotations

from railbird.cards import parse_cards, parse_holding
from railbird.game import (
    BOARD_CARDS,
    Action,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    act,
    initial,
    step,
)
from railbird.units import Chips


def action_of(word: str) -> Action:
    match word[0]:
        case "f":
            return Fold()
        case "c":
            return Call()
        case _:
            return Raise(Chips(int(word[1:])))


def played(
    rules: Rules, script: str = "", *, holes: str = "", board: str = "2c 7d 9h Js 4c"
) -> HandState:
    """The state after a script; holes such as ``AsKd 7c7h`` by seat, a dash where unknown."""
    texts = holes.split() or ["-"] * rules.seats
    held = tuple(None if text == "-" else parse_holding(text) for text in texts)
    state = dealt(step(initial(rules), DealHoles(held)), board)
    for word in script.split():
        state = dealt(act(state, action_of(word)), board)
    return state


def dealt(state: HandState, board: str) -> HandState:
    """Deal as far as cards are due."""
    while state.phase is Phase.DEAL_BOARD:
        due = slice(BOARD_CARDS[state.street], BOARD_CARDS[state.street + 1])
        state = step(state, DealBoard(parse_cards(board)[due]))
    return state
