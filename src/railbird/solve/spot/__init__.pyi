from . import many_boards, notations, presets, solution, solving, spot, training
from .files import check_without_river, is_solution, open_solution, save_solution
from .hands import SpotTable, deal_hands
from .many_boards import (
    BoardResult,
    BoardSpot,
    OpenSpot,
    WeightedBoard,
    all_flops,
    mean_over_boards,
    read_boards,
    solve_boards,
)
from .preflop import PreflopSpot
from .solution import (
    GAP_PERCENT,
    MOST_ITERATIONS,
    PreflopDecision,
    SpotNode,
    SpotSolution,
    begun,
    check_boards,
    preflop_decisions,
    resume,
    rows_as_csv,
    solve_spot,
)
from .solving import DiscountSchedule, SpotSolver
from .spot import BetSizes, Lock, Spot, Utility, same_sizes
from .tree import left_out

__all__ = [
    "GAP_PERCENT",
    "MOST_ITERATIONS",
    "BetSizes",
    "BoardResult",
    "BoardSpot",
    "DiscountSchedule",
    "Lock",
    "OpenSpot",
    "PreflopDecision",
    "PreflopSpot",
    "Spot",
    "SpotNode",
    "SpotSolution",
    "SpotSolver",
    "SpotTable",
    "Utility",
    "WeightedBoard",
    "all_flops",
    "begun",
    "check_boards",
    "check_without_river",
    "deal_hands",
    "is_solution",
    "left_out",
    "many_boards",
    "mean_over_boards",
    "notations",
    "open_solution",
    "preflop_decisions",
    "presets",
    "read_boards",
    "resume",
    "rows_as_csv",
    "same_sizes",
    "save_solution",
    "solution",
    "solve_boards",
    "solve_spot",
    "solving",
    "spot",
    "training",
]
