"""Matches in processes: the same bytes however many there are and whoever dies."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import wait_for
from railbird.arena import Loop, Match, Seating, play
from railbird.errors import BadInput, Interrupted, RailbirdError
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, parse_rake

MATCH = Match(
    players=("random", "always-call"),
    rules=HEADS_UP_LIMIT,
    deals=410,
    seed=7,
    seating=Seating.DUPLICATE,
    chunk=20,
)

SCRIPT = """
import sys
import time
from pathlib import Path
from railbird.arena import Match, Seating, play
from railbird.game import HEADS_UP_LIMIT, Call


class Thoughtful:
    def reset(self, rng):
        pass

    def act(self, view):
        time.sleep(0.001)
        return Call()


if __name__ == "__main__":
    match = Match(
        players=("caller=python:script:Thoughtful", "random"), rules=HEADS_UP_LIMIT,
        deals=int(sys.argv[3]), seed=7, seating=Seating.DUPLICATE, chunk=20,
    )
    play(match, log=Path(sys.argv[1]), workers=int(sys.argv[2]))
"""
"""Plays so slowly that it is killed long before it is done, however busy the machine is."""


def footers(path: Path) -> int:
    """Complete chunks in a log."""
    return path.read_bytes().count(b"# railbird chunk ") if path.exists() else 0


def children(pid: int) -> list[int]:
    """The processes that a process has started; nothing where there is no /proc."""
    tasks = Path(f"/proc/{pid}/task")
    found = [task.joinpath("children").read_text().split() for task in tasks.glob("*")]
    return [int(child) for task in found for child in task]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")")[-1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of `MATCH`, played here without a break."""
    path = tmp_path_factory.mktemp("expected") / "match.log"
    play(MATCH, log=path, loop=Loop.PYTHON)
    return path.read_bytes()


@pytest.mark.slow
def test_any_number_of_workers_writes_the_same(tmp_path: Path, expected: bytes) -> None:
    logs, results = [], []
    for workers, loop in ((1, Loop.COMPILED), (2, Loop.PYTHON), (3, Loop.COMPILED)):
        path = tmp_path / f"{workers}.log"
        results.append(play(MATCH, log=path, workers=workers, loop=loop).payoffs)
        logs.append(path.read_bytes())
    assert logs == [expected] * 3
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])


@pytest.mark.slow
def test_progress_is_told_and_ends(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    play(MATCH, workers=2, progress=lambda *news: told.append(news))
    done = [news[0] for news in told]
    assert done == sorted(done)
    assert told[-1] == (MATCH.hands, MATCH.hands, "playing")


def test_a_rake_of_nothing_is_no_negative_zero() -> None:
    rules = replace(HEADS_UP_LIMIT, rake=parse_rake("0%"))
    match = replace(MATCH, rules=rules, deals=10)
    assert str(play(match).raked) == "0.0"


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced(tmp_path: Path, expected: bytes) -> None:
    path = tmp_path / "match.log"
    killed: list[int] = []

    def kill_one(_done: int, _total: int, _what: str) -> None:
        if not killed:
            victim = multiprocessing.active_children()[0]
            victim.kill()
            killed.append(victim.exitcode or 0)

    play(MATCH, log=path, workers=2, loop=Loop.PYTHON, progress=kill_one)
    assert killed
    assert path.read_bytes() == expected


@pytest.mark.slow
def test_a_player_that_kills_its_process_once(tmp_path: Path, bad_players: str) -> None:
    match = replace(MATCH, players=(f"{bad_players}:Scripted,answer=kill-once", "always-call"))
    path = tmp_path / "match.log"
    play(match, log=path, workers=2)
    assert (tmp_path / "killed").exists()
    assert footers(path) == match.chunks


@pytest.mark.slow
def test_a_player_that_always_kills_its_process(bad_players: str) -> None:
    match = replace(MATCH, players=(f"{bad_players}:Scripted,answer=kill", "always-call"))
    with pytest.raises(RailbirdError, match="4 workers crashed in a row"):
        play(match, workers=2)
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.parametrize("call", ["play(match, workers=2)", "play(match); play(match, workers=2)"])
def test_an_unguarded_script_is_told_so_in_one_line(tmp_path: Path, call: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from railbird.arena import Match, play\n"
        "from railbird.game import HEADS_UP_LIMIT\n"
        "players = ('random', 'always-call')\n"
        "match = Match(players=players, rules=HEADS_UP_LIMIT, deals=90, seed=7, chunk=30)\n"
        f"{call}\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1, "the parent's, and none of a worker"
    assert done.stderr.splitlines()[-1] == (
        "railbird.errors.RailbirdError: workers import the script that starts them; "
        'put its code under if __name__ == "__main__":'
    )


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path, bad_players: str) -> None:
    spec = f"{bad_players}:Scripted,answer=interrupt,at_hand=45"
    match = replace(MATCH, players=(spec, "always-call"), deals=100, seating=Seating.SINGLE)
    path = tmp_path / "match.log"
    with pytest.raises(Interrupted, match=r"after 40 of 100 hands; they are kept in"):
        play(match, log=path)
    assert footers(path) == 2
    with pytest.raises(Interrupted, match="without a log, nothing is kept"):
        play(match)


def test_players_are_checked_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    with pytest.raises(BadInput, match="no player 'nobody'"):
        play(replace(MATCH, players=("nobody", "random")), log=path)
    with pytest.raises(BadInput, match="0 workers"):
        play(MATCH, workers=0, log=path)
    no_limit = replace(MATCH, players=("baseline", "random"), rules=HEADS_UP_NO_LIMIT)
    with pytest.raises(BadInput, match="not every player has a compiled form"):
        play(no_limit, loop=Loop.COMPILED, log=path)
    assert not path.exists()


def kill_after(chunks: int, log: Path, command: list[str]) -> None:
    """Let a match play so many more chunks, kill it, and see its workers go."""
    before = footers(log)
    process = subprocess.Popen(command)
    wait_for(lambda: footers(log) >= before + chunks or process.poll() is not None)
    orphans = children(process.pid)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    wait_for(lambda: not any(map(is_alive, orphans)))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at processes in /proc")
@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_killed_match_goes_on(tmp_path: Path, workers: int) -> None:
    deals = 4000
    script, path, whole = tmp_path / "script.py", tmp_path / "match.log", tmp_path / "whole.log"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(path), str(workers), str(deals)]
    for _ in range(2):
        kill_after(3, path, command)
    # The same player by its name, and fast: it makes the same decisions.
    match = replace(MATCH, players=("caller=always-call", "random"), deals=deals)
    resumed = play(match, log=path)
    assert 6 * 40 <= resumed.resumed < match.hands
    unbroken = play(match, log=whole)
    assert path.read_bytes() == whole.read_bytes()
    assert np.array_equal(resumed.payoffs, unbroken.payoffs)
