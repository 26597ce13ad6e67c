"""Deception: playing some hands at random as others would be played."""

from __future__ import annotations

from railbird.game import Street
from railbird.players.compiled.splitmix import SplitMix64
from railbird.players.loki.rules.betting import Rule, RuleDecision
from railbird.players.loki.rules.spot import Spot, Verb
from railbird.players.loki.settings import LokiSettings
from railbird.players.loki.strength import HandEvaluation


def disguise(
    decision: RuleDecision,
    spot: Spot,
    worth: HandEvaluation,
    settings: LokiSettings,
    stream: SplitMix64,
) -> RuleDecision:
    """Replace an honest decision by a deceptive one, with the probability in the settings.

    Nothing is drawn if there is nothing to decide, so that a Loki without deception plays the same
    with every seed.
    """
    other, chance = deception(decision, spot, worth, settings)
    return other if chance and stream.fraction() < chance else decision


def deception(
    decision: RuleDecision, spot: Spot, worth: HandEvaluation, settings: LokiSettings
) -> tuple[RuleDecision, float]:
    """Return what may replace an honest decision, and with what probability."""
    match decision.rule, decision.verb:
        case Rule.MAKE2, Verb.RAISE if not spot.bets and len(spot.checkers) < spot.opponents:
            return RuleDecision(Verb.CALL, Rule.CHECK_RAISE), settings.check_raise
        case Rule.MAKE1, Verb.CALL if spot.bets_to_call:
            return RuleDecision(Verb.RAISE, Rule.BALANCING_RAISE), settings.balancing_raise
        case Rule.CHECK, _ if spot.street is Street.RIVER and worth.hs1 < settings.bluff_below:
            return RuleDecision(Verb.RAISE, Rule.RIVER_BLUFF), settings.river_bluff
        case _:
            return decision, 0.0
