"""The events of a hand. The union is closed: match it exhaustively.

A hand is its rules and its events; folding them gives a `railbird.game.HandState`. Posts are not
events, because they follow from the rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from railbird._arguments import checked
from railbird.cards import Card, Holding
from railbird.errors import wrong_value
from railbird.game.actions import Action
from railbird.units import Seat


@dataclass(frozen=True, slots=True)
class DealHoles:
    """Every seat is dealt two cards."""

    holdings: tuple[Holding | None, ...]
    """By seat; None if hidden or unknown."""


@dataclass(frozen=True, slots=True)
class DealBoard:
    """The flop (three cards), the turn or the river (one each) is dealt."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """A seat folds, calls or raises."""

    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Show:
    """A seat shows its cards, in the showdown or voluntarily afterwards."""

    seat: Seat
    holding: Holding


@dataclass(frozen=True, slots=True)
class Muck:
    """A seat mucks its beaten hand."""

    seat: Seat


Event = DealHoles | DealBoard | Act | Show | Muck
"""An event of a hand."""


@checked
def seen_by(event: Event, seat: Seat | None) -> Event:
    """Return an event as one seat sees it; a spectator (None) sees hole cards only when shown."""
    match event:
        case DealHoles(holdings):
            own = (holding if s == seat else None for s, holding in enumerate(holdings))
            return DealHoles(tuple(own))
        case DealBoard() | Act() | Show() | Muck():
            return event
        case _:
            raise wrong_value("event", event, "one of a hand")
