"""Clients of a house in the same process: every byte goes through both sides of the protocol."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from railbird.hosting.connection import Connection
from railbird.hosting.formats import RingFormat, TournamentFormat
from railbird.hosting.games.house_players import HousePlayers
from railbird.hosting.games.outlet import Time
from railbird.hosting.house import House
from railbird.hosting.interfaces import Outcome, SessionOutcome, TournamentOutcome, Unavailable
from railbird.protocol import (
    AnyServer,
    ClientSession,
    CloseCode,
    Identity,
    Input,
    PlayerKind,
    client_line,
    following,
)
from railbird.protocol.messages.client import (
    ActMessage,
    EnterQueue,
    GameRequest,
    Hello,
    TokenLogIn,
    Verb,
)
from railbird.protocol.messages.game import HandView, LegalActions, Result, Turn

Chooser = Callable[[Turn, random.Random], tuple[Verb, int | None]]


class KeptResults:
    """Results in memory, which can be away, and tell whether one came twice."""

    def __init__(self) -> None:
        self.kept: dict[str, Outcome] = {}
        self.offered: list[str] = []
        self.is_away = False

    async def record(self, outcome: Outcome) -> None:
        if self.is_away:
            raise Unavailable("the database is away")
        name = outcome.tournament if isinstance(outcome, TournamentOutcome) else outcome.session
        self.offered.append(name)
        self.kept.setdefault(name, outcome)

    @property
    def tournaments(self) -> list[TournamentOutcome]:
        return [one for one in self.kept.values() if isinstance(one, TournamentOutcome)]

    @property
    def sessions(self) -> list[SessionOutcome]:
        return [one for one in self.kept.values() if isinstance(one, SessionOutcome)]


class KeptWinnings:
    def __init__(self, won: Mapping[str, int]) -> None:
        self._won = won

    async def won(self, name: str) -> Mapping[str, int]:
        del name
        return self._won


class ManualTime:
    """A clock that a test moves; the records' clock goes with it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    @property
    def time(self) -> Time:
        return Time(lambda: self.now, lambda: round(1_000 * self.now))


def any_action(turn: Turn, rng: random.Random) -> tuple[Verb, int | None]:
    """Any legal action; folds less often than it plays on."""
    return any_legal(turn.legal, rng)


def any_legal(legal: LegalActions, rng: random.Random) -> tuple[Verb, int | None]:
    draw = rng.random()
    if draw < 0.15 and legal.fold:
        return Verb.FOLD, None
    if draw < 0.4 and legal.min_to is not None and legal.max_to is not None:
        size = legal.min_to if rng.random() < 0.6 else rng.randint(legal.min_to, legal.max_to)
        return Verb.RAISE, size
    if draw < 0.5:
        return Verb.ALL_IN, None
    return (Verb.CALL if legal.to_call else Verb.CHECK), None


class Player:
    """A client: keeps what it was sent, folds it, and may answer its turns by itself."""

    def __init__(
        self,
        house: House,
        identity: Identity,
        *,
        chooses: Chooser | None = any_action,
        seed: int = 0,
    ) -> None:
        self.house = house
        self.identity = identity
        self.chooses = chooses
        self.messages: list[AnyServer] = []
        self.hands: dict[str, HandView | None] = {}
        """The fold of what was told, by table."""
        self.turn: Turn | None = None
        self.acted = 0
        self.stream: list[bytes] = []
        self.rng = random.Random(f"{seed} {identity.name}")
        self.news = asyncio.Event()
        self.reads = True
        self.connect()

    def connect(self) -> None:
        self.session = ClientSession()
        self.hands = {}
        self.turn = None
        self._is_pumping = False
        self.connection = Connection(
            self.house,
            server="railbird test",
            check=lambda connection, hello: connection.accepted(self.identity),
            wake=self._woken,
        )
        self.session.hello(TokenLogIn(by="token", token="t"))
        self.connection.receive(self.session.take())

    def cut(self) -> None:
        self.connection.happens(Input.CUT)

    def send(self, message: GameRequest | Hello) -> None:
        self.connection.receive(client_line(message))

    def act(self, verb: Verb, to: int | None = None, turn: str | None = None) -> None:
        self.acted += 1
        assert turn is not None or self.turn is not None
        id_ = turn or (self.turn.turn if self.turn is not None else "")
        self.send(ActMessage(turn=id_, action=self.acted, verb=verb, to=to))

    def queue(self, name: str, *, again: bool = False) -> None:
        self.send(EnterQueue(queue=name, again=again))

    def of(self, kind: str) -> list[Any]:
        return [message for message in self.messages if message.type == kind]

    @property
    def closed_by(self) -> CloseCode | None:
        return self.session.closed_by

    async def until(self, kind: str, count: int = 1, seconds: float = 20.0) -> Any:
        """Wait for the so-manieth message of a kind."""
        async with asyncio.timeout(seconds):
            while len(self.of(kind)) < count:
                self.news.clear()
                await self.news.wait()
        return self.of(kind)[count - 1]

    def _woken(self) -> None:
        if not self._is_pumping and self.reads:
            self._is_pumping = True
            asyncio.get_running_loop().call_soon(self.pump)

    def pump(self) -> None:
        """Read what the house has written; answer."""
        self._is_pumping = False
        data = self.connection.take()
        self.connection.drained()
        self.stream.append(data)
        for message in self.session.receive(data):
            self.messages.append(message)
            self._follow(message)
        self.news.set()
        answer = self.session.take()
        if answer:
            self.connection.receive(answer)
        if self.turn is not None and self.chooses is not None:
            turn, self.turn = self.turn, None
            self.act(*self.chooses(turn, self.rng), turn=turn.turn)

    def _follow(self, message: AnyServer) -> None:
        table = getattr(message, "table", None)
        if isinstance(table, str):
            name = table
        elif message.type in ("snapshot", "seated"):
            name = message.table.table
        else:
            return
        if message.type in ("left", "knocked_out"):
            if message.type == "left":
                self.hands.pop(name, None)
            return
        self.hands[name] = following(self.hands.get(name), message)
        if isinstance(message, Turn):
            self.turn = message
        elif message.type == "snapshot":
            self.turn = message.turn
        elif message.type in ("acted", "hand_void") and self.turn and self.turn.table == name:
            self.turn = None


def bots(house: House, count: int, *, first: int = 0, **options: Any) -> list[Player]:
    return [
        Player(house, Identity(f"bot{number}", PlayerKind.BOT, "1", f"owner{number}"), **options)
        for number in range(first, first + count)
    ]


@asynccontextmanager
async def hosting(
    folder: Path,
    *tournaments: TournamentFormat,
    rings: tuple[RingFormat, ...] = (),
    results: KeptResults | None = None,
    winnings: Mapping[str, int] | None = None,
    when: Time | None = None,
    pace: float = 0.0,
    more_house: tuple[str, ...] = (),
) -> AsyncIterator[House]:
    house = House(
        folder,
        tournaments=tournaments,
        rings=rings,
        results=results or KeptResults(),
        winnings=None if winnings is None else KeptWinnings(winnings),
        when=when,
        pace=pace,
        house_players=HousePlayers(more_house),
    )
    await house.start()
    try:
        yield house
    finally:
        await house.stop()


def result_of(player: Player) -> Result:
    (result,) = player.of("result")
    assert isinstance(result, Result)
    return result


def lines_of(player: Player) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(player.stream).splitlines()]
