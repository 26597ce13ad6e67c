"""Arithmetic of learned beliefs, shared by Python and compiled trackers.

The order of additions is part of the result: a compiled match is byte for byte one in Python.
"""

from __future__ import annotations

import math

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.modelling.learned._kernels_situations import LEVELS

FLOOR = 1e-6
"""The smallest weight, relative to the largest: only cards in sight rule a holding out."""
TRUST = 0.5
"""Power of a hand's likelihood by types: actions of one hand, and tables, are not independent."""
LEAST = 1e-3
"""The smallest probability of an action: no type is ever sure of what somebody will not do."""
DOUBT = 0.02
"""Probability, divided evenly among all types, that stays after any evidence."""


@kernel
def fill_chances(logs: np.ndarray, chances: np.ndarray) -> None:
    """Fill ``chances`` (types,) with probabilities of types, from their log-likelihoods."""
    types, most, total = len(logs), logs[0], 0.0
    for i in range(types):
        most = max(most, logs[i])
    for i in range(types):
        chances[i] = math.exp(logs[i] - most)
        total += chances[i]
    for i in range(types):
        chances[i] = chances[i] * (1.0 - DOUBT) / total + DOUBT / types


@kernel
def mix(chances: np.ndarray, table: np.ndarray, row: int, shares: np.ndarray) -> None:
    """Fill ``shares`` (classes, 3) with the mean of a row of ``table`` over the types."""
    classes, actions = table.shape[2], table.shape[3]
    for i in range(classes):
        for kind in range(actions):
            shares[i, kind] = 0.0
    for each in range(len(chances)):
        chance = chances[each]
        for i in range(classes):
            for kind in range(actions):
                shares[i, kind] += chance * table[each, row, i, kind]


@inline_kernel
def _adjusted(
    fold: float, call: float, bet: float, ratios: np.ndarray, level: int, kind: int
) -> float:
    """Return the probability of an action, given that of each and what further facts say."""
    fold, call, bet = fold * ratios[level, 0], call * ratios[level, 1], bet * ratios[level, 2]
    share = fold if kind == 0 else call if kind == 1 else bet
    return max(share / (fold + call + bet), LEAST)


@kernel
def adjust(shares: np.ndarray, ratios: np.ndarray) -> None:
    """Multiply probabilities of actions (classes, 3) by what further facts say (levels, 3)."""
    potentials = shares.shape[0] // LEVELS
    for i in range(shares.shape[0]):
        level = i // potentials
        fold, call, bet = shares[i, 0], shares[i, 1], shares[i, 2]
        for kind in range(3):
            shares[i, kind] = _adjusted(fold, call, bet, ratios, level, kind)


@kernel
def reweigh(
    before: np.ndarray,
    board: np.uint64,
    classes: np.ndarray,
    shares: np.ndarray,
    kind: int,
    after: np.ndarray,
) -> None:
    """Fill ``after`` (1326,) with the weights after an action, the largest being 1.

    ``shares`` (classes, 3) are the probabilities of actions, ``board`` the mask of its cards.
    """
    most = 0.0
    for holding in range(1326):
        weight = before[holding] if HOLDING_MASK[holding] & board == 0 else 0.0
        after[holding] = weight * shares[classes[holding], kind]
        most = max(most, after[holding])
    for holding in range(1326):
        after[holding] = max(after[holding] / most, FLOOR)


@kernel
def fill_held(weights: np.ndarray, board: np.uint64, classes: np.ndarray, held: np.ndarray) -> None:
    """Fill ``held`` (classes,) with the believed probability of each strength class."""
    total = 0.0
    for i in range(len(held)):
        held[i] = 0.0
    for holding in range(1326):
        if HOLDING_MASK[holding] & board == 0:
            held[classes[holding]] += weights[holding]
    for i in range(len(held)):
        total += held[i]
    for i in range(len(held)):
        held[i] /= total


@kernel
def expected_share(held: np.ndarray, shares: np.ndarray, kind: int) -> float:
    """Return the probability of an action by one who holds ``held`` (classes,)."""
    expected = 0.0
    for i in range(len(held)):
        expected += held[i] * shares[i, kind]
    return expected


@kernel
def add_unseen(
    table: np.ndarray,
    row: int,
    ratios: np.ndarray,
    kind: int,
    held: np.ndarray,
    logs: np.ndarray,
) -> None:
    """Add to ``logs`` (types,) the log-likelihoods of an action by who holds what it may."""
    potentials = table.shape[2] // LEVELS
    for each in range(table.shape[0]):
        share = 0.0
        for i in range(table.shape[2]):
            fold, call, bet = table[each, row, i, 0], table[each, row, i, 1], table[each, row, i, 2]
            share += held[i] * _adjusted(fold, call, bet, ratios, i // potentials, kind)
        logs[each] += math.log(share)


@kernel
def add_shown(
    table: np.ndarray, row: int, ratios: np.ndarray, kind: int, held: int, logs: np.ndarray
) -> None:
    """Add to ``logs`` (types,) the log-likelihoods of an action with a strength class."""
    level = held // (table.shape[2] // LEVELS)
    for each in range(table.shape[0]):
        fold, call, bet = (
            table[each, row, held, 0],
            table[each, row, held, 1],
            table[each, row, held, 2],
        )
        logs[each] += math.log(_adjusted(fold, call, bet, ratios, level, kind))
