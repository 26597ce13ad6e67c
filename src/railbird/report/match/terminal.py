"""Summary of an assessment, and the source's table of one hand, for the terminal."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from railbird._arguments import checked
from railbird.assessment import SmoothedScore
from railbird.assessment.change_of_play import course_of_match
from railbird.cards import Suits, cards_of, format_cards
from railbird.errors import BadInput, unknown_name
from railbird.report.match.hand_replay import house_words
from railbird.report.match.match_summary import MatchSummary, summarise_match
from railbird.report.toolkit import number_format
from railbird.report.toolkit.change_of_play_text import COLUMNS, course_rows, course_words
from railbird.report.toolkit.responsive_table import Fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from railbird.assessment import Assessment, Comparison, HandScore, RoundScore
    from railbird.assessment.anytime import AnytimeEstimate
    from railbird.cards import Holding
    from railbird.estimates.confidence_sequences import AnytimeInterval

_RANK_DECIMALS = 4
_NARROW = 0.01


@checked
def text(assessment: Assessment, *, estimators: Collection[str] | None = None) -> RenderableType:
    """Summarize an assessment: the verdict, the estimators, the rounds and what was skipped.

    ``estimators`` names those of `railbird.assessment.ESTIMATORS` that are shown, by default those
    ``listed``.
    Nothing that comes from a log is read as markup or reaches the terminal as a control code.
    """
    every = assessment.estimators
    known = [one.name for one in every]
    if estimators is None:
        estimators = [one.name for one in every if one.listed]
    for name in estimators:
        if str(name) not in known:
            raise unknown_name("estimator", name, known)
    facts = summarise_match(assessment, points=1)
    parts: list[RenderableType] = [Text(facts.verdict.headline, style="bold")]
    if facts.verdict.reasons:
        parts.append(_spaced(Text(" ".join(facts.verdict.reasons))))
    if facts.hands:
        parts += [
            _spaced(Fitted(_estimators(facts, estimators))),
            Fitted(_rounds(facts)),
            *_course(assessment, facts),
            _endings(facts),
        ]
        if facts.house:
            parts.append(Text(facts.house))
    if assessment.skipped:
        parts.append(_skipped(assessment.skipped))
    return Group(*parts)


@checked
def anytime_table(rows: Sequence[AnytimeEstimate], player: str) -> RenderableType:
    """Lay out intervals that hold at any time, from a player's side."""
    unit = rows[0].asymptotic.unit if rows else ""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("", "mean", "asymptotic", "certain", "values within"):
        table.add_column(heading, justify="left" if not heading else "right", no_wrap=True)
    for row in rows:
        interval, certain = row.asymptotic, row.certain
        decimals = 4 if interval.half_width < _NARROW else 2
        table.add_row(
            row.title,
            number_format.signed(interval.value, decimals),
            *(_ends(each, decimals) for each in (interval, certain)),
            "–" if row.bound is None else f"±{row.bound:g}",
        )
    title = f"95 % at any time, {unit} a hand for {number_format.display_name(player)}"
    return Group(Text(""), Text(title), Fitted(table))


def _ends(interval: AnytimeInterval | None, decimals: int) -> str:
    if interval is None or math.isinf(interval.half_width):
        return "–"
    return number_format.interval(interval.low, interval.high, decimals)


@checked
def score_table(
    score: HandScore, *, holes: Sequence[Holding | None] | None = None
) -> RenderableType:
    """Lay one hand out as the source's tables 3.3 and 3.4 do, both equities below.

    Amounts are player 1's, the big blind's; ``holes`` (players 1 and 2) are shown if given.
    """
    if holes is not None and len(holes) != len(score.players):
        raise BadInput(f"{len(holes)} holdings; allowed: {len(score.players)}, or none")
    names = _names(score.players, holes)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column("")
    for row in score.rounds:
        table.add_column(row.street.name.capitalize(), justify="right", no_wrap=True)

    def add(label: str, cell: Callable[[RoundScore], str], name: Text | str = "") -> None:
        table.add_row(label, name, *(Text(cell(row)) for row in score.rounds))

    add("Board", _board)
    table.add_section()
    for label, metric in (("IHR", "ihr"), ("7cHR", "hr7"), ("EHR", "ehr")):
        for player, name in enumerate(names):
            add(label if player == 0 else "", _rank(metric, player), name)
    for player, name in enumerate(names):
        add("Class" if player == 0 else "", _class(player), name)
    table.add_section()
    add("Actions", lambda row: row.actual)
    add("Baseline", lambda row: row.baseline)
    for label, equity in (("AIE", _aie), ("ROE", _roe)):
        table.add_section()
        add(label, _amount(equity, "actual"), "actual")
        add("", _amount(equity, "baseline"), "baseline")
        add("", _amount(equity, "difference"), "difference")
    if any(row.roe.stderr for row in score.rounds):
        add("", _stderr, "std. error")
    result = _summands(SmoothedScore((score,)))
    settings = f"settings {score.settings.name}"
    told = f"{result}; small bets, {settings}.{_sampled(score.position_stderr)}{_house(score)}"
    return Group(Fitted(table, lead=2), Text(told))


@checked
def smoothed_line(smoothed: SmoothedScore) -> RenderableType:
    """Sum up one hand by its averages under several settings."""
    names = " and ".join(score.settings.name for score in smoothed.scores)
    told = f"{_summands(smoothed)}; small bets, mean of the settings {names}."
    # All settings see the same random cards, so their errors do not cancel.
    sampled = _sampled(smoothed.mean(attrgetter("position_stderr")))
    return Text(told + sampled + _house(smoothed.scores[0]))


def _summands(smoothed: SmoothedScore) -> str:
    first = smoothed.scores[0]
    rake = first.rake[0]
    skill, luck, position = (
        number_format.signed(smoothed.mean(attrgetter(amount)), 4)
        for amount in ("divat", "luck", "position")
    )
    return (
        f"{number_format.display_name(first.players[0])}: "
        f"money {number_format.signed(first.money, 2)} = skill {skill} (DIVAT) + luck {luck}"
        f" + position {position}"
        + (f" {number_format.MINUS} rake {number_format.number(rake, 2)}" if rake else "")
    )


def _sampled(stderr: float) -> str:
    """State the standard error of position; luck has the same, with the opposite sign."""
    if not stderr:
        return ""
    return f" Luck and position have a standard error of {number_format.number(stderr, 4)}."


def _house(score: HandScore) -> str:
    """Say what the house took, after a space; nothing without rake."""
    first, second = (number_format.display_name(name) for name in score.players)
    words = house_words((first, second), score.rake)
    return words and f" {words}"


def _names(players: tuple[str, str], holes: Sequence[Holding | None] | None) -> tuple[Text, Text]:
    first, second = (number_format.display_name(name) for name in players)
    one, two = (
        "" if hole is None else f" {format_cards(cards_of(hole), suits=Suits.SYMBOLS)}"
        for hole in (holes or (None, None))
    )
    return Text(first + one), Text(second + two)


def _board(row: RoundScore) -> str:
    return format_cards(
        row.board[-3:] if len(row.board) == 3 else row.board[-1:], suits=Suits.SYMBOLS
    )


def _rank(metric: str, player: int) -> Callable[[RoundScore], str]:
    return lambda row: f"{getattr(row, metric)[player]:.{_RANK_DECIMALS}f}"


def _class(player: int) -> Callable[[RoundScore], str]:
    return lambda row: row.classes[player].label


def _aie(row: RoundScore) -> Comparison:
    return row.aie


def _roe(row: RoundScore) -> Comparison:
    return row.roe


def _amount(equity: Callable[[RoundScore], Comparison], part: str) -> Callable[[RoundScore], str]:
    return lambda row: number_format.signed(getattr(equity(row), part), _RANK_DECIMALS)


def _stderr(row: RoundScore) -> str:
    return number_format.number(row.roe.stderr, _RANK_DECIMALS) if row.roe.stderr else ""


def _spaced(part: RenderableType) -> Padding:
    return Padding(part, (1, 0, 0, 0))


def _table(title: str, *columns: str) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        title=Text(title, style="dim"),
        title_justify="left",
        pad_edge=False,
    )
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left", no_wrap=True)
    return table


def _estimators(facts: MatchSummary, wanted: Collection[str]) -> Table:
    hands = ["hands"] if facts.uneven else []
    reduction = [] if facts.hidden else ["variance ÷"]
    table = _table(
        f"{facts.unit} a hand, seen from {facts.first}'s side; sd of a {facts.of_one}",
        "",
        *hands,
        "mean",
        "95 % interval",
        "sd",
        *reduction,
        "to decide",
    )
    for row in facts.rows:
        if row.name not in wanted:
            continue
        table.add_row(
            row.label,
            *(f"{row.hands:,}" for _ in hands),
            row.shown,
            row.shown_interval,
            row.shown_sd,
            *(number_format.times(row.reduction) for _ in reduction),
            row.shown_needed,
        )
    return table


def _rounds(facts: MatchSummary) -> Table:
    table = _table(
        f"DIVAT by round{facts.of_shown}",
        "",
        "mean",
        "95 % interval",
        "sd",
        "in all",
    )
    for row in facts.rounds:
        table.add_row(
            row.label,
            row.shown,
            row.shown_interval,
            row.shown_sd,
            row.shown_total,
        )
    return table


def _course(assessment: Assessment, facts: MatchSummary) -> list[RenderableType]:
    """The stretches of a long match, and whether the play changed."""
    courses = course_of_match(assessment)
    if not courses:
        return []
    course = courses[assessment.players[0]]
    label = facts.row(course.estimator).label
    table = _table(f"{label} by stretch, {facts.unit} a hand for {facts.first}", *COLUMNS)
    for row in course_rows(course):
        table.add_row(*row)
    return [Fitted(table), Text(course_words(facts.first, course, facts.unit))]


def _endings(facts: MatchSummary) -> Text:
    told = f"{number_format.counted(facts.hands)}: {facts.endings}."
    if facts.hidden:
        told += (
            " Scores other than the money are known only for hands whose cards were shown, a "
            "selected sample, and are not given."
        )
    return Text(told)


def _skipped(skipped: Mapping[str, int]) -> Text:
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in skipped.items())
    return Text(f"Skipped: {reasons}.", style="yellow")
