"""The decision lists (Booker 2004, sections 7.6.1 to 7.6.4): the first rule that applies decides.

Several of the source's lists say that a bot calls if its probability is lower than the pot odds;
everywhere it is read as the rational rule, a call if the probability is at least the pot odds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from railbird.game import Action, Call, Raise, Street
from railbird.players.booker.judgement import Judgement, highest, lowest
from railbird.players.booker.settings import Charts, Generation
from railbird.players.booker.situation import Situation
from railbird.units import Chips

AGGRESSIVE = 0.5
"""Aggression above which a lone opponent's bets are called with `CALL_AGGRESSIVE`."""
CALL_AGGRESSIVE = 0.6
RAISE_RATING = 1.0
"""Standard deviations above the best opponent that are worth a raise."""
_DIVISORS = {Street.FLOP: 200, Street.TURN: 150, Street.RIVER: 100}
"""By street: the aggression divided by this, times the difference, is the raise's share."""

_CALL = Call()


class Rule(Enum):
    """Rule that decided, in words."""

    PAY = "called down to see the opponents' cards"
    NOISE = "raised whatever it held"
    GROUP_1 = "a hand of group 1 goes all-in"
    GROUP_2 = "a hand of group 2 puts in half the chips, then calls"
    BETTER_GROUP = "a better group than the opponents have shown"
    VALUE = "the probability is worth a raise"
    FREE = "checking is free"
    STRENGTH = "stronger than what the opponents have shown down"
    RATING_RAISE = "rated more than one above the best opponent"
    RATING_CALL = "rated above the best opponent"
    ESTIMATE = "more likely to win than the best opponent"
    AGGRESSIVE = "a lone opponent bets too often"
    POT_ODDS = "the probability is at least the pot odds"
    TOO_DEAR = "the probability is below the pot odds"
    PUSH = "a short stack goes all-in"
    SHORT_FOLD = "a short stack gives up"


@dataclass(frozen=True, slots=True)
class Decision:
    """An action and the rule that chose it."""

    rule: Rule
    action: Action


def decide(mind: Judgement) -> Decision:
    """Apply the list of the settings' generation."""
    preflop = mind.situation.street is Street.PREFLOP
    match mind.settings.generation:
        case Generation.POT_ODDS:
            return by_pot_odds(mind)
        case Generation.FIRST:
            return by_value(mind) or by_pot_odds(mind)
        case Generation.SECOND if not preflop:
            return second_after_flop(mind)
        case Generation.THIRD if not preflop:
            return third_after_flop(mind)
        case Generation.FOURTH:
            return (short_stack(mind) if preflop else None) or fourth(mind)
        case _:
            return by_groups(mind)


def by_value(mind: Judgement) -> Decision | None:
    """Raise with a probability of 1.5 times the average or more; the better, the more."""
    excess = mind.worth - mind.raise_from
    if excess < 0:
        return None
    share = mind.settings.size * excess / (1 - mind.raise_from) if mind.raise_from < 1 else 1.0
    return _raise(Rule.VALUE, mind.situation, share)


def by_pot_odds(mind: Judgement) -> Decision:
    """Check if that is free; call if the probability is at least the pot odds; else fold."""
    now = mind.situation
    if not now.to_call:
        return Decision(Rule.FREE, _CALL)
    if mind.worth >= now.pot_odds:
        return Decision(Rule.POT_ODDS, _CALL)
    return Decision(Rule.TOO_DEAR, now.give_up)


def by_groups(mind: Judgement) -> Decision:
    """Play the two best groups of starting hands; the others by the opponents' and by pot odds."""
    now = mind.situation
    if mind.group == 1:
        return Decision(Rule.GROUP_1, _CALL if now.high is None else Raise(now.high))
    if mind.group == 2:
        return Decision(Rule.GROUP_2, _half(now) or _CALL)
    if mind.settings.charts is Charts.LOOSEN or not now.to_call:
        theirs = lowest(mind.groups)
        if theirs is not None and mind.group < theirs:
            return Decision(Rule.BETTER_GROUP, _CALL)
    return by_pot_odds(mind)


def second_after_flop(mind: Judgement) -> Decision:
    """Raise by value; call with more than opponents have shown down; else by pot odds."""
    if raised := by_value(mind):
        return raised
    if mind.situation.to_call:
        theirs = highest(mind.strengths)
        if theirs is not None and mind.strength > theirs:
            return Decision(Rule.STRENGTH, _CALL)
    return by_pot_odds(mind)


def third_after_flop(mind: Judgement) -> Decision:
    """Compare ratings; bet by value first if there is nothing to call."""
    now = mind.situation
    if not now.to_call and (raised := by_value(mind)):
        return raised
    theirs = highest(mind.ratings)
    if theirs is not None:
        above = mind.rating - theirs
        share = above * mind.settings.aggression / _DIVISORS[now.street]
        if above > RAISE_RATING and (raised := _raise(Rule.RATING_RAISE, now, share)):
            return raised
        if above > 0:
            return Decision(Rule.RATING_CALL, _CALL)
    return by_pot_odds(mind)


def fourth(mind: Judgement) -> Decision:
    """Bet by value; to a bet, compare with the best opponent's estimated probability."""
    now = mind.situation
    if not now.to_call:
        return by_value(mind) or by_pot_odds(mind)
    theirs = highest(mind.estimates)
    if theirs is not None and mind.probability.unbeaten > theirs:
        share = mind.settings.aggression / 100 * (mind.probability.unbeaten - theirs)
        return _raise(Rule.ESTIMATE, now, share) or Decision(Rule.ESTIMATE, _CALL)
    if now.street is Street.PREFLOP:
        aggression = mind.lone_aggression
        too_often = aggression is not None and aggression.value > AGGRESSIVE
        if too_often and mind.worth > CALL_AGGRESSIVE:
            return Decision(Rule.AGGRESSIVE, _CALL)
    return by_pot_odds(mind)


def short_stack(mind: Judgement) -> Decision | None:
    """Go all-in or give up, if the stack is short; None if it is not."""
    now, settings = mind.situation, mind.settings
    blind = max(now.state.rules.blinds)
    if now.bankroll is None or now.bankroll > settings.short * blind:
        return None
    if mind.worth >= settings.push * now.average:
        return Decision(Rule.PUSH, _CALL if now.high is None else Raise(now.high))
    return Decision(Rule.SHORT_FOLD, now.give_up)


def _raise(rule: Rule, now: Situation, share: float) -> Decision | None:
    """Raise by a share of the bankroll, at least by the smallest size; None if none is allowed."""
    raised = now.raise_share(share)
    return None if raised is None else Decision(rule, raised)


def _half(now: Situation) -> Action | None:
    """Return a raise that puts in half of what the hand began with; None if it would be none."""
    if now.low is None or now.high is None:
        return None
    if now.bankroll is None:
        return Raise(now.low)
    spent, in_street = now.state.spent[now.seat], now.state.street_bets[now.seat]
    to = in_street + (now.bankroll + spent) // 2 - spent
    return Raise(Chips(min(to, now.high))) if to >= now.low else None
