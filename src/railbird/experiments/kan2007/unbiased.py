"""A long match of a player who does anything, to check that DIVAT has no bias.

`random` leaves the baseline in nearly every round, so any bias would show. Nothing comparable was
published; the claim is the source's theorem.
"""

from __future__ import annotations

import polars as pl

from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import measured, zero
from railbird.experiments.framework.statistics import money_and_divat, reduction, sd
from railbird.experiments.framework.workspace import Workspace

PLAYERS = ("random", "baseline")
HANDS = 1_000_000


def perform(workspace: Workspace) -> Result:
    """Play and score the match."""
    match = workspace.match(*PLAYERS, workspace.hands(HANDS))
    scores = workspace.scores(workspace.play(match))
    money, divat = money_and_divat(scores)
    player, opponent = PLAYERS
    subtitle = f"{player} against {opponent}, {match.hands:,} hands, seed {workspace.seed}"
    return Result(
        hands=match.hands,
        rows=(
            measured(f"money of {player}", estimate(money)),
            measured(f"DIVAT of {player}", estimate(divat)),
            zero(
                "money less DIVAT, paired",
                paired_difference(money, divat),
                note="Both have the same mean; in one hand they differ by luck and position.",
            ),
            zero(
                "Dcash less the value of position",
                estimate(scores["dcash"].to_numpy() - scores["position"].to_numpy()),
                note="The source calls Dcash biased, since a fold ends it early. It is a stopped "
                "martingale, so its mean is its initial value.",
            ),
            measured("money sd", sd(money)),
            measured("DIVAT sd", sd(divat)),
            measured(
                "variance reduction",
                reduction(money, divat),
                note="Small: the baseline is a poor guess of how such a player goes on.",
            ),
        ),
        drawings=(
            running_sums(
                "unbiased",
                "Money and DIVAT of a player who does anything",
                scores,
                player=player,
                subtitle=subtitle,
                note="The lines have one slope.",
            ),
            running_sums(
                "unbiased-rest",
                "What cards and seats brought",
                scores.select(rest=pl.col("money") - pl.col("divat")),
                player=player,
                subtitle=subtitle,
                note="Without a bias this is a walk without drift, two times in three within the "
                "curves.",
            ),
        ),
    )
