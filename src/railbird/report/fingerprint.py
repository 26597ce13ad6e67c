"""A player's fingerprint as a document: three maps of its play against probes, heads-up."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from railbird.arena.fingerprint import PlayerFingerprint, ProbedPoint
from railbird.estimates import Estimate
from railbird.report.altair import alt
from railbird.report.charts import finite, variable
from railbird.report.document import Document, Figure, Section, Table
from railbird.report.number_format import signed, with_interval

_SIDE: Final = 300
"""Height and width of a map, in pixels."""
_OPACITY: Final = 0.5
"""Of a full cell: text in it keeps its contrast in both themes."""
_FAINTEST: Final = 0.03
"""Of a cell of zero, which would otherwise look like one that nobody played."""
_MAPS: Final[Mapping[str, tuple[str, Callable[[ProbedPoint], float]]]] = {
    "raises": ("Bets or raises, % of decisions", lambda point: 100 * point.raises),
    "folds": ("Folds, % of bets faced", lambda point: 100 * point.folds),
    "wins": ("Wins a hand", lambda point: point.money.value),
}
"""Name, title and value of each map."""
_CERTAINTY: Final[Mapping[str, Callable[[ProbedPoint], str]]] = {
    "raises": lambda point: f"of {point.decisions:,}",
    "folds": lambda point: f"of {point.bets_faced:,}",
    "wins": lambda point: _half_width(point.money),
}
"""What each map says below its value: of how many decisions it is, or its 95 % interval."""


def fingerprint_document(fingerprint: PlayerFingerprint) -> Document:
    """Show a fingerprint: the maps, and a table of the same figures with their uncertainty."""
    unit, player = fingerprint.rules.result_unit, fingerprint.player
    rows = [
        (
            f"{point.raising:.0%}",
            f"{point.fold:.0%}",
            _share(point.raises),
            _share(point.folds),
            with_interval(point.money),
        )
        for point in fingerprint.points
    ]
    heads = ("Probe raises", "Probe folds", "Raises", "Folds to a bet", f"Wins, {unit} a hand")
    return Document(
        title=f"Fingerprint of {player}",
        lead=(
            f"{player} in {fingerprint.rules.betting.value}, heads-up, against probes that raise "
            f"and fold at random; {2 * fingerprint.deals:,} hands each, seed {fingerprint.seed}."
        ),
        sections=[
            Section(
                figures=[
                    Figure(
                        chart=partial(_map, fingerprint, name),
                        name=name,
                        words=f"{title} by how often the probe raises and folds.",
                    )
                    for name, (title, _) in _MAPS.items()
                ],
                page_only=True,
            ),
            Section(table=Table(heads, rows)),
        ],
    )


def _share(share: float) -> str:
    return "" if math.isnan(share) else f"{share:.0%}"


def _half_width(money: Estimate) -> str:
    low, high = money.interval()
    return f"± {(high - low) / 2:.2f}" if math.isfinite(high - low) else "too few"


def _map(fingerprint: PlayerFingerprint, name: str) -> alt.LayerChart:
    """Draw one map, the probes that raise most to the right, those that fold most at the top."""
    title, value_of = _MAPS[name]
    values = [value_of(point) for point in fingerprint.points]
    is_money = name == "wins"
    full = max((abs(value) for value in values if math.isfinite(value)), default=1) or 1
    cells = [
        {
            "raises": round(100 * point.raising),
            "folds": round(100 * point.fold),
            "text": "–" if math.isnan(value) else signed(value, 2) if is_money else f"{value:.0f}",
            "certainty": _CERTAINTY[name](point),
            "shade": _FAINTEST + (_OPACITY - _FAINTEST) * abs(value) / (full if is_money else 100),
            "sign": "loses" if is_money and value < 0 else "wins",
        }
        for point, value in zip(fingerprint.points, values, strict=True)
    ]
    marks = [round(100 * step / fingerprint.steps) for step in range(fingerprint.steps + 1)]
    base = alt.Chart(alt.InlineData(values=finite(cells))).encode(
        x=alt.X(
            "raises", type="ordinal", sort=marks,
            axis=alt.Axis(title="the probe raises, %", labelAngle=0),
        ),
        y=alt.Y(
            "folds", type="ordinal", sort=marks[::-1], axis=alt.Axis(title="it folds to a bet, %")
        ),
    )  # fmt: skip
    colour = alt.Fill(
        "sign",
        type="nominal",
        legend=None,
        scale=alt.Scale(domain=["wins", "loses"], range=[variable("skill"), variable("money")]),
    )
    tile = base.mark_rect(stroke=variable("line"), strokeWidth=1).encode(
        fill=colour,
        fillOpacity=alt.FillOpacity(
            "shade", type="quantitative", legend=None,
            scale=alt.Scale(domain=[0, 1], range=[0, 1]),
        ),
    )  # fmt: skip
    text = base.mark_text(fontSize=13, dy=-7).encode(
        text=alt.Text("text", type="nominal"), color=alt.value(variable("ink"))
    )
    certainty = base.mark_text(fontSize=11, dy=10).encode(
        text=alt.Text("certainty", type="nominal"), color=alt.value(variable("ink"))
    )
    unit = f", {fingerprint.rules.result_unit}" if is_money else ""
    return alt.LayerChart(layer=[tile, text, certainty]).properties(
        width=_SIDE, height=_SIDE, title=f"{title}{unit}"
    )
