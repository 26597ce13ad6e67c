"""What Vexbot has seen of its opponent: counts of actions and of hands shown, by context.

An action counts on every level of its decision context, and a hand in a showdown, by its rank on
the river, on every level of its showdown context. A hand that was folded counts in no showdown: it
is unknown, not weak. One that was mucked in a showdown was beaten, and counts in parts for what it
may have been: if only hands that are shown counted, opponents would seem to win with everything.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._files import atomic_write
from railbird.players.vexbot._kernels_vexbot import estimate_rows
from railbird.players.vexbot.contexts import Contexts, Rows
from railbird.players.vexbot.settings import PRIOR_WEIGHT, RANK_CELLS, STRENGTHS

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_FILE = "prior.npz"
_KINDS = 3
_STRENGTHS = np.array(STRENGTHS)


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """Probabilities where nothing has been observed, by group of the coarsest level."""

    actions: Floats
    """(groups of decisions, 3)."""
    ranks: Floats
    """(groups of showdowns, `RANK_CELLS`)."""
    by_cell: Floats
    """(groups of decisions, `HOLDING_CELLS`, 3): actions with each cell of holdings."""


@dataclass(slots=True, eq=False)
class OpponentModel:
    """Counts of one opponent; starts with none."""

    contexts: Contexts
    prior: Prior
    kept: float = 0.0
    """What each observation at one level leaves to the coarser ones; 0 finds out how much."""
    observations: int = field(default=0, init=False)
    """Actions and hands that were shown."""
    actions: Counts = field(init=False)
    """(groups of all levels, 3)."""
    ranks: Floats = field(init=False)
    """(groups of all levels, `RANK_CELLS`)."""
    _expected: Floats | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        decisions, showdowns = self.contexts.decision_rows, self.contexts.showdown_rows
        self.actions = np.zeros((len(decisions.parent), _KINDS), dtype=np.int64)
        self.ranks = np.zeros((len(showdowns.parent), RANK_CELLS))

    def saw_action(self, decision: int, kind: int) -> None:
        """Count an action in a decision context."""
        self.actions[self.contexts.decisions[:, decision], kind] += 1
        self.observations += 1

    def saw_rank(self, showdown: int, cell: int) -> None:
        """Count a hand that was shown in a showdown context."""
        self.ranks[self.contexts.showdowns[:, showdown], cell] += 1
        self.observations += 1

    def saw_beaten(self, showdown: int, cell: int) -> None:
        """Count a hand that was mucked because one in this cell beat it.

        Its part in each cell is the one that `rank_chances` gave it when it was last asked.
        """
        if self._expected is None:
            self._expected = self.rank_chances()
        parts = self._expected[showdown, : cell + 1].copy()
        parts[cell] /= 2  # half of those in the same cell are worse
        if (total := parts.sum()) > 0:
            self.ranks[self.contexts.showdowns[:, showdown], : cell + 1] += parts / total
            self.observations += 1

    def action_chances(self) -> Floats:
        """Return (decisions, 3) what the opponent is expected to do."""
        return self._estimates(self.actions, self.contexts.decision_rows, self.prior.actions)

    def rank_chances(self) -> Floats:
        """Return (2 * showdowns, `RANK_CELLS`) what the opponent is expected to show."""
        self._expected = self._estimates(self.ranks, self.contexts.showdown_rows, self.prior.ranks)
        return self._expected

    def _estimates(self, counts: Counts | Floats, rows: Rows, prior: Floats) -> Floats:
        """Return the estimates of the finest level, whose rows are the contexts."""
        found = np.empty(counts.shape)
        estimate_rows(counts, rows.parent, rows.start, prior, self.kept, _STRENGTHS, found)
        return found[: rows.start[1]]

    def seen(self, decision: int) -> list[int]:
        """Return how often the opponent acted in a decision context, by level."""
        seen: list[int] = self.actions[self.contexts.decisions[:, decision]].sum(axis=1).tolist()
        return seen


@lru_cache(maxsize=8)
def shipped_prior(contexts: Contexts) -> Prior:
    """Return the prior that comes with the package: counts of an equilibrium's play."""
    source = files("railbird.players.vexbot") / "data" / _FILE
    with source.open("rb") as file, np.load(file, allow_pickle=False) as kept:
        return prior_of(contexts, {name: kept[name] for name in kept.files})


def prior_of(contexts: Contexts, counts: dict[str, npt.NDArray[Any]]) -> Prior:
    """Make a prior of counts, to which every possible action and cell is added.

    Groups are found by what they stand for: a game with another cap has some that were not counted.
    """
    actions, ranks = (
        _by_label(rows.labels, counts[keys], counts[values])
        for rows, keys, values in (
            (contexts.decision_rows, "decisions", "actions"),
            (contexts.showdown_rows, "showdowns", "ranks"),
        )
    )
    by_cell = _by_label(contexts.decision_rows.labels, counts["decisions"], counts["by_cell"])
    possible = np.zeros(actions.shape)
    for place, label in enumerate(contexts.decision_rows.labels):
        possible[place, _kinds(contexts, label)] = 1
    tables = (
        (actions + PRIOR_WEIGHT) * possible,
        ranks + PRIOR_WEIGHT,
        (by_cell + PRIOR_WEIGHT) * possible[:, np.newaxis],
    )
    return Prior(*(each / each.sum(axis=-1, keepdims=True) for each in tables))


def _by_label(
    labels: tuple[Hashable, ...], keys: npt.NDArray[Any], values: npt.NDArray[Any]
) -> Floats:
    """Return the values of each label, 0 where it has none."""
    row = {tuple(key): place for place, key in enumerate(keys.tolist())}
    table = np.zeros((len(labels), *values.shape[1:]))
    for place, label in enumerate(labels):
        if label in row:
            table[place] = values[row[label]]
    return table


def _kinds(contexts: Contexts, label: Hashable) -> npt.NDArray[np.int32]:
    """Return the kinds of actions at the decisions of a group."""
    assert isinstance(label, tuple)
    street, node = label
    part = contexts.tree.rounds[street]
    return part.kind[part.first_slot[node] : part.first_slot[node + 1]]


def write_prior(path: Path, model: OpponentModel, by_cell: Floats) -> None:
    """Write a model's coarsest counts as the package has them, those by cell of another one."""
    contexts = model.contexts
    decisions, showdowns = contexts.decision_rows, contexts.showdown_rows
    with atomic_write(path) as part, part.open("wb") as file:
        np.savez_compressed(
            file,
            decisions=np.array(decisions.labels, dtype=np.int16),
            actions=model.actions[decisions.start[-2] :].astype(np.int32),
            showdowns=np.array(showdowns.labels, dtype=np.int16),
            ranks=np.rint(model.ranks[showdowns.start[-2] :]).astype(np.int32),
            by_cell=np.rint(by_cell[decisions.start[-2] :]).astype(np.int32),
        )
