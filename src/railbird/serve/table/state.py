"""A table as its viewer was told of it: the fold of the protocol's messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from railbird.errors import BadInput
from railbird.protocol import AnyServer, following
from railbird.protocol.messages.game import (
    Acted,
    BoardDealt,
    CardsRevealed,
    Explained,
    HandBegins,
    HandOver,
    HandView,
    HandVoid,
    KnockedOut,
    Left,
    Mucked,
    Paused,
    PlayerInfo,
    PlayerLeft,
    PlayerSat,
    PotView,
    Presence,
    PresenceChanged,
    Result,
    Seated,
    SessionReport,
    Shown,
    Snapshot,
    TableInfo,
    ToAct,
    Turn,
)
from railbird.serve.table.settings import LOG_LINES, PAUSES
from railbird.serve.view.words import Line, amount, end_lines, hand_lines, line_of, short_name


@dataclass(frozen=True, slots=True)
class Clock:
    """Time of whoever is to act, by the server's monotonic clock."""

    seat: int
    ends: float
    """End of the limit of this action."""
    bank_s: float
    """Seconds in the bank after that."""
    limit_s: float
    """Length of the limit, for the ring."""

    def left(self, now: float) -> tuple[float, float]:
        """Return the seconds left of the limit and of the bank."""
        over = max(0.0, now - self.ends)
        return max(0.0, self.ends - now), max(0.0, self.bank_s - over)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A table as one viewer knows it."""

    info: TableInfo
    name: str | None
    """The viewer's name, where the viewer plays here."""
    hand: HandView | None = None
    """The hand in play, or the last one."""
    over: HandOver | None = None
    won: int = 0
    """Chips that the viewer has won in all, where stacks are filled up before each hand."""
    pots: tuple[PotView, ...] | None = None
    """As the last message had them; None where they follow from the bets."""
    turn: Turn | None = None
    clock: Clock | None = None
    revealed: tuple[tuple[str, ...], ...] = ()
    reasons: tuple[Explained, ...] = ()
    lines: tuple[tuple[int, Line], ...] = ()
    """The log with numbers, which a page needs to tell old lines from new ones."""
    fresh: tuple[Line, ...] = ()
    """The lines of the last message that had any."""
    news: str = ""
    """The type of the last message."""
    knocked_out: KnockedOut | None = None
    """The viewer's own end."""
    result: Result | None = None
    report: SessionReport | None = None
    left: str = ""
    """Why the viewer sits here no longer."""

    @property
    def is_practice(self) -> bool:
        """Whether this is a practice table."""
        return self.info.kind == "practice"

    @property
    def waits_for_me(self) -> bool:
        """Whether the next hand of a practice table comes when the viewer wants it."""
        between = self.over is not None or self.hand is None
        return self.is_practice and between and self.info.hand > 0 and not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the viewer has nothing more to do here."""
        return self.left not in ("", "moved") or self.result is not None

    @property
    def to_act(self) -> int | None:
        """The seat to act."""
        return None if self.clock is None else self.clock.seat

    @property
    def me(self) -> int | None:
        """The viewer's seat in the hand."""
        return None if self.hand is None else self.hand.you


def first_state(message: Seated | Snapshot, name: str | None, now: float) -> TableState:
    """Return a table as its first message has it."""
    return after(TableState(info=message.table, name=name), message, now)


def after(state: TableState, message: AnyServer, now: float) -> TableState:
    """Return the table after one more message about it.

    ``now`` is the moment by the server's monotonic clock.
    """
    state = replace(state, news=getattr(message, "type", ""))
    match message:
        case Seated(table=info):
            return _said(replace(state, info=info, left=""), [Line(f"Table {info.table}")])
        case Snapshot():
            return _after_snapshot(state, message, now)
        case HandBegins(hand=hand):
            fresh = replace(state, hand=hand, over=None, pots=None, turn=None, clock=None)
            fresh = replace(fresh, revealed=(), reasons=())
            return _said(fresh, hand_lines(hand.model_copy(update={"history": []})))
        case Turn() | ToAct():
            return _after_turn(state, message, now)
        case Acted() | BoardDealt() | Shown() | Mucked():
            return _after_step(state, message)
        case HandOver(hand=number) if state.hand is not None and state.hand.hand == number:
            done = replace(state, over=message, turn=None, clock=None, info=_stacks(state, message))
            if state.me is not None and state.info.format.top_up:
                done = replace(
                    done, won=state.won + message.stacks[state.me] - done.info.format.stack
                )
            return _said(
                done, end_lines(message, [short_name(seat.name) for seat in state.hand.seats])
            )
        case CardsRevealed(cards=cards):
            return replace(state, revealed=tuple(map(tuple, cards)))
        case Explained(seat=seat, text=text) if state.hand is not None:
            name = short_name(state.hand.seats[seat].name)
            told = replace(state, reasons=(*state.reasons, message))
            return _said(told, [Line(f"{name}: {text}", kind="note")])
        case _:
            return _after_news(state, message)


def pause_after(state: TableState) -> float:
    """Return the seconds for which a page shows this state before the next one."""
    if state.is_practice and state.news == "hand_over":
        return 0.0  # the table waits for its person
    hand = state.hand
    if state.news == "acted" and hand is not None and hand.history:
        last = hand.history[-1]
        if getattr(last, "seat", None) == hand.you:
            return 0.15  # one's own action is no news
    return PAUSES.get(state.news, 0.0)


def _after_snapshot(state: TableState, message: Snapshot, now: float) -> TableState:
    fresh = replace(
        state,
        info=message.table,
        hand=message.hand,
        over=None,
        pots=None,
        turn=None,
        clock=None,
        revealed=(),
        reasons=(),
        left="",
    )
    if message.hand is not None:
        fresh = _said(fresh, hand_lines(message.hand))
    turn = message.turn or message.to_act
    return fresh if turn is None else _after_turn(fresh, turn, now)


def _after_turn(state: TableState, message: Turn | ToAct, now: float) -> TableState:
    limit = state.info.format.limit_ms / 1000
    seat = message.seat if isinstance(message, ToAct) else message.hand.you
    assert seat is not None
    clock = Clock(seat, now + message.ms / 1000, message.bank_ms / 1000, limit)
    if isinstance(message, ToAct):
        return replace(state, turn=None, clock=clock)
    return replace(state, hand=message.hand, pots=tuple(message.pots), turn=message, clock=clock)


def _after_step(state: TableState, message: Acted | BoardDealt | Shown | Mucked) -> TableState:
    try:
        hand = following(state.hand, message)
    except BadInput:
        return state  # of a hand before the snapshot
    if hand is None:
        return state
    pots = tuple(message.pots) if isinstance(message, BoardDealt) else None
    names = [short_name(seat.name) for seat in hand.seats]
    line = line_of(message.entry, names, [seat.stack for seat in hand.seats], hand.board)
    if isinstance(message, Acted) and message.by != "player":
        is_leaving = hand.seats[message.entry.seat].presence is Presence.LEAVING
        absent = "leaving" if is_leaving else "frozen"
        why = "the clock ran out" if message.by == "clock" else absent
        line = replace(line, after=why)
    keeps_clock = isinstance(message, Shown | Mucked)
    clock = state.clock if keeps_clock else None
    return _said(replace(state, hand=hand, pots=pots, turn=None, clock=clock), [line])


_PRESENCE: Final = {
    Presence.HERE: "is back",
    Presence.AWAY: "is away",
    Presence.FROZEN: "is frozen",
    Presence.SITTING_OUT: "sits out",
    Presence.LEAVING: "is leaving",
}


def _after_news(state: TableState, message: AnyServer) -> TableState:
    match message:
        case HandVoid(text=text):
            void = replace(state, hand=None, over=None, turn=None, clock=None, pots=None)
            return _said(void, [Line(f"The hand does not count: {text}", kind="note")])
        case PresenceChanged(name=name, presence=presence):
            hand = following(state.hand, message)
            players = [
                player.model_copy(update={"presence": presence}) if player.name == name else player
                for player in state.info.players
            ]
            now = replace(state, hand=hand, info=_with(state, players))
            return _said(now, [Line(f"{short_name(name)} {_PRESENCE[presence]}", kind="note")])
        case PlayerSat(player=player):
            others = [one for one in state.info.players if one.name != player.name]
            sat = replace(state, info=_with(state, [*others, player]))
            return _said(sat, [Line(f"{short_name(player.name)} sits down", kind="note")])
        case PlayerLeft(name=name):
            gone = replace(state, info=_with(state, _without(state, name)))
            return _said(gone, [Line(f"{short_name(name)} leaves", kind="note")])
        case Paused(paused=paused):
            info = state.info.model_copy(update={"paused": paused})
            words = "The table pauses" if paused else "Play goes on"
            stopped = replace(state, info=info)
            if paused:
                stopped = replace(stopped, turn=None, clock=None)
            return _said(stopped, [Line(words, kind="note")])
        case _:
            return _after_end(state, message)


def _after_end(state: TableState, message: AnyServer) -> TableState:
    match message:
        case KnockedOut(name=name, place=place):
            out = replace(state, info=_with(state, _without(state, name)))
            if name == state.name:
                out = replace(out, knocked_out=message, turn=None, clock=None)
            return _said(out, [Line(f"{short_name(name)} is out, place {place}", kind="note")])
        case Result():
            ended = replace(state, result=message, turn=None, clock=None)
            first = ", ".join(short_name(one.name) for one in message.places if one.place == 1)
            words = "The tournament is void" if message.void else f"{first} wins the tournament"
            return _said(ended, [Line(words, kind="win")])
        case SessionReport():
            return replace(state, report=message)
        case Left(reason=reason):
            return replace(state, left=reason, turn=None, clock=None)
        case _:
            return state


def _without(state: TableState, name: str) -> list[PlayerInfo]:
    return [player for player in state.info.players if player.name != name]


def _with(state: TableState, players: list[PlayerInfo]) -> TableInfo:
    return state.info.model_copy(update={"players": players})


def _stacks(state: TableState, over: HandOver) -> TableInfo:
    """Return the table with everybody's stack after a hand."""
    assert state.hand is not None
    stacks = {seat.name: stack for seat, stack in zip(state.hand.seats, over.stacks, strict=True)}
    players = [
        player.model_copy(update={"stack": stacks.get(player.name, player.stack)})
        for player in state.info.players
    ]
    return state.info.model_copy(update={"players": players, "hand": over.hand})


def _said(state: TableState, lines: Iterable[Line]) -> TableState:
    number = state.lines[-1][0] if state.lines else 0
    fresh = tuple(lines)
    added = tuple((number + place, line) for place, line in enumerate(fresh, 1))
    return replace(state, fresh=fresh, lines=(*state.lines, *added)[-LOG_LINES:])


def price_of(hand: HandView, seat: int) -> int:
    """Return what a call would cost a seat now."""
    own = hand.seats[seat]
    return min(max(one.bet for one in hand.seats) - own.bet, own.stack)


def turn_words(state: TableState, now: float) -> str:
    """Say that it is the viewer's turn: ``Your turn: 40 to call, 12 seconds``."""
    turn = state.turn
    if turn is None or state.clock is None:
        return ""
    limit, bank = state.clock.left(now)
    price = f"{amount(turn.legal.to_call)} to call" if turn.legal.to_call else "checking is free"
    return f"Your turn: {price}, {limit + bank:.0f} seconds"
