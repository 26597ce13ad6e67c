"""No-limit spots on two threads beside one, by the clock: only a machine with two free cores tells.

Both solve the same spot in turn, a few iterations at a time, and the shortest times are compared.
Processor time says what two threads do besides, which two cores cannot make up for.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import numpy as np

from bench.goals import Row
from railbird.solve.spot import Spot, SpotSolver

_TURNS: Final = {"turn": (8, 20), "flop": (5, 2)}
"""By spot: how often both have a turn, and iterations of each."""


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    return [row for name, turns in _TURNS.items() for row in _beside_one(name, *turns)]


def _beside_one(name: str, turns: int, iterations: int) -> list[Row]:
    spot = Spot.read(Path(__file__).parent / "spots" / f"{name}.spot")
    solvers = {threads: SpotSolver(spot, threads=threads) for threads in (1, 2)}
    clock: dict[int, list[float]] = {threads: [] for threads in solvers}
    processor: dict[int, list[float]] = {threads: [] for threads in solvers}
    for solver in solvers.values():
        solver.allocate()
        solver.run(iterations)
    for _ in range(turns):
        for threads, solver in solvers.items():
            began = time.perf_counter(), solver.cpu_s
            solver.run(iterations)
            clock[threads].append((time.perf_counter() - began[0]) / iterations)
            processor[threads].append((solver.cpu_s - began[1]) / iterations)
    assert np.array_equal(solvers[1].regrets, solvers[2].regrets), "threads change digits"
    one, two = (min(clock[threads]) for threads in solvers)
    more = min(processor[2]) / min(processor[1])
    return [
        (f"{name}: an iteration on one thread", 1000 * one, "ms"),
        (f"{name}: on two", 1000 * two, "ms"),
        (f"{name}: one / two", one / two, ""),
        (f"{name}: processor time, two / one", more, ""),
    ]
