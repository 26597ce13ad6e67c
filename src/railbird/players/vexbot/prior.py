"""What Vexbot expects of an opponent of which it has seen nothing: the play of equilibria.

Two come with the package: the coarsest counts of a log of `equilibrium:small` against itself, and
in detail how often what happens when `equilibrium:medium` plays against itself, by which each group
of contexts has a prior of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._files import atomic_write
from railbird.game import HEADS_UP_LIMIT
from railbird.players.limit_betting import tree_of
from railbird.players.vexbot.contexts import Contexts, Rows, betting_texts, contexts_of
from railbird.players.vexbot.settings import (
    HOLDING_CELLS,
    PRIOR_DOUBT,
    PRIOR_HANDS,
    PRIOR_WEIGHT,
)

Floats = npt.NDArray[np.float64]

_DATA = files("railbird.players.vexbot") / "data"
_KINDS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """Probabilities where nothing has been observed, by group of all levels."""

    actions: Floats
    """(groups of decisions, 3)."""
    ranks: Floats
    """(groups of showdowns, `RANK_CELLS`)."""
    by_cell: Floats
    """(groups of decisions, `HOLDING_CELLS`, 3): actions with each cell of holdings."""


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """How often a player does and shows what against itself, a hand."""

    by_cell: Floats
    """(decisions, `HOLDING_CELLS`, 3): actions with each cell of holdings."""
    ranks: Floats
    """(2 * showdowns, `RANK_CELLS`): hands that come to a showdown."""


@lru_cache(maxsize=8)
def shipped_priors(contexts: Contexts) -> tuple[Prior, Prior]:
    """Return the priors that come with the package, the coarse and the detailed one."""
    return _coarse(contexts), detail_of(contexts, read_expected(_DATA / "detail.npz"))


def _coarse(contexts: Contexts) -> Prior:
    """Return the coarsest groups' prior; finer groups have their coarsest one's.

    Groups are found by what they stand for: a game with another cap has some that were not counted.
    To the counts every possible action and cell is added.
    """
    with (_DATA / "prior.npz").open("rb") as file, np.load(file, allow_pickle=False) as kept:
        counts = {name: kept[name] for name in kept.files}
    decisions, showdowns = contexts.decision_rows, contexts.showdown_rows
    actions = _by_label(decisions, counts["decisions"], counts["actions"])
    by_cell = _by_label(decisions, counts["decisions"], counts["by_cell"])
    ranks = _by_label(showdowns, counts["showdowns"], counts["ranks"])
    possible = np.zeros(actions.shape)
    possible[contexts.decisions[-1] - decisions.start[-2]] = _possible(contexts)
    return Prior(
        _from_coarsest((actions + PRIOR_WEIGHT) * possible, decisions),
        _from_coarsest(ranks + PRIOR_WEIGHT, showdowns),
        _from_coarsest((by_cell + PRIOR_WEIGHT) * possible[:, np.newaxis], decisions),
    )


def _by_label(rows: Rows, keys: npt.NDArray[Any], values: npt.NDArray[Any]) -> Floats:
    """Return the values of each of the coarsest groups, 0 where it has none."""
    row = {tuple(key): place for place, key in enumerate(keys.tolist())}
    table = np.zeros((len(rows.labels), *values.shape[1:]))
    for place, label in enumerate(rows.labels):
        if label in row:
            table[place] = values[row[label]]
    return table


def _from_coarsest(counts: Floats, rows: Rows) -> Floats:
    """Return (groups of all levels, ...) the probabilities of each group's coarsest one."""
    found = np.empty((len(rows.parent), *counts.shape[1:]))
    found[rows.start[-2] :] = counts / counts.sum(axis=-1, keepdims=True)
    for level in range(len(rows.start) - 3, -1, -1):
        own = slice(rows.start[level], rows.start[level + 1])
        found[own] = found[rows.parent[own]]
    return found


def detail_of(contexts: Contexts, expected: Expected) -> Prior:
    """Make a prior of what happens in the game of the standard caps.

    Betting of other caps is expected where it is the same; where it was never seen, and where it
    is rare, a coarser group's is.
    """
    here, there = (betting_texts(each.tree) for each in (contexts, _counted()))
    rows = [_places(*texts) for texts in zip(there, here, strict=True)]
    by_cell = _at(rows[0], expected.by_cell)
    ways = len(there[1])
    ranks = np.concatenate([_at(rows[1], expected.ranks[seat * ways :][:ways]) for seat in (0, 1)])
    possible = _possible(contexts)
    decisions, showdowns = contexts.decisions, contexts.showdowns
    cells = np.repeat(possible[:, np.newaxis], HOLDING_CELLS, axis=1)
    return Prior(
        _on_all_levels(by_cell.sum(axis=1), possible, decisions, contexts.decision_rows),
        _on_all_levels(ranks, np.ones(ranks.shape), showdowns, contexts.showdown_rows),
        _on_all_levels(by_cell, cells, decisions, contexts.decision_rows),
    )


def _counted() -> Contexts:
    return contexts_of(tree_of(HEADS_UP_LIMIT))


def _places(texts: list[str], wanted: list[str]) -> npt.NDArray[np.int64]:
    """Return where the ``texts`` have each of those wanted; -1 where they have not."""
    place = {text: number for number, text in enumerate(texts)}
    return np.array([place.get(text, -1) for text in wanted])


def _at(places: npt.NDArray[np.int64], values: Floats) -> Floats:
    """Return the values at places, 0 at those that are not known."""
    found: Floats = values[places]
    found[places < 0] = 0
    return found


def _possible(contexts: Contexts) -> Floats:
    """Return (decisions, 3) 1 for the actions that the decisions have."""
    found = []
    for part in contexts.tree.rounds:
        here = np.zeros((part.nodes, _KINDS))
        here[part.node, part.kind] = 1
        found.append(np.repeat(here, part.sequences, axis=0))
    return np.concatenate(found)


def _on_all_levels(
    expected: Floats, possible: Floats, groups: npt.NDArray[np.int32], rows: Rows
) -> Floats:
    """Return the probabilities in all groups, of how often what is expected in the contexts."""
    sums = np.zeros((len(rows.parent), *expected.shape[1:]))
    can = np.zeros_like(sums)
    for level in groups:
        np.add.at(sums, level, PRIOR_HANDS * possible * expected)
        can[level] = possible
    can /= can.sum(axis=-1, keepdims=True)
    found = can.copy()
    for level in range(len(rows.start) - 2, -1, -1):
        own = slice(rows.start[level], rows.start[level + 1])
        coarser = can[own] if level == len(rows.start) - 2 else found[rows.parent[own]]
        found[own] = (sums[own] + coarser) / (sums[own].sum(axis=-1, keepdims=True) + 1)
    return (1 - PRIOR_DOUBT) * found + PRIOR_DOUBT * can


def read_expected(path: Traversable) -> Expected:
    """Read how often what happens."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
        return Expected(
            _unpacked(kept["actions"], kept["decision_weights"]),
            _unpacked(kept["ranks"], kept["showdown_weights"]),
        )


def write_prior(path: Path, contexts: Contexts, counts: Prior) -> None:
    """Write the counts of the coarsest groups as the package has them."""
    decisions, showdowns = contexts.decision_rows, contexts.showdown_rows
    with atomic_write(path) as part, part.open("wb") as file:
        np.savez_compressed(
            file,
            decisions=np.array(decisions.labels, dtype=np.int16),
            actions=np.rint(counts.actions[decisions.start[-2] :]).astype(np.int32),
            showdowns=np.array(showdowns.labels, dtype=np.int16),
            ranks=np.rint(counts.ranks[showdowns.start[-2] :]).astype(np.int32),
            by_cell=np.rint(counts.by_cell[decisions.start[-2] :]).astype(np.int32),
        )


def write_expected(path: Path, expected: Expected) -> None:
    """Write how often what happens, as the package has it: two digits of each, roughly."""
    actions, decision_weights = _packed(expected.by_cell)
    ranks, showdown_weights = _packed(expected.ranks)
    with atomic_write(path) as part, part.open("wb") as file:
        np.savez_compressed(
            file,
            actions=actions,
            decision_weights=decision_weights,
            ranks=ranks,
            showdown_weights=showdown_weights,
        )


def _packed(values: Floats) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return parts of the last axis' sums, of 255, and the sums, in quarters of powers of two."""
    sums = values.sum(axis=-1)
    parts = values / np.maximum(sums, np.finfo(np.float64).tiny)[..., np.newaxis]
    weights = np.clip(np.rint(-4 * np.log2(np.maximum(sums, 2**-64))), 0, 255)
    return np.rint(255 * parts).astype(np.uint8), weights.astype(np.uint8)


def _unpacked(parts: npt.NDArray[np.uint8], weights: npt.NDArray[np.uint8]) -> Floats:
    """Return what `_packed` was given, nearly."""
    found: Floats = parts / np.maximum(parts.sum(axis=-1, keepdims=True, dtype=np.float64), 1)
    return found * np.exp2(weights / -4.0)[..., np.newaxis]
