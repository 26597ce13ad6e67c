"""Why Loki did what it did: the numbers that its decision was made of."""

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
    """How the strategy of the first street was chosen."""

    strategy: Strategy
    income_rate: float
    """Of the hand, in thousandths of a small bet."""
    thresholds: tuple[tuple[Strategy, float], ...]
    """What each strategy asked for, most demanding first."""
    group: Group
    expected_players: int
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Postflop:
    """What the hand was worth from the flop on."""

    worth: HandEvaluation
    thresholds: Thresholds
    honest: RuleDecision
    """What the rules would have done, without deception."""
    expected: Expected | None
    """What playing on gained in the simulation, where there was one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One decision. What was believed of the opponents, `LokiPlayer.learned` tells."""

    seat: Seat
    holding: Holding
    board: tuple[Card, ...]
    spot: Spot
    """With the pot and the odds."""
    reason: Preflop | Postflop
    rule: Rule
    """The one that decided."""
    verb: Verb
    """What it wants, whether or not the game allows it."""
    action: Action
