"""Loki: enumeration, betting rules and opponent modelling (Papp 1998)."""

from railbird.players.loki.beliefs import Beliefs
from railbird.players.loki.decision_record import DecisionRecord, Postflop, Preflop
from railbird.players.loki.options import OPTIONS, VERSION, make_loki
from railbird.players.loki.player import LokiPlayer
from railbird.players.loki.rules.betting import Rule, RuleDecision, Thresholds
from railbird.players.loki.rules.preflop import Group, Strategy, Tightness
from railbird.players.loki.rules.spot import Spot, Verb
from railbird.players.loki.settings import VERSIONS, LokiSettings
from railbird.players.loki.simulation.selective_sampling import Expected
from railbird.players.loki.strength import HandEvaluation, worth

__all__ = [
    "OPTIONS",
    "VERSION",
    "VERSIONS",
    "Beliefs",
    "DecisionRecord",
    "Expected",
    "Group",
    "HandEvaluation",
    "LokiPlayer",
    "LokiSettings",
    "Postflop",
    "Preflop",
    "Rule",
    "RuleDecision",
    "Spot",
    "Strategy",
    "Thresholds",
    "Tightness",
    "Verb",
    "make_loki",
    "worth",
]
