from .player import (
    Beliefs,
    DecisionRecord,
    LokiPlayer,
    PostflopEvaluation,
    Preflop,
    make_loki,
)
from .preflop import ExpectedPlayers, LokiSpot, PreflopPlan, Tightness
from .rules import EhsThresholds, HandEvaluation, LokiRule, RuleDecision, worth
from .settings import VERSIONS, LokiSettings
from .simulation import Expected

__all__ = [
    "VERSIONS",
    "Beliefs",
    "DecisionRecord",
    "EhsThresholds",
    "Expected",
    "ExpectedPlayers",
    "HandEvaluation",
    "LokiPlayer",
    "LokiRule",
    "LokiSettings",
    "LokiSpot",
    "PostflopEvaluation",
    "Preflop",
    "PreflopPlan",
    "RuleDecision",
    "Tightness",
    "make_loki",
    "worth",
]
