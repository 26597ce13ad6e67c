"""Solves the rest of a heads-up no-limit hand so that unexpected holdings gain little.

`railbird.solve.spot.solving` solves a spot for given ranges. If these are a blueprint's, an
opponent who gets there with other holdings may gain: nothing makes the solution good against them.
`SafeSolver` solves another game instead, the *gadget* of Burch, Johanson and Bowling ("Solving
imperfect information games using decomposition", 2014). There the opponent, with each holding,
first decides whether to enter the spot or to leave it for what that holding was worth before:

    enter(h) <- enter(h) * d + v(h)      leave(h) <- leave(h) * d + a(h)      less their mean

where v(h) is what holding h wins in the spot, a(h) is its alternative, and d discounts as the
spot's own schedule does. The resulting strategy gives no holding more than its alternative if that
is possible. It is possible if the alternatives are what a best response wins from the blueprint,
since the blueprint itself achieves it. With other alternatives, the sum of what holdings win beyond
them is minimal, weighted by the range. The opponent's range matters little for this, as long as
every holding has some weight in it: see `LEAST_ENTRY`.

Moravčík and others ("Refining subgames in large imperfect information games", 2016) and Brown and
Sandholm ("Safe and nested subgame solving for imperfect-information games", 2017) also make all
margins as wide as possible. That needs a distribution over holdings which converges slowly; it was
left out.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.cards.isomorphism_kernels import HOLDING_UNDER
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.simd_kernels import LINE, aligned
from railbird.solve.spot.kernels import BEST, UPDATE, StepFactors
from railbird.solve.spot.solving import Floats, Numbers, SpotSolver
from railbird.solve.spot.spot import met_by

Values = npt.NDArray[np.float64]

LEAST_ENTRY: Final = 0.3
"""The least weight of an opponent's holding in the gadget, where the likeliest has 1.

On turns with ten river cards, .3 came at least as close to the alternatives as .05 and .001 in as
many iterations.
"""


@dataclass(eq=False)
class SafeSolver(SpotSolver):
    """A spot that is being solved for one player, whose opponent may leave it.

    `gap` is that of the gadget. If the alternatives can be met, it need not fall to zero with more
    ``iterations``, but `excess` does.
    """

    opponent: int = 0
    """The player who may leave; 0 is out of position."""
    alternatives: Values = field(default_factory=lambda: np.zeros(HOLDINGS))
    """(1326,) chips that each of the opponent's holdings wins by leaving; half of the starting pot
    counts as the opponent's own."""
    slope: float = 0.0
    """Chips added for an edge of one: the share of showdowns against the player's range that a
    holding wins minus the share that it loses, if nobody bets any more."""
    _regrets: Values = field(init=False)
    """(2, 1326) regrets of entering and of leaving."""
    _entering: Values = field(init=False)
    """(1326,) the average probability of entering."""
    _left: Values = field(init=False)
    """(1326,) counterfactual values of leaving."""

    def __post_init__(self) -> None:
        if not self.spot.is_zero_sum or self.spot.folded:
            raise BadInput("rake, prizes or folded cards; allowed in safe solving: none of them")
        super().__post_init__()
        self._regrets = np.zeros((2, HOLDINGS))
        self._entering = np.zeros(HOLDINGS)

    def allocate(self, progress: Progress | None = None, averages: Numbers | None = None) -> None:
        """Allocate the arrays, and compute the values of leaving."""
        super().allocate(progress, averages)
        alike = self.streets[0].permutations[0] if self.isomorphism else [0]
        # Boards that differ by suits are solved as one, which is right only if holdings that differ
        # by the same suits have the same alternative: each takes the mean of its class.
        mean = np.mean([self.alternatives[HOLDING_UNDER[suits]] for suits in alike], axis=0)
        weights = self.spot.ranges[1 - self.opponent].weights
        self._left = met_by(weights) * mean
        if self.slope:
            held = self.streets[0].held[0]
            reach = weights[held[1 - self.opponent]]
            edges = self.equities(0, 0, reach, self.opponent)
            self._left += self.slope * self._of_all(held[self.opponent], edges)

    @property
    def _range_of_opponent(self) -> Values:
        weights: Values = self.spot.ranges[self.opponent].weights
        return weights

    def _lines(self, chances: Values) -> Floats:
        """Return the opponent's range times the probability of entering, in the kernels' layout."""
        held = self._held[self.opponent]
        lines = aligned(len(held), LINE)
        lines[:, 0] = (self._range_of_opponent * chances)[held]
        return lines.reshape(-1)

    def _chances(self) -> Values:
        """Return (1326,) the current probability of entering, by regret matching."""
        positive = np.maximum(self._regrets, 0.0)
        total = positive.sum(axis=0)
        chances: Values = np.where(total > 0, positive[0] / np.where(total > 0, total, 1.0), 0.5)
        return chances

    def run(self, iterations: int) -> None:
        """Make iterations, each of which updates both players in turn, and who enters."""
        start = time.process_time()
        unit = self._unit()
        try:
            for _ in range(iterations):
                step = self.schedule.step(self.iterations, unit)
                for player in (0, 1):
                    if player == self.opponent:
                        held = self.streets[0].held[0][player]
                        won = self._of_all(held, self._pass(player, UPDATE, step))
                        self._enter(won, step)
                    else:
                        self._pass(player, UPDATE, step, None, self._lines(self._chances()))
                self.iterations += 1
        finally:
            self.cpu_s += time.process_time() - start

    def _enter(self, won: Values, step: StepFactors) -> None:
        """Update the regrets of entering and leaving, given the values of entering."""
        chances = self._chances()
        mean = chances * won + (1 - chances) * self._left
        self._regrets *= np.where(self._regrets > 0, step.gain, step.loss)
        self._regrets += [won - mean, self._left - mean]
        self._entering *= step.keep
        self._entering += step.add * chances

    def gap(self) -> float:
        """Return the gain of a best response in the gadget, averaged over the players, in chips."""
        player, weights = 1 - self.opponent, self._range_of_opponent
        entering = self._pass(player, BEST, _NOTHING, None, self._lines(self._entering))
        held = self.streets[0].held[0][player]
        won = float(entering @ self.spot.ranges[player].weights[held])
        won -= float(weights @ ((1 - self._entering) * self._left))
        lost = float(weights @ np.maximum(self._left, self.root_values(self.opponent, BEST)))
        return (won + lost) / (2 * self._pairs)

    def excess(self) -> float:
        """Return how much the opponent's holdings win beyond their alternatives, in chips.

        The opponent plays a best response to the average strategy; it is a mean over its range.
        """
        beyond = np.maximum(self.root_values(self.opponent, BEST) - self._left, 0.0)
        return float(self._range_of_opponent @ beyond) / self._pairs


_NOTHING: Final = StepFactors(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
