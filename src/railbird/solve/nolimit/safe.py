"""Solving the rest of a heads-up no-limit hand so that unexpected holdings gain little by it.

`railbird.solve.spot.solving` solves a spot for the ranges that it is given. If they are those of a
blueprint, an opponent who comes with other holdings may gain by what is solved: there is no reason
for it to be good against them. `SafeSolver` solves another game, the *gadget* of Burch, Johanson
and Bowling ("Solving imperfect information games using decomposition", 2014). In it the opponent,
with each holding, first either enters the spot or leaves it, and then gets what that holding was
worth before anything was solved:

    enter(h) <- enter(h) * d + v(h)      leave(h) <- leave(h) * d + a(h)      less their mean

where v(h) is what holding h wins in the spot and a(h) its alternative, and d discounts as the
spot's own schedule does. What the player then plays leaves no holding more than its alternative
if that can be done. It can if the alternatives are what a best response wins from the blueprint,
since the blueprint itself does it. With other alternatives the sum of what holdings win beyond them
is least, each weighed by its range. What the opponent's range is matters little for that, as long
as every holding has a part of it: see `LEAST_ENTRY`.

Moravčík and others ("Refining subgames in large imperfect information games", 2016) and Brown and
Sandholm ("Safe and nested subgame solving for imperfect-information games", 2017) make all margins
as wide as they can be, too. That would take a distribution over holdings that converges slowly; it
was left out.
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
"""Weight that every holding of the opponent keeps in the gadget, beside 1 of the likeliest.

On turns of ten river cards, .3 came as near to the alternatives as .05 and .001 do with as many
iterations, or nearer.
"""


@dataclass(eq=False)
class SafeSolver(SpotSolver):
    """A spot that is being solved for one player, whose opponent may leave it.

    `gap` is of the gadget, so that it does not fall to zero by more ``iterations`` alone where the
    alternatives can be had: then `excess` does.
    """

    opponent: int = 0
    """Who may leave: 0 is out of position."""
    alternatives: Values = field(default_factory=lambda: np.zeros(HOLDINGS))
    """(1326,) chips that each of the opponent's holdings wins if it leaves, half of the first pot
    taken to be the opponent's."""
    slope: float = 0.0
    """Chips that are added for an edge of one: what a holding wins more often than it loses against
    the player's range, if nobody bets any more."""
    _regrets: Values = field(init=False)
    """(2, 1326) of entering and of leaving."""
    _entering: Values = field(init=False)
    """(1326,) the average chance of entering."""
    _left: Values = field(init=False)
    """(1326,) counterfactual values of leaving."""

    def __post_init__(self) -> None:
        if not self.spot.is_zero_sum or self.spot.folded:
            raise BadInput("rake, prizes or folded cards; allowed in safe solving: none of them")
        super().__post_init__()
        self._regrets = np.zeros((2, HOLDINGS))
        self._entering = np.zeros(HOLDINGS)

    def allocate(self, progress: Progress | None = None, averages: Numbers | None = None) -> None:
        """Allocate the arrays, and find what leaving is worth."""
        super().allocate(progress, averages)
        alike = self.streets[0].permutations[0] if self.isomorphism else [0]
        # Boards that are alike are one only if holdings that are alike have the same alternative.
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
        """Return the opponent's range as the kernels read it, times the chances of entering."""
        held = self._held[self.opponent]
        lines = aligned(len(held), LINE)
        lines[:, 0] = (self._range_of_opponent * chances)[held]
        return lines.reshape(-1)

    def _chances(self) -> Values:
        """Return (1326,) the chance of entering by the regrets."""
        positive = np.maximum(self._regrets, 0.0)
        total = positive.sum(axis=0)
        chances: Values = np.where(total > 0, positive[0] / np.where(total > 0, total, 1.0), 0.5)
        return chances

    def run(self, iterations: int) -> None:
        """Add iterations, each of which updates one player after the other, then who enters."""
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
        """Update what the opponent regrets, from the counterfactual values of entering."""
        chances = self._chances()
        mean = chances * won + (1 - chances) * self._left
        self._regrets *= np.where(self._regrets > 0, step.gain, step.loss)
        self._regrets += [won - mean, self._left - mean]
        self._entering *= step.keep
        self._entering += step.add * chances

    def gap(self) -> float:
        """Return the mean gain of both players' best responses in the gadget, in chips."""
        player, weights = 1 - self.opponent, self._range_of_opponent
        entering = self._pass(player, BEST, _NOTHING, None, self._lines(self._entering))
        held = self.streets[0].held[0][player]
        won = float(entering @ self.spot.ranges[player].weights[held])
        won -= float(weights @ ((1 - self._entering) * self._left))
        lost = float(weights @ np.maximum(self._left, self.root_values(self.opponent, BEST)))
        return (won + lost) / (2 * self._pairs)

    def excess(self) -> float:
        """Return what the opponent's holdings win beyond their alternatives, in chips.

        It is by a best response to the average, and the mean over the opponent's range.
        """
        beyond = np.maximum(self.root_values(self.opponent, BEST) - self._left, 0.0)
        return float(self._range_of_opponent @ beyond) / self._pairs


_NOTHING: Final = StepFactors(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
