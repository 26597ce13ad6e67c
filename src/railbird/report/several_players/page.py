"""The report on a match of any hold'em as one HTML file: who won, by whose decisions, where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from railbird.assessment.change_of_play import course_of_table
from railbird.assessment.decision_divat.hand import score_table_hand
from railbird.assessment.decision_divat.settings import CHANGING_STACKS_DEALS, POSITION_DEALS
from railbird.assessment.player_statistics.statistic_names import Position, position_of
from railbird.estimates.estimate import Estimate, estimate
from railbird.histories.columns import records_of
from railbird.report.match.crosstable_chart import crosstable_chart
from railbird.report.match.report_files import Image, render
from railbird.report.pushfold.range_chart import range_figure
from railbird.report.several_players.hand_replay import TableStory, hand_words, table_story
from railbird.report.several_players.headline import (
    headline,
    lines_of,
    ranking,
    sample_words,
    shown_estimators,
    sum_words,
    usual_estimators,
)
from railbird.report.several_players.running_sums_chart import running_sums_chart
from railbird.report.toolkit.change_of_play_text import (
    COLUMNS,
    course_rows,
    course_words,
    courses_words,
)
from railbird.report.toolkit.charts_page import Chart, Section, charts_page
from railbird.report.toolkit.number_format import (
    display_name,
    signed,
    times,
    with_interval,
)
from railbird.report.toolkit.palette import Theme

if TYPE_CHECKING:
    import altair as alt

    from railbird.assessment.decision_divat.match import TableAssessment
    from railbird.progress import Progress

_MOST_IN_CHART: Final = 9
"""Players beyond which the names of a chart are no longer legible; the JSON has all pairs."""
_PAIRS: Final = 10
"""Pairs in the table of partiality, the largest; the JSON has all."""
_REPLAYED: Final = 10
_BOARDS: Final = 2_000
"""Boards before the flop of a replayed hand."""
_FEW_RULES: Final = 4
"""Different stacks up to which a replayed hand has its position from a large sample."""
_THOUSANDTHS: Final = 1000
_STREETS: Final = ("preflop", "flop", "turn", "river")


def table_page(
    assessment: TableAssessment, *, player: str | None = None, progress: Progress | None = None
) -> str:
    """Write the page; it needs no other file and runs no script.

    With a ``player`` its hands, positions and course are shown rather than everybody's.
    """
    sections = [
        _key_figures(assessment),
        _estimates(assessment),
        _lines(assessment, player),
        _by_position(assessment, player),
    ]
    if assessment.hands:
        sections += [
            _crosstable(assessment, player),
            *_partiality(assessment),
            _by_street(assessment, player),
            *_course(assessment, player),
            *_costliest(assessment, player, progress),
        ]
    if assessment.skipped:
        sections.append(_skipped(assessment))
    title = f"{len(assessment.players)} players, {assessment.hands + assessment.hidden:,} hands"
    return charts_page(title, sections, lead=headline(assessment, player))


def table_pictures(assessment: TableAssessment, image: Image) -> dict[str, bytes]:
    """Draw the page's figures as files, by name."""
    charts = {
        f"running-sums-{place}": running_sums_chart(assessment, name)
        for place, name in enumerate(_most_hands(assessment), 1)
    }
    if assessment.hands:
        charts["crosstable"] = crosstable_chart(
            assessment.crosstable.cells, _shown(assessment, None), assessment.unit
        )
    return {name: _drawn(chart, image) for name, chart in charts.items()}


def _drawn(chart: alt.LayerChart, image: Image) -> bytes:
    return render(range_figure(chart) | {"background": "var(--paper)"}, image, theme=Theme.LIGHT)


def _key_figures(assessment: TableAssessment) -> Section:
    everybody = assessment.variance_reduction.get("all", {})
    reduced = () if assessment.hidden else (("DIVAT’s", "divat"), ("fitted", "fitted"))
    return Section(
        key=(
            ("hands with all cards known", f"{assessment.hands:,}"),
            ("hands with hidden cards", f"{assessment.hidden:,}"),
            *(
                (f"variance of money ÷ {whose}", times(everybody.get(name)))
                for whose, name in reduced
            ),
        )
    )


def _skipped(assessment: TableAssessment) -> Section:
    return Section(
        heading="Hands skipped",
        columns=("reason", "count"),
        rows=tuple((reason, f"{count:,}") for reason, count in assessment.skipped.items()),
    )


def _estimates(assessment: TableAssessment) -> Section:
    names = usual_estimators(assessment)
    listed = shown_estimators(assessment, names)
    rows = []
    for name in ranking(assessment, assessment.players):
        played = assessment.evidence[name].hands
        cells = [with_interval(assessment.estimate(name, estimator.name)) for estimator in listed]
        rows.append((display_name(name), f"{played:,}", *cells))
    words = " ".join(
        f"{estimator.title}: {estimator.meaning}. Assumption: {estimator.assumes}"
        for estimator in listed
    )
    return Section(
        heading=f"Results, {assessment.unit} a hand (95 % interval)",
        words=words,
        columns=("player", "hands", *(estimator.title for estimator in listed)),
        rows=tuple(rows),
    )


def _with_error(mean: Estimate) -> str:
    if not mean.enough:
        return "too few"
    return f"{signed(_THOUSANDTHS * mean.value, 0)} ± {_THOUSANDTHS * mean.stderr:.0f}"


def _shown(assessment: TableAssessment, player: str | None) -> list[str]:
    """Players with most hands, as many as a chart has room for, and the one that is looked at."""
    cells = assessment.crosstable.cells
    ranked = sorted(assessment.crosstable.players, key=lambda name: -cells[name, name].n)
    shown = ranked[:_MOST_IN_CHART]
    if player is not None and player in ranked and player not in shown:
        shown = [player, *shown[:-1]]
    return shown


def _most_hands(assessment: TableAssessment) -> list[str]:
    ranked = sorted(assessment.players, key=lambda name: -assessment.evidence[name].hands)
    return ranked[:_MOST_IN_CHART]


def _lines(assessment: TableAssessment, player: str | None) -> Section:
    looked_at = player or assessment.hero
    names = [looked_at] if looked_at is not None else _most_hands(assessment)
    drawn = [running_sums_chart(assessment, name) for name in names]
    return Section(
        heading="Running sums",
        words="What was won, and the estimate that decides for the player, "
        f"{assessment.unit}, hand by hand of each player.",
        charts=tuple(
            Chart(
                chart,
                f"Lines: running sums of {' and '.join(lines_of(assessment, name).values())} for "
                f"{display_name(name)}.",
            )
            for name, chart in zip(names, drawn, strict=True)
        ),
    )


def _crosstable(assessment: TableAssessment, player: str | None) -> Section:
    cells, shown = assessment.crosstable.cells, _shown(assessment, player)
    left_out = len(assessment.crosstable.players) > len(shown)
    more = f" The {len(shown)} players with most hands." if left_out else ""
    chart = Chart(
        crosstable_chart(cells, shown, assessment.unit),
        f"Table: mean change of each player's result by each player's decisions, in thousandths "
        f"of a {assessment.unit} a hand.",
    )
    return Section(
        heading="Whose decisions changed whose result",
        words=f"{sum_words(assessment)} The diagonal says "
        "better than the baseline, not well played. Single cells depend on the baseline: bluffs "
        "and mixed play look like gifts, and honest players of different styles give unequally, so "
        f"no cell shows that two play together.{more}{sample_words(assessment)} Thousandths of a "
        f"{assessment.unit} a hand ± standard error.",
        charts=(chart,),
        columns=("decisions of", *(f"changed {display_name(name)}’s" for name in shown)),
        rows=tuple(
            (
                display_name(one),
                *(_with_error(cells[one, two]) if (one, two) in cells else "" for two in shown),
            )
            for one in shown
        ),
        either=True,
    )


def _partiality(assessment: TableAssessment) -> list[Section]:
    pairs = assessment.crosstable.partiality
    if not pairs:
        return []
    ranked = sorted(pairs.items(), key=lambda item: -item[1].mutual.value)[:_PAIRS]
    rows = tuple(
        (
            f"{display_name(one)}, {display_name(two)}",
            _with_error(pair.mutual),
            " ".join("+" if gift else "−" for gift in pair.gives),
            f"{pair.takes[0]} and {pair.takes[1]} of {pair.others}",
        )
        for (one, two), pair in ranked
    )
    section = Section(
        heading=f"Partiality of pairs, m{assessment.unit} a hand",
        words="What each of two gave the other less what it gave the others on average, both added "
        "and with standard errors; whether each gave to the other; and from how many of the others "
        "each took. Honest players of different styles are far from zero, too, and soft play alone "
        f"does not show. No verdict follows. The {len(rows)} largest of {len(pairs)}.",
        columns=("pair", "mutual", "to each other", "take from"),
        rows=rows,
    )
    return [section]


def _by_street(assessment: TableAssessment, player: str | None) -> Section:
    names = assessment.crosstable.players if player is None else (player,)
    rows = [
        (
            display_name(name),
            *(
                _with_error(assessment.crosstable.streets[name, name, street])  # type: ignore[index]
                for street in range(len(_STREETS))
            ),
        )
        for name in names
        if (name, name) in assessment.crosstable.cells
    ]
    return Section(
        heading=f"Own decisions by street, m{assessment.unit} a hand",
        words="What a player's own decisions changed for that player, with standard errors."
        f"{sample_words(assessment)}",
        columns=("player", *_STREETS),
        rows=tuple(rows),
    )


def _by_position(assessment: TableAssessment, player: str | None) -> Section:
    scores = assessment.every.with_columns(seats=pl.len().over("row"))
    player = player or assessment.hero
    if player is not None:
        scores = scores.filter(pl.col("player") == assessment.players.index(player))
    names = [
        position_of(seat, seats)
        for seat, seats in scores.select("seat", "seats").unique().iter_rows()
    ]
    places = dict(zip(scores.select("seat", "seats").unique().iter_rows(), names, strict=True))
    if assessment.hidden:
        decides = assessment.decision(player).decides
        columns = dict.fromkeys(("money", decides))
    else:
        columns = dict.fromkeys(("money", "fitted", "own"))
    titles = {one.name: one.title for one in assessment.estimators} | {"own": "Own decisions"}
    compare = (
        ": compare own decisions, which are measured against the baseline in the same place."
        if "own" in columns
        else "."
    )
    rows = []
    for position in Position:
        here = [key for key, place in places.items() if place is position]
        part = scores.join(
            pl.DataFrame(
                here,
                schema={"seat": scores["seat"].dtype, "seats": scores["seats"].dtype},
                orient="row",
            ),
            on=["seat", "seats"],
            how="semi",
        )
        if part.height:
            cells = (
                with_interval(estimate(part[key].to_numpy(), unit=assessment.unit))
                for key in columns
            )
            rows.append((position.key.replace("_", " "), f"{part.height:,}", *cells))
    whose = "Everybody’s" if player is None else f"{display_name(player)}’s"
    return Section(
        heading=f"By position, {assessment.unit} a hand (95 % interval)",
        words=f"{whose} results in each place. Positions are not equal{compare}",
        columns=("position", "hands", *(titles[name] for name in columns)),
        rows=tuple(rows),
    )


def _course(assessment: TableAssessment, player: str | None) -> list[Section]:
    courses, player = course_of_table(assessment), player or assessment.hero
    if player is not None:
        chosen = {name: of for name, of in courses.items() if name == player}
    else:
        ranked = sorted(courses, key=lambda name: courses[name].p_value)
        chosen = {name: courses[name] for name in ranked[:_MOST_IN_CHART]}
    if not chosen:
        return []
    rows = tuple(
        (display_name(name), *row) for name, of in chosen.items() for row in course_rows(of)
    )
    if player is None:
        words = courses_words(courses, assessment.unit)
    else:
        name = display_name(player)
        words = course_words(name, courses[player], assessment.unit, players=len(courses))
    return [
        Section(
            heading=f"Change of play, {assessment.unit} a hand",
            words=words,
            columns=("player", *COLUMNS),
            rows=rows,
        )
    ]


def _costliest(
    assessment: TableAssessment, player: str | None, progress: Progress | None
) -> list[Section]:
    scores = assessment.scores
    if player is not None:
        scores = scores.filter(pl.col("player") == assessment.players.index(player))
    worst = scores.sort("own").head(_REPLAYED).filter(pl.col("own") < 0)
    if worst.is_empty():
        return []
    return [
        Section(
            heading=f"Costliest hands by own decisions, {assessment.unit}",
            words="Where a player's decisions gave away most, judged by the baseline with all "
            "cards seen. So losing with the second-best hand stands here too. "
            f"{hand_words()} {_BOARDS:,} boards.{sample_words(assessment)}",
            stories=_stories(assessment, worst, progress),
        ),
    ]


def _stories(
    assessment: TableAssessment, worst: pl.DataFrame, progress: Progress | None
) -> tuple[TableStory, ...]:
    records = list(records_of(assessment.played.rows(worst["row"].to_numpy())))
    few = len({record.rules for record in records}) <= _FEW_RULES
    stories = []
    for done, (record, row) in enumerate(zip(records, worst.iter_rows(named=True), strict=True)):
        if progress is not None:
            progress(done, len(records), "hands replayed")
        score = score_table_hand(
            record,
            assessment.settings,
            boards=_BOARDS,
            position_deals=POSITION_DEALS if few else CHANGING_STACKS_DEALS,
        )
        name = display_name(assessment.players[row["player"]])
        amount = f"{name} {signed(row['own'], 1)} {assessment.unit}"
        stories.append(table_story(score, amount=amount))
    return tuple(stories)
