"""The baseline in kernels: effective hand ranks, classes and choices, all in integers.

Ranks are in units of 1 / `railbird.baseline.RANK_UNITS`, from the entries of the hand-rank tables:
2 * ahead + tied against the opponents now (``ihr``) and summed over the completions of the board
(``hr7``). ``betable``, ``make`` and ``fold`` are the arrays of `railbird.baseline.Cutoffs`.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel

Integer = int | np.integer
"""An integer inside a kernel, typed by Numba."""

FOLD, CALL, RAISE = 0, 1, 2
"""Codes of actions; a check is a call, a bet is a raise."""

_CAP = 4
# Completions of the board times opponents on the river, divided by the opponents now.
_PREFLOP_SCALE = 1_712_304
_FLOP_SCALE = 990
_TURN_SCALE = 44


@inline_kernel
def preflop_rank(ihr: Integer, hr7: Integer, bettable: Integer) -> np.int64:
    """Return the effective hand rank before the flop: the larger rank if bettable, else 7cHR."""
    now = np.int64(ihr) * _PREFLOP_SCALE
    later = np.int64(hr7)
    return max(now, later) if now > bettable or later > bettable else later


@inline_kernel
def flop_ehr(ihr: Integer, hr7: Integer, bettable: Integer) -> np.int64:
    """Return the effective hand rank on the flop: the larger rank if bettable, else the mean."""
    now = np.int64(ihr) * _FLOP_SCALE
    later = np.int64(hr7)
    return 2 * max(now, later) if 2 * max(now, later) > bettable else now + later


@inline_kernel
def turn_ehr(ihr: Integer, hr7: Integer, bettable: Integer) -> np.int64:
    """Return the effective hand rank on the turn: the larger rank if bettable, else 7cHR."""
    now = np.int64(ihr) * _TURN_SCALE
    later = np.int64(hr7)
    return max(now, later) if now > bettable or later > bettable else later


@inline_kernel
def class_of_rank(
    rank: Integer, street: int, contribution: Integer, make: np.ndarray, fold: np.ndarray
) -> int:
    """Return the class 0..5 of a rank, as in `railbird.baseline.BaselineClass`."""
    level = 0
    if rank >= fold[street, contribution]:
        level = 1
        for bets in range(4):
            level += rank >= make[street, bets]
    return level


@uncounted_kernel
def class_action(own: Integer, bets: int, facing: bool) -> int:
    """Return the action of a player of class ``own`` after ``bets`` bets (the blind is one)."""
    if own > bets + 1 and bets < _CAP:
        return RAISE
    if facing and own == 0:
        return FOLD
    return CALL


@kernel
def play_on(
    first: Integer, second: Integer, actor: int, bets: int, facing: bool, opened: bool
) -> tuple[int, int]:
    """Finish a round by the baseline; return the level and who folded (0, 1 or -1 for nobody).

    ``first`` and ``second`` are the classes of players 1 and 2, ``actor`` (0 or 1) acts next,
    ``bets`` is the number of bets so far, and ``opened`` is true if a call or check would end the
    round. The level is the number of bets that both put in.
    """
    while True:
        action = class_action(second if actor else first, bets, facing)
        if action == FOLD:
            return bets - 1, actor
        if action == RAISE:
            bets += 1
            facing = True
        elif opened:
            return bets, -1
        else:
            facing = False
        opened = True
        actor = 1 - actor
