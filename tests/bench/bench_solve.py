"""Regret minimisation: Leduc beside OpenSpiel, push/fold at one stack and over many."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter, process_time

import numpy as np

from bench.goals import Goal, Row
from railbird.solve import (
    CfrVariant,
    PushFoldTable,
    Solver,
    leduc,
    solve_pushfold,
    solve_pushfold_table,
    sweep_stacks,
)
from railbird.solve.external_kernels import ON, SHOWDOWN
from railbird.solve.external_sampling import Deals, ExternalSampler, laid_out
from railbird.solve.nolimit.betting import nolimit_tree
from railbird.tournament import prize_equities

_SECONDS = 2.0

GOALS = (
    Goal("ours: Leduc, CFR+", "OpenSpiel, C++: Leduc, CFR+", 500),
    Goal("ours: Leduc, CFR+", "OpenSpiel, Python: Leduc, CFR+", 500),
    Goal("ours: no-limit Leduc, external sampling", "OpenSpiel: the same", 20),
    Goal("ours: ICM, 9 players, 9 prizes", "pokerkit: ICM, 9 players, 9 prizes", 5000),
)


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    solve_pushfold(10)  # opens the matrix
    solver = Solver(leduc(), CfrVariant.CFR_PLUS)
    ours = _rate(lambda: solver.run(1000)) * 1000
    start = perf_counter()
    solve_pushfold(10, tolerance=1e-6)
    one = perf_counter() - start
    start = perf_counter()
    sweep_stacks([round(float(stack), 1) for stack in np.arange(1, 20.05, 0.1)])
    many = perf_counter() - start
    return [
        ("ours: Leduc, CFR+", ours, "iterations/s"),
        *_peers(),
        ("ours: no-limit Leduc, external sampling", _sampled(), "iterations/s of a core"),
        *_sampled_by_peers(),
        ("ours: push/fold at 10 bb to 1e-6 bb", 1000 * one, "ms"),
        ("ours: push/fold at 191 stacks to 1e-8 bb", many, "s"),
        *(_table(seats) for seats in (3, 6)),
        *_icm(),
    ]


# Leduc hold'em with blinds of 50 and 100, ten big blinds, and bets of the pot or all-in: 1,152
# information sets. An iteration updates both players.

_MENU = "opens = 100%, a; reraises = 100%, a; bets = 100%, a; raises = 100%, a"
_SPIEL = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=2,blind=100 50,firstPlayer=2 1,"
    "numSuits=2,numRanks=3,numHoleCards=1,numBoardCards=0 1,stack=1000 1000,"
    "bettingAbstraction=fcpa)"
)
_CARDS = 6


def _sampled() -> float:
    before, after, *_ = nolimit_tree(_MENU, 10).forests
    ends = after.kind == ON
    nodes = nolimit_tree(_MENU, 10).decisions[1]
    paid = np.array([child.paid[0] for node in nodes for child in node.children])
    last = after._replace(
        kind=np.where(ends, SHOWDOWN, after.kind), to=np.where(ends, paid, after.to)
    )
    states = (_CARDS, _CARDS**2)
    solver = ExternalSampler(
        laid_out((before, last), states), states, 100.0, _leduc, np.random.default_rng(1)
    )
    solver.run(1)
    start, done = process_time(), 0
    while process_time() < start + _SECONDS:
        solver.run(10_000)
        done += 10_000
    return done / (process_time() - start)


def _leduc(rng: np.random.Generator, deals: int) -> Deals:
    one, other, board = rng.permuted(np.tile(np.arange(_CARDS), (deals, 1)), axis=1)[:, :3].T
    strength = [each // 2 + _CARDS * (each // 2 == board // 2) for each in (one, other)]
    states = np.stack([[each, each * _CARDS + board] for each in (one, other)]).transpose(2, 0, 1)
    found: Deals = (
        np.ascontiguousarray(states, dtype=np.int32),
        np.sign(strength[0] - strength[1]).astype(np.int8),
    )
    return found


def _sampled_by_peers() -> list[Row]:
    with suppress(ImportError):
        pyspiel = importlib.import_module("pyspiel")
        solver = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game(_SPIEL), seed=1)
        start, done = process_time(), 0
        while process_time() < start + _SECONDS:
            for _ in range(100):
                solver.run_iteration()
            done += 100
        rate = done / (process_time() - start)
        return [("OpenSpiel: the same", rate, "iterations/s of a core")]
    return []


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
