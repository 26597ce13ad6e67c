"""Robustness of DIVAT to the settings of the baseline: none of them moves its mean.

The source varies the fold offsets (table 4.2) or the bets (table 4.1), on the flop or on the turn,
with nine settings each, and shows that the lines coincide. Here all nine by nine combinations are
examined too, and each is compared hand by hand with the standard settings, which is more sensitive.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import polars as pl

from railbird.baseline import AGGRESSIVENESS, STANDARD, TIGHTNESS, BaselineSettings, parse_settings
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import Drawing, significance_chart, sweep_lines
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, claimed, sigmas_for, zero
from railbird.experiments.framework.statistics import Floats
from railbird.experiments.framework.workspace import Work
from railbird.experiments.kan2007.duplicate import NAMES, PLAYERS
from railbird.experiments.kan2007.sweep import sweep
from railbird.histories import read
from railbird.report.toolkit import number_format

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import PlayedMatch, Workspace

HANDS = 100_000
SHORT = 500

Judged = Mapping[BaselineSettings, Floats]
"""DIVAT of every hand, by settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Nine settings that differ in one respect, as in one figure of the source."""

    figure: str
    short_figure: str
    """Figure of the match's first 500 hands."""
    what: str
    street: str
    presets: tuple[str, ...]

    @property
    def settings(self) -> dict[str, BaselineSettings]:
        """Return the settings by the preset's name."""
        return {preset: parse_settings(f"{self.street}={preset}") for preset in self.presets}


SWEEPS = tuple(
    Sweep(
        figure=f"{figure} {letter}",
        short_figure=f"{short_figure} {letter}",
        what=what,
        street=street,
        presets=presets,
    )
    for figure, short_figure, street in (("4.8", "4.10", "flop"), ("4.9", "4.11", "turn"))
    for letter, what, presets in (("a", "fold offsets", TIGHTNESS), ("b", "bets", AGGRESSIVENESS))
)

GRIDS = {
    street: {
        (bets, folds): parse_settings(f"{street}={bets},{street}={folds}")
        for bets, folds in product(AGGRESSIVENESS, TIGHTNESS)
    }
    for street in ("flop", "turn")
}
"""All settings of a street by the presets of bets and fold offsets, including the sweeps."""


def perform(workspace: Workspace) -> Result:
    """Score the beginning of the duplicate match's first direction by all settings."""
    match = workspace.match(*PLAYERS, workspace.hands(HANDS))
    judged = _judge(workspace, workspace.play(match))
    few = min(SHORT, match.hands // 2)
    start = {settings: divat[:few] for settings, divat in judged.items()}
    players = f"{NAMES[0]} against {NAMES[1]}, seed {workspace.seed}"
    rows: list[Row] = []
    drawings: list[Drawing] = []
    for group in SWEEPS:
        rows += sweep_rows(group, judged)
        drawings.append(sweep_drawing(group, group.figure, judged, players))
    for group in SWEEPS:
        rows += sweep_rows(group, start)
        drawings.append(sweep_drawing(group, group.short_figure, start, players))
    for street in GRIDS:
        rows.append(_grid_row(street, judged))
        drawings.append(_grid_chart(street, judged, players))
    return Result(hands=match.hands, rows=tuple(rows), drawings=tuple(drawings))


def sweep_rows(sweep: Sweep, judged: Judged) -> tuple[Row, ...]:
    """Compare the nine lines with each other at the end, and with the standard hand by hand."""
    divat = {preset: judged[settings] for preset, settings in sweep.settings.items()}
    ends = {preset: estimate(amounts) for preset, amounts in divat.items()}
    highest = max(ends, key=lambda preset: ends[preset].value)
    lowest = min(ends, key=lambda preset: ends[preset].value)
    where = f"{sweep.street}, nine {sweep.what}, {ends[highest].n:,} hands"
    return (
        claimed(
            f"{where}: highest less lowest",
            paired_difference(divat[highest], divat[lowest]),
            max(end.low for end in ends.values()) <= min(end.high for end in ends.values()),
            rule="the 95 % intervals of all lines' ends have a point in common",
            note=f"Highest {_shown(highest, ends)}, lowest {_shown(lowest, ends)}.",
        ),
        _farthest(where, divat, judged[STANDARD]),
    )


def _shown(preset: str, ends: Mapping[str, Estimate]) -> str:
    end = ends[preset]
    digits = number_format.decimals_for(end.stderr)
    interval = number_format.interval(end.low, end.high, digits)
    return f"{preset} {number_format.signed(end.value, digits)} ({interval})"


def _grid_row(street: str, judged: Judged) -> Row:
    divat = {f"{b} and {f}": judged[settings] for (b, f), settings in GRIDS[street].items()}
    standard = judged[STANDARD]
    where = f"{street}, nine bets by nine fold offsets, {len(standard):,} hands"
    return _farthest(where, divat, standard)


def _farthest(where: str, divat: Mapping[str, Floats], standard: Floats) -> Row:
    """Check the settings that differ most from the standard, allowing for their number."""
    changes = {name: paired_difference(amounts, standard) for name, amounts in divat.items()}
    name = max(changes, key=lambda label: abs(significance(changes[label])))
    return zero(
        f"{where}: farthest from the standard",
        changes[name],
        note=f"{name}, {number_format.signed(significance(changes[name]), 2)} standard errors, "
        "paired.",
        sigmas=sigmas_for(len(divat) - 1),
    )


def significance(change: Estimate) -> float:
    """Return the distance from zero in standard errors; 0 if nothing differs."""
    return change.value / change.stderr if change.stderr > 0 else 0.0


def sweep_drawing(sweep: Sweep, figure: str, judged: Judged, players: str) -> Drawing:
    """Plot the nine lines of a sweep."""
    divat = {preset: pl.Series(judged[settings]) for preset, settings in sweep.settings.items()}
    hands = len(judged[STANDARD])
    return sweep_lines(
        f"figure-{figure.replace(' ', '')}",
        f"Figure {figure}: DIVAT by nine {sweep.what} on the {sweep.street}",
        divat,
        subtitle=f"{players}, {hands:,} hands",
        note="Solid: the standard settings; the curves are at one standard deviation.",
    )


def _grid_chart(street: str, judged: Judged, players: str) -> Drawing:
    standard = judged[STANDARD]
    return significance_chart(
        f"grid-{street}",
        f"All bets by all fold offsets on the {street}",
        {
            cell: significance(paired_difference(judged[settings], standard))
            for cell, settings in GRIDS[street].items()
        },
        subtitle=f"{players}, {len(standard):,} hands",
        note="DIVAT by each pair of settings less DIVAT by the standard ones, in standard errors "
        "of the paired difference. Neighbours are nearly the same estimate and move together.",
    )


def _judge(workspace: Workspace, played: PlayedMatch) -> Judged:
    """Score the match by all settings of the grids."""
    every = list(dict.fromkeys(settings for made in GRIDS.values() for settings in made.values()))
    started = time.perf_counter()
    match = played.match
    total = len(every) * match.hands
    divat = sweep(
        read(played.log),
        every,
        player=match.names[0],
        threads=workspace.workers,
        progress=lambda done: workspace.tell(done, total, "scoring"),
    )
    workspace.record(Work("scored", divat.size, time.perf_counter() - started))
    return dict(zip(every, divat, strict=True))
