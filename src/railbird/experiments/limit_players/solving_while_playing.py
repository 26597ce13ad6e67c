"""An equilibrium against one that solves turn and river while it plays, each deal from both sides.

The source's GS2 (5.4.3) solved the rest of a hand from the turn on by a linear program, from ranges
that it assumed, and then called where the second solution did not fit the first. Ours solves by
CFR+ for every holding, from the ranges that its own strategy brings there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from railbird.arena import Seating
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import BY_ROUND, round_lines, running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import beside, measured, zero
from railbird.experiments.framework.statistics import sd
from railbird.experiments.limit_players import published
from railbird.experiments.limit_players.scores import judged, pairs_of

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

STRATEGY: Final = "equilibrium:small"
SOLVING: Final = f"{STRATEGY},resolve=turn"
HANDS: Final = 1000
"""The solver takes about a second for each hand that comes to the turn."""


def perform(workspace: Workspace) -> Result:
    """Play the match in duplicate, and judge it by the strategy that is known."""
    deals = workspace.hands(HANDS, least=40) // 2
    match = workspace.match(STRATEGY, SOLVING, deals, seating=Seating.DUPLICATE)
    found = judged(workspace, workspace.play(match), {match.names[0]: STRATEGY})
    pairs = pairs_of(found.scores, ["money", "divat", "aivat", *BY_ROUND])
    money, divat, aivat = (pairs[name].to_numpy() for name in ("money", "divat", "aivat"))
    subtitle = f"{STRATEGY} against {SOLVING}, {match.hands:,} hands in duplicate, seed "
    subtitle += str(workspace.seed)
    by_street = {name: estimate(pairs[name].to_numpy()) for name in BY_ROUND}
    note = "Hyperborean from GS2, which solved so too."
    return Result(
        hands=match.hands,
        rows=(
            beside("duplicate money", published.HYPERBOREAN_FROM_GS2, estimate(money), note),
            measured("DIVAT", estimate(divat)),
            measured("AIVAT, one known", estimate(aivat)),
            *(
                measured(f"DIVAT, {name.removeprefix('divat_')}", found)
                for name, found in by_street.items()
            ),
            measured("money sd, pairs averaged", sd(money)),
            measured("DIVAT sd, pairs averaged", sd(divat)),
            measured("AIVAT sd, pairs averaged", sd(aivat)),
            zero("money less AIVAT, paired", paired_difference(money, aivat)),
        ),
        drawings=(
            running_sums(
                "figure-5.20",
                "Figure 5.20: against an equilibrium that solves while it plays",
                pairs,
                player=STRATEGY,
                subtitle=subtitle,
                counted="pairs",
                note="The two plays of each deal averaged.",
            ),
            round_lines(
                "figure-5.21",
                "Figure 5.21: DIVAT by betting round",
                pairs,
                player=STRATEGY,
                subtitle=subtitle,
                counted="pairs",
                note="The two plays of each deal averaged. DIVAT judges by a baseline that bets "
                "its hand for value.",
            ),
        ),
    )
