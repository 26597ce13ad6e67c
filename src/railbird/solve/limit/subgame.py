"""The rest of a hand, solved without an abstraction from the ranges that both players come with.

On the street that is solved every holding is its own state. From the turn on rivers are dealt at
random, and there holdings share the states of an abstraction: with states for each river card by
itself, a card would come too rarely to learn anything. On the river nothing is random any more.
Gilpin and Sandholm, "Better automated abstraction techniques for imperfect information games, with
application to Texas Hold'em poker" (2007), solved both streets while playing. The ranges are taken
to be those of the strategy that was played before: nothing keeps an opponent who plays otherwise
from gaining by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import HOLDINGS, Card
from railbird.errors import BadInput
from railbird.solve.abstraction.card_abstraction import (
    CardAbstraction,
    States,
    is_blocked,
    states_on,
)
from railbird.solve.limit.betting_tree import BettingTree, LimitBetting, limit_tree
from railbird.solve.limit.matrix_cfr import normalised
from railbird.solve.limit.sampling._kernels_public_chance import (
    Deal,
    Street,
    add_changes,
    visit_river,
    visit_turn,
)
from railbird.solve.limit.sampling.public_chance import BoardRoom, dealt
from railbird.solve.simd._kernels_lanes import HALF

Ranges = npt.NDArray[np.float64]
"""(2, 1326) each player's reach of a public state by its holdings."""

_TURN_CARDS, _RIVER_CARDS = 4, 5
_DECK = 52


@dataclass(frozen=True, slots=True, eq=False)
class Subgame:
    """What both players do on the first street of the rest of a hand."""

    tree: BettingTree
    """Of the streets that were left; amounts in the chips of the whole game."""
    iterations: int
    table: npt.NDArray[np.float32]
    """(1326, lanes) probabilities on the first street."""

    def shares(self, node: int) -> npt.NDArray[np.float64]:
        """Return (1326, actions) what all holdings do at a decision of the first street."""
        first, last = self.tree.rounds[0].first_slot[node : node + 2]
        found: npt.NDArray[np.float64] = self.table[:, first:last].astype(np.float64)
        return found


def rest_of(tree: BettingTree, street: int, sequence: int) -> BettingTree:
    """Return the betting from a street on, after the betting sequence that led to it."""
    whole = tree.betting
    return limit_tree(
        LimitBetting(
            posts=(0, 0),
            bet_sizes=whole.bet_sizes[street:],
            most_raises=whole.most_raises[street:],
            first=whole.first[street:],
            ante=int(tree.rounds[street].before[sequence]),
        )
    )


@checked
def solve_subgame(
    tree: BettingTree,
    board: npt.NDArray[np.uint8],
    ranges: Ranges,
    *,
    sequence: int,
    iterations: int,
    abstraction: CardAbstraction,
    seed: int = 0,
) -> Subgame:
    """Solve the turn and the river, or the river alone, after a betting sequence of the whole game.

    ``board`` has four or five cards, in the order of dealing. Iteration t counts t times, in
    regrets and average; from the turn on each deals one river, drawn with ``seed``, on which
    holdings have the states of ``abstraction``. Raises `BadInput` for another board, no iterations,
    or a player without a holding that the board allows.
    """
    if len(board) not in (_TURN_CARDS, _RIVER_CARDS):
        raise BadInput(f"a board of {len(board)} cards; allowed: 4, 5")
    if iterations < 1:
        raise BadInput(f"{iterations} iterations; allowed: 1 or more")
    allowed = ranges * ~is_blocked(board)
    most = allowed.max(axis=1, keepdims=True)
    if not (most > 0).all():
        raise BadInput("a player without a holding that the board allows")
    rest = rest_of(tree, len(board) - 2, sequence)
    solver = _Solver(rest, board, (allowed / most).astype(np.float32), abstraction)
    rng = np.random.default_rng(seed)
    rivers = np.setdiff1d(np.arange(_DECK, dtype=np.uint8), board)
    for iteration in range(1, iterations + 1):
        if len(board) == _RIVER_CARDS:
            solver.river(iteration)
        else:
            solver.turn(rivers[int(rng.integers(len(rivers)))], iteration)
    return Subgame(rest, iterations, normalised(solver.sums[0], rest.rounds[0]))


class _Order(NamedTuple):
    """The holdings that a whole board leaves."""

    order: npt.NDArray[np.int64]
    deal: Deal
    states: States
    """(1081,) in this order."""


class _Solver:
    """The tables of the rest of a hand."""

    def __init__(
        self,
        tree: BettingTree,
        board: npt.NDArray[np.uint8],
        ranges: npt.NDArray[np.float32],
        abstraction: CardAbstraction,
    ) -> None:
        self._board, self._ranges, self._room = board, ranges, BoardRoom(tree)
        self._abstraction = abstraction
        self._before = states_on(abstraction, [Card(int(card)) for card in board[:_TURN_CARDS]])[-1]
        rows = [HOLDINGS, abstraction.states[-1]][: len(tree.rounds)]
        shapes = [(n, part.lanes) for n, part in zip(rows, tree.rounds, strict=True)]
        self.regrets = [np.zeros(shape, dtype=np.float32) for shape in shapes]
        self.sums = [np.zeros(shape, dtype=np.float32) for shape in shapes]
        self._orders: dict[int, _Order] = {}

    def turn(self, river: int, weight: float) -> None:
        """Add an iteration on one river."""
        board = np.append(self._board, np.uint8(river))
        order, deal, states = self._order(board)
        streets = (
            self._room.street(0, self.regrets[0], order.astype(np.int32)),
            self._room.street(1, self.regrets[1], states),
        )
        self._come(streets[0], order)
        visit_turn(*streets, deal, self._room.places)
        self._add(streets, weight)

    def river(self, weight: float) -> None:
        """Add an iteration where all cards are known."""
        order, deal, _ = self._order(self._board)
        street = self._room.street(0, self.regrets[0], order.astype(np.int32))
        self._come(street, order)
        visit_river(street, deal, self._room.places[0])
        self._add((street,), weight)

    def _order(self, board: npt.NDArray[np.uint8]) -> _Order:
        key = int(board[-1])
        if key not in self._orders:
            order, deal = dealt(board, board[:0])
            states = self._abstraction.next_states(board, self._before)[order]
            self._orders[key] = _Order(order, deal, states)
        return self._orders[key]

    def _come(self, street: Street, order: npt.NDArray[np.int64]) -> None:
        """Put both ranges at the start of the street, whose only sequence is the first lane."""
        for seat in (0, 1):
            street.reach[0, :, seat * HALF] = self._ranges[seat, order]

    def _add(self, streets: tuple[Street, ...], weight: float) -> None:
        for number, street in enumerate(streets):
            regrets, sums = self.regrets[number], self.sums[number]
            change = street.regret_change, street.member, weight, 0, len(regrets)
            add_changes(regrets, *change)
            add_changes(sums, street.sum_change, *change[1:])
