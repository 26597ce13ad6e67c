"""An action that is chosen before its turn, and given up as soon as the price changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from railbird.protocol.messages.client import Verb
from railbird.protocol.messages.game import HandView, LegalActions


class Plan(Enum):
    """What can be chosen in advance."""

    CHECK_OR_FOLD = "check/fold"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class PlannedAction:
    """A plan, at the price for which it was made."""

    plan: Plan
    hand: int
    street: str
    price: int
    """Chips that a call cost."""

    def __str__(self) -> str:
        if self.plan is Plan.CALL:
            return f"call {self.price:,}" if self.price else "check"
        return "fold" if self.price else "check"

    def holds(self, hand: HandView | None) -> bool:
        """Return whether nothing has changed since; any raise, and any new card, ends a plan."""
        return (
            hand is not None
            and hand.you is not None
            and not hand.seats[hand.you].folded
            and (hand.hand, hand.street) == (self.hand, self.street)
            and price_of(hand) == self.price
        )

    def verb(self, legal: LegalActions) -> Verb | None:
        """Return the action at the turn; None if it costs something else than expected."""
        if legal.to_call != self.price:
            return None
        if legal.to_call == 0:
            return Verb.CHECK
        return Verb.CALL if self.plan is Plan.CALL else Verb.FOLD


def price_of(hand: HandView) -> int:
    """Return what a call costs the viewer now, at most the stack; 0 for a check."""
    if hand.you is None:
        return 0
    mine = hand.seats[hand.you]
    highest = max(max(seat.bet for seat in hand.seats), _forced(hand))
    return max(0, min(highest - mine.bet, mine.stack))


def _forced(hand: HandView) -> int:
    """Return what has to be matched before the flop even if the big blind was short."""
    return max(hand.blinds) if hand.street == "preflop" else 0
