"""Vexbot's learning curves, and its match with an equilibrium of a small abstraction.

Kan (2007, section 5.1) shows such a match against PsOpti4. Vexbot wins nothing for 75,000 to
125,000 hands, then 0.05 small bets per hand for 100,000 hands, and less after that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import altair as alt
import numpy as np

from railbird.estimates.estimate import estimate
from railbird.extending import Floats
from railbird.report import number_format
from railbird.report.charts import LINES_HEIGHT, layered, variable
from railbird.report.document import Figure
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import BY_ROUND, Drawing, round_lines, running_sums
from railbird_papers.framework.rows import beside, claimed, measured

if TYPE_CHECKING:
    from railbird_papers.framework.rows import Row
    from railbird_papers.framework.workspace import PlayedMatch, Workspace


PLAYER: Final = "vexbot"
EQUILIBRIUM: Final = "equilibrium:small"
BLOCKS: Final = 10
"""Number of equal parts of a match; their means are the points of a curve."""
LAST: Final = 0.5
"""The last part of a match, in which the player counts as having learned."""


@dataclass(frozen=True, slots=True)
class LearnedOpponent:
    """An opponent to learn about."""

    hands: int
    """Hands played at scale 1."""
    best: float | None = None
    """What a best response wins per hand, if that is known (Johanson et al. 2011)."""
    share: float = 0.0
    """The share of it that must be won in the last part of the match."""


OPPONENTS: Final = {
    "always-call": LearnedOpponent(10_000, 1.163476, 0.95),
    "always-raise": LearnedOpponent(40_000, 3.697693, 0.9),
    "baseline": LearnedOpponent(20_000),
    "loki:basic": LearnedOpponent(5_000),
    "loki:som": LearnedOpponent(5_000),
    "killer": LearnedOpponent(1_000),
    EQUILIBRIUM: LearnedOpponent(200_000),
}
PUBLISHED: Final = "0.05"
"""What Vexbot won from PsOpti4 between about game 125,000 and 225,000 (Kan 2007, section 5.1)."""
_COLOURS = ("skill", "money", "luck", "position", "preflop", "river", "ink")


def perform(workspace: Workspace) -> ExperimentResult:
    """Play one long match against each opponent, in which nothing is forgotten."""
    rows: list[Row] = []
    curves: dict[str, Floats] = {}
    hands = 0
    long: PlayedMatch | None = None
    for spec, opponent in OPPONENTS.items():
        deals = workspace.hands(opponent.hands)
        played = workspace.play(replace(workspace.match(PLAYER, spec, deals), chunk=deals))
        won = played.result.payoffs[0, :, 0] / played.match.rules.chips_per_unit
        hands += deals
        curves[spec] = won
        rows.append(_row(spec, opponent, won, scale=workspace.scale))
        if spec == EQUILIBRIUM:
            long = played
    drawings = [_curves(curves, seed=workspace.seed)]
    if long is not None:
        drawings += _match_with_the_equilibrium(workspace, long)
    return ExperimentResult(hands=hands, rows=tuple(rows), drawings=tuple(drawings))


def _match_with_the_equilibrium(workspace: Workspace, played: PlayedMatch) -> list[Drawing]:
    scores = workspace.scores(played, more=BY_ROUND)
    subtitle = (
        f"{PLAYER} against {EQUILIBRIUM}, {played.match.hands:,} hands, seed {workspace.seed}"
    )
    return [
        running_sums(
            "figures-5.1-and-5.2",
            "Figures 5.1 and 5.2: Vexbot against an equilibrium",
            scores,
            player=PLAYER,
            subtitle=subtitle,
            note="The source's opponent was PsOpti4, an equilibrium of a coarser game.",
        ),
        round_lines(
            "figure-5.3",
            "Figure 5.3: DIVAT by betting round",
            scores,
            player=PLAYER,
            subtitle=subtitle,
            note="The source's program gave up a little before the flop and more on it, and won "
            "on the river.",
        ),
    ]


def _row(spec: str, opponent: LearnedOpponent, won: Floats, *, scale: float) -> Row:
    """Return what the player won in the last part of a match."""
    last = estimate(won[int(len(won) * (1 - LAST)) :])
    name = f"{spec}, last {LAST:.0%} of {len(won):,} hands"
    if spec == EQUILIBRIUM:
        note = "From PsOpti4, by about 100,000 games from 125,000 on; before, next to nothing."
        return beside(name, PUBLISHED, last, note)
    # In shortened matches the player has not learned yet.
    if opponent.best is None or scale < 1:
        return measured(name, last)
    least = opponent.share * opponent.best
    return claimed(
        name,
        last,
        last.high >= least,
        rule=f"95 % interval reaches {opponent.share:.0%} of the best response's "
        f"{opponent.best:.4f}",
    )


def _curves(won: dict[str, Floats], *, seed: int) -> Drawing:
    """Plot the mean of each tenth of each match."""
    values = [
        {"opponent": spec, "hand": (block + 0.5) * len(amounts) / BLOCKS, "won": round(float(m), 4)}
        for spec, amounts in won.items()
        for block, m in enumerate(part.mean() for part in np.array_split(amounts, BLOCKS))
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "hand",
            type="quantitative",
            title="hands since the players met",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(format="~s", grid=False),
        ),
        y=alt.Y("won", type="quantitative", title="small bets a hand, of each tenth of the match"),
        color=alt.Color(
            "opponent",
            type="nominal",
            title=None,
            scale=alt.Scale(domain=list(won), range=[variable(name) for name in _COLOURS]),
            legend=alt.Legend(columns=4),
        ),
    )
    zero = (
        alt.Chart(alt.InlineData(values=[{"won": 0}]))
        .mark_rule(color=variable("ink"), strokeDash=[2, 2])
        .encode(y=alt.Y("won", type="quantitative"))
    )
    chart = layered(zero, base.mark_line(strokeWidth=1.8, point=True))
    ends = "; ".join(
        f"{spec} {number_format.signed(float(amounts[len(amounts) // 2 :].mean()), 2)}"
        for spec, amounts in won.items()
    )
    return Drawing(
        figure=Figure(
            name="vexbot-learning",
            title="What Vexbot wins while it learns",
            words=f"Line chart of small bets a hand by hands played; in the second halves: {ends}.",
            note="Each match is played once, from nothing learned.",
            chart=chart.properties(width="container", height=LINES_HEIGHT),
        ),
        data={},
        subtitle=f"{len(won)} matches, seed {seed}",
    )
