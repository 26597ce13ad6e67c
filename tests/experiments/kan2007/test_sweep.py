"""The fast sweep over settings, against assessing the match once for each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.assessment import assess
from railbird.baseline import AGGRESSIVENESS, STANDARD, TIGHTNESS, parse_settings
from railbird.errors import BadInput
from railbird.estimates import paired_difference
from railbird.experiments import Workspace
from railbird.experiments.kan2007.duplicate import PLAYERS
from railbird.experiments.kan2007.robustness import GRIDS, SWEEPS, significance
from railbird.experiments.kan2007.sweep import sweep
from railbird.histories import read

HANDS = 150


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    workspace = Workspace(folder=tmp_path_factory.mktemp("logs"), seed=5)
    return workspace.play(workspace.match(*PLAYERS, HANDS)).log


def test_a_sweep_is_as_many_assessments(log: Path) -> None:
    """Assessing samples preflop values under these settings; they cancel, as the sweep says."""
    settings = [
        STANDARD,
        parse_settings("flop=tight-high"),
        parse_settings("turn=aggressive-high,turn=loose-high,river.make1=0.6"),
    ]
    told: list[int] = []
    fast = sweep(read(log), settings, player=PLAYERS[0], threads=2, progress=told.append)
    slow = [
        assess(read(log), settings=each, player=PLAYERS[0]).scores["divat"].to_numpy()
        for each in settings
    ]
    assert fast.shape == (len(settings), HANDS)
    np.testing.assert_allclose(fast, slow, atol=1e-9)
    assert told == [HANDS, 2 * HANDS, 3 * HANDS]


def test_settings_that_differ_before_the_flop_are_refused(log: Path) -> None:
    with pytest.raises(BadInput, match=r"preflop\.fold=0\.1.*before the flop"):
        sweep(read(log), [parse_settings("preflop.fold=0.1")], player=PLAYERS[0])


def test_players_who_leave_the_baseline_before_the_flop_are_refused(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    log = workspace.play(workspace.match("always-raise", "baseline", 50)).log
    with pytest.raises(BadInput, match="left the baseline before the flop"):
        sweep(read(log), [STANDARD], player="baseline")


def test_the_sweeps_are_the_source_s_figures() -> None:
    """Tables 4.1 and 4.2: nine bets and nine fold offsets, the standard ones in the middle."""
    assert [each.figure for each in SWEEPS] == ["4.8 a", "4.8 b", "4.9 a", "4.9 b"]
    assert [each.short_figure for each in SWEEPS] == ["4.10 a", "4.10 b", "4.11 a", "4.11 b"]
    for each in SWEEPS:
        assert len(each.settings) == 9
        assert list(each.settings.values())[4] == STANDARD
        assert set(each.settings.values()) <= set(GRIDS[each.street].values())
    assert list(SWEEPS[0].settings) == list(TIGHTNESS)
    assert list(SWEEPS[3].settings) == list(AGGRESSIVENESS)


def test_the_grids_have_161_different_settings() -> None:
    assert len({each for grid in GRIDS.values() for each in grid.values()}) == 2 * 81 - 1


def test_nothing_differs_from_itself() -> None:
    assert significance(paired_difference(np.ones(5), np.ones(5))) == 0.0
