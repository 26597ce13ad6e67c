from . import responses, settings
from .betting_tree import (
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
from .responses import ObservedPlay, ResponseKind, ResponseSolver, find_response, observe_play
from .solving import (
    Algorithm,
    KeptStrategy,
    holdem_game,
    kept_strategies,
    solve_limit,
    solve_sampled,
    strategy_path,
)
from .strategy import LimitStrategy, open_strategy, write_strategy

__all__ = [
    "CALL",
    "FOLD",
    "RAISE",
    "Algorithm",
    "BettingRound",
    "BettingTree",
    "DecisionPlace",
    "KeptStrategy",
    "LimitBetting",
    "LimitStrategy",
    "ObservedPlay",
    "ResponseKind",
    "ResponseSolver",
    "betting_tree",
    "find_response",
    "holdem_game",
    "kept_strategies",
    "limit_tree",
    "observe_play",
    "open_strategy",
    "responses",
    "settings",
    "solve_limit",
    "solve_sampled",
    "strategy_path",
    "write_strategy",
]
