"""Solves a heads-up no-limit spot on many boards: its values on each, and on average."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Final

import numpy as np

from railbird._arguments import checked
from railbird._display import HasTable
from railbird.cards import DECK, Card, Range, cards_from, format_cards
from railbird.cards.isomorphism import board_classes, canonical_board
from railbird.cards.isomorphism_kernels import HOLDING_UNDER
from railbird.errors import BadInput
from railbird.solve.spot.preflop import flops_of
from railbird.solve.spot.solution import GAP_PERCENT, MOST_ITERATIONS, SpotSolution, solve_spot
from railbird.solve.spot.spot import PLAYERS, Spot, compatible, read_fields, read_range
from railbird.solve.spot.tree import ActKind, Ends, Node, action_index, build_tree, read_line

Board = tuple[Card, ...]

_FLOP: Final = 3
_ORDER_SEED: Final = 0
_TRIED: Final = 24
"""Number of boards among which one must be found on which the ranges can be dealt."""
_BETS: Final = ("bet", "raise", "all-in")
_BOARD: Final = re.compile(r"\s*board\s*=")


@dataclass(frozen=True, slots=True)
class WeightedBoard:
    """A board, with the number of boards that it represents."""

    board: Board
    weight: float | None = None
    """None for all boards that differ from it by suits alone, if no board of a list has a
    weight."""

    @classmethod
    def parse(cls, text: str) -> WeightedBoard:
        """Read ``Ks7d2c`` or ``Ks7d2c:0.5``. Raises `BadInput`."""
        cards, colon, after = text.partition(":")
        board = tuple(Card(card) for card in cards_from(cards))
        if not 3 <= len(board) <= 5 or len(set(board)) < len(board):
            raise BadInput(f"{text!r} is no board; allowed: 3 to 5 cards, such as Ks7d2c")
        weight = None
        if colon:
            try:
                weight = float(after)
            except ValueError:
                weight = math.nan
            if not 0 < weight < math.inf:
                raise BadInput(f"{text!r}: weight {after!r}; allowed: above 0, such as Ks7d2c:0.5")
        return cls(board, weight)


def read_boards(text: str) -> list[WeightedBoard]:
    """Read boards separated by commas, blanks or lines; a remark follows ``#``.

    If one board has a weight, boards without one have 1. A number alone names a shipped set of
    flops that represents all flops. Raises `BadInput` for no boards, boards of different lengths,
    and a board given twice.

    >>> [board.weight for board in read_boards("Ks7d2c, Ah8d3s:0.5")]
    [1.0, 0.5]
    >>> [board.weight for board in read_boards("Ks7d2c, Ah8d3s")]
    [None, None]
    >>> len(read_boards("25")), round(sum(board.weight for board in read_boards("25")))
    (25, 22100)
    """
    if is_set(text):
        flops = flops_of(int(text))
        every = comb(len(DECK), _FLOP) / sum(flop_share.share for flop_share in flops)
        return [
            WeightedBoard(flop_share.flop, round(flop_share.share * every)) for flop_share in flops
        ]
    words = [
        word for line in text.splitlines() for word in re.split(r"[\s,;]+", line.split("#")[0])
    ]
    boards = [WeightedBoard.parse(word) for word in words if word]
    if not boards:
        raise BadInput("no boards; such as Ks7d2c,Ah8d3s")
    known: set[frozenset[Card]] = set()
    for board in boards:
        shown = format_cards(board.board)
        if len(board.board) != len(boards[0].board):
            first = format_cards(boards[0].board)
            raise BadInput(f"boards {first} and {shown}; allowed: boards of one length")
        if frozenset(board.board) in known:
            raise BadInput(f"the board {shown} for the second time")
        known.add(frozenset(board.board))
    if any(board.weight is not None for board in boards):
        boards = [
            WeightedBoard(board.board, 1.0 if board.weight is None else board.weight)
            for board in boards
        ]
    return boards


def is_set(text: str) -> bool:
    """Return whether a text names a shipped set of flops rather than boards."""
    return text.strip().isdecimal()


def all_flops() -> list[WeightedBoard]:
    """Return the 1,755 flops that differ by more than suits, in a fixed random order.

    Any number of the first ones is therefore a random sample.
    """
    classes = board_classes(_FLOP)
    order = np.random.default_rng(_ORDER_SEED).permutation(len(classes.representative))
    boards = classes.representative[order][:, ::-1].tolist()
    return [WeightedBoard(tuple(map(Card, board))) for board in boards]


@dataclass(frozen=True, slots=True, eq=False)
class OpenSpot:
    """A spot without a board. A `Spot` itself no longer has the holdings that its board blocks."""

    spot: Spot
    """The spot on one of the boards."""
    ranges: tuple[Range, Range]
    """The ranges with all holdings."""
    line: str = ""
    """The actions that lead to the decision to report, such as ``check``."""

    @classmethod
    def parse(
        cls,
        text: str,
        boards: Sequence[WeightedBoard],
        *,
        line: str = "",
        name: str = "spot",
        files: bool = False,
    ) -> OpenSpot:
        """Read lines as `Spot.parse` does, ignoring one with a board. Raises `BadInput`."""
        lines = "\n".join(line for line in text.splitlines() if not _BOARD.match(line))
        refused = BadInput(f"{name}: no boards; such as Ks7d2c,Ah8d3s")
        for weighted_board in reversed(boards[:_TRIED]):
            try:
                board = format_cards(weighted_board.board)
                spot = Spot.parse(f"{lines}\nboard = {board}", name=name, files=files)
                break
            except BadInput as problem:  # it may apply to this board alone
                refused = problem
        else:
            raise refused
        fields = read_fields(lines)
        oop, ip = (read_range(fields[player], files=files) for player in PLAYERS)
        for lock in spot.locks:
            if any(isinstance(word, int) and word >= 0 for word in read_line(lock.line)):
                raise BadInput(f"{name}: lock: a card in {lock.line!r}; allowed on many boards: *")
        _decision(spot, line)
        return cls(spot, (oop, ip), line)

    @property
    def tells_suits_apart(self) -> bool:
        """Whether boards that differ by suits alone can have different values."""
        weights = [player_range.weights for player_range in self.ranges]
        weights += [lock.holdings.weights for lock in self.spot.locks]
        weights += [player_range.weights for player_range in self.spot.folded]
        return not all(
            np.array_equal(range_weights[suits], range_weights)
            for range_weights in weights
            for suits in HOLDING_UNDER
        )

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions after the line; they are the same on all boards."""
        return tuple(map(str, _decision(self.spot, self.line).actions))

    def on(self, boards: Iterable[WeightedBoard], *, skip: bool = False) -> list[BoardSpot]:
        """Return the spot on each board.

        With ``skip``, a board that leaves a player no holding is left out; otherwise it raises
        `BadInput`.
        """
        apart = self.tells_suits_apart
        spots = []
        for board in boards:
            left = [player_range.without(board.board).weights for player_range in self.ranges]
            if skip and compatible(left[0], left[1]) <= 0:
                continue
            weight = board.weight
            if weight is None:
                weight = 1.0 if apart else float(_alike(board.board))
            try:
                spot = replace(self.spot, board=board.board, ranges=self.ranges)
            except BadInput as problem:
                raise BadInput(f"on {format_cards(board.board)}: {problem}") from None
            spots.append(BoardSpot(spot, weight, self.line))
        return spots

    def digest(self, *settings: float) -> str:
        """Return 16 characters that identify the spot without its board, with some settings."""
        lines = [
            line
            for line in str(self.spot).splitlines()
            if line.partition(" = ")[0] not in (*PLAYERS, "board")
        ]
        named = [lines, len(self.spot.board), settings, " ".join(self.line.split())]
        digest = hashlib.sha256(json.dumps(named).encode())
        for player_range in self.ranges:
            digest.update(player_range.weights.tobytes())
        return digest.hexdigest()[:16]


def _decision(spot: Spot, line: str) -> Node:
    """Return the decision after a line of the first street. Raises `BadInput`."""
    node = build_tree(spot)[0].roots[0]
    for word in read_line(line):
        if isinstance(word, int):
            raise BadInput(f"line: a card in {line!r}; allowed on many boards: actions")
        if node.kind is not Ends.DECISION:
            break
        node = node.children[action_index(node, word, line)]
    if node.kind is not Ends.DECISION:
        raise BadInput(f"line: nobody acts after {line!r}")
    return node


def _alike(board: Board) -> int:
    return int(board_classes(len(board)).orbit[canonical_board(board).row])


@dataclass(frozen=True, slots=True, eq=False)
class BoardSpot:
    """A spot, and the number of boards that its board represents."""

    spot: Spot
    weight: float = 1.0
    line: str = ""
    """The actions that lead to the decision to report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult(HasTable):
    """The values and play of a spot on one board, or on average over several."""

    board: str
    weight: float
    """The number of boards that the board represents."""
    pairs: float
    """Weight of the pairs of holdings that both players can have on it. The probability of seeing
    the board with these ranges is proportional to this times ``weight``."""
    ev: tuple[float, float]
    """Each player's share of the pot, in chips or the utility's unit."""
    equity: float
    """The first player's share of the pot if nobody bets."""
    reached: float
    """How often the line is played."""
    frequencies: tuple[float, ...]
    """How often each action after the line is taken."""
    mean_bet_percent: float
    """Mean size of the bets among them in per cent of the pot; NaN if there are none."""
    gap_percent: float
    """The gap in per cent of the pot."""
    iterations: int

    @classmethod
    def of(cls, solution: SpotSolution, weight: float, line: str = "") -> BoardResult:
        """Return a solution's values at the beginning, and its play after a line."""
        spot, node = solution.spot, solution.node(line)
        frequencies = node.frequency()
        bets = np.array([action.act >= ActKind.BET for action in node.actions])
        amounts = np.array([action.amount for action in node.actions])
        often = frequencies[bets].sum()
        mean_bet = frequencies[bets] @ amounts[bets] / often if often > 0 else np.nan
        return cls(
            board=format_cards(spot.board),
            weight=weight,
            pairs=solution.pairs,
            ev=solution.values(),
            equity=solution.equity,
            reached=float(node.reach[0] @ node.met[0]) / spot.pairs(),
            frequencies=tuple(frequencies.tolist()),
            mean_bet_percent=float(100 * mean_bet / node.pot),
            gap_percent=solution.gap_percent_of_pot,
            iterations=solution.iterations,
        )

    @property
    def chance(self) -> float:
        """Probability of seeing such a board with these ranges, up to a constant factor."""
        return self.weight * self.pairs


def mean_over_boards(results: Sequence[BoardResult], actions: Sequence[str]) -> BoardResult:
    """Return means over boards, weighted by how often these ranges see them.

    Frequencies are relative to the hands that reach the line, and the mean bet to all bets;
    iterations are summed. Raises `BadInput` for no results.
    """
    if not results:
        raise BadInput("no boards to take the mean of")
    chances = np.array([result.chance for result in results])
    chances /= chances.sum()
    played = chances * np.array([result.reached for result in results])
    shares = played / played.sum() if played.any() else np.full_like(played, np.nan)
    frequencies = np.nan_to_num([result.frequencies for result in results])
    bets = [number for number, action in enumerate(actions) if action.startswith(_BETS)]
    betting = played * frequencies[:, bets].sum(axis=1)
    sizes = np.array([result.mean_bet_percent for result in results])
    some = betting > 0
    mean_bet = betting[some] @ sizes[some] / betting[some].sum() if some.any() else np.nan

    def mean(values: Iterable[float]) -> float:
        return float(chances @ np.array(list(values)))

    return BoardResult(
        board="",
        weight=sum(result.weight for result in results),
        pairs=mean(result.pairs for result in results),
        ev=(mean(result.ev[0] for result in results), mean(result.ev[1] for result in results)),
        equity=mean(result.equity for result in results),
        reached=float(played.sum()),
        frequencies=tuple((shares @ frequencies).tolist()),
        mean_bet_percent=float(mean_bet),
        gap_percent=mean(result.gap_percent for result in results),
        iterations=sum(result.iterations for result in results),
    )


@checked
def solve_boards(
    spots: Iterable[BoardSpot],
    *,
    gap_percent: float = GAP_PERCENT,
    iterations: int = MOST_ITERATIONS,
    threads: int | None = None,
    memory_mb: float | None = None,
    store: int = 32,
    on_check: Callable[[SpotSolution], object] | None = None,
    on_solved: Callable[[SpotSolution], object] | None = None,
) -> Iterator[BoardResult]:
    """Solve spots on one board after the other, as `solve_spot` does.

    ``on_solved`` gets each solution before its result is yielded; none stays in memory. A
    `KeyboardInterrupt` is passed on, and the board that it interrupts gives no result.

    >>> from railbird.solve.spot import BetSizes, same_sizes
    >>> sizes = same_sizes(BetSizes.parse("a"))
    >>> boards = ("2c3d7h9sJs", "2c3d7h9sAs")
    >>> spots = [Spot.of(b, "AA,QQ", "KK", pot=2, stack=1, sizes=sizes) for b in boards]
    >>> [round(result.ev[0], 1) for result in solve_boards(map(BoardSpot, spots), gap_percent=0.1)]
    [1.3, 0.9]
    """
    for board_spot in spots:
        solution = solve_spot(
            board_spot.spot,
            gap_percent=gap_percent,
            iterations=iterations,
            threads=threads,
            memory_mb=memory_mb,
            store=store,
            on_check=on_check,
        )
        if on_solved is not None:
            on_solved(solution)
        result = BoardResult.of(solution, board_spot.weight, board_spot.line)
        del solution  # otherwise its arrays would stay in memory beside the next board's
        yield result
