"""What folded cards cost: two and four players who folded on the spots of `bench_spot`."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from bench.goals import Row
from railbird.solve.spot import Spot, SpotSolver, begun
from railbird.solve.spot.spot import read_folded

_ITERATIONS = {"river": 200, "turn": 20, "flop": 3}
_FOLDED = """
!22+,A2s+,ATo+,KTs+,KJo+,QTs+,JTs,T9s,98s,87s,76s;
!22+,A2s+,A9o+,K9s+,KJo+,QTs+,JTs,T9s,98s,87s,76s;
!22+,A2s+,A8o+,K8s+,KTo+,Q9s+,QJo,J9s+,T8s+,98s,87s,76s,65s;
!66+,A9s+,KTs+,AJo+
"""
"""What three players before the button and the small blind fold."""


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    found: list[Row] = []
    folded = read_folded(_FOLDED, files=False)
    for name, iterations in _ITERATIONS.items():
        spot = Spot.read(Path(__file__).parent / "spots" / f"{name}.spot")
        for count in (0, 2, 4):
            solver = SpotSolver(replace(spot, folded=folded[:count]), threads=1)
            begun(solver).solver.run(1)  # compiled
            start = time.process_time()
            begun(solver)
            counting, before = time.process_time() - start, solver.cpu_s
            solver.run(iterations)
            each = (solver.cpu_s - before) / iterations
            which = f"{name}, {count} folded"
            found += [
                (f"{which}: memory", solver.size().memory_mb, "MB"),
                (f"{which}: counting", counting, "s"),
                (f"{which}: an iteration", 1000 * each, "ms"),
            ]
    return found
