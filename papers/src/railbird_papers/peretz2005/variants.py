"""Optional parts of `killer` that the source describes, and what they win in any hold'em.

Each plays against plain `killer`, which differs from it only by this part, and judged by the
decisions: money less the luck of the cards (`fitted`), a value for each deal, which is played once
from every seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import polars as pl

from railbird.arena import Match, Seating
from railbird.assessment import assess_table
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.game import Rules, acpc_rules, limit_holdem, no_limit_holdem, parse_rake
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.rows import measured
from railbird_papers.framework.workspace import PlayedMatch, Workspace
from railbird_papers.papp1998.matchups import interval_chart

PLAIN: Final = "killer"

PARTS: Final = {
    "killer:flops": "before the flop by the value over all flops",
    "killer:groups": "before the flop by groups and position",
    "killer,draws=on": "implied odds that follow the draw",
    "killer,types=on": "stereotypes before individual models",
}

DEALS: Final = {2: 1_000, 6: 60}
"""Deals at scale 1 by the number of seats; each is played from every seat."""

CHUNK: Final = 250
"""Deals after which players forget each other: longer than an evening at one table."""


class Cell(NamedTuple):
    """A game in which a part is measured."""

    name: str
    rules: Rules


def cells() -> Iterator[Cell]:
    """Yield the games: heads-up and six seats, limit, no-limit, and no-limit with a rake."""
    for seats, words in ((2, "heads-up"), (6, "six seats")):
        no_limit = acpc_rules(no_limit_holdem(seats, blinds=(50, 100), stack=10_000))
        rake = parse_rake("5%,cap=300")
        yield Cell(f"{words}, limit", acpc_rules(limit_holdem(seats)))
        yield Cell(f"{words}, no-limit", no_limit)
        yield Cell(f"{words}, no-limit with a rake", replace(no_limit, rake=rake))


def perform(workspace: Workspace) -> ExperimentResult:
    """Play every part in its cells."""
    rows = []
    hands = 0
    games = tuple(cells())
    for spec, words in PARTS.items():
        for place, cell in enumerate(games):
            if spec != "killer:flops" and cell.rules.rake is not None:
                continue  # a rake makes preflop play tighter and changes nothing in the other parts
            # Logs are named by players and seed, so no two games of any two seeds may share one.
            match = match_of(workspace, spec, cell, seed=workspace.seed * len(games) + place)
            played = workspace.play(match)
            hands += match.hands
            unit = "sb" if "no-limit" not in cell.name else "bb"
            note = f"{words}; {match.deals:,} deals, {unit} a hand more than {PLAIN}"
            rows.append(measured(f"{spec}: {cell.name}", difference(played, unit), note))
    drawn = interval_chart(
        "variants",
        "What each part wins more than plain killer",
        rows,
        amount="small bets or big blinds a hand",
        subtitle="less the luck of the cards",
    )
    return ExperimentResult(hands=hands, rows=tuple(rows), drawings=(drawn,))


def match_of(workspace: Workspace, spec: str, cell: Cell, *, seed: int) -> Match:
    """Return a match of a part against plain players, in turn around the table."""
    seats = cell.rules.seats
    return Match(
        players=(spec, PLAIN) * (seats // 2),
        rules=cell.rules,
        deals=workspace.hands(DEALS[seats], least=4),
        seed=seed,
        chunk=CHUNK,
        seating=Seating.PERMUTED if seats > 2 else Seating.DUPLICATE,
    )


def difference(played: PlayedMatch, unit: str) -> Estimate:
    """Return how much more a player wins with the part than without, less the luck of cards."""
    assessment = assess_table(str(played.log))
    has_part = [name in played.match.names[::2] for name in assessment.players]
    by_deal = (
        assessment.scores.with_columns(part=pl.Series(has_part).gather(assessment.scores["player"]))
        .group_by("deal", maintain_order=True)
        .agg(
            pl.col("fitted").filter(pl.col("part")).mean().alias("with"),
            pl.col("fitted").filter(~pl.col("part")).mean().alias("without"),
        )
    )
    return estimate((by_deal["with"] - by_deal["without"]).to_numpy(), unit=unit)
