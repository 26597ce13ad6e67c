"""The report on a match of any hold'em as one HTML file: who won, by whose decisions, where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from railbird.estimates.estimate import estimate
from railbird.report.match.crosstable_chart import crosstable_chart
from railbird.report.several_players.headline import headline
from railbird.report.toolkit.charts_page import Chart, Section, charts_page
from railbird.report.toolkit.number_format import decimals_for, interval, number, signed

if TYPE_CHECKING:
    from railbird.assessment.decision_divat.match import TableAssessment
    from railbird.estimates import Estimate

_MOST_IN_CHART: Final = 9
"""Players beyond which the names of a chart are no longer legible; the JSON has all pairs."""
_COSTLIEST: Final = 20
_THOUSANDTHS: Final = 1000
_STREETS: Final = ("preflop", "flop", "turn", "river")


def table_page(found: TableAssessment) -> str:
    """Write the page; it needs no other file and runs no script."""
    sections = [_key_figures(found), _estimates(found)]
    if found.hands:
        sections += [_crosstable(found), _by_street(found), _by_seat(found), _costliest(found)]
    title = f"{len(found.players)} players, {found.hands + found.hidden:,} hands"
    return charts_page(title, sections, lead=headline(found))


def _key_figures(found: TableAssessment) -> Section:
    everybody = found.variance_reduction.get("all", {})
    return Section(
        key=(
            ("hands with all cards known", f"{found.hands:,}"),
            ("hands with hidden cards", f"{found.hidden:,}"),
            ("variance of money ÷ DIVAT's", number(everybody.get("divat"), 2)),
            ("variance of money ÷ fitted", number(everybody.get("fitted"), 2)),
        )
    )


def _estimates(found: TableAssessment) -> Section:
    rows = []
    for name in sorted(found.money_of_all, key=lambda each: -_deciding(found, each).value):
        cells = [name, f"{found.money_of_all[name].n:,}"]
        for each in found.estimators:
            cells += _cells(found.estimate(name, each.name))
        rows.append(tuple(cells))
    columns = [cell for each in found.estimators for cell in (each.title, "95 % interval")]
    words = " ".join(f"{each.title}: {each.meaning}. {each.assumes}" for each in found.estimators)
    return Section(
        heading=f"Results, {found.unit} a hand",
        words=words,
        columns=("player", "hands", *columns),
        rows=tuple(rows),
    )


def _deciding(found: TableAssessment, name: str) -> Estimate:
    return found.estimate(name, found.headline) or found.money_of_all[name]


def _cells(each: Estimate | None) -> tuple[str, str]:
    if each is None:
        return "–", "–"
    decimals = decimals_for(each.stderr)
    return signed(each.value, decimals), interval(*each.interval(), decimals)


def _crosstable(found: TableAssessment) -> Section:
    cells = found.crosstable.cells
    ranked = sorted(found.crosstable.players, key=lambda name: -cells[name, name].n)
    shown = ranked[:_MOST_IN_CHART]
    more = f" The {len(shown)} players with most hands." if len(ranked) > len(shown) else ""
    chart = Chart(
        crosstable_chart(cells, shown, found.unit),
        f"Table: mean change of each player's result by each player's decisions, in thousandths "
        f"of a {found.unit} a hand.",
    )
    return Section(
        heading="Whose decisions changed whose result",
        words="A row adds up to zero; a column to DIVAT less position. The diagonal says better "
        "than the baseline, not well played. Single cells depend on the baseline: bluffs and mixed "
        "play look like gifts, and honest players of different styles give unequally, so no cell "
        f"shows that two play together.{more}",
        charts=(chart,),
    )


def _by_street(found: TableAssessment) -> Section:
    rows = []
    for name in found.crosstable.players:
        streets = [found.crosstable.streets[name, name, street] for street in range(4)]  # type: ignore[index]
        cells = (
            f"{signed(_THOUSANDTHS * each.value, 0)} ± {_THOUSANDTHS * each.stderr:.0f}"
            for each in streets
        )
        rows.append((name, *cells))
    return Section(
        heading=f"Own decisions by street, m{found.unit} a hand",
        words="What a player's own decisions changed for that player, with standard errors.",
        columns=("player", *_STREETS),
        rows=tuple(rows),
    )


def _by_seat(found: TableAssessment) -> Section:
    rows = []
    for (seat,), part in found.scores.sort("seat").group_by("seat", maintain_order=True):
        won, own = (estimate(part[key].to_numpy(), unit=found.unit) for key in ("money", "own"))
        rows.append((f"{int(seat) + 1}", f"{part.height:,}", *_cells(won), *_cells(own)))
    return Section(
        heading=f"By seat, {found.unit} a hand",
        words="Seats are counted from the left of the button: with three players or more the small "
        "blind is 1 and the big blind 2; the last one is the button.",
        columns=("seat", "hands", "money", "95 % interval", "own decisions", "95 % interval"),
        rows=tuple(rows),
    )


def _costliest(found: TableAssessment) -> Section:
    names = found.players
    worst = found.scores.sort("own").head(_COSTLIEST).filter(pl.col("own") < 0)
    rows = tuple(
        (
            names[row["player"]],
            signed(row["own"], 1),
            signed(row["money"], 1),
            "–" if row["number"] < 0 else f"{row['number']}",
            f"{row['file'].rpartition('/')[2]} line {row['line']}",
        )
        for row in worst.iter_rows(named=True)
    )
    return Section(
        heading=f"Costliest hands by own decisions, {found.unit}",
        words="Where a player's decisions gave away most, judged by the baseline with all cards "
        "seen. So losing with the second-best hand stands here too.",
        columns=("player", "own decisions", "money", "hand", "where"),
        rows=rows,
    )
