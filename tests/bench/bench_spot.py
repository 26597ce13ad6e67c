"""No-limit spots to 0.3 % of the pot on one thread: ours beside postflop-solver, in one run.

postflop-solver is Rust and in no package index: it is measured if ``POSTFLOP`` names a folder in
which its example ``spots`` has been built (github.com/b-inary/postflop-solver, the last open
version), which reads our files and prints one JSON object. Figures are processor time of the
iterations.

TexasSolver has published one table, on a machine of its author's, beside PioSOLVER: the README of
github.com/bupticybee/TexasSolver, "Speed benchmark with piosolver", version 0.1.0, six threads. The
spot is its `benchmark/benchmark_texassolver.txt`, with a hundred chips for each of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Final

from bench.goals import Goal, Row
from railbird.solve.spot import Spot, SpotSolver, solve_spot

_SPOTS = ("river", "turn", "flop")
_GAP = 0.3


_PUBLISHED: Final[list[Row]] = [
    ("published: TexasSolver 0.1.0, six threads, to 0.288 %", 172, "s"),
    ("published: TexasSolver 0.1.0, memory", 1600, "MB"),
    ("published: PioSOLVER 1.0, six threads, to 0.29 %", 242, "s"),
    ("published: PioSOLVER 1.0, memory", 492, "MB"),
]

GOALS = (
    Goal("ours: river", "postflop-solver: river", 1.9),
    Goal("ours: turn", "postflop-solver: turn", 5),
    Goal("ours: flop", "postflop-solver: flop", 3),
    Goal("ours: flop, memory", "postflop-solver: flop, memory", 1.0),
)


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    return [*beside_peer(), *beside_published()]


def beside_published() -> list[Row]:
    """Return ours on TexasSolver's own spot, with what it publishes."""
    spot = Spot.read(Path(__file__).parent / "spots" / "texassolver.spot")
    found = solve_spot(spot, gap_percent=0.288, threads=1)
    half = SpotSolver(spot, threads=1, store=16).size().memory_mb
    return [
        ("ours: TexasSolver's spot, one thread, to 0.288 %", found.solver.cpu_s, "s"),
        ("ours: TexasSolver's spot, memory", found.solver.size().memory_mb, "MB"),
        ("ours: TexasSolver's spot, memory with 16 bits", half, "MB"),
        *_PUBLISHED,
    ]


def beside_peer() -> list[Row]:
    """Return ours and postflop-solver's on the three spots."""
    found: list[Row] = []
    for name in _SPOTS:
        file = Path(__file__).parent / "spots" / f"{name}.spot"
        solve_spot(Spot.read(file), iterations=1, threads=1)
        solution = solve_spot(Spot.read(file), gap_percent=_GAP, threads=1)
        size = solution.solver.size()
        half = SpotSolver(Spot.read(file), threads=1, store=16).size().memory_mb
        ours = solution.solver.cpu_s
        found += [
            (f"ours: {name}", ours, "s"),
            (f"ours: {name}, iterations", solution.iterations, ""),
            (f"ours: {name}, memory", size.memory_mb, "MB"),
            (f"ours: {name}, memory with 16 bits", half, "MB"),
        ]
        peer = peer_of(file, _GAP)
        if peer is not None:
            seconds = float(peer["cpu_s_iterations"])
            found += [
                (f"postflop-solver: {name}", seconds, "s"),
                (f"postflop-solver: {name}, iterations", peer["iterations"], ""),
                (f"postflop-solver: {name}, memory", peer["memory_mb"], "MB"),
                (f"postflop-solver: {name}, memory with 16 bits", peer["memory16_mb"], "MB"),
                (f"{name}: ours / postflop-solver", ours / seconds if seconds else 0.0, ""),
            ]
    return found


def peer_of(file: Path, gap: float) -> dict[str, float] | None:
    """Return what the peer finds, to a gap in per cent of the pot; None if it is not there."""
    folder = os.environ.get("POSTFLOP")
    if not folder:
        return None
    program = Path(folder) / "target" / "release" / "examples" / "spots"
    done = subprocess.run(
        [str(program), str(file), str(gap), "2000"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "RAYON_NUM_THREADS": "1"},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found
