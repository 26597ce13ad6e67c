"""Betting sequences of heads-up limit as contexts, from exact to coarse, in one flat table.

`railbird.solve.limit.betting_tree` has the sequences themselves.

A *decision* context is a decision of the opponent. A *showdown* context is a way to a showdown, as
seen from the opponent's seat. On every level a context belongs to one group. The groups of all
levels are rows of one array, the finest level first, so each row's parent comes after it::

    counts[groups[level, context]]

From fine to coarse, the levels are the exact sequence, the raises of each player on each street,
the raises of each player in total, and finally the position in the street (for decisions) or the
opponent's raises (for showdowns). No level depends on the board.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird._files import read_arrays, write_arrays
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS
from railbird.cards.isomorphism import board_index
from railbird.cards.isomorphism_kernels import COLUMN
from railbird.players.vexbot.kernels import rank_cell, rivers_ahead, strengths_of_deals, turns_ahead
from railbird.solve.abstraction.percentile import open_values
from railbird.solve.limit.betting_tree import RAISE, BettingRound, BettingTree, DecisionPlace

Groups = npt.NDArray[np.int32]
Raises = tuple[tuple[int, int], ...]
"""By street, the raises by seat 0 and by seat 1."""

LEVELS = 4
_LETTERS = "fcr"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The groups of all levels."""

    parent: Groups
    """(rows,) the group of the next coarser level that contains a group; -1 on the coarsest."""
    start: Groups
    """(levels + 1,) the first row of each level."""
    labels: tuple[Hashable, ...]
    """What each row of the coarsest level stands for."""


@dataclass(frozen=True, slots=True, eq=False)
class Contexts:
    """The contexts of a betting tree."""

    tree: BettingTree
    first: tuple[int, ...]
    """By street, its first decision context; contexts go by node, then by sequence."""
    decisions: Groups
    """(levels, decisions) the rows in which actions are counted."""
    showdowns: Groups
    """(levels, 2 * showdowns) the rows in which shown hands are counted, seat 0's first."""
    decision_rows: Rows
    showdown_rows: Rows

    def decision(self, place: DecisionPlace) -> int:
        """Return the context of a decision."""
        sequences = self.tree.rounds[place.street].sequences
        return self.first[place.street] + place.node * sequences + place.sequence

    def showdown(self, place: DecisionPlace, slot: int, seat: int) -> int:
        """Return the context of the showdown after a slot, as seen from a seat."""
        part = self.tree.rounds[place.street]
        end = int(np.searchsorted(part.end_slot, slot))
        return seat * part.ends + end * part.sequences + place.sequence


@lru_cache(maxsize=8)
def contexts_of(tree: BettingTree) -> Contexts:
    """Lay out the contexts of a tree."""
    decisions: list[tuple[Hashable, ...]] = []
    showdowns: tuple[list[tuple[Hashable, ...]], ...] = ([], [])
    first: list[int] = []
    histories: list[Raises] = [()]
    for street, betting_round in enumerate(tree.rounds):
        first.append(len(decisions))
        inside = _raises_in(betting_round)
        for node in range(betting_round.nodes):
            seat = int(betting_round.player[node])
            for sequence, history in enumerate(histories):
                own, theirs = _totals((*history, inside[node]), seat)
                detail = street, node, *history
                decisions.append(
                    ((street, node, sequence), detail, (street, node, own, theirs), (street, node))
                )
        ends = [inside[betting_round.node[slot]] for slot in betting_round.end_slot]
        # Continuation c of sequence s is c * sequences + s of the next street.
        histories = [(*history, end) for end in ends for history in histories]
    for seat in (0, 1):
        for number, history in enumerate(histories):
            seen = tuple((raises[seat], raises[1 - seat]) for raises in history)
            own, theirs = _totals(history, seat)
            showdowns[seat].append(((seat, number), seen, (own, theirs), (own,)))
    decision_groups, decision_rows = _grouped(decisions)
    showdown_groups, showdown_rows = _grouped([*showdowns[0], *showdowns[1]])
    return Contexts(
        tree=tree,
        first=tuple(first),
        decisions=decision_groups,
        showdowns=showdown_groups,
        decision_rows=decision_rows,
        showdown_rows=showdown_rows,
    )


def betting_texts(tree: BettingTree) -> tuple[list[str], list[str]]:
    """Return the actions before each decision context, and those of each way to a showdown."""
    decisions: list[str] = []
    histories = [""]
    for betting_round in tree.rounds:
        inside = [""] * betting_round.nodes
        for slot in range(betting_round.slots):
            if (child := int(betting_round.child[slot])) >= 0:
                inside[child] = (
                    inside[betting_round.node[slot]] + _LETTERS[betting_round.kind[slot]]
                )
        decisions += [history + node for node in inside for history in histories]
        ends = [
            inside[betting_round.node[slot]] + _LETTERS[betting_round.kind[slot]]
            for slot in betting_round.end_slot
        ]
        histories = [history + end + "/" for end in ends for history in histories]
    return decisions, histories


def _raises_in(betting_round: BettingRound) -> list[tuple[int, int]]:
    """Return the raises of both seats that led to each node in its round."""
    raises_to = [(0, 0)] * betting_round.nodes
    for slot in range(betting_round.slots):
        if (child := int(betting_round.child[slot])) >= 0:
            node = int(betting_round.node[slot])
            raises = list(raises_to[node])
            raises[betting_round.player[node]] += betting_round.kind[slot] == RAISE
            raises_to[child] = raises[0], raises[1]
    return raises_to


def _totals(history: Raises, seat: int) -> tuple[int, int]:
    """Return a seat's total raises, and the other seat's."""
    return sum(raises[seat] for raises in history), sum(raises[1 - seat] for raises in history)


def _grouped(keys: Sequence[tuple[Hashable, ...]]) -> tuple[Groups, Rows]:
    """Number the groups of all levels."""
    levels, starts = [], [0]
    labels: tuple[Hashable, ...] = ()
    for column in zip(*keys, strict=True):
        labels = tuple(sorted(set(column)))
        number = {label: row for row, label in enumerate(labels)}
        rows = np.array([number[label] for label in column], dtype=np.int32)
        levels.append(rows + starts[-1])
        starts.append(starts[-1] + len(labels))
    groups = np.array(levels, dtype=np.int32)
    parent = np.full(starts[-1], -1, dtype=np.int32)
    for level in range(LEVELS - 1):
        parent[groups[level]] = groups[level + 1]
    return groups, Rows(parent, np.array(starts, dtype=np.int32), labels)


# Vexbot's defaults and sizes.


class ChoiceRule(Enum):
    """How Vexbot chooses among its own actions, both now and in its search."""

    MIXIMAX = "miximax"
    """Take the action that is worth most."""
    MIXIMIX = "miximix"
    """Mix the actions worth more than giving up, better ones more often."""


RANK_CELLS: Final = 20
"""Number of cells for the opponent's hand rank in showdowns."""

OWN_CELLS: Final = 60
"""Number of cells for Vexbot's own hand rank on the river, a multiple of `RANK_CELLS`."""

STRENGTH_CELLS: Final = 20
"""Number of cells for its own hand on flop and turn, by the mean square of the final hand rank."""

HOLDING_CELLS: Final = 20
"""Number of cells for the opponent's holdings on each street, preflop included."""

STRENGTHS: Final = (2.0, 8.0, 30.0, 100.0, 300.0, 1_000.0, 10_000.0, 1e6)
"""How many observations a coarser level may count as at a finer one. For each level, the one that
predicts best is found during play. The source's rule leaves the coarser levels a weight of 0.95^n
after n observations (Kündig 2010, after Billings 2006); it is the option kept=0.95. It trusts some
twenty shown hands, and never again tries a way of betting that was unlucky in them. So it wins 1.00
small bets per hand from always-call instead of 1.16."""

DETAILED_STRENGTH: Final = 1_000.0
"""How many observations a coarser level counts as under the detailed prior, which says how each
betting sequence differs from others. Finding the number as above would trust rare sequences too
early. When the later hands of a match with equilibrium:small were predicted from its first 1,000 or
10,000, this was the best of `STRENGTHS` on the turn, on the river and in showdowns."""

CELL_STRENGTH: Final = 100.0
"""The same number for the actions of each cell of holdings."""

SEARCH_STRENGTH: Final = 10_000.0
"""The same number where the search looks beyond the present street. It takes the best of many
values there, so even predictions that are good enough on their own would too often be overrated."""

TEMPERATURE: Final = 0.5
"""Small bets by which an action must be better to be chosen e times as often (Miximix). No source
gives a value."""

REFRESH: Final = 0.03
"""The search is repeated when observations have grown by this share since the last one."""

RANGE_REFRESH: Final = 0.1
"""The same share for the model of what the opponent does with its holdings."""

CALIBRATIONS: Final = 8
"""Number of passes after which all holdings together act nearly as often as was counted."""

PRIOR_WEIGHT: Final = 1.0
"""Observations of each possible action and cell that are added to the coarse prior's counts."""

PRIOR_HANDS: Final = 1e6
"""Number of hands that the detailed prior's frequencies are taken to come from. What happens less
than once in so many hands is taken from a coarser group."""

PRIOR_DOUBT: Final = 0.02
"""Part of the detailed prior that is spread evenly over all possible actions and cells."""


# The player's own hand as a cell of strength, and how it may develop.
#
# On the flop and the turn, cells divide all deals by the mean square of the final hand rank; on the
# river, by the hand rank itself. For the next street, the chances of its cells follow exactly from
# the actual cards. Beyond that, only the cell counts: its transitions were counted over random
# deals and come with the package.


Board = npt.NDArray[np.uint8]

_FILE = "own_hand.npz"
_FLOP, _TURN = 3, 4


@dataclass(frozen=True, slots=True, eq=False)
class Transitions:
    """How often each cell is followed by each cell of the next street."""

    flop_edges: npt.NDArray[np.int64]
    """(cells - 1,) ascending limits; a flop entry's cell is the number of limits it reaches."""
    turn_edges: npt.NDArray[np.int64]
    """(cells - 1,) ascending limits for turn entries."""
    flop: Floats
    """(169, cells) chances of the flop's cells for each hand class."""
    turn: Floats
    """(cells, cells) chances of the turn's cells for each of the flop's."""
    river: Floats
    """(cells, own cells) chances of the river's cells for each of the turn's."""

    def write(self, path: Path) -> None:
        """Write the transitions in the package's format."""
        arrays = {
            "flop_edges": self.flop_edges,
            "turn_edges": self.turn_edges,
            "flop": self.flop.astype(np.float32),
            "turn": self.turn.astype(np.float32),
            "river": self.river.astype(np.float32),
        }
        write_arrays(path, arrays, compressed=True)


@cache
def transitions() -> Transitions:
    """Return the transitions that come with the package."""
    source = files("railbird.players.vexbot") / "data" / _FILE
    arrays = read_arrays(source)
    chances = {name: arrays[name].astype(np.float64) for name in ("flop", "turn", "river")}
    for table in chances.values():
        table /= table.sum(axis=1, keepdims=True)  # stored values are rounded
    return Transitions(arrays["flop_edges"], arrays["turn_edges"], **chances)


def count_transitions(rng: np.random.Generator, deals: int) -> Transitions:
    """Count the transitions over random deals."""
    order = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (deals, 1)), axis=1)[:, :7]
    low, high = np.minimum(order[:, 0], order[:, 1]), np.maximum(order[:, 0], order[:, 1])
    number = np.empty((52, 52), dtype=np.int64)
    number[HOLDING_CARDS[:, 0], HOLDING_CARDS[:, 1]] = np.arange(len(HOLDING_CARDS))
    holdings, values = number[low, high], open_values()
    strengths = np.empty((deals, 3), dtype=np.int64)
    strengths_of_deals(
        np.ascontiguousarray(order[:, 2:]),
        holdings,
        values.flop_start,
        values.flop_pattern,
        values.flop_hr7_squares,
        values.turn_start,
        values.turn_pattern,
        values.turn_hr7_squares,
        values.river_start,
        values.river_pattern,
        values.river_ihr,
        strengths,
    )
    parts = np.arange(1, STRENGTH_CELLS) / STRENGTH_CELLS
    flop_edges, turn_edges = (np.quantile(strengths[:, k], parts).astype(np.int64) for k in (0, 1))
    cells = [
        CLASS_OF_HOLDING[holdings],
        np.searchsorted(flop_edges, strengths[:, 0], side="right"),
        np.searchsorted(turn_edges, strengths[:, 1], side="right"),
        np.array([rank_cell(rank, OWN_CELLS) for rank in strengths[:, 2].tolist()]),
    ]
    sizes = CLASSES, STRENGTH_CELLS, STRENGTH_CELLS, OWN_CELLS
    tables = []
    for street in range(3):
        table = np.zeros((sizes[street], sizes[street + 1]))
        np.add.at(table, (cells[street], cells[street + 1]), 1.0)
        tables.append(table / np.maximum(table.sum(axis=1, keepdims=True), 1))
    return Transitions(flop_edges, turn_edges, *tables)


def chances_ahead(board: Board, holding: int) -> Floats:
    """Return the chances of the next street's cells; on the river, 1 for the hand's own cell."""
    if len(board) < _FLOP:
        preflop: Floats = transitions().flop[CLASS_OF_HOLDING[holding]]
        return preflop
    values = open_values()
    if len(board) == _FLOP:
        shares = np.empty(STRENGTH_CELLS)
        turns_ahead(
            board,
            holding,
            values.turn_start,
            values.turn_pattern,
            values.turn_hr7_squares,
            transitions().turn_edges,
            shares,
        )
        return shares
    shares = np.zeros(OWN_CELLS)
    if len(board) == _TURN:
        tables = values.river_start, values.river_pattern, values.river_ihr
        rivers_ahead(board, holding, *tables, shares)
    else:
        shares[river_cell(board, holding, OWN_CELLS)] = 1.0
    return shares


def river_cell(board: Board, holding: int, cells: int) -> int:
    """Return the cell of a holding's rank on the river."""
    values, index = open_values(), board_index(board.tolist())
    place = values.river_start[index] + COLUMN[values.river_pattern[index], holding]
    return int(rank_cell(int(values.river_ihr[place]), cells))
