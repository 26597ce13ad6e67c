"""A dealer port for programs of the Annual Computer Poker Competition (protocol 2.0.0).

The protocol has neither names nor stacks, so such programs cannot enter tournaments. Each plays its
own match, heads-up against a house player, with the competition's stacks renewed in each hand and
the button changing. Matches are unrated and logged in the competition's format.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from railbird.acpc import AcpcLink, Disconnected, is_comment, is_version
from railbird.arena.guarded_player import DEFAULT_FAULTS, GuardedPlayer
from railbird.errors import BadInput
from railbird.game import (
    Action,
    Betting,
    Event,
    HandDealer,
    Rules,
    View,
    payoffs,
    view,
)
from railbird.game.rules import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT
from railbird.histories import HandRecord, game_spec
from railbird.histories.acpc.log import state_line
from railbird.hosting.deck import deal_from_seed, new_seed
from railbird.hosting.supervisor import Well
from railbird.jobs.workers import LoneProcess
from railbird.players import Audience, Player, make_player, policy
from railbird.players.acpc import AcpcGuest
from railbird.serve.connections import BACKLOG, CLOSE_S
from railbird.units import Seat

_LOG = logging.getLogger(__name__)
_GUEST = "guest"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcpcSettings:
    """Settings of the dealer port."""

    opponent: str = "tight"
    """Spec of the house's player."""
    betting: Betting = Betting.NO_LIMIT
    """The competition's heads-up limit or no-limit game."""
    hands: int = 3000
    """Hands of a match."""
    matches: int = 4
    """Matches at once, a thread each; more connections are closed."""
    own_process: bool = False
    """Whether the house's player decides in a separate process, one for each match."""
    greeting_s: float = 5.0
    decision_s: float = 40.0

    @property
    def rules(self) -> Rules:
        """Rules of the competition's game."""
        return HEADS_UP_LIMIT if self.betting is Betting.LIMIT else HEADS_UP_NO_LIMIT

    def __post_init__(self) -> None:
        if self.betting not in (Betting.LIMIT, Betting.NO_LIMIT):
            raise BadInput("the ACPC has limit and no-limit games")
        player = make_player(self.opponent)
        why = policy.why_not(player, self.rules)
        policy.close(player)
        if why is not None:
            raise BadInput(f"{self.opponent}: {why}")


_player: Player | None = None
"""The player that a worker process keeps."""


def _make(spec: str) -> None:
    """Make the player of this process."""
    global _player
    _player = make_player(spec)


def _call(verb: str, *arguments: object) -> Any:
    """Call the player of this process, if it has such a method."""
    method = getattr(_player, verb, None)
    return None if method is None else method(*arguments)


class _Apart:
    """A player in a separate process, so that the server does not wait while it computes.

    Raises `BrokenExecutor` once the process has died.
    """

    def __init__(self, spec: str) -> None:
        self._process = LoneProcess(partial(_make, spec))

    def reset(self, rng: np.random.Generator) -> None:
        self._process.submit(_call, "reset", rng)

    def act(self, view: View) -> Action:
        action: Action = self._process.submit(_call, "act", view).result()
        return action

    def begin(self, view: View) -> None:
        self._process.submit(_call, "begin", view)

    def observe(self, view: View, event: Event) -> None:
        self._process.submit(_call, "observe", view, event)

    def end(self, view: View) -> None:
        self._process.submit(_call, "end", view)

    def close(self) -> None:
        with suppress(BrokenExecutor):
            self._process.submit(_call, "close").result()
        self._process.close()


@dataclass(slots=True)
class _Guest:
    """A program that has connected and greeted."""

    link: AcpcLink

    def close(self) -> None:
        """Disconnect it."""
        self.link.close()


class AcpcPort:
    """Plays matches with every program that connects, from `accept` to `stop`.

    ``failed`` is called in a match's thread with what has ended the match.
    """

    def __init__(
        self,
        listening: socket.socket,
        folder: Path,
        settings: AcpcSettings,
        *,
        failed: Callable[[Exception], object] = lambda problem: None,
    ) -> None:
        self.settings = settings
        self._failed = failed
        self.matches = 0
        """Matches that are being played."""
        self._listening = listening
        self._folder = folder
        self._links: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []

    async def accept(self, well: Well) -> None:
        """Accept connections until cancelled; each has a thread.

        Raises `OSError` where one cannot be accepted, for want of files: then call it again.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        loop = asyncio.get_running_loop()
        self._listening.listen(BACKLOG)
        self._listening.setblocking(False)
        while True:
            well()
            connection, address = await loop.sock_accept(self._listening)
            connection.setblocking(True)
            if self._ended.is_set() or self.matches >= self.settings.matches:
                connection.close()
                continue
            with self._lock:
                self.matches += 1
                self._links.add(connection)
            self._spawn(connection, address[0])

    def stop(self) -> None:
        """Disconnect everybody, and wait a moment for the threads."""
        self._ended.set()
        with self._lock:
            for connection in self._links:
                _hang_up(connection)
        deadline = time.monotonic() + CLOSE_S
        for thread in list(self._threads):
            thread.join(max(0.0, deadline - time.monotonic()))

    def _spawn(self, connection: socket.socket, address: str) -> None:
        thread = threading.Thread(
            target=self._serve, args=(connection, address), name="acpc", daemon=True
        )
        thread.start()
        self._threads = [*filter(threading.Thread.is_alive, self._threads), thread]

    def _serve(self, connection: socket.socket, address: str) -> None:
        try:
            link = AcpcLink(connection)
            if _greets(link, self.settings.greeting_s):
                self._play(link, address)
        except Disconnected as problem:
            _LOG.info("the ACPC program from %s: %s", address, problem)
        except Exception as problem:  # of the house's player, too: it ends this match alone
            self._failed(problem)
        finally:
            with self._lock:
                self.matches -= 1
                self._links.discard(connection)
            connection.close()

    def _play(self, link: AcpcLink, address: str) -> None:
        settings = self.settings
        apart = settings.own_process
        player = _Apart(settings.opponent) if apart else make_player(settings.opponent)
        player.reset(np.random.default_rng())
        house = GuardedPlayer(player, DEFAULT_FAULTS, name=settings.opponent)
        program = AcpcGuest(_Guest(link))
        guest = GuardedPlayer(program, DEFAULT_FAULTS, name=_GUEST)
        program.allow(settings.decision_s)
        seed = new_seed()
        moment = datetime.now(UTC)
        path = self._folder / f"{moment:%Y%m%dT%H%M%S}-{seed.hex()[:8]}.log"
        try:
            path.touch(mode=0o600, exist_ok=False)  # all cards are in it
            with path.open("a", encoding="ascii") as log:
                game = game_spec(settings.rules)
                log.write(f"# name/game/hands/seed acpc {game} {settings.hands} -\n")
                for number in range(settings.hands):
                    if self._ended.is_set():
                        return
                    _play_hand(number, program, (guest, house), settings, seed, log)
        finally:
            policy.close(player)
            program.close()
            for seated in (guest, house):
                for fault, count in seated.tally.counts.items():
                    words = (
                        f"{seated.name}: {count:,} {fault.value}, first {seated.tally.first[fault]}"
                    )
                    _LOG.warning("the ACPC match with %s: %s", address, words)


def _play_hand(
    number: int,
    program: AcpcGuest,
    players: tuple[GuardedPlayer, GuardedPlayer],
    settings: AcpcSettings,
    seed: bytes,
    log: TextIO,
) -> None:
    """Play a hand of guest and house; it is logged once it is over. Raises `Disconnected`."""
    guest, house = players
    row = deal_from_seed(seed, "acpc", number, seats=2)
    dealer = HandDealer.of_row(settings.rules, row)
    own = Seat(number % 2)
    house_seat = Seat(1 - own)
    audience = Audience.of([(own, program), (house_seat, house.player)])
    program.deal(row)
    audience.notify(dealer.begin())
    actions: list[Action] = []
    while (seat := dealer.asks) is not None:
        shown = view(dealer.state, seat)
        if seat == own:
            action = guest.answer(shown, f"hand {number}", uncaught=(Disconnected,))
        else:
            action = house.answer(shown, f"hand {number}", uncaught=(Exception,))
        actions.append(action)
        audience.notify(dealer.act(action))
    audience.end(dealer.state)
    names = [settings.opponent, settings.opponent]
    names[own] = _GUEST
    record = HandRecord(
        rules=settings.rules,
        players=tuple(names),
        holes=dealer.state.holdings,
        board=dealer.state.board,
        actions=tuple(actions),
        payoffs=payoffs(dealer.state),
        number=number,
    )
    log.write(state_line(record, number))
    log.flush()


def _greets(link: AcpcLink, seconds: float) -> bool:
    """Wait for the greeting; comments may come before it."""
    deadline = time.monotonic() + seconds
    for _ in range(16):
        try:
            line = link.receive(deadline=deadline)
        except TimeoutError:
            return False
        if not is_comment(line):
            return is_version(line)
    return False


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):  # it has gone by itself
        connection.shutdown(socket.SHUT_RDWR)
