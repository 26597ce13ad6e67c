"""Two players in duplicate: each deal is played twice, the second time with the seats exchanged.

The source's players were two game-theoretic bots, PsOpti4 and PsOpti6; ours are a tight and a loose
baseline, on the cards of the match between Always-Call and Always-Raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from railbird.arena import Seating
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import Drawing, running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import SIGMAS, Row, beside, claimed, measured, zero
from railbird.experiments.framework.statistics import money_and_divat, reduction, sd
from railbird.experiments.kan2007 import published
from railbird.experiments.kan2007.always_call import LONG

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

PLAYERS = (
    "baseline:conservative-medium,tight-medium",
    "baseline:aggressive-medium,loose-medium",
)
NAMES = ("the tight baseline", "the loose one")

_OTHER = "Other players; the source's were PsOpti4 and PsOpti6."


def perform(workspace: Workspace) -> Result:
    """Play the match and analyse each direction and the pairs."""
    match = workspace.match(*PLAYERS, workspace.hands(LONG), seating=Seating.DUPLICATE)
    scores = workspace.scores(workspace.play(match))
    ways = directions(scores)
    pairs = pl.DataFrame({name: (ways[0][name] + ways[1][name]) / 2 for name in ("money", "divat")})
    rows: list[Row] = []
    for hands, printed in zip(ways, published.DUPLICATE, strict=True):
        rows += _direction_rows(hands, printed)
    rows += _pair_rows(pairs)
    return Result(
        hands=match.hands,
        rows=tuple(rows),
        drawings=_drawings(ways, pairs, f"{NAMES[0]} against {NAMES[1]}, seed {workspace.seed}"),
    )


def directions(scores: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Split a duplicate match into its two directions, each in the order of the deals.

    The first player begins in seat 0 and changes seats from deal to deal (`Match.seatings`).
    """
    direction = (pl.col("number") + pl.col("seat").cast(pl.Int64)) % 2
    first, second = (scores.filter(direction == way).sort("number") for way in range(2))
    return first, second


def _direction_rows(hands: pl.DataFrame, printed: published.Direction) -> tuple[Row, ...]:
    money, divat = money_and_divat(hands)
    which = f"direction {printed.letter}"
    return (
        beside(f"money, {which}", printed.money, estimate(money), note=_OTHER),
        beside(f"DIVAT, {which}", printed.divat, estimate(divat), note=_OTHER),
        zero(f"money less DIVAT, paired, {which}", paired_difference(money, divat)),
        beside(f"money sd, {which}", printed.money_sd, sd(money), note=_OTHER),
        beside(f"DIVAT sd, {which}", printed.divat_sd, sd(divat), note=_OTHER),
        beside(
            f"variance reduction, {which}",
            published.DUPLICATE_VARIANCE_REDUCTION,
            reduction(money, divat),
            note=_OTHER,
        ),
    )


def _pair_rows(pairs: pl.DataFrame) -> tuple[Row, ...]:
    money, divat = money_and_divat(pairs)
    gain = reduction(money, divat)
    return (
        measured("money, pairs averaged", estimate(money)),
        measured("DIVAT, pairs averaged", estimate(divat)),
        zero("money less DIVAT, paired, pairs averaged", paired_difference(money, divat)),
        beside(
            "money sd, pairs averaged", published.DUPLICATE_PAIRS_MONEY_SD, sd(money), note=_OTHER
        ),
        beside(
            "DIVAT sd, pairs averaged", published.DUPLICATE_PAIRS_DIVAT_SD, sd(divat), note=_OTHER
        ),
        claimed(
            "variance of duplicate money over that of duplicate DIVAT",
            gain,
            gain.value - SIGMAS * gain.stderr > 1,
            rule=f"above 1 by {SIGMAS:g} standard errors",
            note="Both together are the strongest estimate; the source's spreads give 1.95.",
        ),
    )


def _drawings(
    ways: tuple[pl.DataFrame, pl.DataFrame], pairs: pl.DataFrame, subtitle: str
) -> tuple[Drawing, ...]:
    one_way = tuple(
        running_sums(
            f"direction-{letter}",
            f"Figure 4.6 {letter}: one direction of the duplicate match",
            hands,
            player=NAMES[0],
            subtitle=f"{subtitle}, {hands.height:,} hands",
            note="Both directions are the same deals, with the seats exchanged.",
        )
        for hands, (letter, *_) in zip(ways, published.DUPLICATE, strict=True)
    )
    averaged = running_sums(
        "pairs",
        "Figure 4.7: the two plays of each deal averaged",
        pairs,
        player=NAMES[0],
        subtitle=f"{subtitle}, {pairs.height:,} pairs",
        counted="pairs",
        note="The luck of the deal cancels in the money too.",
    )
    return (*one_way, averaged)
