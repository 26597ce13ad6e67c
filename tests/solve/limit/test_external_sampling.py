"""External sampling against the matrix solver, on the same games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.game import HEADS_UP_LIMIT
from railbird.solve.limit import betting_tree
from railbird.solve.limit.algorithms import Algorithm
from railbird.solve.limit.matrix_cfr import MatrixSolver
from railbird.solve.limit.sampling.external_sampling import SampledSolver
from railbird.solve.limit.solving import solve_limit
from railbird.solve.limit.state_game import StateGame, kuhn_states, leduc_states, state_game


@pytest.mark.parametrize(("game", "gap"), [(kuhn_states, 0.01), (leduc_states, 0.05)])
def test_it_comes_to_the_same_value(game: Callable[[], StateGame], gap: float) -> None:
    exact = MatrixSolver(game())
    exact.run(1_000)
    sampled = SampledSolver(exact.game, np.random.default_rng(1))
    sampled.run(20_000)
    early = sampled.exploitability()
    sampled.run(80_000)
    assert sampled.exploitability() < min(gap, early)
    assert sampled.value() == pytest.approx(exact.value(), abs=gap)


def test_limit_holdem_of_two_states() -> None:
    """The river is won by the better of two states, three times in four."""
    tree = betting_tree(HEADS_UP_LIMIT)
    one, two = np.zeros(1, dtype=np.int32), np.zeros(2, dtype=np.int32)
    states = state_game(tree, (one, one, one, two), [[1, 1], [3, 1]], [[2, 0], [0, 2]])
    sampled = SampledSolver(states, np.random.default_rng(2))
    sampled.run(2_000)
    early = sampled.exploitability()
    sampled.run(18_000)
    assert sampled.exploitability() < early / 4
    exact = MatrixSolver(states)
    exact.run(200)
    assert exact.exploitability() < 0.01
    assert sampled.value() == pytest.approx(exact.value(), abs=sampled.exploitability())


def test_deals_are_drawn_as_often_as_they_come() -> None:
    game = leduc_states()
    deals = 100_000
    states, results = SampledSolver(game, np.random.default_rng(3)).draw(deals)
    met = np.zeros_like(game.edge)
    edge = np.zeros_like(game.edge)
    np.add.at(met, (states[:, 0, 1], states[:, 1, 1]), 1 / deals)
    np.add.at(edge, (states[:, 0, 1], states[:, 1, 1]), results / deals)
    assert np.abs(met - game.meet[1]).max() < 5e-3
    assert np.abs(edge - game.edge).max() < 5e-3
    assert np.array_equal(game.parents[1][states[:, :, 1]], states[:, :, 0])


def test_the_same_seed_gives_the_same_tables() -> None:
    tables = []
    for _ in range(2):
        solver = SampledSolver(kuhn_states(), np.random.default_rng(4))
        solver.run(1_000)
        tables.append(solver.sums)
    assert np.array_equal(tables[0], tables[1])


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.solve.limit.algorithms.DEALS_A_STEP", 1_000)
    how: dict[str, Any] = {"algorithm": Algorithm.EXTERNAL, "gap_mb": 1e-9, "most": 5_000}
    whole = solve_limit(tmp_path / "whole.strategy", (1, 1, 1, 1), **how)
    path = tmp_path / "cut.strategy"

    def interrupt(done: int, total: int, what: str) -> None:
        if done == 3_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_limit(path, (1, 1, 1, 1), progress=interrupt, **how)
    numbers: list[int] = []
    found = solve_limit(path, (1, 1, 1, 1), progress=lambda done, *_: numbers.append(done), **how)
    assert numbers == [4_000, 5_000]
    for table, other in zip(whole.probabilities, found.probabilities, strict=True):
        assert np.array_equal(table, other)
    assert found.provenance["deals"] == 5_000
