"""Words on what the house took of the hands that were assessed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from railbird.report.toolkit.number_format import display_name, total

if TYPE_CHECKING:
    from railbird.assessment.decision_divat.match import TableAssessment

BEFORE: Final = "fitted, DIVAT and luck"
"""Of a match of two: scores before rake."""
_ROUNDING: Final = 1e-9
"""Rake below which it is that of rules, which every value knows of."""


def rake_of_match(raked: Iterable[tuple[str, float]], unit: str, *, before: str = BEFORE) -> str:
    """Say what the house took of both players' winnings; nothing without rake.

    >>> rake_of_match([("Ann", 3.0), ("Bob", 1.5)], "sb").partition(":")[0]
    'The house took 4.5 sb, 3.0 of Ann’s winnings and 1.5 of Bob’s'
    """
    (first, one), (second, two) = raked
    if not one and not two:
        return ""
    return (
        f"The house took {total(one + two)} {unit}, {total(one)} of {display_name(first)}’s "
        f"winnings and {total(two)} of {display_name(second)}’s: money is net of it, {before} "
        "are before rake."
    )


def rake_of_matches(raked: float, unit: str, *, money_alone: bool) -> str:
    """Say what the house took of several matches of two; nothing without rake."""
    if not raked:
        return ""
    others = "" if money_alone else ", all else is before rake"
    return f"The house took {total(raked)} {unit}: money is net of it{others}."


def rake_of_table(assessment: TableAssessment) -> str:
    """Say what the house took, and which figures are net of it; nothing without rake."""
    if not assessment.raked:
        return ""
    took = f"The house took {total(assessment.raked)} {assessment.unit}"
    if rake_apart(assessment):
        return (
            f"{took}: money, DIVAT and the other estimates of a result are net of it, luck and "
            "decisions before rake."
        )
    return f"{took}; every figure is net of it."


def rake_apart(assessment: TableAssessment) -> bool:
    """Return whether rake is a summand of its own, as the rules of a hand do not state it."""
    return bool(assessment.hands) and bool((assessment.scores["rake"].abs() > _ROUNDING).any())
