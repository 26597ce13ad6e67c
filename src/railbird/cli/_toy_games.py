"""Output of ``railbird solve toy``: a game's value, its strategy, the variants' convergence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table

from railbird.cli._chart_files import write_chart
from railbird.cli._console import output, print_table
from railbird.report.toolkit.number_format import signed

if TYPE_CHECKING:
    from railbird.solve import Check, Game, Solution, Strategy

_SHOWN_CHECKS = 12
_PLAYERS = ("first player", "second player")


def strategy_by_name(
    game: Game, strategy: Strategy
) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """Return a strategy as player, decision, state, action and its probability."""
    answer = {}
    for player, (name, decisions) in enumerate(zip(_PLAYERS, game.decisions, strict=True)):
        rows = iter(strategy[player])
        answer[name] = {
            decision.name: _by_state(game, decision.actions, [next(rows) for _ in decision.actions])
            for decision in decisions
        }
    return answer


def _by_state(
    game: Game, actions: Sequence[str], rows: Sequence[Iterable[float]]
) -> dict[str, dict[str, float]]:
    columns = zip(*rows, strict=True)
    return {
        state: {action: float(p) for action, p in zip(actions, column, strict=True)}
        for state, column in zip(game.state_names, columns, strict=True)
    }


def print_solved(
    name: str, game: Game, solved: Mapping[str, Solution], *, titles: Mapping[str, str]
) -> None:
    """Print value, strategy and convergence of the first solution, the curves of all."""
    variant, first = next(iter(solved.items()))
    output.print(
        f"{name}: worth {signed(first.value, 7)} to the first player; "
        f"a best response gains {first.exploitability:.1e}\n"
        f"{first.iterations:,} iterations of {titles[variant]} in {first.took_s:.2f} s"
    )
    for player, decisions in strategy_by_name(game, first.strategy).items():
        table = Table(box=None, title=f"\n{player}, % of the time", title_justify="left")
        table.add_column("when")
        table.add_column("action")
        for state in game.state_names:
            table.add_column(state, justify="right")
        for where, states in decisions.items():
            for number, action in enumerate(next(iter(states.values()))):
                shares = (f"{100 * shares[action]:.1f}" for shares in states.values())
                table.add_row("" if number else where, action, *shares)
        print_table(table, lead=2)
    table = Table(box=None, title="\nexploitability", title_justify="left")
    for heading in ("iterations", *solved):
        table.add_column(heading, justify="right")
    curves = [dict(solution.curve) for solution in solved.values()]
    for iterations in _spread({point for curve in curves for point in curve}):
        shown = (f"{curve[iterations]:.1e}" if iterations in curve else "" for curve in curves)
        table.add_row(f"{iterations:,}", *shown)
    print_table(table)


def _spread(iterations: Iterable[int]) -> list[int]:
    """Choose a few of rising numbers of iterations, the last among them.

    >>> _spread(range(1, 1000))
    [1, 2, 4, 7, 12, 23, 43, 81, 152, 285, 533, 999]
    """
    rising = np.array(sorted(iterations))
    wanted = np.geomspace(rising[0], rising[-1], _SHOWN_CHECKS)
    nearest = np.abs(np.log(rising[:, None] / wanted)).argmin(axis=0)
    return [int(point) for point in rising[np.unique(nearest)]]


def draw_curves(name: str, curves: Mapping[str, Sequence[Check]], path: Path) -> None:
    """Write convergence curves by their titles; the ending says the format."""
    from railbird.report.toolkit.convergence_chart import convergence_chart

    chart = convergence_chart(curves, amount="exploitability, antes a game")
    ends = "; ".join(
        f"{title}, {curve[-1].exploitability:.1e} after {curve[-1].iterations:,} iterations"
        for title, curve in curves.items()
    )
    write_chart(
        chart,
        path,
        size=(720, 400),
        title=f"Exploitability of {name.capitalize()} by iteration",
        words=f"Exploitability of the average strategy at the end: {ends}.",
    )
