"""Exact best responses in heads-up limit to strategies that use their cards.

`card_blind` computes them for strategies that do not look at their cards.

The computation walks the public tree: after each board and betting sequence, the best response, or
the value of another strategy, is found for all holdings at once from the opponent's reach by
holding (Johanson, Waugh, Bowling and Zinkevich 2011). Boards that a permutation of the suits maps
to each other count once, which leaves 1,755 flops, 63,193 turns and 2,554,656 rivers in the order
of dealing. The values after one flop do not depend on other flops, so a flop is the unit of work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._threads import in_slices
from railbird.cards import HOLDINGS, Card, rank_of, suit_of
from railbird.cards.isomorphism_kernels import CARD_UNDER, CHOOSE, HOLDING_UNDER
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.game.rules import BOARD_CARDS
from railbird.progress import Progress
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.abstraction.kernels import stabiliser, weights_of_next
from railbird.solve.kernels import in_order_of_strength
from railbird.solve.limit.betting_tree import BettingRound
from railbird.solve.limit.matrix_cfr import round_arrays
from railbird.solve.real_game.kernels import add_street_values, reach_street
from railbird.solve.real_game.opponents import BoardStrategy, BoardTable
from railbird.solve.real_game.river_kernels import HEAD, add_river_values
from railbird.solve.simd_kernels import WIDTH, aligned

# The responder's play before the flop, hand by hand, from the values of flops.
#
# For fixed play before the flop, the result is linear in the values of the flops. So play that was
# chosen on some flops can be evaluated on others.


# The responder's values on the public tree.


Values = npt.NDArray[np.float64]

Shares = npt.NDArray[np.float64]
"""(slots, hands) how often the responder takes each action; unused for the opponent's slots."""


@dataclass(frozen=True, slots=True, eq=False)
class BeforeFlop:
    """Play before the flop, seen by the responder. A hand is a class of holdings alike in suits."""

    part: BettingRound
    player: int
    """The responder's seat."""
    holdings: Values
    """(hands,) the number of holdings of each hand."""
    met: Values
    """(folds, hands) the opponent's reach of each fold, a mean over the hand's holdings."""
    games: float
    """Number of pairs of holdings, times the chips in a small bet."""
    own: Shares | None
    """The responder's play if it follows a given strategy, else None."""

    def response(self, after: Values) -> Shares:
        """Return the best play if the flop is worth ``after``, or the given strategy's play.

        ``after`` (hands, sequences) are mean values over the flops that two holdings leave, in
        chips times the opponent's reach.
        """
        if self.own is not None:
            return self.own
        shares = np.zeros((self.part.slots, len(self.holdings)))
        self._values(after, shares, chooses=True)
        return shares

    def value(self, after: Values, shares: Shares) -> float:
        """Return what given play before the flop wins, in small bets a game."""
        total = self._values(after, shares, chooses=False) @ self.holdings
        return float(total) / self.games

    def _values(self, after: Values, shares: Shares, *, chooses: bool) -> Values:
        """Return the values of the first decision; if it ``chooses``, fill in the best shares."""
        betting_round = self.part
        values = np.zeros((betting_round.nodes, len(self.holdings)))
        for node in range(betting_round.nodes - 1, -1, -1):
            slots = range(betting_round.first_slot[node], betting_round.first_slot[node + 1])
            action_values = np.array([self._action(slot, after, values) for slot in slots])
            if betting_round.player[node] != self.player:
                # The opponent's probabilities are already part of the values, as its reach: a plain
                # sum.
                values[node] = action_values.sum(axis=0)
                continue
            here = shares[slots.start : slots.stop]
            if chooses:
                np.put_along_axis(here, action_values.argmax(axis=0)[np.newaxis], 1.0, axis=0)
            values[node] = (here * action_values).sum(axis=0)
        first: Values = values[0]
        return first

    def _action(self, slot: int, after: Values, values: Values) -> Values:
        betting_round = self.part
        if betting_round.child[slot] >= 0:
            later: Values = values[betting_round.child[slot]]
            return later
        if slot in betting_round.fold_slot:
            fold = int(np.searchsorted(betting_round.fold_slot, slot))
            lost = float(betting_round.before[0] + betting_round.fold_paid[fold])
            sign = -1 if betting_round.player[betting_round.node[slot]] == self.player else 1
            folded: Values = sign * lost * self.met[fold]
            return folded
        ended: Values = after[:, np.searchsorted(betting_round.end_slot, slot)]
        return ended


# Betting sequences grouped into vectors of `WIDTH`, the layout of the river's kernels.


Vectors = npt.NDArray[np.float32]


class BoardMemory(NamedTuple):
    """Arrays that are reused from board to board, since fresh pages of memory cost time."""

    work: Vectors
    """Scratch space of `add_river_values`."""
    reached: Vectors
    """(vectors, 1326, `WIDTH`) the opponent's reach of the river; see `lay_out_reach`."""
    later: Vectors
    """The values of the river, in the same layout."""
    found: Vectors
    """(1326, sequences) the river's values, as `take_back` returns them."""


def room_for(betting_round: BettingRound) -> BoardMemory:
    """Allocate the memory for the rivers of a round."""
    vectors = len(_bounds(betting_round.sequences)) - 1
    return BoardMemory(
        aligned(HEAD + HOLDINGS * WIDTH * (2 * betting_round.nodes + 2)),
        aligned(vectors, HOLDINGS, WIDTH),
        aligned(vectors, HOLDINGS, WIDTH),
        np.empty((HOLDINGS, betting_round.sequences), dtype=np.float32),
    )


def lay_out_reach(reach: Vectors, room: BoardMemory) -> npt.NDArray[np.int64]:
    """Copy reach (1326, sequences) into ``room.reached``, and fill ``room.later`` with zeros.

    Returns the vectors that have any reach. If the sequences do not fill the last vector, it is
    moved back to end with the last sequence; the places of earlier sequences stay zero in it.
    """
    happening = []
    for vector, (begin, end) in enumerate(pairwise(_bounds(reach.shape[1]))):
        first, some = max(end - WIDTH, 0), reach[:, begin:end]
        room.reached[vector, :, begin - first : end - first] = some
        if some.any():
            happening.append(vector)
    room.later[:] = 0
    return np.array(happening, dtype=np.int64)


def take_back(room: BoardMemory) -> Vectors:
    """Copy ``room.later`` into ``room.found``, (1326, sequences), and return that."""
    for vector, (begin, end) in enumerate(pairwise(_bounds(room.found.shape[1]))):
        first = max(end - WIDTH, 0)
        room.found[:, begin:end] = room.later[vector, :, begin - first : end - first]
    return room.found


def _bounds(sequences: int) -> list[int]:
    return [*range(0, sequences, WIDTH), sequences]


Board = npt.NDArray[np.uint8]
Permutations = npt.NDArray[np.bool_]
"""(24,) which of `railbird.cards.isomorphism_kernels.SUIT_PERMUTATIONS` are meant."""

Reach = npt.NDArray[np.float32]

_DECK = 52
_STREETS = 4
_LEAST_DECK = 9
"""Cards of the smallest deck: two holdings and a board."""


class Flops(NamedTuple):
    """One flop of each class of flops that differ by suits alone."""

    boards: Board
    """(flops, 3) ascending cards."""
    orbit: npt.NDArray[np.int64]
    """(flops,) the number of flops in its class."""


_Tables = tuple[BoardTable, BoardTable]
"""The tables of the opponent and of the responder."""


class _Followed(NamedTuple):
    """The opponent's reach of the ends of a street."""

    ends: Reach
    """(1326, ends) its reach of the ends that lead on, by its holding."""
    met: Reach
    """(folds, live holdings, sequences) its reach of folds, summed over what a holding meets."""


class PublicTree:
    """Evaluates a responder in one seat against a strategy in the other, street by street."""

    def __init__(
        self,
        strategy: BoardStrategy,
        *,
        player: int,
        missing: tuple[int, ...] = (),
        own: BoardStrategy | None = None,
    ) -> None:
        """Prepare play before the flop.

        ``missing`` are cards that the deck lacks. ``own`` is the responder's strategy; without it
        the responder plays a best response. Raises `BadInput` for a seat other than 0 and 1, for
        another number of streets than four, for a deck that is too small, and for strategies for
        different games.
        """
        if player not in (0, 1):
            raise BadInput(f"player {player}; allowed: 0, 1")
        if len(strategy.tree.rounds) != _STREETS:
            raise BadInput(f"betting of {len(strategy.tree.rounds)} rounds; allowed: {_STREETS}")
        if own is not None and own.tree.betting != strategy.tree.betting:
            raise BadInput("strategies for different games; allowed: equal blinds, bets and caps")
        if wrong := [card for card in missing if not 0 <= card < _DECK]:
            raise BadInput(f"card {wrong[0]}; allowed: 0 to {_DECK - 1}")
        self._dead = np.array(sorted(set(missing)), dtype=np.uint8)
        self._deck = _DECK - len(self._dead)
        if self._deck < _LEAST_DECK:
            raise BadInput(f"a deck of {self._deck} cards; allowed: {_LEAST_DECK} or more")
        self._strategy, self._own = strategy, own
        self._opponent = 1 - player
        self._parts = [round_arrays(betting_round) for betting_round in strategy.tree.rounds]
        # Missing cards break the symmetry of the suits: only permutations that map the missing
        # cards to themselves may identify boards.
        self._same = stabiliser(self._dead, np.ones(len(CARD_UNDER), dtype=np.bool_))
        self._tables = self._tables_on(np.empty(0, dtype=np.uint8), None)
        start = np.ones((HOLDINGS, 1), dtype=np.float32)
        self._reached = self._follow(0, self._dead, self._tables, start)
        images = HOLDING_UNDER[np.flatnonzero(self._same)].min(axis=0)
        live = self._live(self._dead)
        self.hand_of = np.full(HOLDINGS, -1)
        """(1326,) the hand of each holding; -1 for holdings with a missing card."""
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
        """Return the values on a flop for each betting sequence before it, (hands, sequences).

        A value is the sum of the opponent's reach times winnings, in chips. It is a mean over the
        holdings of the hand and over the flops of the class.
        """
        tree = self._strategy.tree
        symmetries = stabiliser(flop, self._same)
        tables = self._tables_on(flop, self._tables)
        reached = self._follow(1, flop, tables, self._reached.ends)
        later = np.zeros((HOLDINGS, tree.rounds[2].sequences))
        room = room_for(tree.rounds[3])
        for turn, weight in self._next(flop, symmetries):
            board = np.append(flop, turn)
            same = stabiliser(board[3:], symmetries)
            later += weight * self._after_turn(board, same, tables, reached.ends, room)
        # Turns that the flop's symmetries map to each other were computed once, so a holding's
        # values are spread over its images. 7 cards of the deck are known: the flop and both
        # holdings.
        later = _mean_image(later, symmetries) / (self._deck - 7)
        values = self._value(1, flop, tables, reached.met, later)
        live = self.hand_of >= 0
        sums = np.zeros((len(self._sizes), values.shape[1]))
        np.add.at(sums, self.hand_of[live], values[live])
        means: Values = sums / self._sizes[:, np.newaxis]
        return means

    def best_on_rivers(self, boards: Board) -> Values:
        """Return what a responder wins that plays a best response on the river only, (boards,).

        Before the river it plays its own strategy. Values are in small bets a game, means over all
        pairs of holdings that a board of five cards leaves. Raises `BadInput` if the responder has
        no strategy.
        """
        if self._own is None:
            raise BadInput("a best response on the river alone; allowed: after a strategy")
        room = room_for(self._strategy.tree.rounds[3])
        left = self._deck - BOARD_CARDS[-1]
        games = comb(left, 2) * comb(left - 2, 2) * self._strategy.tree.chips_per_unit
        return np.array([self._best_on_river(board, room) / games for board in boards])

    def _best_on_river(self, board: Board, room: BoardMemory) -> float:
        tables: list[_Tables] = []
        met: list[Reach] = []
        reach = np.ones((HOLDINGS, 1), dtype=np.float32)
        for street, cards in enumerate(BOARD_CARDS):
            tables.append(self._tables_on(board[:cards], tables[-1] if tables else None))
            if street + 1 < len(BOARD_CARDS):
                reach, folds = self._follow(street, board, tables[street], reach)
                met.append(folds)
        happening = lay_out_reach(reach, room)
        self._add_river(board, tables[-1], happening, 1.0, room, is_best=True)
        values: npt.NDArray[np.floating] = take_back(room)
        for street in reversed(range(len(met))):
            values = self._value(street, board, tables[street], met[street], values)
        return float(values.sum())

    @property
    def share_of_flops(self) -> float:
        """Factor that turns a mean over all flops into one over those that two holdings leave."""
        return comb(self._deck, 3) / comb(self._deck - 4, 3)

    def _before_flop(self, live: npt.NDArray[np.int64], first: npt.NDArray[np.int64]) -> BeforeFlop:
        betting_round = self._strategy.tree.rounds[0]
        met = np.zeros((len(betting_round.fold_slot), len(self._sizes)))
        for fold, reach in enumerate(self._reached.met[:, :, 0]):
            met[fold] = np.bincount(self.hand_of[live], weights=reach) / self._sizes
        table, rows = self._tables[1]
        own = None if self._own is None else table[rows[first]].T.astype(np.float64)
        pairs = comb(self._deck, 2) * comb(self._deck - 2, 2)
        games = pairs * self._strategy.tree.chips_per_unit
        sizes = self._sizes.astype(np.float64)
        return BeforeFlop(betting_round, 1 - self._opponent, sizes, met, games, own)

    def _tables_on(self, board: Board, before: _Tables | None) -> _Tables:
        """Return the opponent's table of a board and the responder's; without one, the same."""
        table = self._strategy.on(board, None if before is None else before[0])
        if self._own is None:
            return table, table
        return table, self._own.on(board, None if before is None else before[1])

    def _after_turn(
        self,
        board: Board,
        symmetries: Permutations,
        flop_tables: _Tables,
        reach: Reach,
        room: BoardMemory,
    ) -> Values:
        tables = self._tables_on(board, flop_tables)
        ends, met = self._follow(2, board, tables, reach)
        happening = lay_out_reach(ends, room)
        for river, weight in self._next(board, symmetries) if len(happening) else ():
            full_board = np.append(board, river)
            river_tables = self._tables_on(full_board, tables)
            self._add_river(
                full_board, river_tables, happening, weight, room, is_best=self._own is None
            )
        later = _mean_image(take_back(room), symmetries) / (self._deck - 8)
        return self._value(2, board, tables, met, later)

    def _add_river(
        self,
        board: Board,
        tables: _Tables,
        happening: npt.NDArray[np.int64],
        weight: float,
        room: BoardMemory,
        *,
        is_best: bool,
    ) -> None:
        order, begin = in_order_of_strength(board, self._dead)
        add_river_values(
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
        """Return one next card of each class, and the number of cards that it stands for."""
        weights = np.empty(_DECK, dtype=np.int64)
        weights_of_next(np.append(board, self._dead), kept, weights)
        cards = np.flatnonzero(weights)
        return [(np.uint8(card), float(weights[card])) for card in cards]

    def _live(self, board: Board) -> npt.NDArray[np.int64]:
        return np.flatnonzero(~is_blocked(np.append(board, self._dead)))

    def _follow(
        self, street: int, board: Board, tables: _Tables, previous_reach: Reach
    ) -> _Followed:
        """Return the opponent's reach of the ends of a street before the river."""
        betting_round, live = self._strategy.tree.rounds[street], self._live(board)
        ends, met = (
            np.empty((count, len(live), betting_round.sequences), dtype=np.float32)
            for count in (len(betting_round.end_slot), len(betting_round.fold_slot))
        )
        reach_street(
            self._parts[street], self._opponent, *tables[0], previous_reach, live, ends, met
        )
        reach = np.zeros((HOLDINGS, betting_round.ends), dtype=np.float32)
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
        """Return the values at the start of a street, given those of its ends, ``later``."""
        betting_round, live = self._strategy.tree.rounds[street], self._live(board)
        values = np.zeros((HOLDINGS, betting_round.sequences))
        by_end = (
            later[live]
            .astype(np.float32, copy=False)
            .reshape(len(live), -1, betting_round.sequences)
        )
        ends = np.ascontiguousarray(by_end.transpose(1, 0, 2))
        add_street_values(
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
    """Return for each holding the mean of the values of all its images."""
    chosen = np.flatnonzero(permutations)
    if len(chosen) == 1:
        return values
    total: npt.NDArray[np.floating] = sum(values[HOLDING_UNDER[p]] for p in chosen) / len(chosen)
    return total


@checked
def public_best_response(
    strategy: BoardStrategy,
    *,
    player: int,
    missing: tuple[int, ...] = (),
    progress: Progress | None = None,
) -> float:
    """Return the winnings of a best response in seat ``player``, in small bets a game.

    The mean over both seats is the strategy's exploitability. ``missing`` are cards that the deck
    lacks. With a full deck this takes hours. Raises the errors of `PublicTree`.
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
    """Return the winnings of ``own`` in seat ``player`` against ``strategy``, in small bets a game.

    The arguments, time and errors are those of `public_best_response`.
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


# Responses evaluated on a sample of flops: a lower and an upper bound, each with a standard error.
#
# Flops are drawn for two halves, each spread evenly over all flops in the order of suits, pairs and
# high cards. A responder whose play before the flop is chosen on one half and evaluated on the
# other wins no more, in expectation, than the best responder: the mean of both ways is an unbiased
# estimate of a lower bound. If play is chosen and evaluated on the same flops, the expectation is
# an upper bound, since the maximum of noisy values is too large on average. After the flop both are
# exact.


_FEWEST = 4
_MOST_DRAWN = 1 << 14


class Draws(NamedTuple):
    """Flops drawn alternately for the two halves of a sample."""

    flops: npt.NDArray[np.int64]
    """(draws,) numbers of classes of flops; a class may be drawn repeatedly."""
    places: npt.NDArray[np.float64]
    """(draws,) places from 0 to 1 in the order of strata."""


class Bounds(NamedTuple):
    """Bounds of a best responder's winnings, a mean over both seats, in small bets."""

    lower: Estimate
    upper: Estimate
    by_seat: tuple[float, float]
    """The upper bound for each seat of the responder."""


def draw_flops(flops: Flops, seed: int) -> Draws:
    """Draw flops such that any number of the first draws is a sample.

    Each half is a scrambled Sobol sequence: every draw is uniform among all flops of the deck, and
    of the first 2^m draws of a half, one falls into each of 2^m equal parts.
    """
    order = sorted(range(len(flops.boards)), key=lambda k: _stratum(flops.boards[k].tolist()))
    ends = np.cumsum(flops.orbit[order])
    seeds = np.random.default_rng(seed).spawn(2)
    half = _MOST_DRAWN // 2
    halves = [_scrambled_sobol(half, half_seed) for half_seed in seeds]
    places = np.stack(halves, axis=1).ravel()
    position = np.searchsorted(ends, np.floor(places * ends[-1]), side="right")
    return Draws(np.array(order)[position], places)


_DIGITS: Final = 30


def _scrambled_sobol(count: int, rng: np.random.Generator) -> Floats:
    """Return the first numbers of Sobol's sequence in one dimension, 0 to 1, scrambled.

    Scrambling adds to each binary digit a random combination of the digits before it, and then a
    random digit (Matousek, "On the L2-discrepancy for anchored boxes", J. of Complexity 14, 1998).
    The numbers are those of `scipy.stats.qmc.Sobol`, draw for draw, since results that were kept
    depend on them.
    """
    (rng,) = rng.spawn(1)
    powers = 1 << np.arange(_DIGITS)
    shift = int(rng.integers(2, size=_DIGITS, dtype=np.uint32) @ powers)
    mixed = np.tril(rng.integers(2, size=(_DIGITS, _DIGITS), dtype=np.uint32), -1)
    directions = powers[::-1] @ (mixed + np.eye(_DIGITS, dtype=np.int64))
    number = np.arange(count)
    gray = number ^ (number >> 1)
    points = np.full(count, shift)
    for digit, direction in enumerate(directions.tolist()):
        points ^= np.where(gray >> digit & 1, direction, 0)
    places: Floats = points / (1 << _DIGITS)
    return places


def _stratum(board: Sequence[int]) -> tuple[int, ...]:
    ranks = sorted((rank_of(Card(card)) for card in board), reverse=True)
    return len({suit_of(Card(card)) for card in board}), len(set(ranks)), *ranks


def flops_in_order(flops: Flops, draws: Draws, seed: int) -> list[int]:
    """Return all classes of flops, the drawn ones first."""
    rest = np.random.default_rng(seed).permutation(len(flops.boards))
    return list(dict.fromkeys([*draws.flops.tolist(), *rest.tolist()]))


def exact_value(
    trees: Sequence[PublicTree], flops: Flops, results: Mapping[int, Values]
) -> tuple[float, ...]:
    """Return what each tree's responder wins in small bets, from the results of all flops.

    ``results`` are (trees, hands, sequences) of `PublicTree.after_flop`, by class of flops.
    """
    total = sum(orbit * results[flop] for flop, orbit in enumerate(flops.orbit.tolist()))
    winnings = []
    for tree, values in zip(trees, total / flops.orbit.sum(), strict=True):
        after = values * tree.share_of_flops
        before = tree.before_flop
        winnings.append(before.value(after, before.response(after)))
    return tuple(winnings)


def bounds(trees: Sequence[PublicTree], draws: Draws, results: Mapping[int, Values]) -> Bounds:
    """Return the bounds from an even number of draws.

    ``trees`` are those of the responders in both seats. Standard errors come from the differences
    between neighbours in the order of strata, one from each half, as if these were drawn
    independently. Raises `BadInput` for fewer than four draws.
    """
    count = len(draws.flops) // 2 * 2
    if count < _FEWEST:
        raise BadInput(f"{count} flops; allowed: {_FEWEST} or more")
    shares = [tree.share_of_flops for tree in trees]
    # Both halves in the order of strata: the k-th draws of both are a pair of similar flops.
    halves = [half + 2 * np.argsort(draws.places[half:count:2], kind="stable") for half in (0, 1)]
    after = [np.array([results[flop] for flop in draws.flops[half].tolist()]) for half in halves]

    def won(chosen_on: Sequence[int], half: int) -> npt.NDArray[np.float64]:
        """Return (pairs, seats) the winnings on each flop of a half, by play chosen on others."""
        by_seat = []
        for seat, tree in enumerate(trees):
            before = tree.before_flop
            sample = np.concatenate([after[chosen][:, seat] for chosen in chosen_on])
            play: Shares = before.response(sample.mean(axis=0) * shares[seat])
            by_seat.append(
                [
                    before.value(flop_values * shares[seat], play)
                    for flop_values in after[half][:, seat]
                ]
            )
        return np.array(by_seat).T

    crossed = [won([1], 0), won([0], 1)]
    same = [won([0, 1], 0), won([0, 1], 1)]
    means = np.concatenate(same).mean(axis=0)
    return Bounds(_estimate(crossed), _estimate(same), (float(means[0]), float(means[1])))


def _estimate(halves: Sequence[npt.NDArray[np.float64]]) -> Estimate:
    first, second = (half.mean(axis=1) for half in halves)
    pairs = len(first)
    error = np.sqrt(np.sum((first - second) ** 2)) / (2 * pairs)
    return Estimate(float((first + second).mean() / 2), float(error), pairs)
