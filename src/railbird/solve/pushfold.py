"""Heads-up push/fold: equilibria, the stacks at which a hand is played, the source's own solver.

`pushfold_table` solves it for two to nine players.

All hands of a class are played alike. Exchanging suits changes no count of boards, so reducing the
game to 169 classes with exact weights loses nothing. Amounts are in big blinds; a stack includes
the blind and the ante posted from it (Chin and Lopez 2023).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasFigures, HasTable, table_of
from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, HOLDINGS, Range
from railbird.errors import BadInput, NothingUsable
from railbird.odds import PAIR_BOARDS, classes_matrix, open_matrix
from railbird.progress import Progress
from railbird.solve.cfr import (
    Decision,
    Game,
    Solution,
    Strategy,
    Terminal,
    best_response,
    compile_game,
    solve,
)
from railbird.solve.kernels import visit_deals
from railbird.solve.settings import LEAST_STACK, MOST_STACK, SNAPSHOTS

if TYPE_CHECKING:
    import polars as pl


SMALL_BLIND, BIG_BLIND = 0.5, 1.0
COMBINATIONS: npt.NDArray[np.int64] = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES)
"""(169,) holdings of each class."""
_PUSH = 1
_FREQUENCIES = npt.NDArray[np.float64]


class Seat(StrEnum):
    """A position: the small blind pushes or folds, the big blind calls or folds."""

    SMALL_BLIND = "sb"
    BIG_BLIND = "bb"

    @property
    def other(self) -> Seat:
        """The opponent's seat."""
        return Seat.BIG_BLIND if self is Seat.SMALL_BLIND else Seat.SMALL_BLIND


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PushFold:
    """The stakes. Raises `BadInput` for a stack outside 1 to 100, or an ante that uses it up."""

    stack: float = 10.0
    ante: float = 0.0
    """The ante that each player posts."""

    def __post_init__(self) -> None:
        if not LEAST_STACK <= self.stack <= MOST_STACK:
            raise BadInput(
                f"stack {self.stack:g}; allowed: {LEAST_STACK:g} to {MOST_STACK:g} big blinds"
            )
        if not 0.0 <= self.ante <= self.stack - BIG_BLIND:
            raise BadInput(
                f"ante {self.ante:g}; allowed: 0 to {self.stack - BIG_BLIND:g}, "
                "what the stack has beside the big blind"
            )

    @property
    def lost_by_folding(self) -> float:
        """Amount that the small blind loses by folding."""
        return SMALL_BLIND + self.ante

    @property
    def won_by_a_fold(self) -> float:
        """Amount that the small blind wins if the big blind folds."""
        return BIG_BLIND + self.ante

    def tree(self) -> Game:
        """Build the game in arrays: 169 states for each player, payoffs in big blinds."""
        dealt, wins = showdown_matrices()
        call = Decision(
            1, "call", ("fold", "call"), (Terminal(0, self.won_by_a_fold), Terminal(1, self.stack))
        )
        root = Decision(0, "push", ("fold", "push"), (Terminal(0, -self.lost_by_folding), call))
        return compile_game(root, [dealt, wins], state_names=CLASS_NAMES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PushFoldSolution(HasFigures):
    """An equilibrium of heads-up push/fold."""

    game: PushFold
    push: _FREQUENCIES
    """(169,) how often the small blind pushes each class."""
    call: _FREQUENCIES
    """(169,) how often the big blind calls with each class."""
    value_sb_bb: float
    """Big blinds a hand that the small blind wins."""
    exploitability_bb: float
    """Big blinds a hand that a best response gains, averaged over the seats."""
    iterations: int
    took_s: float

    @property
    def push_share(self) -> float:
        """Share of the 1,326 holdings that are pushed."""
        return share_of_holdings(self.push)

    @property
    def call_share(self) -> float:
        """Share of the 1,326 holdings that call."""
        return share_of_holdings(self.call)

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each class of holdings: its push and call frequencies."""
        import polars as pl

        return pl.DataFrame({"hand": CLASS_NAMES, "push": self.push, "call": self.call})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PushFoldValues(HasTable):
    """Value of each choice in big blinds against the other seat's frequencies."""

    push_ev: _FREQUENCIES
    """(169,) of pushing each class."""
    fold_ev_sb: float
    call_ev: _FREQUENCIES
    """(169,) of calling a push with each class; the value of folding if nothing is ever pushed."""
    fold_ev_bb: float
    sb_value: float
    """Value of the small blind's frequencies, a hand; the big blind's is its negative."""
    facing: _FREQUENCIES
    """(169,) probability that the small blind pushes, given the big blind's class."""

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each class: values of a push and a call, and the frequencies faced."""
        import polars as pl

        columns = {name: getattr(self, name) for name in ("push_ev", "call_ev", "facing")}
        return pl.DataFrame({"hand": CLASS_NAMES, **columns})

    @property
    def bb_value(self) -> float:
        """Value per hand of the big blind's frequencies."""
        return -self.sb_value


@checked
def share_of_holdings(frequencies: npt.ArrayLike) -> float:
    """Return the share of the 1,326 holdings that are played at these frequencies (169,) by class.

    Raises `BadInput`.
    """
    return float(frequencies_of(frequencies, "class") @ COMBINATIONS) / HOLDINGS


@checked
def solve_pushfold(
    stack: float,
    *,
    ante: float = 0.0,
    tolerance: float = 1e-8,
    progress: Progress | None = None,
) -> PushFoldSolution:
    """Solve the game to an exploitability of ``tolerance`` big blinds a hand.

    A tolerance of 1e-6 is enough for the value; at 1e-8 mixed hands' frequencies have three digits.

    >>> solution = solve_pushfold(10)
    >>> f"{solution.value_sb_bb:.5f} {solution.push_share:.1%} {solution.call_share:.1%}"
    '-0.04537 58.3% 37.4%'
    """
    game = PushFold(stack=stack, ante=ante)
    return _named(game, solve(game.tree(), tolerance=tolerance, progress=progress))


@checked
def pushfold_ev(
    push: npt.ArrayLike, call: npt.ArrayLike, *, stack: float, ante: float = 0.0
) -> PushFoldValues:
    """Value every choice against the other seat's frequencies, both (169,) from 0 to 1.

    Raises `BadInput` for frequencies of another shape or outside that range.
    """
    game = PushFold(stack=stack, ante=ante)
    pushes, calls = frequencies_of(push, "push"), frequencies_of(call, "call")
    # Both matrices contain the probability of the two classes, so their sums over the opponent are
    # joint with the own class; dividing by its probability gives values of a hand that has been
    # dealt.
    dealt, wins = showdown_matrices()
    own = dealt.sum(axis=1)
    folded = dealt @ (1 - calls) * game.won_by_a_fold
    push_ev = (folded + game.stack * (wins @ calls)) / own
    pushed = pushes @ dealt
    never = pushed <= 0
    won = -game.stack * (pushes @ wins)
    fold_ev_bb = -game.won_by_a_fold
    call_ev = np.where(never, fold_ev_bb, won / np.where(never, 1.0, pushed))
    fold_ev_sb = -game.lost_by_folding
    return PushFoldValues(
        push_ev=push_ev,
        fold_ev_sb=fold_ev_sb,
        call_ev=call_ev,
        fold_ev_bb=fold_ev_bb,
        sb_value=float(own @ (pushes * push_ev + (1 - pushes) * fold_ev_sb)),
        facing=pushed / own,
    )


@checked
def best_response_push(call: npt.ArrayLike, *, stack: float, ante: float = 0.0) -> _FREQUENCIES:
    """Return the most profitable pushes (169,) against a big blind; indifferent hands fold."""
    return _best(np.zeros(CLASSES), frequencies_of(call, "call"), 0, stack=stack, ante=ante)


@checked
def best_response_call(push: npt.ArrayLike, *, stack: float, ante: float = 0.0) -> _FREQUENCIES:
    """Return the most profitable calls (169,) against a small blind; indifferent hands fold."""
    return _best(frequencies_of(push, "push"), np.zeros(CLASSES), 1, stack=stack, ante=ante)


@checked
def frequencies_of(values: npt.ArrayLike, name: str) -> _FREQUENCIES:
    """Check frequencies by class. Raises `BadInput`."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        kind = type(values).__name__
        raise BadInput(f"{name} frequencies of type {kind}; allowed: (169,) of 0 to 1") from None
    if array.shape != (CLASSES,):
        raise BadInput(f"{name} frequencies of shape {array.shape}; allowed: (169,) of 0 to 1")
    wrong = np.flatnonzero(~((array >= 0) & (array <= 1)))
    if wrong.size:
        hand = CLASS_NAMES[wrong[0]]
        raise BadInput(f"{name} frequency {array[wrong[0]]:g} of {hand}; allowed: 0 to 1")
    return array


def _best(
    push: _FREQUENCIES, call: _FREQUENCIES, player: int, *, stack: float, ante: float
) -> _FREQUENCIES:
    game = PushFold(stack=stack, ante=ante).tree()
    strategy: Strategy = (np.stack([1 - push, push]), np.stack([1 - call, call]))
    response: _FREQUENCIES = best_response(game, strategy, player=player)[_PUSH]
    return response


def _named(game: PushFold, solution: Solution) -> PushFoldSolution:
    return PushFoldSolution(
        game=game,
        push=solution.strategy[0][_PUSH],
        call=solution.strategy[1][_PUSH],
        value_sb_bb=solution.value,
        exploitability_bb=solution.exploitability,
        iterations=solution.iterations,
        took_s=solution.took_s,
    )


@cache
def showdown_matrices() -> tuple[_FREQUENCIES, _FREQUENCIES]:
    """Return (169, 169) the probability of two classes, and the row's net wins times it."""
    counts = classes_matrix()
    boards = counts.boards.sum()
    return counts.boards / boards, (counts.wins - counts.wins.T) / boards


# Push/fold over many stacks: the largest stack at which each hand is still played, and the gaps.
#
# Printed charts give one number for each hand. Some hands are pushed at 1 to 3 and again at 5 to 8
# big blinds, which one number cannot express, so a hand has spans here, with gaps between them.


HALF = 0.5
"""A hand counts as played at a stack if the equilibrium plays it at least this often."""


@dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring stacks of a sweep, both ends included, in big blinds."""

    low: float
    high: float
    is_open: bool = False
    """Whether the span reaches the largest stack of the sweep, and so may go on beyond it."""

    def __str__(self) -> str:
        """Write ``7.5-10.2``, or one stack such as ``7.5``, or ``≥7.5`` for an open span."""
        if self.is_open:
            return f"≥{self.low:g}"
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g}-{self.high:g}"


@dataclass(frozen=True, slots=True, eq=False)
class Sweep(HasTable):
    """Equilibria at rising stacks."""

    solutions: tuple[PushFoldSolution, ...]

    @property
    def stacks(self) -> npt.NDArray[np.float64]:
        """The stacks in big blinds, (stacks,)."""
        return np.array([solution.game.stack for solution in self.solutions])

    @property
    def push(self) -> npt.NDArray[np.float64]:
        """Push frequency of each class, (stacks, 169)."""
        return np.array([solution.push for solution in self.solutions])

    @property
    def call(self) -> npt.NDArray[np.float64]:
        """Call frequency of each class, (stacks, 169)."""
        return np.array([solution.call for solution in self.solutions])

    def spans(self, frequencies: npt.NDArray[np.float64]) -> tuple[tuple[Span, ...], ...]:
        """Find the spans of stacks at which ``frequencies`` (stacks, 169) play each class."""
        return tuple(_spans(self.stacks, column >= HALF) for column in frequencies.T)

    def gaps(self, frequencies: npt.NDArray[np.float64]) -> tuple[str, ...]:
        """List the classes that have more than one span: ``43s 1-2, 5-7.5, ≥9``."""
        return tuple(
            f"{name} {', '.join(map(str, spans))}"
            for name, spans in zip(CLASS_NAMES, self.spans(frequencies), strict=True)
            if len(spans) > 1
        )

    def largest(self, frequencies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the largest stack at which each class is played, (169,), or 0 if it never is.

        The largest stack of the sweep stands for itself and for all that may follow.
        """
        played = frequencies >= HALF
        largest: npt.NDArray[np.float64] = np.where(played, self.stacks[:, None], 0.0).max(axis=0)
        return largest

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each stack."""
        return table_of(
            {
                "stack_bb": solution.game.stack,
                "value_small_blind_bb": solution.value_sb_bb,
                "push_share": solution.push_share,
                "call_share": solution.call_share,
                "exploitability_bb": solution.exploitability_bb,
            }
            for solution in self.solutions
        )


@checked
def sweep_stacks(
    stacks: Sequence[float],
    *,
    ante: float = 0.0,
    tolerance: float = 1e-8,
    progress: Progress | None = None,
) -> Sweep:
    """Solve the game at every stack. Raises `BadInput` as `solve_pushfold` does."""
    solutions = []
    # Threads, not processes: the kernels release the interpreter's lock, so they run in parallel.
    with ThreadPoolExecutor() as pool:
        jobs = [
            pool.submit(solve_pushfold, stack, ante=ante, tolerance=tolerance)
            for stack in sorted(stacks)
        ]
        try:
            for done, job in enumerate(jobs):
                if progress is not None:
                    progress(done, len(jobs), "stacks")
                solutions.append(job.result())
        finally:
            # After Ctrl-C the stacks that have not begun are dropped, and only those at work are
            # waited for.
            pool.shutdown(cancel_futures=True)
    return Sweep(tuple(solutions))


def _spans(stacks: npt.NDArray[np.float64], played: npt.NDArray[np.bool_]) -> tuple[Span, ...]:
    # With a False on both sides every run of True has an edge where it begins and one after its
    # end, so the edges come in pairs.
    edges = np.flatnonzero(np.diff(np.concatenate([[False], played, [False]]).astype(np.int8)))
    return tuple(
        Span(float(stacks[start]), float(stacks[stop - 1]), is_open=stop == len(stacks))
        for start, stop in edges.reshape(-1, 2).tolist()
    )


# Push/fold strategies as text: by hand name in JSON, and as ranges.


_SHAPE = 'allowed: {"stack_bb": 10, "chart": {"push": {"AA": 1.0, ...}, "call": {...}}}'


@checked
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chart:
    """How often each hand is played, and the stack in big blinds for which this was solved."""

    stack: float
    push: npt.NDArray[np.float64]
    """(169,) how often the small blind pushes each class."""
    call: npt.NDArray[np.float64]
    """(169,) how often the big blind calls with each class."""


@checked
def range_frequencies(text: str) -> npt.NDArray[np.float64]:
    """Return how often a range such as ``22+, A2+, K5o+`` plays each class, (169,).

    Raises `railbird.errors.BadInput` if holdings of one class have different weights, since
    push/fold does not distinguish suits, and `railbird.errors.ParseError` for a text that is no
    range.

    >>> from railbird.cards import parse_class
    >>> float(range_frequencies("22+, K5o+:0.5")[parse_class("KQo")])
    0.5
    """
    weights = Range.parse(text).weights
    totals = np.bincount(CLASS_OF_HOLDING, weights=weights, minlength=CLASSES)
    frequencies: npt.NDArray[np.float64] = totals / COMBINATIONS
    uneven = ~np.isclose(weights, frequencies[CLASS_OF_HOLDING])
    if uneven.any():
        name = CLASS_NAMES[CLASS_OF_HOLDING[int(uneven.argmax())]]
        raise BadInput(f"a part of {name} in {text!r}; allowed: all suits of a hand alike")
    return np.clip(frequencies, 0.0, 1.0)


@checked
def by_name(values: npt.NDArray[np.float64]) -> dict[str, float]:
    """Return values (169,) by the names of their classes. Raises `BadInput` for another shape."""
    if values.shape != (CLASSES,):
        raise BadInput(f"values of shape {values.shape}; allowed: ({CLASSES},), one a class")
    return dict(zip(CLASS_NAMES, values.tolist(), strict=True))


@checked
def read_pushfold_chart(path: Path | str) -> Chart:
    """Read the chart in a file that ``railbird solve pushfold --json`` wrote.

    Raises `NothingUsable` for a file with other content, for a hand that is missing or unknown, and
    for a frequency that is no number from 0 to 1; `OSError` if the file cannot be read.
    """
    path = Path(path)
    try:
        answer = json.loads(path.read_bytes())
        stack, chart = float(answer["stack_bb"]), answer["chart"]
        return Chart(
            stack=stack,
            push=_frequencies(chart["push"], "push"),
            call=_frequencies(chart["call"], "call"),
        )
    except BadInput as problem:
        raise NothingUsable(f"{path}: {problem}") from None
    except (ValueError, OverflowError, RecursionError, KeyError, TypeError):
        raise NothingUsable(f"{path} is no chart; {_SHAPE}") from None


def _frequencies(given: Mapping[str, float], what: str) -> npt.NDArray[np.float64]:
    if wrong := sorted(set(given) ^ set(CLASS_NAMES)):
        problem = "an unknown hand" if wrong[0] in given else "no hand"
        raise BadInput(f"{what}: {problem} {wrong[0]!r}; allowed: the 169 from AA to 32o")
    return frequencies_of([given[name] for name in CLASS_NAMES], what)


# Chance-sampled regret matching for push/fold, as in the source.
#
# Chin and Lopez (2023, section 2.1) deal each seat a holding in every iteration and update only
# these two, each against everything that the other seat may hold. All 1,326 holdings are kept
# apart. They took win probabilities from ten random boards for each pair, which `sampled_edge`
# repeats; by default the exact probabilities are used.


_Frequencies = npt.NDArray[np.float64]
Edge = npt.NDArray[np.float32]
"""(1326, 1326) share of the boards that the row wins minus the share that it loses; NaN where the
two holdings have a card in common."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrategySnapshot:
    """The strategies after some iterations, (1326,) by holding."""

    iterations: int
    push: _Frequencies
    """The small blind's average strategy; one half where a holding was never dealt."""
    call: _Frequencies
    current_push: _Frequencies
    """The strategy that regret matching would play next; the source's figures show this one."""
    current_call: _Frequencies
    exploitability_bb: float
    """Gain of a best response over the average strategies, averaged over the seats."""
    current_exploitability_bb: float


def sample_pushfold(
    stack: float,
    *,
    rng: np.random.Generator,
    ante: float = 0.0,
    edge: Edge | None = None,
    snapshots: Sequence[int] = SNAPSHOTS,
    progress: Progress | None = None,
) -> tuple[StrategySnapshot, ...]:
    """Iterate up to the last of ``snapshots`` and return the strategies at each of them.

    ``edge`` are the win probabilities that the iterations use, by default the exact ones.
    Exploitability is always computed with the exact ones. Raises `BadInput` for stakes that
    `PushFold` refuses.
    """
    game = PushFold(stack=stack, ante=ante)
    exact = exact_edge(progress=progress)
    believed = exact if edge is None else edge
    regrets, cumulative_strategy = np.zeros((2, 2, HOLDINGS)), np.zeros((2, HOLDINGS))
    current, visits = np.full((2, HOLDINGS), 0.5), np.zeros((2, HOLDINGS), dtype=np.int64)
    stakes = (game.lost_by_folding, game.won_by_a_fold, game.stack)
    results, done = [], 0
    for stop in sorted(snapshots):
        if progress is not None:
            progress(done, max(snapshots), "iterations")
        visit_deals(
            _deals(rng, stop - done),
            believed,
            stakes,
            regrets,
            current,
            cumulative_strategy,
            visits,
        )
        done = stop
        average = np.where(visits > 0, cumulative_strategy / np.maximum(visits, 1), 0.5)
        results.append(
            StrategySnapshot(
                iterations=stop,
                push=average[0],
                call=average[1],
                current_push=current[0].copy(),
                current_call=current[1].copy(),
                exploitability_bb=holdings_exploitability(game, average, exact),
                current_exploitability_bb=holdings_exploitability(game, current, exact),
            )
        )
    return tuple(results)


def mean_by_class(frequencies: _Frequencies) -> _Frequencies:
    """Return (169,) the mean of frequencies (1326,) over the holdings of each class."""
    return np.bincount(CLASS_OF_HOLDING, weights=frequencies, minlength=CLASSES) / COMBINATIONS


def exact_edge(*, progress: Progress | None = None) -> Edge:
    """Return the win probabilities over all boards; builds the matrix of pairs if it is missing."""
    matrix = open_matrix(progress=progress)
    wins = matrix.wins.astype(np.float32)
    return np.where(matrix.disjoint, (wins - wins.T) / PAIR_BOARDS, np.float32(np.nan))


def sampled_edge(rng: np.random.Generator, *, boards: int = 10) -> Edge:
    """Return win probabilities from a few random boards for each pair, as the source did."""
    matrix = open_matrix()
    first, second = np.nonzero(np.triu(matrix.disjoint))
    won, lost = matrix.wins[first, second], matrix.wins[second, first]
    counts = np.stack([won, lost, PAIR_BOARDS - won - lost], axis=1)
    # Drawing wins, losses and ties at once gives the same distribution as drawing boards with
    # replacement, without dealing one. A pair is drawn once, so that the edge stays antisymmetric.
    drawn = rng.multinomial(boards, counts / PAIR_BOARDS)
    edge = np.full(matrix.wins.shape, np.nan, dtype=np.float32)
    edge[first, second] = (drawn[:, 0] - drawn[:, 1]) / boards
    edge[second, first] = -edge[first, second]
    return edge


def holding_values(
    game: PushFold, push: _Frequencies, call: _Frequencies, edge: Edge
) -> npt.NDArray[np.float64]:
    """Return the values of folding and of playing, by seat, action and holding, (2, 2, 1326).

    Values are in big blinds against the other seat's frequencies (1326,). Each is multiplied by the
    probability of its holding, so that sums are big blinds a hand. The big blind's values include
    the hands that it wins without a decision.
    """
    disjoint = ~np.isnan(edge)
    met = disjoint.astype(np.float64)
    won = game.stack * np.where(disjoint, edge, 0.0).astype(np.float64)
    walks = game.lost_by_folding * (met @ (1 - push))
    values = np.array(
        [
            [
                -game.lost_by_folding * met.sum(axis=1),
                game.won_by_a_fold * (met @ (1 - call)) + won @ call,
            ],
            [walks - game.won_by_a_fold * (met @ push), walks + won @ push],
        ]
    )
    values /= met.sum()
    return values


def holdings_exploitability(game: PushFold, strategy: _Frequencies, edge: Edge) -> float:
    """Return the gain of best responses over a strategy (2, 1326), averaged over the seats."""
    return float(holding_values(game, strategy[0], strategy[1], edge).max(axis=1).sum()) / 2


def _deals(rng: np.random.Generator, count: int) -> npt.NDArray[np.int64]:
    """Return (count, 2) holdings without a common card, all such deals equally likely."""
    batches: list[npt.NDArray[np.int64]] = []
    missing = count
    # Rejection: one pair in thirteen or so clashes and is drawn again, which keeps the rest
    # uniform.
    while missing > 0:
        drawn = rng.integers(HOLDINGS, size=(missing, 2))
        first, second = HOLDING_CARDS[drawn[:, 0]], HOLDING_CARDS[drawn[:, 1]]
        clash = (first[:, :, None] == second[:, None, :]).any(axis=(1, 2))
        batches.append(drawn[~clash])
        missing -= len(batches[-1])
    return np.concatenate(batches) if batches else np.empty((0, 2), dtype=np.int64)
