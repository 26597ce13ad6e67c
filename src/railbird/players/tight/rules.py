"""Rules of the plain no-limit player: one decision from the hand and the ranges of the others.

The numbers of `Rule` are those of the manual, which gives the reason for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod

import numpy as np

from railbird.cards import CLASS_OF_HOLDING, HOLDINGS
from railbird.game import Action, Call, Fold, HandState, Raise, Street, View
from railbird.odds import potential
from railbird.players.explanation import Reading
from railbird.players.policy import Distribution
from railbird.players.pushfold import charts, effective_stack
from railbird.players.tight import settings
from railbird.players.tight.holding_equities import equities_of, mean_equity, possible, ranking
from railbird.players.tight.opponent_ranges import (
    HandRanges,
    ante_in_blinds,
    yet_to_act,
)
from railbird.players.tight.starting_hands import Weights, kept, opening
from railbird.units import Chips, Seat

_EACH = np.ones(HOLDINGS)
_UNLIMITED = Chips(1 << 40)


class Rule(Enum):
    """Rules by the manual's number and in words."""

    PUSH_FOLD = "rule 1: short and heads-up, by the push/fold equilibrium"
    OPEN = "rule 2: opens, since it is likely enough that nobody behind holds a better hand"
    RERAISE = "rule 3: raises the raiser, against whose range it is the favourite"
    CALL_PREFLOP = "rule 4: calls, since what it realises of its equity covers the pot odds"
    CALL_ALL_IN = "rule 5: calls, since its equity covers the pot odds and no more bets follow"
    GIVE_UP_PREFLOP = "rule 6: gives up, or checks where that is free, as no rule plays the hand"
    VALUE_BET = "rule 7: bets as the favourite against all that would call"
    CONTINUATION_BET = "rule 8: bets the flop again as the raiser before it"
    CHECK = "rule 9: checks"
    VALUE_RAISE = "rule 10: raises as a clear favourite against all that would call"
    CALL = "rule 11: calls, since what it realises of its equity covers the pot odds"
    DRAW = "rule 12: calls, since the next card alone improves it often enough for the pot odds"
    FOLD = "rule 13: folds"


@dataclass(frozen=True, slots=True)
class Decision:
    """An action with its rule and the numbers that it looked at."""

    rule: Rule
    action: Action
    readings: tuple[Reading, ...] = ()
    mixed: tuple[tuple[Action, float], ...] = ()
    """Actions and probabilities where an equilibrium mixes; ``action`` is then the likeliest."""

    @property
    def distribution(self) -> Distribution:
        """The probabilities of all actions."""
        return (
            Distribution.of(list(self.mixed)) if self.mixed else Distribution.certain(self.action)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """What the seat to act faces, in chips."""

    state: HandState
    seat: Seat
    rivals: tuple[Seat, ...]
    """The others still in the hand."""
    effective: int
    """Most that can be bet on this street against any of them, as the street's total."""
    pot_odds: float
    """Share of the pot that a call contributes, without chips that cannot be won."""
    closes: bool
    """A call is the last bet: nobody who is left can bet against the seat again."""
    in_position: bool
    """The seat acts last after the flop."""


def spot_of(view: View) -> Spot:
    """Return the situation of the seat to act."""
    state, seat = view.state, view.seat
    rivals = tuple(other for other in state.in_hand if other != seat)
    stacks, bets, spent = state.stacks, state.street_bets, state.spent
    if stacks is None:
        stacks = (_UNLIMITED,) * state.rules.seats
    call = min(state.to_call, stacks[seat])
    total = spent[seat] + call
    winnable = sum(min(chips, total) for other, chips in enumerate(spent) if other != seat)
    first, seats = state.rules.first_to_act[Street.FLOP], state.rules.seats
    turn = {other: (other - first) % seats for other in state.in_hand}
    return Spot(
        state=state,
        seat=seat,
        rivals=rivals,
        effective=min(
            stacks[seat] + bets[seat], max(stacks[other] + bets[other] for other in rivals)
        ),
        pot_odds=call / max(winnable + total, 1),
        closes=call == stacks[seat] or not any(stacks[other] for other in rivals),
        in_position=turn[seat] == max(turn.values()),
    )


def decide(view: View, ranges: HandRanges) -> Decision:
    """Decide by the first rule that applies."""
    spot = spot_of(view)
    if spot.state.street is Street.PREFLOP:
        short = _push_or_fold(view, spot)
        if short is not None:
            return short
        if spot.state.raises == 0:
            return _unraised(view, spot, ranges)
        return _raised(view, spot, ranges)
    return _after_flop(view, spot, ranges)


def _push_or_fold(view: View, spot: Spot) -> Decision | None:
    """Apply rule 1 to the small blind's first action and to a call of all chips."""
    state = spot.state
    stack = effective_stack(state.rules)
    first = state.raises == 0 and state.to_call > 0
    if state.rules.seats > 2 or stack > settings.SHORT or not (first or spot.closes):
        return None
    push, call = charts(stack, ante_in_blinds(state))
    chart = push if first else call
    chance = min(1.0, max(0.0, float(chart[CLASS_OF_HOLDING[view.holding]])))
    plays = _raise_to(spot, spot.effective) if first else Call()
    return Decision(
        Rule.PUSH_FOLD,
        plays if chance >= 0.5 else Fold(),
        (
            Reading(name="effective stack in big blinds", value=stack, decimals=1),
            Reading(name="all-in" if first else "call", value=chance),
        ),
        ((plays, chance), (Fold(), 1 - chance)),
    )


def _unraised(view: View, spot: Spot, ranges: HandRanges) -> Decision:
    """Apply rules 2, 4 and 6."""
    state, kind = spot.state, CLASS_OF_HOLDING[view.holding]
    behind = len(yet_to_act(state, spot.seat))
    callers = len(spot.rivals) - behind
    opens = opening(behind + callers)
    readings = (
        Reading(name="players left to act", value=behind),
        Reading(name="players who have called", value=callers),
        Reading(name="hands that it opens", value=_share(opens)),
    )
    if opens[kind] and state.min_raise_to is not None:
        big = max(state.rules.blinds)
        size = (settings.OPENING_BLINDS + callers) * big + sum(state.rules.antes)
        return Decision(Rule.OPEN, _sized(spot, size), readings)
    # With nobody but the blinds to beat it is called as if they held any two cards.
    return _call_or_give_up(view, spot, ranges, spot.rivals, readings)


def _raised(view: View, spot: Spot, ranges: HandRanges) -> Decision:
    """Apply rules 3 to 6."""
    state, kind = spot.state, CLASS_OF_HOLDING[view.holding]
    raiser = ranges.raiser if ranges.raiser in spot.rivals else spot.rivals[0]
    ahead = float(ranges.equities_against(raiser)[kind])
    readings = (
        Reading(name="hands that the raiser has", value=_share(ranges.classes(raiser))),
        Reading(name="equity against the raiser", value=ahead),
    )
    if ahead >= settings.FAVOURITE and state.min_raise_to is not None:
        return Decision(Rule.RERAISE, _sized(spot, settings.RERAISE * state.bet), readings)
    waiting = yet_to_act(state, spot.seat)
    against = [other for other in spot.rivals if other not in waiting] or [raiser]
    return _call_or_give_up(view, spot, ranges, against, readings)


def _call_or_give_up(
    view: View,
    spot: Spot,
    ranges: HandRanges,
    against: Sequence[Seat],
    readings: tuple[Reading, ...],
) -> Decision:
    kind = CLASS_OF_HOLDING[view.holding]
    if spot.state.to_call == 0:
        return Decision(Rule.GIVE_UP_PREFLOP, Call(), readings)
    equity = prod(float(ranges.equities_against(seat)[kind]) for seat in against)
    position = settings.IN_POSITION if spot.in_position else settings.OUT_OF_POSITION
    realised = equity * (1.0 if spot.closes else position)
    readings = (
        *readings,
        Reading(name="equity", value=equity),
        Reading(name="of which it realises", value=realised),
        Reading(name="pot odds", value=spot.pot_odds),
    )
    if realised >= spot.pot_odds:
        rule = Rule.CALL_ALL_IN if spot.closes else Rule.CALL_PREFLOP
        return Decision(rule, Call(), readings)
    return Decision(Rule.GIVE_UP_PREFLOP, Fold(), readings)


def _after_flop(view: View, spot: Spot, ranges: HandRanges) -> Decision:
    """Apply rules 5 and 7 to 13."""
    state, board = spot.state, spot.state.board
    free = possible(view.holding, board)
    held = [_possible_part(ranges.holdings(seat), free) for seat in spot.rivals]
    wanted = np.any([weights > 0 for weights in held], axis=0)
    equities = equities_of(view.holding, board, wanted)
    equity = prod(mean_equity(equities, weights) for weights in held)
    readings: tuple[Reading, ...] = (Reading(name="equity", value=equity),)
    facing = state.to_call > 0
    size = state.bet + settings.BET * (state.pot + state.to_call)
    if state.min_raise_to is not None:
        action = _sized(spot, size)
        called = _equity_when_called(spot, action, held, equities, ranges)
        least = settings.RAISING_FAVOURITE if facing else settings.FAVOURITE
        readings = (
            *readings,
            Reading(name="equity when called", value=called),
            Reading(
                name="which a raise asks for" if facing else "which a bet asks for", value=least
            ),
        )
        if called >= least:
            rule = Rule.VALUE_RAISE if facing else Rule.VALUE_BET
            return Decision(rule, action, readings)
    if not facing:
        if (
            state.street is Street.FLOP
            and ranges.raiser == spot.seat
            and len(spot.rivals) == 1
            and state.min_raise_to is not None
            and equity >= settings.CONTINUATION_EQUITY
        ):
            size = settings.CONTINUATION_BET * state.pot
            return Decision(Rule.CONTINUATION_BET, _sized(spot, size), readings)
        return Decision(Rule.CHECK, Call(), readings)
    return _call_or_fold(view, spot, held, equity, readings)


def _call_or_fold(
    view: View,
    spot: Spot,
    held: Sequence[Weights],
    equity: float,
    readings: tuple[Reading, ...],
) -> Decision:
    state = spot.state
    realised = equity * (1.0 if spot.closes else settings.NEXT_STREETS[state.street])
    readings = (
        *readings,
        Reading(name="of which it realises", value=realised),
        Reading(name="pot odds", value=spot.pot_odds),
    )
    if realised >= spot.pot_odds:
        return Decision(Rule.CALL_ALL_IN if spot.closes else Rule.CALL, Call(), readings)
    if state.street is not Street.RIVER and not spot.closes and len(held) == 1:
        then = potential(view.holding, state.board, weights=held[0])
        improves = (1 - then.hs) * then.ppot
        readings = (*readings, Reading(name="overtakes with the next card", value=improves))
        if improves >= spot.pot_odds:
            return Decision(Rule.DRAW, Call(), readings)
    return Decision(Rule.FOLD, Fold(), readings)


def _equity_when_called(
    spot: Spot,
    action: Action,
    held: Sequence[Weights],
    equities: Weights,
    ranges: HandRanges,
) -> float:
    """Return the least equity against the part of any rival's range that would call a raise."""
    assert isinstance(action, Raise)
    state, ranked = spot.state, ranking(spot.state.board)
    put_in = action.to - state.street_bets[spot.seat]
    least = 1.0
    for rival, weights in zip(spot.rivals, held, strict=True):
        cost = max(action.to - state.street_bets[rival], 0)
        calling = kept(weights, ranked, _EACH, ranges.calling(rival, state.pot + put_in, cost))
        if calling.sum() > 0:
            least = min(least, mean_equity(equities, calling))
    return least


def _possible_part(weights: Weights, free: np.ndarray) -> Weights:
    """Return a range without the known cards; any two cards if they leave none of it."""
    left = np.where(free, weights, 0.0)
    return left if left.sum() > 0 else free.astype(np.float64)


def _sized(spot: Spot, size: float) -> Action:
    """Raise to a size, or all-in where that commits the seat or stacks are short."""
    big = max(spot.state.rules.blinds)
    short = spot.effective <= settings.SHORT * big and spot.state.street is Street.PREFLOP
    if short or size > settings.COMMITTED * spot.effective:
        size = spot.effective
    return _raise_to(spot, size)


def _raise_to(spot: Spot, size: float) -> Action:
    """Raise to the legal size nearest to one; call where no raise is allowed."""
    low, high = spot.state.min_raise_to, spot.state.max_raise_to
    if low is None or high is None:
        return Call()
    return Raise(Chips(min(max(round(size), low), high)))


def _share(classes: Weights) -> float:
    """Return the share of the 1,326 holdings in a range of classes."""
    return float(classes[CLASS_OF_HOLDING].mean())
