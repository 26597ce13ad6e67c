"""Strategies whose probabilities are known for every holding on every board."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.solve.limit.betting_tree import BettingTree
from railbird.solve.limit.strategy import LimitStrategy
from railbird.solve.real_game.card_blind import CardBlindStrategy


class BoardTable(NamedTuple):
    """What every holding does on one street."""

    table: npt.NDArray[np.float32]
    """(rows, lanes) probabilities, `BettingRound.lane`; contiguous and read-only."""
    rows: npt.NDArray[np.int32]
    """(1326,) each holding's row; of no matter for those that the board blocks."""


class BoardStrategy(Protocol):
    """A strategy for both seats; suits that are exchanged everywhere change nothing."""

    @property
    def tree(self) -> BettingTree:
        """The betting."""

    def on(self, board: npt.NDArray[np.uint8], before: BoardTable | None) -> BoardTable:
        """Return the table of a board of 0, 3, 4 or 5 cards in the order of dealing.

        ``before`` is that of the street before, None before the flop.
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
        """Return the street's probabilities, and the states as rows."""
        states = self._abstraction.next_states(board, None if before is None else before.rows)
        return BoardTable(self._tables[max(len(board) - 2, 0)], states)


class OneRowStrategy:
    """A strategy that does not look at its cards."""

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
    """Return a table as kernels are compiled for it; files are mapped so anyway."""
    view = np.ascontiguousarray(table, dtype=np.float32).view()
    view.flags.writeable = False
    return view
