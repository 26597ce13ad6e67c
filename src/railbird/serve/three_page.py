"""What the pages of three players show: the form's example, and a decision of a solution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from railbird.report.number_format import percent
from railbird.serve.spots_page import action_styles, chips_words, sized_action_words

THREE_NAMES: Final = ("First to act", "Second", "Third")
THREE_GAPS: Final = {"2": "2 %, a first look", "1": "1 %", "0.5": "0.5 %, fine"}
EXAMPLE: Final = """board = Td9d6hQc2s
pot = 120
stacks = 300, 180, 300
first = 66+,A8s+,KQo,J8s
second = QQ-22,ATo+,KJs
third = TT-66,AJs,KQs,87s,76s
bets = 60%
raises = a
"""


def three_of(facts: Mapping[str, Any], pot: int) -> list[dict[str, str]]:
    """Return what each of the three gets, and could gain alone."""
    return [
        {
            "name": name,
            "ev": chips_words(ev),
            "gain": f"{gain:,.2f}",
            "part": percent(gain / pot, 2),
        }
        for name, ev, gain in zip(THREE_NAMES, facts["ev"], facts["gains"], strict=True)
    ]


def three_point_of(points: Mapping[str, Any], line: str) -> dict[str, Any] | None:
    """Return what a page shows of a decision; None of one that is not there."""
    point = points.get(line)
    if point is None:
        return None
    pot, actions = point["pot"], point["actions"]
    styles = action_styles(actions)
    styled_actions = list(zip(actions, styles, strict=True))
    path = []
    words = ""
    for step in _steps(line, points):
        path.append({"words": step, "line": words, "who": THREE_NAMES[points[words]["seat"]]})
        words = f"{words} {step}".strip()
    return {
        "who": THREE_NAMES[point["seat"]],
        "pot": pot,
        "line": line,
        "path": path,
        "ways": [
            {
                "words": sized_action_words(action, pot),
                "style": style,
                "share": "–" if share != share or share is None else percent(share, 0),
                "line": next_line if (next_line := f"{line} {action}".strip()) in points else "",
            }
            for (action, style), share in zip(styled_actions, point["frequency"], strict=True)
        ],
        "rows": [
            {
                "name": row["name"],
                "reach": f"{row['reach']:.1f}",
                "worth": [
                    {
                        "words": sized_action_words(action, pot),
                        "style": style,
                        "share": percent(share, 0),
                        "ev": chips_words(value),
                        "is_best": value == max(row["values"]),
                    }
                    for (action, style), share, value in zip(
                        styled_actions, row["mix"], row["values"], strict=True
                    )
                ],
            }
            for row in point["rows"]
        ],
    }


def _steps(line: str, points: Mapping[str, Any]) -> list[str]:
    """Return the actions of a line, each as it is written."""
    steps: list[str] = []
    words = ""
    while words != line:
        rest = line.removeprefix(words).strip()
        step = max(
            (action for action in points[words]["actions"] if f"{rest} ".startswith(f"{action} ")),
            key=len,
        )
        steps.append(step)
        words = f"{words} {step}".strip()
    return steps
