"""Regret minimisation for heads-up limit by sampled deals: external and public chance sampling.

`matrix_cfr` solves the same games exactly, where there are few states.

Deals are drawn from how the final states meet: payoffs depend on no more of the cards than that.
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
    """A game of states that is being solved by external sampling."""

    def __init__(self, game: StateGame, rng: np.random.Generator) -> None:
        self.game = game
        # A tie is drawn as a win or a loss, which changes no expected value.
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
        """Return a matrix solver with the same sums."""
        exact = MatrixSolver(self.game)
        tables: list[Table] = []
        for street, betting_round in enumerate(self.game.tree.rounds):
            sums = self.by_action(street).reshape(-1, betting_round.sequences, betting_round.slots)
            lanes = np.ascontiguousarray(sums.transpose(0, 2, 1))
            tables.append(lanes.reshape(-1, betting_round.lanes))
        exact.sums = tuple(tables)
        return exact


def _forest(betting_round: BettingRound, *, is_last: bool) -> Forest:
    """Return a round's betting after each sequence."""
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
# Every iteration deals one board and updates all holdings of both players on all streets with it
# (Johanson, Bard, Lanctot, Gibson and Bowling, "Efficient Nash equilibrium approximation through
# Monte Carlo counterfactual regret minimization", 2012). Iteration t counts t times, in regrets and
# in the average alike (Brown and Sandholm, "Solving imperfect-information games via discounted
# regret minimization", 2019). Negative regrets are kept: forgetting them, which CFR+ does once an
# iteration on exact values, would be a bias with every sample.
#
# Boards come in batches that see the same strategy. What a board changes is kept apart and added in
# the order of the boards, so results do not depend on the number of threads.


Sums = npt.NDArray[Any]
"""(states, lanes): float32 regrets and sums, float64 sums of the first street."""

_DECK = 52
_LIVE = 1081


def chunk_bounds(tree: BettingTree) -> list[npt.NDArray[np.int64]]:
    """Divide the sequences of each round into chunks of at most `HALF`, as few as possible.

    Where it makes no more of them, each continues one chunk of the round before.
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
    """Arrays for the streets of one board, kept from board to board as fresh pages cost time."""

    def __init__(self, tree: BettingTree) -> None:
        self._tree = tree
        self._parts = tuple(round_arrays(betting_round) for betting_round in tree.rounds)
        self._bounds = chunk_bounds(tree)
        # Zeroed once: the lanes that pad rows stay 0.
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
        """Return what kernels need of a street, for the ``states`` (1081,) of its holdings.

        They are numbers of rows of ``regrets``.
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
    """Return the holdings that a board and ``dead`` ones leave, the weakest first, in two forms."""
    order, begin = in_order_of_strength(board, dead)
    low, high = np.ascontiguousarray(HOLDING_CARDS[order].T.astype(np.int64) * WIDTH)
    return order, DealtHoldings(low, high, begin)


@dataclass(slots=True, eq=False)
class PublicChanceSolver:
    """The tables of a game that is being solved; `run` goes on where it stopped."""

    tree: BettingTree
    abstraction: CardAbstraction
    seed: int
    batches: int = field(default=0, init=False)
    regrets: tuple[Sums, ...] = field(init=False)
    """By street, of both players, since every lane is one player's; linearly weighted."""
    sums: tuple[Sums, ...] = field(init=False)
    """The reach of every action, by its player, summed with the same weights."""
    _rooms: list[BoardRoom] = field(init=False)

    def __post_init__(self) -> None:
        shapes = [
            (states, betting_round.lanes)
            for states, betting_round in zip(self.abstraction.states, self.tree.rounds, strict=True)
        ]
        self.regrets = tuple(np.zeros(shape, dtype=np.float32) for shape in shapes)
        self.sums = tuple(
            np.zeros(shape, dtype=np.float32 if street else np.float64)
            for street, shape in enumerate(shapes)
        )
        self._rooms = [BoardRoom(self.tree) for _ in range(BOARDS_A_BATCH)]

    @property
    def boards(self) -> int:
        """Boards that have been dealt."""
        return self.batches * BOARDS_A_BATCH

    def run(self, batches: int) -> None:
        """Deal so many batches of `BOARDS_A_BATCH` boards."""
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

                def apply(part: int, changes: Any = changes, weight: float = weight) -> None:
                    self._apply(changes, weight, part, threads)

                list(pool.map(apply, range(threads)))
                self.batches += 1

    def changes_on(self, room: BoardRoom, board: npt.NDArray[np.uint8]) -> tuple[StreetArrays, ...]:
        """Return what a board of five cards changes, street by street, not weighted."""
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
        """Normalise the sums into probabilities; every action alike where nothing was summed."""
        return tuple(
            normalised_lanes(sums, betting_round)
            for sums, betting_round in zip(self.sums, self.tree.rounds, strict=True)
        )
