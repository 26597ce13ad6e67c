"""The dealer's side of a hand: events in, messages to one seat out."""

from __future__ import annotations

from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from railbird.acpc.matchstate import Hole, MatchState
from railbird.cards import Card
from railbird.game import (
    Act,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Event,
    Fold,
    HandState,
    Muck,
    Phase,
    Raise,
    Rules,
    Show,
)
from railbird.units import Seat


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
        shown = live if state.phase in (Phase.SHOWDOWN, Phase.OVER) and len(live) > 1 else ()
        return MatchState(
            seat=self._seat,
            hand=self._hand,
            betting=self._betting,
            holes=tuple(
                [
                    hole if seat == self._seat or seat in shown else None
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
                match action:
                    case Fold():
                        self._betting += "f"
                    case Call():
                        self._betting += "c"
                    case Raise():
                        self._betting += f"r{state.spent[seat]}" if self._sized else "r"
                    case other:
                        assert_never(other)
            case DealBoard():
                self._betting += "/"
            case DealHoles():
                pass
            case Show() | Muck():
                return None
        return None if state.phase is Phase.DEAL_BOARD else self.message(state)
