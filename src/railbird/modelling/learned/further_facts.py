"""Fitting what further facts say of actions, beyond the tables by type and situation.

Facts multiply the probabilities of a table. The factors are those by which actions were more
frequent than the tables let expect, in classes of situations that overlap: one after another, each
given the ones before. What is rare counts little. Since the expectation is by each player's own
table, facts do not stand for the players who get into them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from railbird.modelling.action_frequencies import ActionKind
from railbird.modelling.learned._kernels_situations import (
    BEHIND,
    CELLS,
    FACTS,
    LEVELS,
    ODDS,
    POTENTIALS,
    cell_of,
)
from railbird.modelling.learned.action_model import Facts, Table

LEAST_ACTIONS: Final = 20_000
"""Actions from the flop on, below which nothing is fitted."""
OWN: Final = 10.0
"""Observations at which a factor counts as much as that nothing is known."""
_EACH: Final = 0.02
"""Observations of each action assumed besides."""
_ROUNDS: Final = 2
_MOST: Final = 64.0
"""The largest factor."""
_SHAPE: Final = (CELLS, 2, 2, len(ODDS) + 1, BEHIND, LEVELS)
"""Cell; whether the player, and others, raised on the street before; odds; others behind; level."""
_CELL, _OWN, _OTHERS, _ODDS, _BEHIND, _LEVEL = range(len(_SHAPE))
_STAGES: Final = (
    ((_CELL, _OWN, _OTHERS, _LEVEL), 1),
    ((_CELL, _ODDS, _LEVEL), 1),
    ((_CELL, _ODDS, _OWN, _OTHERS, _LEVEL), 2),
    ((_CELL, _BEHIND, _OWN, _OTHERS, _LEVEL), 2),
)
"""Parts of a situation on which the factors of a stage depend, and levels that share them."""


def fit_facts(tables: Table, actions: Sequence[NDArray[np.int64]]) -> Facts | None:
    """Fit the factors to actions by type, (actions, 4): row, class, fact and `ActionKind`.

    ``tables`` are the probabilities from the flop on by type. Returns None for too few actions.
    """
    types = np.repeat(np.arange(len(actions)), [len(each) for each in actions])
    if len(types) < LEAST_ACTIONS:
        return None
    row, strength, fact, kind = np.concatenate(actions).T
    shares = tables[types, row, strength]
    cell = np.array([cell_of(each) for each in range(tables.shape[1])])[row]
    level = strength // (len(POTENTIALS) + 1)
    parts = np.array([cell, *np.unravel_index(fact, _SHAPE[_OWN:_LEVEL]), level])
    factors = np.ones((*_SHAPE, len(ActionKind)))
    taken = np.eye(len(ActionKind))[kind]
    for stage, width in _STAGES:
        shape = [*(_SHAPE[part] for part in stage[:-1]), LEVELS // width]
        where = parts[list(stage)]
        where[-1] //= width
        place = np.ravel_multi_index(tuple(where), shape)
        for _ in range(_ROUNDS):
            ratios = _ratios(place, taken, shares, int(np.prod(shape)))
            shares = shares * ratios[place]
            shares /= shares.sum(axis=1, keepdims=True)
            factors *= _spread(ratios.reshape(*shape, -1), stage, width)
    facts: Facts = np.clip(factors, 1 / _MOST, _MOST).reshape(CELLS, FACTS, LEVELS, len(ActionKind))
    facts.flags.writeable = False
    return facts


def _ratios(
    place: NDArray[np.int64],
    taken: NDArray[np.float64],
    shares: NDArray[np.float64],
    places: int,
) -> NDArray[np.float64]:
    """Return by place how much more often actions were taken than expected, (places, 3)."""
    seen, expected = (
        np.stack([np.bincount(place, each, places) for each in columns.T], axis=1)
        for columns in (taken, shares)
    )
    usual = expected / np.maximum(expected.sum(axis=1, keepdims=True), 1e-9)
    ratios: NDArray[np.float64] = (seen + OWN * usual + _EACH) / (expected + OWN * usual + _EACH)
    return ratios


def _spread(ratios: NDArray[np.float64], stage: tuple[int, ...], width: int) -> NDArray[np.float64]:
    """Return ratios with an axis of length one for each part on which they do not depend."""
    ratios = np.repeat(ratios, width, axis=-2)
    order = np.argsort(stage)
    ratios = ratios.transpose(*order, len(stage))
    shape = [_SHAPE[part] if part in stage else 1 for part in range(len(_SHAPE))]
    return ratios.reshape(*shape, len(ActionKind))
