"""The player's side of a match: messages in, events out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from railbird.acpc.matchstate import MatchState, read_action
from railbird.cards import Card, Holding, holding_of
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    Act,
    DealBoard,
    DealHoles,
    Event,
    HandState,
    Muck,
    Phase,
    Rules,
    Show,
    View,
    initial,
    step,
)

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
        told: list[News] = []
        self._check_seats(message)
        state, last = self._state, self._last
        if last is None or not _goes_on(last, message):
            event: Event = self._deal(message)
            state = step(initial(self._rules), event)
            told.append(News(View(message.seat, state), event))
            done = 0
        else:
            done = len(last.betting)
        for token in _TOKEN.findall(message.betting[done:]):
            event = _event(state, token, message.board)
            state = step(state, event)
            told.append(News(View(message.seat, state), event))
        for event in _shown(state, message):
            state = step(state, event)
            told.append(News(View(message.seat, state), event))
        self._state, self._last = state, message
        return told

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
