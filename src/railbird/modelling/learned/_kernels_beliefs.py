"""Arithmetic of learned beliefs, shared by Python and compiled trackers.

The order of additions is part of the result: a compiled match is byte for byte one in Python.
"""

from __future__ import annotations

import math

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK

FLOOR = 1e-6
"""The smallest weight, relative to the largest: only cards in sight rule a holding out."""
TRUST = 0.5
"""Power of a hand's likelihood by types: actions of one hand, and tables, are not independent."""
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
def add_unseen(table: np.ndarray, row: int, kind: int, held: np.ndarray, logs: np.ndarray) -> None:
    """Add to ``logs`` (types,) the log-likelihoods of an action by who holds what it may."""
    for each in range(table.shape[0]):
        share = 0.0
        for i in range(table.shape[2]):
            share += held[i] * table[each, row, i, kind]
        logs[each] += math.log(share)


@kernel
def add_shown(table: np.ndarray, row: int, kind: int, held: int, logs: np.ndarray) -> None:
    """Add to ``logs`` (types,) the log-likelihoods of an action with a strength class."""
    for each in range(table.shape[0]):
        logs[each] += math.log(table[each, row, held, kind])
