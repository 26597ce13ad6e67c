"""The course of somebody's results in words and rows: stretches, and whether the play changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from railbird.estimates.settings import ALPHA
from railbird.report.toolkit.number_format import (
    chance,
    counted,
    decimals_for,
    display_name,
    interval_of,
    signed,
)

if TYPE_CHECKING:
    from railbird.assessment.change_of_play import ChangeOfPlay
    from railbird.estimates import Estimate

_NEARLY_ALL: Final = 0.99
COLUMNS: Final = ("hands", "a hand (95 % interval)")


def course_words(name: str, course: ChangeOfPlay, unit: str, *, players: int = 1) -> str:
    """Return whether the play changed; a shift that chance often makes says nothing.

    ``players`` is how many were tested beside each other.
    """
    looked = "somewhere in the match"
    if players > 1:
        looked += f" for one of {players} players"
    if course.p_value > ALPHA:
        return (
            f"No change of play shows in {name}’s results: without one, a shift this large "
            f"{looked} happens in {_often(course.p_value)}."
        )
    return (
        f"{name}’s results changed, most likely after about hand {course.change.place:,}: "
        f"{_shown(course.before.mean)} {unit} a hand before, {_shown(course.after.mean)} after. "
        f"Without a change, a shift this large {looked} happens in {chance(course.p_value)} of "
        "matches. The hand was chosen where both sides differ most, so the true difference is "
        "smaller."
    )


def courses_words(courses: Mapping[str, ChangeOfPlay], unit: str) -> str:
    """Return text on whose play changed, of several players tested together."""
    changed = [name for name, course in courses.items() if course.p_value <= ALPHA]
    if not changed:
        who = f"of {counted(len(courses), 'player')} " if len(courses) > 1 else ""
        return (
            f"No change of play shows in the results {who}with a thousand hands or more: shifts as "
            "large as theirs happen by chance."
        )
    return " ".join(
        course_words(display_name(name), courses[name], unit, players=len(courses))
        for name in changed
    )


def course_rows(course: ChangeOfPlay) -> tuple[tuple[str, str], ...]:
    """Return a row of `COLUMNS` for each stretch."""
    return tuple(
        (f"{stretch.first + 1:,} to {stretch.end:,}", _shown(stretch.mean))
        for stretch in course.stretches
    )


def _often(p: float) -> str:
    return f"{chance(p)} of matches" if p < _NEARLY_ALL else "nearly every match"


def _shown(mean: Estimate) -> str:
    decimals = decimals_for(mean.stderr)
    return f"{signed(mean.value, decimals)} ({interval_of(mean, decimals)})"
