"""The values of all betting sequences against a model of the opponent.

Expectimax over the betting tree: at the opponent's decisions the model's probabilities count, at
one's own the best action, and cards are the own hand's cells, which go on by `Transitions`. What a
street is worth at its start is a table by sequence and cell; a decision searches only its own
street.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird.players.vexbot._kernels_vexbot import fill_showdowns, value_slots, value_street
from railbird.players.vexbot.contexts import Contexts
from railbird.players.vexbot.opponent_model import OpponentModel
from railbird.players.vexbot.own_hand import transitions
from railbird.players.vexbot.settings import OWN_CELLS
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

    def slots(self, place: Place, ahead: Floats) -> Floats:
        """Return the values of the actions at a decision, in the order of its slots.

        ``ahead`` are the chances of the cells of `later`.
        """
        street, sequence, node = place
        part = self.contexts.tree.rounds[street]
        ends = np.zeros((part.ends, 1))
        own = slice(sequence, None, part.sequences)
        ends[own, 0] = self.later[street][own] @ ahead
        slots, nodes = np.empty((part.slots, 1)), np.empty((part.nodes, 1))
        value_slots(
            _parts(self.contexts.tree)[street],
            self.opponent,
            sequence,
            self.chances[street],
            ends,
            self.temperature,
            slots,
            nodes,
        )
        return slots[part.first_slot[node] : part.first_slot[node + 1], 0]


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
