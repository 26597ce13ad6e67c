"""The source's search for fold offsets that are safe against a player who always raises.

Section 3.1.2 folds on the flop and the turn below bet / (pot + bet) + offset, because a hand that
calls now meets another bet later. The offsets came from "millions of simulations of different flop
and turn scenarios to find the break-even point", in which hands that are safe folds against one who
always raises fold to later bets. Here the board and the holding are drawn, and the rest is exact:
the opponent's holding is uniform, it bets on every street, and the river is folded at the offset 0.
The source does not say which pots it drew; these are all that a limit hand can have up to three
raises on a street, with equal weight.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import altair as alt
import numpy as np
import polars as pl

from railbird.baseline import STANDARD
from railbird.estimates import Estimate
from railbird.extending import Floats, in_slices
from railbird.game import Street
from railbird.players.compiled import rank_tables
from railbird.report.document import Figure
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import Published, Row, claimed, compared, measured
from railbird_papers.framework.workspace import Workspace
from railbird_papers.kan2007 import kernels

SITUATIONS: Final = 2_000_000
_PARTS: Final = 20
"""Number of samples, for the standard error."""
_WIDTH: Final = 0.01
_REACH: Final = 0.3
"""Range of ranks around the threshold, in bins of `_WIDTH`."""


class _Search(NamedTuple):
    street: Street
    published: str
    pots: tuple[float, ...]
    """Small bets before the bet."""


SEARCHES: Final = (
    _Search(Street.FLOP, "0.075", (2.0, 4.0, 6.0, 8.0)),
    _Search(Street.TURN, "0.1", tuple(float(pot) for pot in range(2, 17, 2))),
)


def perform(workspace: Workspace) -> ExperimentResult:
    """Sample calls on both streets and find their break-even points."""
    rows: list[Row] = []
    tables, curves = {}, []
    total = 0
    for search in SEARCHES:
        count = workspace.hands(SITUATIONS, least=20_000)
        margin, odds, worth = sample(search, count, workspace.seed)
        total += count
        name = search.street.name.lower()
        offset = _break_even(margin, worth)
        rows.append(
            compared(
                f"fold offset on the {name}",
                Published(text=search.published),
                offset,
                note="Which pots the source drew, and at which of these it broke even, is not "
                "said; the next rows say how much hangs on them.",
            )
        )
        by_odds = _break_even(odds, worth)
        rows.append(
            claimed(
                f"the same on the {name}, from the pot odds bet / (pot + 2 bet)",
                by_odds,
                by_odds.low > 0,
                rule="95 % interval above 0",
                note="Whoever calls at the pot odds alone loses to the bets that follow.",
            )
        )
        for pot in (search.pots[0], search.pots[-1]):
            margin_alone, _, worth_alone = sample(
                search._replace(pots=(pot,)), count // 4, workspace.seed
            )
            rows.append(
                measured(
                    f"fold offset on the {name}, pots of {pot:g} sb alone",
                    _break_even(margin_alone, worth_alone),
                )
            )
        table = _curve(margin, worth).with_columns(street=pl.lit(name))
        tables[f"calls-{name}"] = table
        curves.append(table)
    return ExperimentResult(
        hands=total,
        noun="situation",
        rows=tuple(rows),
        drawings=(_drawing(pl.concat(curves), workspace.seed),),
        tables=tables,
    )


def sample(search: _Search, count: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Draw situations: ranks less the threshold, less the pot odds, and the value of a call."""
    margin, odds, worth = np.empty((3, count))
    key = np.random.default_rng([seed, int(search.street)]).integers(1 << 63, dtype=np.uint64)
    bettable = np.array([STANDARD[street].make[0] for street in Street])
    turn_offset = STANDARD[Street.TURN].fold_offset
    pots = np.array(search.pots)
    work = partial(_slice, search, bettable, turn_offset, key, pots, margin, odds, worth)
    in_slices(work, count, size=1000, what="situations")
    return margin, odds, worth


def _slice(
    search: _Search,
    bettable: Floats,
    turn_offset: float,
    key: np.uint64,
    pots: Floats,
    margin: Floats,
    odds: Floats,
    worth: Floats,
    first: int,
    end: int,
) -> None:
    kernels.sample_calls(
        first,
        end,
        int(search.street),
        pots,
        bettable,
        turn_offset,
        key,
        rank_tables(),
        margin,
        odds,
        worth,
    )


def _break_even(margin: Floats, worth: Floats) -> Estimate:
    """Break-even point of calls: the offset below which folding loses nothing on average."""
    parts = np.arange(len(margin)) % _PARTS
    offsets = [_crossing(margin[parts == part], worth[parts == part]) for part in range(_PARTS)]
    error = float(np.std(offsets, ddof=1) / np.sqrt(_PARTS))
    return Estimate(_crossing(margin, worth), error, len(margin), unit="rank")


def _crossing(margin: Floats, worth: Floats) -> float:
    """The margin at which the mean worth of a call changes its sign, between two bins."""
    mean, middle = _means(margin, worth)
    above = int(np.flatnonzero(mean <= 0)[-1])
    if above + 1 == len(mean):
        return float(middle[-1])
    low, high = mean[above], mean[above + 1]
    return float(middle[above] + _WIDTH * low / (low - high))


def _means(margin: Floats, worth: Floats) -> tuple[Floats, Floats]:
    edges = np.arange(-_REACH, _REACH + _WIDTH / 2, _WIDTH)
    place = np.digitize(margin, edges)
    size = len(edges) + 1
    count = np.bincount(place, minlength=size)[1:-1]
    total = np.bincount(place, weights=worth, minlength=size)[1:-1]
    mean: Floats = total / np.maximum(count, 1)
    return mean[count > 0], (edges[:-1] + _WIDTH / 2)[count > 0]


def _curve(margin: Floats, worth: Floats) -> pl.DataFrame:
    mean, middle = _means(margin, worth)
    return pl.DataFrame({"margin": middle, "worth_sb": mean})


def _drawing(curves: pl.DataFrame, seed: int) -> Drawing:
    chart = (
        alt.Chart(alt.InlineData(values=curves.to_dicts()))
        .mark_line()
        .encode(
            x=alt.X("margin:Q", title="effective rank less bet ÷ (pot + bet)"),
            y=alt.Y("worth_sb:Q", title="worth of a call, small bets"),
            strokeDash=alt.StrokeDash("street:N", title=None),
        )
    )
    figure = Figure(
        name="fold-offsets",
        title="What a call is worth against one who always bets",
        words="Two lines, flop and turn: the mean worth of a call by how far the hand's rank lies "
        "above the threshold without an offset; each crosses zero where its offset is.",
        note="Left of the crossing a fold loses nothing, whoever bets.",
        chart=chart,
    )
    return Drawing(figure=figure, data={}, subtitle=f"limit, seed {seed}")
