"""Explanation of a Loki player's decision: its numbers by name, its beliefs in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from railbird.game import HandState, Raise, Street
from railbird.modelling.action_frequencies import BETS
from railbird.modelling.learned.learned_tracker import LearnedTracker, LearnedUpdate
from railbird.modelling.observed_actions import ObservedAction
from railbird.players.explanation import (
    Belief,
    Explanation,
    OpponentEstimates,
    Reading,
    Requirement,
    Stage,
    action_words,
    street_words,
)
from railbird.players.loki.decision_record import DecisionRecord, Postflop, Preflop
from railbird.players.loki.rules.betting import Rule, compared, folds_asked
from railbird.players.loki.rules.spot import Spot, Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from railbird.modelling import BeliefUpdate
    from railbird.players.loki.beliefs import Beliefs
    from railbird.players.loki.settings import LokiSettings
    from railbird.players.loki.simulation.selective_sampling import Expected
    from railbird.units import Seat


_LIKELIEST: Final = 3
"""Types of players that are named of an opponent."""


def explained(
    record: DecisionRecord, state: HandState, beliefs: Beliefs, settings: LokiSettings
) -> Explanation:
    """Put a decision into words and numbers; ``beliefs`` are those of then."""
    learned = [update for update in beliefs.learned() if update.act.seat != record.seat]
    opponents = [seat for seat in state.in_hand if seat != record.seat]
    return Explanation(
        rule=rule_words(record),
        readings=(*_spot(record.spot), *_reason(record)),
        beliefs=tuple(_belief(state, beliefs, learned, seat) for seat in opponents),
        requirements=_requirements(record, settings),
        estimates=tuple(
            OpponentEstimates(seat=seat, readings=readings)
            for seat in opponents
            if (readings := _habits(state, beliefs, learned, seat))
        ),
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
                *_semi_bluff(reason),
                Reading(name=instead, value=_verb(reason.honest.verb, explanation.spot)),
                *(() if played is None else _played_out(played)),
            )


def _semi_bluff(reason: Postflop) -> tuple[Reading, ...]:
    """Return what decides on semi-bluffs besides potential."""
    if reason.folds is not None:
        return (Reading(name="chance that all fold", value=reason.folds),)
    return (Reading(name="semi-bluff flag", value="set" if reason.barrel else "not set"),)


def _requirements(record: DecisionRecord, settings: LokiSettings) -> tuple[Requirement, ...]:
    """Return the rules in the order in which they are tried, down to the one that decided."""
    reason, spot = record.reason, record.spot
    if not isinstance(reason, Postflop):
        return ()
    hand, to_call = reason.worth, spot.bets_to_call > 0
    river, value = spot.street is Street.RIVER, compared(hand, settings)
    betting = "EHS'" if settings.potential else "HS"
    rows = [
        (Rule.MAKE2, _at_least(betting, reason.thresholds.make2), f"{value:.4f}"),
        (Rule.MAKE1, _at_least(betting, reason.thresholds.make1), f"{value:.4f}"),
    ]
    if reason.folds is not None:
        asked = f"all fold with {folds_asked(spot, hand):.4f}"
        rows.append((Rule.FOLD_EQUITY, asked, f"{reason.folds:.4f}"))
    elif not to_call and settings.semi_bluff:
        asked = _at_least("PPot", spot.semi_bluff_odds)
        needed = "the flag" if river else f"{asked} or the flag"
        actual = "the flag is set" if reason.barrel else f"{hand.ppot:.4f}, not set"
        rows.append((Rule.SEMI_BLUFF, needed, actual))
    if to_call and settings.pot_odds:
        name, chance = ("HS", hand.hs) if river else ("PPot", hand.ppot)
        rows.append((Rule.POT_ODDS, _at_least(name, spot.pot_odds), f"{chance:.4f}"))
    if to_call and settings.showdown_odds and not river:
        asked = _at_least("EHS", spot.showdown_odds)
        rows.append((Rule.SHOWDOWN_ODDS, asked, f"{hand.ehs:.4f}"))
    rows.append((Rule.FOLD if to_call else Rule.CHECK, "nothing", ""))
    return tuple(
        Requirement(
            action=rule.name.lower().replace("_", " "),
            needed=needed,
            actual=actual,
            decided=rule is reason.honest.rule and record.rule is not Rule.SIMULATION,
        )
        for rule, needed, actual in rows
    )


def _at_least(name: str, least: float) -> str:
    return f"{name} of {least:.4f}"


def _habits(
    state: HandState,
    beliefs: Beliefs,
    learned: Sequence[BeliefUpdate | LearnedUpdate],
    seat: Seat,
) -> tuple[Reading, ...]:
    """Return what is known of an opponent from earlier hands, where it has acted in this one.

    Of a learned model that is the likeliest types of players, else its frequencies by street and
    bets to call, with the observations behind them.
    """
    if isinstance(beliefs, LearnedTracker):
        evidence = beliefs.types(seat)
        by_chance = sorted(
            zip(evidence.chances.tolist(), evidence.model.names, strict=True), reverse=True
        )
        return tuple(
            Reading(name=f"plays like {name}", value=chance)
            for chance, name in by_chance[:_LIKELIEST]
        )
    habits, contexts = beliefs.habits(seat), {}
    for update in learned:
        if update.act.seat == seat:
            contexts[ObservedAction(update.state, update.act).context] = update.state
    readings = []
    for (street, bets), before in contexts.items():
        bets = min(bets, BETS - 1)
        where = f"{street_words(before)}, {('no bet', 'one bet', 'more bets')[bets]} to call"
        counts = habits.counts[street][bets]
        if sum(counts):
            shares = zip(("folds", "calls", "raises"), habits.of(street, bets), strict=True)
            readings += [Reading(name=f"{kind} {where}", value=share) for kind, share in shares]
            readings.append(Reading(name=f"seen {where}", value=sum(counts)))
    return tuple(readings)


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
    state: HandState, beliefs: Beliefs, learned: Sequence[BeliefUpdate | LearnedUpdate], seat: Seat
) -> Belief:
    """Give one opponent's weights from the deal on, after each action that changed them."""
    updates = [update for update in learned if update.act.seat == seat]
    now = beliefs.weights(seat)
    if not updates:
        return Belief(
            seat=seat, stages=(Stage(what="no action yet that tells anything", weights=now),)
        )
    stages = [Stage(what="at the deal", weights=updates[0].before), *map(_stage, updates)]
    if len(state.board) > len(updates[-1].board):
        stages.append(Stage(what="after the cards dealt since", weights=now))
    return Belief(seat=seat, stages=tuple(stages))


def _stage(learned: BeliefUpdate | LearnedUpdate) -> Stage:
    state = learned.state
    return Stage(
        what=f"{action_words(learned.act.action, state)}, {street_words(state)}",
        weights=learned.after,
        readings=_grounds(learned),
    )


def _grounds(learned: BeliefUpdate | LearnedUpdate) -> tuple[Reading, ...]:
    """Return the numbers by which an action changed the weights."""
    if isinstance(learned, LearnedUpdate):
        return (Reading(name="expected", value=learned.expected),)
    evidence = learned.evidence
    readings = [Reading(name="mean", value=evidence.mean)]
    if evidence.pot_odds < 1:
        readings.append(Reading(name="pot odds", value=evidence.pot_odds))
    if evidence.spread != 1:
        readings.append(Reading(name="spread over the usual", value=evidence.spread))
    return tuple(readings)
