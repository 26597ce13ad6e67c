"""Everything that can happen in a hand. The union is closed: match it exhaustively.

A hand is its rules and its events; `railbird.game.HandState` is what they add up to. Posts are no
events, because the rules say them.
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
    """Every seat gets its two cards."""

    holdings: tuple[Holding | None, ...]
    """By seat; None where the reader does not see them."""


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
    """A seat turns its cards up, in the showdown or afterwards of its own will."""

    seat: Seat
    holding: Holding


@dataclass(frozen=True, slots=True)
class Muck:
    """A seat throws its beaten hand away unseen."""

    seat: Seat


Event = DealHoles | DealBoard | Act | Show | Muck
"""What happens in a hand; a hand is a list of these."""


@checked
def seen_by(event: Event, seat: Seat | None) -> Event:
    """What one seat sees of an event; a spectator (None) sees no cards until they are shown."""
    match event:
        case DealHoles(holdings):
            own = (holding if s == seat else None for s, holding in enumerate(holdings))
            return DealHoles(tuple(own))
        case DealBoard() | Act() | Show() | Muck():
            return event
        case _:
            raise wrong_value("event", event, "one of a hand")
