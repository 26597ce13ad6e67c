"""A hand that a client follows, as the view that our players know."""

from __future__ import annotations

from collections.abc import Iterator

from railbird.cards import Holding, parse_holding
from railbird.errors import BadInput
from railbird.game import (
    Betting,
    DealHoles,
    Event,
    Rules,
    View,
    initial,
    step,
    view,
)
from railbird.protocol.history_event import event_of
from railbird.protocol.messages.game import (
    HandView,
)
from railbird.tournament.table_rules import table_rules
from railbird.units import Seat


class FollowedHand:
    """A hand, from the deal on, kept up with the newest view of it.

    Raises `BadInput` for a hand that our rules cannot have.
    """

    def __init__(self, betting: Betting, seen: HandView) -> None:
        if seen.you is None:
            raise BadInput(f"hand {seen.hand} is somebody else's")
        self.number = seen.hand
        self.names = tuple(seat.name for seat in seen.seats)
        self._seat = Seat(seen.you)
        self._known = 0
        mine = seen.seats[seen.you].cards
        if mine is None:
            raise BadInput(f"hand {seen.hand}: one's own cards are not said")
        holdings: list[Holding | None] = [None] * len(seen.seats)
        holdings[seen.you] = parse_holding("".join(mine))
        dealt = DealHoles(tuple(holdings))
        self._state = step(initial(rules_of(betting, seen)), dealt)

    @property
    def view(self) -> View:
        """The hand now, from one's own seat."""
        return view(self._state, self._seat)

    def news(self, seen: HandView) -> Iterator[tuple[View, Event]]:
        """Yield what has happened since the last call, each with the view that it led to."""
        for entry in seen.history[self._known :]:
            event = event_of(entry)
            self._state = step(self._state, event)
            self._known += 1
            yield self.view, event


def rules_of(betting: Betting, seen: HandView) -> Rules:
    """Return the rules of a hand: those of tournaments and ring games, with its stacks.

    Raises `BadInput` if its blinds are posted otherwise.
    """
    posts = sorted(chips for chips in seen.blinds if chips)
    if not posts:
        raise BadInput(f"hand {seen.hand} has no blinds")
    stacks = [seat.stack + seat.spent for seat in seen.seats]
    blinds, ante = (posts[0], posts[-1]), seen.antes if any(seen.antes) else 0
    rules = table_rules(betting, blinds=blinds, ante=ante, stacks=stacks)
    if list(rules.blinds) != seen.blinds:
        raise BadInput(f"blinds {seen.blinds}; allowed: {list(rules.blinds)}")
    return rules
