"""A player that changes its style against an equilibrium, and whose line shows the bend.

The source (5.2) reads from the lines of a match of 7,000 hands that a professional, thecount,
folded too much before the flop, made up for it on the flop, and played better after about 3,700
hands, when he reassessed his style. Here a player does all this for sure: first it is aggressive
and folds as much before the flop, then it plays the equilibrium itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from railbird.estimates import Estimate
from railbird.estimates.change_point import change_point
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.figures import BY_ROUND, Drawing, round_lines, running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, beside, measured
from railbird.experiments.framework.statistics import reduction, sd
from railbird.experiments.limit_players import published
from railbird.experiments.limit_players.scores import judged

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

EQUILIBRIUM: Final = "equilibrium:small"
BEFORE: Final = "baseline:aggressive-high,preflop.fold=0.15"
HANDS: Final = 7000
CHANGED: Final = 3700 / 7000
"""Part of the match before the change."""
_BEND: Final = (
    "Largest distance of the running sum from the straight line to its end, in standard deviations "
    "times the root of the hands: above 1.36 in one of twenty lines without a bend, above 1.95 in "
    "one of a thousand."
)
_TITLES: Final = {"money": "money", "divat": "DIVAT", "aivat": "AIVAT"}


def perform(workspace: Workspace) -> Result:
    """Play both parts, and test their line for a change by every estimator."""
    hands = workspace.hands(HANDS)
    first = round(hands * CHANGED)
    before = _scores(workspace, BEFORE, first, workspace.seed)
    after = _scores(workspace, EQUILIBRIUM, hands - first, workspace.seed + 1)
    scores = pl.concat([before, after])
    return Result(
        hands=hands,
        rows=(*_rows(scores), *_change_rows(before, after)),
        drawings=_drawings(scores, first, workspace.seed),
    )


def _scores(workspace: Workspace, player: str, hands: int, seed: int) -> pl.DataFrame:
    """Play one part; score it with the equilibrium known, but not the player."""
    match = workspace.match(player, EQUILIBRIUM, hands, seed=seed)
    known = {match.names[1]: EQUILIBRIUM}
    found = judged(workspace, workspace.play(match), known)
    return found.scores.select(*_TITLES, *BY_ROUND)


def _rows(scores: pl.DataFrame) -> list[Row]:
    money, divat, aivat = (scores[name].to_numpy() for name in _TITLES)
    note = "Of thecount against PsOpti1."
    return [
        beside("money", published.THECOUNT_MONEY, estimate(money), note),
        beside("DIVAT", published.THECOUNT_DIVAT, estimate(divat), note),
        measured("AIVAT, the equilibrium known", estimate(aivat)),
        beside("money sd", published.THECOUNT_MONEY_SD, sd(money), note),
        beside("DIVAT sd", published.THECOUNT_DIVAT_SD, sd(divat), note),
        measured("AIVAT sd", sd(aivat)),
        measured("variance reduction by DIVAT", reduction(money, divat)),
        measured("variance reduction by AIVAT", reduction(money, aivat)),
    ]


def _change_rows(before: pl.DataFrame, after: pl.DataFrame) -> list[Row]:
    """Compare both parts, and ask each estimator's line where it bends, and how surely."""
    rows = [
        beside(
            "DIVAT before the flop, before the change",
            published.THECOUNT_PREFLOP,
            estimate(before["divat_preflop"].to_numpy()),
            "Of thecount, in the whole match.",
        ),
        measured("DIVAT on the flop, before the change", estimate(before["divat_flop"].to_numpy())),
    ]
    for name, title in _TITLES.items():
        early, late = before[name], after[name]
        one, other = estimate(early.to_numpy()), estimate(late.to_numpy())
        gain = Estimate(
            other.value - one.value,
            (one.stderr**2 + other.stderr**2) ** 0.5,
            len(early) + len(late),
        )
        bend = change_point(pl.concat([early, late]).to_numpy())
        hands = len(early) + len(late)
        rows += [
            measured(f"{title}, after the change less before", gain),
            measured(f"{title}, bend", Estimate(bend.statistic, 0.0, hands, unit=""), _BEND),
            measured(
                f"{title}, hands before the bend (true: {len(early):,})",
                Estimate(float(bend.place), 0.0, hands, unit="hands"),
                "Where it is farthest from that straight line.",
            ),
        ]
    return rows


def _drawings(scores: pl.DataFrame, first: int, seed: int) -> tuple[Drawing, ...]:
    subtitle = f"against {EQUILIBRIUM}, {scores.height:,} hands, seed {seed}"
    note = f"The style changes after {first:,} hands."
    player = "a player that changes its style"
    return (
        running_sums(
            "figures-5.4-and-5.5",
            "Figures 5.4 and 5.5: a player that changes its style",
            scores,
            player=player,
            subtitle=subtitle,
            note=note,
        ),
        round_lines(
            "figure-5.6",
            "Figure 5.6: DIVAT by betting round",
            scores,
            player=player,
            subtitle=subtitle,
            note=f"{note} Before, it folds too much before the flop, and comes to the flop with "
            "the better hands.",
        ),
    )
