"""Strategies of heads-up limit as probabilities for every holding on every board."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from railbird.baseline import BaselineSettings, cutoffs
from railbird.baseline.kernels import class_action, class_of_rank, preflop_rank
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.game import HEADS_UP_LIMIT
from railbird.odds.rank_tables import open_tables
from railbird.solve.limit.betting_tree import RAISE, BettingRound, BettingTree, betting_tree
from railbird.solve.limit.strategy import LimitStrategy
from railbird.solve.real_game.card_blind import CardBlindStrategy
from railbird.solve.real_game.kernels import fill_rows


class BoardTable(NamedTuple):
    """The actions of every holding on one street."""

    table: npt.NDArray[np.float32]
    """(rows, lanes) probabilities, `BettingRound.lane`; contiguous and read-only."""
    rows: npt.NDArray[np.int32]
    """(1326,) the row of each holding; arbitrary for holdings that the board blocks."""


class BoardStrategy(Protocol):
    """A strategy for both seats in which suits are interchangeable."""

    @property
    def tree(self) -> BettingTree:
        """The betting."""

    def on(self, board: npt.NDArray[np.uint8], before: BoardTable | None) -> BoardTable:
        """Return the table for a board of 0, 3, 4 or 5 cards in the order of dealing.

        ``before`` is the table of the street before, None before the flop.
        """


class StatesStrategy:
    """A strategy over the states of a card abstraction."""

    def __init__(self, strategy: LimitStrategy) -> None:
        self.strategy = strategy
        self.tree = strategy.tree
        self._abstraction = strategy.abstraction
        self._tables = [read_only(table) for table in strategy.probabilities]

    def __reduce__(self) -> tuple[type[StatesStrategy], tuple[LimitStrategy]]:
        return StatesStrategy, (self.strategy,)

    def on(self, board: npt.NDArray[np.uint8], before: BoardTable | None) -> BoardTable:
        """Return the street's probabilities, with the holdings' states as rows."""
        states = self._abstraction.next_states(board, None if before is None else before.rows)
        return BoardTable(self._tables[max(len(board) - 2, 0)], states)


class OneRowStrategy:
    """A strategy that does not use its cards."""

    def __init__(self, strategy: CardBlindStrategy) -> None:
        self.strategy = strategy
        self.tree = strategy.tree
        rows = np.zeros(HOLDINGS, dtype=np.int32)
        self._tables = [
            BoardTable(read_only(table.reshape(1, -1)), rows) for table in strategy.probabilities
        ]

    def __reduce__(self) -> tuple[type[OneRowStrategy], tuple[CardBlindStrategy]]:
        return OneRowStrategy, (self.strategy,)

    def on(self, board: npt.NDArray[np.uint8], before: BoardTable | None) -> BoardTable:
        """Return the street's row."""
        return self._tables[max(len(board) - 2, 0)]


def read_only(table: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
    """Return a table as kernels expect it, read-only; tables mapped from files are so already."""
    view = np.ascontiguousarray(table, dtype=np.float32).view()
    view.flags.writeable = False
    return view


# The baseline of DIVAT as a strategy for every holding on every board.


class BaselineStrategy:
    """The baseline's strategy, which bets effective hand ranks for value; see `railbird.baseline`.

    A row of a street's table is a range of ranks between neighbouring thresholds of the policy;
    thresholds of folding after any betting are among these.
    """

    def __init__(self, settings: BaselineSettings) -> None:
        self.settings = settings
        self.tree: BettingTree = betting_tree(HEADS_UP_LIMIT)
        self._ranks = open_tables()
        self._bettable = cutoffs(settings).bettable.tolist()
        streets = [
            _street(settings, street, betting_round)
            for street, betting_round in enumerate(self.tree.rounds)
        ]
        self._cuts = [cuts for cuts, _ in streets]
        self._tables = [read_only(table) for _, table in streets]
        self._preflop = np.empty(HOLDINGS, dtype=np.int32)
        for kind in range(CLASSES):
            ihr, hr7 = self._ranks.preflop_ihr[kind], self._ranks.preflop_hr7[kind]
            rank = preflop_rank(int(ihr), int(hr7), self._bettable[0])
            reached = np.searchsorted(self._cuts[0], rank, side="right")
            self._preflop[kind == CLASS_OF_HOLDING] = reached

    def __reduce__(self) -> tuple[type[BaselineStrategy], tuple[BaselineSettings]]:
        return BaselineStrategy, (self.settings,)

    def on(self, board: npt.NDArray[np.uint8], before: BoardTable | None) -> BoardTable:
        """Return the street's probabilities, all 0 or 1, and the row of each holding's rank."""
        if not len(board):
            return BoardTable(self._tables[0], self._preflop)
        street, ranks = len(board) - 2, self._ranks
        rows = np.empty(HOLDINGS, dtype=np.int32)
        if street == 1:
            index = index_of_3(*board)
            start, pattern = ranks.flop_start[index], ranks.flop_pattern[index]
            self._fill(board, start, pattern, ranks.flop_ihr, ranks.flop_hr7, rows)
        elif street == 2:
            index = index_of_4(*board)
            start, pattern = ranks.turn_start[index], ranks.turn_pattern[index]
            self._fill(board, start, pattern, ranks.turn_ihr, ranks.turn_hr7, rows)
        else:
            index = index_of_5(*board)
            start, pattern = ranks.river_start[index], ranks.river_pattern[index]
            self._fill(board, start, pattern, ranks.river_ihr, ranks.river_ihr, rows)
        return BoardTable(self._tables[street], rows)

    def _fill(
        self,
        board: npt.NDArray[np.uint8],
        start: np.int32,
        pattern: np.uint8,
        ihr: npt.NDArray[np.integer],
        hr7: npt.NDArray[np.integer],
        rows: npt.NDArray[np.int32],
    ) -> None:
        street = len(board) - 2
        bettable, cuts = self._bettable[street], self._cuts[street]
        fill_rows(board, int(start), COLUMN[pattern], ihr, hr7, bettable, cuts, rows)


def _street(
    settings: BaselineSettings, street: int, betting_round: BettingRound
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Return a street's thresholds, and the probabilities of the ranges between them."""
    contributions = betting_round.before // HEADS_UP_LIMIT.bet_sizes[0]
    limits = cutoffs(settings)
    folds = limits.fold[street, contributions]
    cuts = np.unique(np.concatenate([limits.make[street], folds]))
    table = np.zeros(
        (len(cuts) + 1, betting_round.slots, betting_round.sequences), dtype=np.float32
    )
    bets = np.full(betting_round.nodes, int(street == 0))
    for slot in np.flatnonzero(betting_round.child >= 0):
        bets[betting_round.child[slot]] = bets[betting_round.node[slot]] + (
            betting_round.kind[slot] == RAISE
        )
    for row in range(len(cuts) + 1):
        rank = int(cuts[row - 1]) if row else -1
        for contribution in np.unique(contributions):
            own = class_of_rank(rank, street, int(contribution), limits.make, limits.fold)
            after = contributions == contribution
            for node in range(betting_round.nodes):
                slots = np.arange(
                    betting_round.first_slot[node], betting_round.first_slot[node + 1]
                )
                kinds = betting_round.kind[slots].tolist()
                chosen = class_action(own, int(bets[node]), 0 in kinds)
                table[row, slots[kinds.index(chosen)], after] = 1
    return cuts, table.reshape(len(table), -1)
