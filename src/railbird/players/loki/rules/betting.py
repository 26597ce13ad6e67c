"""Loki's betting: a hierarchy of rules in which the first that applies decides (Papp 1998, ch. 6).

The rules depend on numbers only, so that a decision can be explained by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import inf

from railbird.game import Street
from railbird.players.compiled.splitmix import SplitMix64
from railbird.players.loki.rules.spot import Spot, Verb
from railbird.players.loki.settings import LokiSettings, RaiseTo
from railbird.players.loki.strength import HandEvaluation


class Rule(Enum):
    """Reason for an action."""

    STRATEGY = "the strategy chosen before the flop"
    MAKE2 = "EHS' is worth a raise"
    MAKE1 = "EHS' is worth a bet"
    SEMI_BLUFF = "enough potential to bet before being ahead"
    FOLD_EQUITY = "everybody folds often enough to bet before being ahead"
    POT_ODDS = "the pot odds are good enough for the next card"
    SHOWDOWN_ODDS = "it pays to see the showdown"
    CHECK = "there is no reason to bet, and checking is free"
    FOLD = "there is no reason to call"
    CHECK_RAISE = "a hand worth a raise, checked to raise later"
    BALANCING_RAISE = "a hand worth a call, raised so that raises reveal less"
    RIVER_BLUFF = "one of the weakest hands, bet because it cannot win otherwise"
    SIMULATION = "the better of the simulated actions"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of EHS'."""

    make1: float
    make2: float


@dataclass(frozen=True, slots=True)
class RuleDecision:
    """An intended action, and the reason."""

    verb: Verb
    rule: Rule


def make(bets: int, spot: Spot) -> Verb:
    """Return the action that brings the street to so many bets and calls more.

    One bet does not call two at once; with no bets to make, anything but a check is a fold.
    """
    if spot.bets < bets:
        return Verb.RAISE
    if not spot.bets_to_call or bets >= 2:
        return Verb.CALL
    return Verb.CALL if bets and (spot.is_in or spot.bets_to_call < 2) else Verb.FOLD


def thresholds(settings: LokiSettings, stream: SplitMix64) -> Thresholds:
    """Return the thresholds of a decision, with random jitter if the settings ask for it."""
    if not settings.jitter:
        return Thresholds(settings.make1, settings.make2)
    low, high = (settings.jitter * (2 * stream.fraction() - 1) for _ in range(2))
    return Thresholds(settings.make1 + low, settings.make2 + high)


def threshold_chances(value: float, settings: LokiSettings) -> tuple[tuple[Thresholds, float], ...]:
    """Return thresholds that decide as those drawn may, and how often: raise, bet or neither.

    ``value`` is what is compared with them. Without jitter there is one.
    """
    if not settings.jitter:
        return ((Thresholds(settings.make1, settings.make2), 1.0),)
    raises, bets = (
        min(1.0, max(0.0, (value - least + settings.jitter) / (2 * settings.jitter)))
        for least in (settings.make2, settings.make1)
    )
    return (
        (Thresholds(-inf, -inf), raises),
        (Thresholds(-inf, inf), (1 - raises) * bets),
        (Thresholds(inf, inf), (1 - raises) * (1 - bets)),
    )


def compared(worth: HandEvaluation, settings: LokiSettings) -> float:
    """Return the value of a hand that thresholds are compared with."""
    return worth.optimistic_ehs if settings.potential else worth.hs


def folds_asked(spot: Spot, worth: HandEvaluation) -> float:
    """Return the probability of folds by everybody from which a bet gains before being ahead.

    Folds win the pot where the hand is behind. A bet that is called is lost unless the next card
    gets the hand ahead; then it wins as much.
    """
    gain = (1 - worth.hs) * spot.pot
    cost = (1 - 2 * worth.ppot) * spot.bet_size
    return cost / (cost + gain) if cost > 0 else 0.0


def rule(
    spot: Spot,
    worth: HandEvaluation,
    levels: Thresholds,
    settings: LokiSettings,
    *,
    barrel: bool,
    folds: float | None = None,
) -> RuleDecision:
    """Apply the rules without deception, each where the one before does not decide.

    A hand worth a bet that would fold to two at once is left to the odds (Papp 1998, section 6.2).
    ``barrel`` is true if the player semi-bluffed on an earlier street and nobody has bet or raised
    since: it then goes on betting even without potential, on the river too (section 6.4). With
    ``folds``, the learned probability that everybody folds to a bet, that decides instead.
    """
    value = compared(worth, settings)
    if value >= levels.make2:
        return RuleDecision(make(_raise_to(spot, settings), spot), Rule.MAKE2)
    if value >= levels.make1 and (verb := make(1, spot)) is not Verb.FOLD:
        return RuleDecision(verb, Rule.MAKE1)
    river = spot.street is Street.RIVER
    if not spot.bets_to_call:
        if folds is not None:
            if folds >= folds_asked(spot, worth):
                return RuleDecision(Verb.RAISE, Rule.FOLD_EQUITY)
            return RuleDecision(Verb.CALL, Rule.CHECK)
        draws = not river and worth.ppot >= spot.semi_bluff_odds
        if settings.semi_bluff and (barrel or draws):
            return RuleDecision(Verb.RAISE, Rule.SEMI_BLUFF)
        return RuleDecision(Verb.CALL, Rule.CHECK)
    if settings.pot_odds and (worth.hs if river else worth.ppot) >= spot.pot_odds:
        return RuleDecision(Verb.CALL, Rule.POT_ODDS)
    if settings.showdown_odds and not river and worth.ehs >= spot.showdown_odds:
        return RuleDecision(Verb.CALL, Rule.SHOWDOWN_ODDS)
    return RuleDecision(Verb.FOLD, Rule.FOLD)


def _raise_to(spot: Spot, settings: LokiSettings) -> int:
    """Return the number of bets up to which a hand worth a raise is raised."""
    return spot.cap if settings.raise_to is RaiseTo.CAP else 2
