"""Models of looseness from all hands and from the last, on made-up and on real hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.experiments import Verdict, Workspace
from railbird.experiments.peretz2005.looseness_models import entries, losses, model_rows


def test_whoever_changes_is_told_by_his_last_hands() -> None:
    rng = np.random.default_rng(1)
    steady = rng.random(4_000) < 0.25
    changing = rng.random(4_000) < np.repeat([0.1, 0.6, 0.1, 0.6], 1_000)
    assert losses(steady, None).mean() < losses(steady, 50).mean()
    assert losses(changing, None).mean() > losses(changing, 50).mean()


def test_a_loss_is_that_of_the_counts_before() -> None:
    first, second = losses(np.array([True, False]), None)
    assert first == pytest.approx(-np.log(0.2))
    assert second == pytest.approx(-np.log(1 - (1 + 20 * 0.2) / 21))
    halved = losses(np.array([True, False, False]), 1)
    assert halved[1] == pytest.approx(-np.log(1 - (0.5 + 20 * 0.2) / 20.5))


def test_free_big_blinds_do_not_count(tmp_path: Path) -> None:
    log = tmp_path / "hands.log"
    holdings = "AsKs|QhQd|2h3h|4h5h|6h7h|8h9h"
    log.write_text(
        f"STATE:0:ffffcc/cc/cc/cc:{holdings}/2c3c4c/5d/6d:0|0|0|0|0|0:a|b|c|d|e|f\n"
        f"STATE:1:fffff:{holdings}:-50|50|0|0|0|0:b|a|c|d|e|f\n"
    )
    found = {name: each.tolist() for name, each in entries(log).items()}
    assert found == {"a": [True], "b": [False], **{name: [False, False] for name in "cdef"}}


def test_professionals_are_as_loose_as_ever(shared_data: Path) -> None:
    data = shared_data / "pluribus" / "pluribus_10000.state.log.gz"
    rows = model_rows(Workspace(data=data))
    assert [row.verdict for row in rows] == [
        Verdict.DIFFERS,
        Verdict.DIFFERS,
        Verdict.UNDECIDED,
    ]
    assert model_rows(Workspace()) == []
