"""Push/fold equilibria as pictures: one stack with its values, or a sweep over many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from railbird._files import replace_files
from railbird.cards import CLASS_NAMES
from railbird.report.match.report_files import Image, render
from railbird.report.pushfold.range_chart import (
    FREQUENCY,
    GAIN,
    RangeScale,
    range_chart,
    range_figure,
    stack_scale,
)
from railbird.report.toolkit.charts_page import Chart, Section, charts_page
from railbird.report.toolkit.number_format import percent, signed
from railbird.solve import pushfold_ev

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from railbird.solve import PushFoldSolution, Sweep

ENDINGS = (".html", ".svg", ".png")
"""Kinds of files that `write_solution` and `write_sweep` write."""
_MIXED = 0.01


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Drawn:
    """A chart, its title, and the section of the page where it stands."""

    section: str
    title: str
    words: str
    values: npt.NDArray[np.float64]
    scale: RangeScale


def write_solution(solution: PushFoldSolution, path: Path) -> None:
    """Write charts of an equilibrium, how often each hand is played and what playing it gains.

    The ending of ``path`` says which of `ENDINGS`.
    """
    game = solution.game
    values = pushfold_ev(solution.push, solution.call, stack=game.stack, ante=game.ante)
    ante = f", antes of {game.ante:g}" if game.ante else ""
    title = f"Push/fold, {game.stack:g} big blinds{ante}"
    pushes, calls = "Small blind: push or fold", "Big blind: call or fold after a push"
    charts = [
        _Drawn(
            section=pushes,
            title="How often the small blind pushes",
            words="How often the small blind pushes each hand, in per cent.",
            values=solution.push,
            scale=FREQUENCY,
        ),
        _Drawn(
            section=pushes,
            title="What a push gains over a fold",
            words="Big blinds that a push of each hand earns beyond a fold.",
            values=values.push_ev - values.fold_ev_sb,
            scale=GAIN,
        ),
        _Drawn(
            section=calls,
            title="How often the big blind calls",
            words="How often the big blind calls a push with each hand, in per cent.",
            values=solution.call,
            scale=FREQUENCY,
        ),
        _Drawn(
            section=calls,
            title="What a call gains over a fold",
            words="Big blinds that a call with each hand earns beyond a fold.",
            values=values.call_ev - values.fold_ev_bb,
            scale=GAIN,
        ),
    ]
    key = (
        ("small blind wins, bb a hand", signed(solution.value_sb_bb, 4)),
        ("hands pushed", percent(solution.push_share)),
        ("hands that call", percent(solution.call_share)),
        ("a best response gains, bb a hand", f"{solution.exploitability_bb:.1e}"),
        ("a fold of the small blind earns, bb", signed(values.fold_ev_sb, 2)),
        ("a fold of the big blind earns, bb", signed(values.fold_ev_bb, 2)),
    )
    mixed = [
        f"{CLASS_NAMES[place]} is {what} {percent(frequency[place], 0)} of the time"
        for what, frequency in (("pushed", solution.push), ("called with", solution.call))
        for place in range(len(frequency))
        if _MIXED < frequency[place] < 1 - _MIXED
    ]
    words = [f"Mixed: {'; '.join(mixed)}."] if mixed else []
    lead = f"The small blind wins {signed(solution.value_sb_bb, 4)} bb a hand in equilibrium."
    _write(path, title, charts, lead=lead, key=key, words=" ".join(words))


def write_sweep(sweep: Sweep, path: Path) -> None:
    """Write charts of the largest stacks at which each hand is played, as `write_solution` does."""
    low, high = float(sweep.stacks[0]), float(sweep.stacks[-1])
    scale = stack_scale(high, whole=not (sweep.stacks % 1).any())
    charts = [
        _Drawn(
            section="",
            title=f"Largest stack at which a hand is {what}",
            words=f"Largest stack in big blinds at which each hand is {what}.",
            values=sweep.largest(values),
            scale=scale,
        )
        for what, values in (("pushed", sweep.push), ("called with", sweep.call))
    ]
    title = f"Push/fold, {low:g} to {high:g} big blinds"
    words = (
        f"≥{high:g}: the hand is played at the largest stack that was solved, and perhaps beyond. "
        "A dot: it is played at none of them. Some hands have gaps below their largest stack"
    )
    listed = "; ".join(
        f"{what} at {gap}"
        for what, values in (("pushed", sweep.push), ("called with", sweep.call))
        for gap in sweep.gaps(values)
    )
    _write(path, title, charts, words=f"{words}: {listed}." if listed else f"{words}.")


def _write(
    path: Path,
    title: str,
    charts: list[_Drawn],
    *,
    lead: str = "",
    key: tuple[tuple[str, str], ...] = (),
    words: str = "",
) -> None:
    if path.suffix.lower() == ".html":
        sections: Mapping[str, list[Chart]] = {drawing.section: [] for drawing in charts}
        for drawing in charts:
            chart = range_chart(drawing.values, title=drawing.title, scale=drawing.scale)
            sections[drawing.section].append(Chart(chart, drawing.words))
        page = charts_page(
            title,
            [
                Section(key=key, words=words),
                *(Section(heading=name, charts=tuple(drawn)) for name, drawn in sections.items()),
            ],
            lead=lead,
        )
        replace_files({path: page.encode()})
        return
    figures = [
        range_chart(drawing.values, title=drawing.title, scale=drawing.scale) for drawing in charts
    ]
    spec = range_figure(*figures) | {"background": "var(--paper)", "padding": 16}
    said = [f"{name} {value}" for name, value in key]
    spec["title"] = {"text": title, "subtitle": "; ".join(said)}
    replace_files({path: render(spec, Image(path.suffix[1:].lower()))})
