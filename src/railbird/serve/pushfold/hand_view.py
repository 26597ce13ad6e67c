"""The view of a hand that its player may see, in the words of the page."""

from __future__ import annotations

from dataclasses import dataclass

from railbird.cards import class_name, class_of, describe, format_holding, holding_of
from railbird.serve.pushfold.equilibrium import Equilibrium, Values
from railbird.serve.pushfold.hand import Choice, Ending, showdown
from railbird.serve.pushfold.transactions import dealt
from railbird.solve import Seat
from railbird.storage import PushFoldDecisionRow, PushFoldHandRow

SKILLS = ("beginner", "intermediate", "advanced", "expert")
_ALL_IN = {
    Seat.SMALL_BLIND: "You push, the big blind calls.",
    Seat.BIG_BLIND: "The small blind pushes, you call.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """A hand as its player sees it; it does not contain what must be hidden."""

    number: int
    stack: float
    seat: Seat
    own: str
    hand_class: str
    hinted: bool
    is_open: bool
    headline: str
    all_in: str
    """Headline while the board of a showdown is dealt."""
    winnings: float | None
    """None while the hand is open."""
    opponent: str | None
    """The opponent's cards, after a showdown."""
    board: str | None
    own_made: str | None
    opponent_made: str | None
    values: Values | None
    """Values of both choices, after the decision or a hint."""
    choice: Choice | None
    loss: float | None

    @property
    def aggress(self) -> str:
        """Name of the choice other than folding."""
        return "Push" if self.seat is Seat.SMALL_BLIND else "Call"


def view_of(
    hand: PushFoldHandRow, decision: PushFoldDecisionRow | None, equilibrium: Equilibrium
) -> HandView:
    """Build the view of a stored hand."""
    seat, cards = Seat(hand.seat), dealt(hand)
    how = Ending(hand.ending) if hand.ending else None
    hand_class = class_of(holding_of(*cards.own))
    shown = how is Ending.SHOWDOWN
    own_made, opponent_made = map(describe, showdown(cards)) if shown else (None, None)
    told = decision is not None or (hand.hinted and how is None)
    return HandView(
        number=hand.number,
        stack=hand.stack,
        seat=seat,
        own=format_holding(holding_of(*cards.own)),
        hand_class=class_name(hand_class),
        hinted=hand.hinted,
        is_open=how is None,
        headline=_headline(hand, seat, how),
        all_in=f"{_ALL_IN[seat]} The board is dealt.",
        winnings=None if how is None else hand.winnings,
        opponent=format_holding(holding_of(*cards.opponent)) if shown else None,
        board=hand.board if shown else None,
        own_made=own_made,
        opponent_made=opponent_made,
        values=equilibrium.value_of(seat, hand_class) if told else None,
        choice=Choice(decision.choice) if decision else None,
        loss=decision.loss if decision else None,
    )


def _headline(hand: PushFoldHandRow, seat: Seat, how: Ending | None) -> str:
    match how:
        case None if seat is Seat.SMALL_BLIND:
            return "You are in the small blind: push or fold?"
        case None:
            return f"The small blind pushes {hand.stack:g} big blinds: call or fold?"
        case Ending.PLAYER_FOLDED:
            return "You fold."
        case Ending.OPPONENT_FOLDED if seat is Seat.SMALL_BLIND:
            return "You push, the big blind folds: the pot is yours."
        case Ending.OPPONENT_FOLDED:
            return "The small blind folds: the pot is yours."
        case Ending.SHOWDOWN if hand.winnings > 0:
            return "You win the showdown."
        case Ending.SHOWDOWN if hand.winnings < 0:
            return "Your opponent wins the showdown."
        case _:
            return "The showdown is a tie: the pot is split."
