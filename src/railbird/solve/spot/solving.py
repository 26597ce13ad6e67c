"""Solves a heads-up no-limit spot: the arrays, and the passes over the tree.

`railbird.solve.limit.solving` and `railbird.solve.nolimit.solving` solve abstractions of the game.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._threads import thread_count, threads_limited
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.simd_kernels import LINE, aligned
from railbird.solve.spot.boards import StreetBoards, deal_streets
from railbird.solve.spot.folded import Folded, table_bytes
from railbird.solve.spot.kernels import (
    AVERAGE,
    BEST,
    CARDS,
    UPDATE,
    Room,
    StepFactors,
    StreetPlan,
    ascend,
    descend,
    gather,
    iterate_river,
    leave_all,
    river,
    rivers,
    turns,
)
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.spot import PLAYERS, Lock, Spot, met_by, naming
from railbird.solve.spot.tree import (
    ANY_CARD,
    Ends,
    Node,
    StreetForest,
    action_index,
    build_tree,
    plan,
    read_line,
    river_forest,
)

Floats = npt.NDArray[np.float32]

Numbers = npt.NDArray[np.float32] | npt.NDArray[np.int16]
"""Single-precision numbers, or half-precision numbers kept as integers; see `as_floats`."""

CHECK_EVERY: Final = 10
"""Iterations between two computations of the gap."""

_FLOAT = 4
_NOTHING: Final = StepFactors(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_LARGEST_GAIN: Final = 2_000.0
"""The largest regret of one iteration when regrets have 16 bits, which hold 32 times as much."""
_MOST_KEPT: Final = 0.95
"""The largest share of a negative regret that is kept from one iteration to the next.

The sum of a geometric series then bounds the regret: 20 times what one iteration can lose.
"""
_CALLS: Final = 3
"""How many calls each thread makes for the rivers of one pass."""
_BOARDS: Final = 24
"""Boards for each thread whose values are stored before they are added up by one thread."""


class DiscountSchedule(NamedTuple):
    """The powers by which regrets and averages are discounted; see `railbird.solve.spot.kernels`.

    The published power of negative regrets, 0, halves them at every iteration. Here iteration 20
    halves them; earlier iterations keep less of them and later ones more, up to 95 % from iteration
    380 on. So a line that looked bad by chance comes back early. If negative regrets are halved for
    ever, lines that have long been out of play seem to come back too, and the gap jumps up.

    The powers were chosen by experiment on real hands: 48 rivers solved to 0.1 and to 0.025 % of
    the pot, and 16 turns solved to 0.25 and to 0.12 %. The table has the mean iterations of these
    four by gain, loss and keep. A river that took more than 1,200 iterations counts as 1,800, and a
    turn that took more than 400 as 600.

        1.25, 1 in 20, 6:  217 519 162 237      1.35, 1 in 20, 6:  244 635 164 260
        1.2, 1 in 20, 6:   216 481 162 241      1.15, 1 in 20, 6:  209 472 170 242
        1.35, 0, 6:        256 681 197 292      1.5, 0, 4:         329 844 208 323

    Narrow ranges may do better with larger powers: three hands against three on a flop take 290
    iterations to reach 0.1 %, and 180 with 1.5, 0, 4.
    """

    gain: float = 1.25
    loss: float = 1.0
    keep: float = 6.0
    ahead: float = 0.0
    """The share of the last gain that is expected to recur; see `StepFactors`."""
    half: float = 20.0
    """The iteration that halves negative regrets, whatever the power ``loss``."""

    def step(self, t: int, unit: float = 1.0) -> StepFactors:
        """Return the factors of iteration ``t``, from 0; regrets are stored times ``unit``."""
        # Averages are stored divided by their total weight, so that they stay between 0 and 1 and
        # fit into 16 bits. The old total weighs `kept` beside the new strategy's 1, which gives
        # both factors.
        before = _counted(t, self.keep)
        kept = before * (t / (t + 1)) ** self.keep
        return StepFactors(
            _part(t, self.gain),
            min(_part(t / self.half, self.loss), _MOST_KEPT) if t else 0.5,
            kept / (kept + 1),
            1 / (kept + 1),
            unit,
            self.ahead,
        )


@lru_cache(maxsize=1 << 16)
def _counted(t: int, keep: float) -> float:
    """Return the total weight of ``t`` iterations in the average; the last one weighs 1.

    The result is cached, since computing it takes time in proportion to ``t``: on a small spot that
    is more than the iteration itself takes.
    """
    return float(sum(((s + 1) / t) ** keep for s in range(t)))


def _part(t: float, power: float) -> float:
    """Return ``t**power / (t**power + 1)``; the power may be infinite."""
    return float(power > 0) if math.isinf(power) else t**power / (t**power + 1)


class SpotNeeds(NamedTuple):
    """How large a spot is and how much memory it takes, known before it is solved."""

    nodes: tuple[int, ...]
    """Nodes of the betting, by street."""
    boards: tuple[int, ...]
    """Boards that are solved, by street."""
    numbers: int
    """Number of regrets; there are as many averages."""
    memory_mb: float
    """Memory of both, of the threads' scratch space and of tables for folded cards."""


@dataclass(eq=False)
class SpotSolver:
    """A spot that is being solved. Each call of `run` continues from the last."""

    spot: Spot
    isomorphism: bool = True
    deck: tuple[int, ...] = tuple(range(52))
    threads: int | None = None
    store: int = 32
    """Bits of a regret and of an average, 32 or 16."""
    schedule: DiscountSchedule = field(default_factory=DiscountSchedule)
    root: Node | None = None
    """A river root of another spot's tree, for a board of five cards; None builds a tree."""
    iterations: int = field(default=0, init=False)
    cpu_s: float = field(default=0.0, init=False)
    """Processor time of the iterations."""
    forests: list[StreetForest] = field(init=False)
    streets: list[StreetBoards] = field(init=False)
    regrets: Numbers = field(init=False)
    averages: Numbers = field(init=False)
    kept: dict[tuple[int, int, int], Floats] | None = field(init=False, default=None)
    """Values (nodes, holdings) by street, board and player, if the river was left out."""
    _held: tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]] = field(init=False)
    _plans: list[tuple[StreetPlan, StreetPlan]] = field(init=False)
    _ranges: tuple[Floats, Floats] = field(init=False)
    _rooms: list[list[Room]] = field(init=False)
    _tops: list[Room] = field(init=False)
    _out: Floats = field(init=False)
    folded: Folded | None = field(init=False, default=None)
    chance_of_folded: float = field(init=False, default=1.0)
    """Mean probability that the folded players' ranges fit beside two holdings and the board."""
    _sums: list[npt.NDArray[np.float64]] = field(init=False)
    _pairs: float = field(init=False)
    locked: list[tuple[Lock, Node, int, list[int], list[int]]] = field(init=False)
    _pool: ThreadPoolExecutor | None = field(init=False, default=None)
    _is_compiled: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.forests = build_tree(self.spot) if self.root is None else [river_forest(self.root)]
        self.streets, self._held = deal_streets(
            self.spot,
            [forest.slots for forest in self.forests],
            isomorphism=self.isomorphism,
            deck=self.deck,
        )
        later = [*self.forests[1:], None]
        self._plans = [
            (plan(self.spot, forest, 0, after), plan(self.spot, forest, 1, after))
            for forest, after in zip(self.forests, later, strict=True)
        ]
        self._ranges = (self._range(0), self._range(1))
        with naming("lock"):
            self.locked = [(lock, *self._place_of(lock)) for lock in self.spot.locks]
        self._pairs = self.spot.pairs()

    def size(self) -> SpotNeeds:
        """Return how large the spot is, without allocating anything."""
        numbers = sum(street.numbers for street in self.streets)
        rooms = self._count() * sum(
            sum(self._room_sizes(level)) for level in range(len(self.streets))
        )
        out = self._out_shape()
        return SpotNeeds(
            tuple(sum(map(len, forest.blocks)) for forest in self.forests),
            tuple(len(street.cards) for street in self.streets),
            numbers,
            (
                2 * numbers * self.store // 8
                + (rooms + out[0] * out[1]) * _FLOAT
                + self._bytes_of_folded()
                + sum(street.nbytes for street in self.streets)
            )
            / 2**20,
        )

    def allocate(self, progress: Progress | None = None, averages: Numbers | None = None) -> None:
        """Allocate the arrays. Raises `BadInput` if folded cards leave no pair of holdings.

        With ``averages``, which are a solved spot's, no regrets are allocated.
        """
        if self.spot.folded:
            self._weigh_pairs(progress)
        numbers = sum(street.numbers for street in self.streets)
        if averages is None:
            self.regrets = self._numbers(2 * numbers if self.schedule.ahead else numbers)
            self.averages = self._numbers(numbers)
        else:
            self.regrets, self.averages = self._numbers(0), averages
        self.write_locks()
        self._tops = [self._room(level) for level in range(self._split)]
        self._rooms = [
            [self._room(level) for level in range(self._split, len(self.streets))]
            for _ in range(max(2, self._count()))
        ]
        shape = self._out_shape()
        self._out = aligned(*shape)
        self._sums = [np.zeros(len(room.after), dtype=np.float64) for room in self._tops]

    def _bytes_of_folded(self) -> int:
        if not self.spot.folded:
            return 0
        pairs = sum(int(street.boards.sizes[:, :, 0].prod(axis=1).sum()) for street in self.streets)
        tables = table_bytes(len(self.spot.folded), len(self.spot.board), len(self.deck))
        return pairs * _FLOAT + tables

    def _weigh_pairs(self, progress: Progress | None) -> None:
        """Compute the weight of each pair of holdings on every board, 1 on average at the start."""
        board = tuple(map(int, self.spot.board))
        with threads_limited(self.threads):
            self.folded = Folded.of(
                [player_range.weights for player_range in self.spot.folded],
                board,
                self.deck,
                progress,
            )
        ranges = [player_range.weights for player_range in self.spot.ranges]
        scale = 1.0
        for level, street in enumerate(self.streets):
            counts = street.boards.sizes[:, :, 0].prod(axis=1)
            first = np.cumsum([0, *counts[:-1]])
            pairs = np.zeros(int(counts.sum()), dtype=np.float32)
            for number, cards in enumerate(street.cards):
                out = pairs[first[number] : first[number] + counts[number]]
                ones, others = street.held[number]
                table = out.reshape(len(ones), len(others))
                self.folded.pairs(cards[len(board) :], ones, others, scale, table)
                # The mean weight at the start is made 1, so that values remain chips a hand. Later
                # boards use the same scale: their weights differ because their cards make folded
                # holdings more or less likely.
                if level == 0:
                    weight = float(ranges[0][ones] @ table @ ranges[1][others])
                    if weight <= 0:
                        raise BadInput("folded: no pair of holdings of oop and ip is left")
                    self.chance_of_folded = weight / self.spot.pairs()
                    scale = 1 / self.chance_of_folded
                    table *= scale
            street.boards = street.boards._replace(pairs=pairs, pairs_first=first)

    def met(
        self, level: int, board: int, player: int, reach: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Return the opponent's reach that each of the player's holdings on a board can meet.

        ``reach`` is the opponent's, by its holdings on this board.
        """
        street = self.streets[level]
        held, boards = street.held[board], street.boards
        if boards.pairs_first[board] < 0:
            weights = np.zeros(HOLDINGS)
            weights[held[1 - player]] = reach
            return met_by(weights)[held[player]]
        first, shape = boards.pairs_first[board], (len(held[0]), len(held[1]))
        table = boards.pairs[first : first + shape[0] * shape[1]].reshape(shape)
        return table @ reach if player == 0 else reach @ table

    @property
    def _split(self) -> int:
        """The first street whose boards threads share: the second one, but never the flop."""
        return (0, 1, 1, 2)[len(self.streets) - 1]

    def _place_of(self, lock: Lock) -> tuple[Node, int, list[int], list[int]]:
        """Return a lock's decision, its street, its boards and its actions. Raises `BadInput`."""
        node, level, boards = self.forests[0].roots[0], 0, [0]
        for word in read_line(lock.line):
            if isinstance(word, int):
                if isinstance(self.spot, PreflopSpot):
                    raise BadInput(f"a card in {lock.line!r}; allowed: before the flop")
                if node.kind is not Ends.LATER:
                    raise BadInput(f"a card in {lock.line!r} where none is dealt")
                children = self.streets[level].boards.children
                later = self.streets[level + 1].cards
                every = [k for board in boards for k in range(*children[board : board + 2])]
                boards = [k for k in every if word in (ANY_CARD, later[k][-1])]
                node, level = node.children[0], level + 1
                if not boards:
                    raise BadInput(f"a card in {lock.line!r} that is on the board")
            elif node.kind is not Ends.DECISION:
                raise BadInput(f"{word} in {lock.line!r} where nobody acts; * is any card")
            else:
                node = node.children[action_index(node, word, lock.line)]
        if node.kind is not Ends.DECISION:
            raise BadInput(f"nobody acts after {lock.line!r}")
        actions = []
        for action, _ in lock.mix:
            read = next(iter(read_line(action)), 0)
            if isinstance(read, int):
                raise BadInput(f"{action!r} is no action; such as bet 50")
            actions.append(action_index(node, read, f"{lock.line} {action}"))
        return node, level, boards, actions

    def check_locks(self) -> None:
        """Raise `BadInput` for a lock on holdings that the player who acts cannot have."""
        for lock, node, *_ in self.locked:
            if not (lock.holdings.weights * self.spot.ranges[node.player].weights).any():
                who = PLAYERS[node.player]
                raise BadInput(f"lock: {who}, who acts there, holds nothing of {lock.holdings}")

    def write_locks(self) -> None:
        """Write the locks into the tables: the mix as regrets, and its negative as averages."""
        # A locked strategy needs no table of its own. Regret matching on the mix gives the mix, and
        # a negative average, which no iteration can produce, tells the kernels to leave the holding
        # alone. Whoever reads averages takes the absolute value.
        for lock, node, level, boards, actions in self.locked:
            mix = np.zeros(len(node.actions))
            mix[actions] = [chance for _, chance in lock.mix]
            for board in boards:
                held = self.streets[level].held[board][node.player]
                _, padded, _, base = self.streets[level].boards.sizes[board, node.player]
                chosen = np.flatnonzero(lock.holdings.weights[held] > 0)
                for action, chance in enumerate(mix):
                    places = base + (node.slot + action) * padded + chosen
                    if len(self.regrets):
                        as_floats(self.regrets)[places] = chance
                    as_floats(self.averages)[places] = -chance

    # Iterations.

    def run(self, iterations: int) -> None:
        """Make iterations, each of which updates first one player and then the other.

        After an interruption the finished iterations are kept and counted.
        """
        if not self._is_compiled:
            self._compile()
            self._is_compiled = True
        start = time.process_time()
        first, unit = self.iterations, self._unit()
        steps = [self.schedule.step(first + number, unit) for number in range(iterations)]
        try:
            if len(self.streets) == 1:
                self._iterate_river(steps)
                self.iterations += iterations
            else:
                for step in steps:
                    for player in (0, 1):
                        self._pass(player, UPDATE, step)
                        if isinstance(self.spot, PreflopSpot):
                            self._make_classes_alike(player)
                    self.iterations += 1
        finally:
            self.cpu_s += time.process_time() - start

    def _compile(self) -> None:
        """Compile what `run` calls, so that compiling does not count as time of iterations."""
        # A pass in the mode AVERAGE changes no table, and the river takes no steps: both only
        # compile.
        self._pass(0, AVERAGE, _NOTHING)
        if len(self.streets) == 1:
            self._iterate_river([])

    def _iterate_river(self, steps: Sequence[StepFactors]) -> None:
        iterate_river(
            self._plans[0],
            self.streets[0].boards,
            0,
            np.array(steps, dtype=np.float64).reshape(-1, len(StepFactors._fields)),
            self._has_ties,
            self.regrets,
            self.averages,
            self._ranges,
            (self._rooms[0][0], self._rooms[1][0]),
        )

    def _make_classes_alike(self, player: int) -> None:
        """Give all holdings of a class the same regrets and averages before the flop.

        They differ by rounding alone. But where two actions are worth the same, rounding decides
        which one is played, and the difference grows. A flop in other suits would then be reached
        with another range, although it is solved only once for all its suits.
        """
        count, padded, _, base = self.streets[0].boards.sizes[0, player]
        of = CLASS_OF_HOLDING[self.streets[0].held[0][player]]
        members = np.maximum(np.bincount(of, minlength=CLASSES), 1)
        for numbers in (self.regrets, self.averages):
            end = base + self.forests[0].slots[player] * padded
            for row in as_floats(numbers[base:end]).reshape(-1, padded)[:, :count]:
                row[:] = (np.bincount(of, row, CLASSES) / members)[of]

    def root_values(self, player: int, mode: int) -> npt.NDArray[np.float64]:
        """Return (1326,) values of the average strategy or, in mode BEST, of a best response."""
        held = self.streets[0].held[0][player]
        if self.kept is not None:
            if mode != AVERAGE:
                raise BadInput("best responses need the river, which this solution leaves out")
            return self._of_all(held, self.kept[0, 0, player][0, : len(held)])
        return self._of_all(held, self._pass(player, mode, _NOTHING))

    def value(self, player: int, mode: int) -> float:
        """Return a player's mean value over all pairs of holdings, minus half of the pot."""
        worth = self.root_values(player, mode) @ self.spot.ranges[player].weights
        return float(worth) / self._pairs

    def gap(self) -> float:
        """Return the players' mean gain by a best response, in chips or the utility's unit."""
        best = self.value(0, BEST) + self.value(1, BEST)
        # In a zero-sum spot the averages' own values cancel; with rake or utilities they do not.
        if not self.spot.is_zero_sum:
            best -= self.value(0, AVERAGE) + self.value(1, AVERAGE)
        return best / 2

    def chances(self, level: int, board: int, node: Node) -> npt.NDArray[np.float64]:
        """Return (holdings of the player on a board, actions) the average strategy at a node."""
        if self.kept is not None and level + 1 == len(self.streets):
            raise BadInput("this solution leaves out the river")
        count, padded, _, base = self.streets[level].boards.sizes[board, node.player]
        actions, start = len(node.actions), base + node.slot * padded
        numbers = as_floats(self.averages[start : start + actions * padded])
        table = np.abs(numbers.reshape(actions, padded))
        sums = table[:, :count].T.astype(np.float64)
        total = sums.sum(axis=1, keepdims=True)
        return np.where(total > 0, sums / np.where(total > 0, total, 1), 1 / actions)

    def node_values(
        self, level: int, board: int, node: Node, player: int, *, mode: int = AVERAGE
    ) -> npt.NDArray[np.float64]:
        """Return the averages' values of a node and, below it, of what follows each action.

        The shape is (1 + actions, the player's holdings on a board); where a card is dealt there
        are no actions. With ``mode`` BEST they are values of a best response to the opponent's
        averages.
        """
        first = 0
        if level + 1 < len(self.streets):
            first = int(self._plans[level][player].blocks[node.block, 9])
        values = self.all_values(level, board, player, node.block, mode=mode)
        count = self.streets[level].boards.sizes[board, player, 0]
        after = node.children if node.kind is Ends.DECISION else ()
        numbers = [first + point.number for point in (node, *after)]
        return values[numbers, :count].astype(np.float64)

    def all_values(
        self, level: int, board: int, player: int, block: int = 0, *, mode: int = AVERAGE
    ) -> Floats:
        """Return (nodes, holdings) counterfactual values of a street's nodes on a board.

        The next computation overwrites them. On the river they are the values of one ``block``.
        With ``mode`` BEST they are values of a best response to the opponent's averages.
        """
        if self.kept is not None:
            return self.kept[level, board, player]
        if level == 0:
            self._pass(player, mode, _NOTHING)
            room = self._tops[0] if self._tops else self._rooms[player][0]
        else:
            # Values need the opponent's reach at the start of the street, so its strategy is
            # followed down through the streets before; nothing is computed on boards that do not
            # lead here.
            self._follow(0, 0, player, self._ranges[1 - player])
            if level == 2:
                parent = self.streets[2].parents[board]
                self._follow(1, parent, player, self._tops[0].before)
            before = self._room_of(level - 1).before
            room = self._values_on(level, board, player, before, self._plans, block, mode)
        place = 0 if level + 1 == len(self.streets) else 2
        nodes = int(self._plans[level][player].sizes[place])
        padded = int(self.streets[level].boards.sizes[board, player, 1])
        return room.values[: nodes * padded].reshape(nodes, padded)

    def equities(
        self, level: int, board: int, reach: npt.NDArray[np.float64], player: int
    ) -> npt.NDArray[np.float64]:
        """Return what a player's holdings win minus what they lose if nobody bets any more.

        The shape is (the player's holdings on a board,). ``reach`` is the opponent's, by its
        holdings on this board.
        """
        street = self.streets[level]
        held = self._held if level == 0 else self.streets[level - 1].held[street.parents[board]]
        sizes = street.boards.sizes[board, 1 - player]
        # The kernels take the reach of the street before, whose holdings include those that this
        # board blocks; `order` has the place of each of this board's holdings among them.
        lines = aligned(len(held[1 - player]), LINE)
        order = street.boards.order[sizes[2] : sizes[2] + sizes[0]]
        lines[order, 0] = reach
        plans = self._checked_down
        if level == 0:
            return self._pass(player, AVERAGE, _NOTHING, plans, lines.reshape(-1)).astype(
                np.float64
            )
        before = np.zeros((len(lines) + LINE, LINE), dtype=np.float32)
        before[: len(lines)] = lines
        room = self._values_on(level, board, player, before.reshape(-1), plans, -1)
        count = street.boards.sizes[board, player, 0]
        return room.values[:count].astype(np.float64)

    @cached_property
    def _checked_down(self) -> list[tuple[StreetPlan, StreetPlan]]:
        """Plans of the same streets in which everybody checks and the winner gets one chip."""
        # Half of the pot counts as each player's own: with a pot of 2, winning pays 1, losing -1, a
        # tie 0.
        quiet = Spot(board=self.spot.board, ranges=self.spot.ranges, pot=2, stack=1)
        forests = build_tree(quiet)
        return [
            (plan(quiet, forest, 0, after), plan(quiet, forest, 1, after))
            for forest, after in zip(forests, [*forests[1:], None], strict=True)
        ]

    def _room_of(self, level: int) -> Room:
        return self._tops[level] if level < self._split else self._rooms[0][level - self._split]

    def _follow(self, level: int, board: int, player: int, parent_lines: Floats) -> None:
        """Follow the opponent's average strategy through a street on a board, to its leaves."""
        boards, room = self.streets[level].boards, self._room_of(level)
        stride = len(parent_lines) // LINE
        if level:
            stride //= len(self._plans[level][player].blocks)
        arrays = self.regrets, self.averages
        descend(
            self._plans[level][player],
            boards,
            board,
            player,
            AVERAGE,
            *arrays,
            parent_lines,
            stride,
            room,
        )

    def _values_on(
        self,
        level: int,
        board: int,
        player: int,
        parent_lines: Floats,
        plans: Sequence[tuple[StreetPlan, StreetPlan]],
        block: int,
        mode: int = AVERAGE,
    ) -> Room:
        """Compute a board's values from the reach on the board before it, and return them."""
        chosen = [pair[player] for pair in plans[level:]]
        boards = [street.boards for street in self.streets[level:]]
        stride = len(parent_lines) // (LINE * len(chosen[0].blocks))
        room = self._room_of(level)
        common = player, mode, self._has_ties, self.regrets, self.averages, _NOTHING
        if len(chosen) == 1:
            river(chosen[0], boards[0], board, block, *common, parent_lines, stride, 1.0, room)
        else:
            turns(
                (chosen[0], chosen[1]),
                (boards[0], boards[1]),
                board,
                board + 1,
                *common,
                parent_lines,
                stride,
                1.0,
                self._weights()[-1],
                (room, self._room_of(level + 1)),
                board,
                np.zeros((1, len(room.found)), dtype=np.float32),
            )
        return room

    def _of_all(
        self, held: npt.NDArray[np.int16], held_values: npt.NDArray[np.floating]
    ) -> npt.NDArray[np.float64]:
        values = np.zeros(HOLDINGS)
        values[held] = held_values
        return values

    def _weights(self) -> list[float]:
        """Return the probability of each card that can be dealt, by street after the first."""
        known = 3 + 2 * len(self.spot.folded)  # 4 hole cards, less the dealt card: boards have it
        return [
            1.0 / (len(self.deck) - len(street.cards[0]) - known) for street in self.streets[1:]
        ]

    @cached_property
    def _flop_weights(self) -> list[float]:
        """Return the weight of each flop in one choice of suits among all possible flops."""
        assert isinstance(self.spot, PreflopSpot)
        suits = [len(permutations) for permutations in self.streets[1].permutations]
        possible = comb(len(self.deck) - 4, 3)
        shares = [flop_share.share for flop_share in self.spot.flops]
        every = comb(len(self.deck), 3) / sum(shares) / possible
        return [share * every / number for share, number in zip(shares, suits, strict=True)]

    def _pass(
        self,
        player: int,
        mode: int,
        step: StepFactors,
        plans: Sequence[tuple[StreetPlan, StreetPlan]] | None = None,
        parent_lines: Floats | None = None,
    ) -> Floats:
        """Follow the opponent's reach down and bring values up; return the root's values."""
        street = self.streets[0]
        plans = self._plans if plans is None else plans
        parent_lines = self._ranges[1 - player] if parent_lines is None else parent_lines
        stride = len(parent_lines) // LINE
        count = street.boards.sizes[0, player, 0]
        top = plans[0][player]
        if not self._tops:
            room = self._rooms[player][0]
            common = player, mode, self._has_ties, self.regrets, self.averages, step
            river(top, street.boards, 0, -1, *common, parent_lines, stride, 1.0, room)
            # A copy: the next pass writes into the same memory.
            return room.found.reshape(-1, LINE)[:count, 0].copy()
        self._street(0, 0, player, mode, step, plans, parent_lines, stride)
        return self._tops[0].values[:count].copy()

    def _street(
        self,
        level: int,
        board: int,
        player: int,
        mode: int,
        step: StepFactors,
        plans: Sequence[tuple[StreetPlan, StreetPlan]],
        parent_lines: Floats,
        stride: int,
    ) -> None:
        """Update a board whose next boards are flops, or are divided among threads."""
        room, own, later = self._tops[level], plans[level][player], self.streets[level + 1]
        boards, leaves = self.streets[level].boards, len(own.leaves)
        arrays, sums = (self.regrets, self.averages), self._sums[level]
        descend(own, boards, board, player, mode, *arrays, parent_lines, stride, room)
        begin, end = (int(child) for child in boards.children[board : board + 2])
        if level + 1 < self._split:
            flop, inner = plans[level + 1][player], self._tops[level + 1]
            inner_stride = len(room.before) // (LINE * len(flop.blocks))
            for number, weight in zip(range(begin, end), self._flop_weights, strict=True):
                self._street(
                    level + 1, number, player, mode, step, plans, room.before, inner_stride
                )
                leave_all(flop, later.boards, number, player, weight, inner)
                board_values = inner.found[np.newaxis]
                span = number, number + 1, player, leaves
                gather(later.boards, *span, board_values, sums, room.after, number == begin)
        else:
            # The boards are done in batches, and each batch is added up afterwards by one thread
            # and in the order of the boards. Adding floats in the order in which threads finish
            # would make the last digits, and with them the strategies, depend on the number of
            # threads.
            for first in range(begin, end, len(self._out)):
                last = min(first + len(self._out), end)
                self._in_threads(first, last, self._work(first, player, mode, step, plans))
                span = first, last, player, leaves
                gather(later.boards, *span, self._out, sums, room.after, first == begin)
        ascend(own, boards, board, player, mode, self._has_ties, *arrays, step, room)

    def _work(
        self,
        start: int,
        player: int,
        mode: int,
        step: StepFactors,
        every: Sequence[tuple[StreetPlan, StreetPlan]],
    ) -> Callable[[int, int, int], None]:
        """Return the function by which a thread updates some boards in its own memory.

        Its values go into `_out`, whose first row is board ``start``.
        """
        split, top = self._split, self._tops[-1]
        weights = self._weights()[split - 1 :]
        plans = [pair[player] for pair in every[split:]]
        boards = [street.boards for street in self.streets[split:]]
        stride = len(top.before) // (LINE * len(plans[0].blocks))
        common = player, mode, self._has_ties, self.regrets, self.averages, step
        leaf_lines = top.before, stride

        def work(thread: int, first: int, last: int) -> None:
            rooms = self._rooms[thread]
            if len(plans) == 1:
                rivers(
                    plans[0],
                    boards[0],
                    first,
                    last,
                    *common,
                    *leaf_lines,
                    weights[0],
                    rooms[0],
                    start,
                    self._out,
                )
            else:
                turns(
                    (plans[0], plans[1]),
                    (boards[0], boards[1]),
                    first,
                    last,
                    *common,
                    *leaf_lines,
                    weights[0],
                    weights[1],
                    (rooms[0], rooms[1]),
                    start,
                    self._out,
                )

        return work

    def _in_threads(self, first: int, last: int, work: Callable[[int, int, int], None]) -> None:
        """Divide some boards among threads; the result does not depend on the division."""
        count = min(self._count(), last - first)
        if count == 1:
            work(0, first, last)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=self._count())
        # A river takes little longer than the call that updates it, so a call updates several.
        size = 1
        if self._split + 1 == len(self.streets):
            size = max(1, (last - first) // (_CALLS * count))
        starts: Iterator[int] = iter(range(first, last, size))

        def some(thread: int) -> None:
            for start in starts:  # a range runs no Python code, so no two threads get the same
                work(thread, start, min(start + size, last))

        # Waking a thread takes as long as some boards of a turn, so the calling thread works too.
        running = [self._pool.submit(some, thread) for thread in range(1, count)]
        try:
            some(0)
            for future in running:
                future.result()
        except BaseException:
            # Ctrl-C: threads that are still working take nothing more, and none may write into the
            # tables once this function has returned.
            starts = iter(())
            wait(running)
            raise

    # Arrays.

    def _numbers(self, count: int) -> Numbers:
        if self.store == 32:
            return aligned(count)
        return aligned(-(-count // 2)).view(np.int16)[:count]

    def _unit(self) -> float:
        """Return the factor on stored regrets: 1, or one that lets 16 bits hold them."""
        if self.store == 32:
            return 1.0
        most = max(
            float(np.abs(player_plan.pays).max(initial=0.0))
            for plans in self._plans
            for player_plan in plans
        )
        met = max(float(player_range.weights.sum()) for player_range in self.spot.ranges)
        # No regret of one iteration exceeds twice the largest payment, times the opponent's whole
        # range.
        return _LARGEST_GAIN / (2 * most * met)

    @cached_property
    def _has_ties(self) -> bool:
        return any(
            bool(np.any(player_plan.pays[:, 3])) for plans in self._plans for player_plan in plans
        )

    def _count(self) -> int:
        return thread_count() if self.threads is None else self.threads

    def _range(self, player: int) -> Floats:
        lines = aligned(len(self._held[player]), LINE)
        lines[:, 0] = self.spot.ranges[player].weights[self._held[player]]
        return lines.reshape(-1)

    def _room_sizes(self, level: int) -> list[int]:
        """Return the lengths of the arrays of `Room`, without the small ones."""
        street, plans = self.streets[level], self._plans[level]
        column = 0 if level + 1 == len(self.streets) else 2
        nodes = max(int(player_plan.sizes[column]) for player_plan in plans) + 2
        rows = max(int(player_plan.sizes[column + 1]) for player_plan in plans) + 2
        width, leaves, roots = street.widest, len(plans[0].leaves), len(plans[0].blocks)
        lines = (width + 1) * LINE
        return [
            *(rows * width, nodes * width, *[lines] * 4, CARDS + LINE),
            *(leaves * width * LINE, leaves * width * LINE, roots * width * LINE),
        ]

    def _room(self, level: int) -> Room:
        reach, values, met, folds, shows, ties, sums, leaf_lines, after, root_lines = (
            aligned(size) for size in self._room_sizes(level)
        )
        places = np.zeros((4, LINE), dtype=np.int64)
        # Where each line of a square of LINE by LINE numbers begins, for transposing it.
        places[3] = np.arange(LINE) * LINE
        return Room(
            reach=reach,
            live=np.zeros(len(reach) // self.streets[level].widest, dtype=np.int8),
            values=values,
            met=met,
            folds=folds,
            shows=shows,
            ties=ties,
            sums=sums,
            pays=aligned(4 * LINE),
            places=places,
            before=leaf_lines,
            after=after,
            found=root_lines,
        )

    def _out_shape(self) -> tuple[int, int]:
        if not self._split:
            return 0, 0
        street, plans = self.streets[self._split], self._plans[self._split]
        together = int(np.diff(self.streets[self._split - 1].boards.children).max())
        boards = min(_BOARDS * self._count(), together)
        return boards, len(plans[0].blocks) * street.widest * LINE


def as_floats(numbers: Numbers) -> npt.NDArray[Any]:
    """Return a view of regrets or averages as the floating-point numbers that they hold."""
    return numbers.view(np.float16) if numbers.dtype == np.int16 else numbers
