"""A server that is killed at any moment loses nothing that anybody was told."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from railbird.game import Act
from railbird.hosting.house_game import is_over, play_of
from railbird.hosting.journal import Closed, Opened, read_journal
from railbird.hosting.play import NobodyListens
from railbird.hosting.tournament_play import TournamentPlay
from railbird.hosting.verify import verify
from railbird.protocol.messages import ActionEntry
from railbird.protocol.redaction import HandStep, TableEvent, entry_of

TESTS = Path(__file__).parents[1]


class Actions(NobodyListens):
    """Collects the actions of a journal as clients were told of them."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self._counts: Counter[tuple[str, int]] = Counter()

    def tell(self, table: int, event: TableEvent) -> None:
        if isinstance(event, HandStep) and isinstance(event.event, Act):
            moment = event.moment
            self._counts[moment.table, moment.hand] += 1
            entry = entry_of(event.event, event.before, moment.state)
            assert isinstance(entry, ActionEntry)
            count = self._counts[moment.table, moment.hand]
            did = [entry.seat, entry.verb, entry.to]
            self.found.add(json.dumps([moment.table, moment.hand, count, *did]))


class Nowhere:
    def write(self, record: object) -> None:
        raise AssertionError(record)


def _run(script: list[str], seconds: float, environment: dict[str, str]) -> None:
    """Run a program, and end it with its children if it takes too long."""
    with subprocess.Popen(script, env=environment, cwd=TESTS, start_new_session=True) as process:
        try:
            assert process.wait(timeout=seconds) == 0
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def check(folder: Path, kills: int, *options: str) -> None:
    script = [sys.executable, "-m", "helpers.killed_server", str(folder), str(kills), "7", *options]
    environment = os.environ | {"PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{TESTS}"}
    _run(script, 60 + 30 * kills, environment)  # against hanging alone, on a busy machine too
    told = set((folder / "told").read_text().splitlines())
    assert len(told) >= 5 * kills
    kept = [line.partition(" ") for line in (folder / "results").read_text().splitlines()]
    assert len({name for name, _, _ in kept}) == len(kept)  # none doubled
    compare(folder / "journals", told, {name: json.loads(text) for name, _, text in kept})


def compare(folder: Path, told: set[str], kept: dict[str, dict[str, int]]) -> None:
    """Find everything that clients were told, and every result that was kept, in the journals."""
    journals = sorted(folder.rglob("*.journal"))
    assert {path.parent.name for path in journals} == {"done"}
    actions, places = Actions(), {}
    for path in journals:
        records = read_journal(path)
        assert is_over(records)
        assert sum(isinstance(record, Closed) for record in records) == 1
        opened = records[0]
        assert isinstance(opened, Opened)
        play = play_of(opened)
        assert isinstance(play, TournamentPlay)
        play.attach(Nowhere(), actions)
        play.read(records[1:])
        assert sum(play.stacks) % play.form.stack == 0
        names = [player.entrant.name for player in play.players]
        places[play.id] = {names[player]: place for player, place in play.places.items()}
        (checked,) = verify(path.read_bytes().splitlines())
        assert not checked.problems
    assert told <= actions.found  # no accepted action is lost or changed
    assert kept == places  # none lost


@pytest.mark.slow
def test_a_server_that_is_killed_ten_times_loses_nothing(tmp_path: Path) -> None:
    check(tmp_path, kills=10)


def check_with_faults(folder: Path, kills: int) -> Counter[str]:
    """The same on a disk and with a database that fail now and then; return what has failed."""
    check(folder, kills, "faults")
    failed: Counter[str] = Counter()
    for line in (folder / "bursts").read_text().splitlines():
        burst = json.loads(line)
        assert burst["told"], burst  # none is silent
        failed.update(burst["failed"])
    return failed


@pytest.mark.slow
def test_a_server_on_a_disk_that_fails_and_is_killed_fifty_times_loses_nothing(
    tmp_path: Path,
) -> None:
    failed = check_with_faults(tmp_path, kills=50)
    assert set(failed) == {"open", "write", "tear", "sync", "copy", "rename"}


@pytest.mark.slow
def test_a_server_that_is_killed_a_hundred_times_loses_nothing(tmp_path: Path) -> None:
    check(tmp_path, kills=100)
