"""Tournaments as a document: prizes, less the luck of all-ins, and how a series developed.

`table_document` reports on the same hands by their chips.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from railbird.assessment import Contest, estimators_of
from railbird.assessment.prizes import WINDOW, PrizeAssessment, Series
from railbird.estimates import Estimate
from railbird.report.altair import alt
from railbird.report.charts import LINES_HEIGHT, layered, line_scales
from railbird.report.document import Document, Figure, Section, Table
from railbird.report.number_format import (
    counted,
    display_name,
    interval_of,
    number,
    percent,
    signed,
)

_WIDTH = 360
"""Width of the figure, whose letters stay legible where a phone makes it narrower."""
_NAMED = 2
"""Opponents whom the first line names."""


def prize_document(
    assessment: PrizeAssessment, player: str | None, estimator_names: Sequence[str]
) -> Document:
    """Say what came of tournaments, of all players or one."""
    names = assessment.players if player is None else (player,)
    series = {
        name: player_series
        for name in names
        if (player_series := assessment.series(name)) is not None
    }
    sections = [
        Section(
            table=_prizes(assessment, names, estimator_names),
            note="\n".join(filter(None, _words(assessment, estimator_names))),
        )
    ]
    if assessment.independent == assessment.tournaments > 1:
        sections.append(
            Section(
                heading="Tournament by tournament",
                figures=(_figure(assessment, names),),
                page_only=True,
            )
        )
    if series:
        sections.append(
            Section(
                heading=f"The first {WINDOW} and the last {WINDOW}",
                table=_ends(series),
                note=_LOOKS,
            )
        )
    best = names[0]
    share = float(assessment.wins(best).mean())
    others = [display_name(name) for name in assessment.players if name != best]
    against = f" against {' and '.join(others)}" if 0 < len(others) <= _NAMED else ""
    lead = (
        f"{display_name(best)} won {percent(share)} of "
        f"{counted(assessment.tournaments, 'tournament')}{against}. {_mean_words(assessment, best)}"
    )
    return Document(title="Tournaments", lead=lead, sections=sections)


def _mean_words(assessment: PrizeAssessment, player: str) -> str:
    """Say what a player won on average, and what of it was not the luck of all-ins."""
    money, less = (assessment.estimates[player].get(name) for name in ("prize", "prize_less_luck"))
    if money is None:
        return ""
    sentence = (
        f"Prizes were {number(money.value, 3)} a tournament (95 % interval {interval_of(money, 3)})"
    )
    if isinstance(less, Estimate) and less.enough:
        sentence += (
            f", {number(less.value, 3)} ({interval_of(less, 3)}) without the luck of all-ins"
        )
    return f"{sentence}."


def series_words(series: Series) -> str:
    """Return a sentence on whether more was won at the end of a series than at its beginning."""
    gain = f"{signed(100 * series.gain, 0)} % ({_interval(series)})"
    return (
        f"won {percent(series.first.value, 0)} of the first {WINDOW}, "
        f"{percent(series.last.value, 0)} of the last {WINDOW}: {gain}, {_verdict(series)}"
    )


def _prizes(
    assessment: PrizeAssessment, names: Sequence[str], estimator_names: Sequence[str]
) -> Table:
    title = (
        f"{counted(assessment.tournaments, 'tournament')}{_sets(assessment)}, "
        f"{counted(assessment.hands)}"
    )
    listed = [
        estimator
        for estimator in estimators_of(Contest.TOURNAMENT)
        if estimator.name in estimator_names
    ]
    listed = [estimator for estimator in listed if estimator.name in assessment.estimates[names[0]]]
    heads = [head for estimator in listed for head in (estimator.title.lower(), "95 % interval")]
    rows = []
    for name in names:
        values = [assessment.estimates[name][estimator.name] for estimator in listed]
        cells = [
            cell
            for estimate in values
            for cell in (number(estimate.value, 3), interval_of(estimate, 3))
        ]
        rows.append((name, *cells))
    return Table(("player", *heads), rows, title=title)


def _sets(assessment: PrizeAssessment) -> str:
    if assessment.independent == assessment.tournaments:
        return ""
    return f" in {counted(assessment.independent, 'set')}"


def _words(assessment: PrizeAssessment, estimator_names: Sequence[str]) -> list[str]:
    words = [assessment.integrity.sentences(display=display_name)]
    if assessment.unfinished.count:
        words.append(
            f"Left out: {counted(assessment.unfinished.count, 'tournament')} that cannot be"
            f" followed to the end, such as {assessment.unfinished.why}."
        )
    if "prize_less_luck" not in estimator_names:
        return words
    if "prize_less_luck" not in assessment.estimates[assessment.players[0]]:
        words.append("A card is unknown: which all-ins could be adjusted would depend on who won.")
        return words
    words.append(luck_words(assessment.all_ins, assessment.left, assessment.variance_reduction))
    return words


def luck_words(all_ins: int, left: int, times: float | None) -> str:
    """Return what the last interval of the prizes leaves out, and how much narrower it is.

    ``left`` counts all-ins that are not adjusted; ``times`` is the reduction of the variance.
    """
    words = f"The last interval is less the luck of {counted(all_ins, 'all-in')}"
    words += f"; {left:,} of five hands or more are left" if left else ""
    if times is not None:
        words += f", and as narrow as that of {number(times, 2)} times as many tournaments"
    return f"{words}."


def _ends(series: dict[str, Series]) -> Table:
    return Table(
        (
            "player",
            f"first {WINDOW}",
            f"last {WINDOW}",
            "more in the end",
            "95 % interval",
            "verdict",
        ),
        [
            (
                name,
                percent(player_series.first.value, 0),
                percent(player_series.last.value, 0),
                f"{signed(100 * player_series.gain, 0)} %",
                _interval(player_series),
                _verdict(player_series),
            )
            for name, player_series in series.items()
        ],
    )


def _interval(series: Series) -> str:
    return f"{signed(100 * series.low, 0)} to {signed(100 * series.high, 0)} %"


def _verdict(series: Series) -> str:
    if not series.low < series.high or series.low <= 0 <= series.high:
        return "undecided"
    return "wins more in the end" if series.low > 0 else "wins less in the end"


_LOOKS = (
    "The interval allows for a series that ends when its player likes the result, after any "
    f"tournament from number {2 * WINDOW} on."
)


def _figure(assessment: PrizeAssessment, names: Sequence[str]) -> Figure:
    """Draw the share won so far, after each tournament."""
    values = [
        {"tournament": place, "share": share, "player": display_name(name)}
        for name in names
        for place, share in enumerate(_running(assessment.wins(name)), 1)
    ]
    ends = ", ".join(
        f"{display_name(name)} {percent(float(assessment.wins(name).mean()), 0)}" for name in names
    )

    colours, dashes = line_scales([*map(display_name, names)])

    def chart() -> alt.LayerChart:
        lines = (
            alt.Chart(alt.InlineData(values=values))
            .mark_line(interpolate="step-after", strokeWidth=1.75)
            .encode(
                x=alt.X(
                    "tournament:Q", title="tournaments", axis=alt.Axis(tickCount=5, tickMinStep=1)
                ),
                y=alt.Y(
                    "share:Q",
                    title="won so far",
                    axis=alt.Axis(format="~%", tickCount=5),
                    scale=alt.Scale(domain=[0, 1]),
                ),
                color=alt.Color(
                    "player:N",
                    title=None,
                    scale=colours,
                    legend=alt.Legend(columns=2),
                ),
                strokeDash=alt.StrokeDash("player:N", title=None, scale=dashes),
            )
        )
        return layered(lines).properties(width=_WIDTH, height=LINES_HEIGHT)

    return Figure(
        name="won-so-far",
        title="Share of tournaments won so far",
        words=f"A line for each player over {len(values) // len(names)} tournaments; at the end "
        f"{ends}.",
        chart=chart,
    )


def _running(won: np.ndarray) -> list[float]:
    shares: list[float] = (np.cumsum(won) / np.arange(1, len(won) + 1)).tolist()
    return shares
