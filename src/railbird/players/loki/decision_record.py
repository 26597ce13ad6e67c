"""Record of the numbers behind one of Loki's decisions."""

from __future__ import annotations

from dataclasses import dataclass

from railbird.cards import Card, Holding
from railbird.game import Action
from railbird.players.loki.rules.betting import Rule, RuleDecision, Thresholds
from railbird.players.loki.rules.preflop import Group, Strategy
from railbird.players.loki.rules.spot import Spot, Verb
from railbird.players.loki.simulation.selective_sampling import Expected
from railbird.players.loki.strength import HandEvaluation
from railbird.units import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflop:
    """Choice of the strategy before the flop."""

    strategy: Strategy
    income_rate: float
    """Income rate of the hand, in thousandths of a small bet."""
    thresholds: tuple[tuple[Strategy, float], ...]
    """Threshold of each strategy, the highest first."""
    group: Group
    expected_players: int
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Postflop:
    """Evaluation of the hand from the flop on."""

    worth: HandEvaluation
    thresholds: Thresholds
    barrel: bool
    """The semi-bluff flag: true if the player has semi-bluffed and nobody has bet since."""
    folds: float | None
    """Probability that everybody folds to a bet, where that decides on semi-bluffs."""
    honest: RuleDecision
    """The decision of the rules without deception."""
    expected: Expected | None
    """Expected gains by simulation, if there was one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRecord:
    """Record of a decision; `LokiPlayer.learned` gives the beliefs about opponents."""

    seat: Seat
    holding: Holding
    board: tuple[Card, ...]
    spot: Spot
    """The situation, with the pot and the odds."""
    reason: Preflop | Postflop
    rule: Rule
    """The rule that decided."""
    verb: Verb
    """The intended action, legal or not."""
    action: Action
