"""Many hands between one-line policies, as fast as the engine can step them.

>>> from railbird.game import HEADS_UP_LIMIT, seeded_deals
>>> rng = np.random.default_rng(1)
>>> deals = seeded_deals(rng, seats=2, deals=1_000)
>>> policies = (SimplePolicy.ALWAYS_CALL, SimplePolicy.ALWAYS_RAISE)
>>> results = simulate(HEADS_UP_LIMIT, policies, deals, rng)
>>> (results / HEADS_UP_LIMIT.denominator).sum(axis=1).max()
np.float64(0.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from railbird._jit import inline_kernel, uncounted_kernel
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits
from railbird.errors import BadInput
from railbird.game import kernels as at
from railbird.game.deal import Deals
from railbird.game.kernels import (
    apply_action,
    below,
    block_of,
    copy,
    open_street,
    stream_of,
    take_holes,
    take_street,
)
from railbird.game.rules import Rules
from railbird.game.state import initial
from railbird.game.walk_kernels import SCRATCH

_ALWAYS_CALL, _ALWAYS_RAISE, _ALWAYS_FOLD, _RANDOM = range(4)


class SimplePolicy(IntEnum):
    """A policy that ignores the cards."""

    ALWAYS_CALL = _ALWAYS_CALL
    ALWAYS_RAISE = _ALWAYS_RAISE
    """The smallest bet or raise; a call if none is allowed."""
    ALWAYS_FOLD = _ALWAYS_FOLD
    """A check if that is free, else a fold."""
    RANDOM = _RANDOM
    """Fold, call and raise with equal probability, if allowed; raise sizes are uniform."""


def simulate(
    rules: Rules, policies: Sequence[SimplePolicy], deals: Deals, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Play every deal; return payoffs (deals, seats) as numerators over ``rules.denominator``.

    One number is drawn from ``rng``; a random policy's play in a hand depends only on that number
    and on the hand's index. Raises `BadInput` for deals or policies for another number of seats,
    and for a row that is not a deal.
    """
    if len(policies) != rules.seats or deals.ndim != 2 or deals.shape[1] != 2 * rules.seats + 5:
        raise BadInput(
            f"{len(policies)} policies and deals of shape {deals.shape} for {rules.seats} seats"
        )
    if deals.dtype != np.uint8:
        raise BadInput(f"deals of {deals.dtype}; allowed: uint8")
    if deals.size and deals.max() >= 52:
        raise BadInput(f"card {deals.max()} in a deal; allowed: 0 to 51")
    key = rng.integers(1 << 64, dtype=np.uint64)
    results = np.empty((len(deals), rules.seats), np.int64)
    chosen = np.array(policies, np.int64)
    scratch = np.zeros(1, SCRATCH)
    done = _play_many(scratch, initial(rules)._vector, chosen, deals, key, results)
    if done < len(deals):
        raise BadInput(f"deal {done} repeats a card")
    return results


@inline_kernel
def _policy_action(hand: np.ndarray, policy: int, state: np.uint64) -> int:
    """Return the action of a policy for the seat to act."""
    may_raise = hand[at.NO_RAISE] == 0
    may_fold = hand[at.TO_CALL] > 0
    action = at.CALL
    if policy == _ALWAYS_RAISE:
        if may_raise:
            action = hand[at.LOW_TO]
    elif policy == _ALWAYS_FOLD:
        if may_fold:
            action = at.FOLD
    elif policy == _RANDOM:
        bits = mixed_bits(state)
        kinds = 1 + may_fold + may_raise
        kind = np.int64(below(bits, np.uint64(kinds))) - may_fold
        if kind < 0:
            action = at.FOLD
        elif kind > 0:
            sizes = np.uint64(hand[at.HIGH_TO] - hand[at.LOW_TO] + 1)
            action = hand[at.LOW_TO] + np.int64(below(bits >> np.uint64(32), sizes))
    return action


@uncounted_kernel
def _play_many(
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
                apply_action(hand, _policy_action(hand, policies[hand[at.ACTOR]], state))
            if hand[at.PHASE] != at.DEALING_BOARD:
                break
            reason = take_street(hand, cards)
        if reason != 0:
            return deal
        for seat in range(len(policies)):
            results[deal, seat] = hand[block_of(seat) + at.PAYOFF]
    return len(deals)
