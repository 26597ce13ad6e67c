"""What a program at one seat is told of a hand, in the messages of the tournament server."""

from __future__ import annotations

from dataclasses import replace

from railbird.game import (
    Event,
    HandState,
    Rules,
    View,
    initial,
    payoffs,
    step,
)
from railbird.game.events import DealHoles
from railbird.players.bot_program.settings import STACKS_IN_BIG_BLINDS
from railbird.protocol import PlayerKind, told
from railbird.protocol.messages.game import (
    GameFormat,
    GameMessage,
    HistoryEntry,
    PlayerInfo,
    Presence,
    Seated,
    TableInfo,
)
from railbird.protocol.redaction.events import (
    HandEnd,
    HandMoment,
    HandStart,
    HandStep,
    SeatHolder,
    TableEvent,
    TurnClock,
    TurnStart,
)
from railbird.protocol.redaction.hand_view import entry_of
from railbird.units import Chips

TABLE = "local"
"""Name of the only table."""


class OneSeat:
    """A hand as the program's seat sees it, followed event by event."""

    def __init__(self, hand: int, view: View, names: tuple[str, ...]) -> None:
        self._me = names[view.seat]
        self._hand = hand
        self._holders = tuple(
            SeatHolder(name, PlayerKind.BOT, chair) for chair, name in enumerate(names)
        )
        self._has_stacks = view.rules.stacks is not None
        self._state = view.state
        if not self._has_stacks:
            dealt = DealHoles(view.state.holdings)
            self._state = step(initial(_with_stacks(view.rules)), dealt)
        self._history: list[HistoryEntry] = []

    def begins(self) -> GameMessage:
        """Return the message with which the hand begins."""
        return self._told(HandStart(self._moment()))

    def happened(self, view: View, event: Event) -> GameMessage:
        """Return the message for an event that the seat has seen."""
        before = self._state
        self._state = view.state if self._has_stacks else step(before, event)
        if (entry := entry_of(event, before, self._state)) is not None:
            self._history.append(entry)
        return self._told(HandStep(self._moment(), event, before))

    def asks(self, clock: TurnClock) -> GameMessage:
        """Return the seat's turn."""
        return self._told(TurnStart(self._moment(), clock))

    def over(self) -> GameMessage:
        """Return the message with which the hand ends.

        Parts of a chip, as the ACPC's rules pay them where more than two split, are left out.
        """
        state = self._state
        had = state.rules.stacks
        assert had is not None
        stacks = tuple(Chips(int(one + won)) for one, won in zip(had, payoffs(state), strict=True))
        return self._told(HandEnd(self._moment(), stacks))

    @property
    def state(self) -> HandState:
        """The hand as the seat sees it, always with stacks."""
        return self._state

    def _moment(self) -> HandMoment:
        return HandMoment(TABLE, self._hand, self._state, self._holders, tuple(self._history))

    def _told(self, event: TableEvent) -> GameMessage:
        message = told(event, self._me)
        assert message is not None  # the hole cards alone are told otherwise
        return message


def _with_stacks(rules: Rules) -> Rules:
    stack = Chips(STACKS_IN_BIG_BLINDS * max(rules.blinds))
    return replace(rules, stacks=(stack,) * rules.seats)


def seated(rules: Rules, names: tuple[str, ...], *, limit_ms: int) -> Seated:
    """Return the message that tells of the table and its players, in the order of seats."""
    stacks = rules.stacks or _with_stacks(rules).stacks or ()
    posts = sorted({chips for chips in rules.blinds if chips})
    game = GameFormat(
        name="local match",
        betting=rules.betting.value,
        seats=rules.seats,
        table_seats=rules.seats,
        stack=max(stacks),
        blinds="/".join(map(str, posts)),
        rake=None if rules.rake is None else str(rules.rake),
        limit_ms=limit_ms,
        bank_ms=0,
        rated=False,
    )
    players = [
        PlayerInfo(name=name, kind=PlayerKind.BOT, chair=chair, stack=stack, presence=Presence.HERE)
        for chair, (name, stack) in enumerate(zip(names, stacks, strict=True))
    ]
    info = TableInfo(table=TABLE, kind="practice", format=game, players=players, hand=1)
    return Seated(table=info)
