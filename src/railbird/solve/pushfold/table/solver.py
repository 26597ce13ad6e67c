"""Equilibria of push/fold at a table by regret minimisation, with their exploitability."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import CLASS_NAMES, CLASSES
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.pushfold.table import showdown
from railbird.solve.pushfold.table.evaluation import Evaluator, Node, Seats, Strategy, Values
from railbird.solve.pushfold.table.game import PushFoldTable
from railbird.solve.settings import MOST_IN, TABLE_ITERATIONS, TABLE_TOLERANCE

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]

_PURE = 1e-3
"""Frequencies nearer to never or always than this are what remains of early iterations."""


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
        forced = evaluator.table.forced
        self._current = {
            node: np.ones(CLASSES) if node[0] in forced else _best_classes(*_STARTS[len(node[1])])
            for node in evaluator.nodes
        }
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
                if node[0] in self.evaluator.table.forced:
                    continue
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
