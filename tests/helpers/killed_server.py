"""A process that plays tournaments and is killed again and again; run by `test_kill`.

``python killed_server.py FOLDER KILLS SEED`` imports everything once, then forks a child for each
life of the server and ends it with SIGKILL at a random moment. A last life plays everything to its
end. What any client was told, and what the database kept, is in files that outlive the children.

With ``faults`` at the end, the disk under the journals and the database fail now and then, in all
lives but the last; the file ``bursts`` has a line for each time: what failed, and whether it was
told. Pauses before something is tried again are short then, so that much is played in a life.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest

from helpers.command_line import wait_for
from helpers.faulty_disk import FaultyDisk
from helpers.hosted import Player, any_action, hosting
from railbird.hosting.formats import TournamentFormat
from railbird.hosting.house import House
from railbird.hosting.interfaces import Outcome, TournamentOutcome, Unavailable
from railbird.hosting.supervisor import Supervisor
from railbird.protocol import Identity, PlayerKind
from railbird.protocol.messages import ActionEntry

FAULTS = ("open", "write", "tear", "sync", "copy")
CHECKING = "checking"
"""File that is there while something fails, and until it has been told."""
FORM = TournamentFormat(name="six", seats=4, table_seats=3, house_after=None)
BOTS = 13


class Appended:
    """A database whose every transaction is a line."""

    is_away = False

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._kept = {line.split()[0] for line in path.read_text().splitlines()}

    async def record(self, outcome: Outcome) -> None:
        assert isinstance(outcome, TournamentOutcome)
        await asyncio.sleep(0)
        if self.is_away:
            raise Unavailable("the database is away")
        if outcome.tournament not in self._kept:
            self._kept.add(outcome.tournament)
            places = {f.player.name: f.place for f in outcome.finishes}
            os.write(self._file, f"{outcome.tournament} {json.dumps(places)}\n".encode())


class Told(Player):
    """A player that writes down every action that it is told of, before it does anything."""

    file = -1

    def _follow(self, message: object) -> None:
        super()._follow(message)  # type: ignore[arg-type]
        kind = getattr(message, "type", "")
        if kind == "acted":
            view = self.hands[message.table]  # type: ignore[attr-defined]
            assert view is not None
            acts = [entry for entry in view.history if isinstance(entry, ActionEntry)]
            key = [message.table, message.hand, len(acts)]  # type: ignore[attr-defined]
            did = [acts[-1].seat, acts[-1].verb, acts[-1].to]
            os.write(self.file, (json.dumps([*key, *did]) + "\n").encode())


async def break_and_mend(
    folder: Path, seed: int, house: House, disk: FaultyDisk, database: Appended
) -> None:
    """Let the disk or the database fail for a moment, again and again; note what is told of it."""
    rng = random.Random(seed)
    bursts = os.open(folder / "bursts", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    failures = house.supervisor.failures
    while True:
        await asyncio.sleep(rng.uniform(0.0, 0.03))
        faults, told = disk.faults.copy(), failures.total()
        broken = {"rename", *rng.sample(FAULTS, rng.randint(1, len(FAULTS)))}  # it is rare
        disk.fails = lambda what, broken=broken: what in broken and rng.random() < 0.5  # type: ignore[misc]
        database.is_away = rng.random() < 0.3
        checking = folder / CHECKING
        checking.touch()
        await asyncio.sleep(rng.uniform(0.0, 0.06))
        disk.fails, database.is_away = (lambda what: False), False
        failed = disk.faults - faults
        if not failed:
            checking.unlink()
            continue
        ends = time.monotonic() + 60  # against hanging alone
        while failures.total() == told and time.monotonic() < ends:
            await asyncio.sleep(0.005)
        is_told = failures.total() > told and bool(house.supervisor.problems())
        line = json.dumps({"failed": failed, "told": is_told, "parked": house.lobby.parked})
        os.write(bursts, f"{line}\n".encode())
        checking.unlink()


async def live(folder: Path, seed: int, *, last: bool, faults: bool) -> None:
    """Play until killed, or in the last life until everything is over."""
    Told.file = os.open(folder / "told", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    results = Appended(folder / "results")
    supervisor = None
    if faults and not last:
        supervisor = Supervisor(pauses=(0.01, 0.05))
        pytest.MonkeyPatch().setattr("railbird.hosting.house.AGAIN_SECONDS", 0.05)
    async with hosting(
        folder / "journals",
        FORM,
        results=results,  # type: ignore[arg-type]
        supervisor=supervisor,
    ) as house:
        players = [
            Told(house, Identity(f"bot{n}", PlayerKind.BOT, "1", f"o{n}"), seed=seed)
            for n in range(BOTS)
        ]
        if last:
            while house.tasks:
                await asyncio.sleep(0.01)
            await house.outbox.flushed()
            return
        if faults:
            disk = FaultyDisk(lambda what: False)
            disk.install(pytest.MonkeyPatch())
            breaking = break_and_mend(folder, seed, house, disk, results)
            house.supervisor.keep("faults", lambda well: breaking)
        cutter = random.Random(seed)
        while True:
            for player in players:
                account = house.accounts.get(player.identity.name)
                if account is None or account.state.value == "lobby":
                    player.queue("six", again=True)
            await asyncio.sleep(0.02)
            player = cutter.choice(players)
            player.cut()
            player.chooses = any_action
            player.connect()


def _wait_for_growth(path: Path, size: int) -> None:
    """Wait until a file has grown, so that a busy machine makes no difference to what is played."""
    start, deadline = _size(path), time.monotonic() + 60
    while _size(path) < start + size and time.monotonic() < deadline:
        time.sleep(0.002)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def main(folder: Path, kills: int, seed: int, *, faults: bool) -> None:
    draw = random.Random(seed)
    for life in range(kills + 1):
        (folder / CHECKING).unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            asyncio.run(live(folder, seed + life, last=life == kills, faults=faults))
            os._exit(0)
        if life < kills:
            _wait_for_growth(folder / "told", draw.randint(1, 600) * (10 if faults else 1))
            time.sleep(draw.random() * 0.01)
            if draw.random() < 0.5:  # or it would be killed in the midst of most faults
                wait_for(lambda: not (folder / CHECKING).exists(), seconds=120)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if life == kills and status:
            raise SystemExit(f"the last life ended with {status}")
        if life < kills and not os.WIFSIGNALED(status):
            raise SystemExit(f"life {life} ended by itself: {status}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), faults="faults" in sys.argv)
