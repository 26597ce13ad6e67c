"""A page with pictures on what is remembered of one opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table

from railbird.modelling.opponent_statistics import OpponentStatistics
from railbird.modelling.opponent_statistics.classes import Verdict
from railbird.modelling.settings import LEAST_ACTIONS, LEAST_SHOWN, SHOWN_HANDS
from railbird.report.opponents import terminal
from railbird.report.opponents.charts import (
    actions_chart,
    aggression_chart,
    classes_chart,
    folds_chart,
    probabilities_chart,
    ratings_chart,
    shown_charts,
)
from railbird.report.opponents.summary import OpponentSummary
from railbird.report.toolkit.charts_page import Chart, Section, charts_page
from railbird.report.toolkit.number_format import display_name, number, percent

_NONE: Final = "–"


def opponent_page(summaries: Sequence[OpponentSummary]) -> str:
    """Return the page on one opponent: a part for each memory of it. All text is escaped."""
    name = display_name(summaries[0].stored.name)
    sections = [section for each in summaries for section in _sections(each, name)]
    return charts_page(f"{name}, as others remember it", sections, lead=_lead(summaries))


def _lead(summaries: Sequence[OpponentSummary]) -> str:
    told = []
    for each in summaries:
        if found := [c.name for c in each.classes if c.verdict is Verdict.YES]:
            whose = display_name(each.stored.scope.observer)
            told.append(f"{', '.join(found)} ({whose}, {terminal.game_words(each)})")
    if not told:
        return "Too little is known to say what kind of player it is."
    return f"{'; '.join(told)}."


def _sections(of: OpponentSummary, name: str) -> list[Section]:
    sections = [_key_figures(of)]
    if of.statistics is not None:
        sections += [
            _classes(of, name),
            _play(of.statistics, name),
            _shown(of.statistics, name),
            _over_time(of, name),
            _arrays(of.statistics, name),
        ]
    elif of.model is not None:
        sections += [
            _section(
                terminal.frequencies_table(of.model),
                heading="Actions",
                words="What it did, by street and by the bets that it had to call.",
            ),
            _over_time(of, name),
        ]
    return sections


def _key_figures(of: OpponentSummary) -> Section:
    stored, bets = of.stored, of.bets
    key = [
        ("hands", f"{stored.hands:,}"),
        ("sessions", f"{stored.sessions:,}"),
        ("bets and raises", percent(bets.value, 0) if bets.n else _NONE),
    ]
    if of.statistics is not None:
        group = of.statistics.mean_group(on_blind=False)
        key += [
            ("showdowns", f"{of.statistics.showdowns:,}"),
            ("mean group without a blind", _NONE if group is None else number(group.value, 1)),
        ]
    key.append(("last met", f"{stored.last_met_at:%Y-%m-%d}"))
    return Section(
        heading=f"{display_name(stored.scope.observer)}: {terminal.game_words(of)}",
        words=f"First met on {stored.first_met_at:%Y-%m-%d at %H:%M} UTC.",
        key=tuple(key),
    )


def _classes(of: OpponentSummary, name: str) -> Section:
    return _section(
        terminal.classes_table(of.classes),
        _drawn(classes_chart(of.classes, name)),
        heading="What kind of player it is",
        words="Shares with their exact 95 % intervals, and the threshold (the tick) above"
        " which a class holds. It holds where the whole interval is above, and does not where it is"
        f" below; nothing is said of fewer than {LEAST_ACTIONS} actions or {LEAST_SHOWN} shown"
        " hands. The manual defines every share.",
    )


def _play(of: OpponentStatistics, name: str) -> Section:
    return _section(
        terminal.actions_table(of),
        [actions_chart(of, name), folds_chart(of, name)],
        heading="What it does, and where it folds",
        words="Shares of its actions, with their number; and the street on which it folded, of all"
        f" {of.hands:,} hands that it was dealt.",
    )


def _shown(of: OpponentStatistics, name: str) -> Section:
    return _section(
        terminal.shown_table(of),
        shown_charts(of, name),
        heading="What it had to show",
        words="Hands by starting cards, suited above the diagonal. Only hands that had to be shown"
        " count: what is shown without need may be chosen to mislead. Those that were raised or"
        f" called before the flop are of the latest {SHOWN_HANDS}.",
    )


def _over_time(of: OpponentSummary, name: str) -> Section:
    charts = _drawn(aggression_chart(of.stored.history, name))
    words = (
        "Bets and raises of all actions, with their exact 95 % interval; short sessions are taken"
        f" together. The latest {len(of.stored.history):,} sessions."
        if charts
        else "There are too few sessions to show how its aggression developed."
    )
    if of.statistics is not None and (ratings := ratings_chart(of.statistics, name)) is not None:
        charts.append(ratings)
        words += (
            " The other picture has the latest shown hands of each action and street after the"
            " flop, in order: by how many standard deviations the hand exceeded the mean of its"
            " board. The lines are running means."
        )
        return _section(
            terminal.ratings_table(of.statistics), charts, heading="Over time", words=words
        )
    return Section(heading="Over time", words=words, charts=tuple(charts))


def _arrays(of: OpponentStatistics, name: str) -> Section:
    return _section(
        terminal.probabilities_table(of),
        _drawn(probabilities_chart(of, name)),
        heading="How good its hands were",
        words=f"The fifteen rolling arrays, each of the latest {of.memory} entries: the probability"
        " of winning of a hand that it had to show, at the time of each of its actions. Below, the"
        " means, after a call or raise also in per cent for each big blind put in, and the number"
        " of entries.",
    )


def _section(table: Table, charts: Sequence[Chart] = (), *, heading: str, words: str) -> Section:
    """Return a section with the rows of a terminal's table."""
    columns = tuple(str(column.header) for column in table.columns)
    cells = zip(*(column.cells for column in table.columns), strict=True)
    return Section(
        heading=heading,
        words=words,
        charts=tuple(charts),
        columns=columns,
        rows=tuple(tuple(map(str, row)) for row in cells),
    )


def _drawn(chart: Chart | None) -> list[Chart]:
    return [] if chart is None else [chart]
