"""AIVAT of heads-up limit hands in which one of the players is known.

The unknown player's holding is seen, the known one has a range. What the holding is worth against
it when a card has been dealt is, by a line for each betting sequence
(`railbird.solve.limit.pair_values.Lines`), how it would do in a showdown if nobody bet any more.
That share is exact, and its mean over the next card is what it is before the card: so the luck of a
card is known without a look at the others. From a card to the end of its round every action is
followed, with lines, or exact values, for the ends. On the river nothing is left but showdowns.

So the estimate is the mean value of the deal, plus after each card what the round is worth less
what the line said, plus what the unknown player's actions changed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from railbird.assessment.aivat._kernels_one_known import play_round, showdown_edges
from railbird.assessment.aivat.seats import NO_BOARD, Board, Floats, SeatedPair, Seats
from railbird.assessment.aivat.settings import DEFAULT, Exact
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.errors import BadInput
from railbird.game.rules import BOARD_CARDS
from railbird.odds.equity.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit.betting_tree import FOLD
from railbird.solve.real_game.opponents import BoardTable


class _Played(NamedTuple):
    """A round from the unknown player's side, in small bets."""

    value: float
    """Of all that may happen in it and after it."""
    deviation: float
    """What the unknown player's actions changed."""
    weights: Floats
    """(1326,) of the known player's holdings where it ended."""


class OneKnownScorer(Seats):
    """Estimates of hands in which the same players sit in the same seats, one of them known."""

    def __init__(self, pair: SeatedPair, *, exact: Exact = DEFAULT) -> None:
        """Prepare what does not depend on the hand. Raises `BadInput` unless one is known."""
        super().__init__(pair)
        if all(pair.is_known) or exact is Exact.NEVER:
            raise BadInput("AIVAT by one player's range; allowed: one known, an exact river")
        self.exact = exact
        self._unknown = int(np.argmin(pair.is_known))
        self._lines = pair.values.lines[self._unknown]
        self._sign = 1 if self._unknown == 0 else -1
        self._first = pair.on(NO_BOARD, None)
        matrix = open_matrix()
        self._wins, self._disjoint = matrix.wins, matrix.disjoint
        holdings = [int(np.argmax(each == CLASS_OF_HOLDING)) for each in range(CLASSES)]
        dealt = np.array([self._play_first(each, []).value for each in holdings])
        self.root = self._sign * float(dealt[CLASS_OF_HOLDING].mean())
        """What seat 0 wins a hand by these values, in small bets."""

    def score(self, holdings: Sequence[int], board: Board, actions: Sequence[int]) -> float:
        """Return a hand's estimate for seat 0, in small bets.

        ``holdings`` are those of the seats, of no matter where known; ``board`` are the cards
        dealt; ``actions`` are 0 fold, 1 check or call, 2 bet or raise. It is nan if the known
        player never plays so.
        """
        held = int(holdings[self._unknown])
        paths = self._paths(actions)
        played = self._play_first(held, paths[0])
        found, sequence, boards = played.deviation, 0, self._first
        for street, part in enumerate(self._tree.rounds):
            last = paths[street][-1]
            if street + 1 == len(self._tree.rounds) or part.kind[last] == FOLD:
                break
            sequence += int(np.searchsorted(part.end_slot, last)) * part.sequences
            cards = board[: BOARD_CARDS[street + 1]]
            boards = self.pair.on(cards, boards)
            edges = np.empty(HOLDINGS)
            showdown_edges(held, cards, edges)
            weights = np.where(is_blocked(cards), 0.0, played.weights)
            if not weights.any():
                return math.nan
            played = self._play(street + 1, sequence, boards, held, weights, edges, cards, paths)
            found += played.deviation
            if street + 1 <= self.exact:
                constant, slope = (each[sequence] for each in self._lines[street + 1])
                found += played.value - constant - slope * (weights @ edges) / weights.sum()
        return self.root + self._sign * found if played.weights.any() else math.nan

    def _play_first(self, held: int, path: Sequence[int]) -> _Played:
        """Follow the betting before the flop."""
        wins = self._wins[held].astype(np.int64) - self._wins[:, held]
        weights = self._disjoint[held].astype(np.float64)
        edges = wins / PAIR_BOARDS
        return self._play(0, 0, self._first, held, weights, edges, NO_BOARD, [path])

    def _play(
        self,
        street: int,
        sequence: int,
        boards: Sequence[BoardTable],
        held: int,
        weights: Floats,
        edges: Floats,
        board: Board,
        paths: Sequence[Sequence[int]],
    ) -> _Played:
        """Follow a round's betting, with values for its ends."""
        known, model = boards[1 - self._unknown], boards[self._unknown]
        constant, slope = self._ends(street, sequence, boards, held, weights, board)
        after = weights.copy()
        path = np.array(paths[street], dtype=np.int64)
        value, deviation = play_round(
            self._parts[street],
            sequence,
            known.table,
            known.rows,
            model.table,
            int(model.rows[held]),
            self._unknown,
            weights,
            edges,
            constant,
            slope,
            path,
            after,
        )
        return _Played(value / self._unit, deviation / self._unit, after)

    def _ends(
        self,
        street: int,
        sequence: int,
        boards: Sequence[BoardTable],
        held: int,
        weights: Floats,
        board: Board,
    ) -> tuple[Floats, Floats]:
        """Return (ends,) each what an end of a round is worth in chips, beside and by the edge."""
        part = self._tree.rounds[street]
        if street + 1 == len(self._tree.rounds):
            stakes = (part.before[sequence] + part.end_paid).astype(np.float64)
            return np.zeros(len(stakes)), stakes
        if street == self.exact:
            sides = np.zeros((2, HOLDINGS))
            sides[self._unknown, held] = 1.0
            sides[1 - self._unknown] = weights
            sums, reached = self._after_turn(boards, board, sequence, sides)
            mass = reached[1 - self._unknown].sum(axis=0, dtype=np.float64)
            whole = np.divide(self._sign * sums, mass, out=np.zeros(len(sums)), where=mass > 0)
            return whole, np.zeros(len(sums))
        lanes = np.arange(len(part.end_slot)) * part.sequences + sequence
        constant, slope = self._lines[street + 1]
        return constant[lanes] * self._unit, slope[lanes] * self._unit
