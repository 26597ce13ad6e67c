"""The betting of recorded hands, replayed once: the situation that each action faced.

The rules engine itself steps each hand, without cards. Before, there were seven separate walkers,
each with its own rule for the seat to act, and they disagreed with the engine about short all-ins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, uncounted_kernel
from railbird.game import kernels as at
from railbird.game.kernels import (
    act_if_allowed,
    begin_street,
    block_of,
    copy,
    next_street,
)

# Values of `railbird.game.ActionName`.
FOLD = 0
CHECK = 1
CALL = 2
BET = 3
RAISE = 4


_MOST_SEATS = 23
SCRATCH = np.dtype(
    [
        ("hand", np.int64, (at.HEADER + at.STRIDE * _MOST_SEATS,)),
        ("cards", np.uint8, (2 * _MOST_SEATS + 5,)),
    ]
)
"""Scratch arrays as fields of a record, because reference counts on arrays double the time.

The caller of a kernel must create the record and keep it alive: Numba frees one that a kernel
creates after the last line that names it, even if views into it are still in use.
"""


class Answers(NamedTuple):
    """The situation of each action; all arrays (actions,)."""

    name: np.ndarray
    """uint8, `railbird.game.ActionName`."""
    seat: np.ndarray
    """uint8."""
    street: np.ndarray
    """uint8."""
    amount: np.ndarray
    """int64, chips that the seat has put in on this street after the action."""
    to_call: np.ndarray
    """int64, cost of a call in chips."""
    bets: np.ndarray
    """uint8, bets and raises on this street before the action; a blind counts as one."""
    pot: np.ndarray
    """int64, all chips in play before the action: earlier streets, antes, this street's bets."""


@inline_kernel
def note_action(hand: np.ndarray, action: int, answers: Answers, i: int) -> None:
    """Record the actor's next action and the situation it faces."""
    seat = hand[at.ACTOR]
    already = hand[block_of(seat) + at.IN]
    owed = hand[at.TO_CALL]
    name = FOLD
    amount = already
    if action == at.CALL:
        name = CALL if owed > 0 else CHECK
        amount = already + owed
    elif action > 0:
        name = RAISE if hand[at.BET] > 0 else BET
        amount = action
    answers.name[i] = name
    answers.seat[i] = seat
    answers.street[i] = hand[at.STREET]
    answers.amount[i] = amount
    answers.to_call[i] = owed
    answers.bets[i] = min(hand[at.RAISES] + (hand[at.STREET] == 0 and hand[at.BET] > 0), 255)
    answers.pot[i] = hand[at.POT]


@uncounted_kernel
def walk_hands(
    scratch: np.ndarray,
    opened: np.ndarray,
    rules_of: np.ndarray,
    start: np.ndarray,
    action: np.ndarray,
    answers: Answers,
) -> int:
    """Fill ``answers`` for all hands; return the first hand that the rules refuse, else -1.

    ``scratch`` is one `SCRATCH` record of the engine's. ``opened`` (rules, longest vector) int64
    holds the vector before any card of each table's rules, ``rules_of`` (hands,) int32 its row. The
    actions of hand i are ``action[start[i] : start[i + 1]]`` in the engine's codes. A hand may end
    before its betting does.
    """
    hand = scratch[0]["hand"][:]  # a plain array, for which the engine is compiled anyway
    width = opened.shape[1]
    for i in range(len(rules_of)):
        copy(opened[rules_of[i]], hand, width)
        begin_street(hand)
        for j in range(start[i], start[i + 1]):
            while hand[at.PHASE] == at.DEALING_BOARD:
                next_street(hand)  # betting does not depend on the cards
                begin_street(hand)
            if hand[at.PHASE] != at.BETTING_ROUND:
                return i
            note_action(hand, action[j], answers, j)
            if act_if_allowed(hand, action[j]) != 0:
                return i
    return -1
