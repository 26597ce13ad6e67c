"""Freeze-outs with rising blinds, judged at fixed stakes.

The source's matches in Las Vegas ended when one player had all chips, while the blinds rose: the
last hands were worth more than all others together, so they are judged as if stakes were fixed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird.arena import Tournaments, play_tournaments
from railbird.assessment import Assessment, assess
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import measured, must_exceed, zero
from railbird.experiments.framework.statistics import money_and_divat, reduction
from railbird.game import Betting
from railbird.tournament.schedule import parse_schedule

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace
    from railbird.histories.columns import HandBatch

PLAYERS = ("baseline:aggressive-medium", "baseline:tight-medium")
FREEZE_OUTS = 400
STACK = 1000
SCHEDULE = parse_schedule("5/10x50,10/20x50,20/40x50,40/80x50,80/160x50")
LAST = 0.1
"""The part of a freeze-out's hands that is compared with all of them."""


def perform(workspace: Workspace) -> Result:
    """Play the freeze-outs, and set what they say beside the hands at fixed stakes."""
    count = workspace.hands(FREEZE_OUTS, least=4)
    series = Tournaments(
        players=PLAYERS,
        count=count,
        seed=workspace.seed,
        stack=STACK,
        schedule=SCHEDULE,
        seats=2,
        betting=Betting.LIMIT,
    )
    played = play_tournaments(
        series, workers=workspace.workers, keep=True, progress=workspace.progress
    )
    batches = list(played.batches())
    found = assess(batches, player=PLAYERS[0], threads=workspace.workers)
    money, divat = money_and_divat(found.scores)
    stakes, chips = _stakes_and_chips(batches)
    won = played.wins(0) / count
    lengths = np.array([finish.hands for finish in played.finishes])
    by_divat = reduction(money, divat)
    return Result(
        hands=played.hands,
        rows=(
            measured(
                f"freeze-outs won by {PLAYERS[0]}",
                Estimate(won, float(np.sqrt(won * (1 - won) / count)), count, unit="of all"),
            ),
            measured(
                "hands of a freeze-out",
                replace(estimate(lengths.astype(np.float64)), unit="hands"),
            ),
            measured(
                f"chips that changed hands in the last {LAST:.0%} of the hands",
                _last_part(lengths, chips),
                note="Of all that did in the freeze-out.",
            ),
            measured(
                "hands at fixed stakes that a hand at rising ones is worth",
                Estimate(_worth(stakes), 0.0, 1, "hands"),
                note="By the variance of a sum in proportion to the blinds.",
            ),
            measured(
                "hands left out, for stacks too short for the betting",
                _left_out(found),
                note="Those with most betting, so the others are not quite a fair sample.",
            ),
            measured("money at fixed stakes", estimate(money)),
            measured("DIVAT at fixed stakes", estimate(divat)),
            zero("money less DIVAT, paired", paired_difference(money, divat)),
            must_exceed(1, "variance reduction by DIVAT", by_divat),
        ),
        drawings=(
            running_sums(
                "fixed-stakes",
                "Freeze-outs with rising blinds, judged at fixed stakes",
                found.scores,
                player=PLAYERS[0],
                subtitle=f"{count} freeze-outs, {found.hands:,} hands, seed {workspace.seed}",
                note="Amounts are in small bets of each hand's own stakes.",
            ),
        ),
    )


def _stakes_and_chips(
    batches: list[HandBatch],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the small bet of each hand, and the chips that changed hands in it."""
    stakes, chips = [], []
    for batch in batches:
        sizes = np.array([rules.bet_sizes[0] for rules in batch.rules], dtype=np.float64)
        stakes.append(sizes[batch.rules_of])
        chips.append(np.abs(batch.chips[:, 0]))
    return np.concatenate(stakes), np.concatenate(chips)


def _worth(stakes: npt.NDArray[np.float64]) -> float:
    """Return the effective part of hands whose results count in proportion to ``stakes``."""
    return float(stakes.sum() ** 2 / np.square(stakes).sum() / len(stakes))


def _last_part(lengths: npt.NDArray[np.int64], chips: npt.NDArray[np.float64]) -> Estimate:
    """Return the mean share of the chips that moved in the last hands of a freeze-out."""
    shares, first = [], 0
    for length in lengths.tolist():
        hands = chips[first : first + length]
        shares.append(hands[-max(1, round(LAST * length)) :].sum() / hands.sum())
        first += length
    return replace(estimate(np.array(shares)), unit="of all")


def _left_out(found: Assessment) -> Estimate:
    return Estimate(float(sum(found.skipped.values())), 0.0, found.hands, unit="hands")
