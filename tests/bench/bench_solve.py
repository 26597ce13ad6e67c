"""Regret minimisation: Leduc beside OpenSpiel, push/fold at one stack and over many."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from railbird.solve import (
    CfrVariant,
    PushFoldTable,
    Solver,
    leduc,
    solve_pushfold,
    solve_pushfold_table,
    sweep,
)
from railbird.tournament import prize_equities

Row = tuple[str, float, str]
_SECONDS = 2.0


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    solve_pushfold(10)  # opens the matrix
    solver = Solver(leduc(), CfrVariant.CFR_PLUS)
    ours = _rate(lambda: solver.run(1000)) * 1000
    start = perf_counter()
    solve_pushfold(10, tolerance=1e-6)
    one = perf_counter() - start
    start = perf_counter()
    sweep([round(float(stack), 1) for stack in np.arange(1, 20.05, 0.1)])
    many = perf_counter() - start
    return [
        ("ours: Leduc, CFR+", ours, "iterations/s"),
        *_peers(),
        ("ours: push/fold at 10 bb to 1e-6 bb", 1000 * one, "ms"),
        ("ours: push/fold at 191 stacks to 1e-8 bb", many, "s"),
        *(_table(seats) for seats in (3, 6)),
        *_icm(),
    ]


def _table(seats: int) -> Row:
    solve_pushfold_table(PushFoldTable(stacks=(10,) * 3), most=1)  # opens the table of triples
    found = solve_pushfold_table(PushFoldTable(stacks=(10,) * seats))
    return (f"ours: push/fold for {seats} seats at 10 bb", found.took_s, "s")


def _icm() -> list[Row]:
    stacks = np.random.default_rng(1).integers(1, 10_000, 20).tolist()
    nine, prizes, twenty = stacks[:9], list(range(9, 0, -1)), list(range(20, 0, -1))
    found = [
        ("ours: ICM, 9 players, 9 prizes", _rate(lambda: prize_equities(nine, prizes))),
        (
            "ours: ICM, 20 players, 20 prizes",
            _rate(lambda: prize_equities(stacks, twenty)),
        ),
    ]
    try:
        from pokerkit.analysis import calculate_icm
    except ImportError:
        return [(name, rate, "a second") for name, rate in found]
    found.append(("pokerkit: ICM, 9 players, 9 prizes", _rate(lambda: calculate_icm(prizes, nine))))
    return [(name, rate, "a second") for name, rate in found]


def _rate(call: Callable[[], object]) -> float:
    call()
    calls, start = 0, perf_counter()
    while perf_counter() - start < _SECONDS:
        call()
        calls += 1
    return calls / (perf_counter() - start)


def _peers() -> list[Row]:
    try:
        import pyspiel
    except ImportError:
        return []
    game = pyspiel.load_game("leduc_poker")
    solver = pyspiel.CFRPlusSolver(game)
    found = [("OpenSpiel, C++: Leduc, CFR+", _rate(solver.evaluate_and_update_policy))]
    from open_spiel.python.algorithms.cfr import CFRPlusSolver

    slow = CFRPlusSolver(game)
    found.append(("OpenSpiel, Python: Leduc, CFR+", _rate(slow.evaluate_and_update_policy)))
    return [(name, rate, "iterations/s") for name, rate in found]
