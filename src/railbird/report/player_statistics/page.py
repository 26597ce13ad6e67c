"""A session report: one page on a player's style and results, stake by stake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.player_statistics.statistic_names import DEFINITIONS, Statistic
from railbird.assessment.player_statistics.statistics import By, PlayerStatistics, divided
from railbird.cards import CLASS_NAMES
from railbird.errors import NothingUsable
from railbird.report.pushfold.range_chart import range_chart
from railbird.report.toolkit.charts_page import Chart, Section, charts_page
from railbird.report.toolkit.number_format import (
    counted,
    display_name,
    interval,
    money_won,
    number,
    percent,
    signed,
)
from railbird.report.toolkit.palette import variable

if TYPE_CHECKING:
    from railbird.assessment.player_statistics.sessions import HourlyRate
    from railbird.assessment.player_statistics.style import Style
    from railbird.estimates import Estimate

_MOST: Final = 6
"""Maximum number of players with their own section."""
_POINTS: Final = 400
_WIDTH, _HEIGHT = 420, 170
_LAST_SESSIONS: Final = 30
_LINES: Final = {
    "all hands": ("won", "money"),
    "at showdown": ("at_showdown", "skill"),
    "without showdown": ("without", "luck"),
}
_WINNINGS: Final = {
    "bb_per_100": "big blinds / 100 hands",
    "showdown_bb_per_100": "at showdown",
    "non_showdown_bb_per_100": "without showdown",
    "allin_bb_per_100": "all-ins by their mean",
}


def statistics_page(
    rows: pl.DataFrame, styles: Mapping[str, Style], rates: Mapping[str, HourlyRate]
) -> str:
    """Return the page on the players of ``rows``, the result of `statistics.counts_of`."""
    whole = {name: of[""] for name, of in divided(rows, None).items()}
    names = list(whole)[:_MOST]
    sections: list[Section] = []
    for name in names:
        mine = rows.filter(pl.col("player") == name)
        heading = display_name(name)
        sections += [
            _key_figures(heading, whole[name], rates.get(name)),
            _lines(heading, mine),
            _shares(heading, whole[name], styles[name]),
            *_divided(heading, mine, By.POSITION),
            *_own_hands(heading, mine),
            *_divided(heading, mine, By.STAKE),
            *_divided(heading, mine, By.SESSION),
            *_divided(heading, mine, By.MONTH),
        ]
    title = "Players" if len(names) > 1 else f"{display_name(names[0])}, session report"
    if (more := len(whole) - len(names)) > 0:
        title += f", the {len(names)} with most hands; {more} more"
    return charts_page(title, sections, lead=_lead(names[0], whole[names[0]]))


def _lead(name: str, of: PlayerStatistics) -> str:
    won = of.winnings["bb_per_100"]
    said = f"{display_name(name)}: {_per_hundred(won)} big blinds in a hundred hands"
    if not won.enough:
        return f"{said}; {counted(of.hands)} are too few to say more."
    beyond = won.low > 0 or won.high < 0
    meaning = "beyond chance" if beyond else "which luck alone could explain"
    return f"{said} over {counted(of.hands)}, {meaning}."


def _per_hundred(won: Estimate) -> str:
    return f"{signed(won.value, 1)} ({interval(*won.interval(), 1)})"


def _key_figures(heading: str, of: PlayerStatistics, rate: HourlyRate | None) -> Section:
    shares = {statistic.key: share for statistic, share in of.shares.items()}
    key = [("hands", f"{of.hands:,}")]
    if of.money:
        key.append(("won", money_won(of.money)))
    key += [
        (name.upper(), percent(shares[name].value) if shares[name].n else "–")
        for name in ("vpip", "pfr")
    ]
    if rate is not None:
        key += [
            ("hours, sessions", f"{rate.hours:,.1f}, {rate.sessions}"),
            ("big blinds an hour", signed(rate.bb.value, 1)),
        ]
    return Section(heading=heading, key=tuple(key))


def _lines(heading: str, rows: pl.DataFrame) -> Section:
    ordered = rows.sort("played_at", maintain_order=True, nulls_last=False)
    sums = ordered.select(
        won=pl.col("won").cum_sum(),
        at_showdown=pl.when("showdown").then("won").otherwise(0.0).cum_sum(),
        without=pl.when("showdown").then(0.0).otherwise("won").cum_sum(),
    )
    stride = max(1, -(-sums.height // _POINTS))
    kept = sorted({*range(stride - 1, sums.height, stride), sums.height - 1})
    values = [
        {"line": label, "hand": hand, "sum": round(value, 3)}
        for label, (column, _) in _LINES.items()
        for hand, value in [
            (0, 0.0),
            *zip([row + 1 for row in kept], sums[column].gather(kept).to_list(), strict=True),
        ]
    ]
    colours = [variable(colour) for _, colour in _LINES.values()]
    lines = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(strokeWidth=1.75)
        .encode(
            x=alt.X("hand:Q", title="hands", axis=alt.Axis(tickCount=5, grid=False)),
            y=alt.Y("sum:Q", title="big blinds", axis=alt.Axis(tickCount=4)),
            color=alt.Color(
                "line:N",
                title=None,
                scale=alt.Scale(domain=list(_LINES), range=colours),
                legend=alt.Legend(orient="top"),
            ),
            strokeDash=alt.StrokeDash(
                "line:N",
                title=None,
                scale=alt.Scale(domain=list(_LINES), range=[[1, 0], [4, 2], [1, 2]]),
            ),
        )
    )
    chart = alt.LayerChart(layer=[lines]).properties(width=_WIDTH, height=_HEIGHT)
    return Section(
        words="Running sums, each hand in its own big blinds.",
        charts=(Chart(chart, f"Lines: {heading}’s winnings, with and without showdowns."),),
    )


def _shares(heading: str, of: PlayerStatistics, style: Style) -> Section:
    rows = [
        (label, _per_hundred(won), f"{won.n:,}")
        for key, label in _WINNINGS.items()
        for won in [of.winnings[key]]
    ]
    for statistic, share in of.shares.items():
        if share.n:
            low, high = share.interval()
            shown = f"{percent(share.value)} ({number(100 * low, 1)} to {number(100 * high, 1)})"
            rows.append((statistic.key.replace("_", " "), shown, f"{share.n:,}"))
    rows.append(("aggression factor", number(of.aggression, 2), ""))
    said = f"Style: {style.words}, beside the others at the table. " if style.words else ""
    if of.unknown_all_ins:
        said += (
            f"In {counted(of.unknown_all_ins, 'all-in')} the cards of a live hand are not known, "
            "so the adjusted ones are a selected sample. "
        )
    return Section(
        words=f"{said}Shares with their exact 95 % intervals, of how many chances. "
        + " ".join(f"{name}: {DEFINITIONS[Statistic[name.upper()]]}." for name in ("vpip", "pfr")),
        columns=("statistic", "95 % interval", "of"),
        rows=tuple(rows),
    )


def _divided(heading: str, rows: pl.DataFrame, by: By) -> list[Section]:
    """Return a table by position, stake, session or month, if known and there are several."""
    try:
        parts = next(iter(divided(rows, by).values()))
    except NothingUsable:
        return []
    if len(parts) < 2:
        return []
    shown = list(parts.items())[-_LAST_SESSIONS:]
    left = f" The last {len(shown)} of {len(parts):,}." if len(parts) > len(shown) else ""
    table = tuple(
        (
            key.replace("_", " "),
            f"{of.hands:,}",
            _per_hundred(of.winnings["bb_per_100"]),
            money_won(of.money),
            *(_percent(of, name) for name in (Statistic.VPIP, Statistic.PFR)),
        )
        for key, of in shown
    )
    return [
        Section(
            heading=f"{heading} by {by.value}",
            words=f"Money is summed up within one stake alone.{left}",
            columns=(by.value, "hands", "bb / 100 (95 % interval)", "money", "VPIP", "PFR"),
            rows=table,
        )
    ]


def _percent(of: PlayerStatistics, statistic: Statistic) -> str:
    share = of.shares[statistic]
    return percent(share.value) if share.n else "–"


def _own_hands(heading: str, rows: pl.DataFrame) -> list[Section]:
    """Return a chart of the player's play by the 169 classes of starting hands."""
    try:
        parts = next(iter(divided(rows, By.HAND).values()))
    except NothingUsable:
        return []
    charts = []
    for statistic, title in ((Statistic.VPIP, "played"), (Statistic.PFR, "raised before the flop")):
        values: npt.NDArray[np.float64] = np.full(len(CLASS_NAMES), np.nan)
        notes = [""] * len(CLASS_NAMES)
        for place, name in enumerate(CLASS_NAMES):
            share = None if name not in parts else parts[name].shares[statistic]
            if share is not None and share.n:
                values[place], notes[place] = share.value, f"{share.n:,}"
        charts.append(
            Chart(
                range_chart(values, title=title, notes=notes),
                f"Shares of the 169 kinds of hands that {heading} {title}.",
            )
        )
    return [
        Section(
            heading=f"{heading}’s own hands",
            words="How often each kind of hand was played, of how many; hands whose cards the log "
            "does not show are left out, so of other people’s hands these are selected ones.",
            charts=tuple(charts),
        )
    ]
