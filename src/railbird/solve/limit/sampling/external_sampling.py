"""External-sampling Monte Carlo CFR on any `StateGame`: a check of the matrix solver.

Deals are drawn from how the final states meet, which is all of the cards that payoffs depend on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird.solve.limit.matrix_cfr import MatrixSolver, round_arrays
from railbird.solve.limit.sampling._kernels_external_sampling import visit_deals
from railbird.solve.limit.state_game import StateGame

Tables = tuple[npt.NDArray[np.float64], ...]
"""By round (states, lanes)."""

_DEALS_AT_ONCE = 1 << 16


class SampledSolver:
    """The tables of a game that is being solved by sampling; `run` goes on where it stopped."""

    def __init__(self, game: StateGame, rng: np.random.Generator) -> None:
        self.game = game
        self.iterations = self.decisions = 0
        self.regrets, self.sums = _zeros(game), _zeros(game)
        self._rng = rng
        self._parts = tuple(round_arrays(part) for part in game.tree.rounds)
        self._stream = rng.integers(1, 1 << 63, size=1, dtype=np.uint64)
        # A tie is drawn as a win or a loss, which changes no expected value.
        won = (game.meet[-1] + game.edge) / 2
        self._cumulative = np.cumsum([won, won - game.edge])

    def run(self, iterations: int) -> None:
        """Draw so many deals, on each of which both players are updated."""
        left = iterations
        while left:
            deals = min(left, _DEALS_AT_ONCE)
            states, results = self.draw(deals)
            self.decisions += visit_deals(
                self._parts,
                float(self.game.tree.chips_per_unit),
                self.regrets,
                self.sums,
                states,
                results,
                self.iterations + 1,
                self._stream,
            )
            self.iterations += deals
            left -= deals

    def draw(self, deals: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
        """Draw states (deals, 2, rounds) by seat, and results (deals,): 1 or -1 for seat 0."""
        count, rounds = self.game.states[-1], len(self.game.parents)
        drawn = self._rng.random(deals) * self._cumulative[-1]
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
        return self._average().exploitability()

    def value(self) -> float:
        """Return what seat 0 wins a game if both play the average strategy, in small bets."""
        return self._average().value()

    def _average(self) -> MatrixSolver:
        exact = MatrixSolver(self.game)
        exact.sums = tuple(table.astype(np.float32) for table in self.sums)
        return exact


def _zeros(game: StateGame) -> Tables:
    return tuple(
        np.zeros((states, part.lanes))
        for states, part in zip(game.states, game.tree.rounds, strict=True)
    )
