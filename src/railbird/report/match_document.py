"""The document of a heads-up limit match: key figures, estimates, costly spots, the largest hands.

`table_document` is the form for any hold'em.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from railbird._arguments import checked, choice
from railbird._provenance import digest
from railbird.assessment.estimator import Sourced
from railbird.baseline import BaselineSettings, PotConvention
from railbird.estimates.estimate import DIFFERENCE
from railbird.report import hand_replay, number_format
from railbird.report import match_charts as charts
from railbird.report.charts import Theme
from railbird.report.document import Document, Figure, KeyFigure, ReplayedHand, Section, Table
from railbird.report.hand_replay import HAND_WORDS
from railbird.report.headline import COLUMNS, course_rows, course_words, rake_of_match
from railbird.report.html_page import Image, render, specification
from railbird.report.match_summary import (
    EstimatorRow,
    MatchSummary,
    summarise_match,
)
from railbird.report.number_format import (
    counted,
    display_name,
    number,
    signed,
    skipped_words,
    times,
)
from railbird.report.running_sums import STREETS

if TYPE_CHECKING:
    from railbird.assessment import MatchAssessment


# What a report was made from: settings, files and libraries; the page says what made it.


_LIBRARIES = ("numpy", "numba", "polars", "altair")

_POTS = {
    PotConvention.ROUND_START: "as it is at the start of the round",
    PotConvention.FACING_BET: "as the player sees it, the bet included",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file that hands were read from."""

    name: str
    hands: int
    digest: str
    """SHA-256, or why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInputs:
    """Settings and files from which a report was made."""

    settings: tuple[BaselineSettings, ...]
    files: tuple[File, ...]
    lines: tuple[str, ...]
    """Sentences: libraries, what is exact and what is not."""


def pot_words(settings: BaselineSettings) -> str:
    """Describe the pot that the fold rule uses."""
    return _POTS[settings.pot]


def inputs_of(assessment: MatchAssessment, *, stride: int) -> ReportInputs:
    """Collect what an assessment was made from; reads its files once more for their digests.

    ``stride`` is how many hands lie between two points of a line.
    """
    return ReportInputs(
        settings=assessment.settings,
        files=_files(assessment.form.sources, assessment.scores),
        lines=(
            _values(assessment),
            *(
                line
                for estimator in assessment.estimators
                if isinstance(estimator, Sourced)
                for line in estimator.sources
            ),
            _thinning(stride),
            _libraries(),
        ),
    )


def _files(sources: Sequence[str], scores: pl.DataFrame) -> tuple[File, ...]:
    counts = dict(scores["file"].drop_nulls().value_counts().iter_rows())
    return tuple(
        File(name=number_format.file_name(source), hands=counts.get(i, 0), digest=_digest(source))
        for i, source in enumerate(sources)
    )


def _digest(source: str) -> str:
    if source in number_format.SPECIAL_SOURCES:
        return "not a file"
    return digest(Path(source)) or "no longer there"


def _values(assessment: MatchAssessment) -> str:
    several = (
        f" Scores are the means under {len(assessment.settings)} settings."
        if len(assessment.settings) > 1
        else ""
    )
    position = assessment.form.position
    if not position.stderr > 0:
        return f"All values are exact.{several}"
    return (
        "Values from the flop on are exact; those before the flop are means of random boards, the "
        "same ones every time, and the value of position to the big blind, "
        f"{number_format.signed(position.value, 4)} {assessment.unit}, has a standard error of "
        f"{number_format.number(position.stderr, 4)}.{several}"
    )


def _thinning(stride: int) -> str:
    if stride == 1:
        return "Lines show every hand."
    return f"Lines show the exact sum at every {stride:,}th hand and at the last one."


def _libraries() -> str:
    libraries = ", ".join(f"{name} {metadata.version(name)}" for name in _LIBRARIES)
    return f"Computed with Python {platform.python_version()}, {libraries}."


_NEEDED: Final = f"Hands to tell {DIFFERENCE:g}"
"""Heading of `EstimatorRow.needed`."""


def key_figures(facts: MatchSummary) -> tuple[KeyFigure, ...]:
    """Choose the numbers to show first."""
    if not facts.hands:
        return (KeyFigure("Hands", "0", "none could be judged"),)
    money, skill, decisive = facts.money, facts.skill, facts.decisive
    always = (
        KeyFigure("Hands", f"{facts.hands:,}", facts.endings),
        KeyFigure(f"Money, {facts.unit} a hand", money.shown, money.shown_interval),
    )
    if facts.hidden:
        share = number_format.percent(facts.hidden / facts.hands)
        return (
            *always,
            KeyFigure("Cards not shown", share, "of the hands; those shown are not representative"),
            KeyFigure(_NEEDED, money.shown_needed, "by money"),
        )
    luck = (money.value - decisive.value) * facts.hands + facts.raked[0]
    return (
        *always,
        KeyFigure(f"Luck taken out, {facts.unit} a hand", decisive.shown, decisive.shown_interval),
        KeyFigure(f"Decisions alone, {facts.unit} a hand", skill.shown, skill.shown_interval),
        KeyFigure(
            f"Luck and position, {facts.unit}",
            number_format.signed_total(luck),
            f"in all, taken out of the money{' before rake' if facts.house else ''}",
        ),
        KeyFigure(
            "Variance reduction",
            _factor(decisive.reduction),
            f"sd of a {facts.of_one} {number_format.number(money.sd, 2)} by money, "
            f"{number_format.number(decisive.sd, 2)} with luck taken out",
        ),
        KeyFigure(
            _NEEDED,
            decisive.shown_needed,
            f"with luck taken out; {money.shown_needed} by money",
        ),
    )


def _factor(value: float | None) -> str:
    said = number_format.times(value)
    return f"{said}\N{MULTIPLICATION SIGN}" if said[-1].isdigit() else said


# Spots in which a player lost most, described in words.


MOST = 8
"""Spots shown of each player."""

_FACING = {
    "nothing": "nothing to call",
    "blind": "facing the blind",
    "bet": "facing a bet",
    "raise": "facing a raise",
    "reraise": "facing a re-raise",
    "cap": "facing the last raise",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CostlySpot:
    """One action in one spot; amounts are that player's, summed over the match."""

    where: str
    """Street, and the action faced."""
    hand: str
    """The class of the player's hand."""
    action: str
    decisions: int
    divat: float
    stderr: float | None
    """Standard error of ``divat``; None for a single decision."""
    evat: float

    @property
    def mean(self) -> float:
        """Mean DIVAT of a decision."""
        return self.divat / self.decisions


def costly(assessment: MatchAssessment, player: str, *, most: int = MOST) -> tuple[CostlySpot, ...]:
    """List the spots where a player lost by DIVAT, the most expensive first.

    None where cards are `Assessment.hidden`: the spots are then of a selected sample, in which a
    player is seen with the hands that won.
    """
    if assessment.hidden:
        return ()
    lost = (
        assessment.form.spots.filter(pl.col("player") == player, pl.col("divat") < 0)
        .sort("divat", maintain_order=True)
        .head(most)
    )
    return tuple(
        CostlySpot(
            where=f"{str(row['street']).capitalize()}, {_FACING[row['facing']]}",
            hand=row["class"],
            action=row["action"],
            decisions=row["decisions"],
            divat=row["divat"],
            stderr=row["stderr"],
            evat=row["evat"],
        )
        for row in lost.iter_rows(named=True)
    )


# A match of two as a document: who is better, by how much, where, and from what this was made.


_FOOTER: Final = (
    "Decisions alone (DIVAT): the value of the bets made less the value of the bets of a baseline "
    "that bets its hands for their worth (Kan, thesis, University of Alberta, 2007). "
    "Values come from playing the rest of the hand by the baseline over every possible board."
)
_SPOTS: Final = (
    "Decisions summed up by street, by what there was to answer, by the class of the hand and by "
    "what was done, in {unit} over the whole match. The class says what the hand was worth to the "
    "baseline: nothing (fold), a call, or one to four bets (make1 to make4). Change is that of "
    "value by the action, the baseline playing on; hindsight is what was given away against "
    "the best action had all cards been seen."
)


def match_document(
    assessment: MatchAssessment,
    facts: MatchSummary,
    *,
    estimators: Collection[str] | None = None,
    title: str = "",
    drawn: Sequence[Figure] = (),
    hands: Sequence[ReplayedHand] = (),
    inputs: ReportInputs | None = None,
) -> Document:
    """Say what an assessment found.

    ``estimators`` names those in the table, by their titles; by default, those that have a name in
    a player's words, while a page shows the others below. The caller makes figures and replayed
    hands.
    """
    figures = {figure.name: figure for figure in drawn}
    sections = [
        Section(words=" ".join(facts.verdict.reasons), note=facts.house),
        Section(key=key_figures(facts), note=_sides(facts), page_only=True),
    ]
    if facts.hands:
        sections += [
            _charts("The match", figures, "luck", "money", "money-and-skill"),
            _estimates(facts, figures, estimators),
            _meanings(facts),
        ]
        if not facts.hidden:
            sections += [
                _rounds(facts, figures),
                _charts("Luck and skill", figures, "money-in-parts", "skill-and-luck"),
            ]
        sections += [*_course(assessment, facts)]
        if not facts.hidden:
            sections.append(_other_measures(facts, figures))
        sections += [*_duplicate(facts, figures), *_spots(assessment, facts)]
    if hands:
        sections.append(_largest(facts, hands))
    sections.append(_skipped(assessment, facts))
    if inputs is not None:
        sections += _inputs(inputs)
    return Document(
        title=title or f"{facts.first} against {facts.second}",
        lead=facts.verdict.headline,
        sections=sections,
        data=charts.datasets(facts) if drawn else None,
        footer=_FOOTER,
    )


def _sides(facts: MatchSummary) -> str:
    rake = ", but for money, which both lose to the house" if facts.house else ""
    return (
        f"Amounts are in {facts.unit_words} ({facts.unit}) and seen from {facts.first}’s side; "
        f"{facts.second}’s are the same with the other sign{rake}. Intervals are 95 %."
    )


def _charts(heading: str, figures: dict[str, Figure], *names: str) -> Section:
    known = [figures[name] for name in names if name in figures]
    return Section(heading=heading if known else "", figures=known, page_only=True)


def _estimates(
    facts: MatchSummary, figures: dict[str, Figure], wanted: Collection[str] | None
) -> Section:
    rows = facts.usual if wanted is None else [row for row in facts.rows if row.name in wanted]
    return Section(
        heading=f"Estimates, {facts.unit} a hand for {facts.first}",
        figures=[figures[name] for name in ("estimators",) if name in figures],
        table=_estimate_table(facts, rows, by_title=wanted is not None),
        note=facts.method,
    )


def _estimate_table(
    facts: MatchSummary, listed: Sequence[EstimatorRow], *, by_title: bool
) -> Table:
    hands = ("Hands",) if facts.uneven else ()
    reduction = () if facts.hidden else ("Variance ÷",)
    rows = [
        (
            row.title if by_title else row.label,
            *(f"{row.hands:,}" for _ in hands),
            row.shown,
            row.shown_interval,
            number(None if row.withheld else row.estimate.stderr, 4),
            row.shown_sd,
            *(times(row.reduction) for _ in reduction),
            row.shown_needed,
        )
        for row in listed
    ]
    sd = f"Sd of a {facts.of_one}"
    first = "Estimator" if by_title else "Result by"
    heads = (first, *hands, "Mean", "95 % interval", "Std. error", sd, *reduction)
    return Table((*heads, _NEEDED), rows, page_only=("Std. error",))


def _other_measures(facts: MatchSummary, figures: dict[str, Figure]) -> Section:
    """Show what researchers compare the others with."""
    rows = [row for row in facts.rows if row not in facts.usual]
    return Section(
        heading="Other measures, for researchers",
        figures=[figures[name] for name in ("dcash-and-redgreen",) if name in figures],
        table=_estimate_table(facts, rows, by_title=True),
        terms=[_term(row) for row in rows],
        note=f"In RedGreen each player has an account: {facts.second}’s is not this one with the "
        "other sign.",
        page_only=True,
    )


def _term(row: EstimatorRow) -> tuple[str, str]:
    called = f" (estimator {row.title})" if row.title != row.label else ""
    return row.label, f"{row.meaning}. {row.assumes}".rstrip() + called


def _meanings(facts: MatchSummary) -> Section:
    """Say what the estimators and the columns mean."""
    note = [
        "“Variance ÷” is the variance of the money over that of the result, the factor by which it "
        f"needs fewer hands. “{_NEEDED}” are those that tell a true difference of {DIFFERENCE:g} "
        f"{facts.unit} a hand from none in four matches of five."
    ]
    if facts.hidden:
        note.insert(0, _selected())
    if facts.of_one == "deal":
        note.insert(0, "A deal that was played from both sides is one value.")
    reduction = facts.skill.reduction
    if reduction is not None and reduction < 1:
        note.append(
            "In this match decisions alone vary more than the money, since play strayed far from "
            "the baseline, so the money is the sharper of the two; the result with luck taken out "
            "takes that into account."
        )
    return Section(
        terms=[_term(row) for row in facts.usual],
        note=" ".join(note),
        page_only=True,
    )


def _selected() -> str:
    return (
        "Scores other than the money are known only for hands whose cards were shown, a selected "
        "sample, and are not given."
    )


def _rounds(facts: MatchSummary, figures: dict[str, Figure]) -> Section:
    names = ("divat-by-round", "divat-by-round-lines")
    return Section(
        heading=f"Decisions by betting round, {facts.unit} a hand{facts.of_shown}",
        figures=[figures[name] for name in names if name in figures],
        table=Table(
            ("Round", "Mean", "95 % interval", f"Sd of a {facts.of_one}", "In all"),
            [(*_mean(row), row.shown_sd, row.shown_total) for row in facts.rounds],
        ),
    )


def _mean(row: EstimatorRow) -> tuple[str, str, str]:
    return row.label, row.shown, row.shown_interval


def _course(assessment: MatchAssessment, facts: MatchSummary) -> Iterator[Section]:
    """The stretches of a long match, and whether the play changed."""
    course = assessment.course().get(assessment.players[0])
    if course is not None:
        label = facts.row(course.estimator).label
        yield Section(
            heading="Change of play",
            words=course_words(facts.first, course, facts.unit),
            table=Table(
                COLUMNS,
                course_rows(course),
                title=f"{label} by stretch of the match, {facts.unit} a hand for {facts.first}",
            ),
        )


def _duplicate(facts: MatchSummary, figures: dict[str, Figure]) -> Iterator[Section]:
    pairs = facts.pairs
    if pairs is None:
        return
    both = (
        (pairs.money, facts.money),
        (pairs.decisive, facts.decisive),
        (pairs.skill, facts.skill),
    )
    rows = [
        (*_mean(pair), number(pair.sd, 3), number(single.hand_sd, 3))
        for pair, single in both
        if not pair.withheld
    ]
    yield Section(
        heading="Duplicate",
        figures=[figures[name] for name in ("duplicate",) if name in figures],
        table=Table(
            ("Estimator", "Mean", "95 % interval", "Sd of a pair", "Sd of a hand"),
            rows,
            title=f"Means of {counted(pairs.count, 'duplicate pair')}, {facts.unit} a hand",
        ),
        page_only=True,
    )


def _spots(assessment: MatchAssessment, facts: MatchSummary) -> Iterator[Section]:
    heading, words = "The spots that cost most", _SPOTS.format(unit=facts.unit)
    heads = ("Spot", "Hand", "Action", "Change", "Std. error", "Times", "Each", "Hindsight")
    for player in assessment.players:
        lost = costly(assessment, player)
        if not lost:
            continue
        rows = [
            (
                spot.where,
                spot.hand,
                spot.action,
                signed(spot.divat, 1),
                number(spot.stderr, 1),
                f"{spot.decisions:,}",
                signed(spot.mean, 2),
                signed(spot.evat, 1),
            )
            for spot in lost
        ]
        where = f"Where {display_name(player)} lost most by decisions"
        table = Table(heads, rows, title=where)
        yield Section(heading=heading, words=words, table=table, page_only=True)
        heading = words = ""


def _largest(facts: MatchSummary, hands: Sequence[ReplayedHand]) -> Section:
    description = "hand that decisions changed most"
    if hands[1:]:
        description = f"{len(hands)} hands that decisions changed most"
    shown = ", of those whose cards were shown" if facts.hidden else ""
    return Section(
        heading="The largest differences",
        words=f"The {description}{shown}, replayed; a difference above zero is {facts.first}’s "
        f"gain. {HAND_WORDS}",
        hands=hands,
        page_only=True,
    )


def _skipped(assessment: MatchAssessment, facts: MatchSummary) -> Section:
    sentences = []
    if facts.kinds:
        judged = "hand" if facts.hands == 1 else f"{facts.hands:,} hands"
        sentences.append(f"The {judged} judged ended {facts.endings}.")
    if facts.unknown:
        sentences.append(
            "A hand whose cards were not all shown is judged by its money, which then stands for "
            "what its decisions were worth."
        )
    if facts.hidden:
        sentences.append(_selected())
    sentences.append(skipped_words(assessment.skipped) or "No hand was skipped.")
    return Section(heading="Hands", words=" ".join(sentences))


def _inputs(inputs: ReportInputs) -> Iterator[Section]:
    heading = "Settings and files"
    for settings in inputs.settings:
        rows = [
            (
                street.capitalize(),
                number(values.fold_offset, 3),
                *(number(make, 4) for make in values.make),
            )
            for street, values in zip(STREETS, settings.streets, strict=True)
        ]
        yield Section(
            heading=heading,
            table=Table(
                ("Round", "Fold offset", "Make1", "Make2", "Make3", "Make4"),
                rows,
                title=f"The baseline “{settings.name}”, on the scale of the effective hand rank",
            ),
            note="A hand folds to a bet where its rank is below bet ÷ (pot + bet) + offset, the "
            f"pot {pot_words(settings)}.",
            page_only=True,
        )
        heading = ""
    files = [(file.name, f"{file.hands:,}", file.digest) for file in inputs.files]
    if files:
        heads = ("File", "Hands judged", "SHA-256")
        yield Section(table=Table(heads, files, title="Files read"), page_only=True)
    yield Section(note=" ".join(inputs.lines), page_only=True)


# The report of a match of two: its document, its page and its figures.


Specifications = Mapping[str, Callable[[], dict[str, Any]]]
"""Functions that return each figure's Vega-Lite specification, with colours named by meaning."""


def in_terminal(
    assessment: MatchAssessment, *, estimators: Collection[str] | None, **_others: object
) -> Document:
    """Say what the assessment found, for a terminal."""
    return match_document(assessment, summarise_match(assessment, points=1), estimators=estimators)


def on_page(
    assessment: MatchAssessment,
    *,
    largest: int,
    **_others: object,
) -> tuple[Document, Specifications]:
    """Return the page, and its figures by name; see `railbird.report.write`."""
    facts = summarise_match(assessment)
    document = match_document(
        assessment,
        facts,
        drawn=charts.match_figures(facts) if facts.hands else (),
        hands=hand_replay.largest(assessment, min(largest, assessment.hands)),
        inputs=inputs_of(assessment, stride=facts.curves.stride),
    )
    return document, _specifications(facts)


def figures_of(assessment: MatchAssessment) -> Specifications:
    """Return the figures by name."""
    return _specifications(summarise_match(assessment))


def _specifications(facts: MatchSummary) -> Specifications:
    subtitle, data = f"{facts.first} against {facts.second}", charts.datasets(facts)
    return {
        figure.name: partial(specification, figure, data, subtitle=subtitle)
        for figure in (charts.match_figures(facts) if facts.hands else ())
    }


def usual(assessment: MatchAssessment) -> list[str]:
    """Name the estimators that nobody asked for."""
    return [estimator.name for estimator in assessment.estimators if estimator.listed]


def note(assessment: MatchAssessment, _names: Collection[str]) -> str:
    """Say what the house took."""
    return rake_of_match(assessment.form.raked.items(), assessment.unit) if assessment.hands else ""


@checked
def export(
    figure: Figure,
    facts: MatchSummary,
    image: Image | str,
    *,
    theme: Theme | str = Theme.LIGHT,
) -> bytes:
    """Draw one figure of a report as a file, without a browser; needs no network."""
    subtitle = f"{facts.first} against {facts.second}"
    spec = specification(figure, charts.datasets(facts), subtitle=subtitle)
    return render(spec, choice(Image, image), theme=choice(Theme, theme))
