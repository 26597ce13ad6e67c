"""Loki's betting in any hold'em: the first rule that applies decides (Papp 1998, chapter 6).

`railbird.players.booker` has the rules of another source. Rules depend only on numbers, so these
numbers explain a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDINGS, Card, Holding
from railbird.game import ActionKind, Street
from railbird.odds.potential import potential
from railbird.players.explanation import Ask, is_met
from railbird.players.loki import kernels
from railbird.players.loki.preflop import LokiSpot
from railbird.players.loki.settings import LokiSettings, RaiseTo
from railbird.players.seeds import SplitMix64

# The evaluation of Loki's own hand on a board, against the field of its opponents.


_BOARDS = 64
"""Number of boards that are cached; all players at a table need the same boards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEvaluation:
    """The strength and potential of a hand, all from 0 to 1."""

    hs1: float
    """Probability of being ahead of one opponent with the field's weights."""
    hs: float
    """Probability of being ahead of all opponents who count: ``hs1`` to the power of their
    number."""
    ppot: float
    """Probability of overtaking one opponent when behind; 0 on the river."""
    npot: float
    """Probability of falling behind one opponent when ahead; 0 on the river."""
    opponents: int
    """How many opponents count."""

    @property
    def ehs(self) -> float:
        """HS + (1 - HS) PPot - HS NPot, the estimated probability of winning a showdown."""
        return self.hs + (1 - self.hs) * self.ppot - self.hs * self.npot

    @property
    def optimistic_ehs(self) -> float:
        """HS + (1 - HS) PPot, the probability of being or getting ahead. Loki bets by this."""
        return self.hs + (1 - self.hs) * self.ppot


@dataclass(frozen=True, slots=True)
class BoardStrengths:
    """The strengths of all holdings on a board, and with one more card."""

    level: NDArray[np.int32]
    """(1326,) strength of every holding; -1 if it shares a card with the board."""
    later: NDArray[np.int32]
    """(13, 91) strengths without flushes, by next rank and pair of ranks; not on the river."""


@lru_cache(maxsize=_BOARDS)
def board_strengths(board: tuple[Card, ...]) -> BoardStrengths:
    """Rank all holdings on a board of three to five cards."""
    level, later = np.empty(HOLDINGS, np.int32), np.empty((13, 91), np.int32)
    kernels.fill_strengths(np.array(board, np.uint8), level, later)
    return BoardStrengths(level, later)


def worth(
    holding: Holding,
    board: Sequence[Card],
    field: NDArray[np.float64],
    *,
    opponents: int,
    lookahead: int = 1,
) -> HandEvaluation:
    """Evaluate a hand by enumeration against a field, (1326,), from the flop on.

    ``lookahead`` is how many cards the potential looks ahead, if so many are still to come.
    """
    if lookahead == 2 and len(board) == 3:
        standing = potential(holding, board, to_come=2, weights=field)
        hs1, ppot, npot = standing.hs, standing.ppot, standing.npot
    else:
        cards, strengths = np.array(board, np.uint8), board_strengths(tuple(sorted(board)))
        hs1, ppot, npot = kernels.evaluate(holding, cards, strengths.level, strengths.later, field)
    return HandEvaluation(hs1=hs1, hs=hs1**opponents, ppot=ppot, npot=npot, opponents=opponents)


def ahead_of_each(
    holding: Holding, board: Sequence[Card], weights: Sequence[NDArray[np.float64]]
) -> float:
    """Return the probability of being ahead of several opponents, each with its own weights."""
    level = board_strengths(tuple(sorted(board))).level
    standings = (kernels.strength_now(holding, level, weights_of_one) for weights_of_one in weights)
    return prod(standings)


class LokiRule(Enum):
    """The reasons for an action."""

    STRATEGY = "the strategy chosen before the flop"
    MAKE2 = "the hand and its chances are worth a raise"
    MAKE1 = "the hand and its chances are worth a bet"
    SEMI_BLUFF = "enough potential to bet before being ahead"
    FOLD_EQUITY = "everybody folds often enough to bet before being ahead"
    POT_ODDS = "the pot odds are good enough for the next card"
    SHOWDOWN_ODDS = "it pays to see the showdown"
    CHECK = "there is no reason to bet, and checking is free"
    FOLD = "there is no reason to call"
    CHECK_RAISE = "a hand worth a raise, checked to raise later"
    FAKE_CHECK_RAISE = "a hand worth a bet, checked and raised so that check-raises reveal less"
    BALANCING_RAISE = "a hand worth a call, raised so that raises reveal less"
    RIVER_BLUFF = "one of the weakest hands, bet because it cannot win otherwise"
    SIMULATION = "the better of the simulated actions"


@dataclass(frozen=True, slots=True)
class EhsThresholds:
    """The thresholds of EHS'."""

    make1: float
    make2: float


@dataclass(frozen=True, slots=True)
class RuleDecision:
    """An intended action, and its reason."""

    verb: ActionKind
    rule: LokiRule


def make(bets: int, spot: LokiSpot) -> ActionKind:
    """Return the action that raises up to ``bets`` bets, and calls beyond them.

    With ``bets`` of 1, two bets at once are only called by a player who is already in. With 0, the
    action is a check or a fold.
    """
    if spot.bets < bets:
        return ActionKind.RAISE
    if not spot.bets_to_call or bets >= 2:
        return ActionKind.CALL
    return ActionKind.CALL if bets and (spot.is_in or spot.bets_to_call < 2) else ActionKind.FOLD


def thresholds(settings: LokiSettings, stream: SplitMix64) -> EhsThresholds:
    """Return the thresholds for a decision, with random jitter if the settings say so."""
    if not settings.jitter:
        return EhsThresholds(settings.make1, settings.make2)
    low, high = (settings.jitter * (2 * stream.fraction() - 1) for _ in range(2))
    return EhsThresholds(settings.make1 + low, settings.make2 + high)


def threshold_chances(
    value: float, settings: LokiSettings
) -> tuple[tuple[EhsThresholds, float], ...]:
    """Return the thresholds that stand for all those that may be drawn, with probabilities.

    They lead to a raise, a bet or neither when ``value`` is compared with them. Without jitter
    there is one pair.
    """
    if not settings.jitter:
        return ((EhsThresholds(settings.make1, settings.make2), 1.0),)
    raises, bets = (
        min(1.0, max(0.0, (value - least + settings.jitter) / (2 * settings.jitter)))
        for least in (settings.make2, settings.make1)
    )
    return (
        (EhsThresholds(-inf, -inf), raises),
        (EhsThresholds(-inf, inf), (1 - raises) * bets),
        (EhsThresholds(inf, inf), (1 - raises) * (1 - bets)),
    )


def compared(worth: HandEvaluation, settings: LokiSettings) -> float:
    """Return the value of a hand that is compared with the thresholds."""
    return worth.optimistic_ehs if settings.potential else worth.hs


def folds_asked(spot: LokiSpot, worth: HandEvaluation) -> float:
    """Return how likely it must be that everybody folds for a bet by a losing hand to gain.

    If the hand is behind, folds win the pot. A called bet is lost unless the next card puts the
    hand ahead; then it wins as much.
    """
    gain = (1 - worth.hs) * spot.pot
    cost = (1 - 2 * worth.ppot) * spot.bet_size
    return cost / (cost + gain) if cost > 0 else 0.0


def rule(
    spot: LokiSpot,
    worth: HandEvaluation,
    levels: EhsThresholds,
    settings: LokiSettings,
    *,
    barrel: bool,
    folds: float | None = None,
    ask: Ask = is_met,
) -> RuleDecision:
    """Apply the rules without deception, each one only if those before it do not decide.

    A hand that is worth a bet but would fold to two at once is decided by the odds (Papp 1998,
    section 6.2). ``barrel`` says that the player semi-bluffed on an earlier street and nobody has
    bet or raised since; it then goes on betting even without potential, also on the river (section
    6.4). ``folds`` is the learned probability that everybody folds to a bet. If it is given, it
    decides about semi-bluffs instead.
    """
    value, river = compared(worth, settings), spot.street is Street.RIVER
    betting = "EHS'" if settings.potential else "HS"
    words = partial(_at_least, LokiRule.MAKE2, betting, levels.make2, value)
    if ask(LokiRule.MAKE2, value >= levels.make2, words):
        return RuleDecision(make(_raise_to(spot, settings), spot), LokiRule.MAKE2)
    verb = make(1, spot)
    words = partial(_at_least, LokiRule.MAKE1, betting, levels.make1, value)
    if ask(LokiRule.MAKE1, value >= levels.make1 and verb is not ActionKind.FOLD, words):
        return RuleDecision(verb, LokiRule.MAKE1)
    if not spot.bets_to_call:
        return _unless_bet(spot, worth, settings, barrel=barrel, folds=folds, ask=ask)
    if settings.pot_odds:
        name, chance = ("HS", worth.hs) if river else ("PPot", worth.ppot)
        words = partial(_at_least, LokiRule.POT_ODDS, name, spot.pot_odds, chance)
        if ask(LokiRule.POT_ODDS, chance >= spot.pot_odds, words):
            return RuleDecision(ActionKind.CALL, LokiRule.POT_ODDS)
    if settings.showdown_odds and not river:
        words = partial(_at_least, LokiRule.SHOWDOWN_ODDS, "EHS", spot.showdown_odds, worth.ehs)
        if ask(LokiRule.SHOWDOWN_ODDS, worth.ehs >= spot.showdown_odds, words):
            return RuleDecision(ActionKind.CALL, LokiRule.SHOWDOWN_ODDS)
    ask(LokiRule.FOLD, True, lambda: ("fold", "nothing", ""))
    return RuleDecision(ActionKind.FOLD, LokiRule.FOLD)


def _unless_bet(
    spot: LokiSpot,
    worth: HandEvaluation,
    settings: LokiSettings,
    *,
    barrel: bool,
    folds: float | None,
    ask: Ask,
) -> RuleDecision:
    """Bet without being ahead, by the chance of folds or as a semi-bluff; otherwise check."""
    if folds is not None:
        least = folds_asked(spot, worth)
        words = partial(_fold_equity_words, least, folds)
        if ask(LokiRule.FOLD_EQUITY, folds >= least, words):
            return RuleDecision(ActionKind.RAISE, LokiRule.FOLD_EQUITY)
    elif settings.semi_bluff:
        draws = spot.street is not Street.RIVER and worth.ppot >= spot.semi_bluff_odds
        words = partial(_semi_bluff_words, spot, worth, barrel)
        if ask(LokiRule.SEMI_BLUFF, barrel or draws, words):
            return RuleDecision(ActionKind.RAISE, LokiRule.SEMI_BLUFF)
    ask(LokiRule.CHECK, True, lambda: ("check", "nothing", ""))
    return RuleDecision(ActionKind.CALL, LokiRule.CHECK)


def _at_least(rule: LokiRule, name: str, least: float, value: float) -> tuple[str, str, str]:
    action = rule.name.lower().replace("_", " ")
    return action, f"{name} of {least:.4f}", f"{value:.4f}"


def _fold_equity_words(least: float, folds: float) -> tuple[str, str, str]:
    return "fold equity", f"all fold with {least:.4f}", f"{folds:.4f}"


def _semi_bluff_words(spot: LokiSpot, worth: HandEvaluation, barrel: bool) -> tuple[str, str, str]:
    asked = f"PPot of {spot.semi_bluff_odds:.4f} or the flag"
    needed = "the flag" if spot.street is Street.RIVER else asked
    return "semi bluff", needed, "the flag is set" if barrel else f"{worth.ppot:.4f}, not set"


def _raise_to(spot: LokiSpot, settings: LokiSettings) -> int:
    """Return the number of bets up to which a hand that is worth a raise is raised."""
    return spot.cap if settings.raise_to is RaiseTo.CAP else 2


# Deception: at random, some hands are played as other hands would be.


def disguise(
    decision: RuleDecision,
    spot: LokiSpot,
    worth: HandEvaluation,
    settings: LokiSettings,
    stream: SplitMix64,
) -> RuleDecision:
    """Replace an honest decision by a deceptive one, with the probability from the settings.

    Nothing is drawn if there is nothing to decide, so a Loki without deception plays the same with
    every seed.
    """
    deceptive, chance = deception(decision, spot, worth, settings)
    return deceptive if chance and stream.fraction() < chance else decision


def deception(
    decision: RuleDecision, spot: LokiSpot, worth: HandEvaluation, settings: LokiSettings
) -> tuple[RuleDecision, float]:
    """Return what may replace an honest decision, and with what probability."""
    may_be_bet = not spot.bets and len(spot.checkers) < spot.opponents
    match decision.rule, decision.verb:
        case LokiRule.MAKE2, ActionKind.RAISE if may_be_bet:
            return RuleDecision(ActionKind.CALL, LokiRule.CHECK_RAISE), settings.check_raise
        case LokiRule.MAKE1, ActionKind.RAISE if may_be_bet:
            return RuleDecision(
                ActionKind.CALL, LokiRule.FAKE_CHECK_RAISE
            ), settings.fake_check_raise
        case LokiRule.MAKE1, ActionKind.CALL if spot.has_checked and settings.fake_check_raise:
            return RuleDecision(ActionKind.RAISE, LokiRule.FAKE_CHECK_RAISE), 1.0
        case LokiRule.MAKE1, ActionKind.CALL if spot.bets_to_call:
            return RuleDecision(
                ActionKind.RAISE, LokiRule.BALANCING_RAISE
            ), settings.balancing_raise
        case LokiRule.CHECK, _ if spot.street is Street.RIVER and worth.hs1 < settings.bluff_below:
            return RuleDecision(ActionKind.RAISE, LokiRule.RIVER_BLUFF), settings.river_bluff
        case _:
            return decision, 0.0
