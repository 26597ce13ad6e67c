"""The rating of one person's play in any hold'em, in words, as a key figure and as a table.

`play_document` begins with it, and ``railbird rate`` is nothing else.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from railbird.estimates.estimate import ALPHA
from railbird.report.document import KeyFigure, Table
from railbird.report.number_format import counted, display_name, number, percent

if TYPE_CHECKING:
    from railbird.assessment.play_rating import LostByDecisions, PlayRating

_TITLES: Final = {
    "street": "street",
    "position": "position",
    "action": "what was done",
    "by": "judged by",
}


def rating_words(rating: PlayRating) -> str:
    """Say in a sentence what decisions lost, and of how many that can be said."""
    lost, unit, name = rating.lost, rating.unit, display_name(rating.player)
    if not lost.decisions:
        return f"{name} had nothing to decide."
    share = f"{lost.judged:,} of {counted(lost.decisions, 'decision')} ({_share(lost)})"
    if not rating.withheld:
        value, low, high = rating.per_100
        return (
            f"{name}'s decisions gave up {number(value, 1)} {unit} in 100 hands "
            f"({percent(1 - ALPHA, 0)}: {_range(low, high, 1)}), as far as their cost is known; "
            f"{share} could be judged."
        )
    few = rating.withheld
    if "could be judged" in few:
        few = f"only {share} could be judged"
    return f"How good {name}'s decisions were is not known: {few}."


def rating_key(rating: PlayRating) -> KeyFigure:
    """Return what a decision lost as a number set large, or how many could be judged."""
    lost = rating.lost
    judged = f"{_share(lost)} of {counted(lost.decisions, 'decision')} judged"
    if math.isnan(lost.value):
        return KeyFigure("lost by decisions", "not known", judged)
    value, low, high = rating.per_100
    return KeyFigure(
        f"lost by decisions, {rating.unit}/100",
        number(value, 1),
        f"{_range(low, high, 1)}; {judged}",
    )


def rating_table(rating: PlayRating) -> Table:
    """Return all decisions, then their parts."""
    rows = [_row("all", rating.lost)]
    for part, losses in rating.parts.items():
        rows += [_row(f"{_TITLES[part]}: {name}", lost) for name, lost in losses.items()]
    columns = ("decisions", "number", "judged", "mbb lost", "95 %", "close", "mistakes", "blunders")
    return Table(columns, rows, strong=(0,))


def _row(name: str, lost: LostByDecisions) -> tuple[str, ...]:
    return (
        name,
        f"{lost.decisions:,}",
        percent(lost.judged_share, 0),
        "–" if math.isnan(lost.value) else number(lost.value, 0),
        _range(lost.low, lost.high, 0) if lost.bounded else "–",
        f"{lost.close:,}",
        f"{lost.mistakes:,}",
        f"{lost.blunders:,}",
    )


def _share(lost: LostByDecisions) -> str:
    """Write the judged share, of few with a decimal: nothing judged is not the same as little."""
    return percent(lost.judged_share, 0 if lost.judged_share >= 0.1 or not lost.judged else 1)


def _range(low: float, high: float, decimals: int) -> str:
    if not math.isfinite(high):
        return "too few to say"
    return f"{number(low, decimals)} to {number(high, decimals)}"
