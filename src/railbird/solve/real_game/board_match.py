"""Plays two strategies of heads-up limit against each other, exactly on each of some boards."""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from railbird.errors import BadInput
from railbird.game.rules import BOARD_CARDS
from railbird.solve.limit.matrix_cfr import round_arrays
from railbird.solve.limit.sampling import chunk_bounds, holdings_left
from railbird.solve.limit.sampling_kernels import GROUP
from railbird.solve.real_game.kernels import StreetScratch, StreetSide, play_board
from railbird.solve.real_game.opponents import BoardStrategy, BoardTable
from railbird.solve.simd_kernels import WIDTH, aligned

_DECK = 52


class BoardMatch:
    """Values ``own`` against a strategy, in both seats, on boards of five cards."""

    def __init__(
        self, own: BoardStrategy, strategy: BoardStrategy, *, missing: tuple[int, ...] = ()
    ) -> None:
        """Allocate memory that is reused for all boards; ``missing`` are cards that the deck lacks.

        Raises `BadInput` for strategies for different games, or another number of streets than
        four.
        """
        tree = strategy.tree
        if len(tree.rounds) != len(BOARD_CARDS):
            raise BadInput(f"betting of {len(tree.rounds)} rounds; allowed: {len(BOARD_CARDS)}")
        if own.tree.betting != tree.betting:
            raise BadInput("strategies for different games; allowed: equal blinds, bets and caps")
        self._players = own, strategy
        self._dead = np.array(missing, dtype=np.uint8)
        self._tree, self._bounds = tree, chunk_bounds(tree)
        self._parts = [round_arrays(betting_round) for betting_round in tree.rounds]
        left = _DECK - len(missing) - BOARD_CARDS[-1]
        self._holdings = comb(left, 2)
        self._games = self._holdings * comb(left - 2, 2) * tree.chips_per_unit
        # Zeroed only once: nothing writes to the lanes that pad vectors.
        self._reach = [
            [aligned(len(bounds) - 1, self._holdings, WIDTH) for bounds in self._bounds]
            for _ in self._players
        ]
        self._leaves = [[aligned(0, leaves, WIDTH) for leaves in self._ends] for _ in self._players]
        self._scratch = tuple(
            StreetScratch(
                aligned(betting_round.nodes, WIDTH),
                aligned(WIDTH),
                aligned(self._holdings, WIDTH),
                aligned(GROUP * (_DECK + 1), WIDTH),
                aligned(leaves, WIDTH),
            )
            for betting_round, leaves in zip(tree.rounds, self._ends, strict=True)
        )

    @property
    def _ends(self) -> list[int]:
        return [
            len(betting_round.fold_slot) + len(betting_round.end_slot)
            for betting_round in self._tree.rounds
        ]

    def on_boards(self, boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
        """Return the winnings per game in small bets, (boards, seats).

        They are means over all pairs of holdings that a board leaves, by ``own``'s seat.
        """
        return np.array([self._on_board(board) for board in boards]) / self._games

    def _on_board(self, board: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
        order, deal = holdings_left(board, self._dead)
        own, opponent = (self._sides(player, board, order) for player in range(2))
        won = np.zeros(2)
        play_board(own, opponent, deal, self._scratch, won)
        return won

    def _sides(
        self, player: int, board: npt.NDArray[np.uint8], order: npt.NDArray[np.int64]
    ) -> tuple[StreetSide, ...]:
        sides: list[StreetSide] = []
        board_table: BoardTable | None = None
        for street, cards in enumerate(BOARD_CARDS):
            board_table = self._players[player].on(board[:cards], board_table)
            member, bucket = np.unique(board_table.rows[order], return_inverse=True)
            leaf = self._leaves[player][street]
            if len(leaf) < len(member):
                leaf = aligned(len(member) + len(member) // 4, *leaf.shape[1:])
                self._leaves[player][street] = leaf
            sides.append(
                StreetSide(
                    part=self._parts[street],
                    bounds=self._bounds[street],
                    bucket=bucket.astype(np.int32),
                    member=member.astype(np.int32),
                    table=board_table.table,
                    reach=self._reach[player][street],
                    leaf=leaf,
                )
            )
        return tuple(sides)
