"""Loki: enumeration, betting rules and opponent modelling (Papp 1998)."""

from railbird.players.loki.beliefs import Beliefs
from railbird.players.loki.betting import Rule, Ruling, Thresholds
from railbird.players.loki.explanation import Explanation, Postflop, Preflop
from railbird.players.loki.options import OPTIONS, VERSION, make_loki
from railbird.players.loki.player import LokiPlayer
from railbird.players.loki.preflop import Group, Strategy, Tightness
from railbird.players.loki.settings import VERSIONS, Settings
from railbird.players.loki.simulation import Expected
from railbird.players.loki.spot import Spot, Verb
from railbird.players.loki.strength import Worth, worth

__all__ = [
    "OPTIONS",
    "VERSION",
    "VERSIONS",
    "Beliefs",
    "Expected",
    "Explanation",
    "Group",
    "LokiPlayer",
    "Postflop",
    "Preflop",
    "Rule",
    "Ruling",
    "Settings",
    "Spot",
    "Strategy",
    "Thresholds",
    "Tightness",
    "Verb",
    "Worth",
    "make_loki",
    "worth",
]
