"""The bias of runtime DIVAT, which the source leaves open (3.3).

A bot at the table does not see the cards of who folds. The source's runtime DIVAT therefore takes
DIVAT (with the value of the seat) for hands whose cards are shown and money for the others. It
would be without bias if a showdown told nothing of the luck before it; but who gets to a showdown
has had cards to get there with. All cards of these matches are known, so the difference to the
money is measured hand by hand, and the truth is the mean of either unbiased estimator.

Shown are all cards at a showdown, or, where the loser need not show, an opponent's only if it wins
or ties.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from railbird.assessment import assess
from railbird.estimates import paired_difference
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.figures import Drawing, running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, measured, sigmas_for, zero
from railbird.experiments.framework.statistics import Floats, reduction
from railbird.experiments.framework.workspace import Work, Workspace
from railbird.histories import read_columns

HANDS: Final = 200_000
PAIRS: Final = (
    ("baseline", "baseline:tight-high"),
    ("baseline", "baseline:loose-high"),
    ("baseline", "always-call"),
    ("baseline", "random"),
)


def perform(workspace: Workspace) -> Result:
    """Play each pair, and compare its runtime DIVAT with its money."""
    rows: list[Row] = []
    drawings: list[Drawing] = []
    hands = workspace.hands(HANDS)
    sigmas = sigmas_for(len(PAIRS))
    for first, second in PAIRS:
        match = workspace.match(first, second, hands)
        played = workspace.play(match)
        scores = assess(
            read_columns(played.log),
            player=match.names[0],
            threads=workspace.workers,
            progress=workspace.progress,
        ).scores
        workspace.record(Work("scored", scores.height, 0.0))
        money, shown, winners = runtime_divat(scores)
        full = (scores["divat"] + scores["position"]).to_numpy()
        label = f"{first} v {second}"
        rows += [
            measured(f"{label}: money", estimate(money)),
            zero(
                f"{label}: bias of DIVAT with all cards known",
                paired_difference(full, money),
                sigmas=sigmas,
            ),
            _bias(f"{label}: bias of runtime DIVAT", shown, money),
            _bias(f"{label}: the same where only winners show", winners, money),
            measured(f"{label}: variance of money ÷ runtime DIVAT's", reduction(money, shown)),
        ]
        drawings.append(
            running_sums(
                f"runtime-{len(drawings)}",
                f"Money and runtime DIVAT of {first}",
                pl.DataFrame({"money": money, "divat": shown}),
                player=first,
                subtitle=f"{first} against {second}, {hands:,} hands, seed {workspace.seed}",
                note="Were runtime DIVAT without bias, both lines would have one slope.",
            )
        )
    return Result(hands=hands * len(PAIRS), rows=tuple(rows), drawings=tuple(drawings))


def runtime_divat(scores: pl.DataFrame) -> tuple[Floats, Floats, Floats]:
    """Return money and runtime DIVAT by hand, the latter also where only winners show.

    ``scores`` are those of an assessment with all cards known, from the side of the player at whose
    runtime it would be computed.
    """
    money = scores["money"].to_numpy()
    full = (scores["divat"] + scores["position"]).to_numpy()
    showdown = (scores["kind"] == "showdown").to_numpy()
    shown: Floats = np.where(showdown, full, money)
    winners: Floats = np.where(showdown & (money <= 0), full, money)
    return money, shown, winners


def _bias(name: str, runtime: Floats, money: Floats) -> Row:
    difference = paired_difference(runtime, money)
    small = "No bias is seen." if difference.low <= 0 <= difference.high else ""
    return measured(name, difference, note=small or "The interval leaves zero: biased.")
