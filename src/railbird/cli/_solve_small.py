"""Output of ``railbird solve`` for small games: toy games, push/fold, limps and raises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from railbird import report, solve, tournament
from railbird.cards import CLASS_NAMES
from railbird.cli._console import output, print_table
from railbird.cli._hand_files import write_chart
from railbird.cli._play import amounts, blinds_of, bounties_json, prizes_of
from railbird.errors import BadInput, unknown_name
from railbird.report.document import Table
from railbird.report.number_format import TOO_FEW, percent, signed

_SHOWN_CHECKS = 12
_PLAYERS = ("first player", "second player")


def strategy_by_name(
    game: solve.Game, strategy: solve.Strategy
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
    game: solve.Game, actions: Sequence[str], rows: Sequence[Iterable[float]]
) -> dict[str, dict[str, float]]:
    columns = zip(*rows, strict=True)
    return {
        state: {action: float(p) for action, p in zip(actions, column, strict=True)}
        for state, column in zip(game.state_names, columns, strict=True)
    }


def print_toy_game(
    name: str, game: solve.Game, solved: Mapping[str, solve.Solution], *, titles: Mapping[str, str]
) -> None:
    """Print value, strategy and convergence of the first solution, the curves of all."""
    variant, first = next(iter(solved.items()))
    output.print(
        f"{name}: worth {signed(first.value, 7)} to the first player; "
        f"a best response gains {first.exploitability:.1e}\n"
        f"{first.iterations:,} iterations of {titles[variant]} in {first.took_s:.2f} s"
    )
    for player, decisions in strategy_by_name(game, first.strategy).items():
        rows = []
        for where, states in decisions.items():
            for place, action in enumerate(next(iter(states.values()))):
                shares = (f"{100 * shares[action]:.1f}" for shares in states.values())
                rows.append(("" if place else where, action, *shares))
        heads = ("when", "action", *game.state_names)
        print_table(Table(heads, rows, title=f"\n{player}, % of the time", names=2))
    rows = []
    curves = [dict(solution.curve) for solution in solved.values()]
    for iterations in _spread({point for curve in curves for point in curve}):
        shown = (f"{curve[iterations]:.1e}" if iterations in curve else "" for curve in curves)
        rows.append((f"{iterations:,}", *shown))
    print_table(Table(("iterations", *solved), rows, title="\nexploitability"))


def _spread(iterations: Iterable[int]) -> list[int]:
    """Choose a few of rising numbers of iterations, the last among them.

    >>> _spread(range(1, 1000))
    [1, 2, 4, 7, 12, 23, 43, 81, 152, 285, 533, 999]
    """
    rising = np.array(sorted(iterations))
    wanted = np.geomspace(rising[0], rising[-1], _SHOWN_CHECKS)
    nearest = np.abs(np.log(rising[:, None] / wanted)).argmin(axis=0)
    return [int(point) for point in rising[np.unique(nearest)]]


def draw_curves(name: str, curves: Mapping[str, Sequence[solve.CurvePoint]], path: Path) -> None:
    """Write convergence curves by their titles; the ending says the format."""
    chart = report.charts.convergence_chart(curves, amount="exploitability, antes a game")
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


# Output of ``railbird solve preflop``.


_SHOWN_ACTIONS = 2
"""Actions before a decision that is printed; all of them are in the JSON."""
_SEATS = ("small blind", "big blind")


def parse_actions(text: str) -> frozenset[solve.PreflopAction]:
    """Read actions divided by commas. Raises `BadInput` for an unknown one."""
    known = [action.value for action in solve.PreflopAction]
    for word in text.split(","):
        if word not in known:
            raise unknown_name("action", word, known)
    return frozenset(map(solve.PreflopAction, text.split(",")))


def print_preflop_game(solved: solve.PreflopSolution, postflop: str | None) -> None:
    """Print the value, how often every action is taken, and the charts of the first decision.

    ``postflop`` is the player that plays on after the flop.
    """
    solution = solved.solution
    output.print(
        f"small blind {_value(solved, postflop)}\n"
        f"a best response gains {solution.exploitability:.1e} bb; {solution.iterations:,} "
        f"iterations in {solution.took_s:.2f} s"
    )
    output.print("\nhow often, % of all hands")
    early = [pair for pair in solved.decisions if pair[0].name.count(",") < _SHOWN_ACTIONS]
    for decision, frequencies in early:
        shares = zip(decision.actions, solved.shares(frequencies), strict=True)
        words = ", ".join(f"{action} {100 * share:.1f}" for action, share in shares)
        output.print(f"  {_SEATS[decision.player]}, {decision.name}: {words}")
    if left := len(solved.decisions) - len(early):
        output.print(f"  and {left} later decisions, which --json has")
    decision, frequencies = solved.decisions[0]
    for action, chart in zip(decision.actions[1:], frequencies[1:], strict=True):
        output.print(f"\n{solved.game.stack:g} big blinds, small blind: {action}")
        output.print(report.range_text(chart))


def _value(solved: solve.PreflopSolution, postflop: str | None) -> str:
    value = solved.value.value
    wins = f"{'loses' if value < 0 else 'wins'} {abs(value):.{6 if postflop is None else 4}f}"
    if postflop is None:
        return f"{wins} bb a hand, hands checked down after a call"
    low, high = solved.value.interval()
    within = f"± {(high - low) / 2:.4f} bb a hand (95 %)"
    return (
        f"{wins} {within if isfinite(low) else f'bb a hand ({TOO_FEW})'}\n"
        f"after a call {postflop} plays on, on {solved.boards:,} boards"
    )


def solved_json(solved: solve.PreflopSolution, postflop: str | None) -> dict[str, Any]:
    """Return the output of ``--json``: every decision by seat, line, action and hand."""
    return {
        "stack": solved.game.stack,
        "actions": sorted(solved.game.actions),
        "value_small_blind_bb": solved.solution.value,
        "stderr_bb": solved.value.stderr,
        "postflop": postflop,
        "boards": solved.boards,
        "exploitability_bb": solved.solution.exploitability,
        "iterations": solved.solution.iterations,
        "decisions": [
            {
                "seat": _SEATS[decision.player],
                "after": decision.name,
                "actions": {
                    action: {
                        "share": float(share),
                        "chart": dict(zip(CLASS_NAMES, row.tolist(), strict=True)),
                    }
                    for action, share, row in zip(
                        decision.actions, solved.shares(frequencies), frequencies, strict=True
                    )
                },
            }
            for decision, frequencies in solved.decisions
        ],
    }


# ``railbird solve pushfold`` for a table: the options' table, and what is printed.


def table_of(
    *,
    players: int | None,
    stack: float,
    stacks: str | None,
    payouts: str | None,
    blinds: str | None,
    ante: float,
    big_blind_ante: float,
    bounties: tournament.Bounties | None,
    future_hands: int,
) -> solve.PushFoldTable:
    """Return the table that the options describe. Raises `BadInput`."""
    sizes = [] if stacks is None else amounts("--stacks", stacks, "10,8,12")
    if players is not None and sizes and players != len(sizes):
        raise BadInput(f"--seats {players} with {len(sizes)} stacks; allowed: one of the two")
    if len(sizes) == 1:
        raise BadInput(
            f"--stacks {stacks}; allowed: one for each of 2 to 9 seats, or --stack for equal ones"
        )
    posted = (0.5, 1.0) if blinds is None else blinds_of(blinds)
    return solve.PushFoldTable(
        stacks=tuple(sizes or [stack * posted[1]] * (players or 2)),
        payouts=None if payouts is None else tuple(prizes_of(payouts)),
        blinds=posted,
        ante=ante,
        big_blind_ante=big_blind_ante,
        bounties=bounties,
        future_hands=future_hands,
    )


def print_solution(solution: solve.TableSolution, seat: str | None) -> None:
    """Print a row for each seat and its ranges, and the charts of one seat if it is named."""
    output.print(report.pushfold_pages.heading(solution))
    output.print(report.pushfold_pages.convergence(solution))
    if len(solution.table.stacks) > solve.settings.MOST_IN:
        output.print(report.pushfold_pages.crowded(solution))
    for words in report.pushfold_pages.assumptions(solution):
        output.print(words)
    output.print()
    print_table(_seats(solution))
    seats = solution.table.seats
    for place in solution.table.forced:
        output.print(f"\n{seats[place]} is all-in with what it posts")
    for node in solution.strategy:
        if node[0] in solution.table.forced:
            continue
        if node[1] if seat is None else seats[node[0]] != seat:
            continue
        name = f"{seats[node[0]]} {report.pushfold_pages.situation(seats, node[1])}"
        output.print(f"\n{name}: {report.pushfold_pages.range_words(solution, node)}")
        if seat is not None and len(node[1]) < 2:
            output.print(report.range_text(solution.strategy[node]))


def _seats(solution: solve.TableSolution) -> Table:
    """What the hand is worth to each seat, and how often it goes all-in in each situation."""
    table, seats = solution.table, solution.table.seats
    held, rows = report.pushfold_pages.equities(table), []
    for seat, name in enumerate(seats):
        cells = [
            percent(solution.share(node)) if (node := (seat, inside)) in solution.strategy else ""
            for inside in [(), *((other,) for other in range(len(seats) - 1))]
        ]
        equity = [cells[seat] for cells in held.values()]
        worth = signed(float(solution.values.seats[seat]), 4)
        rows.append((name, f"{table.stacks[seat]:g}", *equity, worth, *cells))
    heads = ("seat", "stack", *held, "hand worth", "first in")
    return Table((*heads, *(f"v {name}" for name in seats[:-1])), rows)


def solution_json(solution: solve.TableSolution) -> dict[str, object]:
    """Return all numbers of a solution."""
    table, values = solution.table, solution.values
    seats = table.seats
    return {
        "seats": list(seats),
        "stacks": list(table.stacks),
        "blinds": list(table.blinds),
        "ante": table.ante,
        "big_blind_ante": table.big_blind_ante,
        "forced": [seats[seat] for seat in table.forced],
        "payouts": None if table.payouts is None else list(table.payouts),
        "bounties": bounties_json(table.bounties),
        "future_hands": table.future_hands,
        "unit": table.unit,
        "value": values.seats.tolist(),
        "best_response_gains": values.gains.tolist(),
        "exploitability_percent": 100 * solution.exploitability / table.whole,
        "worst_percent": 100 * solution.worst / table.whole,
        "discrepancy": solution.discrepancy,
        "crowded": solution.crowded,
        "iterations": solution.iterations,
        "took_s": solution.took_s,
        "finished": solution.finished,
        "decisions": [
            {
                "seat": seats[node[0]],
                "behind": [seats[seat] for seat in node[1]],
                "reached": solution.reached(node),
                "all_in": solution.share(node),
                "range": report.pushfold_pages.range_words(solution, node),
                "chart": solve.by_name(solution.strategy[node]),
                "value": {
                    "all_in": solve.by_name(values.push[node]),
                    "fold": solve.by_name(values.fold[node]),
                },
            }
            for node in solution.strategy
        ],
    }
