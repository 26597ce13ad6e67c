"""Everything but the cards on which a betting decision depends, extracted from a view."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from railbird.game import HandState, Rules, Street
from railbird.units import Seat

UNCAPPED: Final = 4
"""Bets to which Loki raises where the rules have no cap, as if they had the source's."""


class Verb(Enum):
    """Intended action, before checking whether it is legal."""

    FOLD = "fold"
    CALL = "call"
    """Or check."""
    RAISE = "raise"
    """Or bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """One decision: amounts in chips, bets in bets of the street."""

    street: Street
    pot: int
    """Pot, including this street's bets."""
    to_call: int
    bet_size: int
    bets: int
    """Bets made on this street; before the flop the blind is the first."""
    cap: int
    """Bets allowed on this street."""
    bets_to_call: int
    """Bets to call, rounded up: half a blind is one, a raise on top of it makes two."""
    is_in: bool
    """True if the actor has voluntarily called or raised on this street."""
    opponents: int
    """Not folded."""
    checkers: tuple[Seat, ...]
    """Opponents who have checked on this street."""

    @property
    def pot_odds(self) -> float:
        """Share of the pot that a call pays; 0 if checking is free."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else 0.0

    @property
    def semi_bluff_odds(self) -> float:
        """Potential that pays for a bet which two opponents call, with as much again to come."""
        return 2 * self.bet_size / (self.pot + 6 * self.bet_size)

    @property
    def showdown_odds(self) -> float:
        """Share of the final pot that calling down costs; on the turn one more big bet is expected.

        On the flop four more small bets are expected, half of two big bets plus a raise on either
        street; on the river no bets are to come, so these are the pot odds.
        """
        more = (0, 4, 1, 0)[self.street] * self.bet_size
        cost = self.to_call + more
        return cost / (self.pot + cost + more) if cost else 0.0


def spot_of(state: HandState, seat: Seat) -> Spot:
    """Extract the decision of the seat to act."""
    rules, street = state.rules, state.street
    preflop = street is Street.PREFLOP
    size = rules.bet_sizes[street]
    to_call = state.to_call
    put_in = state.street_bets
    in_hand, acted = state.in_hand, state.acted
    checkers = [
        other
        for other in in_hand
        if not preflop and other != seat and other in acted and not put_in[other]
    ]
    return Spot(
        street=street,
        pot=state.pot,
        to_call=to_call,
        bet_size=size,
        bets=state.raises + preflop,
        cap=most_raises(rules, street) + preflop,
        bets_to_call=-(-to_call // size),
        is_in=put_in[seat] > (rules.blinds[seat] if preflop else 0),
        opponents=len(in_hand) - 1,
        checkers=tuple(checkers),
    )


def most_raises(rules: Rules, street: Street) -> int:
    """Return the bets and raises that Loki makes on a street at most: the cap, or the usual one."""
    if rules.max_raises is None:
        return UNCAPPED - (street is Street.PREFLOP)
    return rules.max_raises[street]


@dataclass(frozen=True, slots=True)
class PreflopSpot:
    """Players in the hand before the flop."""

    position: int
    """Players still in who act before the small blind's turn comes again."""
    guaranteed: int
    """Players who have put money in, including the actor."""
    others: int
    """Players who may still come in."""
    small_blind: bool


def preflop_spot(state: HandState, seat: Seat) -> PreflopSpot:
    """Count the players before and behind the actor."""
    seats, in_hand = state.rules.seats, state.in_hand
    put_in = state.street_bets
    first = small_blind(state.rules)
    behind = [other % seats for other in range(seat + 1, seat + (first - seat) % seats)]
    if seat == first:
        behind = [other for other in range(seats) if other != seat]
    guaranteed = sum(other == seat or put_in[other] > 0 for other in in_hand)
    return PreflopSpot(
        position=sum(other in in_hand for other in behind),
        guaranteed=guaranteed,
        others=len(in_hand) - guaranteed,
        small_blind=seat == first and state.bet > put_in[seat],
    )


def small_blind(rules: Rules) -> Seat:
    """Return the seat with the smallest live post; if all are equal, the first to act postflop."""
    posts = [post for post in rules.blinds if post > 0]
    if len(set(posts)) < 2:
        return rules.first_to_act[Street.FLOP]
    return Seat(rules.blinds.index(min(posts)))
