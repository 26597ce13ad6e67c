"""The first words on a match of any hold'em: the result, how sure it is, what part was luck."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from railbird.assessment.change_of_play import holm
from railbird.assessment.estimator import CardsNeeded
from railbird.estimates.estimate import ALPHA, LEVEL, ResultUnit
from railbird.report.number_format import (
    chance,
    counted,
    decimals_for,
    display_name,
    interval_of,
    signed,
    signed_total,
    times,
    total,
)

if TYPE_CHECKING:
    from railbird.assessment import Assessment, Estimator
    from railbird.assessment.any_table import TableAssessment
    from railbird.assessment.assessment import EvidenceCounts
    from railbird.assessment.change_of_play import ChangeOfPlay
    from railbird.estimates import Estimate


# Words on what the house took of the hands that were assessed.


_ROUNDING: Final = 1e-9
"""Smaller rake counts as none: then the rules of the hands state the rake, and every value includes
it."""


def rake_of_match(raked: Iterable[tuple[str, float]], unit: str) -> str:
    """Say what the house took of both players' winnings; nothing without rake.

    >>> rake_of_match([("Ann", 3.0), ("Bob", 1.5)], "sb").partition(":")[0]
    'The house took 4.5 sb, 3.0 of Ann’s winnings and 1.5 of Bob’s'
    """
    (first, first_rake), (second, second_rake) = raked
    if not first_rake and not second_rake:
        return ""
    return (
        f"The house took {total(first_rake + second_rake)} {unit}, {total(first_rake)} of "
        f"{display_name(first)}’s winnings and {total(second_rake)} of {display_name(second)}’s: "
        "money is net of it, all else is before rake."
    )


def rake_of_matches(raked: float, unit: str, *, money_alone: bool) -> str:
    """Return a sentence on the rake of several matches of two; empty without rake."""
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
            f"{took}: money and the other estimates of a result are net of it, luck and decisions "
            "before rake."
        )
    return f"{took}; every figure is net of it."


def rake_apart(assessment: TableAssessment) -> bool:
    """Return whether rake is a separate summand, because the rules of a hand do not state it."""
    return bool(assessment.known) and bool((assessment.scores["rake"].abs() > _ROUNDING).any())


_ONE_TEST: Final = 2
"""Up to so many players there is only one result: what one of two wins, the other loses."""
_NAMED: Final = 2
"""Players who are named on each side."""


def headline(assessment: TableAssessment, player: str | None = None) -> str:
    """Return the result for one player or the table, how much of it was luck, and the checks.

    Where the hands are not all that were played there is no verdict, but the reason why. How it was
    found out is said by `method_words`.
    """
    who = player or assessment.hero
    if why := assessment.withheld(who, display=display_name):
        verdict = no_verdict(why)
    else:
        parts = (
            result_words(assessment, player),
            luck_words(assessment, player),
            reason_words(assessment.decision(who)),
        )
        verdict = " ".join(filter(None, parts))
    checks = assessment.integrity.words(who, display=display_name)
    rest = (checks, straddle_words(assessment), rake_of_table(assessment))
    return " ".join(filter(None, (verdict, *rest)))


def straddle_words(assessment: TableAssessment) -> str:
    """Say that hands were straddled, which changes the price but not the unit."""
    if not (hands := assessment.form.straddled):
        return ""
    unit = ResultUnit(assessment.unit).words
    return f"{counted(hands)} had a straddle; amounts are in {unit} all the same."


def no_verdict(why: str) -> str:
    """Return why there is no verdict on an incomplete sample of hands."""
    return f"No verdict: {why}. The figures are of the hands that are there."


def sample_words(assessment: TableAssessment) -> str:
    """Say, after a space, that scores needing all cards are of a selected sample."""
    if not assessment.hidden:
        return ""
    known = counted(assessment.known)
    return f" Of the {known} whose cards are all known; they are not representative."


def selected_words(
    assessment: TableAssessment,
    names: Iterable[str],
    title: Callable[[Estimator], str] = attrgetter("title"),
) -> str:
    """Say which of the estimators ``names`` are of a selected sample; nothing if none is."""
    titles = [
        title(estimator)
        for estimator in shown_estimators(assessment, names)
        if estimator.cards is CardsNeeded.ALL
    ]
    if not assessment.hidden or not titles:
        return ""
    verb = "are" if titles[1:] else "is"
    known = counted(assessment.known)
    return (
        f"{listed(titles)} {verb} of the {known} whose cards are all known, which are not like the "
        "others."
    )


def note(assessment: TableAssessment, names: Collection[str]) -> str:
    """Say which of the estimators are of a selected sample, and what the house took."""
    return f"{selected_words(assessment, names)} {rake_of_table(assessment)}".strip()


def sum_words(assessment: TableAssessment) -> str:
    """Say what the rows and columns of the crosstable add up to."""
    apart = rake_apart(assessment)
    rows = "" if assessment.raked and not apart else "rows add up to zero, "
    columns = f"columns{'' if rows else ' add up'} to what all decisions changed for the player"
    met = {cell.n for cell in assessment.form.crosstable.cells.values()}
    weighted = ", weighted by the hands that two played together," if len(met) > 1 else ""
    return f"Over all players{weighted} {rows}{columns}."


def deciding(assessment: TableAssessment, player: str) -> Estimate:
    """Return the estimate that decides; the money where the player has no other."""
    return (
        assessment.estimate(player, assessment.decision(player).decides)
        or assessment.estimates[player]["money"]
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
    decide = {evidence.decides for evidence in assessment.evidence.values()}
    return [
        estimator.name
        for estimator in assessment.estimators
        if (estimator.listed and not (assessment.hidden and estimator.cards is CardsNeeded.ALL))
        or estimator.name in decide
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
    titles = {estimator.name: plain_title(estimator) for estimator in assessment.estimators}
    return {name: titles[name].lower() for name in dict.fromkeys(("money", decides))}


def result_words(assessment: TableAssessment, player: str | None = None) -> str:
    """Return who won and lost beyond chance, with intervals; of a hero's log, about the hero."""
    unit = ResultUnit(assessment.unit).words
    player = player or assessment.hero
    if player is not None:
        mean = deciding(assessment, player)
        return result_of(player, mean, unit, assessment.integrity.condition(player))
    integrity = assessment.integrity
    means = {
        name: assessment.estimate(name, assessment.headline) or assessment.estimates[name]["money"]
        for name in assessment.players
    }
    enough = sorted(
        (name for name in means if means[name].enough), key=lambda name: -means[name].value
    )
    if not enough:
        return "Too few hands to say who is better."
    # Only players with enough hands are tested: the correction for their number must not grow with
    # those who could never be named.
    proven = beyond_chance({name: means[name] for name in enough})
    proven -= {name for name, verdict in integrity.verdicts.items() if verdict.turned}
    won = [name for name in enough if name in proven and means[name].value > 0]
    lost = [name for name in reversed(enough) if name in proven and means[name].value < 0]
    if not won and not lost:
        first = enough[0]
        return (
            "Nobody won or lost more than luck alone could explain; the best result is "
            f"{display_name(first)}’s, {_a_hand(means[first], unit)}."
        )
    clauses = [
        f"{_listed(names, means)} {verb}" for verb, names in (("won", won), ("lost", lost)) if names
    ]
    clauses[0] += " more than luck explains"
    clauses[-1] += next(filter(None, map(integrity.condition, (*won, *lost))), "")
    return f"{', '.join(clauses)}; {unit} a hand, with 95 % intervals."


def result_of(player: str, mean: Estimate, unit: str, condition: str = "") -> str:
    """Return one player's result with its interval, and whether it is more than luck.

    ``condition`` follows what holds on a condition (`Integrity.condition`).
    """
    condition = condition if mean.excludes_zero else ""
    return f"{display_name(player)}: {_a_hand(mean, unit)}{_meaning(mean)}{condition}."


def _a_hand(mean: Estimate, unit: str) -> str:
    decimals = decimals_for(mean.stderr)
    interval = f"{'95 % interval ' if mean.enough else ''}{interval_of(mean, decimals)}"
    return f"{signed(mean.value, decimals)} {unit} a hand ({interval})"


def beyond_chance(means: dict[str, Estimate]) -> set[str]:
    """Return whose result is not chance, with an error rate of 5 % for all players together.

    Tested one by one at 5 %, one of fourteen equal players would be named in half of all matches.
    """
    names, tests = list(means), list(means.values())
    if len(tests) <= _ONE_TEST:
        return {name for name, mean in means.items() if mean.excludes_zero}
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
    if not mean.enough or mean.alike:
        return ""
    return ", more than luck explains" if mean.excludes_zero else ", which luck could explain"


_PLAIN_TITLES: Final = MappingProxyType(
    {
        "money": "Money",
        "fitted": "Luck taken out",
        **{
            f"fitted_aivat{exact}": "Luck and known play taken out"
            for exact in ("", "_turn", "_table")
        },
        "divat": "Decisions alone",
        "own_side": "Luck of own cards taken out",
    }
)
"""What a player reads in place of an estimator's title."""
_FOR_RESEARCHERS: Final = frozenset(
    ["money_minus_dcash", "runtime", "aie", "redgreen", "evat", "dcash", "lfat", "luck", "position"]
)
"""Estimators of ours that the first tables leave to the details."""


def plain_title(estimator: Estimator) -> str:
    """Return what an estimator does in a player's words, or its title where it has none."""
    return _PLAIN_TITLES.get(estimator.name, estimator.title)


def is_for_players(name: str) -> bool:
    """Return whether the first tables show an estimator: all but those for researchers do."""
    return name not in _FOR_RESEARCHERS


def term_of(estimator: Estimator, title: str) -> tuple[str, str]:
    """Say what an estimator that is shown by a title is, and what researchers call it."""
    called = f" (estimator {estimator.title})" if title != estimator.title else ""
    return title, f"{estimator.meaning}. Assumption: {estimator.assumes}{called}"


TWO_WAYS: Final = "does it in another way, so that its figure differs a little"
"""A sentence on the other verb: one takes luck out by rounds, the other by decisions."""
LUCK_OUT: Final = "with the luck of the cards taken out"
"""What a player reads in place of an estimator's name."""
_TAKEN_OUT: Final = MappingProxyType(
    {
        "allin": "The luck of all-ins is taken out",
        "money": "This is money, with all the luck of the cards",
    }
)
"""A sentence on the estimators that leave luck in."""


def reason_words(decision: EvidenceCounts) -> str:
    """Say how much luck is still in the result, and why, in words of a player.

    The kind of log fixed it before any number was seen.
    """
    left = _TAKEN_OUT.get(decision.decides, "The luck of the cards is taken out")
    return f"{left}: {decision.reason}."


def luck_words(assessment: TableAssessment, player: str | None = None) -> str:
    """Say what luck was worth to a player, or to whom it was kindest; nothing if none is known."""
    named = player or assessment.hero
    decides = assessment.decision(named).decides
    totals = {
        name: (money.value - less.value) * assessment.evidence[name].hands
        for name in (assessment.players if named is None else (named,))
        for money in [assessment.estimates[name]["money"]]
        if (less := assessment.estimate(name, decides)) is not None and less.enough
    }
    unit = ResultUnit(assessment.unit).words
    if named is not None:
        own_luck = own_luck_words(assessment, named, unit)
        if decides == "money" or not totals:
            return own_luck
        what = "All-in luck" if decides == "allin" else "Luck"
        return f"{what} was worth {signed_total(totals[named])} {unit} in all. {own_luck}".rstrip()
    if decides == "money" or not totals:
        return ""
    kindest, unkindest = (choose(totals, key=totals.__getitem__) for choose in (max, min))
    said = f"Luck was kindest to {display_name(kindest)}, {signed_total(totals[kindest])} {unit}"
    if len(totals) > _ONE_TEST:
        said += f", and unkindest to {display_name(unkindest)}, {signed_total(totals[unkindest])}"
    return f"{said} in all."


def own_luck_words(assessment: TableAssessment, player: str, unit: str) -> str:
    """Give the result without the luck that a player's own cards show, where others' are not known.

    It is slightly too high (`own_side`), so it is told and decides nothing. What that luck was
    worth is told by `railbird.assessment.player_luck`: here each street counts by a coefficient.
    """
    less = assessment.estimate(player, "own_side")
    if not assessment.hidden or less is None or not less.enough:
        return ""
    return (
        f"Without the luck of the player’s own cards and of the boards it is {_shown(less)} {unit} "
        "a hand, which may be a little too high."
    )


def method_words(
    assessment: Assessment[Any],
    player: str | None = None,
    *,
    reduction: float | None = None,
    of: str = "hand",
) -> str:
    """Name the estimator that decides, why and how, and the check of the hands, beside the numbers.

    ``reduction`` is the variance of the money over the estimator's, by default that of hands, and
    ``of`` what one value is of: a hand or a deal.
    """
    decision, who = assessment.decision(player), player or assessment.hero
    decides = {estimator.name: estimator for estimator in assessment.estimators}.get(
        decision.decides
    )
    title = "Money" if decides is None else plain_title(decides)
    apart = player or len({evidence.decides for evidence in assessment.evidence.values()}) > 1
    for_whom = f" for {display_name(who)}" if who and apart else ""
    text = f"{title} decides{for_whom}: {decision.reason}."
    if who is None and len(assessment.players) > _ONE_TEST:
        text += f" Who won or lost is tested for all {len(assessment.players)} players together."
    if reduction is None and decision.decides == "fitted":
        reduction = assessment.variance_reduction.get(player or "all", {}).get("fitted")
    if reduction is not None and decides is not None:
        fitted = (
            "coefficients from earlier hands" if assessment.forward else "cross-fitted coefficients"
        )
        text += (
            f" For researchers: {decides.title}, {fitted}; a {of}'s variance ÷ {times(reduction)}."
        )
    return f"{text} {assessment.integrity.figure(who, display=display_name)}".rstrip()


# The course of somebody's results in words and rows: stretches, and whether the play changed.


_NEARLY_ALL: Final = 0.99
COLUMNS: Final = ("hands", "a hand (95 % interval)")


def course_words(name: str, course: ChangeOfPlay, unit: str, *, players: int = 1) -> str:
    """Return whether the play changed; a shift that chance often makes says nothing.

    ``players`` is how many were tested beside each other.
    """
    against = " against the same opponents" if course.lineups > 1 else ""
    looked = "somewhere in the match"
    if players > 1:
        looked += f" for one of {players} players"
    if course.p_value > ALPHA:
        return (
            f"No change of play shows in {name}’s results{against}: without one, a shift this "
            f"large {looked} happens in {_often(course.p_value)}."
        )
    return (
        f"{name}’s results{against} changed, most likely after about hand {course.change.place:,}: "
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
