"""The first words on a match of any hold'em: the result, which estimator decides, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from railbird.assessment.change_of_play import holm
from railbird.assessment.estimator import Cards
from railbird.assessment.settings import FEWEST_HANDS
from railbird.estimates.result_units import ResultUnit
from railbird.estimates.settings import LEVEL
from railbird.report.toolkit.number_format import (
    counted,
    decimals_for,
    display_name,
    interval_of,
    signed,
    times,
)
from railbird.report.toolkit.rake_text import rake_apart, rake_of_table

if TYPE_CHECKING:
    from railbird.assessment import Estimator
    from railbird.assessment.decision_divat.match import TableAssessment
    from railbird.estimates import Estimate

_ONE_TEST: Final = 2
"""Players up to whom all results are one: what one of two wins the other loses."""
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


def selected_words(assessment: TableAssessment, names: Iterable[str]) -> str:
    """Say which of the estimators ``names`` are of a selected sample; nothing if none is."""
    titles = [
        estimator.title
        for estimator in shown_estimators(assessment, names)
        if estimator.cards is Cards.ALL
    ]
    if not assessment.hidden or not titles:
        return ""
    verb = "are" if titles[1:] else "is"
    known = counted(assessment.hands)
    return f"{listed(titles)} {verb} of the {known} whose cards are all known, a selected sample."


def sum_words(assessment: TableAssessment) -> str:
    """Say what the rows and columns of the crosstable add up to."""
    apart = rake_apart(assessment)
    rows = "" if assessment.raked and not apart else "rows add up to zero, "
    columns = f"columns{'' if rows else ' add up'} to DIVAT{' and rake' if apart else ''}"
    met = {cell.n for cell in assessment.crosstable.cells.values()}
    weighted = ", weighted by the hands that two played together," if len(met) > 1 else ""
    return f"Over all players{weighted} {rows}{columns} less position."


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


def usual_estimators(assessment: TableAssessment) -> list[str]:
    """Name the estimators of a table that nobody asked for.

    Where cards are hidden these are the ones that decide: others would be of a selected sample.
    """
    decide = {one.decides for one in assessment.evidence.values()}
    return [
        one.name
        for one in assessment.estimators
        if (one.listed and not (assessment.hidden and one.cards is Cards.ALL)) or one.name in decide
    ]


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


def lines_of(assessment: TableAssessment, player: str) -> dict[str, str]:
    """Return the columns drawn for a player, and their names."""
    decides = assessment.decision(player).decides
    titles = {one.name: one.title for one in assessment.estimators}
    return {
        name: title if title.isupper() else title.lower()
        for name in dict.fromkeys(("money", decides))
        for title in [titles[name]]
    }


def result_words(assessment: TableAssessment, player: str | None = None) -> str:
    """Return who won and lost beyond chance, with intervals; of a hero's log, about the hero."""
    unit = ResultUnit(assessment.unit).words
    player = player or assessment.hero
    if player is not None:
        return result_of(player, deciding(assessment, player), unit)
    means = {
        name: assessment.estimate(name, assessment.headline) or assessment.money_of_all[name]
        for name in assessment.players
    }
    enough = sorted(
        (name for name in means if means[name].enough), key=lambda name: -means[name].value
    )
    if not enough:
        return "Too few hands to say who is better."
    proven = beyond_chance({name: means[name] for name in enough})
    won = [name for name in enough if name in proven and means[name].value > 0]
    lost = [name for name in reversed(enough) if name in proven and means[name].value < 0]
    if not won and not lost:
        first = enough[0]
        return (
            "Nobody won or lost more than luck alone could explain; the best result is "
            f"{display_name(first)}’s, {_shown(means[first])} {unit} a hand."
        )
    told = [
        f"{_listed(names, means)} {verb}" for verb, names in (("won", won), ("lost", lost)) if names
    ]
    told[0] += " beyond chance"
    together = f", corrected for {len(enough)} players" if len(enough) > _ONE_TEST else ""
    return f"{', '.join(told)}; {unit} a hand{together}."


def result_of(player: str, mean: Estimate, unit: str) -> str:
    """Return one player's result with its interval, and whether it is more than luck."""
    return f"{display_name(player)}: {_shown(mean)} {unit} a hand{_meaning(mean)}."


def beyond_chance(means: dict[str, Estimate]) -> set[str]:
    """Return whose result is not chance, with an error rate of 5 % for all players together.

    Tested one by one at 5 %, one of fourteen equal players would be named in half of all matches.
    """
    names, tests = list(means), list(means.values())
    if len(tests) <= _ONE_TEST:
        return {name for name, mean in means.items() if mean.low > 0 or mean.high < 0}
    corrected = holm([mean.p_value for mean in tests])
    return {name for name, p in zip(names, corrected, strict=True) if p < 1 - LEVEL}


def _listed(names: list[str], means: dict[str, Estimate]) -> str:
    shown = [f"{display_name(name)} {_shown(means[name])}" for name in names[:_NAMED]]
    if (more := len(names) - _NAMED) > 0:
        shown.append(f"{more} more")
    return listed(shown)


def listed(words: list[str]) -> str:
    """Join words by commas and a last "and".

    >>> listed(["DIVAT"]), listed(["money", "DIVAT", "fitted"])
    ('DIVAT', 'money, DIVAT and fitted')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


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
    fitted = "coefficients from earlier hands" if forward else "cross-fitted coefficients"
    kind = fitted if hands >= FEWEST_HANDS else "fixed coefficients"
    return (
        f"{said}. Luck is taken out of the money ({kind}; a {of}'s variance ÷ {times(reduction)})."
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
    return f"{said}."
