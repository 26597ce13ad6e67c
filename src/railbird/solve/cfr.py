"""Counterfactual regret minimisation for any `Game`.

The iterations follow Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with
incomplete information" (2007), with the players updated in turn. `CfrVariant` names the papers of
the variants.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from typing import NamedTuple

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve._kernels_cfr import iterate
from railbird.solve.best_responses import exploitability, kernel_arrays, node_tables, values
from railbird.solve.game_tree import Game
from railbird.solve.settings import MOST_ITERATIONS
from railbird.solve.strategy import Strategy, normalised, uniform, zeros


class CfrVariant(Enum):
    """Discounting of earlier regrets and strategies at iteration t.

    Positive regrets are multiplied by t^a / (t^a + 1), negative ones the same with b, the average
    strategy by ((t - 1) / t)^c; these are the first three numbers, in the notation of Brown and
    Sandholm (2019). The last is how many times the newest regret is added again when the next
    strategy is chosen, as a prediction of the regret to come.
    """

    CFR = (inf, inf, 0.0, 0.0)
    """Zinkevich et al. 2007: regrets and strategies of all iterations count alike."""
    CFR_PLUS = (inf, -inf, 1.0, 0.0)
    """Tammelin, "Solving large imperfect information games using CFR+" (2014): negative regrets
    are forgotten, iteration t counts t times in the average."""
    LINEAR = (1.0, 1.0, 1.0, 0.0)
    """Brown and Sandholm, "Solving imperfect-information games via discounted regret minimization"
    (2019): iteration t counts t times, in regrets too."""
    DISCOUNTED = (1.5, 0.0, 2.0, 0.0)
    """The same paper's recommendation."""
    PREDICTIVE = (inf, -inf, 2.0, 1.0)
    """Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell approachability"
    (2021): CFR+ with a prediction, and quadratic averaging."""

    @property
    def title(self) -> str:
        """Name and paper.

        >>> CfrVariant.CFR_PLUS.title
        'CFR+ (Tammelin 2014)'
        """
        return _TITLES[self]


_TITLES = {
    CfrVariant.CFR: "CFR (Zinkevich et al. 2007)",
    CfrVariant.CFR_PLUS: "CFR+ (Tammelin 2014)",
    CfrVariant.LINEAR: "linear CFR (Brown and Sandholm 2019)",
    CfrVariant.DISCOUNTED: "discounted CFR (Brown and Sandholm 2019)",
    CfrVariant.PREDICTIVE: "predictive CFR+ (Farina, Kroer and Sandholm 2021)",
}


@dataclass(slots=True, eq=False)
class Solver:
    """The tables of a game that is being solved; `run` resumes where it stopped."""

    game: Game
    variant: CfrVariant = CfrVariant.CFR_PLUS
    iterations: int = field(default=0, init=False)
    regrets: Strategy = field(init=False)
    current: Strategy = field(init=False)
    cumulative_strategy: Strategy = field(init=False)

    def __post_init__(self) -> None:
        self.regrets, self.cumulative_strategy = zeros(self.game), zeros(self.game)
        self.current = uniform(self.game)

    def run(self, iterations: int) -> None:
        """Add this many iterations, each of which updates one player after the other."""
        iterate(
            kernel_arrays(self.game),
            self.game.payoffs,
            self.regrets,
            self.current,
            self.cumulative_strategy,
            node_tables(self.game),
            node_tables(self.game),
            self.iterations,
            self.iterations + iterations,
            self.variant.value,
        )
        self.iterations += iterations

    def average(self) -> Strategy:
        """Normalise the cumulative strategy, which converges to an equilibrium."""
        return normalised(self.game, self.cumulative_strategy)


class Check(NamedTuple):
    """A point of a convergence curve."""

    iterations: int
    exploitability: float


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A strategy with its value and exploitability."""

    strategy: Strategy
    value: float
    """Payoff of the first player, a game."""
    exploitability: float
    """Gain of a best response, averaged over the seats; 0 in equilibrium."""
    iterations: int
    took_s: float
    curve: tuple[Check, ...]
    """Exploitability of the average strategy wherever it was computed."""


@checked
def solve(
    game: Game,
    *,
    tolerance: float,
    variant: CfrVariant = CfrVariant.PREDICTIVE,
    most: int = MOST_ITERATIONS,
    first_check: int = 64,
    progress: Progress | None = None,
) -> Solution:
    """Iterate until no best response gains more than ``tolerance`` on average over the seats.

    ``tolerance`` is in the unit of the payoffs; at most ``most`` iterations are made. The
    exploitability is first computed after ``first_check`` of them and then after every further
    quarter. Raises `BadInput` for a tolerance that is not positive.
    """
    if not tolerance > 0:
        raise BadInput(f"tolerance {tolerance:g}; allowed: more than 0")
    start = time.perf_counter()
    solver, batch = Solver(game, variant), first_check
    curve = []
    while True:
        solver.run(min(batch, most - solver.iterations))
        strategy = solver.average()
        gap = exploitability(game, strategy)
        curve.append(Check(solver.iterations, gap))
        if progress is not None:
            progress(solver.iterations, 0, f"solving, exploitability {gap:.1e}")
        if gap <= tolerance or solver.iterations >= most:
            return Solution(
                strategy=strategy,
                value=float(values(game, strategy, player=0).sum()),
                exploitability=gap,
                iterations=solver.iterations,
                took_s=time.perf_counter() - start,
                curve=tuple(curve),
            )
        batch = max(first_check, solver.iterations // 4)
