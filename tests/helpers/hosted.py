"""Clients of a house in the same process: every byte goes through both sides of the protocol."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self

from helpers.command_line import PATIENCE_S as PATIENCE_S
from railbird.cards import TEXT_OF_CARD
from railbird.errors import WriteFailed
from railbird.game import legal
from railbird.hosting.connection import Connection
from railbird.hosting.deck import commitment
from railbird.hosting.formats import RingFormat, TournamentFormat, format_text
from railbird.hosting.house import House
from railbird.hosting.house_seats import HousePlayers
from railbird.hosting.interfaces import Outcome, SessionOutcome, TournamentOutcome, Unavailable
from railbird.hosting.journal import AnyRecord, Entrant, Opened
from railbird.hosting.play import NobodyListens, Time
from railbird.hosting.supervisor import Supervisor
from railbird.hosting.tournament_play import TournamentPlay
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
from railbird.protocol.messages import (
    ActMessage,
    EnterQueue,
    GameRequest,
    HandView,
    Hello,
    LegalActions,
    Result,
    Seated,
    Snapshot,
    TokenLogIn,
    Turn,
    Verb,
)
from railbird.protocol.redaction import TableEvent, TurnStart

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
        self.session.hello(TokenLogIn(token="t"))
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

    def discard(self, turn: Turn) -> None:
        """Throw some cards away, as often as not none."""
        own = turn.hand.seats[turn.hand.you or 0].cards or []
        least, most = turn.legal.must_discard or 0, turn.legal.draw or 0
        thrown = self.rng.sample(own, self.rng.choice([least, most, self.rng.randint(least, most)]))
        self.acted += 1
        self.send(ActMessage(turn=turn.turn, action=self.acted, verb=Verb.DISCARD, cards=thrown))

    def queue(self, name: str, *, again: bool = False) -> None:
        self.send(EnterQueue(queue=name, again=again))

    def of(self, kind: str) -> list[Any]:
        return [message for message in self.messages if message.type == kind]

    @property
    def closed_by(self) -> CloseCode | None:
        return self.session.closed_by

    async def until(self, kind: str, count: int = 1) -> Any:
        """Wait for the so-manieth message of a kind."""
        async with asyncio.timeout(PATIENCE_S):
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
            if turn.legal.draw is not None:
                self.discard(turn)
                return
            self.act(*self.chooses(turn, self.rng), turn=turn.turn)

    def _follow(self, message: AnyServer) -> None:
        table = getattr(message, "table", None)
        if isinstance(table, str):
            name = table
        elif isinstance(message, Snapshot | Seated):
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
        elif isinstance(message, Snapshot):
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
    supervisor: Supervisor | None = None,
    house_processes: int = 0,
) -> AsyncIterator[House]:
    _compile_rules()
    house = House(
        folder,
        tournaments=tournaments,
        rings=rings,
        results=results or KeptResults(),
        winnings=None if winnings is None else KeptWinnings(winnings),
        when=when,
        pace=pace,
        house_players=HousePlayers(more_house),
        supervisor=supervisor,
        house_processes=house_processes,
    )
    await house.start()
    try:
        yield house
    finally:
        await house.stop()


@cache
def _compile_rules() -> None:
    """Play a tournament before any clock runs.

    A first hand compiles the rules in the event loop. Beside other work that took longer than
    players have for an action, so that one was frozen and waited in vain for the result.
    """
    played_records(TournamentFormat(name="first", seats=2, stack=100), random.Random(0))


def result_of(player: Player) -> Result:
    (result,) = player.of("result")
    assert isinstance(result, Result)
    return result


def lines_of(player: Player) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(player.stream).splitlines()]


# A client of the server's protocol that only speaks lines, over TCP.


@dataclass
class LineClient:
    """A connection; messages are dictionaries."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    seen: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    async def open(cls, port: int) -> Self:
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 22))

    async def send(self, *messages: dict[str, Any]) -> None:
        for message in messages:
            self.writer.write(json.dumps(message).encode() + b"\n")
        await self.writer.drain()

    async def hello(self, **log_in: str) -> dict[str, Any]:
        """Say hello, and return the answer that is no notice of waiting."""
        await self.send({"type": "hello", "versions": [1], "log_in": log_in})
        while (answer := await self.next())["type"] == "log_in_queue":
            pass
        return answer

    async def next(self, patience_s: float = PATIENCE_S) -> dict[str, Any]:
        async with asyncio.timeout(patience_s):
            line = await self.reader.readline()
        if not line:
            raise EOFError
        message = json.loads(line)
        assert isinstance(message, dict)
        self.seen.append(message)
        return message

    async def until(self, kind: str, patience_s: float = PATIENCE_S) -> dict[str, Any]:
        """Read up to a message of this type."""
        while (message := await self.next(patience_s))["type"] != kind:
            pass
        return message

    async def ended(self, patience_s: float = PATIENCE_S) -> list[dict[str, Any]]:
        """Read to the end of the connection; return what came."""
        before = len(self.seen)
        try:
            while True:
                await self.next(patience_s)
        except (EOFError, ConnectionError):
            return self.seen[before:]

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


# Tournaments played without a house, by random actions, and their records.


SEED = bytes(range(32))


class Listening(NobodyListens):
    """Knows whose turn it is."""

    def __init__(self) -> None:
        self.turns: dict[str, str] = {}

    def tell(self, table: int, event: TableEvent) -> None:
        if isinstance(event, TurnStart):
            seat = event.moment.state.actor
            assert seat is not None
            self.turns[event.clock.turn] = event.moment.holders[seat].name


class Records:
    def __init__(self, after: int | None = None) -> None:
        self.written: list[AnyRecord] = []
        self._after = after

    def write(self, record: AnyRecord) -> None:
        if self._after is not None and len(self.written) >= self._after:
            raise WriteFailed("the process ends here")
        self.written.append(record)


def opened(form: TournamentFormat, entrants: int) -> Opened:
    people = tuple(Entrant(name=f"p{n}", kind=PlayerKind.BOT) for n in range(entrants))
    return Opened(
        at=0,
        kind="tournament",
        id=f"{form.name}.1",
        format=form.name,
        settings=format_text(form),
        commitment=commitment(SEED),
        seed=SEED.hex(),
        entrants=people,
    )


def ticking() -> Time:
    moments = iter(range(1, 10**9))
    return Time(lambda: 0.0, lambda: 10 * next(moments))


def play_on(
    play: TournamentPlay, listening: Listening, rng: random.Random, *, folds: int = 1
) -> None:
    play.advance()
    while play.closed is None:
        while play.has_more and play.closed is None:
            play.advance()
        if play.closed is not None:
            return
        turn, name = listening.turns.popitem()
        hand = next(hand for hand in play.hands.values() if hand.turn_id == turn)
        if most := (allowed := legal(state := hand.moment.state)).draw:
            least = allowed.must_discard
            own = [TEXT_OF_CARD[card] for card in state.cards[state.actor or 0]]
            thrown = rng.sample(own, rng.choice([least, most, rng.randint(least, most)]))
            discard = ActMessage(turn=turn, action=1, verb=Verb.DISCARD, cards=thrown)
            assert play.act(int(name[1:]), discard) is None
            continue
        verb = rng.choice([Verb.CALL] * 6 + [Verb.FOLD] * folds + [Verb.ALL_IN])
        for chosen in (verb, Verb.CALL):
            if play.act(int(name[1:]), ActMessage(turn=turn, action=1, verb=chosen)) is None:
                break


def played_records(
    form: TournamentFormat, rng: random.Random, *, folds: int = 1
) -> list[AnyRecord]:
    """Return all records of a whole tournament."""
    head, records, listening = opened(form, form.seats), Records(), Listening()
    play = TournamentPlay(head, ticking())
    play.attach(records, listening)
    play_on(play, listening, rng, folds=folds)
    return [head, *records.written]
