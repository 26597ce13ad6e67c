"""A table of three as ann was told of it, message by message."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from railbird.client.table_model import LinkNews, LinkState, News
from railbird.game import Betting, Rake
from railbird.hosting.deck import commitment
from railbird.hosting.formats import Clocks, RingFormat, format_text
from railbird.hosting.journal import AnyRecord, Entrant, Opened
from railbird.hosting.play import NobodyListens, Time
from railbird.hosting.ring_play import RingPlay
from railbird.protocol import PlayerKind, told
from railbird.protocol.messages import (
    ActMessage,
    GameFormat,
    GameRequest,
    HandView,
    LegalActions,
    PlayerInfo,
    PotView,
    Presence,
    Seated,
    SeatView,
    ShowCards,
    TableInfo,
    Turn,
    Verb,
)
from railbird.protocol.redaction import TableEvent
from railbird.table.state import TableState

NAMES = ("ann", "house:tight", "bob")


def info_of(kind: Any = "tournament") -> TableInfo:
    players = [
        PlayerInfo(name=name, kind=PlayerKind.PERSON, chair=n, stack=1000, presence=Presence.HERE)
        for n, name in enumerate(NAMES, 1)
    ]
    form = GameFormat(
        name="six",
        betting="no-limit",
        seats=3,
        table_seats=6,
        stack=1000,
        blinds="10/20",
        limit_ms=40_000,
        bank_ms=60_000,
    )
    return TableInfo(
        table="six.1-1", kind=kind, tournament="six.1", format=form, players=players, hand=0
    )


def hand_of(bets: Sequence[int] = (10, 20, 0), **changes: Any) -> HandView:
    seats = [
        SeatView(
            name=name,
            kind=PlayerKind.PERSON,
            chair=n + 1,
            presence=Presence.HERE,
            stack=1000 - bet,
            bet=bet,
            spent=bet,
            cards=["As", "Kd"] if n == 0 else None,
        )
        for n, (name, bet) in enumerate(zip(NAMES, bets, strict=True))
    ]
    values: dict[str, Any] = {
        "hand": 1,
        "blinds": [10, 20, 0],
        "antes": [0, 0, 0],
        "button": 2,
        "you": 0,
        "street": "preflop",
        "board": [],
        "pot": sum(bets),
        "seats": seats,
        "history": [],
        **changes,
    }
    return HandView(**values)


def turn_of(hand: HandView, to_call: int, least: int | None = 40, most: int | None = 1000) -> Turn:
    return Turn(
        table="six.1-1",
        turn="six.1-1.1.1",
        hand=hand,
        pots=[PotView(amount=hand.pot, seats=[0, 1, 2])],
        legal=LegalActions(fold=to_call > 0, to_call=to_call, min_to=least, max_to=most),
        ms=40_000,
        bank_ms=60_000,
    )


def state_of(**changes: Any) -> TableState:
    return replace(TableState(info=info_of(), name="ann"), **changes)


# A ring table that a test plays for everybody, and whose person sees what a server would tell.


LONG = Clocks(limit=86_400, bank=0, refill=None, lag=0)


class ScriptedTable(NobodyListens):
    """A source for a screen: the person is player 0, the test acts for the others."""

    def __init__(
        self,
        names: Sequence[str],
        *,
        betting: Betting = Betting.NO_LIMIT,
        stack: int = 2000,
        seed: int = 1,
        clocks: Clocks = LONG,
        is_server: bool = False,
        time: Time | None = None,
    ) -> None:
        key = sha256(f"{seed}".encode()).digest()
        form = RingFormat(
            name="test",
            betting=betting,
            seats=max(2, len(names)),
            buy_ins=(20, stack),
            clocks=clocks,
        )
        opened = Opened(
            at=0,
            kind="ring",
            id="test",
            format="test",
            settings=format_text(form),
            commitment=commitment(key),
            seed=key.hex(),
        )
        self.is_server = is_server
        self.series: tuple[int, int] | None = None
        self.play = RingPlay(opened, time)
        self.play.attach(self, self)
        self.me = names[0]
        self.requests: list[GameRequest] = []
        self.came_back = self.hurried = 0
        self.is_closed = False
        self.waiting: queue.SimpleQueue[News] = queue.SimpleQueue()
        self._names = names
        self._hear: Callable[[News], object] = self.waiting.put

    # As a source.

    def start(self, hear: Callable[[News], object]) -> None:
        self._hear = hear
        hear(LinkNews(LinkState.OPEN))
        while not self.waiting.empty():
            hear(self.waiting.get())

    def send(self, request: GameRequest) -> None:
        self.requests.append(request)
        if isinstance(request, ActMessage):
            refused = self.play.act(0, request)
            if refused is not None:
                self._hear(refused)
        elif isinstance(request, ShowCards):
            assert self.play.show(0, request) is None

    def come_back(self) -> None:
        self.came_back += 1

    def hurry(self) -> None:
        self.hurried += 1

    def close(self) -> None:
        self.is_closed = True

    # As a test.

    def begin(self) -> None:
        """Seat everybody and deal the first hand."""
        for number, name in enumerate(self._names):
            kind = PlayerKind.HOUSE if number else PlayerKind.PERSON
            entrant = Entrant(name=name, kind=kind, spec="random" if number else "")
            self.play.join(entrant, self.play.form.buy_ins[1])
        self.play.advance()

    def hear(self, news: News) -> None:
        """Let the person hear something else."""
        self._hear(news)

    @property
    def actor(self) -> int | None:
        """The player to act."""
        turn = self.play.turns.get(1)
        return None if turn is None else turn.player

    def acts(self, verb: Verb = Verb.CALL, to: int | None = None) -> None:
        """Act for the one whose turn it is."""
        turn = self.play.turns[1]
        message = ActMessage(turn=turn.id, action=0, verb=verb, to=to)
        refused = self.play.act(turn.player, message)
        assert refused is None, refused

    def until_mine(self, verb: Verb = Verb.CALL) -> None:
        """Let the others act until it is the person's turn."""
        while self.actor != 0:
            self.acts(verb)

    @property
    def verbs(self) -> list[tuple[str, int | None]]:
        """What the person has done."""
        return [(m.verb.value, m.to) for m in self.requests if isinstance(m, ActMessage)]

    # As a game's outlet.

    def write(self, record: AnyRecord) -> None:
        """Keep nothing."""

    def tell(self, table: int, event: TableEvent) -> None:
        message = told(event, self.me)
        if message is not None:
            self._hear(message)

    def tell_entrants(self, event: TableEvent) -> None:
        message = told(event, self.me)
        if message is not None:
            self._hear(message)

    def seated(self, player: int, table: int) -> None:
        if player == 0:
            self._hear(Seated(table=self.play.table_info(table)))


# Rake by its definition, for what deals with pots in another way than the engine.


def rake_due(rake: Rake, called: int, *, players: int) -> int:
    """Return the rake on pots with ``called`` chips."""
    tier = rake.tier(players)
    due = called * tier.share // rake.step * rake.step
    return due if tier.cap is None else min(due, tier.cap)
