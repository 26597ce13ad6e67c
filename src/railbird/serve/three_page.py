"""What the pages of three players show: the form's example, and a decision of a solution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from railbird.report.number_format import percent
from railbird.serve.spots_page import (
    action_styles,
    cards_left,
    chips_words,
    path_to,
    sized_action_words,
)

THREE_NAMES: Final = ("First", "Second", "Third")
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


def three_point_of(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page shows of a point of a solution."""
    pot, actions = node["pot"], node["actions"]
    styles = action_styles(actions)
    styled_actions = list(zip(actions, styles, strict=True))
    return {
        "who": THREE_NAMES[node["player"]] if node["kind"] == "decision" else "",
        "kind": node["kind"],
        "board": node["board"],
        "pot": pot,
        "line": node["line"],
        "path": path_to(node, THREE_NAMES),
        "deck": cards_left(node) if node["kind"] == "later" else [],
        "ways": [
            {
                "words": sized_action_words(action, pot),
                "style": style,
                "share": "–" if share is None else percent(share, 0),
                "line": f"{node['line']} {action}".strip(),
            }
            for (action, style), share in zip(
                styled_actions, node["frequency"] or [None] * len(actions), strict=True
            )
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
            for row in node["rows"]
        ],
    }
