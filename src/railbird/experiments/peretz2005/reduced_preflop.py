"""The source's games of one chip, the third one that it leaves to others, and their equilibrium.

The source lets a hand bet that is best among the players ahead often enough. In equilibrium those
who call matter, and being best before the flop is not winning. The game with blinds is push/fold
with stacks of one big blind, which the solver knows; it needs a stack a little above the blind.
"""

from __future__ import annotations

from typing import Final

import altair as alt
import numpy as np

from railbird.estimates import Estimate
from railbird.experiments.framework.figures import Drawing
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Published, Row, compared, measured
from railbird.experiments.framework.workspace import Workspace
from railbird.experiments.peretz2005 import published
from railbird.experiments.peretz2005.common import in_percent
from railbird.experiments.peretz2005.one_chip_deals import solve_one_chip
from railbird.odds.preflop_value.reduced_games import (
    call_share,
    first_bet_share,
    needed_in_whole_hand,
    needed_to_win,
)
from railbird.report.toolkit.chart_marks import layered
from railbird.report.toolkit.figure import Figure
from railbird.solve import PushFoldTable, solve_pushfold_table

_STAKE: Final = 1.5
_LATER_BETS: Final = 5.0
"""Chips of the flop, turn and river in limit, one bet on each: 1 + 2 + 2."""
_STACK: Final = 1.001
_TOLERANCE: Final = 1e-3
_DEALS: Final = 1_000_000
"""Deals that are sampled for three seats and more, less by the scale: half a minute."""
_LEAST_DEALS: Final = 20_000
_SAMPLED: Final = (3, 4)
_ROUNDED: Final = "the source multiplies rounded percentages"


def perform(workspace: Workspace) -> Result:
    """Compute every percentile, and solve the game with blinds for two to four seats."""
    needed = needed_to_win(_STAKE, 1)
    to_call = needed_to_win(_STAKE + 1, 1)
    rows: list[Row] = []
    for ahead, text in published.FIRST_BET_EVEN.items():
        rows.append(_compared(f"no blinds, {ahead} ahead", text, first_bet_share(ahead, 0.5)))
    rows.append(_compared("with blinds, needed", published.NEEDED_TO_BET, needed))
    for ahead, text in published.FIRST_BET_BLINDS.items():
        rows.append(_compared(f"with blinds, {ahead} ahead", text, first_bet_share(ahead, needed)))
    small_blind = first_bet_share(1, needed_to_win(_STAKE, 0.5))
    rows.append(_compared("with blinds, the small blind", published.SMALL_BLIND, small_blind))
    for ahead, text in published.CALLS.items():
        share = call_share(first_bet_share(ahead, needed), needed)
        name = f"call of a bet with {ahead} ahead, same stake"
        rows.append(_compared(name, text, share, _ROUNDED))
    rows.append(_compared("needed to call the larger stake", published.NEEDED_TO_CALL, to_call))
    for ahead, text in published.CALLS_BETTER.items():
        share = call_share(first_bet_share(ahead, needed), to_call)
        name = f"call of a bet with {ahead} ahead, larger stake"
        rows.append(_compared(name, text, share, _ROUNDED))
    rows += _whole_hand()
    rows += _equilibria(workspace)
    return Result(hands=len(rows), noun="number", rows=tuple(rows), drawings=(_drawing(),))


def _whole_hand() -> list[Row]:
    """The third game: bets on every street, lost with the hand and won from those who pay."""
    rows = []
    for payers in (1, 3):
        needed = needed_in_whole_hand(_STAKE, 1, later_bets=_LATER_BETS, payers=payers)
        rows.append(
            measured(
                f"whole hand, {payers} paying: needed",
                in_percent(needed),
                "1, 2 and 2 chips follow on the flop, turn and river",
            )
        )
        for ahead in (9, 5, 2):
            share = first_bet_share(ahead, needed)
            rows.append(measured(f"whole hand, {payers} paying, {ahead} ahead", in_percent(share)))
    return rows


def _equilibria(workspace: Workspace) -> list[Row]:
    heads_up = solve_pushfold_table(
        PushFoldTable(stacks=(_STACK,) * 2), tolerance=_TOLERANCE, progress=workspace.tell
    )
    rows = [_bettor(2, 0, in_percent(heads_up.share((0, ()))), heads_up.worst)]
    deals = max(_LEAST_DEALS, round(_DEALS * workspace.scale))
    for done, seats in enumerate(_SAMPLED):
        workspace.tell(done, len(_SAMPLED), f"{seats} seats over {deals:,} deals")
        found = solve_one_chip(seats, deals, np.random.default_rng(workspace.seed))
        for seat in range(seats - 1):
            note = f", on the {deals:,} deals of the sample"
            rows.append(_bettor(seats, seat, found.share(seat), max(found.gains), note))
    return rows


def _bettor(seats: int, seat: int, share: Estimate, gain: float, sample: str = "") -> Row:
    """Return the share that bets first beside that of the formula."""
    ahead = seats - 1 - seat
    formula = first_bet_share(ahead, needed_to_win(_STAKE, 0.5 if ahead == 1 else 1.0))
    return measured(
        f"equilibrium of {seats} seats, {ahead} ahead",
        share,
        f"the formula says {100 * formula:.1f} %; a best response gains {gain:.4f} big blinds "
        f"at most{sample}; callers may be beaten, so that more hands bet",
    )


def _compared(name: str, text: str, share: float, note: str = "") -> Row:
    row = compared(name, Published(text=text), in_percent(share))
    differs = row.verdict.value == "differs"
    return compared(name, Published(text=text), in_percent(share), note if differs else "")


def _drawing() -> Drawing:
    needed = {
        "no blinds": 0.5,
        "with blinds": needed_to_win(_STAKE, 1),
        "whole hand, one pays": needed_in_whole_hand(_STAKE, 1, later_bets=_LATER_BETS),
        "whole hand, three pay": needed_in_whole_hand(_STAKE, 1, later_bets=_LATER_BETS, payers=3),
    }
    values = [
        {"ahead": ahead, "share": first_bet_share(ahead, probability), "game": game}
        for game, probability in needed.items()
        for ahead in range(2, 10)
    ]
    chart = layered(
        alt.Chart(alt.InlineData(values=values))
        .mark_line(point=True)
        .encode(
            x=alt.X(
                "ahead:O", title="players ahead", axis=alt.Axis(labelAngle=0), sort="descending"
            ),
            y=alt.Y("share:Q", title="hands that bet first", axis=alt.Axis(format="~%")),
            strokeDash=alt.StrokeDash("game:N", title=None, sort=list(needed)),
        )
    )
    figure = Figure(
        name="first-bets",
        title="Which share of hands bets first",
        words="Four lines that rise from nine players ahead to two: the share of the best hands "
        "that bets first, without blinds, with blinds, and with the bets of the whole hand.",
        note="The rise is close to one over the players ahead; the source calls it exponential.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle="by the source's formula")
