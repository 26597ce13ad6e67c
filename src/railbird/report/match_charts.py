"""Charts of a heads-up limit match: the waterfall of its parts, running sums, rounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from railbird.report import number_format
from railbird.report.altair import alt
from railbird.report.charts import (
    DASH_DOTTED,
    DASHED,
    DOTTED,
    SOLID,
    ChartLine,
    RowMark,
    amount_axis,
    layered,
    lines,
    over_hands,
    row_axis,
    rows,
    sum_axis,
    variable,
    zero_column,
)
from railbird.report.document import Figure
from railbird.report.headline import listed
from railbird.report.match_summary import EstimatorRow, MatchSummary, RowKind, Summand
from railbird.report.number_format import MINUS
from railbird.report.running_sums import STREETS

_BAR_HEIGHT = 26
_LABEL_ROOM = 48
"""Pixels kept free for the numbers beside bars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallStep:
    """One bar; the fields are those of the chart's data."""

    part: str
    kind: str
    """The colour's name."""
    start: float
    end: float
    right: float
    """Horizontal place of the number."""
    shown: str


def steps_of(parts: Sequence[Summand]) -> list[WaterfallStep]:
    """Compute the bars of the parts, and of the money that they sum to."""
    steps, running = list[WaterfallStep](), 0.0
    for part in parts:
        steps.append(_step(part.label, part.kind, running, running + part.total))
        running += part.total
    return [*steps, _step("Money", "money", 0.0, running)]


def _step(part: str, kind: str, start: float, end: float) -> WaterfallStep:
    shown = number_format.signed(end - start, 1)
    return WaterfallStep(
        part=part, kind=kind, start=start, end=end, right=max(start, end), shown=shown
    )


def waterfall(steps: Sequence[WaterfallStep], *, amount: str) -> alt.LayerChart:
    """Draw the bars with their numbers; ``amount`` names the horizontal axis."""
    kinds = list(dict.fromkeys(step.kind for step in steps))
    base = alt.Chart(alt.InlineData(values=[asdict(step) for step in steps])).encode(
        y=row_axis("part", [step.part for step in steps])
    )
    bars = base.mark_bar(height=14).encode(
        x=alt.X(
            "start",
            type="quantitative",
            title=amount,
            axis=amount_axis(),
            scale=alt.Scale(padding=_LABEL_ROOM, nice=False),
        ),
        x2="end",
        color=alt.Color(
            "kind",
            type="nominal",
            scale=alt.Scale(domain=kinds, range=[variable(kind) for kind in kinds]),
            legend=None,
        ),
        tooltip=[
            alt.Tooltip("part", type="nominal", title="\N{NO-BREAK SPACE}"),
            alt.Tooltip("shown", type="nominal", title=amount),
        ],
    )
    labels = base.mark_text(align="left", dx=5, fontSize=12, color=variable("muted")).encode(
        x=alt.X("right", type="quantitative"), text=alt.Text("shown", type="nominal")
    )
    return layered(zero_column(), bars, labels).properties(
        width="container", height=_BAR_HEIGHT * len(steps)
    )


# Figures of a report as Vega-Lite specifications, built with Altair.
#
# A figure refers to its data by name (`CURVES`, `PAIRS`) and to colours by meaning, so that the
# page holds the data once and themes all figures with its own style sheet.


CURVES = "curves"
PAIRS = "pairs"


def match_figures(facts: MatchSummary) -> tuple[Figure, ...]:
    """Draw the figures in the order of the page.

    Only those of the money where cards are hidden; the last one only for a duplicate match.
    """
    if facts.hidden:
        return _running_money(facts), _estimators(facts)
    drawn = [
        *([] if facts.luckier_than is None else [_luck_gauge(facts, facts.luckier_than)]),
        _running_sums(facts),
        _estimators(facts),
        _by_round(facts),
        _round_lines(facts),
        _parts(facts),
        _parts_through_match(facts),
        _other_lines(facts),
    ]
    if facts.pairs is not None:
        drawn.append(_duplicate(facts))
    return tuple(drawn)


def datasets(facts: MatchSummary) -> dict[str, dict[str, list[float]]]:
    """Return the shared data by name, as columns."""
    shared = {CURVES: facts.curves}
    if facts.pairs is not None:
        shared[PAIRS] = facts.pairs.curves
    return {name: curves.table.to_dict(as_series=False) for name, curves in shared.items()}


_BANDS = ((0, 5), (5, 25), (25, 75), (75, 95), (95, 100))
"""Percentiles between which matches are as dark in the gauge."""
_OPACITIES = (0.75, 0.4, 0.15, 0.4, 0.75)
_GAUGE_HEIGHT = 54
_BAR = (25, 48)
"""Top and bottom of the gauge's bar, in pixels."""


def _luck_gauge(facts: MatchSummary, luckier_than: float) -> Figure:
    """Draw the luck of the match among that of matches between equal players (Kan 2007, 1.3)."""
    percentile = number_format.percent(min(luckier_than, 0.999))  # never all of them
    bands = alt.Chart(
        alt.InlineData(
            values=[
                {"low": low, "high": high, "opacity": opacity}
                for (low, high), opacity in zip(_BANDS, _OPACITIES, strict=True)
            ]
        )
    )
    scale = alt.Scale(domain=[0, 100], nice=False)
    axis = alt.Axis(values=[5, 25, 50, 75, 95], grid=False, labelExpr="datum.value + ' %'")
    bars = bands.mark_bar(color=variable("luck")).encode(
        y=alt.value(_BAR[0]),
        y2=alt.value(_BAR[1]),
        x=alt.X(
            "low",
            type="quantitative",
            scale=scale,
            axis=axis,
            title="equal matches with less luck",
        ),
        x2="high",
        opacity=alt.Opacity("opacity", type="quantitative", scale=None, legend=None),
    )
    marker = alt.Chart(alt.InlineData(values=[{"place": 100 * luckier_than, "shown": percentile}]))
    at = alt.X("place", type="quantitative", scale=scale)
    needle = marker.mark_rule(color=variable("ink"), strokeWidth=3).encode(
        x=at, y=alt.value(_BAR[0] - 5), y2=alt.value(_BAR[1] + 5)
    )
    left = luckier_than > _RIGHT
    align: Literal["left", "right"] = "right" if left else "left"
    label = marker.mark_text(
        align=align,
        dx=-6 if left else 6,
        y=9,
        fontSize=14,
        color=variable("ink"),
    ).encode(x=at, text=alt.Text("shown", type="nominal"))
    return Figure(
        name="luck",
        title=f"Luck-o-meter: luckier than {percentile} of matches between equal players",
        words=f"Gauge from 0 to 100 per cent with a mark at {percentile}: the share of matches of "
        f"this length between equal players in which {facts.first} would have had less luck.",
        note=f"Luck is what the cards gave: the money less position and “{facts.decisive.label}”. "
        "Without any the mark is at 50 %. It stands in the outer dark fields in one match of ten, "
        "and says nothing of how well anybody played.",
        chart=layered(bars, needle, label).properties(width="container", height=_GAUGE_HEIGHT),
    )


_RIGHT = 0.5
"""Percentile from which the gauge's number stands to the left of its mark."""


def _running_money(facts: MatchSummary) -> Figure:
    money = facts.money
    chart = lines(
        CURVES,
        [_money(money, money.hand_sd)],
        counted="hands",
        amount=f"{facts.unit_words}, running sum",
    )
    return Figure(
        name="money",
        title="Money through the match",
        words=f"Line chart of the running sum of money for {facts.first} over "
        f"{number_format.counted(facts.hands)}: it ends at {_end(money)} {facts.unit_words}, with "
        "curves of one standard deviation about zero.",
        note="The dashed curves are one standard deviation about zero, sd·√hands: between them two "
        "equal players' line is found two times in three. What decisions were worth is not drawn: "
        "it is known of the hands only whose cards were shown.",
        chart=chart,
    )


def _running_sums(facts: MatchSummary) -> Figure:
    money, decisive, skill = facts.money, facts.decisive, facts.skill
    chart = lines(
        CURVES,
        [
            _money(money, money.hand_sd),
            _decisive(decisive, decisive.hand_sd, "luck taken out"),
            ChartLine(
                column="divat",
                label=_with_rate("Decisions alone", skill),
                short="decisions",
                colour="muted",
                dash=DASHED,
            ),
        ],
        counted="hands",
        amount=f"{facts.unit_words}, running sum",
    )
    return Figure(
        name="money-and-skill",
        title="Money and skill through the match",
        words=f"Line chart of three running sums for {facts.first} over "
        f"{number_format.counted(facts.hands)}: money ends at {_end(money)}, with luck taken "
        f"out at {_end(decisive)} and decisions alone at {_end(skill)} {facts.unit_words}; the "
        f"first two with curves of one standard deviation about zero.",
        note="The dashed curves about zero are one standard deviation, sd·√hands, of money "
        "with and without luck: between them two equal players' line is found two times in three. "
        "Decisions alone are summed up at what they were worth to the baseline.",
        chart=chart,
    )


def _estimators(facts: MatchSummary) -> Figure:
    estimator_rows = [row for row in facts.comparable if row in facts.usual]
    colours = {"money": "money", facts.decides: "skill"}
    chart = rows(
        [_row_values(row, row.label) for row in estimator_rows],
        mark=RowMark.POINT,
        amount=f"{facts.unit_words} a hand",
        colours=[colours.get(row.name, "ink") for row in estimator_rows],
    )
    return Figure(
        name="estimators",
        title="Estimates with 95 % intervals",
        words=f"Points with intervals for {facts.first}, {facts.unit_words} a hand: "
        f"{_said(estimator_rows)}.",
        note=f"{_aims(estimator_rows)} Where an interval reaches the line at zero, the better "
        "player is not decided.",
        chart=chart,
    )


def _by_round(facts: MatchSummary) -> Figure:
    skill = facts.row("divat")
    chart = rows(
        [*(_row_values(row, row.label) for row in facts.rounds), _row_values(skill, "All rounds")],
        mark=RowMark.BAR,
        amount=f"{facts.unit_words} a hand",
        colours=[*STREETS, "skill"],
    )
    return Figure(
        name="divat-by-round",
        title="Decisions by betting round",
        words=f"Bars with 95 % intervals, {facts.unit_words} a hand for {facts.first}: "
        f"{_said(facts.rounds)}; all rounds {skill.shown} ({skill.shown_interval}).",
        note="Means over all hands with 95 % intervals. The rounds are not independent: a play "
        "that costs on the flop may be meant to earn on the river.",
        chart=chart,
    )


def _round_lines(facts: MatchSummary) -> Figure:
    dashes = (SOLID, DASHED, DOTTED, DASH_DOTTED)
    chart = lines(
        CURVES,
        [
            ChartLine(
                column=row.name,
                label=f"{row.label} {row.shown}",
                short=row.name,
                colour=row.name,
                dash=dash,
            )
            for row, dash in zip(facts.rounds, dashes, strict=True)
        ],
        counted="hands",
        amount=f"{facts.unit_words}, running sum",
    )
    ends = ", ".join(f"{row.name} {_end(row)}" for row in facts.rounds)
    return Figure(
        name="divat-by-round-lines",
        title="Decisions by round through the match",
        words="Line chart of what decisions of each round were worth, summed up, for "
        f"{facts.first}; at the end {ends} {facts.unit_words}.",
        note="A steady slope is a steady edge, a bend a change of play. The legend gives "
        f"{facts.unit_words} a hand.",
        chart=chart,
    )


def _parts(facts: MatchSummary) -> Figure:
    steps = steps_of(facts.parts)
    step_words = ", ".join(f"{step.part.lower()} {step.shown}" for step in steps)
    return Figure(
        name="money-in-parts",
        title="Money = skill + luck + position",
        words=f"Waterfall chart in {facts.unit_words} for {facts.first}: {step_words}.",
        note="Each bar begins where the one above it ended; the last is their sum. Skill is what "
        "decisions were worth, luck the change of value when cards fall, position what the seats "
        "were worth.",
        chart=waterfall(steps, amount=facts.unit_words),
    )


def _parts_through_match(facts: MatchSummary) -> Figure:
    amount = f"{facts.unit_words}, running sum"
    base = over_hands(CURVES, "hands")
    skill = base.mark_area(opacity=0.22, color=variable("skill"), aria=False).encode(
        y=sum_axis("divat", amount), y2=alt.datum(0)
    )
    luck = base.mark_area(opacity=0.22, color=variable("luck"), aria=False).encode(
        y=sum_axis("divat", amount), y2="money"
    )
    chart = lines(
        CURVES,
        [
            ChartLine(column="divat", label="Skill", short="skill", colour="skill"),
            ChartLine(column="luck", label="Luck", short="luck", colour="luck", dash=DASHED),
            ChartLine(
                column="position",
                label="Position",
                short="position",
                colour="position",
                dash=DOTTED,
            ),
            ChartLine(column="money", label="Money", short="money", colour="money"),
        ],
        counted="hands",
        amount=amount,
        areas=[skill, luck],
    )
    return Figure(
        name="skill-and-luck",
        title="Skill and luck through the match",
        words=f"Area and line chart for {facts.first}: skill from zero, and luck with position "
        "stacked on it up to the money.",
        note="The blue area is skill; the green one is what luck and position added to it or took "
        "from it, up to the money.",
        chart=chart,
    )


def _other_lines(facts: MatchSummary) -> Figure:
    chart = lines(
        CURVES,
        [
            ChartLine(column="money", label="Money", short="money", colour="money"),
            ChartLine(column="divat", label="DIVAT", short="DIVAT", colour="skill"),
            ChartLine(column="dcash", label="Dcash", short="Dcash", colour="luck", dash=DASHED),
            ChartLine(
                column="money_minus_dcash",
                label=f"Money {MINUS} Dcash",
                short=f"money {MINUS} Dcash",
                colour="position",
                dash=DOTTED,
            ),
            ChartLine(
                column="redgreen",
                label="RedGreen",
                short="RedGreen",
                colour="ink",
                dash=DASH_DOTTED,
            ),
        ],
        counted="hands",
        amount=f"{facts.unit_words}, running sum",
    )
    return Figure(
        name="dcash-and-redgreen",
        title="Dcash and RedGreen",
        words=f"Line chart of running sums for {facts.first}: money, DIVAT, Dcash, money minus "
        "Dcash, and RedGreen points.",
        note="Dcash is what two baseline players would have won with these cards; money less "
        "Dcash has the mean of the money, but for the value of position, as DIVAT has, and varies "
        "more. RedGreen books a round's difference to whoever left the baseline first.",
        chart=chart,
    )


def _duplicate(facts: MatchSummary) -> Figure:
    assert facts.pairs is not None
    money, decisive = facts.pairs.money, facts.pairs.decisive
    chart = lines(
        PAIRS,
        [_money(money, money.sd), _decisive(decisive, decisive.sd, "luck taken out")],
        counted="pairs",
        amount=f"{facts.unit_words}, running sum of pair means",
    )
    return Figure(
        name="duplicate",
        title="Duplicate pairs",
        words=f"Line chart of running sums of pair means for {facts.first} over "
        f"{number_format.counted(facts.pairs.count, 'pair')}: money and "
        f"the fitted estimate with curves of one standard deviation.",
        note="Each deal was played twice with the seats exchanged, and a pair counts with the "
        "mean of both plays: the luck of the deal cancels in the money too.",
        chart=chart,
    )


def _money(row: EstimatorRow, sd: float) -> ChartLine:
    """Return the line of the money, with the standard deviation of one value."""
    return ChartLine(
        column="money",
        label=_with_rate("Money", row),
        short="money",
        colour="money",
        sd=_finite(sd),
    )


def _decisive(row: EstimatorRow, sd: float, short: str) -> ChartLine:
    """Return the line of the estimate that decides, with the standard deviation of one value."""
    return ChartLine(
        column=row.name,
        label=_with_rate(row.label, row),
        short=short,
        colour="skill",
        sd=_finite(sd),
    )


def _aims(rows: list[EstimatorRow]) -> str:
    """State which rows estimate the same quantity."""
    if len(rows) == 1:
        return "Only the money does not depend on which cards were shown."
    labels = [row.label for row in rows if row.kind is RowKind.BIASED]
    biased, verb = listed(labels), "are" if labels[1:] else "is"
    rest = "All others estimate the same quantity" if biased else "All estimate the same quantity"
    off = f"{biased} {verb} off by an unknown amount. " if biased else ""
    return f"{off}{rest}, the expected result of a hand."


def _with_rate(label: str, row: EstimatorRow) -> str:
    return f"{label} {row.shown} a hand"


def _end(row: EstimatorRow) -> str:
    return number_format.signed(row.total, 1)


def _said(shown: tuple[EstimatorRow, ...] | list[EstimatorRow]) -> str:
    return "; ".join(f"{row.label} {row.shown} ({row.shown_interval})" for row in shown)


def _row_values(row: EstimatorRow, label: str) -> dict[str, object]:
    return {
        "row": label,
        "value": row.value,
        "low": _finite(row.estimate.low),
        "high": _finite(row.estimate.high),
        "shown": row.shown,
        "interval": row.shown_interval,
    }


def _finite(value: float) -> float | None:
    """Replace an infinite or undefined number by None."""
    return value if math.isfinite(value) else None
