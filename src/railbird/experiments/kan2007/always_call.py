"""Always-Call against Always-Raise: every hand is played for seven small bets, so all is luck.

The source plays two matches of 100,000 hands and continues the first to 400,000.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from railbird.baseline import STANDARD, PotConvention, parse_settings
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.experiments.framework.figures import Drawing, running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import (
    SIGMAS,
    Published,
    Row,
    claimed,
    compared,
    measured,
    zero,
)
from railbird.experiments.framework.statistics import (
    money_and_divat,
    reduction,
    sd,
    sd_change,
)
from railbird.experiments.kan2007 import published
from railbird.experiments.kan2007.seven_card import SevenCardValues
from railbird.odds.equity.preflop_matrix import PAIR_BOARDS, PreflopMatrix, open_matrix

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from railbird.baseline import BaselineSettings
    from railbird.experiments.framework.workspace import PlayedMatch, Workspace

PLAYERS = ("always-call", "always-raise")
LONG, SHORT = 400_000, 100_000
POT = 7
"""Small bets that each player puts in: 2 before the flop, 1 on the flop, 2 on turn and river."""

CONVENTIONS = (STANDARD, parse_settings("pot=facing-bet"))
"""The two interpretations of the pot in the fold rule."""

_REPLACED = 20_000
"""Hands scored again with the source's kind of preflop table."""

_MONEY_NOTE = "All of it is luck; the curves are one standard deviation about zero."
_READINGS = {
    PotConvention.ROUND_START: "The fold rule counts the pot at the start of the round, as the "
    "source's worked example does.",
    PotConvention.FACING_BET: "The fold rule counts the pot that the player faces, the bet "
    "included.",
}


def tie_probability(matrix: PreflopMatrix) -> Fraction:
    """Return the exact probability that two random hands tie at the showdown.

    >>> f"{float(tie_probability(open_matrix())):.6f}"
    '0.040674'
    """
    decided = 2 * int(matrix.wins.sum(dtype=np.int64))
    return 1 - Fraction(decided, int(matrix.disjoint.sum()) * PAIR_BOARDS)


def money_variance(matrix: PreflopMatrix) -> Fraction:
    """Return the exact variance of one hand's money in sb²: seven small bets, or 0 in a tie.

    >>> f"{float(money_variance(open_matrix())):.6f}"
    '47.006967'
    """
    return POT**2 * (1 - tie_probability(matrix))


def perform(workspace: Workspace) -> Result:
    """Play the source's matches, one a continuation of another, and score them both ways."""
    long = workspace.play(workspace.match(*PLAYERS, workspace.hands(LONG)))
    other = workspace.play(
        workspace.match(*PLAYERS, workspace.hands(SHORT), seed=workspace.seed + 1)
    )
    rows = _money_rows(workspace)
    drawings: tuple[Drawing, ...] = ()
    for settings in CONVENTIONS:
        scores = workspace.scores(long, settings=settings)
        others = workspace.scores(other, settings=settings)
        if settings is STANDARD:
            rows += _centre_rows(scores) + _dcash_rows(scores)
            drawings = _drawings(scores, others, workspace)
        rows += _spread_rows(settings.pot, scores, others)
        rows += _table_rows(settings, scores, workspace, long)
    return Result(hands=long.match.hands, rows=rows, drawings=drawings)


@cache
def _variance() -> float:
    return float(money_variance(open_matrix()))


def _money_rows(workspace: Workspace) -> tuple[Row, ...]:
    workspace.tell(0, 1, "all pairs of holdings")
    variance = _variance()
    workspace.tell(1, 1, "all pairs of holdings")
    # A hand's squared money is 49 or 0, so the variance of the variance is also known.
    decided = variance / POT**2
    published_stderr = POT**2 * math.sqrt(decided * (1 - decided) / published.SIMULATED_HANDS)
    return (
        compared(
            "money variance, all hands and boards",
            Published(text=published.MONEY_VARIANCE, stderr=published_stderr),
            Estimate(variance, 0.0, _deals(), "sb²"),
            note=f"Exact; the source simulated {published.SIMULATED_HANDS:,} hands.",
        ),
        compared(
            "money sd, all hands and boards",
            Published(text=published.MONEY_SD),
            Estimate(math.sqrt(variance), 0.0, _deals()),
        ),
    )


def _deals() -> int:
    return math.comb(52, 2) * math.comb(50, 2) * PAIR_BOARDS


def _centre_rows(scores: pl.DataFrame) -> tuple[Row, ...]:
    money, divat = money_and_divat(scores)
    spread = sd(money)
    exact = Estimate(math.sqrt(_variance()), 0.0, len(money))
    return (
        zero(f"money sd of {len(money):,} hands, less the exact one", spread - exact),
        zero("money of always-call", estimate(money)),
        zero("DIVAT of always-call", estimate(divat)),
    )


def _dcash_rows(scores: pl.DataFrame) -> tuple[Row, ...]:
    """Compare money less Dcash with DIVAT, as section 3.3 announces."""
    money, divat = money_and_divat(scores)
    rest = money - scores["dcash"].to_numpy()
    gain = reduction(rest, divat)
    return (
        measured(f"money less Dcash sd, {scores.height:,} hands, round-start", sd(rest)),
        claimed(
            "variance of money less Dcash over that of DIVAT, round-start",
            gain,
            gain.value - SIGMAS * gain.stderr > 1,
            rule=f"above 1 by {SIGMAS:g} standard errors",
            note="Section 3.3 promises it: DIVAT is better than money less Dcash in that it varies "
            "less.",
        ),
    )


def _spread_rows(pot: PotConvention, scores: pl.DataFrame, others: pl.DataFrame) -> tuple[Row, ...]:
    """Return rows for published spreads of the long match, its beginning and the other match."""
    rows: list[Row] = []
    beginning = scores.head(others.height)
    for hands, printed in (
        (scores, published.ALWAYS_CALL_LONG),
        (beginning, published.ALWAYS_CALL_FIRST),
        (others, published.ALWAYS_CALL_OTHER),
    ):
        money, divat = money_and_divat(hands)
        which = "other " if hands is others else "first " if hands is beginning else ""
        about = f"{which}{hands.height:,} hands, {pot.value}"
        for name, text, ours in (
            ("DIVAT sd", printed.divat_sd, sd(divat)),
            ("variance reduction", printed.variance_reduction, reduction(money, divat)),
        ):
            rows.append(
                compared(
                    f"{name}, {about}",
                    # The source's own match was as long, so it is as uncertain.
                    Published(text=text, stderr=ours.stderr),
                    ours,
                    note=_READINGS[pot],
                )
            )
    return tuple(rows)


def _table_rows(
    settings: BaselineSettings,
    scores: pl.DataFrame,
    workspace: Workspace,
    played: PlayedMatch,
) -> tuple[Row, ...]:
    """Return rows for the effect of the source's inexact preflop table on the same hands."""
    hands = min(played.match.hands, workspace.hands(_REPLACED))
    replaced = workspace.scores(played, settings=settings, values=SevenCardValues, hands=hands)
    _, divat = money_and_divat(scores.head(hands))
    _, by_hr7 = money_and_divat(replaced)
    big_blind = np.where(replaced["seat"].to_numpy() == 0, 1.0, -1.0)
    change, spread = sd_change(by_hr7, divat), sd(scores["divat"].to_numpy())
    with_table = Estimate(
        spread.value + change.value, math.hypot(spread.stderr, change.stderr), spread.n
    )
    which = f"7cHR before the flop, {settings.pot.value}"
    return (
        measured(
            f"change of DIVAT sd, {which}",
            change,
            note="The source's preflop table classed hands by 7cHR; measured on "
            f"{hands:,} of the hands.",
        ),
        measured(
            f"change of the big blind's DIVAT, {which}",
            paired_difference(big_blind * by_hr7, big_blind * divat),
            note="The bias of such a table; it cancels where the seats alternate.",
        ),
        compared(
            f"DIVAT sd, {scores.height:,} hands, {which}",
            Published(text=published.ALWAYS_CALL_LONG.divat_sd, stderr=spread.stderr),
            with_table,
            note="The spread of the long match and the change.",
        ),
    )


def _drawings(
    scores: pl.DataFrame, others: pl.DataFrame, workspace: Workspace
) -> tuple[Drawing, ...]:
    matches: Mapping[str, tuple[str, pl.DataFrame, int]] = {
        "match-a": ("Figures 1.1, 4.1 a and 4.3 a: a match", scores.head(others.height), 0),
        "match-b": ("Figures 4.1 b and 4.3 b: another match", others, 1),
        "match-long": ("Figures 4.2 and 4.4: the first match, longer", scores, 0),
    }
    return tuple(
        running_sums(
            name,
            title,
            hands,
            player=PLAYERS[0],
            subtitle=f"{PLAYERS[0]} against {PLAYERS[1]}, {hands.height:,} hands, "
            f"seed {workspace.seed + further}",
            note=_MONEY_NOTE,
        )
        for name, (title, hands, further) in matches.items()
    )
