"""A learner against a player who always raises, once called at the cap and once folded there.

The source's Teddy raised where no raise was allowed, and its hand was folded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from railbird.arena.fault_policy import Fault, FaultPolicy, Remedy
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.experiments.framework.figures import BY_ROUND, Drawing, round_lines, running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, beside, claimed, measured, must_exceed_zero
from railbird.experiments.limit_players import published
from railbird.game import Action, Raise, View
from railbird.units import Chips

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import PlayedMatch, Workspace

LEARNER = "vexbot"
HANDS = 20_000
MOST = 3.697693
"""What can be won from who always raises, in small bets a hand."""
RAISER = f"{__name__}:AlwaysRaises"


class AlwaysRaises:
    """Raises always, allowed or not."""

    def reset(self, rng: np.random.Generator) -> None:
        """Do nothing."""

    def act(self, view: View) -> Action:
        """Raise by one bet."""
        state = view.state
        to = state.min_raise_to
        return Raise(Chips(state.bet + state.rules.bet_sizes[state.street]) if to is None else to)


def perform(workspace: Workspace) -> Result:
    """Play both matches and show what the learner wins, and whether it wins more later."""
    hands = workspace.hands(HANDS)
    rows: list[Row] = []
    drawings: list[Drawing] = []
    money: dict[str, Estimate] = {}
    for number, remedy in enumerate((Remedy.CALL, Remedy.FOLD)):
        # The logs of both would have the same name.
        base = workspace.match(LEARNER, f"python:{RAISER}", hands, seed=workspace.seed + number)
        played = workspace.play(replace(base, faults=FaultPolicy(illegal=remedy)))
        which = "calls" if remedy is Remedy.CALL else "folds"
        scores = workspace.scores(played, more=BY_ROUND)
        rows += _rows(which, played, scores)
        money[which] = estimate(scores["money"].to_numpy())
        subtitle = f"{hands:,} hands, seed {workspace.seed + number}"
        drawings += _drawings(which, scores, subtitle)
    gain = Estimate(
        money["folds"].value - money["calls"].value,
        float(np.hypot(money["folds"].stderr, money["calls"].stderr)),
        hands,
    )
    rows.append(measured("what folding costs the raiser", gain))
    return Result(hands=2 * hands, rows=tuple(rows), drawings=tuple(drawings))


def _drawings(which: str, scores: pl.DataFrame, subtitle: str) -> list[Drawing]:
    """Draw the match with the raiser who folds as the source drew its own, and the other."""
    against = f"{LEARNER} against a raiser who {which} at the cap"
    sums, rounds = ("Figure 5.22: ", "Figure 5.23: ") if which == "folds" else ("", "")
    return [
        running_sums(
            which,
            f"{sums}{against}",
            scores,
            player=LEARNER,
            subtitle=subtitle,
            note="A straight line is play that does not change.",
        ),
        round_lines(
            f"{which}-by-round",
            f"{rounds}{against}, by betting round",
            scores,
            player=LEARNER,
            subtitle=subtitle,
            note="The source's Monash lost a little before the flop, and won on the turn and the "
            "river.",
        ),
    ]


def _rows(which: str, played: PlayedMatch, scores: pl.DataFrame) -> list[Row]:
    won, divat = (scores[name].to_numpy() for name in ("money", "divat"))
    half = len(won) // 2
    first, second = estimate(divat[:half]), estimate(divat[half:])
    later = Estimate(
        second.value - first.value, float(np.hypot(first.stderr, second.stderr)), len(divat)
    )
    faults = played.result.faults[1].counts.get(Fault.ILLEGAL, 0)
    rows = [
        claimed(
            f"illegal raises, of a raiser who {which}",
            Estimate(float(faults), 0.0, len(won), unit="raises"),
            faults > 0,
            rule="above 0",
        ),
        must_exceed_zero(f"DIVAT, from a raiser who {which}", estimate(divat)),
        measured(f"DIVAT of the second half less the first, {which}", later),
    ]
    if which == "folds":
        note = "Monash from Teddy, 20,000 hands."
        return [*rows, beside(f"money, {which}", published.MONASH_FROM_TEDDY, estimate(won), note)]
    share = estimate(won / MOST)
    note = "Of what a best response wins."
    return [
        *rows,
        measured(f"money, {which}", estimate(won)),
        measured(f"share of the most, {which}", replace(share, unit=""), note),
    ]
