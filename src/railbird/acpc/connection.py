"""Connections of the ACPC protocol: a player's side, a dealer's side, and the lines between."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.acpc.matchstate import (
    LONGEST_LINE,
    READ_BYTES,
    SEND_SECONDS,
    Hole,
    MatchState,
    read_action,
)
from railbird.cards import Card, Holding, holding_of
from railbird.errors import BadInput, RailbirdError
from railbird.game import (
    BOARD_CARDS,
    Act,
    Betting,
    DealBoard,
    DealHoles,
    Event,
    HandState,
    Muck,
    Phase,
    Rules,
    Show,
    View,
    acpc_text,
    initial,
    step,
)
from railbird.units import Seat

_TOKEN: Final = re.compile(r"[fc/]|r[0-9]*")


class News(NamedTuple):
    """An event learned from a message; a hand begins with its `DealHoles`."""

    view: View
    """The view after the event."""
    event: Event


class ClientConnection:
    """A seat's current hand, as reported by messages.

    Each message repeats the whole hand; only its new events are returned. A message that does not
    continue the last one starts its hand afresh.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._last: MatchState | None = None
        self._state = initial(rules)

    def read(self, message: MatchState) -> list[News]:
        """Return the new events in a message.

        Raises `BadInput` for a message that is impossible in this game; it has no effect.
        """
        news: list[News] = []
        self._check_seats(message)
        state, last = self._state, self._last
        if last is None or not _goes_on(last, message):
            event: Event = self._deal(message)
            state = step(initial(self._rules), event)
            news.append(News(View(message.seat, state), event))
            done = 0
        else:
            done = len(last.betting)
        for token in _TOKEN.findall(message.betting[done:]):
            event = _event(state, token, message.board)
            state = step(state, event)
            news.append(News(View(message.seat, state), event))
        for event in _shown(state, message):
            state = step(state, event)
            news.append(News(View(message.seat, state), event))
        self._state, self._last = state, message
        return news

    @property
    def view(self) -> View | None:
        """The seat's current view; None before the first message."""
        return None if self._last is None else View(self._last.seat, self._state)

    def _check_seats(self, message: MatchState) -> None:
        seats, seat = self._rules.seats, message.seat
        if len(message.holes) != seats or seat >= seats:
            raise BadInput(f"seat {seat} of {len(message.holes)} in a game of {seats}: {message}")

    def _deal(self, message: MatchState) -> DealHoles:
        seats, seat = self._rules.seats, message.seat
        own = message.holes[seat]
        if own is None:
            raise BadInput(f"a message without the seat's own cards: {message}")
        dealt: list[Holding | None] = [None] * seats
        dealt[seat] = holding_of(*own)
        return DealHoles(tuple(dealt))


def _goes_on(last: MatchState, message: MatchState) -> bool:
    """Return whether the second message continues the first one's hand."""
    same = (last.seat, last.hand, last.holes[last.seat]) == (
        message.seat,
        message.hand,
        message.holes[message.seat],
    )
    cards = len(last.board)
    return same and message.betting.startswith(last.betting) and message.board[:cards] == last.board


def _event(state: HandState, token: str, board: tuple[Card, ...]) -> Event:
    if token != "/":
        if state.actor is None:
            raise BadInput(f"{token!r} when nobody is to act: {state!r}")
        return Act(state.actor, read_action(state, token))
    if state.phase is not Phase.DEAL_BOARD:
        raise BadInput(f"cards that are not due: {state!r}")
    return DealBoard(board[BOARD_CARDS[state.street] : BOARD_CARDS[state.street + 1]])


def _shown(state: HandState, message: MatchState) -> Iterator[Show | Muck]:
    """Yield the showdown: seats whose cards the message contains show them."""
    while state.phase is Phase.SHOWDOWN and (seat := state.shower) is not None:
        hole = message.holes[seat]
        event = Muck(seat) if hole is None else Show(seat, holding_of(*hole))
        yield event
        state = step(state, event)


# The dealer's side of a hand: events in, messages to one seat out.


class DealerConnection:
    """One hand as reported to one seat.

    Like a dealer it knows every card; it reveals the seat's own and, when more than one seat has
    reached the showdown, the cards of all that have: the protocol has no mucking.
    """

    def __init__(self, rules: Rules, *, seat: Seat, hand: int, cards: NDArray[np.uint8]) -> None:
        row = [Card(card) for card in cards.tolist()]
        self._sized = rules.betting is not Betting.LIMIT
        self._seat = seat
        self._hand = hand
        self._holes: list[Hole] = [(row[2 * s], row[2 * s + 1]) for s in range(rules.seats)]
        self._betting = ""

    def message(self, state: HandState) -> MatchState:
        """Return the message for the seat now, using only the public part of ``state``."""
        live = state.in_hand
        seats_shown = live if state.phase in (Phase.SHOWDOWN, Phase.OVER) and len(live) > 1 else ()
        return MatchState(
            seat=self._seat,
            hand=self._hand,
            betting=self._betting,
            holes=tuple(
                [
                    hole if seat == self._seat or seat in seats_shown else None
                    for seat, hole in enumerate(self._holes)
                ]
            ),
            board=state.board,
        )

    def happened(self, state: HandState, event: Event) -> MatchState | None:
        """Return the message after an event that led to ``state``.

        Returns None if none is due: an action and the cards dealt after it share one message.
        """
        match event:
            case Act(seat, action):
                before = state.spent[seat] - state.street_bets[seat]
                self._betting += acpc_text(action, before if self._sized else None)
            case DealBoard():
                self._betting += "/"
            case DealHoles():
                pass
            case Show() | Muck():
                return None
        return None if state.phase is Phase.DEAL_BOARD else self.message(state)


# Lines from a byte stream whose sender may be hostile.


class LineBuffer:
    """A buffer of bytes received but not yet read, never much longer than one line."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._waiting += data

    def take(self) -> str | None:
        r"""Return the next line without its end (``\r\n`` or ``\n``); None if it is incomplete.

        Bytes outside ASCII become question marks, which occur in no message.

        Raises `BadInput` for a line over `LONGEST_LINE`.
        """
        end = self._waiting.find(b"\n", 0, LONGEST_LINE)
        if end < 0:
            if len(self._waiting) >= LONGEST_LINE:
                raise BadInput(f"a line of more than {LONGEST_LINE} bytes")
            return None
        line = self._waiting[:end]
        del self._waiting[: end + 1]
        return line.removesuffix(b"\r").decode("ascii", errors="replace")


# One TCP connection, in lines, with a time limit on every operation.


_QUICK_ACK: int | None = getattr(socket, "TCP_QUICKACK", None)
"""Socket option that makes Linux acknowledge at once. Otherwise programs that write an answer in
two pieces, or send unrequested answers, wait 40 ms each time: 5 hands per second instead of 78."""


class Disconnected(RailbirdError):
    """The other side is gone, or was disconnected because of its behaviour."""


class ConnectionClosed(Disconnected):
    """The other side closed the connection, as at the end of a match."""


class AcpcLink:
    """A connection; after `Disconnected` it is closed."""

    def __init__(
        self,
        connection: socket.socket,
        lines: LineBuffer | None = None,
        *,
        send_seconds: float = SEND_SECONDS,
    ) -> None:
        self._connection = connection
        self._send_seconds = send_seconds
        self._lines = lines or LineBuffer()
        self._outbox = bytearray()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, line: str) -> None:
        """Queue a line for the next `flush` or `receive`."""
        self._outbox += line.encode("ascii") + b"\r\n"

    def flush(self) -> None:
        """Send the queued lines. Raises `Disconnected`."""
        if not self._outbox:
            return
        data = bytes(self._outbox)
        self._outbox.clear()
        try:
            self._connection.settimeout(self._send_seconds)
            self._connection.sendall(data)
        except TimeoutError:
            raise self._lost(f"it has read nothing for {self._send_seconds:g} s") from None
        except (BrokenPipeError, ConnectionResetError):
            raise self._closed() from None
        except OSError as problem:
            raise self._lost(str(problem.strerror or problem)) from None

    def receive(self, *, deadline: float | None = None) -> str:
        """Return the next line; ``deadline`` is on the clock of `time.monotonic`.

        Raises `TimeoutError` if it has not arrived by then (it may arrive later), `Disconnected` if
        it can no longer arrive.
        """
        self.flush()
        while True:
            try:
                line = self._lines.take()
            except BadInput as problem:
                raise self._lost(str(problem)) from None
            if line is not None:
                return line
            self._lines.feed(self._more(deadline))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _more(self, deadline: float | None) -> bytes:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        try:
            self._connection.settimeout(left)
            data = self._connection.recv(READ_BYTES)
            if _QUICK_ACK is not None:  # not permanent, so set before every read
                self._connection.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)
        except TimeoutError:
            raise
        except ConnectionResetError:  # it closed without reading our last lines
            raise self._closed() from None
        except OSError as problem:
            raise self._lost(str(problem.strerror or problem)) from None
        if not data:
            raise self._closed()
        return data

    def _closed(self) -> ConnectionClosed:
        self.close()
        return ConnectionClosed("it closed the connection")

    def _lost(self, why: str) -> Disconnected:
        self.close()
        return Disconnected(why)
