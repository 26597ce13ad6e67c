"""Entries of a hand's public history as events of the rules engine."""

from __future__ import annotations

from typing import assert_never

from railbird.cards import parse_cards, parse_holding
from railbird.game import (
    Act,
    Action,
    Call,
    DealBoard,
    Event,
    Fold,
    Muck,
    Raise,
    Show,
)
from railbird.protocol.messages.game import (
    ActionEntry,
    BoardEntry,
    HistoryEntry,
    MuckEntry,
    ShowEntry,
)
from railbird.units import Chips, Seat


def event_of(entry: HistoryEntry) -> Event:
    """Return an entry of a hand's history as the event of the rules."""
    match entry:
        case ActionEntry(seat=seat, verb=verb, to=to):
            return Act(Seat(seat), _action_of(verb, to))
        case BoardEntry(cards=cards):
            return DealBoard(parse_cards(" ".join(cards)))
        case ShowEntry(seat=seat, cards=cards):
            return Show(Seat(seat), parse_holding("".join(cards)))
        case MuckEntry(seat=seat):
            return Muck(Seat(seat))
        case other:
            assert_never(other)


def _action_of(verb: str, to: int | None) -> Action:
    if verb == "fold":
        return Fold()
    return Call() if to is None else Raise(Chips(to))
