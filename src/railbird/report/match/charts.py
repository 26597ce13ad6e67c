"""Figures of a report as Vega-Lite specifications, built with Altair.

A figure refers to its data by name (`CURVES`, `PAIRS`) and to colours by meaning, so that the page
holds the data once and themes all figures with its own style sheet.
"""

from __future__ import annotations

import math

import altair as alt

from railbird.report.match.match_summary import EstimatorRow, MatchSummary, Sort
from railbird.report.match.running_sums import STREETS
from railbird.report.match.waterfall import steps_of, waterfall
from railbird.report.toolkit import number_format
from railbird.report.toolkit.chart_marks import (
    DASH_DOTTED,
    DASHED,
    DOTTED,
    SOLID,
    Line,
    Mark,
    lines,
    over_hands,
    rows,
    sum_axis,
)
from railbird.report.toolkit.figure import Figure
from railbird.report.toolkit.number_format import MINUS
from railbird.report.toolkit.palette import variable

CURVES = "curves"
PAIRS = "pairs"


def figures(facts: MatchSummary) -> tuple[Figure, ...]:
    """Draw the figures in the order of the page.

    Only those of the money where cards are hidden; the last one only for a duplicate match.
    """
    if facts.hidden:
        return _running_money(facts), _estimators(facts)
    drawn = [
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
        "equal players' line is found two times in three. DIVAT is not drawn: it is known of the "
        "hands only whose cards were shown.",
        chart=chart,
    )


def _running_sums(facts: MatchSummary) -> Figure:
    money, decisive, skill = facts.money, facts.decisive, facts.skill
    it = facts.decisive_words
    chart = lines(
        CURVES,
        [
            _money(money, money.hand_sd),
            _decisive(decisive, decisive.hand_sd, facts.decisive_word),
            Line(
                column="divat",
                label=_with_rate("DIVAT", skill),
                short="DIVAT",
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
        f"{number_format.counted(facts.hands)}: money ends at {_end(money)}, {it} "
        f"at {_end(decisive)} and DIVAT at {_end(skill)} {facts.unit_words}; money and "
        f"{it} with curves of one standard deviation about zero.",
        note="The dashed curves about zero are one standard deviation, sd·√hands, of money and of "
        f"{it}: between them two equal players' line is found two times in three. "
        f"{decisive.label} is money less luck; DIVAT sums up what the decisions were worth to the "
        "baseline.",
        chart=chart,
    )


def _estimators(facts: MatchSummary) -> Figure:
    shown = list(facts.comparable)
    colours = {"money": "money", facts.decides: "skill"}
    chart = rows(
        [_row_values(row, row.label) for row in shown],
        mark=Mark.POINT,
        amount=f"{facts.unit_words} a hand",
        colours=[colours.get(row.name, "ink") for row in shown],
    )
    return Figure(
        name="estimators",
        title="Estimates with 95 % intervals",
        words=f"Points with intervals for {facts.first}, {facts.unit_words} a hand: "
        f"{_said(shown)}.",
        note=f"{_aims(shown)} Where an interval reaches the line at zero, the better player is not "
        "decided.",
        chart=chart,
    )


def _by_round(facts: MatchSummary) -> Figure:
    skill = facts.row("divat")
    chart = rows(
        [*(_row_values(row, row.label) for row in facts.rounds), _row_values(skill, "All rounds")],
        mark=Mark.BAR,
        amount=f"{facts.unit_words} a hand",
        colours=[*STREETS, "skill"],
    )
    return Figure(
        name="divat-by-round",
        title="DIVAT by betting round",
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
            Line(
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
        title="DIVAT by round through the match",
        words=f"Line chart of each round's running DIVAT sum for {facts.first}; at the end {ends} "
        f"{facts.unit_words}.",
        note="A steady slope is a steady edge, a bend a change of play. The legend gives "
        f"{facts.unit_words} a hand.",
        chart=chart,
    )


def _parts(facts: MatchSummary) -> Figure:
    steps = steps_of(facts.parts)
    said = ", ".join(f"{step.part.lower()} {step.shown}" for step in steps)
    return Figure(
        name="money-in-parts",
        title="Money = skill + luck + position",
        words=f"Waterfall chart in {facts.unit_words} for {facts.first}: {said}.",
        note="Each bar begins where the one above it ended; the last is their sum. Skill is the "
        "DIVAT difference, luck the change of value when cards fall, position what the seats "
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
            Line(column="divat", label="Skill (DIVAT)", short="skill", colour="skill"),
            Line(column="luck", label="Luck", short="luck", colour="luck", dash=DASHED),
            Line(
                column="position",
                label="Position",
                short="position",
                colour="position",
                dash=DOTTED,
            ),
            Line(column="money", label="Money", short="money", colour="money"),
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
            Line(column="money", label="Money", short="money", colour="money"),
            Line(column="divat", label="DIVAT", short="DIVAT", colour="skill"),
            Line(column="dcash", label="Dcash", short="Dcash", colour="luck", dash=DASHED),
            Line(
                column="money_minus_dcash",
                label=f"Money {MINUS} Dcash",
                short=f"money {MINUS} Dcash",
                colour="position",
                dash=DOTTED,
            ),
            Line(
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
        [_money(money, money.sd), _decisive(decisive, decisive.sd, facts.decisive_word)],
        counted="pairs",
        amount=f"{facts.unit_words}, running sum of pair means",
    )
    return Figure(
        name="duplicate",
        title="Duplicate pairs",
        words=f"Line chart of running sums of pair means for {facts.first} over "
        f"{number_format.counted(facts.pairs.count, 'pair')}: money and "
        f"{facts.decisive_words} with curves of one standard deviation.",
        note="Each deal was played twice with the seats exchanged, and a pair counts with the "
        "mean of both plays: the luck of the deal cancels in the money too.",
        chart=chart,
    )


def _money(row: EstimatorRow, sd: float) -> Line:
    """Return the line of the money, with the standard deviation of one value."""
    return Line(
        column="money",
        label=_with_rate("Money", row),
        short="money",
        colour="money",
        sd=_finite(sd),
    )


def _decisive(row: EstimatorRow, sd: float, short: str) -> Line:
    """Return the line of the estimate that decides, with the standard deviation of one value."""
    return Line(
        column=row.name,
        label=_with_rate(row.label, row),
        short=short,
        colour="skill",
        sd=_finite(sd),
    )


def _aims(shown: list[EstimatorRow]) -> str:
    """State which rows estimate the same quantity."""
    if len(shown) == 1:
        return "Only the money does not depend on which cards were shown."
    biased = " and ".join(row.label for row in shown if row.sort is Sort.BIASED)
    rest = "All others estimate the same quantity" if biased else "All estimate the same quantity"
    off = f"{biased} is off by an unknown amount. " if biased else ""
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
