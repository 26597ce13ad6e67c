"""The decision: reflective odds against implied odds and raise odds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import prod

import numpy as np

from railbird.cards import Card
from railbird.game import Action, Betting, Call, Fold, HandState, Legal, Raise, Street, View
from railbird.odds.pot_odds import pot_odds
from railbird.odds.settings import SHARES
from railbird.odds.spectra.bettable import kept_share
from railbird.odds.spectra.odds_against import showdown_odds
from railbird.odds.straight_play import (
    Play,
    pays,
    raise_ratio,
    required_equity,
    risk_ratio,
    straight_play,
)
from railbird.players.explanation import Reading
from railbird.players.killer.bluffs import bluffs, gain_of_bet, giving_up
from railbird.players.killer.order import quantiles_on
from railbird.players.killer.preflop import odds_against, opening_share
from railbird.players.killer.seen_hand import Floats, SeenHand, size_factor
from railbird.players.killer.settings import (
    BET_SIZE,
    LATER_BETS,
    OPEN_SIZE,
    PAYING,
)
from railbird.players.tight.holding_equities import equities_of, possible
from railbird.units import Chips, Seat


class Rule(Enum):
    """Reasons for an action."""

    OPEN = "bets first before the flop: likely enough that nobody behind holds better"
    PREFLOP_RAISE = "raises before the flop: the odds of the raise alone pay"
    PREFLOP_CALL = "calls before the flop: the odds against what was worth the bets pay"
    PREFLOP_FOLD = "gives up before the flop"
    BET = "bets: the odds of the bet alone pay against all that would call"
    RAISE = "raises: the odds of the raise alone pay against all that would call"
    CALL = "calls: the implied odds pay, those of a raise do not"
    CHECK = "checks: the odds of a bet do not pay"
    FOLD = "folds: the implied odds do not pay"
    STEAL = "bets: with what is won if everybody folds, it is worth more than a check"
    BLUFF = "bluffs, as often as makes a call worth nothing to the opponent"


@dataclass(frozen=True, slots=True)
class Decision:
    """An action, its rule, and the numbers that it looked at."""

    rule: Rule
    action: Action
    readings: tuple[Reading, ...]


def decide(view: View, hand: SeenHand, *, may_bluff: bool) -> Decision:
    """Decide for the seat to act."""
    if view.state.street is Street.PREFLOP:
        return _before_flop(view, hand)
    return _after_flop(view, hand, may_bluff=may_bluff)


def _before_flop(view: View, hand: SeenHand) -> Decision:
    state, legal = view.state, view.legal
    others = [seat for seat in state.in_hand if seat != view.seat]
    acted = [seat for seat in others if hand.filters[seat]]
    behind = [seat for seat in others if seat in state.pending and seat not in acted]
    required = pot_odds(state.to_call, state.pot) if state.to_call else 0.0
    if not acted:
        return _first_in(view, hand, behind, others)
    shares = [hand.filters[seat][-1].share for seat in acted]
    odds = prod(odds_against(view.holding, shares, hand.softness))
    readings = (
        Reading(name="odds against those who bet", value=odds),
        Reading(name="pot odds", value=required),
        *_shares(shares),
    )
    ratio = raise_ratio(max(1, len(acted)))
    if legal.min_raise_to is not None and pays(min(odds, 1.0), ratio) and odds > required:
        return Decision(Rule.PREFLOP_RAISE, _sized(view, legal), readings)
    if state.to_call == 0:
        return Decision(Rule.CHECK, Call(), readings)
    implied = required_equity(_implied(state, state.to_call, len(acted)))
    if odds > implied:
        return Decision(Rule.PREFLOP_CALL, Call(), readings)
    return Decision(Rule.PREFLOP_FOLD, Fold(), readings)


def _first_in(view: View, hand: SeenHand, behind: list[Seat], others: list[Seat]) -> Decision:
    """Bet first with the best share of holdings, as the reduced game asks for."""
    state, legal = view.state, view.legal
    quantile = float(quantiles_on(())[view.holding])
    price = max(state.to_call, max(state.rules.blinds) / 2)
    share = opening_share(max(len(behind), 1), pot_odds(price, state.pot))
    readings = (
        Reading(name="share of better holdings", value=quantile),
        Reading(name="share that is worth the first bet", value=share),
    )
    if quantile < share and legal.min_raise_to is not None:
        return Decision(Rule.OPEN, _sized(view, legal), readings)
    if state.to_call == 0:
        return Decision(Rule.CHECK, Call(), readings)
    odds = prod(odds_against(view.holding, [1.0] * len(others), hand.softness))
    if len(others) == 1 and odds > required_equity(_implied(state, state.to_call, 1)):
        return Decision(Rule.PREFLOP_CALL, Call(), readings)
    return Decision(Rule.PREFLOP_FOLD, Fold(), readings)


def _after_flop(view: View, hand: SeenHand, *, may_bluff: bool) -> Decision:
    state, legal, board = view.state, view.legal, view.state.board
    others = [seat for seat in state.in_hand if seat != view.seat]
    weights = [hand.weights(seat, board) for seat in others]
    against = equities_of(view.holding, board, possible(view.holding, board))
    each = [_odds(against, one, view, board) for one in weights]
    # Against several they depend on each other by the final hand, as the source says.
    odds = each[0] if len(each) == 1 else showdown_odds(view.holding, board, weights).joint
    odds = min(odds, 1.0)  # of many terms that are rounded
    size, usual = _bet_size(view, legal), SHARES[state.street]["call"]
    staying = [
        _staying(hand, seat, one, state, size) for seat, one in zip(others, weights, strict=True)
    ]
    # The odds of a bet count only where somebody calls it: else it is not lost.
    somebody = 1 - prod(1 - chance for chance, _ in staying)
    callers = sum(chance for chance, _ in staying) / somebody if somebody else 1.0
    against_callers = [_odds(against, left, view, board) for _, left in staying]
    ratios = (
        now / before if before else 1.0 for now, before in zip(against_callers, each, strict=True)
    )
    called = min(1.0, odds * prod(ratios))
    implied = _implied(state, state.to_call, len(others))
    raising = raise_ratio(callers)
    facing = state.to_call > 0
    all_fold = 0.0 if facing else giving_up(hand, others, state, size)
    gain = gain_of_bet(
        odds, called=called, callers=callers, all_fold=all_fold, size=size, pot=state.pot
    )
    quantile = float(quantiles_on(board)[view.holding])
    first = (
        Reading(name="everybody gives up", value=all_fold),
        Reading(name="a bet gains over a check, bets", value=gain / size),
    )
    readings = (
        Reading(name="reflective odds", value=odds),
        Reading(name="needed for a call", value=required_equity(implied)),
        Reading(name="odds against who would call", value=called),
        Reading(name="needed for a bet or raise", value=required_equity(raising)),
        Reading(name="callers, if any", value=callers),
        Reading(name="share of better holdings", value=quantile),
        *(() if facing else first),
    )
    is_made = not facing and odds > 0.5  # no free card
    may_raise = legal.min_raise_to is not None and (pays(called, raising) or is_made)
    play = straight_play(odds, implied=implied, raising=0.0, facing_bet=facing, may_raise=may_raise)
    match play:
        case Play.BET | Play.RAISE:
            rule = Rule.RAISE if facing else Rule.BET
            return Decision(rule, _sized(view, legal), readings)
        case Play.CALL:
            return Decision(Rule.CALL, Call(), readings)
        case _ if not may_bluff or facing or legal.min_raise_to is None:
            pass
        case _ if gain > 0:
            return Decision(Rule.STEAL, _sized(view, legal), readings)
        case _ if bluffs(
            hand, state, others, quantile=quantile, size=size, usual=usual, called=somebody
        ):
            return Decision(Rule.BLUFF, _sized(view, legal), readings)
    rule, action = (Rule.FOLD, Fold()) if facing else (Rule.CHECK, Call())
    return Decision(rule, action, readings)


def _odds(against: Floats, weights: Floats, view: View, board: tuple[Card, ...]) -> float:
    """Return the odds against one opponent, given those against each of his holdings."""
    left = weights * possible(view.holding, board)
    whole = float(left.sum())
    return float(against @ left) / whole if whole else 0.5


def _staying(
    hand: SeenHand, seat: Seat, weights: Floats, state: HandState, size: int
) -> tuple[float, Floats]:
    """Return the chance that a seat calls a bet, and what it then holds."""
    street = state.street
    share = hand.habits[seat].staying_share(street, SHARES[street]["call"])
    share = min(1.0, share * size_factor(size, state.pot))
    quantiles = quantiles_on(state.board)
    left = weights * np.nan_to_num(kept_share(quantiles, share, hand.softness))
    whole = float(weights[np.isfinite(quantiles)].sum())
    if whole <= 0 or left.max() < 1e-6:
        return 0.0, weights
    return float(left.sum()) / whole, left


def _implied(state: HandState, to_call: int, opponents: int) -> float:
    """Return the ratio of what is risked from now on to what can be won.

    Before the flop no later bets are at risk: flops that are not worth them are given up.
    """
    if state.street is Street.PREFLOP:
        return risk_ratio(to_call, state.pot + to_call)
    later = LATER_BETS * sum(
        _usual_bet(state, Street(street)) for street in range(state.street + 1, len(Street))
    )
    stacks = state.stacks
    if stacks is not None and state.actor is not None:
        later = min(later, max(0.0, stacks[state.actor] - to_call))
    own = to_call + later
    matched = later * max(1.0, opponents * PAYING)  # a bet that one pays is paid by another
    return risk_ratio(own, state.pot + own + matched)


def _usual_bet(state: HandState, street: Street) -> float:
    if state.rules.betting is Betting.LIMIT:
        return float(state.rules.bet_sizes[street])
    return BET_SIZE * state.pot


def _bet_size(view: View, legal: Legal) -> int:
    """Return the chips that a bet or raise adds beyond a call."""
    if legal.min_raise_to is None:
        return max(1, view.state.to_call)
    action = _sized(view, legal)
    assert isinstance(action, Raise)
    return max(1, action.to - view.state.bet)


def _sized(view: View, legal: Legal) -> Action:
    """Bet or raise by the usual size, or the nearest that is legal; all-in where little is left."""
    state = view.state
    low, high = legal.min_raise_to, legal.max_raise_to
    if low is None or high is None:
        return Call()
    if state.street is Street.PREFLOP and not state.raises:
        to = round(OPEN_SIZE * max(state.rules.blinds))
    else:
        to = state.bet + round(BET_SIZE * (state.pot + state.to_call))
    to = min(max(to, low), high)
    return Raise(Chips(high if 3 * (high - to) < high and high > low else to))


def _shares(shares: list[float]) -> tuple[Reading, ...]:
    return tuple(Reading(name="share of holdings of one who bet", value=share) for share in shares)
