from .beliefs import Beliefs
from .decision_record import DecisionRecord, Postflop, Preflop
from .options import OPTIONS, VERSION, make_loki
from .player import LokiPlayer
from .rules.betting import Rule, RuleDecision, Thresholds
from .rules.preflop import Group, Strategy, Tightness
from .rules.spot import Spot, Verb
from .settings import VERSIONS, LokiSettings
from .simulation.selective_sampling import Expected
from .strength import HandEvaluation, worth

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
