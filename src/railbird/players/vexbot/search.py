"""The values of all betting sequences against a model of the opponent.

Expectimax over the betting tree: at the opponent's decisions the model's probabilities count, at
one's own the best action, and cards are the own hand's cells, which go on by `Transitions`. What a
street is worth at its start is a table by sequence and cell; a decision searches only its own
street, where the opponent's actions are those of its likely holdings on the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird.players.vexbot._kernels_ranges import expect_replies, weights_by_cell
from railbird.players.vexbot._kernels_vexbot import fill_showdowns, value_slots, value_street
from railbird.players.vexbot.contexts import Contexts
from railbird.players.vexbot.opponent_model import OpponentModel
from railbird.players.vexbot.own_hand import Board, chances_ahead, transitions
from railbird.players.vexbot.range_model import Acted, Cells, RangeModel, river_ranks
from railbird.players.vexbot.settings import HOLDING_CELLS, OWN_CELLS
from railbird.solve.limit.betting_tree import BettingTree, Place
from railbird.solve.limit.matrix_cfr import round_arrays

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Values against an opponent in one seat, in chips."""

    contexts: Contexts
    opponent: int
    chances: tuple[Floats, ...]
    """By street (decisions, 3): the opponent's actions."""
    later: tuple[Floats, ...]
    """By street (ends, cells of the next street, on the river of this one): values of its ends."""
    temperature: float
    """In chips; 0 takes the best action."""

    def replies(self, street: int, sequence: int) -> Floats:
        """Return (nodes, 3) the opponent's actions in a round after a sequence."""
        part = self.contexts.tree.rounds[street]
        return np.ascontiguousarray(self.chances[street][sequence :: part.sequences])

    def ends(self, street: int, sequence: int, ahead: Floats) -> Floats:
        """Return the values of the ends of a round after a sequence.

        ``ahead`` are the chances of the cells of `later`.
        """
        part = self.contexts.tree.rounds[street]
        ends: Floats = self.later[street][sequence :: part.sequences] @ ahead
        return ends

    def slots(self, street: int, sequence: int, ends: Floats, replies: Floats) -> Floats:
        """Return the values of all actions of a round after a sequence, by slot."""
        parts, part = _parts(self.contexts.tree)[street], self.contexts.tree.rounds[street]
        slots, nodes = np.empty((part.slots, 1)), np.empty((part.nodes, 1))
        value_slots(
            (part.before[sequence : sequence + 1], *parts[1:]),
            self.opponent,
            0,
            replies,
            ends[:, np.newaxis],
            self.temperature,
            slots,
            nodes,
        )
        return slots[:, 0]

    def in_range(
        self, street: int, sequence: int, chances: Floats, sums: Floats
    ) -> tuple[Floats, Floats]:
        """Return the replies of a range, as `replies` does, and what its showdowns are worth.

        ``chances`` and ``sums`` are as for `expect_replies`; the second result is for the river.
        """
        part = self.contexts.tree.rounds[street]
        replies, margins = np.empty((part.nodes, 3)), np.empty(len(part.end_slot))
        expect_replies(
            _parts(self.contexts.tree)[street],
            self.opponent,
            sequence,
            chances,
            self.contexts.first[street],
            sums,
            replies,
            margins,
        )
        return replies, margins * (part.before[sequence] + part.end_paid)


@dataclass(frozen=True, slots=True, eq=False)
class StreetValues:
    """What a street brings, after the betting and on the board that led to it."""

    replies: Floats
    """(nodes, 3) the opponent's actions."""
    slots: Floats
    """(slots,) values of all actions, in chips."""


def search_street(
    search: Search,
    place: Place,
    board: Board,
    holding: int,
    ranges: RangeModel | None,
    cells: Cells,
    acted: Acted,
) -> StreetValues:
    """Search a street, and by `Search.later` all that may follow.

    With ``ranges`` the opponent does what the holdings do that its actions on earlier streets, of
    those ``acted``, leave likely on the board; on the river they also tell what showdowns are
    worth. ``cells`` are the holdings' on the board.
    """
    street, sequence, _ = place
    ends = search.ends(street, sequence, chances_ahead(board, holding))
    if ranges is None:
        replies = search.replies(street, sequence)
    else:
        weights = ranges.weights(cells, [each for each in acted if each[0] < street], holding)
        last = street + 1 == len(search.later)
        ranks = river_ranks(board) if last else np.empty(0, dtype=np.uint16)
        sums = np.empty((HOLDING_CELLS, 2))
        weights_by_cell(weights, cells[street], ranks, int(ranks[holding]) if last else 0, sums)
        replies, shown = search.in_range(street, sequence, ranges.chances, sums)
        ends = shown if last else ends
    return StreetValues(replies, search.slots(street, sequence, ends, replies))


def searches(model: OpponentModel, temperature: float) -> tuple[Search, Search]:
    """Search against the model's opponent in either seat; ``temperature`` is in chips."""
    contexts = model.contexts
    tree = contexts.tree
    actions, ranks = model.action_chances(), model.rank_chances()
    bounds = [*contexts.first, len(actions)]
    chances = tuple(actions[start:stop] for start, stop in pairwise(bounds))
    last = tree.rounds[-1]
    paid = (last.end_paid[:, np.newaxis] + last.before).ravel().astype(np.float64)
    moves = {2: transitions().river, 1: transitions().turn}
    found = []
    for opponent in (0, 1):
        shown = np.empty((last.ends, OWN_CELLS))
        fill_showdowns(paid, ranks[opponent * last.ends :][: last.ends], shown)
        later = [shown]
        for street in (3, 2, 1):
            part, ends = tree.rounds[street], later[0]
            if street < 3:
                ends = np.ascontiguousarray(ends @ moves[street].T)
            values = np.empty((part.sequences, ends.shape[1]))
            value_street(_parts(tree)[street], opponent, chances[street], ends, temperature, values)
            later.insert(0, values)
        found.append(Search(contexts, opponent, chances, tuple(later), temperature))
    return found[0], found[1]


@lru_cache(maxsize=8)
def _parts(tree: BettingTree) -> tuple[tuple[Any, ...], ...]:
    return tuple(round_arrays(part) for part in tree.rounds)
