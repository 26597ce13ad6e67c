"""Output of ``railbird solve preflop``."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from railbird.cards import CLASS_NAMES
from railbird.cli._console import output
from railbird.errors import unknown_name
from railbird.report.toolkit.number_format import TOO_FEW, signed

if TYPE_CHECKING:
    from railbird.solve.preflop.game import PreflopAction, PreflopSolution

_SHOWN_ACTIONS = 2
"""Actions before a decision that is printed; all of them are in the JSON."""
_SEATS = ("small blind", "big blind")


def parse_actions(text: str) -> frozenset[PreflopAction]:
    """Read actions divided by commas. Raises `BadInput` for an unknown one."""
    from railbird.solve.preflop.game import PreflopAction

    known = [action.value for action in PreflopAction]
    for word in text.split(","):
        if word not in known:
            raise unknown_name("action", word, known)
    return frozenset(map(PreflopAction, text.split(",")))


def print_solved(solved: PreflopSolution, postflop: str | None) -> None:
    """Print the value, how often every action is taken, and the charts of the first decision.

    ``postflop`` is the player that plays on after the flop.
    """
    from railbird.report.pushfold.range_chart import range_text

    found = solved.solution
    output.print(
        f"small blind wins {_value(solved, postflop)}\n"
        f"a best response gains {found.exploitability:.1e} bb; {found.iterations:,} iterations "
        f"in {found.took_s:.2f} s"
    )
    output.print("\nhow often, % of all hands")
    early = [each for each in solved.decisions if each[0].name.count(",") < _SHOWN_ACTIONS]
    for decision, frequencies in early:
        shares = zip(decision.actions, solved.shares(frequencies), strict=True)
        words = ", ".join(f"{action} {100 * share:.1f}" for action, share in shares)
        output.print(f"  {_SEATS[decision.player]}, {decision.name}: {words}")
    if left := len(solved.decisions) - len(early):
        output.print(f"  and {left} later decisions, which --json has")
    decision, frequencies = solved.decisions[0]
    for action, chart in zip(decision.actions[1:], frequencies[1:], strict=True):
        output.print(f"\n{solved.game.stack:g} big blinds, small blind: {action}")
        output.print(range_text(chart))


def _value(solved: PreflopSolution, postflop: str | None) -> str:
    if postflop is None:
        return f"{signed(solved.value.value, 6)} bb a hand, hands checked down after a call"
    low, high = solved.value.interval()
    value = signed(solved.value.value, 4)
    within = f"± {(high - low) / 2:.4f} bb a hand (95 %)"
    return (
        f"{value} {within if isfinite(low) else f'bb a hand ({TOO_FEW})'}\n"
        f"after a call {postflop} plays on, on {solved.boards:,} boards"
    )


def solved_json(solved: PreflopSolution, postflop: str | None) -> dict[str, Any]:
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
