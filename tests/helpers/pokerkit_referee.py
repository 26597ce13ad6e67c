"""pokerkit's table beside ours: what both engines allow, and where they differ on purpose."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache

import pokerkit

from railbird.cards import Card, format_cards
from railbird.game import Betting, HandState, Legal, Phase, Raise, Reason, Rules, legal, refusal
from railbird.units import Chips

AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.RUNOUT_COUNT_SELECTION,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)
STRUCTURES = {
    Betting.LIMIT: pokerkit.BettingStructure.FIXED_LIMIT,
    Betting.SPREAD_LIMIT: pokerkit.BettingStructure.NO_LIMIT,
    Betting.POT_LIMIT: pokerkit.BettingStructure.POT_LIMIT,
    Betting.NO_LIMIT: pokerkit.BettingStructure.NO_LIMIT,
}


class Remembering(pokerkit.Hand):
    """Pokerkit's own hand, of which it asks the same again and again: each is worked out once."""

    @classmethod
    def from_game(
        cls, hole_cards: pokerkit.CardsLike, board_cards: pokerkit.CardsLike = ()
    ) -> pokerkit.Hand:
        clean = pokerkit.Card.clean
        return cls._best(tuple(clean(hole_cards)), tuple(clean(board_cards)))

    @classmethod
    @lru_cache(maxsize=200)
    def _best(
        cls, hole_cards: tuple[pokerkit.Card, ...], board_cards: tuple[pokerkit.Card, ...]
    ) -> pokerkit.Hand:
        return super().from_game(hole_cards, board_cards)

    @cached_property
    def entry(self) -> pokerkit.Entry:
        return super().entry


class HighHand(Remembering, pokerkit.StandardHighHand):
    """The best five cards."""


class OmahaHand(Remembering, pokerkit.OmahaHoldemHand):
    """The best of two own cards and three of the board."""


class OmahaLowHand(Remembering, pokerkit.OmahaEightOrBetterLowHand):
    """The best low one, if any."""


class EightLowHand(Remembering, pokerkit.EightOrBetterLowHand):
    """The best low one of any cards, if any."""


class AceToFiveHand(Remembering, pokerkit.RegularLowHand):
    """The best low one of any cards."""


class DeuceToSevenHand(Remembering, pokerkit.StandardLowHand):
    """The worst five cards, with straights and flushes."""


class BadugiHand(Remembering, pokerkit.BadugiHand):
    """The best badugi of up to four cards."""


class ShortDeckHand(Remembering, pokerkit.ShortDeckHoldemHand):
    """The best of 36 cards."""


def divide_exactly(amount: int, parts: int) -> tuple[Fraction, int]:
    return Fraction(amount, parts), 0


def text(cards: tuple[Card, ...]) -> str:
    return format_cards(cards)


def posted_in_full(rules: Rules) -> bool:
    """Whether somebody has the chips for the highest blind; for the bring-in, all who have any."""
    assert rules.stacks is not None
    antes = rules.antes or (0,) * rules.seats
    if rules.bring_in:
        left = [stack - ante for stack, ante in zip(rules.stacks, antes, strict=True)]
        return all(chips <= 0 or chips >= rules.bring_in for chips in left)
    posts = zip(rules.blinds, rules.stacks, antes, strict=True)
    return max(min(b, s - a) for b, s, a in posts) == max(rules.blinds)


def check_idle_seats(state: HandState, kit: pokerkit.State) -> None:
    """Let pokerkit's players check whom nothing is asked here."""
    actor = None if state.phase is Phase.DRAW else state.actor
    while kit.actor_index is not None and kit.actor_index != actor:
        assert kit.checking_or_calling_amount == 0
        assert kit.min_completion_betting_or_raising_to_amount is None
        kit.check_or_call()


def betting_as_on_the_next_street(kit: pokerkit.State) -> tuple[pokerkit.Street, ...]:
    """The streets of a table, of which the current one has the bets of the next one, too."""
    assert kit.street_index is not None
    streets = list(kit.streets)
    size = streets[kit.street_index + 1].min_completion_betting_or_raising_amount
    streets[kit.street_index] = replace(
        streets[kit.street_index], min_completion_betting_or_raising_amount=size
    )
    return tuple(streets)


def common_options(state: HandState, kit: pokerkit.State) -> Legal:
    """What both engines allow, which is the same but for the raises after short all-ins."""
    allowed = legal(state)
    low = kit.min_completion_betting_or_raising_to_amount
    high = kit.max_completion_betting_or_raising_to_amount
    if allowed.two_sizes:  # pokerkit knows no such choice: it is asked for each of the two
        assert low == high
        streets = kit.streets
        kit.streets = betting_as_on_the_next_street(kit)
        high = kit.max_completion_betting_or_raising_to_amount
        kit.streets = streets
    if state.rules.largest_bets is not None and low is not None and high is not None:
        high = min(high, max(low, state.bet + state.rules.largest_bets[state.street]))
    if kit.bring_in_status and low is not None and allowed.min_raise_to is None:
        # Nobody can put in, or call, more than the bring-in: here it is brought in.
        refused = refusal(state, Raise(Chips(low)))
        assert refused is not None
        assert refused.reason in (Reason.COVERED, Reason.NOBODY_TO_CALL)
        low = high = None
    asked = kit.effective_bring_in_amount if kit.bring_in_status else kit.checking_or_calling_amount
    assert asked == allowed.to_call
    assert allowed.fold == kit.can_fold() == (allowed.to_call > 0 and not state.must_bring_in)
    if (low is None) == (allowed.min_raise_to is None):
        assert (low, high) == (allowed.min_raise_to, allowed.max_raise_to)
    elif low is not None:
        refused = refusal(state, Raise(Chips(low)))
        assert refused is not None
        assert refused.reason is Reason.NOT_REOPENED
        assert kit.street is not None
        full_bet = kit.street.min_completion_betting_or_raising_amount
        assert kit.completion_betting_or_raising_amount < full_bet
    else:
        assert allowed.seat in kit.acted_player_indices
        since = sum(kit.consecutive_short_all_in_amounts)
        assert 0 < since < kit.completion_betting_or_raising_amount <= allowed.to_call
        return replace(allowed, min_raise_to=None, max_raise_to=None)
    return allowed
