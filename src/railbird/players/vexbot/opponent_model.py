"""What Vexbot has seen of its heads-up limit opponent: actions and shown hands, by context.

`railbird.modelling.opponent_statistics` has what other players count about opponents.

An action is counted on every level of its decision context. A hand in a showdown is counted, by its
rank on the river, on every level of its showdown context. A folded hand is counted in no showdown:
it is unknown, not weak. A mucked hand was beaten, and is counted in parts for all that it may have
been. If only shown hands were counted, opponents would seem to win with everything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird._files import read_arrays, write_arrays
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, HOLDINGS
from railbird.cards.isomorphism import board_index
from railbird.cards.isomorphism_kernels import COLUMN
from railbird.game import HEADS_UP_LIMIT
from railbird.players.equilibrium import tree_of
from railbird.players.vexbot.contexts import (
    CALIBRATIONS,
    CELL_STRENGTH,
    DETAILED_STRENGTH,
    HOLDING_CELLS,
    PRIOR_DOUBT,
    PRIOR_HANDS,
    PRIOR_WEIGHT,
    RANK_CELLS,
    SEARCH_STRENGTH,
    STRENGTH_CELLS,
    STRENGTHS,
    Contexts,
    Rows,
    betting_texts,
    contexts_of,
    transitions,
)
from railbird.players.vexbot.kernels import (
    RIVER_WHOLE,
    calibrate_round,
    count_actions,
    estimate_rows,
    fill_cells,
    weigh,
)
from railbird.solve.abstraction.percentile import open_values
from railbird.solve.limit.matrix_cfr import round_arrays

# What Vexbot expects from an opponent that it has not seen: the play of equilibria.
#
# Two priors come with the package. The coarse one has only the coarsest counts, from a log of
# `equilibrium:small` against itself. The detailed one says how often everything happens when
# `equilibrium:medium` plays against itself, so that every group of contexts has its own prior.


_DATA = files("railbird.players.vexbot") / "data"
_KINDS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """The probabilities before anything is observed, by group, on all levels."""

    actions: Floats
    """(groups of decisions, 3) probabilities of actions."""
    ranks: Floats
    """(groups of showdowns, `RANK_CELLS`) probabilities of hand ranks."""
    by_cell: Floats
    """(groups of decisions, `HOLDING_CELLS`, 3) probabilities of actions with each cell of
    holdings."""


@dataclass(frozen=True, slots=True, eq=False)
class PriorFrequencies:
    """How often per hand a player takes each action and shows each hand, against itself."""

    by_cell: Floats
    """(decisions, `HOLDING_CELLS`, 3) frequencies of actions with each cell of holdings."""
    ranks: Floats
    """(2 * showdowns, `RANK_CELLS`) frequencies of hands that come to a showdown."""


@lru_cache(maxsize=8)
def shipped_priors(contexts: Contexts) -> tuple[Prior, Prior]:
    """Return the coarse and the detailed prior that come with the package."""
    return _coarse(contexts), detail_of(contexts, read_expected(_DATA / "detail.npz"))


def _coarse(contexts: Contexts) -> Prior:
    """Return the prior of the coarsest groups, which finer groups inherit.

    Groups are found by what they stand for, because a game with another cap has some that were not
    counted. `PRIOR_WEIGHT` observations of each possible action and cell are added to the counts.
    """
    counts = read_arrays(_DATA / "prior.npz")
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
    """Return the values of each of the coarsest groups, 0 if it has none."""
    row = {tuple(key): place for place, key in enumerate(keys.tolist())}
    table = np.zeros((len(rows.labels), *values.shape[1:]))
    for place, label in enumerate(rows.labels):
        if label in row:
            table[place] = values[row[label]]
    return table


def _from_coarsest(counts: Floats, rows: Rows) -> Floats:
    """Return for each group, on all levels, the probabilities of its coarsest group."""
    estimates = np.empty((len(rows.parent), *counts.shape[1:]))
    estimates[rows.start[-2] :] = counts / counts.sum(axis=-1, keepdims=True)
    for level in range(len(rows.start) - 3, -1, -1):
        own = slice(rows.start[level], rows.start[level + 1])
        estimates[own] = estimates[rows.parent[own]]
    return estimates


def detail_of(contexts: Contexts, expected: PriorFrequencies) -> Prior:
    """Return a prior from the frequencies in the game with the standard caps.

    A game with other caps shares the frequencies of the same betting. Betting that was never seen
    or is rare takes those of a coarser group.
    """
    here, there = (betting_texts(layout.tree) for layout in (contexts, _counted()))
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
    """Return the place of each of ``wanted`` in ``texts``; -1 if it is missing."""
    place = {text: number for number, text in enumerate(texts)}
    return np.array([place.get(text, -1) for text in wanted])


def _at(places: npt.NDArray[np.int64], values: Floats) -> Floats:
    """Return the values at the given places, 0 where a place is not known."""
    gathered: Floats = values[places]
    gathered[places < 0] = 0
    return gathered


def _possible(contexts: Contexts) -> Floats:
    """Return 1 for the actions that each decision has, otherwise 0, (decisions, 3)."""
    by_round = []
    for part in contexts.tree.rounds:
        here = np.zeros((part.nodes, _KINDS))
        here[part.node, part.kind] = 1
        by_round.append(np.repeat(here, part.sequences, axis=0))
    return np.concatenate(by_round)


def _on_all_levels(
    expected: Floats, possible: Floats, groups: npt.NDArray[np.int32], rows: Rows
) -> Floats:
    """Return the probabilities in all groups, from the expected frequencies in the contexts."""
    sums = np.zeros((len(rows.parent), *expected.shape[1:]))
    can = np.zeros_like(sums)
    for level in groups:
        np.add.at(sums, level, PRIOR_HANDS * possible * expected)
        can[level] = possible
    can /= can.sum(axis=-1, keepdims=True)
    estimates = can.copy()
    for level in range(len(rows.start) - 2, -1, -1):
        own = slice(rows.start[level], rows.start[level + 1])
        coarser = can[own] if level == len(rows.start) - 2 else estimates[rows.parent[own]]
        estimates[own] = (sums[own] + coarser) / (sums[own].sum(axis=-1, keepdims=True) + 1)
    return (1 - PRIOR_DOUBT) * estimates + PRIOR_DOUBT * can


def read_expected(path: Traversable) -> PriorFrequencies:
    """Read the frequencies that `write_expected` wrote."""
    arrays = read_arrays(path)
    return PriorFrequencies(
        _unpacked(arrays["actions"], arrays["decision_weights"]),
        _unpacked(arrays["ranks"], arrays["showdown_weights"]),
    )


def write_prior(path: Path, contexts: Contexts, counts: Prior) -> None:
    """Write the counts of the coarsest groups in the package's format."""
    decisions, showdowns = contexts.decision_rows, contexts.showdown_rows
    arrays = {
        "decisions": np.array(decisions.labels, dtype=np.int16),
        "actions": np.rint(counts.actions[decisions.start[-2] :]).astype(np.int32),
        "showdowns": np.array(showdowns.labels, dtype=np.int16),
        "ranks": np.rint(counts.ranks[showdowns.start[-2] :]).astype(np.int32),
        "by_cell": np.rint(counts.by_cell[decisions.start[-2] :]).astype(np.int32),
    }
    write_arrays(path, arrays, compressed=True)


def write_expected(path: Path, expected: PriorFrequencies) -> None:
    """Write the frequencies in the package's format, with roughly two digits each."""
    actions, decision_weights = _packed(expected.by_cell)
    ranks, showdown_weights = _packed(expected.ranks)
    arrays = {
        "actions": actions,
        "decision_weights": decision_weights,
        "ranks": ranks,
        "showdown_weights": showdown_weights,
    }
    write_arrays(path, arrays, compressed=True)


def _packed(values: Floats) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return parts (of 255) of the sums over the last axis, and the sums in quarter octaves."""
    sums = values.sum(axis=-1)
    parts = values / np.maximum(sums, np.finfo(np.float64).tiny)[..., np.newaxis]
    weights = np.clip(np.rint(-4 * np.log2(np.maximum(sums, 2**-64))), 0, 255)
    return np.rint(255 * parts).astype(np.uint8), weights.astype(np.uint8)


def _unpacked(parts: npt.NDArray[np.uint8], weights: npt.NDArray[np.uint8]) -> Floats:
    """Return approximately what `_packed` was given."""
    shares: Floats = parts / np.maximum(parts.sum(axis=-1, keepdims=True, dtype=np.float64), 1)
    return shares * np.exp2(weights / -4.0)[..., np.newaxis]


Counts = npt.NDArray[np.int64]

_STRENGTHS = np.array(STRENGTHS)
_LEAST = 1e-6


@dataclass(slots=True, eq=False)
class OpponentCounts:
    """Counts of one opponent's actions and hands, empty at first."""

    contexts: Contexts
    prior: Prior
    detail: Prior
    kept: float = 0.0
    """Weight that each observation at a level leaves to coarser ones; 0 to find it by
    prediction."""
    detailed: bool = False
    """Whether the prior is ``detail``, with all levels, or ``prior``, with only the coarsest; see
    `choose_detail`."""
    observations: int = field(default=0, init=False)
    """Number of actions and of shown hands."""
    actions: Counts = field(init=False)
    """(groups of all levels, 3) counts of actions."""
    ranks: Floats = field(init=False)
    """(groups of all levels, `RANK_CELLS`) counts of shown hands."""
    _expected: Floats | None = field(default=None, init=False)
    _foretold: tuple[Floats, Floats] | None = field(default=None, init=False)
    """Expected frequencies of actions without and with the prior's detail, when last compared."""
    _scores: list[float] = field(default_factory=lambda: [0.0, 0.0], init=False)
    """Logarithms of what each of them gave to all that was seen since."""

    def __post_init__(self) -> None:
        decisions, showdowns = self.contexts.decision_rows, self.contexts.showdown_rows
        self.actions = np.zeros((len(decisions.parent), _KINDS), dtype=np.int64)
        self.ranks = np.zeros((len(showdowns.parent), RANK_CELLS))

    def saw_action(self, decision: int, kind: int) -> None:
        """Count an action in a decision context."""
        if self._foretold is not None:
            for way, expected in enumerate(self._foretold):
                self._scores[way] += math.log(max(expected[decision, kind], _LEAST))
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

    def choose_detail(self) -> None:
        """Begin with the detailed prior if by it actions have been foretold better.

        It tells much of a player who is like an equilibrium, and misleads about one who is not.
        """
        self.detailed = self._scores[1] >= self._scores[0]
        self._foretold = self._actions(None), self._actions(DETAILED_STRENGTH)

    def foretold(self) -> Floats:
        """Return (decisions, 3) how often the opponent does what, as it is foretold best."""
        return self._actions(DETAILED_STRENGTH if self.detailed else None)

    def action_chances(self) -> Floats:
        """Return (decisions, 3) what the opponent is expected to do, as far as it is to be used."""
        return self._actions(SEARCH_STRENGTH if self.detailed else None)

    def rank_chances(self) -> Floats:
        """Return (2 * showdowns, `RANK_CELLS`) what the opponent is expected to show."""
        rows = self.contexts.showdown_rows
        strength, prior = (SEARCH_STRENGTH, self.detail) if self.detailed else (None, self.prior)
        self._expected = self._estimates(self.ranks, rows, prior.ranks, strength)
        return self._expected

    def _actions(self, strength: float | None) -> Floats:
        """Return the expected frequencies of a detailed prior, (decisions, 3), by ``strength``."""
        prior = self.prior if strength is None else self.detail
        return self._estimates(self.actions, self.contexts.decision_rows, prior.actions, strength)

    def _estimates(
        self, counts: Counts | Floats, rows: Rows, prior: Floats, strength: float | None
    ) -> Floats:
        """Return the estimates of the finest level, whose rows are the contexts.

        With a detailed prior a coarser group counts as ``strength`` observations.
        """
        estimates = np.empty(counts.shape)
        detailed = strength is not None
        strengths = _STRENGTHS if strength is None else np.array([strength])
        estimate_rows(
            counts, rows.parent, rows.start, prior, detailed, self.kept, strengths, estimates
        )
        return estimates[: rows.start[1]]

    def seen(self, decision: int) -> list[int]:
        """Return how often the opponent has acted in a decision context, by level."""
        seen: list[int] = self.actions[self.contexts.decisions[:, decision]].sum(axis=1).tolist()
        return seen


# What the opponent does with its holdings, and therefore which ones it may have.
#
# On each street, holdings are grouped into cells of strength. An action is counted for the cells
# that it may have come from: the cell of a hand that was shown, and otherwise all cells that the
# actions, and a muck, leave likely. So a folded hand is not lost: it counts among those that fold
# there.
#
# Guesses must not confirm themselves. Otherwise somebody who raises with everything would long be
# taken for a player who has strong hands. So the cells are scaled until all of them together act
# as often as was counted without regard to cells.


Cells = npt.NDArray[np.int64]
Acted = list[tuple[int, int, int]]
"""The opponent's actions: street, decision context, kind."""

_STREETS = 4
_DETAILED = np.array([CELL_STRENGTH])
_RIVER_EDGES = -(-RIVER_WHOLE * np.arange(1, HOLDING_CELLS) // HOLDING_CELLS)


@dataclass(slots=True, eq=False)
class RangeModel:
    """Counts of actions by cell of the holding, empty at first."""

    contexts: Contexts
    prior: Prior
    detail: Prior
    """The detailed prior, as in `OpponentCounts`."""
    kept: float = 0.0
    """Weight that observations leave to coarser levels, as in `OpponentCounts`."""
    counts: Floats = field(init=False)
    """(groups of all levels, cells, 3) counts of actions."""
    chances: Floats = field(init=False)
    """(decisions, cells, 3) expected frequencies; `estimate` brings them up to date."""

    def __post_init__(self) -> None:
        rows = len(self.contexts.decision_rows.parent)
        self.counts = np.zeros((rows, HOLDING_CELLS, _KINDS))
        self.estimate()

    def estimate(self, direct: Floats | None = None, *, detailed: bool = True) -> None:
        """Update the expectations from the counts, with the detailed or the coarse prior.

        ``direct`` (decisions, 3) is how often the opponent takes each action with all its holdings.
        """
        rows = self.contexts.decision_rows
        cells = np.arange(HOLDING_CELLS)
        parent = (rows.parent[:, np.newaxis] * HOLDING_CELLS + cells).ravel()
        parent[parent < 0] = -1
        estimates = np.empty((len(parent), _KINDS))
        estimate_rows(
            self.counts.reshape(-1, _KINDS),
            parent.astype(np.int32),
            rows.start * np.int32(HOLDING_CELLS),
            (self.detail if detailed else self.prior).by_cell.reshape(-1, _KINDS),
            detailed,
            self.kept,
            _DETAILED if detailed else _STRENGTHS,
            estimates,
        )
        self.chances = estimates.reshape(-1, HOLDING_CELLS, _KINDS)[: rows.start[1]]
        if direct is None:
            return
        tree = self.contexts.tree
        reach = np.broadcast_to(preflop_shares(), (2, 1, HOLDING_CELLS))
        for street, part in enumerate(tree.rounds):
            if street:
                reach = reach @ cell_moves()[street - 1]
            ends = np.empty((2, part.ends, HOLDING_CELLS))
            calibrate_round(
                round_arrays(part),
                direct,
                self.contexts.first[street],
                np.ascontiguousarray(reach),
                CALIBRATIONS,
                self.chances,
                ends,
            )
            reach = ends

    def weights(self, cells: Cells, acted: Acted, own: int) -> Floats:
        """Return the range that actions leave, without what the board and ``own`` block."""
        live: Floats = (cells[-1] >= 0).astype(np.float64)
        live[_holdings_with()[HOLDING_CARDS[own]]] = 0
        weights: Floats = live.copy()
        weigh(self.chances, cells, _array(acted), weights)
        return weights if weights.max() > 0 else live

    def saw_hand(self, cells: Cells, acted: Acted, weights: Floats) -> None:
        """Count a hand's actions for all holdings that it may have been."""
        count_actions(weights, cells, _array(acted), self.contexts.decisions, self.counts)


def _array(acted: Acted) -> Cells:
    return np.array(acted, dtype=np.int64).reshape(-1, 3)


@cache
def preflop_cells() -> Cells:
    """Return the preflop cells, (1326,): equal parts, by the mean cell on the flop."""
    mean = transitions().flop @ np.arange(STRENGTH_CELLS)
    order = np.argsort(mean, kind="stable")
    sizes = np.bincount(CLASS_OF_HOLDING)[order]
    by_class = np.empty(CLASSES, dtype=np.int64)
    by_class[order] = (np.cumsum(sizes) - sizes) * HOLDING_CELLS // HOLDINGS
    cells: Cells = by_class[CLASS_OF_HOLDING]
    return cells


@cache
def preflop_shares() -> Floats:
    """Return which share of all holdings each preflop cell has, (cells,)."""
    shares: Floats = np.bincount(preflop_cells(), minlength=HOLDING_CELLS) / HOLDINGS
    return shares


@cache
def cell_moves() -> tuple[Floats, ...]:
    """Return for each street the chances of the next street's cells, (cells, cells)."""
    tables, cells = transitions(), preflop_cells()
    flop = np.zeros((HOLDING_CELLS, STRENGTH_CELLS))
    np.add.at(flop, cells, tables.flop[CLASS_OF_HOLDING])
    flop /= np.bincount(cells, minlength=HOLDING_CELLS)[:, np.newaxis]
    river = tables.river.reshape(STRENGTH_CELLS, HOLDING_CELLS, -1).sum(axis=2)
    return flop, tables.turn, river


def range_cells(board: npt.NDArray[np.uint8], first_cells: Cells | None = None) -> Cells:
    """Return the cells on all streets of a board, (streets, 1326); -1 for blocked holdings.

    ``first_cells`` are the cells already known for the board's first cards.
    """
    cells = np.zeros((max(len(board) - 1, 1), HOLDINGS), dtype=np.int64)
    known = preflop_cells()[np.newaxis] if first_cells is None else first_cells
    done = len(known)
    cells[:done] = known
    cells[:, _holdings_with()[board]] = -1
    values, tables = open_values(), transitions()
    for street, starts, patterns, entries, edges in (
        (1, values.flop_start, values.flop_pattern, values.flop_hr7_squares, tables.flop_edges),
        (2, values.turn_start, values.turn_pattern, values.turn_hr7_squares, tables.turn_edges),
        (3, values.river_start, values.river_pattern, values.river_ihr, _RIVER_EDGES),
    ):
        if done <= street < len(cells):
            index = board_index(board[: street + 2].tolist())
            fill_cells(entries, int(starts[index]), COLUMN[patterns[index]], edges, cells[street])
    return cells


@cache
def _holdings_with() -> Cells:
    """Return the holdings that contain each card, (52, 51)."""
    by_card = [np.flatnonzero(np.any(card == HOLDING_CARDS, axis=1)) for card in range(52)]
    return np.array(by_card)


def river_ranks(board: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """Return the hand ranks on a board of five cards, (1326,); arbitrary for blocked holdings."""
    values, index = open_values(), board_index(board.tolist())
    ranks: npt.NDArray[np.uint16] = values.river_ihr[
        values.river_start[index] + COLUMN[values.river_pattern[index]]
    ]
    return ranks
