"""The equilibrium of one chip with blinds for as many as are all-in, over a sample of deals.

The solver of push/fold counts up to three hands all-in exactly and lets everybody fold behind them;
a table of the orders of four hands would have 35 million rows. With one big blind three are in
often, so here a game whose chance is a sample of deals is solved: everybody's cards and the board
are drawn, and all who are in show them.

One hand in ten is within a hundredth of the odds that a bet needs. So the share of hands that bet
says little about the winnings: with a million deals it is right to about two per cent of all hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, strengths
from railbird.estimates import Estimate
from railbird.extending import Floats
from railbird.odds.flop_values import (
    call_share,
    first_bet_share,
    needed_in_whole_hand,
    needed_to_win,
)
from railbird.report.charts import layered
from railbird.report.document import Figure
from railbird.solve import PushFoldTable, solve_pushfold_table
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import Published, Row, compared, measured
from railbird_papers.framework.workspace import Workspace
from railbird_papers.peretz2005.claims import (
    CALLS,
    CALLS_BETTER,
    FIRST_BET_BLINDS,
    FIRST_BET_EVEN,
    NEEDED_TO_BET,
    NEEDED_TO_CALL,
    SMALL_BLIND,
    in_percent,
)

Node = tuple[int, int]
"""A seat to act, and the earlier seats that are in, seat i as 2^i."""

ITERATIONS: Final = 60
PARTS: Final = 4
_SMALL: Final = 0.5
_CHUNK: Final = 20_000


@dataclass(frozen=True, slots=True)
class OneChip:
    """An equilibrium over a sample: seats in the order of acting, the big blind is always in."""

    strategy: dict[Node, Floats]
    """(169,) how often each class bets the chip."""
    gains: tuple[float, ...]
    """What a best response of each seat gains on these deals, in big blinds."""
    deals: int
    parts: tuple[dict[Node, Floats], ...]
    """Strategies over equal parts of the sample, which show how reliable it is."""

    def share(self, seat: int, inside: int = 0) -> Estimate:
        """Return the share of hands that bet, in per cent."""
        node, dealt = (seat, inside), np.bincount(CLASS_OF_HOLDING, minlength=CLASSES) / HOLDINGS
        shares = [100 * float(sample_strategy[node] @ dealt) for sample_strategy in self.parts]
        stderr = float(np.std(shares, ddof=1)) / len(shares) ** 0.5
        return Estimate(100 * float(self.strategy[node] @ dealt), stderr, self.deals, unit="%")


def solve_one_chip(seats: int, deals: int, rng: np.random.Generator) -> OneChip:
    """Solve the game over a sample of deals, and over each of its parts."""
    classes, paid = _sample(seats, deals, rng)
    ends = np.linspace(0, deals, PARTS + 1).astype(int).tolist()
    parts = tuple(
        _solve(classes[:, first:end], paid[:, :, first:end]) for first, end in pairwise(ends)
    )
    strategy = _solve(classes, paid)
    best = np.zeros(seats)
    for (seat, inside), gain in _gains(strategy, classes, paid).items():
        own = strategy[seat, inside]
        best[seat] += np.maximum(-own * gain, (1 - own) * gain).sum()
    return OneChip(strategy, tuple(best.tolist()), deals, parts)


def _solve(classes: npt.NDArray[np.uint8], paid: npt.NDArray[np.float32]) -> dict[Node, Floats]:
    """Solve by CFR+, with averages that weigh later iterations by their square."""
    seats = len(classes)
    nodes = [(seat, inside) for seat in range(seats - 1) for inside in range(1 << seat)]
    current = {node: _first_bets(seats, node[0]) for node in nodes}
    regrets = {node: np.zeros((2, CLASSES)) for node in nodes}
    sums = {node: np.zeros(CLASSES) for node in nodes}
    for iteration in range(1, ITERATIONS + 1):
        for node, gain in _gains(current, classes, paid).items():
            own = current[node]
            instant = np.array([-own * gain, (1 - own) * gain])
            positive_regrets = regrets[node] = np.maximum(regrets[node] + instant, 0.0)
            sums[node] += iteration**2 * own
            total = positive_regrets.sum(axis=0)
            current[node] = np.divide(positive_regrets[1], total, out=own.copy(), where=total > 0)
    weight = sum(iteration**2 for iteration in range(1, ITERATIONS + 1))
    return {node: total / weight for node, total in sums.items()}


def _first_bets(seats: int, seat: int) -> Floats:
    return np.full(CLASSES, first_bet_share(seats - 1 - seat, 0.4))


def _gains(
    strategy: dict[Node, Floats], classes: npt.NDArray[np.uint8], payoffs: npt.NDArray[np.float32]
) -> dict[Node, Floats]:
    """Return the gain of betting over folding by class, weighed by how often it gets there."""
    seats, deals = payoffs.shape[1:]
    plays = {
        node: frequency.astype(np.float32)[classes[node[0]]] for node, frequency in strategy.items()
    }
    reach = {(0, 0): np.ones(deals, dtype=np.float32)}
    for seat, inside in strategy:
        if seat + 2 < seats:
            reach[seat + 1, inside] = reach[seat, inside] * (1 - plays[seat, inside])
            reach[seat + 1, inside | 1 << seat] = reach[seat, inside] * plays[seat, inside]
    gains = {}
    values = payoffs
    for seat in range(seats - 2, -1, -1):
        folds, bets = values[: 1 << seat], values[1 << seat : 2 << seat]
        for inside in range(1 << seat):
            gain = (bets[inside, seat] - folds[inside, seat]) * reach[seat, inside]
            by_class = np.bincount(classes[seat], weights=gain, minlength=CLASSES)
            gains[seat, inside] = by_class / deals
        often = np.stack([plays[seat, inside] for inside in range(1 << seat)])[:, np.newaxis]
        values = folds + often * (bets - folds)
    return gains


def _sample(
    seats: int, deals: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Return classes (seats, deals), and payoffs (sets of those who are in, seats, deals)."""
    classes = np.empty((seats, deals), dtype=np.uint8)
    paid = np.empty((1 << (seats - 1), seats, deals), dtype=np.float32)
    for first in range(0, deals, _CHUNK):
        end = min(first + _CHUNK, deals)
        cards = rng.random((end - first, 52)).argsort(axis=1)[:, : 2 * seats + 5].astype(np.uint8)
        board = cards[:, 2 * seats :]
        ranks = np.empty((seats, end - first), dtype=np.int32)
        for seat in range(seats):
            own = cards[:, 2 * seat : 2 * seat + 2]
            high, low = own.max(axis=1).astype(np.int32), own.min(axis=1)
            classes[seat, first:end] = CLASS_OF_HOLDING[high * (high - 1) // 2 + low]
            ranks[seat] = strengths(np.hstack([own, board]))
        for inside in range(1 << (seats - 1)):
            paid[inside, :, first:end] = payoffs(ranks, inside)
    return classes, paid


def payoffs(ranks: npt.NDArray[np.int32], inside: int) -> Floats:
    """Return what each seat wins, (seats, deals) big blinds, by the strength of all hands.

    ``inside`` are the seats that bet, seat i as 2^i; the big blind, the last one, always does.
    """
    seats = len(ranks)
    is_in = np.array([inside >> seat & 1 for seat in range(seats - 1)] + [1], dtype=bool)
    blind = 0.0 if is_in[-2] else _SMALL
    live = np.where(is_in[:, np.newaxis], ranks, -1)
    wins = (live == live.max(axis=0)) & is_in[:, np.newaxis]
    paid: Floats = wins * ((is_in.sum() + blind) / wins.sum(axis=0)) - is_in[:, np.newaxis]
    paid[-2] -= blind
    return paid


# The source's games of one chip, the third one that it leaves to others, and their equilibrium.
#
# The source lets a hand bet that is best among the players ahead often enough. In equilibrium those
# who call matter, and being best before the flop is not winning. The game with blinds is push/fold
# with stacks of one big blind, which the solver knows; it needs a stack a little above the blind.


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


def perform(workspace: Workspace) -> ExperimentResult:
    """Compute every percentile, and solve the game with blinds for two to four seats."""
    needed = needed_to_win(_STAKE, 1)
    to_call = needed_to_win(_STAKE + 1, 1)
    rows: list[Row] = []
    for ahead, text in FIRST_BET_EVEN.items():
        rows.append(_compared(f"no blinds, {ahead} ahead", text, first_bet_share(ahead, 0.5)))
    rows.append(_compared("with blinds, needed", NEEDED_TO_BET, needed))
    for ahead, text in FIRST_BET_BLINDS.items():
        rows.append(_compared(f"with blinds, {ahead} ahead", text, first_bet_share(ahead, needed)))
    small_blind = first_bet_share(1, needed_to_win(_STAKE, 0.5))
    rows.append(_compared("with blinds, the small blind", SMALL_BLIND, small_blind))
    for ahead, text in CALLS.items():
        share = call_share(first_bet_share(ahead, needed), needed)
        name = f"call of a bet with {ahead} ahead, same stake"
        rows.append(_compared(name, text, share, _ROUNDED))
    rows.append(_compared("needed to call the larger stake", NEEDED_TO_CALL, to_call))
    for ahead, text in CALLS_BETTER.items():
        share = call_share(first_bet_share(ahead, needed), to_call)
        name = f"call of a bet with {ahead} ahead, larger stake"
        rows.append(_compared(name, text, share, _ROUNDED))
    rows += _whole_hand()
    rows += _equilibria(workspace)
    return ExperimentResult(
        hands=len(rows), noun="number", rows=tuple(rows), drawings=(_drawing(),)
    )


def _whole_hand() -> list[Row]:
    """Solve the third game: bets on every street, lost with the hand or won from callers."""
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
        solution = solve_one_chip(seats, deals, np.random.default_rng(workspace.seed))
        for seat in range(seats - 1):
            note = f", on the {deals:,} deals of the sample"
            rows.append(_bettor(seats, seat, solution.share(seat), max(solution.gains), note))
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
