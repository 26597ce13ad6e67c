"""The algorithms that solve a `StateGame`, as something that is run, kept and resumed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from railbird.solve.abstraction.card_abstraction import CardAbstraction
from railbird.solve.limit.matrix_cfr import MatrixSolver
from railbird.solve.limit.sampling.external_sampling import SampledSolver
from railbird.solve.limit.sampling.public_chance import PublicChanceSolver
from railbird.solve.limit.settings import (
    BOARDS_A_BATCH,
    DEALS_A_STEP,
    MOST_DEALS,
    MOST_ITERATIONS,
    SAMPLED_BOARDS,
)
from railbird.solve.limit.state_game import StateGame

Tables = dict[str, npt.NDArray[Any]]


class Algorithm(StrEnum):
    """How a game of few states is solved; the values are names for people."""

    CFR_PLUS = "cfr+"
    PUBLIC_CHANCE = "public-chance"
    EXTERNAL = "external"

    @property
    def most(self) -> int:
        """Iterations after which it stops, unless the caller says otherwise."""
        return _MOST[self]

    @property
    def words(self) -> str:
        """What is kept of it in a strategy's file."""
        return _WORDS[self]

    @property
    def unit(self) -> str:
        """What an iteration is."""
        return _UNITS[self]


_MOST = {
    Algorithm.CFR_PLUS: MOST_ITERATIONS,
    Algorithm.PUBLIC_CHANCE: SAMPLED_BOARDS,
    Algorithm.EXTERNAL: MOST_DEALS,
}
_UNITS = {
    Algorithm.CFR_PLUS: "iterations",
    Algorithm.PUBLIC_CHANCE: "boards",
    Algorithm.EXTERNAL: "deals",
}
_WORDS = {
    Algorithm.CFR_PLUS: "CFR+ (Tammelin 2014), iteration t counted t^2 times in the average",
    Algorithm.PUBLIC_CHANCE: "public-chance-sampled CFR (Johanson et al. 2012), iteration t "
    f"counted t times in regrets and average, {BOARDS_A_BATCH} boards an iteration",
    Algorithm.EXTERNAL: "external-sampling CFR (Lanctot et al. 2009), deal t counted t times in "
    "regrets and average",
}


class Run(Protocol):
    """A solver with its tables."""

    @property
    def iterations(self) -> int:
        """Iterations so far: see `Algorithm.unit`."""

    @property
    def tables(self) -> Tables:
        """What is kept of it; `resume` fills them."""

    @property
    def state(self) -> dict[str, Any]:
        """What else is kept, for JSON."""

    def step(self, most: int) -> None:
        """Add some iterations, not much beyond ``most`` in all."""

    def averaged(self) -> MatrixSolver:
        """Return a matrix solver with the same average strategy."""

    def resume(self, state: Mapping[str, Any]) -> None:
        """Go on from a kept state, whose tables are filled."""


def start(algorithm: Algorithm, game: StateGame, abstraction: CardAbstraction, seed: int) -> Run:
    """Return a solver of a game that has not begun."""
    match algorithm:
        case Algorithm.CFR_PLUS:
            return _Matrices(MatrixSolver(game))
        case Algorithm.PUBLIC_CHANCE:
            return _Boards(game, PublicChanceSolver(game.tree, abstraction, seed))
        case Algorithm.EXTERNAL:
            return _Deals(SampledSolver(game, np.random.default_rng(seed)))


def _numbered(regrets: tuple[Any, ...], sums: tuple[Any, ...]) -> Tables:
    found = {f"regrets{number}": table for number, table in enumerate(regrets)}
    return found | {f"sums{number}": table for number, table in enumerate(sums)}


class _Matrices:
    """CFR+ as matrix products."""

    def __init__(self, solver: MatrixSolver) -> None:
        self._solver = solver
        self.tables = _numbered(solver.regrets, solver.sums)

    @property
    def iterations(self) -> int:
        return self._solver.iterations

    @property
    def state(self) -> dict[str, Any]:
        return {"iterations": self.iterations}

    def step(self, most: int) -> None:
        self._solver.run(1)

    def averaged(self) -> MatrixSolver:
        return self._solver

    def resume(self, state: Mapping[str, Any]) -> None:
        self._solver.iterations = int(state["iterations"])


class _Boards:
    """Public chance sampling."""

    def __init__(self, game: StateGame, solver: PublicChanceSolver) -> None:
        self._game, self._solver = game, solver
        self.tables = _numbered(solver.regrets, solver.sums)

    @property
    def iterations(self) -> int:
        return self._solver.boards

    @property
    def state(self) -> dict[str, Any]:
        return {"batches": self._solver.batches}

    def step(self, most: int) -> None:
        self._solver.run(1)

    def averaged(self) -> MatrixSolver:
        found = MatrixSolver(self._game)
        found.sums = tuple(table.astype(np.float32) for table in self._solver.sums)
        return found

    def resume(self, state: Mapping[str, Any]) -> None:
        self._solver.batches = int(state["batches"])


class _Deals:
    """External sampling."""

    def __init__(self, solver: SampledSolver) -> None:
        self._solver = solver
        self.tables = {"regrets": solver.regrets, "sums": solver.sums}

    @property
    def iterations(self) -> int:
        return self._solver.iterations

    @property
    def state(self) -> dict[str, Any]:
        solver = self._solver
        return {
            "iterations": solver.iterations,
            "decisions": solver.decisions,
            "rng": solver.rng.bit_generator.state,
            "stream": int(solver.stream[0]),
        }

    def step(self, most: int) -> None:
        self._solver.run(max(min(DEALS_A_STEP, most - self.iterations), 1))

    def averaged(self) -> MatrixSolver:
        return self._solver.averaged()

    def resume(self, state: Mapping[str, Any]) -> None:
        iterations, decisions = int(state["iterations"]), int(state["decisions"])
        self._solver.rng.bit_generator.state = state["rng"]
        self._solver.stream[0] = state["stream"]
        self._solver.iterations, self._solver.decisions = iterations, decisions
