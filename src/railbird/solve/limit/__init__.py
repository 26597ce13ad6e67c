"""Heads-up limit: the betting as arrays, strategies over states of the cards."""

from railbird.solve.limit.betting_tree import (
    CALL,
    FOLD,
    RAISE,
    BettingRound,
    BettingTree,
    DecisionPlace,
    LimitBetting,
    betting_tree,
    limit_tree,
)
from railbird.solve.limit.strategy import LimitStrategy, open_strategy, write_strategy

__all__ = [
    "CALL",
    "FOLD",
    "RAISE",
    "BettingRound",
    "BettingTree",
    "DecisionPlace",
    "LimitBetting",
    "LimitStrategy",
    "betting_tree",
    "limit_tree",
    "open_strategy",
    "write_strategy",
]
