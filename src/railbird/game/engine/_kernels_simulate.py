"""Whole hands between one-line policies, over the engine's own stepping kernels."""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.game._kernels_deal import GOLDEN, below, mix, stream_of
from railbird.game.engine import _kernels_layout as at
from railbird.game.engine._kernels_betting import open_street, play, take_holes, take_street
from railbird.game.engine._kernels_pots import block_of, copy

ALWAYS_CALL = 0
ALWAYS_RAISE = 1
ALWAYS_FOLD = 2
RANDOM = 3

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


@inline_kernel
def choose(hand: np.ndarray, policy: int, state: np.uint64) -> int:
    """Return the action of a policy for the seat to act."""
    may_raise = hand[at.NO_RAISE] == 0
    may_fold = hand[at.TO_CALL] > 0
    action = at.CALL
    if policy == ALWAYS_RAISE:
        if may_raise:
            action = hand[at.LOW_TO]
    elif policy == ALWAYS_FOLD:
        if may_fold:
            action = at.FOLD
    elif policy == RANDOM:
        bits = mix(state)
        kinds = 1 + may_fold + may_raise
        kind = np.int64(below(bits, np.uint64(kinds))) - may_fold
        if kind < 0:
            action = at.FOLD
        elif kind > 0:
            sizes = np.uint64(hand[at.HIGH_TO] - hand[at.LOW_TO] + 1)
            action = hand[at.LOW_TO] + np.int64(below(bits >> np.uint64(32), sizes))
    return action


@kernel
def play_many(
    scratch: np.ndarray,
    empty: np.ndarray,
    policies: np.ndarray,
    deals: np.ndarray,
    key: np.uint64,
    results: np.ndarray,
) -> int:
    """Play every deal to its end; return the number played before the first invalid one.

    ``scratch`` is one `SCRATCH` record, ``empty`` a vector before any card, ``results``
    (deals, seats) the payoffs in chips divided by the denominator.
    """
    hand = scratch[0]["hand"]
    cards = scratch[0]["cards"]
    size = len(empty)
    for deal in range(len(deals)):
        copy(empty, hand, size)
        for i in range(deals.shape[1]):
            cards[i] = deals[deal, i]
        state = stream_of(key, deal)
        reason = take_holes(hand, cards)
        while reason == 0:
            open_street(hand)
            while hand[at.PHASE] == at.BETTING_ROUND:
                state += GOLDEN
                play(hand, choose(hand, policies[hand[at.ACTOR]], state))
            if hand[at.PHASE] != at.DEALING_BOARD:
                break
            reason = take_street(hand, cards)
        if reason != 0:
            return deal
        for seat in range(len(policies)):
            results[deal, seat] = hand[block_of(seat) + at.PAYOFF]
    return len(deals)
