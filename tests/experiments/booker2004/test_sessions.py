"""Tournaments in sessions: memory within them, none between them, and a file to resume from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import DamagedFile
from railbird.experiments import Workspace
from railbird.experiments.booker2004.sessions import Sessions, play_sessions
from railbird.game import Action, Call, View

PAIR = ("always-raise:random", "random")
RESETS: list[int] = []
"""Hands seen before each reset of a `Counting`."""


class Counting:
    """Counts its decisions since it was reset."""

    def __init__(self) -> None:
        self.decisions = 0

    def reset(self, rng: np.random.Generator) -> None:
        RESETS.append(self.decisions)
        self.decisions = 0

    def act(self, view: View) -> Action:
        self.decisions += 1
        return Call()


def sessions(count: int, players: tuple[str, ...] = PAIR, length: int = 4) -> Sessions:
    return Sessions(players=players, length=length, count=count, seed=3)


def test_an_interrupted_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = play_sessions(Workspace(folder=tmp_path / "one"), sessions(6))
    first = play_sessions(Workspace(folder=tmp_path / "two"), sessions(2))
    rest = play_sessions(Workspace(folder=tmp_path / "two"), sessions(6))
    assert np.array_equal(whole.places[:2], first.places)
    assert np.array_equal(whole.places, rest.places)
    assert whole.hands == rest.hands


def test_nothing_is_played_twice(tmp_path: Path) -> None:
    played = play_sessions(Workspace(folder=tmp_path), sessions(3))
    again = Workspace(folder=tmp_path)
    assert np.array_equal(play_sessions(again, sessions(3)).places, played.places)
    assert [work.hands for work in again.work] == [0]


def test_players_are_reset_between_sessions_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.players.registry._import", lambda _: Counting())
    RESETS.clear()
    play_sessions(Workspace(folder=tmp_path), sessions(3, ("python:counting:Counting", "random")))
    # The first reset comes before any hand; the other two after four tournaments.
    assert len(RESETS) == 3
    assert RESETS[0] == 0
    assert min(RESETS[1:]) > 0


def test_enough_ends_the_play(tmp_path: Path) -> None:
    played = play_sessions(
        Workspace(folder=tmp_path), sessions(50), enough=lambda so_far: len(so_far.places) >= 5
    )
    assert len(played.places) == 5
    assert len(json.loads((tmp_path / sessions(50).file_name).read_text())) == 5


@pytest.mark.parametrize(
    "content", ["", "{}", "[[1, 2]]", "[[[[1, 1]], 3, 0]]", '[[[[1, 9]], 3, 0], "x"]', "[3]"]
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / sessions(2).file_name
    path.write_text(content)
    with pytest.raises(DamagedFile, match="delete it") as refusal:
        play_sessions(Workspace(folder=tmp_path), sessions(2))
    assert "\n" not in str(refusal.value)
    assert path.read_text() == content


def test_a_shared_first_place_is_half_a_win(tmp_path: Path) -> None:
    path = tmp_path / sessions(1, length=2).file_name
    path.write_text("[[[[1, 2], [1, 1]], 9, 0]]")
    played = play_sessions(Workspace(folder=tmp_path), sessions(1, length=2))
    assert played.won.tolist() == [[[1.0, 0.0], [0.5, 0.5]]]
    assert played.profits.sum() == pytest.approx(0.0)


def test_discarding_logs_deletes_the_file(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    play_sessions(workspace, sessions(1))
    assert list(tmp_path.iterdir())
    workspace.discard_logs()
    assert not list(tmp_path.iterdir())
