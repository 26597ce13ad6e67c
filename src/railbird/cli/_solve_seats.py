"""``railbird solve preflop --seats``: charts by position for a table of two to six."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from railbird import game, report, solve
from railbird.cli._console import output, print_json, print_table, resumable_progress
from railbird.errors import BadInput
from railbird.report.number_format import signed
from railbird.solve.preflop_seats import SeatsGame, SeatsSolver, first_in, frequencies, solve_seats
from railbird.solve.spot.spot import read_sizes

DEALS = 3_000_000
"""By which a table is solved."""

_RESPONSE_PART = 4
"""A response learns from a quarter as many deals, and is measured on as many again."""


def seats_game(
    seats: int, stack: float, opens: str | None, reraises: str | None, rake: str | None
) -> SeatsGame:
    """Return the game that options name. Raises `BadInput`."""
    rules: dict[str, Any] = {"seats": seats, "stack": stack}
    for key, text in (("opens", opens), ("reraises", reraises)):
        if text is not None:
            try:
                rules[key] = read_sizes(text)
            except BadInput as problem:
                raise BadInput(f"--{key}: {problem}") from None
    if rake is not None:
        tier = game.parse_rake(rake).tier(seats)
        rules["rake"] = float(tier.share)
        if tier.cap is not None:
            rules["rake_cap"] = float(tier.cap)
    return SeatsGame(**rules)


def solve_table(rules: SeatsGame, deals: int, seed: int, *, as_json: bool) -> None:
    """Solve a table and print what every seat wins, and the charts of who enters first."""
    solve.preflop_seats.seats_tree(rules)
    with resumable_progress() as notify:
        solver = solve_seats(rules, deals, seed=seed, progress=notify)
        response_deals = max(solver.deals // _RESPONSE_PART, 1)
        won = []
        for number, name in enumerate(rules.names):
            notify(number, rules.seats, "responses")
            gains = solver.gains(number, learn=response_deals, measure=response_deals)
            won.append((name, *gains))
    if as_json:
        print_json(_answer(solver, won))
        return
    output.print(
        f"{rules.seats} seats, {rules.stack:g} big blinds: {solver.tree.slots:,} actions, "
        f"{solver.deals:,} deals"
    )
    rows = [(name, signed(ev.value, 3), _within(ev), _gain(more)) for name, ev, more in won]
    columns = ("seat", "bb a hand", "95 %", "a response gains, mbb")
    print_table(report.Table(columns, rows))
    for name, line in first_in(rules).items():
        seat, chart = solver.chart(line)
        words = ", ".join(f"{act} {100 * share:.1f} %" for act, share in frequencies(chart).items())
        output.print(f"\n{name} if all before fold: {words}")
        for action, shares in chart.items():
            if action != "fold":
                output.print(f"\n{seat}: {action}")
                output.print(report.range_text(shares))


def _within(estimate: Any) -> str:
    low, high = estimate.interval()
    return f"± {(high - low) / 2:.3f}"


def _gain(estimate: Any) -> str:
    low, high = estimate.interval()
    return (
        f"{signed(1000 * estimate.value, 0)} ({signed(1000 * low, 0)} to {signed(1000 * high, 0)})"
    )


def _answer(solver: SeatsSolver, won: Sequence[tuple[str, Any, Any]]) -> dict[str, Any]:
    answer = []
    for node, line in sorted(_lines(solver).items()):
        if node > _MOST_CHARTS or solver.tree.actor[node] < 0:
            continue
        seat, chart = solver.chart(line)
        answer.append(
            {
                "line": list(line),
                "seat": seat,
                "frequencies": frequencies(chart),
                "chart": {action: shares.round(4).tolist() for action, shares in chart.items()},
            }
        )
    return {
        "seats": list(solver.game.names),
        "stack": solver.game.stack,
        "deals": solver.deals,
        "won": {name: ev.as_json() for name, ev, _ in won},
        "gains": {name: more.as_json() for name, _, more in won},
        "charts": answer,
    }


_MOST_CHARTS = 200
"""Points of the betting whose charts JSON has: those that come first."""


def _lines(solver: SeatsSolver) -> dict[int, tuple[str, ...]]:
    lines: dict[int, tuple[str, ...]] = {0: ()}
    for node, actions in enumerate(solver.tree.actions[:_MOST_CHARTS]):
        for number, action in enumerate(actions):
            lines[int(solver.tree.first[node]) + number] = (*lines[node], action)
    return lines
