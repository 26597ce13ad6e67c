"""A whole server in one thread: its loop, clock, disk, database and sockets follow from one number.

`Simulation(seed).run(folder)` plays one tournament from the queue to its result and counts the
*points* on the way at which a process could end: before, in the middle of and after each line of
the journal, before and after each fsync, between the messages to two clients, and around what the
database keeps and what the folder renames. `Simulation(seed, kill=POINT)` does the very same up to
that point and ends the process there, as SIGKILL would; then another one starts on what the disk
has, the clients come back, and the tournament is played to its end. `number_of` makes one number of
both, so that a failure is one number.

What a real process cannot do, nothing here does: after the end no line of the old process runs.
"""

from __future__ import annotations

import asyncio
import os
import random
import selectors
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from helpers.hosted import Player
from railbird.hosting.connection import Connection
from railbird.hosting.formats import TournamentFormat
from railbird.hosting.house import House
from railbird.hosting.interfaces import Outcome, TournamentOutcome
from railbird.hosting.journal import Opened, read_journal
from railbird.hosting.play import Time
from railbird.hosting.supervisor import Supervisor
from railbird.hosting.tournament_play import TournamentPlay
from railbird.protocol import Identity, PlayerKind
from railbird.protocol.messages import HistoryEntry

FORM = TournamentFormat(name="three", seats=3, stack=250, house_after=None)
_MOST_SECONDS = 7200.0
"""Simulated time after which a run counts as hanging."""


_MOST_POINTS = 10_000


def number_of(seed: int, point: int) -> int:
    """Return the number of a run that ends at a point: the seed, then the point's four digits."""
    assert 0 <= point < _MOST_POINTS
    return seed * _MOST_POINTS + point


def simulation_of(number: int) -> Simulation:
    """Return the simulation that has a number."""
    return Simulation(*divmod(number, _MOST_POINTS))


class Killed(SystemExit):
    """The process ends here. Event loops let this through at once."""


class _Selector(selectors.SelectSelector):
    """Waits for nothing but time, which passes at once."""

    loop: SimulatedLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "everybody waits for somebody else"
        self.loop.now += max(0.0, timeout)
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer, and whose threads are timers."""

    def __init__(self, now: float, rng: random.Random) -> None:
        self.now = now
        self._rng = rng
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Do it a moment later, in this thread."""
        future = self.create_future()

        def run() -> None:
            if future.cancelled():
                return
            try:
                answer = func(*args)
            except Exception as problem:
                future.set_exception(problem)
            else:
                future.set_result(answer)

        self.call_later(self._rng.uniform(0.0005, 0.02), run)
        return future


class Points:
    """Counts the points of a run, and ends the process at one of them."""

    def __init__(self, kill: int | None) -> None:
        self.names: list[str] = []
        self._kill = kill

    def come(self, name: str) -> None:
        """Pass a point, or end here."""
        self.names.append(name)
        if len(self.names) - 1 == self._kill:
            raise Killed(name)

    def is_next(self, name: str) -> bool:
        """Whether the process ends in what is done now, of which a part is to be done before."""
        self.names.append(name)
        return len(self.names) - 1 == self._kill


class SimulatedDisk:
    """The functions of the system that journals are written with, with points around them.

    What was written outlives the process with and without an fsync, so there is none to wait for:
    an fsync is the two points around it. (A loss of power is another matter, and promised less.)
    """

    def __init__(self, points: Points) -> None:
        self._points = points

    def write(self, file: int, data: bytes) -> int:
        self._points.come("before a line")
        if self._points.is_next("within a line"):
            os.write(file, data[: len(data) // 2])
            raise Killed("within a line")
        written = os.write(file, data)
        self._points.come("after a line")
        return written

    def fdatasync(self, file: int) -> None:
        self._points.come("before a sync")
        self._points.come("after a sync")

    def fsync(self, file: int) -> None:
        """Of a journal that is mended, before the new process does anything else."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


class Database:
    """What outlives a process besides the disk; every outcome is kept once."""

    def __init__(self, points: Callable[[], Points], rng: random.Random) -> None:
        self.kept: dict[str, TournamentOutcome] = {}
        self._points = points
        self._rng = rng

    async def record(self, outcome: Outcome) -> None:
        assert isinstance(outcome, TournamentOutcome)
        await asyncio.sleep(self._rng.uniform(0.001, 0.05))
        self._points().come("before a result is kept")
        before = self.kept.setdefault(outcome.tournament, outcome)
        assert before == outcome, "a tournament has two results"
        self._points().come("after a result is kept")


@dataclass
class History:
    """What one client did and was told, over all its connections."""

    name: str
    sent: list[tuple[str, str, int | None]] = field(default_factory=list)
    """Turns that it answered, each with the verb and the size, as they were sent."""
    seen: dict[tuple[str, int], list[HistoryEntry]] = field(default_factory=dict)
    """The longest history of each hand that it was told of."""
    cards: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    results: list[Any] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Whatever contradicts what it was told before."""


class SimulatedClient(Player):
    """A client at the end of a network that delays; each process has new ones of the old names."""

    def __init__(self, world: Simulation, number: int, history: History) -> None:
        self._world = world
        self.history = history
        self._to_me = self._to_house = 0.0
        self._is_cut = False
        super().__init__(
            world.house, Identity(history.name, PlayerKind.BOT, "1", f"o{number}"), seed=world.seed
        )
        self.rng = random.Random(f"{world.seed} {history.name} {world.life}")

    def connect(self) -> None:
        super().connect()
        receive, loop = self.connection.receive, self._world.loop

        def later(data: bytes) -> None:
            self._to_house = self._world.at(self._to_house)
            loop.call_at(self._to_house, receive, data)

        self.connection.receive = later  # type: ignore[method-assign]

    def _woken(self) -> None:
        """Let what is written come some time later."""
        if not self._is_pumping:
            self._is_pumping = True
            self._to_me = self._world.at(self._to_me)
            self._world.loop.call_at(self._to_me, self.pump)

    def act(self, verb: Any, to: int | None = None, turn: str | None = None) -> None:
        self.history.sent.append((turn or "", verb.value, to))
        super().act(verb, to, turn)

    def _follow(self, message: Any) -> None:
        super()._follow(message)
        if message.type == "result":
            self.history.results.append(message)
        table = getattr(message, "table", None)
        name = table if isinstance(table, str) else getattr(table, "table", None)
        view = self.hands.get(name or "")
        if view is None:
            return
        key, history = (name or "", view.hand), self.history
        before = history.seen.get(key, [])
        if view.history[: len(before)] != before and before[: len(view.history)] != view.history:
            history.wrong.append(f"hand {key}: {before} was told, and then {view.history}")
        if len(view.history) > len(before):
            history.seen[key] = view.history
        cards = None if view.you is None else view.seats[view.you].cards
        if cards and history.cards.setdefault(key, cards) != cards:
            history.wrong.append(f"hand {key}: cards {history.cards[key]}, and then {cards}")


class Simulation:
    """One tournament of a whole server, by a seed, with at most one end of the process."""

    def __init__(self, seed: int, kill: int | None = None) -> None:
        self.seed = seed
        self.kill = kill
        self.rng = random.Random(seed)
        self.points = Points(kill)
        self.database = Database(lambda: self.points, self.rng)
        self.histories = [History(f"bot{number}") for number in range(FORM.seats)]
        self.killed_at = ""
        self.states: dict[str, object] = {}
        """The game as the process had it that ended, as its journal has it, and as the next process
        read it."""
        self.life = 0
        self._now = 1_000_000.0

    def at(self, last: float) -> float:
        """Return when something that is sent now arrives, after all that was sent before."""
        delay = self.rng.choice((0.0, self.rng.uniform(0.0, 0.004), self.rng.uniform(0.0, 0.3)))
        return max(last, self.loop.now + delay)

    def run(self, folder: Path, patch: pytest.MonkeyPatch) -> Simulation:
        """Play the tournament; return self."""
        patch.setattr("railbird.hosting.openings.new_seed", lambda: self.rng.randbytes(32))
        patch.setattr(
            "railbird.protocol.session.secrets.token_hex", lambda n: self.rng.randbytes(n).hex()
        )
        while not self._live(folder, patch):
            self.points = Points(None)
            self.life += 1
            assert self.life < 2, "a process ended twice"
        return self

    def _live(self, folder: Path, patch: pytest.MonkeyPatch) -> bool:
        """Run one process; return whether it came to the tournament's end."""
        self.loop = loop = SimulatedLoop(self._now, self.rng)
        patch.setattr("railbird.hosting.journal.os", SimulatedDisk(self.points))
        rename = Path.rename

        def renamed(path: Path, target: Path) -> Path:
            self.points.come("before a journal is put away")
            moved = rename(path, target)
            self.points.come("after a journal is put away")
            return moved

        supervisor = Supervisor(now=loop.time)
        self.house = House(
            folder,
            tournaments=[FORM],
            results=self.database,
            when=Time(loop.time, lambda: round(1000 * loop.time())),
            supervisor=supervisor,
        )
        with patch.context() as inner:
            inner.setattr(Path, "rename", renamed)
            inner.setattr(Connection, "send", self._sends_at_points())
            try:
                loop.run_until_complete(self._play())
                ended = True
            except Killed as killed:
                self.killed_at = str(killed)
                self._bury()
                ended = False
            finally:
                self._now = loop.now + self.rng.uniform(0.1, 20.0)
        if ended:
            loop.close()
        return ended

    async def _play(self) -> None:
        house, loop = self.house, self.loop
        await house.start()
        for task in house.tasks.values():
            assert isinstance(task.play, TournamentPlay)
            self.states["read"] = state_of(task.play)
        clients = []
        for number, history in enumerate(self.histories):
            await asyncio.sleep(self.rng.uniform(0.0, 0.5))
            clients.append(SimulatedClient(self, number, history))
        await asyncio.sleep(2.0)
        for client in () if self.database.kept else clients:
            if not any(message.type in ("seated", "snapshot") for message in client.messages):
                client.queue(FORM.name)
        end = loop.now + _MOST_SECONDS
        while not self._is_over():
            assert loop.now < end, "the tournament hangs"
            await asyncio.sleep(1.0)
        await house.stop()

    def _is_over(self) -> bool:
        """Whether a tournament's result is kept and its journal put away."""
        return bool(self.database.kept) and not self.house.tasks and not len(self.house.outbox)

    def _sends_at_points(self) -> Callable[[Connection, bytes], None]:
        """Return a `Connection.send` that passes a point before each message of the game."""
        send, points = Connection.send, self.points

        def sent(connection: Connection, body: bytes) -> None:
            points.come("before a message")
            send(connection, body)

        return sent

    def _bury(self) -> None:
        """Give back what the system takes from a process that ended, without running it."""
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        for game in self.house.tasks.values():
            assert isinstance(game.play, TournamentPlay)
            self.states["dead"] = state_of(game.play)
            self.states["written"] = read_again(game.journal.path)
            if self.killed_at == "after a line":  # which had not happened yet
                assert self.states["dead"] == read_again(game.journal.path, but=1)
                self.states["dead"] = self.states["written"]
            game.journal.close()
        self.house._openings.unlock()
        self.loop.close()  # which runs nothing
        _GRAVES.append((self.house, tasks))


_GRAVES: list[Any] = []
"""Processes that ended: nothing of them may run again, not even to clean up. A coroutine that is
collected as garbage would run its ``finally``, in the middle of another simulation."""


def state_of(play: TournamentPlay) -> object:
    """Return what the fold of a journal decides, as far as processes share it."""
    hands = {
        table: (hand.number, hand.turn, hand.moment.state, hand.moment.history, hand.cards.tolist())
        for table, hand in play.hands.items()
    }
    clocks = [(player.clock.left, player.lag_left, tuple(player.times)) for player in play.players]
    places, shares = dict(play.places), dict(play.shares)
    return hands, tuple(play.stacks), places, play.tables, clocks, shares, play.closed


def read_again(path: Path, *, but: int = 0) -> object:
    """Return the state that a journal has, without its last records."""
    opened, *records = read_journal(path)
    assert isinstance(opened, Opened)
    play = TournamentPlay(opened)
    play.read(records[: len(records) - but])
    return state_of(play)
