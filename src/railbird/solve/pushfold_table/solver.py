"""Equilibria of push/fold at a table by regret minimisation, with their exploitability.

A player's decision depends on who is in before him and on the class of his holding, so it is an
array of 169 numbers for each set of earlier seats. Behind `MOST_IN` all-in everybody folds.

Which cards are left follows from everybody's actions. Two or three hands that meet at showdown take
cards from each other exactly; folded hands by pairs: each player's fold multiplies the chances of
another's classes, or of another's action, by what it alone would. Between two players nothing is
approximate. Among more, values of all seats should add up to what is played for, and what they lack
(`TableSolution.discrepancy`) shows how good that is: without the folded hands it is ten times more.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._threads import in_slices
from railbird.cards import CLASS_NAMES, CLASSES
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.pushfold_table import showdown
from railbird.solve.pushfold_table.game import PushFoldTable
from railbird.solve.settings import MOST_IN, TABLE_ITERATIONS, TABLE_TOLERANCE

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]
Seats = tuple[int, ...]
Node = tuple[int, Seats]
"""A decision: the seat to act, and the seats all-in before it."""
Strategy = dict[Node, Floats]
"""(169,) how often each class goes all-in, at each decision."""
_TINY = 1e-300
_RARE = 1e-9
"""Probability of an action below which it says nothing of the cards that are left."""
_PURE = 1e-3
"""Frequencies nearer to never or always than this are what remains of early iterations."""


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """What a strategy is worth, by decision and by seat."""

    reach: dict[Node, Floats]
    """(169,) probability that the others let the decision arise, by the own class."""
    push: dict[Node, Floats]
    """(169,) value of going all-in."""
    fold: dict[Node, Floats]
    """(169,) value of folding."""
    seats: Floats
    """(seats,) value of the hand."""
    gains: Floats
    """(seats,) what a best response gains."""


def nodes_of(seats: int) -> list[Node]:
    """Return all decisions, in the order of acting."""
    return [
        (seat, inside)
        for seat in range(seats)
        for size in range(min(seat, MOST_IN - 1) + 1)
        for inside in combinations(range(seat), size)
        if not (seat == seats - 1 and not inside)
    ]


class Evaluator:
    """The ends of a table's hands, valued against strategies."""

    def __init__(self, table: PushFoldTable) -> None:
        self.table = table
        self.count = len(table.stacks)
        self.nodes = nodes_of(self.count)
        self._ends = dict(table.ends())

    def values(self, strategy: Strategy, triples: dict[Seats, Floats] | None = None) -> Values:
        """Value every choice, and a best response of each seat to all others.

        ``triples`` are the values with three all-in, by default those of the strategy.
        """
        play = self._play(strategy)
        leaves = self._leaves(strategy) | (triples or self.triples(strategy))
        reach: dict[Node, Floats] = {}
        push: dict[Node, Floats] = {}
        fold: dict[Node, Floats] = {}

        def walk(seat: int, inside: Seats, chance: Floats) -> tuple[Floats, Floats]:
            """Return values (seats, 169) under the strategy and under each seat's best response."""
            node = (seat, inside)
            if node not in play:
                return leaves[inside], leaves[inside]
            plays = play[node]
            pushed, best_pushed = walk(seat + 1, (*inside, seat), chance * plays)
            folded, best_folded = walk(seat + 1, inside, chance * (1 - plays))
            reach[node], push[node], fold[node] = chance[seat], pushed[seat], folded[seat]
            value = plays * pushed + (1 - plays) * folded
            best = plays * best_pushed + (1 - plays) * best_folded
            own = strategy[node]
            value[seat] = own * pushed[seat] + (1 - own) * folded[seat]
            best[seat] = np.maximum(pushed[seat], folded[seat])
            return value, best

        value, best = walk(0, (), np.ones((self.count, CLASSES)))
        dealt = showdown.class_probabilities()
        return Values(reach, push, fold, value @ dealt, (best - value) @ dealt)

    def _play(self, strategy: Strategy) -> dict[Node, Floats]:
        """Return (seats, 169) how often a decision's seat goes all-in, given a seat's own class.

        What the others have done before says something of the cards that are left: each of them
        multiplies the probability by what his action alone would multiply it.
        """
        dealt, prior = showdown.dealt(), showdown.class_probabilities()
        play = {}
        for node in self.nodes:
            seat, inside = node
            given = dealt @ strategy[node]
            mean = float(prior @ given)
            factors = np.ones(self.count)
            for other in range(seat):
                earlier = (other, tuple(each for each in inside if each < other))
                range_ = strategy[earlier] if other in inside else 1 - strategy[earlier]
                weight = float(prior @ range_)
                if weight > _RARE and mean > _RARE:
                    factors[other] = float((prior * range_) @ given) / (weight * mean)
            everybody = factors.prod()
            for_seat = [everybody / factor if factor > 0 else 0.0 for factor in factors]
            play[node] = np.clip(np.outer(for_seat, given), 0.0, 1.0)
        return play

    def _leaves(self, strategy: Strategy) -> dict[Seats, Floats]:
        """Return values (seats, 169) at every end with up to two all-in."""
        leaves = {}
        for inside, values in self._ends.items():
            if len(inside) > 2:
                continue
            leaf = np.repeat(values[0][:, np.newaxis], CLASSES, axis=1)
            if len(inside) == 2:
                first, second = self._ranges(strategy, inside)
                orders = showdown.pair_orders()
                against_second = orders @ second  # (3, 169) by the first player's class
                _fill(leaf, values, against_second @ (showdown.class_probabilities() * first))
                _fill_own(leaf, inside[0], values, against_second)
                _fill_own(leaf, inside[1], values, orders[::-1] @ first)
            leaves[inside] = leaf
        return leaves

    def triples(self, strategy: Strategy) -> dict[Seats, Floats]:
        """Return values (seats, 169) at every end with three all-in."""
        ends = [inside for inside in self._ends if len(inside) == 3]

        def value(first: int, end: int) -> list[Floats]:
            return [self._triple(strategy, inside) for inside in ends[first:end]]

        slices = in_slices(value, len(ends), size=1, what="showdowns")
        leaves = [leaf for part in slices for leaf in part]
        return dict(zip(ends, leaves, strict=True))

    def _ranges(self, strategy: Strategy, inside: Seats) -> list[Floats]:
        """Return the weights of the classes with which the seats go all-in while others fold.

        Each of those multiplies a class's weight by how much more often he folds against it.
        """
        folded = np.ones(CLASSES)
        for seat in range(self.count):
            node = (seat, tuple(each for each in inside if each < seat))
            if seat not in inside and node in strategy:
                folds = 1 - showdown.dealt() @ strategy[node]
                mean = float(showdown.class_probabilities() @ folds)
                if mean > _RARE:
                    folded *= folds / mean
        return [folded * strategy[seat, inside[:place]] for place, seat in enumerate(inside)]

    def _triple(self, strategy: Strategy, inside: Seats) -> Floats:
        values, ranges = self._ends[inside], self._ranges(strategy, inside)
        leaf = np.repeat(values[0][:, np.newaxis], CLASSES, axis=1)
        for hero, seat in enumerate(inside):
            first, second = (each for place, each in enumerate(ranges) if place != hero)
            weights = showdown.triple_orders(hero, first, second).T
            if hero == 0:
                _fill(leaf, values, weights @ ranges[0])
            _fill_own(leaf, seat, values, weights)
        return leaf


def _fill(leaf: Floats, values: Floats, weights: Floats) -> None:
    """Set the values of all seats to the mean over the orders, whatever their cards."""
    if weights.sum() > _TINY:
        leaf[:] = (weights / weights.sum() @ values)[:, np.newaxis]


def _fill_own(leaf: Floats, seat: int, values: Floats, weights: Floats) -> None:
    """Set the values of a seat by its class, given weights (orders, 169)."""
    totals = weights.sum(axis=0)
    means = values[:, seat] @ weights / np.maximum(totals, _TINY)
    leaf[seat] = np.where(totals > _TINY, means, leaf[seat])


@dataclass(frozen=True, slots=True, eq=False)
class TableCheck:
    """A point of the convergence curve."""

    iterations: int
    worst: float
    """Largest gain of a best response among the seats."""


@dataclass(frozen=True, slots=True, eq=False)
class TableSolution:
    """An equilibrium, or what an interrupted solver had of one.

    Values are prize money in the unit of the payouts or, without them, big blinds.
    """

    table: PushFoldTable
    strategy: Strategy
    """How often each class goes all-in: a push, or a call behind a push."""
    values: Values
    iterations: int
    took_s: float
    curve: tuple[TableCheck, ...]
    finished: bool
    """False if it was interrupted."""

    @property
    def exploitability(self) -> float:
        """Gain of a best response, averaged over the seats."""
        return float(self.values.gains.mean())

    @property
    def worst(self) -> float:
        """Largest gain of a best response among the seats."""
        return float(self.values.gains.max())

    @property
    def discrepancy(self) -> float:
        """Sum of the values of all seats, which would be zero if no card were approximate."""
        return float(self.values.seats.sum())

    @property
    def crowded(self) -> float:
        """Return how often somebody must fold as `MOST_IN` are all-in before him."""
        last = len(self.table.stacks) - 1
        return sum(
            self.reached(node) * self.share(node)
            for node in self.strategy
            if len(node[1]) == MOST_IN - 1 and node[0] < last
        )

    def reached(self, node: Node) -> float:
        """Return how often a decision arises."""
        return float(self.values.reach[node] @ showdown.class_probabilities())

    def share(self, node: Node) -> float:
        """Return the share of holdings that go all-in at a decision."""
        return float(self.strategy[node] @ showdown.class_probabilities())

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each decision and class: frequency, and value of both choices."""
        import polars as pl

        seats = self.table.seats
        return pl.concat(
            pl.DataFrame(
                {
                    "seat": seats[seat],
                    "behind": " ".join(seats[each] for each in inside),
                    "hand": CLASS_NAMES,
                    "all_in": self.strategy[seat, inside],
                    "all_in_value": self.values.push[seat, inside],
                    "fold_value": self.values.fold[seat, inside],
                }
            )
            for seat, inside in self.strategy
        )


@checked
def solve_pushfold_table(
    table: PushFoldTable,
    *,
    tolerance: float = TABLE_TOLERANCE,
    most: int = TABLE_ITERATIONS,
    progress: Progress | None = None,
) -> TableSolution:
    """Iterate until no seat gains more than ``tolerance`` of all prizes or chips.

    Predictive CFR+ (`railbird.solve.CfrVariant`), all seats at once. An equilibrium of more than
    two players need not be the only one, and regret minimisation need not find any: the gain of
    the best responses is what says that it has. A `KeyboardInterrupt` after the first check ends
    the iterations, not the call.

    >>> solution = solve_pushfold_table(PushFoldTable(stacks=(10, 10)))
    >>> f"{solution.values.seats[0]:.4f} {solution.share((0, ())):.1%}"
    '-0.0454 58.3%'
    """
    if not tolerance > 0 or most < 1:
        raise BadInput(f"tolerance {tolerance:g}, {most} iterations; allowed: more than 0")
    start = time.perf_counter()
    if len(table.stacks) > 2:
        showdown.open_triples(progress)
    solver = _Solver(Evaluator(table))
    curve: list[TableCheck] = []
    found: list[tuple[Strategy, Values]] = []
    finished = False
    try:
        while not finished:
            solver.run(min(max(_FIRST, solver.iterations // 3), most - solver.iterations))
            strategy = solver.average()
            values = solver.evaluator.values(strategy)
            found[:] = [(strategy, values)]
            curve.append(TableCheck(solver.iterations, float(values.gains.max())))
            gap = curve[-1].worst / table.whole
            finished = gap <= tolerance or solver.iterations >= most
            if progress is not None:
                progress(solver.iterations, 0, f"solving, a best response gains {gap:.1e}")
    except KeyboardInterrupt:
        if not curve:
            raise
    [(strategy, values)] = found
    return TableSolution(
        table=table,
        strategy=strategy,
        values=values,
        iterations=curve[-1].iterations,
        took_s=time.perf_counter() - start,
        curve=tuple(curve),
        finished=finished,
    )


_FIRST = 16
"""Iterations before the first check."""
_REFRESH = 4
"""Showdowns of three are valued again after this part of the iterations, by the average strategy:
they change little, and take nearly all the time. Every check values them anew."""


class _Solver:
    """The tables of regrets; `run` resumes where it stopped."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.iterations = 0
        self._current = {node: _best_classes(*_STARTS[len(node[1])]) for node in evaluator.nodes}
        self._regrets = {node: np.zeros((2, CLASSES)) for node in evaluator.nodes}
        self._sums = {node: np.zeros(CLASSES) for node in evaluator.nodes}
        self._weights = 0.0
        self._triples: dict[Seats, Floats] = {}
        self._refresh = 0.0

    def run(self, iterations: int) -> None:
        """Add iterations."""
        for t in range(self.iterations + 1, self.iterations + iterations + 1):
            if t >= self._refresh:
                rough = self._current if t < _REFRESH else self.average(max(_PURE, 0.5 / t))
                self._triples = self.evaluator.triples(rough)
                self._refresh = t + max(1, t // _REFRESH)
            values = self.evaluator.values(self._current, self._triples)
            self._weights += t * t
            for node, current in self._current.items():
                self._sums[node] += t * t * current
                push, fold = values.push[node], values.fold[node]
                gain = (push - fold) * values.reach[node]
                instant = np.array([-current * gain, (1 - current) * gain])
                regrets = np.maximum(self._regrets[node] + instant, 0.0)
                predicted = np.maximum(regrets + instant, 0.0)
                total = predicted.sum(axis=0)
                self._regrets[node] = regrets
                self._current[node] = np.divide(
                    predicted[1], total, out=current.copy(), where=total > 0
                )
            self.iterations = t

    def average(self, pure: float = _PURE) -> Strategy:
        """Return the average strategy, in which what is nearly never or always played is so."""
        averages = {node: total / self._weights for node, total in self._sums.items()}
        return {
            node: np.where(each < pure, 0.0, np.where(each > 1 - pure, 1.0, each))
            for node, each in averages.items()
        }


_STARTS = ((0.3,), (0.12,), (0.06,))
"""Shares of holdings all-in at the start, by the number all-in before: near what ranges become, as
wide ones take long to value."""


def _best_classes(share: float) -> Floats:
    """Return (169,) 1 for the classes with the most equity against any hand, up to a share."""
    wins, ties, _ = showdown.pair_orders()
    by_equity = np.argsort(-(wins + ties / 2).sum(axis=1))
    chosen = by_equity[np.cumsum(showdown.class_probabilities()[by_equity]) <= share]
    played = np.zeros(CLASSES)
    played[chosen] = 1.0
    return played
