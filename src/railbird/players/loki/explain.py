"""Explanation of a Loki player's decision: its numbers by name, its beliefs in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railbird.game import HandState, Raise, Street
from railbird.players.explanation import (
    Belief,
    Explanation,
    Reading,
    Stage,
    action_words,
    street_words,
)
from railbird.players.loki.decision_record import DecisionRecord, Postflop, Preflop
from railbird.players.loki.rules.betting import Rule
from railbird.players.loki.rules.spot import Spot, Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from railbird.modelling import BeliefUpdate
    from railbird.players.loki.beliefs import Beliefs
    from railbird.players.loki.simulation.selective_sampling import Expected
    from railbird.units import Seat


def explained(record: DecisionRecord, state: HandState, beliefs: Beliefs) -> Explanation:
    """Put a decision into words and numbers; ``beliefs`` are those of then."""
    learned = [update for update in beliefs.learned() if update.act.seat != record.seat]
    opponents = [seat for seat in state.in_hand if seat != record.seat]
    return Explanation(
        rule=rule_words(record),
        readings=(*_spot(record.spot), *_reason(record)),
        beliefs=tuple(_belief(state, beliefs, learned, seat) for seat in opponents),
    )


def rule_words(explanation: DecisionRecord) -> str:
    """Name the rule that decided, and what prevented its action."""
    words = f"{explanation.rule.value[0].upper()}{explanation.rule.value[1:]}"
    if explanation.verb is Verb.RAISE and not isinstance(explanation.action, Raise):
        return f"{words}, but no raise is allowed."
    if explanation.rule is Rule.MAKE2 and explanation.verb is Verb.CALL:
        return f"{words}, and enough bets are in already."
    return f"{words}."


def _spot(spot: Spot) -> tuple[Reading, ...]:
    if spot.street is Street.PREFLOP:
        return (Reading(name="bets to call", value=spot.bets_to_call),)
    return (
        Reading(name="bets to call", value=spot.bets_to_call),
        Reading(name="pot odds", value=spot.pot_odds),
        Reading(name="semi-bluff odds", value=spot.semi_bluff_odds),
        Reading(name="showdown odds", value=spot.showdown_odds),
    )


def _reason(explanation: DecisionRecord) -> tuple[Reading, ...]:
    match explanation.reason:
        case Preflop() as reason:
            return (
                Reading(name="strategy", value=reason.strategy.name.lower()),
                Reading(name="income rate", value=reason.income_rate, decimals=1),
                *(
                    Reading(name=f"{strategy.name.lower()} asks for", value=least)
                    for strategy, least in reason.thresholds
                ),
                Reading(name="expected players", value=reason.expected_players),
                Reading(name="position", value=str(reason.position)),
            )
        case Postflop() as reason:
            worth, played = reason.worth, reason.expected
            instead = "without deception" if played is None else "by the rules"
            return (
                Reading(name="HS against one", value=worth.hs1),
                Reading(name="opponents who count", value=worth.opponents),
                Reading(name="HS", value=worth.hs),
                Reading(name="PPot", value=worth.ppot),
                Reading(name="NPot", value=worth.npot),
                Reading(name="EHS", value=worth.ehs),
                Reading(name="EHS'", value=worth.optimistic_ehs),
                Reading(name="a bet asks for EHS'", value=reason.thresholds.make1),
                Reading(name="a raise asks for EHS'", value=reason.thresholds.make2),
                Reading(name=instead, value=_verb(reason.honest.verb, explanation.spot)),
                *(() if played is None else _played_out(played)),
            )


def _played_out(expected: Expected) -> tuple[Reading, ...]:
    """Return the results of the simulation, in chips; a fold gains nothing."""
    return (
        Reading(name="deals played out", value=expected.trials),
        Reading(name="a call or check gains", value=expected.call, decimals=1),
        Reading(name="a bet or raise gains", value=expected.bet, decimals=1),
    )


def _verb(verb: Verb, spot: Spot) -> str:
    """Name a verb as a player would in its spot."""
    match verb:
        case Verb.RAISE:
            return "raise" if spot.bets else "bet"
        case Verb.FOLD | Verb.CALL if not spot.to_call:
            return "check"
        case _:
            return str(verb.value)


def _belief(
    state: HandState, beliefs: Beliefs, learned: Sequence[BeliefUpdate], seat: Seat
) -> Belief:
    """Give one opponent's weights from the deal on, after each action that changed them."""
    updates = [update for update in learned if update.act.seat == seat]
    now = beliefs.weights(seat)
    if not updates:
        return Belief(
            seat=seat, stages=(Stage(what="no action yet that tells anything", weights=now),)
        )
    stages = [Stage(what="at the deal", weights=updates[0].before), *map(_stage, updates)]
    if len(state.board) > len(updates[-1].evidence.board):
        stages.append(Stage(what="after the cards dealt since", weights=now))
    return Belief(seat=seat, stages=tuple(stages))


def _stage(learned: BeliefUpdate) -> Stage:
    evidence, state = learned.evidence, learned.state
    readings = [Reading(name="mean", value=evidence.mean)]
    if evidence.pot_odds < 1:
        readings.append(Reading(name="pot odds", value=evidence.pot_odds))
    if evidence.spread != 1:
        readings.append(Reading(name="spread over the usual", value=evidence.spread))
    return Stage(
        what=f"{action_words(learned.act.action, state)}, {street_words(state)}",
        weights=learned.after,
        readings=tuple(readings),
    )
