"""What all forms of AIVAT for limit hold'em need to know of two seats."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.assessment.aivat._kernels_subgame import add_river, few_lanes, reach_ends
from railbird.cards import HOLDINGS
from railbird.cards.isomorphism._kernels_isomorphism import CARD_UNDER
from railbird.errors import BadInput
from railbird.game.rules import BOARD_CARDS
from railbird.solve.abstraction._kernels_dealing_order import stabiliser, weights_of_next
from railbird.solve.abstraction.card_abstraction import CardAbstraction
from railbird.solve.limit.betting_tree import FOLD
from railbird.solve.limit.matrix_cfr import round_arrays
from railbird.solve.limit.pair_values import PairValues
from railbird.solve.real_game.opponents import BoardStrategy, BoardTable

Floats = npt.NDArray[np.float64]
Board = npt.NDArray[np.uint8]

DECK: Final = 52
NO_BOARD: Final = np.empty(0, dtype=np.uint8)
_LEFT_FOR_THE_RIVER = 44
_ALL_SUITS = np.ones(len(CARD_UNDER), dtype=np.bool_)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedPair:
    """Who sits where, and what is known of them."""

    strategies: tuple[BoardStrategy, BoardStrategy]
    """By seat; of a player who is not known, a model, which only makes values."""
    is_known: tuple[bool, bool]
    values: PairValues
    abstraction: CardAbstraction
    """Of the values."""

    def __post_init__(self) -> None:
        if not any(self.is_known):
            raise BadInput("AIVAT with no strategy known; allowed: one or both")

    def on(self, board: Board, before: Sequence[BoardTable] | None) -> tuple[BoardTable, ...]:
        """Return what both do on a board, from what they do on the street before."""
        first, second = self.strategies
        earlier = (None, None) if before is None else before
        found = first.on(board, earlier[0])
        return found, found if second is first else second.on(board, earlier[1])


class Seats:
    """The betting tree as kernels take it, and what follows the turn."""

    def __init__(self, pair: SeatedPair) -> None:
        self.pair = pair
        self._tree = pair.strategies[0].tree
        self._unit = self._tree.chips_per_unit
        self._is_known = np.array(pair.is_known)
        self._parts = [round_arrays(part) for part in self._tree.rounds]
        self._slots = [
            [
                {int(part.kind[s]): s for s in range(part.first_slot[n], part.first_slot[n + 1])}
                for n in range(part.nodes)
            ]
            for part in self._tree.rounds
        ]
        turn, river = self._tree.rounds[2:]
        vectors = river.nodes + 2 * (len(river.end_slot) + len(river.fold_slot)) + 1
        self._room_size = vectors * HOLDINGS * len(turn.end_slot)
        self._rooms = threading.local()

    def _paths(self, actions: Sequence[int]) -> list[list[int]]:
        """Return by street the slots of the actions."""
        found: list[list[int]] = []
        street = node = 0
        for kind in actions:
            if street == len(found):
                found.append([])
            slot = self._slots[street][node][kind]
            found[-1].append(slot)
            node = int(self._tree.rounds[street].child[slot])
            if node < 0:
                street, node = street + 1, 0
        return found

    def decisions(
        self, seat: int, holding: int, board: Board, actions: Sequence[int]
    ) -> Iterator[tuple[int, Floats]]:
        """Yield the action of each decision of a seat, and (3,) the chances of all three.

        Decisions to which its strategy never comes with this holding are left out.
        """
        sequence, boards = 0, None
        for street, path in enumerate(self._paths(actions)):
            part, node = self._tree.rounds[street], 0
            boards = self.pair.on(board[: BOARD_CARDS[street]], boards)
            row = boards[seat].table[boards[seat].rows[holding]]
            for slot in path:
                slots = np.arange(part.first_slot[node], part.first_slot[node + 1])
                shares = row[slots * part.sequences + sequence].astype(np.float64)
                if part.player[node] == seat and shares.sum() > 0:
                    chances = np.zeros(3)
                    chances[part.kind[slots]] = shares / shares.sum()
                    yield int(part.kind[slot]), chances
                node = int(part.child[slot])
            if part.kind[path[-1]] != FOLD:
                sequence += int(np.searchsorted(part.end_slot, path[-1])) * part.sequences

    def _after_turn(
        self, turn: Sequence[BoardTable], board: Board, sequence: int, sides: Floats
    ) -> tuple[Floats, npt.NDArray[np.float32]]:
        """Return (ends of the turn,) the sums over pairs of what they are worth, and the weights.

        ``sides`` (2, 1326) are the weights when the turn comes; those returned (2, 1326, ends) are
        where it ends. Sums are to seat 0, in chips.
        """
        part, river = self._tree.rounds[2], self._tree.rounds[3]
        ends = len(part.end_slot)
        lanes = np.arange(ends) * part.sequences + sequence
        before = np.zeros((2, HOLDINGS, ends), dtype=np.float32)
        reach_ends(
            self._parts[2],
            sequence,
            tuple(each.table for each in turn),
            np.stack([each.rows for each in turn]),
            self._is_known,
            sides,
            before,
        )
        few = (river.before[lanes], *self._parts[3][1:])
        if not hasattr(self._rooms, "room"):
            self._rooms.room = np.empty(self._room_size, dtype=np.float32)
        tables: list[npt.NDArray[np.float32]] = []
        values, weights = np.zeros(ends), np.ones(DECK, dtype=np.int64)
        if self._is_known.all():
            weights_of_next(
                board, stabiliser(board[3:], stabiliser(board[:3], _ALL_SUITS)), weights
            )
        else:
            weights[board] = 0
        for card in np.flatnonzero(weights).astype(np.uint8):
            whole = np.append(board, card)
            boards = self.pair.on(whole, turn)
            if not tables:
                tables = [self._few(each.table, lanes, river.sequences) for each in boards]
            add_river(
                few,
                tuple(tables),
                np.stack([each.rows for each in boards]),
                whole,
                before,
                self._rooms.room,
                float(weights[card]),
                values,
            )
        return values / _LEFT_FOR_THE_RIVER, before

    def _few(
        self, table: npt.NDArray[np.float32], lanes: npt.NDArray[np.int64], stride: int
    ) -> npt.NDArray[np.float32]:
        few = np.empty((len(table), table.shape[1] // stride * len(lanes)), dtype=np.float32)
        few_lanes(table, lanes, stride, few)
        few.flags.writeable = False
        return few
