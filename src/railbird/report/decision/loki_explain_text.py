"""Explanation of a Loki player's decision: its numbers by name, its beliefs in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railbird.cards import cards_of, format_cards, format_holding
from railbird.errors import BadInput
from railbird.game import Action, Call, Fold, HandState, Raise, Street
from railbird.players.loki import LokiPlayer, Postflop, Preflop, Rule, Verb
from railbird.report.decision.explain_text import Belief, ExplainedDecision, Reading, Stage
from railbird.report.toolkit import number_format

if TYPE_CHECKING:
    from railbird.modelling import BeliefUpdate
    from railbird.players import Player
    from railbird.players.loki import Expected, Explanation, Spot
    from railbird.players.query import Asked
    from railbird.units import Seat


def decision_of(asked: Asked, player: Player, *, spec: str, hand: int) -> ExplainedDecision:
    """Explain the decision that a player has just been asked for.

    Raises `BadInput` for a player that cannot say why it does what it does.
    """
    if not isinstance(player, LokiPlayer):
        raise BadInput(f"{spec} does not explain itself; allowed: loki players, such as loki:som")
    state, seat = asked.view.state, asked.seat
    explanation = player.explanation
    name = number_format.display_name(asked.record.players[seat])
    return ExplainedDecision(
        title=f"Hand {hand:,}, {name} in seat {seat}, {_street(state)}",
        player=spec,
        cards=format_holding(asked.view.holding),
        board=format_cards(state.board),
        known=(*cards_of(asked.view.holding), *state.board),
        situation=_situation(state),
        action=action_words(asked.action, state),
        played=action_words(asked.played, state),
        rule=rule_words(explanation),
        readings=(*_spot(explanation.spot), *_reason(explanation)),
        beliefs=tuple(
            _belief(asked, player, opponent) for opponent in state.in_hand if opponent != seat
        ),
    )


def rule_words(explanation: Explanation) -> str:
    """Name the rule that decided, and what prevented its action."""
    words = f"{explanation.rule.value[0].upper()}{explanation.rule.value[1:]}"
    if explanation.verb is Verb.RAISE and not isinstance(explanation.action, Raise):
        return f"{words}, but no raise is allowed."
    if explanation.rule is Rule.MAKE2 and explanation.verb is Verb.CALL:
        return f"{words}, and two bets are in already."
    return f"{words}."


def action_words(action: Action, state: HandState) -> str:
    """Name an action as a player would.

    >>> from railbird.game import HEADS_UP_LIMIT, initial
    >>> action_words(Fold(), initial(HEADS_UP_LIMIT))
    'fold'
    """
    match action:
        case Fold():
            return "fold"
        case Call():
            return f"call {state.to_call}" if state.to_call else "check"
        case Raise(to):
            return f"raise to {to}" if state.bet else f"bet {to}"


def _street(state: HandState) -> str:
    return "before the flop" if state.street is Street.PREFLOP else state.street.name.lower()


def _situation(state: HandState) -> str:
    left = len(state.in_hand) - 1
    cost = f"a call costs {state.to_call}" if state.to_call else "checking is free"
    return f"The pot is {state.pot}, {cost}, {left} opponent{'s' if left > 1 else ''} left."


def _spot(spot: Spot) -> tuple[Reading, ...]:
    if spot.street is Street.PREFLOP:
        return (Reading(name="bets to call", value=spot.bets_to_call),)
    return (
        Reading(name="bets to call", value=spot.bets_to_call),
        Reading(name="pot odds", value=spot.pot_odds),
        Reading(name="semi-bluff odds", value=spot.semi_bluff_odds),
        Reading(name="showdown odds", value=spot.showdown_odds),
    )


def _reason(explanation: Explanation) -> tuple[Reading, ...]:
    match explanation.reason:
        case Preflop() as reason:
            return (
                Reading(name="strategy", value=reason.strategy.name.lower()),
                Reading(name="income rate", value=number_format.number(reason.income_rate, 1)),
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
    """Give the results of the simulation, in chips; a fold gains nothing."""
    return (
        Reading(name="deals played out", value=expected.trials),
        Reading(name="a call or check gains", value=number_format.number(expected.call, 1)),
        Reading(name="a bet or raise gains", value=number_format.number(expected.bet, 1)),
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


def _belief(asked: Asked, player: LokiPlayer, seat: Seat) -> Belief:
    """Give one opponent's weights from the deal on, after each action that changed them."""
    name = number_format.display_name(asked.record.players[seat])
    learned = [update for update in player.learned() if update.act.seat == seat]
    now = player.beliefs.weights(seat)
    if not learned:
        return Belief(
            who=f"{name}, seat {seat}",
            stages=(Stage(what="no action yet that tells anything", weights=now),),
        )
    stages = [Stage(what="at the deal", weights=learned[0].before)]
    stages += map(_stage, learned)
    if len(asked.view.state.board) > len(learned[-1].evidence.board):
        stages.append(Stage(what="after the cards dealt since", weights=now))
    return Belief(who=f"{name}, seat {seat}", stages=tuple(stages))


def _stage(learned: BeliefUpdate) -> Stage:
    evidence, state = learned.evidence, learned.state
    readings = [Reading(name="mean", value=evidence.mean)]
    if evidence.pot_odds < 1:
        readings.append(Reading(name="pot odds", value=evidence.pot_odds))
    if evidence.spread != 1:
        readings.append(Reading(name="spread over the usual", value=evidence.spread))
    return Stage(
        what=f"{action_words(learned.act.action, state)}, {_street(state)}",
        weights=learned.after,
        readings=tuple(readings),
    )
