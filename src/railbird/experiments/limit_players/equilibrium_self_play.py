"""An equilibrium of an abstraction against itself, each deal played from both sides.

The source's player was PsOpti4, of the same kind: it plays an equilibrium of an abstract game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from railbird.arena import Seating
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import (
    SIGMAS,
    Row,
    beside,
    claimed,
    measured,
    must_exceed,
    zero,
)
from railbird.experiments.framework.statistics import reduction, sd
from railbird.experiments.kan2007 import published
from railbird.experiments.limit_players.scores import judged, pairs_of

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

PLAYER = "equilibrium:small"
HANDS = 20_000
MONEY_SD = (4.4, 5.6)
REDUCTION = (5.0, 7.5)
"""What equilibrium players should show, if they are like the source's."""
LEAST_REDUCTION = 5.0
"""Of AIVAT with both players known, from DIVAT."""


def perform(workspace: Workspace) -> Result:
    """Play the match and set the estimators side by side, by hands and by pairs."""
    deals = workspace.hands(HANDS) // 2
    match = workspace.match(PLAYER, PLAYER, deals, seating=Seating.DUPLICATE)
    found = judged(workspace, workspace.play(match), dict.fromkeys(match.names, PLAYER))
    names = ["money", "divat", "aivat"]
    pairs = pairs_of(found.scores, names)
    money, divat, aivat = (found.scores[name].to_numpy() for name in names)
    money2, divat2, aivat2 = (pairs[name].to_numpy() for name in names)
    subtitle = f"{PLAYER} against itself, {match.hands:,} hands, seed {workspace.seed}"
    by_divat, by_aivat = reduction(money, divat), reduction(divat, aivat)
    return Result(
        hands=match.hands,
        rows=(
            _within("money sd", sd(money), MONEY_SD),
            beside("money sd of PsOpti4", published.SELF_PLAY_MONEY_SD, sd(money)),
            beside("DIVAT sd", published.SELF_PLAY.divat_sd, sd(divat)),
            measured("AIVAT sd", sd(aivat)),
            _within("variance reduction by DIVAT", by_divat, REDUCTION),
            beside(
                "variance reduction, PsOpti4's", published.SELF_PLAY.variance_reduction, by_divat
            ),
            must_exceed(
                LEAST_REDUCTION,
                "variance of DIVAT over that of AIVAT",
                by_aivat,
                "Both strategies are known.",
            ),
            beside("money sd, pairs averaged", published.DUPLICATE_PAIRS_MONEY_SD, sd(money2)),
            beside("DIVAT sd, pairs averaged", published.DUPLICATE_PAIRS_DIVAT_SD, sd(divat2)),
            measured("AIVAT sd, pairs averaged", sd(aivat2)),
            zero("money, pairs averaged", estimate(money2)),
            zero("DIVAT, pairs averaged", estimate(divat2)),
            zero("AIVAT, pairs averaged", estimate(aivat2)),
            zero("money less AIVAT, paired", paired_difference(money2, aivat2)),
        ),
        drawings=(
            running_sums(
                "hands",
                "Figure 4.5: an equilibrium against itself",
                found.scores,
                player=PLAYER,
                subtitle=subtitle,
                note="The true result is zero.",
            ),
            running_sums(
                "pairs",
                "The two plays of each deal averaged",
                pairs,
                player=PLAYER,
                subtitle=subtitle,
                counted="pairs",
                note="The luck of the deal cancels in the money too.",
            ),
        ),
    )


def _within(name: str, ours: Estimate, limits: tuple[float, float]) -> Row:
    least, most = limits
    slack = SIGMAS * (ours.stderr if np.isfinite(ours.stderr) else 0.0)
    holds = least - slack <= ours.value <= most + slack
    rule = f"{least:g} to {most:g}, within {SIGMAS:g} standard errors"
    return claimed(f"{name}, {least:g} to {most:g} expected", ours, holds, rule=rule)
