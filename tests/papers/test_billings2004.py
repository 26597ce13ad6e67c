"""The learning curves, much shrunk and without the slow opponents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird_papers import EXPERIMENTS, Verdict, Workspace, run
from railbird_papers.billings2004 import learning
from railbird_papers.billings2004.learning import LearnedOpponent


@pytest.mark.slow
def test_rows_and_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "EQUILIBRIUM", "equilibrium:blind")
    opponents = {
        "always-call": LearnedOpponent(400, 1.163476, 0.95),
        "equilibrium:blind": LearnedOpponent(400),
    }
    monkeypatch.setattr(learning, "OPPONENTS", opponents)
    done = run("vexbot-learning", Workspace(scale=0.6, seed=2, folder=tmp_path))
    assert done.result.hands == 480
    assert [row.verdict for row in done.result.rows] == [
        Verdict.MEASURED,
        Verdict.OTHER_PLAYERS,
    ]
    curves, sums, rounds = done.result.drawings
    assert "always-call" in curves.figure.spec()["description"]
    assert sums.figure.name == "figures-5.1-and-5.2"
    assert rounds.figure.name == "figure-5.3"
    assert EXPERIMENTS["vexbot-learning"].source.startswith("Billings")


def test_what_must_be_won_of_a_simple_player() -> None:
    best = LearnedOpponent(400, 1.0, 0.95)
    rng = np.random.default_rng(1)
    enough, less = (rng.normal(mean, 1.0, 4_000) for mean in (0.96, 0.5))
    assert learning._row("x", best, enough, scale=1.0).verdict is Verdict.HOLDS
    assert learning._row("x", best, less, scale=1.0).verdict is Verdict.FAILS
    assert learning._row("x", best, less, scale=0.5).verdict is Verdict.MEASURED
