"""Robustness of DIVAT to the settings of the baseline: none of them moves its mean.

The source varies the fold offsets (table 4.2) or the bets (table 4.1), on the flop or on the turn,
with nine settings each, and shows that the lines coincide. Here all nine by nine combinations are
examined too, and both streets changed at once; each is compared hand by hand with the standard
settings, which is more sensitive.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice, product, repeat
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from railbird.assessment import Scorer, find_table, open_scorer
from railbird.assessment.limit_layout import Batch, batch_of
from railbird.baseline import AGGRESSIVENESS, STANDARD, TIGHTNESS, BaselineSettings, parse_settings
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.extending import Floats
from railbird.game.rules import Street
from railbird.histories import HandRecord, Skipped, read
from railbird.report import number_format
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing, significance_chart, sweep_lines
from railbird_papers.framework.rows import Row, claimed, measured, reduction, sigmas_for, zero
from railbird_papers.framework.workspace import Work
from railbird_papers.kan2007.matches import DUPLICATE_PLAYERS, NAMES

if TYPE_CHECKING:
    from railbird_papers.framework.workspace import PlayedMatch, Workspace


# One match scored by many settings that differ from the flop on, but read only once.
#
# A player of the standard baseline before the flop neither gains nor loses there under any settings
# with the same preflop numbers. So preflop values, which would need a table for each settings,
# cancel, and those of the standard settings serve for all.


_CHUNK = 8192


def sweep(
    records: Iterable[HandRecord | Skipped],
    settings: Sequence[BaselineSettings],
    *,
    player: str,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Floats:
    """Return DIVAT of every hand by each settings, (settings, hands), in small bets for ``player``.

    ``progress`` counts every hand once for each settings. Raises `BadInput` for settings that
    differ from the standard before the flop, and for a match whose players left the baseline there.
    """
    scorers = _scorers(settings)
    hands = (record for record in records if isinstance(record, HandRecord))
    parts: list[list[Floats]] = []
    done = 0
    with ThreadPoolExecutor(max_workers=threads) as pool:
        while chunk := list(islice(hands, _CHUNK)):
            batch = batch_of(chunk)
            side = np.array([1.0 if record.players[0] == player else -1.0 for record in chunk])
            chunk_divat: list[Floats] = []
            for divat in pool.map(_divat, scorers, repeat(batch)):
                chunk_divat.append(side * divat)
                done += len(chunk)
                if progress is not None:
                    progress(done)
            parts.append(chunk_divat)
    return np.concatenate([np.stack(chunk_divat) for chunk_divat in parts], axis=1)


def _scorers(settings: Sequence[BaselineSettings]) -> list[Scorer]:
    """Return scorers that share the tables and the standard's preflop values."""
    standard, table = open_scorer(STANDARD), find_table(STANDARD)
    assert table is not None, "it is package data"
    for preset in settings:
        if preset[Street.PREFLOP] != STANDARD[Street.PREFLOP]:
            raise BadInput(f"settings {preset.name!r} differ from the standard before the flop")
    return [replace(standard, values=replace(table, settings=preset)) for preset in settings]


def _divat(scorer: Scorer, batch: Batch) -> Floats:
    scores = scorer.score(batch)
    by_round = scores.actual - scores.baseline
    if by_round[:, Street.PREFLOP].any():
        raise BadInput("a player left the baseline before the flop; allowed: after it only")
    divat: Floats = np.nansum(by_round, axis=1)
    return divat


HANDS = 100_000
SHORT = 500

Judged = Mapping[BaselineSettings, Floats]
"""DIVAT of every hand, by settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsSweep:
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
    SettingsSweep(
        figure=f"{figure} {letter}",
        short_figure=f"{short_figure} {letter}",
        what=what,
        street=street,
        presets=presets,
    )
    for figure, short_figure, street in (("4.8", "4.10", "flop"), ("4.9", "4.11", "turn"))
    for letter, what, presets in (("a", "fold offsets", TIGHTNESS), ("b", "bets", AGGRESSIVENESS))
)

CORNERS = tuple(
    f"{bets},{folds}"
    for bets, folds in product(
        (AGGRESSIVENESS[0], AGGRESSIVENESS[-1]), (TIGHTNESS[0], TIGHTNESS[-1])
    )
)
"""The settings that differ most from the standard ones, in bets and fold offsets at once."""

AT_ONCE = {
    what: {preset: parse_settings(preset) for preset in presets}
    for what, presets in (
        ("nine fold offsets", TIGHTNESS),
        ("nine bets", AGGRESSIVENESS),
        ("four corners", CORNERS),
    )
}
"""All rounds changed at once, which the source expects to separate the lines a little more and does
not try (4.3)."""

GRIDS = {
    street: {
        (bets, folds): parse_settings(f"{street}={bets},{street}={folds}")
        for bets, folds in product(AGGRESSIVENESS, TIGHTNESS)
    }
    for street in ("flop", "turn")
}
"""All settings of a street by the presets of bets and fold offsets, including the sweeps."""


def perform(workspace: Workspace) -> ExperimentResult:
    """Score the beginning of the duplicate match's first direction by all settings."""
    match = workspace.match(*DUPLICATE_PLAYERS, workspace.hands(HANDS))
    played = workspace.play(match)
    judged = _judge(workspace, played)
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
    money = workspace.scores(played)["money"].to_numpy()
    rows += _rows_at_once(judged, money)
    return ExperimentResult(hands=match.hands, rows=tuple(rows), drawings=tuple(drawings))


def sweep_rows(sweep: SettingsSweep, judged: Judged) -> tuple[Row, ...]:
    """Compare the nine lines with each other at the end, and with the standard hand by hand."""
    divat = {preset: judged[settings] for preset, settings in sweep.settings.items()}
    return _rows_of_lines(f"{sweep.street}, nine {sweep.what}", divat, judged[STANDARD])


def _rows_of_lines(what: str, divat: Mapping[str, Floats], standard: Floats) -> tuple[Row, ...]:
    ends = {preset: estimate(amounts) for preset, amounts in divat.items()}
    highest = max(ends, key=lambda preset: ends[preset].value)
    lowest = min(ends, key=lambda preset: ends[preset].value)
    where = f"{what}, {ends[highest].n:,} hands"
    return (
        claimed(
            f"{where}: highest less lowest",
            paired_difference(divat[highest], divat[lowest]),
            max(end.low for end in ends.values()) <= min(end.high for end in ends.values()),
            rule="the 95 % intervals of all lines' ends have a point in common",
            note=f"Highest {_shown(highest, ends)}, lowest {_shown(lowest, ends)}.",
        ),
        _farthest(where, divat, standard),
    )


def _rows_at_once(judged: Judged, money: Floats) -> list[Row]:
    """Compare the lines of all rounds changed at once, and what variance each of them leaves."""
    rows: list[Row] = []
    names: dict[BaselineSettings, str] = {}  # the middle one of every nine is the standard
    for label, presets in AT_ONCE.items():
        lines = {preset: judged[settings] for preset, settings in presets.items()}
        rows += _rows_of_lines(f"flop and turn at once, {label}", lines, judged[STANDARD])
        names |= {settings: preset for preset, settings in presets.items()}
    divat = {preset: judged[settings] for settings, preset in names.items()}
    means = {preset: estimate(amounts) for preset, amounts in divat.items()}
    reductions = {preset: reduction(money, amounts) for preset, amounts in divat.items()}
    for label, of in (("DIVAT", means), ("variance reduction", reductions)):
        ordered = sorted(of, key=lambda preset: of[preset].value)
        for extreme, preset in (("lowest", ordered[0]), ("highest", ordered[-1])):
            name = f"{extreme} {label} of {len(of)} settings of flop and turn at once"
            rows.append(measured(name, of[preset], f"{extreme.capitalize()} {label}: {preset}."))
    return rows


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


def sweep_drawing(sweep: SettingsSweep, figure: str, judged: Judged, players: str) -> Drawing:
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
    by_street = (settings for grid in GRIDS.values() for settings in grid.values())
    at_once = (settings for grid in AT_ONCE.values() for settings in grid.values())
    every = list(dict.fromkeys([*by_street, *at_once]))
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
