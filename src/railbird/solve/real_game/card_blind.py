"""Exact best responses in heads-up limit to strategies that do not use their cards.

`public_tree` does so for strategies that use their cards.

Such an opponent's betting gives no information about its holding, which may be any that the visible
cards leave. So the value of a hand on the river depends only on its rank among those. No public
tree is needed, and the order of dealing does not matter: there are 16,432 classes of four cards
instead of 63,193.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._threads import in_slices
from railbird.cards import CLASS_OF_HOLDING
from railbird.cards.isomorphism import BOARD_CLASSES, board_classes
from railbird.cards.isomorphism_kernels import extension_indices
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT
from railbird.progress import Progress
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.abstraction.percentile import open_values
from railbird.solve.limit.betting_tree import CALL, FOLD, RAISE, BettingTree, betting_tree
from railbird.solve.real_game.kernels import mean_over_rivers, mean_over_turns
from railbird.solve.simd_kernels import WIDTH, aligned

Values = npt.NDArray[Any]
"""Double precision, but single for values of all holdings on all boards of four cards."""

_DECK = 52
_RANKS = 1981
_BOARDS_A_SLICE = 32
_FLOPS_A_SLICE = 32
_FLOPS_OF_A_HOLDING = 19_600
_STREETS = 4
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class CardBlindStrategy:
    """Probabilities of actions that depend on the betting alone, for both seats."""

    tree: BettingTree
    probabilities: tuple[Values, ...]
    """By street (slots, sequences): the probability of each slot's action after each sequence."""

    def __post_init__(self) -> None:
        wanted = [
            (betting_round.slots, betting_round.sequences) for betting_round in self.tree.rounds
        ]
        if [table.shape for table in self.probabilities] != wanted:
            raise BadInput(f"probabilities of other shapes than {wanted}")
        for betting_round, table in zip(self.tree.rounds, self.probabilities, strict=True):
            totals = np.add.reduceat(table, betting_round.first_slot[:-1], axis=0)
            if not (np.all(table >= 0) and np.allclose(totals, 1, rtol=0, atol=_TOLERANCE)):
                raise BadInput("actions whose probabilities do not add up to 1")


@checked
def always(kind: int, tree: BettingTree | None = None) -> CardBlindStrategy:
    """Return the strategy that always folds, calls or raises (0, 1 or 2), or else checks or calls.

    The default of ``tree`` is `railbird.game.HEADS_UP_LIMIT`.
    """
    if kind not in (FOLD, CALL, RAISE):
        raise BadInput(f"action {kind}; allowed: {FOLD}, {CALL}, {RAISE}")
    weights = [float(kind == action) for action in (FOLD, CALL, RAISE)]
    return by_weights((weights[0], weights[1], weights[2]), tree)


@checked
def by_weights(
    weights: tuple[float, float, float], tree: BettingTree | None = None
) -> CardBlindStrategy:
    """Return the strategy that draws actions by weight, and calls if all possible ones have none.

    The default of ``tree`` is `railbird.game.HEADS_UP_LIMIT`. Raises `BadInput` for negative
    weights.
    """
    if min(weights) < 0:
        raise BadInput(f"weights {weights}; allowed: 0 or more")
    tree = tree or betting_tree(HEADS_UP_LIMIT)
    tables = []
    for betting_round in tree.rounds:
        wanted = np.array(weights)[betting_round.kind]
        total = np.add.reduceat(wanted, betting_round.first_slot[:-1])[betting_round.node]
        chosen = np.where(
            total > 0, wanted / np.where(total > 0, total, 1), betting_round.kind == CALL
        )
        tables.append(np.repeat(chosen[:, np.newaxis], betting_round.sequences, axis=1))
    return CardBlindStrategy(tree, tuple(tables))


@checked
def best_response_to_card_blind(
    strategy: CardBlindStrategy,
    *,
    player: int,
    known: Mapping[int, Values] | None = None,
    keep: Callable[[int, Values], None] | None = None,
    progress: Progress | None = None,
) -> float:
    """Return the winnings of a best response in seat ``player``, in small bets a game.

    The mean over both seats is the strategy's exploitability. The computation takes seconds for
    players with a single action, and a minute if all betting sequences occur. ``keep`` receives the
    values after each betting sequence before the flop, (1326,) in chips; values in ``known`` are
    not computed again. Raises `BadInput` for another seat.
    """
    if player not in (0, 1):
        raise BadInput(f"player {player}; allowed: 0, 1")
    tree = strategy.tree
    if len(tree.rounds) != _STREETS:
        raise BadInput(f"betting of {len(tree.rounds)} rounds; allowed: {_STREETS}")
    first = _BlindStreet(strategy, player, 0, np.zeros(1, dtype=np.int64))
    orbit = board_classes(3).orbit.astype(np.int64)
    on_flop = np.zeros((len(first.next), len(CLASS_OF_HOLDING)))
    for row, sequence in enumerate(first.next.tolist()):
        won = None if known is None else known.get(sequence)
        if won is None:
            # One sequence at a time: the values of all classes of turns must fit into memory.
            sequence_progress = (
                None if progress is None else _part_of(progress, row, len(first.next))
            )
            values = after_flops(
                strategy, player, sequence, np.arange(len(orbit)), sequence_progress
            )
            # Each class of flops was computed for one representative, so only means over a hand
            # class are right, not the values of single holdings.
            won = _class_means(orbit @ values) / _FLOPS_OF_A_HOLDING
            if keep is not None:
                keep(sequence, won)
        on_flop[row] = won
    return float(first.values(on_flop).mean()) / tree.chips_per_unit


def _class_means(values: Values) -> Values:
    """Return (1326,) for each holding the mean of its class."""
    summed = np.bincount(CLASS_OF_HOLDING, weights=values)
    means: Values = (summed / np.bincount(CLASS_OF_HOLDING))[CLASS_OF_HOLDING]
    return means


def _part_of(progress: Progress, part: int, parts: int) -> Progress:
    """Return a progress report for one of several equal parts."""
    return lambda done, total, what: progress(part * total + done, parts * total, what)


class _BlindStreet:
    """The betting of one street after those sequences that the opponent may play."""

    def __init__(
        self,
        strategy: CardBlindStrategy,
        player: int,
        street: int,
        sequences: npt.NDArray[np.int64],
    ) -> None:
        self._part = strategy.tree.rounds[street]
        self._player = player
        self._chips = self._part.before[sequences].astype(np.float64)
        self._shares = strategy.probabilities[street][:, sequences]
        self._is_last = street + 1 == len(strategy.tree.rounds)
        happens = np.ones((self._part.nodes, len(sequences)), dtype=np.bool_)
        self._ends = np.empty((self._part.slots, len(sequences)), dtype=np.int64)
        following: list[int] = []
        for slot in range(self._part.slots):
            node = self._part.node[slot]
            taken = happens[node] & ((self._part.player[node] == player) | (self._shares[slot] > 0))
            if self._part.child[slot] >= 0:
                happens[self._part.child[slot]] = taken
            elif slot in self._part.end_slot:
                end = int(np.searchsorted(self._part.end_slot, slot))
                # The last column, -1, stands for sequences that the opponent never plays.
                self._ends[slot] = np.where(taken, len(following) + np.cumsum(taken) - 1, -1)
                following += (end * self._part.sequences + sequences[taken]).tolist()
        self.next = np.array(following, dtype=np.int64)
        """The sequences with which the next street begins."""

    def values(self, later: Values) -> Values:
        """Return (sequences, holdings) the chips that a best response wins in the whole hand.

        ``later`` (next, holdings) are the values of the next street. On the river it is the share
        (1, holdings) of the pot that the holding wins.
        """
        if not self._is_last:
            none = np.zeros((1, later.shape[1]), dtype=later.dtype)
            later = np.concatenate([later, none])
        return self._node(0, later)

    def _node(self, node: int, later: Values) -> Values:
        betting_round, kind = self._part, later.dtype
        own = betting_round.player[node] == self._player
        total: Values | None = None
        for slot in range(betting_round.first_slot[node], betting_round.first_slot[node + 1]):
            if not own and not self._shares[slot].any():
                continue
            value = self._slot(slot, own, later)
            if not own:
                value = value * self._shares[slot].astype(kind)[:, np.newaxis]
            if total is not None:
                value = np.maximum(total, value) if own else total + value
            total = value
        assert total is not None
        return total

    def _slot(self, slot: int, own: bool, later: Values) -> Values:
        betting_round = self._part
        if betting_round.child[slot] >= 0:
            return self._node(betting_round.child[slot], later)
        if betting_round.kind[slot] == FOLD:
            lost = (
                self._chips
                + betting_round.fold_paid[np.searchsorted(betting_round.fold_slot, slot)]
            )
            won = (-lost if own else lost).astype(later.dtype)[:, np.newaxis]
            folded: Values = np.broadcast_to(won, (len(lost), later.shape[1]))
            return folded
        if self._is_last:
            paid = betting_round.end_paid[np.searchsorted(betting_round.end_slot, slot)]
            shown: Values = (self._chips + paid)[:, np.newaxis] * (2 * later - 1)
            return shown
        next_values: Values = later[self._ends[slot]]
        return next_values


def after_flops(
    strategy: CardBlindStrategy,
    player: int,
    sequence: int,
    flops: npt.NDArray[np.intp],
    progress: Progress | None = None,
) -> Values:
    """Return (flops, 1326) what a best response wins after a betting sequence before the flop.

    ``flops`` are rows of `board_classes`; holdings that a flop blocks win 0. Values are in chips,
    over all opposing holdings that the flop and the own holding leave.
    """
    flop = _BlindStreet(strategy, player, 1, np.array([sequence]))
    turn = _BlindStreet(strategy, player, 2, flop.next)
    river = _BlindStreet(strategy, player, 3, turn.next)
    by_rank = river.values(np.linspace(0, 1, _RANKS)[np.newaxis])
    # Sequences that lead to the same values share one mean.
    distinct, row = np.unique(by_rank, axis=0, return_inverse=True)
    on_river = aligned(_RANKS, -(-len(distinct) // WIDTH) * WIDTH)
    on_river[:, : len(distinct)] = distinct.T
    tables, classes, boards = open_values(), board_classes(4), board_classes(3).representative
    after = classes.row[_turns_after(boards[flops])]
    needed = np.unique(after)
    position = np.zeros(BOARD_CLASSES[4], dtype=np.int32)
    position[needed] = np.arange(len(needed))
    board_row, holdings = position[classes.row], len(CLASS_OF_HOLDING)
    # Single precision halves the memory. Its rounding errors are random, and the sums over these
    # values are made in double precision.
    on_turn = np.empty((len(needed), holdings, len(flop.next)), dtype=np.float32)

    def fill(start: int, stop: int) -> None:
        means = aligned(holdings, on_river.shape[1])
        for k in range(start, stop):
            mean_over_rivers(
                classes.representative[needed[k]],
                tables.river_start,
                tables.river_pattern,
                tables.river_ihr,
                on_river,
                means,
            )
            on_turn[k] = turn.values(np.ascontiguousarray(means.T)[row]).T

    winnings = np.empty((len(flops), holdings))

    def finish(start: int, stop: int) -> None:
        means = np.empty((holdings, len(flop.next)))
        for k in range(start, stop):
            board = boards[flops[k]]
            mean_over_turns(board, board_row, classes.permutation, on_turn, means)
            winnings[k] = flop.values(np.ascontiguousarray(means.T))[0]
            winnings[k, is_blocked(board)] = 0.0

    in_slices(fill, len(needed), size=_BOARDS_A_SLICE, what="turns", progress=progress)
    in_slices(finish, len(flops), size=_FLOPS_A_SLICE, what="flops")
    return winnings


def _turns_after(flops: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """Return the combination indices of all boards of four cards that contain one of the flops."""
    extensions = []
    for flop in flops:
        row = np.empty(_DECK, dtype=np.int32)
        extension_indices(flop, row)
        extensions.append(row[row >= 0])
    return np.unique(extensions)
