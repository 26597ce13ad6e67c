"""Matches and tournaments on a Ray cluster: the same bytes as in one process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena import Loop, Match, Seating, Tournaments, play, play_tournaments
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT

MATCH = Match(
    players=("random", "always-call"),
    rules=HEADS_UP_LIMIT,
    deals=410,
    seed=7,
    seating=Seating.DUPLICATE,
    chunk=20,
)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """Ray with a cluster of this machine, which the jobs then share."""
    module = pytest.importorskip("ray", reason="needs the extra ray")
    module.init(address="local", include_dashboard=False, log_to_driver=False, num_cpus=2)
    yield module
    module.shutdown()


@pytest.mark.slow
def test_a_match_on_ray_is_the_match(ray: Any, tmp_path: Path) -> None:
    here, there = tmp_path / "here.log", tmp_path / "there.log"
    one = play(MATCH, log=here, loop=Loop.PYTHON)
    other = play(MATCH, log=there, workers=2, on="ray", loop=Loop.PYTHON)
    assert there.read_bytes() == here.read_bytes()
    assert np.array_equal(one.payoffs, other.payoffs)
    text = here.read_bytes()
    there.write_bytes(text[: len(text) // 2])
    assert 0 < play(MATCH, log=there, on="ray").resumed < MATCH.hands
    assert there.read_bytes() == text


@pytest.mark.slow
def test_tournaments_on_ray_are_the_tournaments(ray: Any, tmp_path: Path) -> None:
    here, there = tmp_path / "here.phhs", tmp_path / "there.phhs"
    series = Tournaments(players=("random",) * 3, count=4, seed=1, stack=300)
    play_tournaments(series, log=here)
    play_tournaments(series, log=there, workers=2, on="ray")
    assert there.read_bytes() == here.read_bytes()


@pytest.mark.slow
def test_an_actor_that_dies_is_replaced(
    ray: Any, tmp_path: Path, bad_players: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray.shutdown()  # actors look for modules where their cluster was begun
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    match = replace(MATCH, players=(f"{bad_players}:Scripted,answer=kill-once", "always-call"))
    path = tmp_path / "match.log"
    play(match, log=path, workers=2, on="ray")
    assert list(tmp_path.rglob("killed")) or Path("killed").exists()
    assert path.read_bytes().count(b"# railbird chunk ") == match.chunks
    assert not ray.is_initialized(), "a cluster begun with the job ends with it"


@pytest.mark.slow
def test_without_the_extra_it_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadInput, match=r"install .*\[ray\]'"):
        play(MATCH, on="ray")


KEEPER = '''
import os
from pathlib import Path
from railbird.game import Call


class Keeper:
    """Writes down when it is closed."""

    def reset(self, rng):
        pass

    def act(self, view):
        return Call()

    def close(self):
        with Path(__file__).with_name("closed").open("a") as file:
            file.write(f"{os.getpid()}\\n")
'''


@pytest.mark.slow
def test_actors_close_their_players(
    ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray.shutdown()  # actors look for modules where their cluster was begun
    (tmp_path / "keeper_of_test.py").write_text(KEEPER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.syspath_prepend(tmp_path)
    match = replace(MATCH, players=("python:keeper_of_test:Keeper", "always-call"))
    play(match, workers=2, on="ray", loop=Loop.PYTHON)
    closed = set((tmp_path / "closed").read_text().split()) - {str(os.getpid())}
    assert closed, "each worker that played"
