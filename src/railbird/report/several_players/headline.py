"""The first words on a match of any hold'em: the result, which estimator decides, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from railbird.assessment.settings import FEWEST_HANDS
from railbird.estimates.result_units import ResultUnit
from railbird.report.toolkit.number_format import (
    counted,
    decimals_for,
    display_name,
    interval_of,
    number,
    signed,
)
from railbird.report.toolkit.rake_text import rake_of_table

if TYPE_CHECKING:
    from railbird.assessment import Estimator
    from railbird.assessment.decision_divat.match import TableAssessment
    from railbird.estimates import Estimate

_NAMED: Final = 2
"""Players who are named on each side."""


def headline(assessment: TableAssessment, player: str | None = None) -> str:
    """Return the result for one player or the table, and the estimator that decides."""
    said = f"{result_words(assessment, player)} {reason_words(assessment, player)}"
    return f"{said} {rake_of_table(assessment)}".rstrip()


def sample_words(assessment: TableAssessment) -> str:
    """Say, after a space, that scores needing all cards are of a selected sample."""
    if not assessment.hidden:
        return ""
    known = counted(assessment.hands)
    return f" Of the {known} whose cards are all known; they are not representative."


def deciding(assessment: TableAssessment, player: str) -> Estimate:
    """Return the estimate that decides; the money where the player has no other."""
    return (
        assessment.estimate(player, assessment.decision(player).decides)
        or assessment.money_of_all[player]
    )


def ranking(assessment: TableAssessment, players: Iterable[str]) -> list[str]:
    """Put players in the order of a table: by result, then those of too few hands, by hands."""

    def place(name: str) -> tuple[bool, float]:
        mean = deciding(assessment, name)
        return not mean.enough, -mean.value if mean.enough else -mean.n

    return sorted(players, key=place)


def shown_estimators(assessment: TableAssessment, names: Iterable[str]) -> list[Estimator]:
    """Choose estimators by name, except those that apply to nobody."""
    wanted = set(names)
    return [
        estimator
        for estimator in assessment.estimators
        if estimator.name in wanted
        and any(
            assessment.estimate(player, estimator.name) is not None for player in assessment.players
        )
    ]


def result_words(assessment: TableAssessment, player: str | None = None) -> str:
    """Return who won and lost beyond chance, with intervals."""
    unit = ResultUnit(assessment.unit).words
    if player is not None:
        mean = deciding(assessment, player)
        return f"{display_name(player)}: {_shown(mean)} {unit} a hand{_meaning(mean)}."
    ranked = ranking(assessment, assessment.players)
    means = {name: deciding(assessment, name) for name in ranked}
    won = [name for name in ranked if means[name].low > 0]
    lost = sorted((name for name in ranked if means[name].high < 0), key=lambda n: means[n].value)
    if not won and not lost:
        first = ranked[0]
        said = "Nobody won or lost more than luck alone could explain"
        if not means[first].enough:
            return "Too few hands to say who is better."
        return (
            f"{said}; the best result is "
            f"{display_name(first)}’s, {_shown(means[first])} {unit} a hand."
        )
    told = [
        f"{verb} {_listed(names, means)}" for verb, names in (("won", won), ("lost", lost)) if names
    ]
    return f"Beyond chance {' and '.join(told)}, {unit} a hand."


def _listed(names: list[str], means: dict[str, Estimate]) -> str:
    shown = ", ".join(f"{display_name(name)} {_shown(means[name])}" for name in names[:_NAMED])
    more = len(names) - _NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _shown(mean: Estimate) -> str:
    decimals = decimals_for(mean.stderr)
    return f"{signed(mean.value, decimals)} ({interval_of(mean, decimals)})"


def _meaning(mean: Estimate) -> str:
    if not mean.enough:
        return ""
    return ", beyond chance" if mean.low > 0 or mean.high < 0 else ", which luck could explain"


def fitted_words(
    said: str, *, hands: int, forward: bool, reduction: float | None, of: str = "hand"
) -> str:
    """Say how the fitted estimate takes luck out of the money, after why it decides.

    ``reduction`` is the variance of the money over the estimate's, ``of`` a hand or a deal.

    >>> fitted_words("Fitted decides", hands=80, forward=False, reduction=2.6).partition(" (")[2]
    "fixed coefficients; a hand's variance ÷ 2.60)."
    """
    how = "fitted on earlier hands" if forward else "cross-fitted"
    kind = how if hands >= FEWEST_HANDS else "fixed"
    return (
        f"{said}. Luck is taken out of the money ({kind} coefficients; a {of}'s variance ÷ "
        f"{number(reduction, 2)})."
    )


def reason_words(assessment: TableAssessment, player: str | None = None) -> str:
    """Say what decides and why, which the kind of log fixed before any number was seen."""
    decision = assessment.decision(player)
    who = player or assessment.hero
    title = next(
        (one.title for one in assessment.estimators if one.name == decision.decides), "Money"
    )
    for_whom = f" for {display_name(who)}" if who else ""
    said = f"{title} decides{for_whom}: {decision.reason}"
    if decision.decides == "fitted":
        reduction = assessment.variance_reduction[player or "all"].get("fitted")
        return fitted_words(
            said, hands=decision.hands, forward=assessment.forward, reduction=reduction
        )
    if decision.decides == "money" and assessment.hands:
        return (
            f"{said}, and the hands whose cards were all shown are not a representative sample. "
            f"DIVAT and fitted are of {counted(assessment.hands)} alone."
        )
    return f"{said}."
