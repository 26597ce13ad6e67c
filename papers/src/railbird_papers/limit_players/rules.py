"""Freeze-outs with rising blinds, judged at fixed stakes.

The source's matches in Las Vegas ended when one player had all chips, while the blinds rose. The
last hands were worth more than all others together, so the matches are judged as if stakes were
fixed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.arena import Tournaments, play_tournaments
from railbird.arena.guarded_player import Fault, FaultPolicy, Remedy
from railbird.assessment import MatchAssessment, assess
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.game import Action, Betting, Raise, View
from railbird.tournament.schedule import parse_schedule
from railbird.units import Chips
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import BY_ROUND, Drawing, round_lines, running_sums
from railbird_papers.framework.rows import (
    Row,
    beside,
    claimed,
    measured,
    money_and_divat,
    must_exceed,
    must_exceed_zero,
    reduction,
    zero,
)
from railbird_papers.limit_players.matches import MONASH_FROM_TEDDY

if TYPE_CHECKING:
    from railbird.histories.columns import HandBatch
    from railbird_papers.framework.workspace import PlayedMatch, Workspace


PLAYERS = ("baseline:aggressive-medium", "baseline:tight-medium")
FREEZE_OUTS = 400
STACK = 1000
SCHEDULE = parse_schedule("5/10x50,10/20x50,20/40x50,40/80x50,80/160x50")
LAST = 0.1
"""The part of a freeze-out's hands that is compared with all of them."""


def freeze_out(workspace: Workspace) -> ExperimentResult:
    """Play the freeze-outs, and compare their results with the hands at fixed stakes."""
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
        series,
        log=workspace.results_file(f"freeze-out-{count}-seed-{workspace.seed}.phhs"),
        workers=workspace.workers,
        keep=True,
        progress=workspace.progress,
    )
    batches = list(played.batches())
    assessment = assess(batches, player=PLAYERS[0], threads=workspace.workers)
    money, divat = money_and_divat(assessment.scores)
    stakes, chips = _stakes_and_chips(batches)
    won = played.wins(0) / count
    lengths = np.array([finish.hands for finish in played.finishes])
    by_divat = reduction(money, divat)
    return ExperimentResult(
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
                _left_out(assessment),
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
                assessment.scores,
                player=PLAYERS[0],
                subtitle=f"{count} freeze-outs, {assessment.hands:,} hands, seed {workspace.seed}",
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


def _left_out(assessment: MatchAssessment) -> Estimate:
    return Estimate(float(sum(assessment.skipped.values())), 0.0, assessment.hands, unit="hands")


# A learner against a player who always raises, once called at the cap and once folded there.
#
# The source's Teddy raised where no raise was allowed, and its hand was folded.


LEARNER = "vexbot"
HANDS = 20_000
MOST = 3.697693
"""The most that can be won from a player who always raises, in small bets a hand."""
RAISER = f"{__name__}:AlwaysRaises"


class AlwaysRaises:
    """A player that always raises, allowed or not."""

    def reset(self, rng: np.random.Generator) -> None:
        """Do nothing."""

    def act(self, view: View) -> Action:
        """Raise by one bet."""
        state = view.state
        to = state.min_raise_to
        return Raise(Chips(state.bet + state.rules.bet_sizes[state.street]) if to is None else to)


def illegal_raises(workspace: Workspace) -> ExperimentResult:
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
    return ExperimentResult(hands=2 * hands, rows=tuple(rows), drawings=tuple(drawings))


def _drawings(cap_action: str, scores: pl.DataFrame, subtitle: str) -> list[Drawing]:
    """Draw the match with the raiser who folds as the source drew its own, and the other match."""
    against = f"{LEARNER} against a raiser who {cap_action} at the cap"
    sums, rounds = ("Figure 5.22: ", "Figure 5.23: ") if cap_action == "folds" else ("", "")
    return [
        running_sums(
            cap_action,
            f"{sums}{against}",
            scores,
            player=LEARNER,
            subtitle=subtitle,
            note="A straight line is play that does not change.",
        ),
        round_lines(
            f"{cap_action}-by-round",
            f"{rounds}{against}, by betting round",
            scores,
            player=LEARNER,
            subtitle=subtitle,
            note="The source's Monash lost a little before the flop, and won on the turn and the "
            "river.",
        ),
    ]


def _rows(cap_action: str, played: PlayedMatch, scores: pl.DataFrame) -> list[Row]:
    won, divat = (scores[name].to_numpy() for name in ("money", "divat"))
    half = len(won) // 2
    first, second = estimate(divat[:half]), estimate(divat[half:])
    later = Estimate(
        second.value - first.value, float(np.hypot(first.stderr, second.stderr)), len(divat)
    )
    faults = played.result.faults[1].counts.get(Fault.ILLEGAL, 0)
    rows = [
        claimed(
            f"illegal raises, of a raiser who {cap_action}",
            Estimate(float(faults), 0.0, len(won), unit="raises"),
            faults > 0,
            rule="above 0",
        ),
        must_exceed_zero(f"DIVAT, from a raiser who {cap_action}", estimate(divat)),
        measured(f"DIVAT of the second half less the first, {cap_action}", later),
    ]
    if cap_action == "folds":
        note = "Monash from Teddy, 20,000 hands."
        return [*rows, beside(f"money, {cap_action}", MONASH_FROM_TEDDY, estimate(won), note)]
    share = estimate(won / MOST)
    note = "Of what a best response wins."
    return [
        *rows,
        measured(f"money, {cap_action}", estimate(won)),
        measured(f"share of the most, {cap_action}", replace(share, unit=""), note),
    ]
