"""The report on one person's play as one HTML file without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railbird.report.one_player.summary import play_summary
from railbird.report.several_players.headline import lines_of
from railbird.report.several_players.running_sums_chart import running_sums_chart
from railbird.report.toolkit.charts_page import Chart, Section, charts_page
from railbird.report.toolkit.number_format import display_name

if TYPE_CHECKING:
    from railbird.assessment.own_play.own_play import OwnPlay


def play_page(play: OwnPlay) -> str:
    """Write the page; it needs no other file."""
    summary = play_summary(play)
    first, *rest = (
        Section(
            heading=section.heading,
            words=section.words,
            columns=section.columns,
            rows=section.rows,
            key=section.key,
        )
        for section in summary.sections
    )
    return charts_page(summary.title, [first, _lines(play), *rest], lead=summary.lead)


def _lines(play: OwnPlay) -> Section:
    titles = " and ".join(lines_of(play.assessment, play.player).values())
    chart = Chart(
        running_sums_chart(play.assessment, play.player),
        f"Lines: running sums of {titles} for {display_name(play.player)}.",
    )
    return Section(
        heading="Running sums",
        words=f"What was won, and the estimate that decides, {play.unit}, hand by hand.",
        charts=(chart,),
    )
