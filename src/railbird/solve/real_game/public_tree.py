"""Responses to strategies that look at their cards, exactly, on the tree of what is public.

After each board and betting sequence the best response, or what another strategy wins, is found for
all holdings at once, from the opponent's reach of every end by all of its holdings. Boards that a
permutation of the suits maps to each other count once: 1,755 flops, 63,193 turns and 2,554,656
rivers in the order of dealing. What follows a flop does not depend on other flops, and is the unit
of work.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._threads import in_slices
from railbird.cards import HOLDINGS
from railbird.cards.isomorphism._kernels_isomorphism import CARD_UNDER, CHOOSE, HOLDING_UNDER
from railbird.errors import BadInput
from railbird.game.rules import BOARD_CARDS
from railbird.progress import Progress
from railbird.solve._kernels_strength_order import in_order_of_strength
from railbird.solve.abstraction._kernels_dealing_order import stabiliser, weights_of_next
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit.matrix_cfr import round_arrays
from railbird.solve.real_game._kernels_public_tree import reach_street, value_street
from railbird.solve.real_game._kernels_river import add_river
from railbird.solve.real_game.before_flop import BeforeFlop
from railbird.solve.real_game.opponents import BoardStrategy, BoardTable
from railbird.solve.real_game.vectors import Room, lay_out, room_for, take_back

Values = npt.NDArray[np.float64]
Board = npt.NDArray[np.uint8]
Permutations = npt.NDArray[np.bool_]
"""(24,) some of `railbird.cards.isomorphism.boards.SUIT_PERMUTATIONS`."""

Reach = npt.NDArray[np.float32]

_DECK = 52
_STREETS = 4
_LEAST_DECK = 9
"""Two holdings and a board."""


class Flops(NamedTuple):
    """One flop of each class."""

    boards: Board
    """(flops, 3) ascending cards."""
    orbit: npt.NDArray[np.int64]
    """(flops,) the number of flops in its class."""


_Tables = tuple[BoardTable, BoardTable]
"""Of the opponent and of the responder."""


class _Followed(NamedTuple):
    """How the opponent comes through a street."""

    ends: Reach
    """(1326, ends) its reach of the ends by its holding."""
    met: Reach
    """(folds, live holdings, sequences) its reach of folds that meets each holding."""


class PublicTree:
    """What a responder in one seat wins from a strategy in the other, street by street."""

    def __init__(
        self,
        strategy: BoardStrategy,
        *,
        player: int,
        missing: tuple[int, ...] = (),
        own: BoardStrategy | None = None,
    ) -> None:
        """Prepare what happens before the flop.

        ``missing`` are cards that the deck lacks; ``own`` is what the responder plays, its best if
        there is none. Raises `BadInput` for a seat other than 0 and 1, another number of streets
        than four, a deck that is too small, or strategies for different games.
        """
        if player not in (0, 1):
            raise BadInput(f"player {player}; allowed: 0, 1")
        if len(strategy.tree.rounds) != _STREETS:
            raise BadInput(f"betting of {len(strategy.tree.rounds)} rounds; allowed: {_STREETS}")
        if own is not None and own.tree.betting != strategy.tree.betting:
            raise BadInput("strategies for games with different blinds, bets or caps")
        if wrong := [card for card in missing if not 0 <= card < _DECK]:
            raise BadInput(f"card {wrong[0]}; allowed: 0 to {_DECK - 1}")
        self._dead = np.array(sorted(set(missing)), dtype=np.uint8)
        self._deck = _DECK - len(self._dead)
        if self._deck < _LEAST_DECK:
            raise BadInput(f"a deck of {self._deck} cards; allowed: {_LEAST_DECK} or more")
        self._strategy, self._own = strategy, own
        self._opponent = 1 - player
        self._parts = [round_arrays(part) for part in strategy.tree.rounds]
        self._same = stabiliser(self._dead, np.ones(len(CARD_UNDER), dtype=np.bool_))
        self._tables = self._tables_on(np.empty(0, dtype=np.uint8), None)
        start = np.ones((HOLDINGS, 1), dtype=np.float32)
        self._reached = self._follow(0, self._dead, self._tables, start)
        images = HOLDING_UNDER[np.flatnonzero(self._same)].min(axis=0)
        live = self._live(self._dead)
        self.hand_of = np.full(HOLDINGS, -1)
        """(1326,) each holding's hand; -1 for those that the deck lacks."""
        _, first, self.hand_of[live], self._sizes = np.unique(
            images[live], return_index=True, return_inverse=True, return_counts=True
        )
        self.before_flop = self._before_flop(live, live[first])

    def flops(self) -> Flops:
        """Return one flop of each class."""
        cards = np.delete(np.arange(_DECK), self._dead)
        boards = np.array(list(combinations(cards.tolist(), 3)), dtype=np.uint8)
        images = np.sort(CARD_UNDER[self._same][:, boards], axis=-1)
        index = sum(CHOOSE[k + 1, images[..., k]] for k in range(3)).min(axis=0)
        _, first, orbit = np.unique(index, return_index=True, return_counts=True)
        return Flops(boards[first], orbit)

    def after_flop(self, flop: Board) -> Values:
        """Return (hands, sequences) the values of a flop for what can be bet before it.

        A value is the sum over the opponent's holdings of its reach times what is won, in chips,
        and for a hand the mean over its holdings and over the flops of the same class.
        """
        tree = self._strategy.tree
        kept = stabiliser(flop, self._same)
        tables = self._tables_on(flop, self._tables)
        reached = self._follow(1, flop, tables, self._reached.ends)
        later = np.zeros((HOLDINGS, tree.rounds[2].sequences))
        room = room_for(tree.rounds[3])
        for turn, weight in self._next(flop, kept):
            board = np.append(flop, turn)
            same = stabiliser(board[3:], kept)
            later += weight * self._after_turn(board, same, tables, reached.ends, room)
        later = _mean_image(later, kept) / (self._deck - 7)
        values = self._value(1, flop, tables, reached.met, later)
        live = self.hand_of >= 0
        sums = np.zeros((len(self._sizes), values.shape[1]))
        np.add.at(sums, self.hand_of[live], values[live])
        means: Values = sums / self._sizes[:, np.newaxis]
        return means

    def best_on_rivers(self, boards: Board) -> Values:
        """Return (boards,) what the responder wins if it plays its best on the river alone.

        Before, it plays its own strategy. In small bets a game, in the mean over all pairs of
        holdings that a board of five cards leaves. Raises `BadInput` for a responder without a
        strategy.
        """
        if self._own is None:
            raise BadInput("a best response on the river alone; allowed: after a strategy")
        room = room_for(self._strategy.tree.rounds[3])
        left = self._deck - BOARD_CARDS[-1]
        games = comb(left, 2) * comb(left - 2, 2) * self._strategy.tree.chips_per_unit
        return np.array([self._best_on_river(board, room) / games for board in boards])

    def _best_on_river(self, board: Board, room: Room) -> float:
        tables: list[_Tables] = []
        met: list[Reach] = []
        before = np.ones((HOLDINGS, 1), dtype=np.float32)
        for street, cards in enumerate(BOARD_CARDS):
            tables.append(self._tables_on(board[:cards], tables[-1] if tables else None))
            if street + 1 < len(BOARD_CARDS):
                before, folds = self._follow(street, board, tables[street], before)
                met.append(folds)
        happening = lay_out(before, room)
        self._add_river(board, tables[-1], happening, 1.0, room, is_best=True)
        values: npt.NDArray[np.floating] = take_back(room)
        for street in reversed(range(len(met))):
            values = self._value(street, board, tables[street], met[street], values)
        return float(values.sum())

    @property
    def share_of_flops(self) -> float:
        """What turns a mean over all flops into one over those that two holdings leave."""
        return comb(self._deck, 3) / comb(self._deck - 4, 3)

    def _before_flop(self, live: npt.NDArray[np.int64], first: npt.NDArray[np.int64]) -> BeforeFlop:
        part = self._strategy.tree.rounds[0]
        met = np.zeros((len(part.fold_slot), len(self._sizes)))
        for fold, reach in enumerate(self._reached.met[:, :, 0]):
            met[fold] = np.bincount(self.hand_of[live], weights=reach) / self._sizes
        table, rows = self._tables[1]
        own = None if self._own is None else table[rows[first]].T.astype(np.float64)
        pairs = comb(self._deck, 2) * comb(self._deck - 2, 2)
        games = pairs * self._strategy.tree.chips_per_unit
        sizes = self._sizes.astype(np.float64)
        return BeforeFlop(part, 1 - self._opponent, sizes, met, games, own)

    def _tables_on(self, board: Board, before: _Tables | None) -> _Tables:
        """Return the opponent's table of a board and the responder's, the same if it has none."""
        table = self._strategy.on(board, None if before is None else before[0])
        if self._own is None:
            return table, table
        return table, self._own.on(board, None if before is None else before[1])

    def _after_turn(
        self, board: Board, kept: Permutations, before: _Tables, reach: Reach, room: Room
    ) -> Values:
        tables = self._tables_on(board, before)
        ends, met = self._follow(2, board, tables, reach)
        happening = lay_out(ends, room)
        for river, weight in self._next(board, kept) if len(happening) else ():
            whole = np.append(board, river)
            found = self._tables_on(whole, tables)
            self._add_river(whole, found, happening, weight, room, is_best=self._own is None)
        later = _mean_image(take_back(room), kept) / (self._deck - 8)
        return self._value(2, board, tables, met, later)

    def _add_river(
        self,
        board: Board,
        tables: _Tables,
        happening: npt.NDArray[np.int64],
        weight: float,
        room: Room,
        *,
        is_best: bool,
    ) -> None:
        order, begin = in_order_of_strength(board, self._dead)
        add_river(
            self._parts[3],
            self._opponent,
            order,
            begin,
            *tables[0],
            room.reached,
            happening,
            is_best,
            *tables[1],
            weight,
            room.work,
            room.later,
        )

    def _next(self, board: Board, kept: Permutations) -> list[tuple[np.uint8, float]]:
        """Return one card of each class that can follow, and how many it stands for."""
        weights = np.empty(_DECK, dtype=np.int64)
        weights_of_next(np.append(board, self._dead), kept, weights)
        cards = np.flatnonzero(weights)
        return [(np.uint8(card), float(weights[card])) for card in cards]

    def _live(self, board: Board) -> npt.NDArray[np.int64]:
        return np.flatnonzero(~is_blocked(np.append(board, self._dead)))

    def _follow(self, street: int, board: Board, tables: _Tables, before: Reach) -> _Followed:
        """Follow the opponent through a street before the river."""
        part, live = self._strategy.tree.rounds[street], self._live(board)
        ends, met = (
            np.empty((count, len(live), part.sequences), dtype=np.float32)
            for count in (len(part.end_slot), len(part.fold_slot))
        )
        reach_street(self._parts[street], self._opponent, *tables[0], before, live, ends, met)
        reach = np.zeros((HOLDINGS, part.ends), dtype=np.float32)
        reach[live] = ends.transpose(1, 0, 2).reshape(len(live), -1)
        return _Followed(reach, met)

    def _value(
        self,
        street: int,
        board: Board,
        tables: _Tables,
        met: Reach,
        later: npt.NDArray[np.floating],
    ) -> Values:
        """Return the values at the start of a street; ``later`` are those of its ends."""
        part, live = self._strategy.tree.rounds[street], self._live(board)
        values = np.zeros((HOLDINGS, part.sequences))
        by_end = later[live].astype(np.float32, copy=False).reshape(len(live), -1, part.sequences)
        ends = np.ascontiguousarray(by_end.transpose(1, 0, 2))
        value_street(
            self._parts[street],
            self._opponent,
            live,
            self._own is None,
            *tables[1],
            ends,
            met,
            values,
        )
        return values


def _mean_image(
    values: npt.NDArray[np.floating], permutations: Permutations
) -> npt.NDArray[np.floating]:
    """Return the mean of a holding's values and those of its images."""
    chosen = np.flatnonzero(permutations)
    if len(chosen) == 1:
        return values
    total: npt.NDArray[np.floating] = sum(values[HOLDING_UNDER[p]] for p in chosen) / len(chosen)
    return total


@checked
def best_response(
    strategy: BoardStrategy,
    *,
    player: int,
    missing: tuple[int, ...] = (),
    progress: Progress | None = None,
) -> float:
    """Return what a best response in seat ``player`` wins a game, in small bets.

    The mean of both seats is the strategy's exploitability. ``missing`` are cards that the deck
    lacks. With a whole deck it takes hours. Raises what `PublicTree` does.
    """
    return _win(PublicTree(strategy, player=player, missing=missing), progress)


@checked
def expected_win(
    own: BoardStrategy,
    strategy: BoardStrategy,
    *,
    player: int,
    missing: tuple[int, ...] = (),
    progress: Progress | None = None,
) -> float:
    """Return what ``own`` in seat ``player`` wins a game from ``strategy``, in small bets.

    As `best_response`.
    """
    return _win(PublicTree(strategy, player=player, missing=missing, own=own), progress)


def _win(tree: PublicTree, progress: Progress | None) -> float:
    boards, orbit = tree.flops()

    def work(start: int, stop: int) -> Values:
        flops = range(start, stop)
        total: Values = sum(orbit[flop] * tree.after_flop(boards[flop]) for flop in flops)
        return total

    parts = in_slices(work, len(boards), size=1, what="flops", progress=progress)
    after = np.sum(parts, axis=0) / orbit.sum() * tree.share_of_flops
    return tree.before_flop.value(after, tree.before_flop.response(after))
