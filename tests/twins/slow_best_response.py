"""A best response by walking the whole public tree, one betting sequence and board at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS, HOLDINGS, Card
from railbird.cards.hand_strength import strength
from railbird.solve.limit import BettingRound, BettingTree, DecisionPlace
from railbird.solve.real_game.opponents import BoardStrategy, BoardTable

Vector = npt.NDArray[np.float64]


class SlowBestResponse:
    """What the best response in a seat wins, with all boards of a small deck told apart.

    Or what ``own`` wins there, if it is played before the street ``own_until``.
    """

    def __init__(
        self,
        strategy: BoardStrategy,
        player: int,
        cards: list[int],
        own: BoardStrategy | None = None,
        own_until: int = 4,
    ) -> None:
        self.strategy, self.player, self.cards, self.own = strategy, player, cards, own
        self.own_until = own_until
        in_deck = np.isin(HOLDING_CARDS, cards).all(axis=1)
        self.holdings = np.flatnonzero(in_deck)
        self.pairs = HOLDING_CARDS[self.holdings].astype(int)
        shared = self.pairs[:, np.newaxis, :, np.newaxis] == self.pairs[:, np.newaxis, :]
        self.disjoint = (~shared.any(axis=(2, 3))).astype(float)
        self.tables: dict[tuple[BoardStrategy, tuple[int, ...]], BoardTable] = {}
        self.wins: dict[tuple[int, ...], Vector] = {}
        tree = strategy.tree
        self.after = cache(lambda place, kind: tree.step(place, kind))

    def value(self) -> float:
        """Return small bets a game."""
        tree = self.strategy.tree
        values = self._at(tree.root, (), np.ones(len(self.holdings)))
        deals = comb(len(self.cards), 2) * comb(len(self.cards) - 2, 2)
        return float(values.sum()) / deals / tree.chips_per_unit

    def _at(self, place: DecisionPlace, board: tuple[int, ...], reach: Vector) -> Vector:
        tree, (street, sequence, node) = self.strategy.tree, place
        part = tree.rounds[street]
        own = part.player[node] == self.player
        table, rows = self._table(self.strategy, board)
        results, shares = [], []
        for slot in range(part.first_slot[node], part.first_slot[node + 1]):
            lane = part.lane(slot, sequence)
            reached = reach if own else reach * table[rows[self.holdings], lane]
            results.append(self._result(place, slot, bool(own), board, reached))
            if own and self.own is not None and street < self.own_until:
                table_of_own, rows_of_own = self._table(self.own, board)
                shares.append(table_of_own[rows_of_own[self.holdings], lane])
        if shares:
            results = [share * result for share, result in zip(shares, results, strict=True)]
        best = own and not shares
        total: Vector = np.max(results, axis=0) if best else np.sum(results, axis=0)
        return total

    def _result(
        self, place: DecisionPlace, slot: int, own: bool, board: tuple[int, ...], reach: Vector
    ) -> Vector:
        tree: BettingTree = self.strategy.tree
        part = tree.rounds[place.street]
        kind = int(part.kind[slot])
        before = int(part.before[place.sequence])
        if kind == 0:
            paid = before + int(part.fold_paid[part.fold_slot.tolist().index(slot)])
            folded: Vector = (-paid if own else paid) * (self.disjoint @ reach)
            return folded
        after = self.after(place, kind)
        if after is None:
            paid = before + int(part.end_paid[part.end_slot.tolist().index(slot)])
            shown: Vector = paid * (self._showdown(board) @ reach)
            return shown
        if after.street == place.street:
            return self._at(after, board, reach)
        total = np.zeros(len(reach))
        left = [card for card in self.cards if card not in board]
        more = list(combinations(left, 3 if after.street == 1 else 1))
        for dealt in more:
            free = ~np.isin(self.pairs, dealt).any(axis=1)
            total += free * self._at(after, board + dealt, reach * free)
        return total / comb(len(left) - 4, len(more[0]))

    def _table(self, strategy: BoardStrategy, board: tuple[int, ...]) -> BoardTable:
        if (strategy, board) not in self.tables:
            earlier = board[:-1] if len(board) > 3 else ()
            before = self._table(strategy, earlier) if board else None
            table = strategy.on(np.array(board, dtype=np.uint8), before)
            self.tables[strategy, board] = table
        return self.tables[strategy, board]

    def _showdown(self, board: tuple[int, ...]) -> Vector:
        if board not in self.wins:
            live = ~np.isin(self.pairs, board).any(axis=1)
            ranks = np.zeros(len(self.pairs), dtype=int)
            for k in np.flatnonzero(live):
                ranks[k] = strength([Card(int(card)) for card in (*self.pairs[k], *board)])
            better = np.sign(ranks[:, np.newaxis] - ranks)
            self.wins[board] = better * self.disjoint * np.outer(live, live)
        return self.wins[board]


# The rest of a hand after the turn or the river, by whole matrices of pairs of holdings.


Vectors = npt.NDArray[np.float64]
"""(1326, sequences)."""

_SHARED = (HOLDING_CARDS[:, None, :, None] == HOLDING_CARDS[None, :, None, :]).any(axis=(2, 3))
DISJOINT = (~_SHARED).astype(np.float64)


def gap(
    tree: BettingTree,
    board: list[int],
    ranges: Vectors,
    tables: Callable[[list[int]], list[npt.NDArray[np.float32]]],
) -> float:
    """Return what best responses win from a strategy, the mean of both seats as a part of the pot.

    ``tables`` gives, for a whole board, the strategy's rows (1326, lanes) by round of ``tree``.
    """
    own = ranges * ~np.isin(HOLDING_CARDS, board).any(axis=1)
    pairs = own[0] @ DISJOINT @ own[1]
    won = sum(
        own[seat] @ _best_response(tree, board, own[1 - seat], tables, seat) for seat in (0, 1)
    )
    return float(won / pairs / 2 / (2 * tree.rounds[0].before[0]))


def _best_response(
    tree: BettingTree,
    board: list[int],
    reach: npt.NDArray[np.float64],
    tables: Callable[[list[int]], list[npt.NDArray[np.float32]]],
    seat: int,
) -> npt.NDArray[np.float64]:
    first = tree.rounds[0]
    if len(board) == 5:
        return _values(first, tables(board)[0], reach[:, None], seat, _showdowns(board))[:, 0]
    left = [card for card in range(52) if card not in board]
    table = tables([*board, left[0]])[0]
    ends = np.zeros((HOLDINGS, len(first.end_slot)))

    def keep(end: int, reached: Vectors) -> Vectors:
        ends[:, end] = reached[:, 0]
        return np.zeros_like(reached)

    _values(first, table, reach[:, None], seat, keep)
    won = np.zeros_like(ends)
    for card in left:
        free = 1.0 - np.isin(HOLDING_CARDS, [card]).any(axis=1, keepdims=True)
        whole = [*board, card]
        river = tree.rounds[1]
        won += free * _values(river, tables(whole)[1], ends * free, seat, _showdowns(whole))
    won /= len(left) - 4
    return _values(first, table, reach[:, None], seat, lambda end, _: won[:, end : end + 1])[:, 0]


def _values(
    part: BettingRound,
    table: npt.NDArray[np.float32],
    reach: Vectors,
    seat: int,
    later: Callable[[int, Vectors], Vectors] | npt.NDArray[np.float64],
) -> Vectors:
    """Return what a best response wins from the start of a round, by its holding and sequence."""
    count = part.sequences

    def after(slot: int, reached: Vectors, is_own: bool) -> Vectors:
        if part.child[slot] >= 0:
            return at(int(part.child[slot]), reached)
        if slot in part.fold_slot:
            paid = part.before + part.fold_paid[part.fold_slot.tolist().index(slot)]
            folded: Vectors = (-paid if is_own else paid) * (DISJOINT @ reached)
            return folded
        end = part.end_slot.tolist().index(slot)
        if callable(later):
            return later(end, reached)
        shown: Vectors = (part.before + part.end_paid[end]) * (later @ reached)
        return shown

    def at(node: int, reached: Vectors) -> Vectors:
        is_own = part.player[node] == seat
        found = [
            after(
                slot,
                reached if is_own else reached * table[:, slot * count : (slot + 1) * count],
                bool(is_own),
            )
            for slot in range(part.first_slot[node], part.first_slot[node + 1])
        ]
        best: Vectors = np.max(found, axis=0) if is_own else np.sum(found, axis=0)
        return best

    return at(0, reach)


def _showdowns(board: list[int]) -> npt.NDArray[np.float64]:
    """Return (1326, 1326) 1 for a holding that wins against another, -1 for one that loses."""
    live = ~np.isin(HOLDING_CARDS, board).any(axis=1)
    ranks = np.zeros(HOLDINGS)
    for holding in np.flatnonzero(live):
        cards = [Card(int(card)) for card in (*HOLDING_CARDS[holding], *board)]
        ranks[holding] = strength(cards)
    found: Vectors = np.sign(ranks[:, None] - ranks) * DISJOINT * np.outer(live, live)
    return found
