"""Replay of a hand from the betting that a text reports, checked row by row.

Stepping the engine from Python takes six calls per action, which was half of the time of reading a
hand. Here one call replays a whole hand.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, uncounted_kernel
from railbird.game import kernels as at
from railbird.game.kernels import act_if_allowed, block_of, deal_board, deal_holes, muck_unknown

# A row is four numbers: the seat, its action, an amount, the total of a raise.
ROW = 4
DEAL = 0
"""The next street; the other numbers are ignored."""
FOLD = 1
CALL = 2
"""Call of this amount; a check is a call of 0."""
RAISE = 3
"""Bet or raise to this total, by this amount; one of the two may be NOT_STATED.

Most texts count the amount from the bet that is raised, some from the seat's own bet, some from
zero.
"""
PUT_IN = 4
"""Call, bet or raise that puts in this amount."""
CHECK_IF_OPEN = 5
"""Check or call that is ignored where no seat is to act."""
FOLD_IF_ABLE = 6
"""Fold that is ignored where the seat is all-in: sites fold absent players even then."""

NOT_STATED = -1
PASSED_OVER = -3
"""In place of an action for rows that were ignored."""

OTHER_CALL = 16
"""Reason: the call costs another amount."""
OTHER_RAISE = 17
"""Reason: the amount and the total of the raise are inconsistent."""
REASONS = 32
"""Bound of all reasons, those of the layout included."""


@inline_kernel
def is_passed_over(hand: np.ndarray, seat: int, kind: int) -> bool:
    """Return whether a row is to be ignored."""
    passed = False
    if kind == CHECK_IF_OPEN:
        passed = hand[at.PHASE] != at.BETTING_ROUND
    elif kind == FOLD_IF_ABLE:
        passed = hand[at.ALIVE] >> seat & 1 != 0 and hand[block_of(seat) + at.BEHIND] == 0
    return passed


@uncounted_kernel
def deal_next_street(hand: np.ndarray, script: np.ndarray, board_size: int) -> int:
    """Deal the next street of a script's board; return the reason why not, 0 if done."""
    card = hand[at.SEATS] + hand[at.BOARD_SIZE]
    if hand[at.PHASE] != at.DEALING_BOARD:
        return at.WRONG_PHASE
    if hand[at.BOARD_SIZE] == board_size:
        return at.WRONG_BOARD
    if hand[at.STREET] > 0:
        return deal_board(hand, script[card], -1, -1)
    return deal_board(hand, script[card], script[card + 1], script[card + 2])


@uncounted_kernel
def act_as_reported(hand: np.ndarray, row: np.ndarray) -> int:
    """Apply a row and replace its last number by the action; return the reason why not."""
    seat, kind, amount, to = row
    if hand[at.PHASE] != at.BETTING_ROUND or hand[at.ACTOR] != seat:
        return at.NOT_THE_TURN
    bet = hand[at.BET]
    already = hand[block_of(seat) + at.IN]
    action = at.CALL + 0 * bet
    if kind in (FOLD, FOLD_IF_ABLE):
        action = at.FOLD + 0 * bet
    elif kind == RAISE:
        action = bet + amount if to == NOT_STATED else to
        if amount != NOT_STATED and action - amount not in (bet, already, 0):
            return OTHER_RAISE
        if action <= 0:
            action = at.BELOW + 0 * bet
    elif kind == PUT_IN and amount > hand[at.TO_CALL]:
        action = already + amount
    elif amount not in (NOT_STATED, hand[at.TO_CALL]):
        return OTHER_CALL
    row[ROW - 1] = action
    return act_if_allowed(hand, action)


@uncounted_kernel
def follow_script(hand: np.ndarray, script: np.ndarray, board_size: int) -> int:
    """Replay holdings by seat, then the board's cards, then rows.

    The action of a row replaces its last number: at.FOLD, at.CALL, the total of a raise, or
    PASSED_OVER. Returns 0 on success, else the reason plus `REASONS` times the place of the row,
    with the hand as it was before that row.
    """
    seats = hand[at.SEATS]
    position = int(seats + board_size)
    reason = deal_holes(hand, script[:seats])
    if reason != 0:
        return reason
    while reason == 0 and position < len(script):
        row = script[position : position + ROW]
        if row[1] == DEAL:
            row[ROW - 1] = PASSED_OVER
            reason = deal_next_street(hand, script, board_size)
        elif is_passed_over(hand, row[0], row[1]):
            row[ROW - 1] = PASSED_OVER
        else:
            reason = act_as_reported(hand, row)
        position += ROW
    if reason != 0:
        return REASONS * (position - ROW) + reason
    if hand[at.BOARD_SIZE] < board_size:
        return REASONS * position + at.WRONG_BOARD
    if hand[at.PHASE] == at.SHOWDOWN:
        muck_unknown(hand)
    return 0
