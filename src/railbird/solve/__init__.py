"""Solvers for two-player zero-sum games: counterfactual regret minimisation, and push/fold."""

from railbird.solve.best_responses import (
    best_response,
    best_response_values,
    exploitability,
    values,
)
from railbird.solve.cfr import CfrVariant, Check, Solution, Solver, solve
from railbird.solve.game_tree import Chance, Decision, Game, Node, Terminal, compile_game
from railbird.solve.kuhn import kuhn
from railbird.solve.leduc import leduc
from railbird.solve.pushfold.heads_up import (
    BIG_BLIND,
    COMBINATIONS,
    SMALL_BLIND,
    PushFold,
    PushFoldSolution,
    PushFoldValues,
    Seat,
    best_response_call,
    best_response_push,
    frequencies_of,
    pushfold_ev,
    share,
    solve_pushfold,
)
from railbird.solve.pushfold.table.game import PushFoldTable
from railbird.solve.pushfold.table.solver import TableSolution, solve_pushfold_table
from railbird.solve.pushfold.thresholds import Span, Sweep, sweep
from railbird.solve.settings import LEAST_STACK, MOST_STACK
from railbird.solve.strategy import Strategy, uniform
from railbird.solve.strategy_text import Chart, by_name, range_frequencies, read_chart

__all__ = [
    "BIG_BLIND",
    "COMBINATIONS",
    "LEAST_STACK",
    "MOST_STACK",
    "SMALL_BLIND",
    "CfrVariant",
    "Chance",
    "Chart",
    "Check",
    "Decision",
    "Game",
    "Node",
    "PushFold",
    "PushFoldSolution",
    "PushFoldTable",
    "PushFoldValues",
    "Seat",
    "Solution",
    "Solver",
    "Span",
    "Strategy",
    "Sweep",
    "TableSolution",
    "Terminal",
    "best_response",
    "best_response_call",
    "best_response_push",
    "best_response_values",
    "by_name",
    "compile_game",
    "exploitability",
    "frequencies_of",
    "kuhn",
    "leduc",
    "pushfold_ev",
    "range_frequencies",
    "read_chart",
    "share",
    "solve",
    "solve_pushfold",
    "solve_pushfold_table",
    "sweep",
    "uniform",
    "values",
]
