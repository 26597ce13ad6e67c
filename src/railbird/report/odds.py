"""Spectra, odds and values before the flop in any hold'em, as pictures and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from railbird.cards import CLASSES, STRENGTHS, Category
from railbird.cards.tables import CATEGORY_OF_STRENGTH
from railbird.errors import BadInput
from railbird.odds import FlopOutcomes, PreflopChart, ShowdownOdds, Spectrum
from railbird.report.altair import alt
from railbird.report.charts import layered, variable
from railbird.report.document import Table
from railbird.report.number_format import number, percent, signed
from railbird.report.range_chart import RangeScale, Shade, range_chart

# Spectra and distributions as tables, with bars of text.


_BAR_WIDTH: Final = 11
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_STEPS: Final = 12


def bar(share: float, width: int = _BAR_WIDTH) -> str:
    """Return a bar for a share, with eighths of a character.

    >>> bar(0.5, 4), bar(0.28125, 4), bar(0, 4)
    ('██', '█▏', '')
    """
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def category_name(category: Category) -> str:
    """Return the words for a category.

    >>> category_name(Category.TWO_PAIR)
    'two pair'
    """
    return category.name.lower().replace("_", " ")


def spectrum_table(before: Spectrum, after: Spectrum | None = None) -> Table:
    """Lay out final hands by category, the player's and the opponents', and after reflection.

    Categories that nobody makes are left out.
    """
    spectra = [before.by_category()] + ([after.by_category()] if after is not None else [])
    sides = ["yours", "theirs"] if after is None else ["yours", "theirs before", "after"]
    rows = []
    for category in Category:
        shares = [spectra[0][category][0], *(spectrum[category][1] for spectrum in spectra)]
        if max(shares) > 0:
            cells = [f"{percent(share, 1):>7} {bar(share):{_BAR_WIDTH}}" for share in shares]
            rows.append((category_name(category), *cells))
    return Table(("final hand", *(f"   {side}" for side in sides)), rows)


def opponents_table(odds: Sequence[ShowdownOdds]) -> Table:
    """Lay out the odds against one opponent, two, and so on."""
    rows = [
        (
            str(number),
            percent(showdown_odds.power, 1),
            percent(showdown_odds.joint, 1),
            bar(showdown_odds.joint, 2 * _BAR_WIDTH),
        )
        for number, showdown_odds in enumerate(odds, start=1)
    ]
    return Table(("opponents", "by final hand", "no card in two hands", ""), rows)


def outcomes_table(outcomes: FlopOutcomes) -> Table:
    """Lay out the distribution of what flops are worth, in steps of big blinds."""
    low, high = float(outcomes.raw.min()), float(outcomes.raw.max())
    edges = np.linspace(low, high, _STEPS + 1)
    place = np.clip(np.searchsorted(edges, outcomes.raw, side="right") - 1, 0, _STEPS - 1)
    shares = np.bincount(place, outcomes.probability, _STEPS) / outcomes.probability.sum()
    most = max(float(shares.max()), 1e-9)
    rows = [
        (
            f"{signed(float(start), 1)} to {signed(float(end), 1)}",
            percent(share, 1),
            bar(share / most, 2 * _BAR_WIDTH),
        )
        for start, end, share in zip(edges[:-1], edges[1:], shares.tolist(), strict=True)
    ]
    return Table(("a flop is worth, bb", "of flops", ""), rows)


def card_list(cards: Sequence[str]) -> str:
    """Return cards in one line; none as a dash.

    >>> card_list(["As", "Kd"]), card_list([])
    ('As Kd', '–')
    """
    return " ".join(cards) or "–"


# Pictures of spectra, of odds by the number of opponents, and of values before the flop.


_BINS: Final = 93
_WIDTH: Final = 760
_HEIGHT: Final = 190
_SIDES: Final = {"yours": "skill", "theirs": "money"}
_NARROW: Final = 400
"""Strengths of a category that has no room for its name."""
_HEADROOM: Final = 1.3
"""Of the axis above the highest bar, for the names of categories."""
_NAMES_HEIGHT: Final = 16
"""Pixels that these names take."""
_RARE: Final = 0.001
"""Share of flops that share the last bar."""
_LINES: Final = {
    "no card in two hands": ("skill", (1, 0)),
    "opponents independent, by final hand": ("money", (7, 3)),
    "odds against one to a power (wrong)": ("muted", (3, 2)),
}

CHART_SCALE: Final = RangeScale(
    shade=Shade.BALANCE, digits=1, unit="big blinds", legend="big blinds gained"
)
"""Values before the flop."""
_PLAYED_SCALE: Final = replace(CHART_SCALE, shade=Shade.AMOUNT, full=2)
"""Those of the hands that are played, all above 0."""


def spectrum_chart(spectrum: Spectrum, *, title: str) -> alt.LayerChart:
    """Draw both histograms of final hands, from the worst to the nuts: the player's above the line.

    Dashed rules mark the medians.
    """
    width = STRENGTHS / _BINS
    own, theirs = spectrum.bins(_BINS)
    values = [
        {"from": place * width, "to": (place + 1) * width, "share": share, "side": side, "zero": 0}
        for side, shares in (("yours", own.tolist()), ("theirs", (-theirs).tolist()))
        for place, share in enumerate(shares)
        if share
    ]
    axis = alt.Axis(format="~%", labelExpr="replace(datum.label, '−', '')", tickCount=5)
    x = alt.X(
        "from",
        type="quantitative",
        title="final hand, from the worst to the nuts; dashed: the medians",
        axis=alt.Axis(labels=False, grid=False),
        scale=alt.Scale(domain=[0, STRENGTHS], nice=False),
    )
    bars = (
        alt.Chart(alt.InlineData(values=values))
        .mark_rect(opacity=0.85)
        .encode(
            x=x,
            x2="to",
            y2="zero",
            y=alt.Y(
                "share",
                type="quantitative",
                title="share",
                axis=axis,
                scale=alt.Scale(
                    domain=[-1.15 * float(theirs.max()), _HEADROOM * float(own.max())], nice=False
                ),
            ),
            color=alt.Color(
                "side",
                type="nominal",
                title=None,
                scale=alt.Scale(
                    domain=list(_SIDES), range=[variable(colour) for colour in _SIDES.values()]
                ),
                legend=alt.Legend(symbolType="square"),
            ),
        )
    )
    starts = np.searchsorted(CATEGORY_OF_STRENGTH, np.arange(len(Category)))
    ends = [*starts[1:].tolist(), STRENGTHS]
    names = [
        {"from": float(start), "name": category_name(category) if wide else ""}
        for category, start, end in zip(Category, starts.tolist(), ends, strict=True)
        for wide in [end - start > _NARROW]
    ]
    marks = alt.Chart(alt.InlineData(values=names))
    medians = alt.Chart(
        alt.InlineData(
            values=[
                {"from": median, "side": side}
                for median, side in zip(spectrum.medians, _SIDES, strict=True)
            ]
        )
    )
    return layered(
        marks.mark_rule(color=variable("line")).encode(x=x),
        bars,
        medians.mark_rule(strokeDash=[5, 3], strokeWidth=1.5).encode(
            x=x,
            y=alt.value(_NAMES_HEIGHT),
            y2=alt.value(_HEIGHT),
            color=alt.Color("side", type="nominal", title=None),
        ),
        marks.mark_text(align="left", dx=3, fontSize=11, color=variable("muted")).encode(
            x=x, y=alt.value(8), text=alt.Text("name", type="nominal")
        ),
        alt.Chart(alt.InlineData(values=[{}]))
        .mark_rule(color=variable("muted"))
        .encode(y=alt.datum(0)),
    ).properties(width=_WIDTH, height=_HEIGHT, title=title)


def opponents_chart(odds: Sequence[ShowdownOdds], *, title: str) -> alt.LayerChart:
    """Draw the odds against one opponent, two, and so on, as they are and as often computed."""
    heads_up_odds = odds[0].joint
    values = [
        {"opponents": n, "odds": value, "line": line}
        for n, showdown_odds in enumerate(odds, start=1)
        for line, value in zip(
            _LINES, (showdown_odds.joint, showdown_odds.power, heads_up_odds**n), strict=True
        )
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "opponents",
            type="ordinal",
            title="opponents",
            axis=alt.Axis(labelAngle=0),
        ),
        y=alt.Y(
            "odds", type="quantitative", title="odds", axis=alt.Axis(format=".0%", tickCount=5)
        ),
        color=alt.Color(
            "line",
            type="nominal",
            title=None,
            scale=alt.Scale(
                domain=list(_LINES), range=[variable(colour) for colour, _ in _LINES.values()]
            ),
            legend=alt.Legend(columns=1),
        ),
    )
    lines = base.mark_line(strokeWidth=2).encode(
        strokeDash=alt.StrokeDash(
            "line",
            type="nominal",
            title=None,
            scale=alt.Scale(domain=list(_LINES), range=[list(dash) for _, dash in _LINES.values()]),
        )
    )
    return layered(lines, base.mark_point(filled=True, size=20, opacity=1)).properties(
        width=_WIDTH, height=_HEIGHT, title=title
    )


def outcomes_chart(outcomes: FlopOutcomes, *, title: str) -> alt.LayerChart:
    """Draw the distribution of what flops are worth; those below zero are folded.

    The best in a thousand, whose bars nobody would see, are in the last bar with those before.
    """
    order = np.argsort(outcomes.raw)
    share_below = outcomes.probability[order].cumsum() / outcomes.probability.sum()
    low, most = float(outcomes.raw.min()), float(outcomes.raw.max())
    high = float(outcomes.raw[order][np.searchsorted(share_below, 1 - _RARE)])
    step = max((high - low) / 60, 1e-9)
    start = np.floor(low / step) * step  # zero is an edge
    last = np.ceil((high - start) / step) - 1
    place = np.floor((outcomes.raw - start) / step + 1e-9).clip(max=last).astype(np.int64)
    shares = np.bincount(place, outcomes.probability) / outcomes.probability.sum()
    values = [
        {
            "from": start + i * step,
            "to": start + (i + 1) * step,
            "share": share,
            "zero": 0,
            "what": "folded" if start + (i + 0.5) * step < 0 else "bet",
        }
        for i, share in enumerate(shares.tolist())
        if share
    ]
    bars = (
        alt.Chart(alt.InlineData(values=values))
        .mark_rect()
        .encode(
            x=alt.X(
                "from",
                type="quantitative",
                title=f"value of a flop, big blinds; the last bar goes up to {number(most, 1)}",
                scale=alt.Scale(nice=False),
            ),
            x2="to",
            y2="zero",
            y=alt.Y(
                "share", type="quantitative", title="share of flops", axis=alt.Axis(format="~%")
            ),
            color=alt.Color(
                "what",
                type="nominal",
                title=None,
                scale=alt.Scale(
                    domain=["folded", "bet"], range=[variable("muted"), variable("skill")]
                ),
                legend=alt.Legend(symbolType="square"),
            ),
        )
    )
    return layered(bars).properties(width=_WIDTH, height=_HEIGHT, title=title)


def preflop_charts(chart: PreflopChart) -> list[alt.LayerChart]:
    """Draw the chart of the 169 classes for every position: the value of the best action."""
    return [
        range_chart(
            np.where(values > 0, values, np.nan),
            title=f"{position}: {int((values > 0).sum())} of {CLASSES} hands are played",
            scale=_PLAYED_SCALE,
        )
        for position, values in zip(chart.positions, chart.best, strict=True)
    ]


def class_table_chart(equity: np.ndarray, hand: str) -> alt.LayerChart:
    """Draw the equity (169,) of a class of hands against each."""
    if equity.shape != (CLASSES,):
        raise BadInput(f"an equity of shape {equity.shape}; allowed: ({CLASSES},)")
    return range_chart(
        equity,
        title=f"{hand}: equity against each class",
        scale=RangeScale(
            shade=Shade.BALANCE,
            middle=0.5,
            full=0.5,
            factor=100,
            unit="%",
            legend="% of the pot",
        ),
    )
