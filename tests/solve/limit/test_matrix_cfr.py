"""CFR+ as matrix products: games whose answers are known, and interruptions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT
from railbird.solve import Game, exploitability, kuhn, leduc, uniform
from railbird.solve.limit import betting_tree
from railbird.solve.limit.matrix_cfr import MatrixSolver
from railbird.solve.limit.solving import open_equilibrium, solve_limit
from railbird.solve.limit.strategy import StateGame, kuhn_states, leduc_states, state_game


@pytest.mark.parametrize(
    ("game", "value"),
    [(kuhn_states, -1 / 18), (leduc_states, -0.085606)],
)
def test_known_values(game: Callable[[], StateGame], value: float) -> None:
    solver = MatrixSolver(game())
    unit = solver.game.tree.chips_per_unit
    solver.run(1_000)
    assert unit * solver.exploitability() < 1e-3
    assert unit * solver.value() == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize(("states", "matrices"), [(kuhn_states, kuhn), (leduc_states, leduc)])
def test_best_responses_are_those_of_the_other_form(
    states: Callable[[], StateGame], matrices: Callable[[], Game]
) -> None:
    game = matrices()
    solver = MatrixSolver(states())  # nothing summed yet: all actions alike
    expected = exploitability(game, uniform(game))
    assert solver.game.tree.chips_per_unit * solver.exploitability() == pytest.approx(expected)


def test_meeting_probabilities_are_marginals() -> None:
    game = leduc_states()
    for meet in game.meet:
        assert meet.sum() == pytest.approx(1)
        assert np.allclose(meet, meet.T)
    assert np.allclose(game.edge, -game.edge.T)
    assert game.meet[0][0, 0] == pytest.approx(1 / 15)


def test_who_does_not_look_at_cards_never_folds() -> None:
    tree = betting_tree(HEADS_UP_LIMIT)
    one = np.zeros(1, dtype=np.int32)
    solver = MatrixSolver(state_game(tree, (one,) * 4, [[0]], [[1]]))
    uniform_gap = solver.exploitability()
    solver.run(200)
    assert solver.exploitability() < 1e-3 < 0.1 < uniform_gap
    assert solver.value() == pytest.approx(0, abs=1e-3)
    root = solver.average()[0][0]
    assert root[tree.slot(tree.root, 0)] < 0.01


def test_counts_that_make_no_game() -> None:
    tree = betting_tree(HEADS_UP_LIMIT)
    one = np.zeros(1, dtype=np.int32)
    with pytest.raises(BadInput, match="meetings that are all 0"):
        state_game(tree, (one,) * 4, [[0]], [[0]])
    with pytest.raises(BadInput, match=r"counts \(1, 2\) and \(1, 1\); allowed: \(1, 1\)"):
        state_game(tree, (one,) * 4, [[0, 0]], [[0]])
    two = np.array([1, 0], dtype=np.int32)
    with pytest.raises(BadInput, match="in order"):
        state_game(tree, (one, one, one, two), np.ones((2, 2)), np.ones((2, 2)))


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    whole = solve_limit(tmp_path / "whole.strategy", (1, 1, 1, 1), gap_mb=1e-9, most=40)
    path = tmp_path / "cut.strategy"

    def interrupt(done: int, total: int, what: str) -> None:
        if done == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_limit(path, (1, 1, 1, 1), gap_mb=1e-9, most=40, progress=interrupt)
    assert not path.exists()
    kept = path.with_suffix(".part.npz")
    assert kept.exists()
    numbers: list[int] = []
    found = solve_limit(
        path, (1, 1, 1, 1), gap_mb=1e-9, most=40, progress=lambda done, *_: numbers.append(done)
    )
    assert numbers[0] == 26
    assert not kept.exists()
    for table, other in zip(whole.probabilities, found.probabilities, strict=True):
        assert np.array_equal(table, other)
    curves = [[row[:2] for row in each.training["curve"]] for each in (whole, found)]
    assert curves[0] == curves[1]
    assert found.training["iterations"] == 40


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"nonsense"])
def test_a_damaged_rest_of_a_run_is_left(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.strategy"
    path.with_suffix(".part.npz").write_bytes(content)
    found = solve_limit(path, (1, 1, 1, 1), gap_mb=1e3)
    assert found.training["iterations"] == 16


def test_refused_gaps(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="1e-09 to 1,000"):
        solve_limit(tmp_path / "x", (1, 1, 1, 1), gap_mb=0)


def test_a_size_is_solved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    first = open_equilibrium("blind")
    assert first.training["gap_mb"] <= 1
    assert open_equilibrium("blind").hash == first.hash
    with pytest.raises(BadInput, match="blnd"):
        open_equilibrium("blnd")
