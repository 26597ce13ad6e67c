"""A trickiness filter on and off: the same deals played with it and without.

The source's Hyperborean slow-played strong hands and bluffed with weak ones on the flop in one of
two competitions, won more from the same opponent there, and by DIVAT did so on the turn and the
river. That may have been chance; here the cards are the same, and so is everything but the filter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from railbird.arena import Seating
from railbird.assessment import assess
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import (
    BY_ROUND,
    Drawing,
    round_lines,
    running_sums,
    sweep_lines,
)
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, beside, measured
from railbird.experiments.limit_players import published
from railbird.experiments.limit_players.scores import pairs_of

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

EXPERT = "equilibrium:small"
"""It plays all hands: the filter belongs to the coach, here of two who are the same."""
OPPONENTS: Final = ("baseline:tight-medium", "baseline", "loki:basic")
"""The first folds too often, as the source's opponent did."""
HANDS: Final = 20_000
FILTER: Final = "tricky=flop"


def perform(workspace: Workspace) -> Result:
    """Play each opponent twice and compare deal by deal."""
    deals = workspace.hands(HANDS) // 2
    rows: list[Row] = []
    drawings: list[Drawing] = []
    for number, opponent in enumerate(OPPONENTS):
        coach = f"coach:{EXPERT}+{EXPERT}"
        off, on = (
            _pairs(workspace, spec, opponent, deals) for spec in (coach, f"{coach},{FILTER}")
        )
        rows += _rows(opponent, off, on, first=number == 0)
        subtitle = f"{EXPERT}, {2 * deals:,} hands in duplicate, seed {workspace.seed}"
        if number == 0:
            drawings += _as_the_sources(opponent, "without the filter", off, subtitle, 16)
            drawings += _as_the_sources(opponent, "with the filter", on, subtitle, 18)
        drawings.append(
            sweep_lines(
                f"filter-{number + 1}",
                f"With the filter and without, against {opponent}",
                {"with the filter": on["divat"], "without": off["divat"]},
                subtitle=subtitle,
                note="DIVAT, the two plays of each deal averaged; the curves are at one standard "
                "deviation.",
                counted="pairs",
            )
        )
    return Result(hands=len(OPPONENTS) * 4 * deals, rows=tuple(rows), drawings=tuple(drawings))


def _pairs(workspace: Workspace, player: str, opponent: str, deals: int) -> pl.DataFrame:
    """Play a match in duplicate; return money and DIVAT of each deal, (deals, columns)."""
    match = workspace.match(player, opponent, deals, seating=Seating.DUPLICATE)
    played = workspace.play(match)
    found = assess(
        played.log,
        player=match.names[0],
        threads=workspace.workers,
        progress=workspace.progress,
    )
    return pairs_of(found.scores, ["money", "divat", *BY_ROUND])


def _as_the_sources(
    opponent: str, which: str, pairs: pl.DataFrame, subtitle: str, number: int
) -> list[Drawing]:
    """Draw one match, its deals averaged, as figures 5.``number`` and the next."""
    return [
        running_sums(
            f"figure-5.{number}",
            f"Figure 5.{number}: {which}, against {opponent}",
            pairs,
            player=EXPERT,
            subtitle=subtitle,
            counted="pairs",
            note="The two plays of each deal averaged.",
        ),
        round_lines(
            f"figure-5.{number + 1}",
            f"Figure 5.{number + 1}: {which}, against {opponent}, by betting round",
            pairs,
            player=EXPERT,
            subtitle=subtitle,
            counted="pairs",
            note="DIVAT, the two plays of each deal averaged.",
        ),
    ]


def _rows(opponent: str, off: pl.DataFrame, on: pl.DataFrame, *, first: bool) -> list[Row]:
    rows = []
    without, with_it = (estimate(each["divat"].to_numpy()) for each in (off, on))
    if first:
        note = "Hyperborean from Bluffbot."
        rows += [
            beside(f"without the filter, from {opponent}", published.UNFILTERED, without, note),
            beside(f"with it, from {opponent}", published.FILTERED, with_it, note),
        ]
    else:
        rows += [
            measured(f"without the filter, from {opponent}", without),
            measured(f"with it, from {opponent}", with_it),
        ]

    for name, columns in (
        ("money", ["money"]),
        ("DIVAT", ["divat"]),
        ("DIVAT on the flop", ["divat_flop"]),
        ("DIVAT on the turn and the river", ["divat_turn", "divat_river"]),
    ):
        more, less = (each.select(pl.sum_horizontal(columns)).to_series() for each in (on, off))
        gain = paired_difference(more.to_numpy(), less.to_numpy())
        rows.append(measured(f"what the filter gains from {opponent}, {name}", gain))
    return rows
