"""Fitting a model of actions to counts of what players did with which hands.

Each player, or each cluster of players where there are more than there can be types, is a type.
Counts are few where situations are rare, so that every probability is blended with those of wider
classes of situations, and with those of all players.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from railbird.errors import BadInput
from railbird.modelling.action_frequencies import ActionKind
from railbird.modelling.learned._kernels_beliefs import LEAST
from railbird.modelling.learned._kernels_situations import (
    IN,
    LATER_CLASSES,
    LATER_ROWS,
    OPPONENTS,
    PREFLOP_CLASSES,
    PREFLOP_ROWS,
)
from railbird.modelling.learned.action_model import NO_FACTS, ActionModel, Facts, Table
from railbird.modelling.learned.further_facts import fit_facts

OWN: Final = 6.0
"""Observations at which a type's own share counts as much as what all players suggest."""
WIDER: Final = 8.0
"""Observations at which a situation's share counts as much as that of the wider class."""
_EACH: Final = 0.5
"""Observations of each action assumed where there are none."""
_PREFLOP_BLOCKS: Final = 4
"""Blocks of rows with the same bets to call."""
_LATER_BLOCKS: Final = LATER_ROWS // (OPPONENTS * IN)
"""Blocks of rows on the same street with the same bets to call."""
_ROUNDS: Final = 30
"""Most rounds of clustering; it has settled long before."""

Counts = NDArray[np.float64]


@dataclass(slots=True)
class ActionCounts:
    """Counts of one player's actions by row, strength class and action."""

    preflop: Counts = field(
        default_factory=lambda: np.zeros((PREFLOP_ROWS, PREFLOP_CLASSES, len(ActionKind)))
    )
    later: Counts = field(
        default_factory=lambda: np.zeros((LATER_ROWS, LATER_CLASSES, len(ActionKind)))
    )

    known: array[int] = field(default_factory=lambda: array("q"))
    """Row, class, fact and action from the flop on, of hands in which everybody's cards are known:
    where only shown cards are, nobody would fold."""

    @property
    def total(self) -> float:
        """Number of actions."""
        return float(self.preflop.sum() + self.later.sum())


def fit(counts: dict[str, ActionCounts], *, types: int, facts: Facts | None = None) -> ActionModel:
    """Fit a model of at most so many types to counts by player.

    What further facts say is fitted as well if there are enough actions with known cards; else it
    is ``facts``, by default nothing.

    Raises `BadInput` if there are no counts.
    """
    known = {name: one for name, one in counts.items() if one.total}
    if not known:
        raise BadInput("no actions with known cards")
    members = _clusters(known, types)
    preflop = np.stack([sum_of([known[name].preflop for name in group]) for group in members])
    later = np.stack([sum_of([known[name].later for name in group]) for group in members])
    names = tuple(", ".join(group) for group in members)
    tables = _tables(later, _LATER_BLOCKS)
    actions = [np.concatenate([_rows(known[name]) for name in group]) for group in members]
    found = fit_facts(tables, actions)
    if found is None:
        found = NO_FACTS if facts is None else facts
    return ActionModel(_tables(preflop, _PREFLOP_BLOCKS), tables, found, names)


def _rows(counts: ActionCounts) -> NDArray[np.int64]:
    """Return actions with known cards, (actions, 4)."""
    return np.array(counts.known, np.int64).reshape(-1, 4)


def sum_of(arrays: list[Counts]) -> Counts:
    """Return the sum of arrays."""
    total: Counts = np.sum(arrays, axis=0)
    return total


def _tables(counts: Counts, wide: int) -> Table:
    """Return probabilities (types, rows, classes, 3) from counts; ``wide`` is a number of blocks.

    Rows divide into that many blocks of neighbours. What all players do in a row is blended with
    what they do in its block. A type is assumed to deviate from that in a row as it does in the
    block, until it has been seen in the row itself.
    """
    everybody = counts.sum(axis=0)
    blocks, own_blocks = _in_blocks(everybody, wide), _in_blocks(counts, wide)
    pooled_block = _shares(blocks.sum(axis=1))
    pooled = _blend(blocks, pooled_block[:, np.newaxis], WIDER)
    own_block = _blend(own_blocks.sum(axis=2), pooled_block, OWN)
    expected = pooled * (own_block / pooled_block)[:, :, np.newaxis]
    expected /= expected.sum(axis=-1, keepdims=True)
    table = np.maximum(_blend(own_blocks, expected, OWN), LEAST)
    table /= table.sum(axis=-1, keepdims=True)
    return table.reshape(counts.shape)


def _in_blocks(counts: Counts, blocks: int) -> Counts:
    """Return counts (..., blocks, rows, classes, 3)."""
    *types, rows, classes, actions = counts.shape
    return counts.reshape(*types, blocks, rows // blocks, classes, actions)


def _shares(counts: Counts) -> Counts:
    shares: Counts = (counts + _EACH) / (counts + _EACH).sum(axis=-1, keepdims=True)
    return shares


def _blend(counts: Counts, prior: Counts, weight: float) -> Counts:
    """Return shares, with a prior that counts as so many observations."""
    shares: Counts = (counts + weight * prior) / (counts.sum(axis=-1, keepdims=True) + weight)
    return shares


def _clusters(counts: dict[str, ActionCounts], types: int) -> list[list[str]]:
    """Divide players into at most so many clusters of those who act most alike.

    Each player joins the cluster whose shares of actions make its own most likely, as in k-means;
    clusters begin with the player seen most, and with those who are most unlike the others'.
    """
    names = sorted(counts, key=lambda name: -counts[name].total)
    if len(names) <= types:
        return [[name] for name in names]
    habits = np.array([_habits(counts[name]) for name in names])
    own = _likelihoods(habits, habits).diagonal()
    first = [0]
    while len(first) < types:
        losses = own - _likelihoods(habits, habits[first]).max(axis=1)
        first.append(int(losses.argmax()))
    place = _likelihoods(habits, habits[first]).argmax(axis=1)
    for _ in range(_ROUNDS):
        groups = np.array([habits[place == group].sum(axis=0) for group in range(types)])
        closest = _likelihoods(habits, groups).argmax(axis=1)
        if np.array_equal(closest, place):
            break
        place = closest
    members = [[names[i] for i in np.flatnonzero(place == group)] for group in range(types)]
    return [group for group in members if group]


def _habits(counts: ActionCounts) -> Counts:
    """Return a player's counts by block, strength class and action, (cells, 3)."""
    tables = ((counts.preflop, _PREFLOP_BLOCKS), (counts.later, _LATER_BLOCKS))
    return np.concatenate(
        [_in_blocks(table, blocks).sum(axis=1).reshape(-1, 3) for table, blocks in tables]
    )


def _likelihoods(habits: Counts, groups: Counts) -> Counts:
    """Return the log-likelihood of each player's actions by each group's shares."""
    likely: Counts = np.tensordot(habits, np.log(_shares(groups)), axes=((1, 2), (1, 2)))
    return likely
