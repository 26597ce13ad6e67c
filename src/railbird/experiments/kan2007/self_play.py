"""A player against itself: the true result is zero, whatever the money.

The source's player was PsOpti4, a game-theoretic bot; the baseline replaces it here, on the cards
of the match between Always-Call and Always-Raise. `equilibrium-self-play` has a player of its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from railbird.baseline import parse_settings
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import beside, claimed, zero
from railbird.experiments.framework.statistics import money_and_divat, reduction, sd
from railbird.experiments.kan2007 import published
from railbird.experiments.kan2007.always_call import LONG

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

PLAYER = "baseline"
JUDGE = parse_settings("pot=facing-bet")
"""A baseline other than the player's own that has an exact preflop table."""

_OTHER = (
    "PsOpti4 mixes its play, as game theory requires; the baseline bets its hand for value and "
    "hides nothing, so a judge of the same kind finds little of its play surprising."
)


def perform(workspace: Workspace) -> Result:
    """Play the match and score it by the player's own baseline and by another."""
    match = workspace.match(PLAYER, PLAYER, workspace.hands(LONG))
    played = workspace.play(match)
    own = workspace.scores(played)["divat"].to_numpy()
    scores = workspace.scores(played, settings=JUDGE)
    money, divat = money_and_divat(scores)
    astray = int(np.count_nonzero(own))
    subtitle = f"{PLAYER} against itself, {match.hands:,} hands, seed {workspace.seed}"
    return Result(
        hands=match.hands,
        rows=(
            beside("money sd", published.SELF_PLAY_MONEY_SD, sd(money), note=_OTHER),
            zero("money of the first player", estimate(money)),
            claimed(
                "hands with a DIVAT other than 0, judged by the player's own settings",
                Estimate(float(astray), 0.0, len(own), unit="hands"),
                astray == 0,
                rule="none",
                note="A player of the baseline itself is never above or below it.",
            ),
            zero(f"DIVAT, judged by {JUDGE.name}", estimate(divat)),
            zero("money less DIVAT, paired", paired_difference(money, divat)),
            beside(
                f"DIVAT sd, judged by {JUDGE.name}",
                published.SELF_PLAY.divat_sd,
                sd(divat),
                note=_OTHER,
            ),
            beside(
                f"variance reduction, judged by {JUDGE.name}",
                published.SELF_PLAY.variance_reduction,
                reduction(money, divat),
                note=_OTHER,
            ),
        ),
        drawings=(
            running_sums(
                "self-play",
                "Figure 4.5: a player against itself",
                scores,
                player=PLAYER,
                subtitle=subtitle,
                note=f"DIVAT judged by {JUDGE.name}; by the player's own settings it is zero in "
                "every hand.",
            ),
        ),
    )
