"""The dealer's half of a hand: what happens goes in, the messages to one seat come out."""

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
    """One hand as one seat is told it.

    It knows every card, as a dealer does, and passes on the seat's own and, once more than one seat
    has come to the showdown, those of all who have: the protocol knows no mucking.
    """

    def __init__(self, rules: Rules, *, seat: Seat, hand: int, cards: NDArray[np.uint8]) -> None:
        row = [Card(card) for card in cards.tolist()]
        self._sized = rules.betting is not Betting.LIMIT
        self._seat = seat
        self._hand = hand
        self._holes: list[Hole] = [(row[2 * s], row[2 * s + 1]) for s in range(rules.seats)]
        self._betting = ""

    def message(self, state: HandState) -> MatchState:
        """What the seat is to be told now; of ``state`` only what is public is looked at."""
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
        """The message after an event that led to ``state``.

        None if there is none to send: an action and the cards that it brings are one message.
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
