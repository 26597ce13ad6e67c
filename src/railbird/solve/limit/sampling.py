"""Solves heads-up limit from sampled deals: external and public chance sampling.

`matrix_cfr` solves the same games without sampling if there are few states.

External sampling draws pairs of final states, not cards, since payoffs depend only on those.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._threads import thread_count
from railbird.cards import HOLDING_CARDS
from railbird.game.rules import BOARD_CARDS
from railbird.solve.abstraction.card_abstraction import CardAbstraction, States
from railbird.solve.external_kernels import FOLD, INSIDE, ON, SHOWDOWN
from railbird.solve.external_sampling import Deals, ExternalSampler, Forest, laid_out
from railbird.solve.kernels import in_order_of_strength
from railbird.solve.limit.betting_tree import BettingRound, BettingTree
from railbird.solve.limit.matrix_cfr import MatrixSolver, Table, normalised_lanes, round_arrays
from railbird.solve.limit.sampling_kernels import (
    GROUP,
    DealtHoldings,
    StreetArrays,
    StreetMemory,
    add_changes,
    visit_board,
)
from railbird.solve.limit.settings import BOARDS_A_BATCH
from railbird.solve.limit.strategy import StateGame
from railbird.solve.simd_kernels import HALF, WIDTH, aligned


class SampledSolver(ExternalSampler):
    """Solves a game of states by external sampling."""

    def __init__(self, game: StateGame, rng: np.random.Generator) -> None:
        self.game = game
        # A tie is drawn as a win or a loss with equal probability, which changes no expected value.
        # With w, l and t the probabilities that a pair wins, loses and ties, meet is w + l + t and
        # edge w - l, so this is w + t/2, and subtracting the edge gives l + t/2.
        won = (game.meet[-1] + game.edge) / 2
        self._cumulative = np.cumsum([won, won - game.edge])
        rounds = game.tree.rounds
        super().__init__(
            streets=laid_out(
                [
                    _forest(betting_round, is_last=betting_round is rounds[-1])
                    for betting_round in rounds
                ],
                game.states,
            ),
            states=game.states,
            unit=float(game.tree.chips_per_unit),
            draw=self._draw,
            rng=rng,
        )

    def _draw(self, rng: np.random.Generator, deals: int) -> Deals:
        count, rounds = self.game.states[-1], len(self.game.parents)
        drawn = rng.random(deals) * self._cumulative[-1]
        pairs = np.searchsorted(self._cumulative, drawn, side="right")
        pairs = np.minimum(pairs, len(self._cumulative) - 1)
        states = np.empty((deals, 2, rounds), dtype=np.int32)
        pairs, lost = pairs % count**2, pairs // count**2
        states[:, 0, -1], states[:, 1, -1] = np.divmod(pairs, count)
        for street in range(rounds - 1, 0, -1):
            states[:, :, street - 1] = self.game.parents[street][states[:, :, street]]
        return states, (1 - 2 * lost).astype(np.int8)

    def exploitability(self) -> float:
        """Return the gain of a best response to the average strategy, in small bets."""
        return self.averaged().exploitability()

    def value(self) -> float:
        """Return what seat 0 wins a game if both play the average strategy, in small bets."""
        return self.averaged().value()

    def averaged(self) -> MatrixSolver:
        """Return a matrix solver with the same sums, which values the average exactly."""
        exact = MatrixSolver(self.game)
        tables: list[Table] = []
        for street, betting_round in enumerate(self.game.tree.rounds):
            sums = self.by_action(street).reshape(-1, betting_round.sequences, betting_round.slots)
            lanes = np.ascontiguousarray(sums.transpose(0, 2, 1))
            tables.append(lanes.reshape(-1, betting_round.lanes))
        exact.sums = tuple(tables)
        return exact


def _forest(betting_round: BettingRound, *, is_last: bool) -> Forest:
    """Return a round's betting as a forest with one tree for each sequence before it."""
    begin = np.arange(betting_round.sequences, dtype=np.int32)[:, np.newaxis]
    paid = np.zeros(betting_round.slots, dtype=np.int32)
    paid[betting_round.fold_slot], paid[betting_round.end_slot] = (
        betting_round.fold_paid,
        betting_round.end_paid,
    )
    end = round_arrays(betting_round)[-1]
    leaves = np.where(end >= 0, SHOWDOWN if is_last else ON, FOLD)
    kind = np.where(betting_round.child >= 0, INSIDE, leaves)
    on = end * betting_round.sequences + begin
    chips = betting_round.before[:, np.newaxis] + paid
    to = np.where(
        kind == INSIDE,
        begin * betting_round.nodes + betting_round.child,
        np.where(kind == ON, on, chips),
    )
    first = (begin * betting_round.slots + betting_round.first_slot[:-1]).ravel()
    return Forest(
        root=np.arange(betting_round.sequences + 1, dtype=np.int32) * betting_round.nodes,
        player=np.tile(betting_round.player, betting_round.sequences),
        first=np.append(first, betting_round.sequences * betting_round.slots).astype(np.int32),
        kind=np.tile(kind, betting_round.sequences).astype(np.int32),
        to=to.ravel().astype(np.int32),
    )


# Public-chance-sampled CFR for limit hold'em in any abstraction of the cards.
#
# Each board updates all holdings of both players on all streets (Johanson, Bard, Lanctot, Gibson
# and Bowling, "Efficient Nash equilibrium approximation through Monte Carlo counterfactual regret
# minimization", 2012). Iteration t counts t times, both in regrets and in the average (Brown and
# Sandholm, "Solving imperfect-information games via discounted regret minimization", 2019).
# Negative regrets are kept: CFR+ sets them to zero after exact iterations, but after each sample
# that would be a bias.
#
# The boards of a batch see the same strategy. The changes of each board are stored separately and
# added in the order of the boards, so that results do not depend on the number of threads.


Sums = npt.NDArray[Any]
"""(states, lanes): float32 regrets and sums, float64 sums of the first street."""

_DECK = 52
_LIVE = 1081


def chunk_bounds(tree: BettingTree) -> list[npt.NDArray[np.int64]]:
    """Divide the sequences of each round into as few chunks of at most `HALF` as possible.

    If that does not take more chunks, each chunk continues one chunk of the round before.
    """
    by_round: list[npt.NDArray[np.int64]] = []
    for number, betting_round in enumerate(tree.rounds):
        bounds = np.array([*range(0, betting_round.sequences, HALF), betting_round.sequences])
        if number:
            before = tree.rounds[number - 1].sequences
            starts = (
                np.arange(0, betting_round.sequences, before)[:, np.newaxis] + by_round[-1][:-1]
            )
            if starts.size < len(bounds):
                bounds = np.append(starts, betting_round.sequences)
        by_round.append(bounds)
    return by_round


class BoardRoom:
    """Arrays for the streets of a board, reused because fresh pages of memory cost time."""

    def __init__(self, tree: BettingTree) -> None:
        self._tree = tree
        self._parts = tuple(round_arrays(betting_round) for betting_round in tree.rounds)
        self._bounds = chunk_bounds(tree)
        # Zeroed only once: nothing writes to the lanes that pad rows.
        shapes = [(len(bounds) - 1, _LIVE, WIDTH) for bounds in self._bounds]
        self._reach, self._value = ([aligned(*shape) for shape in shapes] for _ in range(2))
        rows = [
            (betting_round.nodes, betting_round.nodes, 1, _LIVE, GROUP * (_DECK + 1))
            for betting_round in tree.rounds
        ]
        self.places = tuple(
            StreetMemory(*(aligned(count, WIDTH) for count in counts))._replace(some=aligned(WIDTH))
            for counts in rows
        )
        self._rooms: dict[tuple[int, str], npt.NDArray[np.float32]] = {}

    def street(self, number: int, regrets: Sums, states: States) -> StreetArrays:
        """Return a street's arrays for the kernels, given the ``states`` (1081,) of its holdings.

        States are row numbers of ``regrets``.
        """
        member, bucket = np.unique(states, return_inverse=True)
        betting_round = self._tree.rounds[number]
        leaves = len(betting_round.fold_slot) + len(betting_round.end_slot)

        def room(name: str, *shape: int) -> npt.NDArray[np.float32]:
            kept = self._rooms.get((number, name))
            if kept is None or len(kept) < len(member):
                kept = aligned(len(member) + len(member) // 4, *shape)
                self._rooms[number, name] = kept
            return kept[: len(member)]

        return StreetArrays(
            part=self._parts[number],
            bounds=self._bounds[number],
            bucket=bucket.astype(np.int32),
            member=member.astype(np.int32),
            regrets=regrets,
            reach=self._reach[number],
            value=self._value[number],
            share=room("share", betting_round.slots, WIDTH),
            leaf=room("leaf", leaves, WIDTH),
            other=room("other", leaves, WIDTH),
            own=room("own", WIDTH),
            total=room("total", leaves, WIDTH),
            regret_change=room("regret", betting_round.lanes),
            sum_change=room("sum", betting_round.lanes),
        )


def holdings_left(
    board: npt.NDArray[np.uint8], dead: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int64], DealtHoldings]:
    """Return the holdings that a board and ``dead`` cards leave, weakest first, in two forms."""
    order, begin = in_order_of_strength(board, dead)
    low, high = np.ascontiguousarray(HOLDING_CARDS[order].T.astype(np.int64) * WIDTH)
    return order, DealtHoldings(low, high, begin)


@dataclass(slots=True, eq=False)
class PublicChanceSolver:
    """The tables of a game that is being solved. Each call of `run` continues from the last."""

    tree: BettingTree
    abstraction: CardAbstraction
    seed: int
    batches: int = field(default=0, init=False)
    regrets: tuple[Sums, ...] = field(init=False)
    """By street, for both players together; iteration t counts t times."""
    sums: tuple[Sums, ...] = field(init=False)
    """The player's reach of every action, summed with the same weights."""
    _rooms: list[BoardRoom] = field(init=False)

    def __post_init__(self) -> None:
        shapes = [
            (states, betting_round.lanes)
            for states, betting_round in zip(self.abstraction.states, self.tree.rounds, strict=True)
        ]
        self.regrets = tuple(np.zeros(shape, dtype=np.float32) for shape in shapes)
        self.sums = tuple(
            # Before the flop every board adds to the same few numbers: single precision would soon
            # lose the addends.
            np.zeros(shape, dtype=np.float32 if street else np.float64)
            for street, shape in enumerate(shapes)
        )
        self._rooms = [BoardRoom(self.tree) for _ in range(BOARDS_A_BATCH)]

    @property
    def boards(self) -> int:
        """Boards that have been dealt."""
        return self.batches * BOARDS_A_BATCH

    def run(self, batches: int) -> None:
        """Deal so many batches of `BOARDS_A_BATCH` boards and update the tables after each."""
        threads = thread_count()
        with ThreadPoolExecutor(max_workers=threads) as pool:
            for _ in range(batches):
                rng = np.random.default_rng([self.seed, self.batches])
                boards = [
                    rng.choice(_DECK, size=5, replace=False).astype(np.uint8)
                    for _ in range(BOARDS_A_BATCH)
                ]
                changes = list(pool.map(self.changes_on, self._rooms, boards))
                weight = float(self.batches + 1)

                # Each thread adds all boards to its own part of the states: no two write to one
                # number, and each number gets its additions in the order of the boards.
                def apply(part: int, changes: Any = changes, weight: float = weight) -> None:
                    self._apply(changes, weight, part, threads)

                list(pool.map(apply, range(threads)))
                self.batches += 1

    def changes_on(self, room: BoardRoom, board: npt.NDArray[np.uint8]) -> tuple[StreetArrays, ...]:
        """Return the changes by a board of five cards, street by street, before weighting."""
        order, deal = holdings_left(board, board[:0])
        streets: list[StreetArrays] = []
        before: States | None = None
        for number, cards in enumerate(BOARD_CARDS):
            before = self.abstraction.next_states(board[:cards], before)
            streets.append(room.street(number, self.regrets[number], before[order]))
        visit_board(tuple(streets), deal, room.places)
        return tuple(streets)

    def _apply(
        self, changes: list[tuple[StreetArrays, ...]], weight: float, part: int, parts: int
    ) -> None:
        """Add the changes of all boards, in their order, to one part of the states."""
        for street, (regrets, sums) in enumerate(zip(self.regrets, self.sums, strict=True)):
            first, stop = (len(regrets) * index // parts for index in (part, part + 1))
            for board in changes:
                arrays = board[street]
                add_changes(regrets, arrays.regret_change, arrays.member, weight, first, stop)
                add_changes(sums, arrays.sum_change, arrays.member, weight, first, stop)

    def average(self) -> tuple[npt.NDArray[np.float32], ...]:
        """Return the average strategy; uniform where nothing was summed."""
        return tuple(
            normalised_lanes(sums, betting_round)
            for sums, betting_round in zip(self.sums, self.tree.rounds, strict=True)
        )
