"""The situation of a decision, in the numbers that the rules use."""

from __future__ import annotations

from dataclasses import dataclass

from railbird.cards import Card, Holding
from railbird.game import Action, Call, Fold, HandState, Raise, Street, View
from railbird.units import Chips, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A decision; amounts in chips."""

    state: HandState
    seat: Seat
    holding: Holding
    board: tuple[Card, ...]
    street: Street
    opponents: tuple[Seat, ...]
    """The others who have not folded."""
    to_call: Chips
    winnable: int
    """The part of the pot that the player can win: nobody's chips beyond its own."""
    bankroll: int | None
    """Chips that it has left; None if stacks are unlimited."""
    low: Chips | None
    """The smallest legal raise, as the street's total; None if it may not raise."""
    high: Chips | None

    @property
    def average(self) -> float:
        """Probability of winning of an average hand."""
        return 1 / (1 + len(self.opponents))

    @property
    def pot_odds(self) -> float:
        """Probability of winning that pays for a call; 0 if it is free."""
        return self.to_call / (self.winnable + self.to_call) if self.to_call else 0.0

    @property
    def give_up(self) -> Action:
        """Fold, or check where that is free."""
        return _FOLD if self.to_call else _CALL

    @property
    def is_all_in_call(self) -> bool:
        """Whether a call takes the last chip."""
        return self.bankroll is not None and 0 < self.bankroll <= self.to_call

    def raise_by(self, chips: float) -> Action | None:
        """Return a raise by so many chips above the bet, or the nearest legal size.

        None if no raise is allowed.
        """
        if self.low is None or self.high is None:
            return None
        wanted = self.high if chips >= self.high else self.state.bet + int(chips)
        return Raise(Chips(min(max(wanted, self.low), self.high)))

    def raise_share(self, share: float) -> Action | None:
        """Return `raise_by` with a share of the bankroll; all of it where stacks are unlimited."""
        if self.bankroll is None:
            return self.raise_by(float("inf"))
        return self.raise_by(share * self.bankroll)


_CALL, _FOLD = Call(), Fold()


def situation_of(view: View) -> Situation:
    """Return the situation of a view whose seat is to act."""
    state, seat = view.state, view.seat
    to_call, stacks = state.to_call, state.stacks
    bankroll = None if stacks is None else stacks[seat]
    pot = int(state.pot)
    if bankroll is not None and bankroll <= to_call:
        spent = state.spent
        most = spent[seat] + to_call
        pot = sum([min(chips, most) for chips in spent])
    return Situation(
        state=state,
        seat=seat,
        holding=view.holding,
        board=state.board,
        street=state.street,
        opponents=tuple([other for other in state.in_hand if other != seat]),
        to_call=to_call,
        winnable=pot,
        bankroll=bankroll,
        low=state.min_raise_to,
        high=state.max_raise_to,
    )
