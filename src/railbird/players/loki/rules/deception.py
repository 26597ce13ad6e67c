"""What makes Loki harder to read: at random, some hands are played as others are."""

from __future__ import annotations

import numpy as np

from railbird.game import Street
from railbird.players.loki.rules.betting import Rule, RuleDecision
from railbird.players.loki.rules.spot import Spot, Verb
from railbird.players.loki.settings import LokiSettings
from railbird.players.loki.strength import HandEvaluation


def disguise(
    ruling: RuleDecision,
    spot: Spot,
    worth: HandEvaluation,
    settings: LokiSettings,
    rng: np.random.Generator,
) -> RuleDecision:
    """Replace an honest ruling by a deceptive one, as often as the settings say.

    Nothing is drawn where there is nothing to decide, so that a Loki without deception plays the
    same whatever the seed.
    """
    match ruling.rule, ruling.verb:
        case Rule.MAKE2, Verb.RAISE if not spot.bets and len(spot.checkers) < spot.opponents:
            other, chance = RuleDecision(Verb.CALL, Rule.CHECK_RAISE), settings.check_raise
        case Rule.MAKE1, Verb.CALL if spot.bets_to_call:
            other, chance = RuleDecision(Verb.RAISE, Rule.BALANCING_RAISE), settings.balancing_raise
        case Rule.CHECK, _ if spot.street is Street.RIVER and worth.hs1 < settings.bluff_below:
            other, chance = RuleDecision(Verb.RAISE, Rule.RIVER_BLUFF), settings.river_bluff
        case _:
            return ruling
    return other if chance and rng.random() < chance else ruling
