"""Numbers as Kan (2007) prints them; text, since the printed digits show their precision."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import polars as pl

from railbird.arena import Seating
from railbird.baseline import STANDARD, PotConvention, parse_settings
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate, paired_difference
from railbird.odds.preflop_matrix import PAIR_BOARDS, PreflopMatrix, open_matrix
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing, running_sums
from railbird_papers.framework.rows import (
    SIGMAS,
    Published,
    Row,
    beside,
    claimed,
    compared,
    measured,
    money_and_divat,
    must_exceed,
    reduction,
    sd,
    sd_change,
    zero,
)
from railbird_papers.framework.workspace import Workspace
from railbird_papers.kan2007.future_work import SevenCardValues

if TYPE_CHECKING:
    from collections.abc import Mapping

    from railbird.baseline import BaselineSettings
    from railbird_papers.framework.workspace import PlayedMatch


SIMULATED_HANDS: Final = 25_000_000
"""Hands from which the source estimated the variance of money."""

MONEY_VARIANCE: Final = "47.010"
MONEY_SD: Final = "6.856"
"""Always-Call against Always-Raise, over all hands and boards (section 4.2.1)."""


class Spread(NamedTuple):
    """Standard deviation of DIVAT in a match, and the variance of money over that of DIVAT."""

    divat_sd: str
    variance_reduction: str


ALWAYS_CALL_LONG: Final = Spread("2.913", "5.54")
"""Always-Call against Always-Raise, 400,000 hands (figures 4.2 and 4.4)."""
ALWAYS_CALL_FIRST: Final = Spread("2.934", "5.46")
"""The first 100,000 of them (figures 4.1 a and 4.3 a)."""
ALWAYS_CALL_OTHER: Final = Spread("2.917", "5.52")
"""Another match of 100,000 hands (figures 4.1 b and 4.3 b)."""

SELF_PLAY_MONEY_SD: Final = "4.691"
SELF_PLAY: Final = Spread("1.863", "6.34")
"""PsOpti4 against itself (figure 4.5)."""


class Direction(NamedTuple):
    """One direction of the duplicate match of PsOpti4 and PsOpti6."""

    letter: str
    """Letter of the figure."""
    money: str
    """Small bets per hand."""
    divat: str
    money_sd: str
    divat_sd: str


DUPLICATE: Final = (
    Direction("a", "0.10", "0.11", "4.750", "1.929"),
    Direction("b", "0.12", "0.11", "4.747", "1.932"),
)
"""Figure 4.6."""
DUPLICATE_VARIANCE_REDUCTION: Final = "6.05"
"""In either direction."""
DUPLICATE_PAIRS_MONEY_SD: Final = "1.643"
DUPLICATE_PAIRS_DIVAT_SD: Final = "1.178"
"""Average of the two plays of a deal (figure 4.7)."""


# Always-Call against Always-Raise: every hand is played for seven small bets, so all is luck.
#
# The source plays two matches of 100,000 hands and continues the first to 400,000.


ALWAYS_CALL_PLAYERS = ("always-call", "always-raise")
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


def always_call(workspace: Workspace) -> ExperimentResult:
    """Play the source's matches, one a continuation of another, and score them both ways."""
    long = workspace.play(workspace.match(*ALWAYS_CALL_PLAYERS, workspace.hands(LONG)))
    short = workspace.play(
        workspace.match(*ALWAYS_CALL_PLAYERS, workspace.hands(SHORT), seed=workspace.seed + 1)
    )
    rows = _money_rows(workspace)
    drawings: tuple[Drawing, ...] = ()
    for settings in CONVENTIONS:
        scores = workspace.scores(long, settings=settings)
        others = workspace.scores(short, settings=settings)
        if settings is STANDARD:
            rows += _centre_rows(scores) + _dcash_rows(scores)
            drawings = _always_call_drawings(scores, others, workspace)
        rows += _spread_rows(settings.pot, scores, others)
        rows += _table_rows(settings, scores, workspace, long)
    return ExperimentResult(hands=long.match.hands, rows=rows, drawings=drawings)


@cache
def _variance() -> float:
    return float(money_variance(open_matrix()))


def _money_rows(workspace: Workspace) -> tuple[Row, ...]:
    workspace.tell(0, 1, "all pairs of holdings")
    variance = _variance()
    workspace.tell(1, 1, "all pairs of holdings")
    # A hand's squared money is 49 or 0, so the variance of the variance is also known.
    decided = variance / POT**2
    published_stderr = POT**2 * math.sqrt(decided * (1 - decided) / SIMULATED_HANDS)
    return (
        compared(
            "money variance, all hands and boards",
            Published(text=MONEY_VARIANCE, stderr=published_stderr),
            Estimate(variance, 0.0, _deals(), "sb²"),
            note=f"Exact; the source simulated {SIMULATED_HANDS:,} hands.",
        ),
        compared(
            "money sd, all hands and boards",
            Published(text=MONEY_SD),
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
        must_exceed(
            1,
            "variance of money less Dcash over that of DIVAT, round-start",
            gain,
            note="Section 3.3 promises it: DIVAT is better than money less Dcash in that it varies "
            "less.",
            sigmas=SIGMAS,
        ),
    )


def _spread_rows(pot: PotConvention, scores: pl.DataFrame, others: pl.DataFrame) -> tuple[Row, ...]:
    """Return rows for published spreads of the long match, its beginning and the other match."""
    rows: list[Row] = []
    beginning = scores.head(others.height)
    for hands, printed in (
        (scores, ALWAYS_CALL_LONG),
        (beginning, ALWAYS_CALL_FIRST),
        (others, ALWAYS_CALL_OTHER),
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
    table_label = f"7cHR before the flop, {settings.pot.value}"
    return (
        measured(
            f"change of DIVAT sd, {table_label}",
            change,
            note="The source's preflop table classed hands by 7cHR; measured on "
            f"{hands:,} of the hands.",
        ),
        measured(
            f"change of the big blind's DIVAT, {table_label}",
            paired_difference(big_blind * by_hr7, big_blind * divat),
            note="The bias of such a table; it cancels where the seats alternate.",
        ),
        compared(
            f"DIVAT sd, {scores.height:,} hands, {table_label}",
            Published(text=ALWAYS_CALL_LONG.divat_sd, stderr=spread.stderr),
            with_table,
            note="The spread of the long match and the change.",
        ),
    )


def _always_call_drawings(
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
            player=ALWAYS_CALL_PLAYERS[0],
            subtitle=" against ".join(ALWAYS_CALL_PLAYERS) + f", {hands.height:,} hands, "
            f"seed {workspace.seed + further}",
            note=_MONEY_NOTE,
        )
        for name, (title, hands, further) in matches.items()
    )


# A player against itself: the true result is zero, whatever the money.
#
# The source's player was PsOpti4, a game-theoretic bot; the baseline replaces it here, on the cards
# of the match between Always-Call and Always-Raise. `equilibrium-self-play` has a player of its
# kind.


PLAYER = "baseline"
JUDGE = parse_settings("pot=facing-bet")
"""A baseline other than the player's own that has an exact preflop table."""

_SELF_PLAY_OTHER = (
    "PsOpti4 mixes its play, as game theory requires; the baseline bets its hand for value and "
    "hides nothing, so a judge of the same kind finds little of its play surprising."
)


def self_play(workspace: Workspace) -> ExperimentResult:
    """Play the match and score it by the player's own baseline and by another."""
    match = workspace.match(PLAYER, PLAYER, workspace.hands(LONG))
    played = workspace.play(match)
    own = workspace.scores(played)["divat"].to_numpy()
    scores = workspace.scores(played, settings=JUDGE)
    money, divat = money_and_divat(scores)
    astray = int(np.count_nonzero(own))
    subtitle = f"{PLAYER} against itself, {match.hands:,} hands, seed {workspace.seed}"
    return ExperimentResult(
        hands=match.hands,
        rows=(
            beside("money sd", SELF_PLAY_MONEY_SD, sd(money), note=_SELF_PLAY_OTHER),
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
                SELF_PLAY.divat_sd,
                sd(divat),
                note=_SELF_PLAY_OTHER,
            ),
            beside(
                f"variance reduction, judged by {JUDGE.name}",
                SELF_PLAY.variance_reduction,
                reduction(money, divat),
                note=_SELF_PLAY_OTHER,
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


# Two players in duplicate: each deal is played twice, the second time with the seats exchanged.
#
# The source's players were two game-theoretic bots, PsOpti4 and PsOpti6; ours are a tight and a
# loose baseline, on the cards of the match between Always-Call and Always-Raise.


DUPLICATE_PLAYERS = (
    "baseline:conservative-medium,tight-medium",
    "baseline:aggressive-medium,loose-medium",
)
NAMES = ("the tight baseline", "the loose one")

_DUPLICATE_OTHER = "Other players; the source's were PsOpti4 and PsOpti6."


def duplicate(workspace: Workspace) -> ExperimentResult:
    """Play the match and analyse each direction and the pairs."""
    match = workspace.match(*DUPLICATE_PLAYERS, workspace.hands(LONG), seating=Seating.DUPLICATE)
    scores = workspace.scores(workspace.play(match))
    ways = directions(scores)
    pairs = pl.DataFrame({name: (ways[0][name] + ways[1][name]) / 2 for name in ("money", "divat")})
    rows: list[Row] = []
    for hands, printed in zip(ways, DUPLICATE, strict=True):
        rows += _direction_rows(hands, printed)
    rows += _pair_rows(pairs)
    return ExperimentResult(
        hands=match.hands,
        rows=tuple(rows),
        drawings=_duplicate_drawings(
            ways, pairs, f"{NAMES[0]} against {NAMES[1]}, seed {workspace.seed}"
        ),
    )


def directions(scores: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Split a duplicate match into its two directions, each in the order of the deals.

    The first player begins in seat 0 and changes seats from deal to deal (`Match.seatings`).
    """
    direction = (pl.col("number") + pl.col("seat").cast(pl.Int64)) % 2
    first, second = (scores.filter(direction == way).sort("number") for way in range(2))
    return first, second


def _direction_rows(hands: pl.DataFrame, printed: Direction) -> tuple[Row, ...]:
    money, divat = money_and_divat(hands)
    direction = f"direction {printed.letter}"
    return (
        beside(f"money, {direction}", printed.money, estimate(money), note=_DUPLICATE_OTHER),
        beside(f"DIVAT, {direction}", printed.divat, estimate(divat), note=_DUPLICATE_OTHER),
        zero(f"money less DIVAT, paired, {direction}", paired_difference(money, divat)),
        beside(f"money sd, {direction}", printed.money_sd, sd(money), note=_DUPLICATE_OTHER),
        beside(f"DIVAT sd, {direction}", printed.divat_sd, sd(divat), note=_DUPLICATE_OTHER),
        beside(
            f"variance reduction, {direction}",
            DUPLICATE_VARIANCE_REDUCTION,
            reduction(money, divat),
            note=_DUPLICATE_OTHER,
        ),
    )


def _pair_rows(pairs: pl.DataFrame) -> tuple[Row, ...]:
    money, divat = money_and_divat(pairs)
    gain = reduction(money, divat)
    return (
        measured("money, pairs averaged", estimate(money)),
        measured("DIVAT, pairs averaged", estimate(divat)),
        zero("money less DIVAT, paired, pairs averaged", paired_difference(money, divat)),
        beside(
            "money sd, pairs averaged", DUPLICATE_PAIRS_MONEY_SD, sd(money), note=_DUPLICATE_OTHER
        ),
        beside(
            "DIVAT sd, pairs averaged", DUPLICATE_PAIRS_DIVAT_SD, sd(divat), note=_DUPLICATE_OTHER
        ),
        must_exceed(
            1,
            "variance of duplicate money over that of duplicate DIVAT",
            gain,
            note="Both together are the strongest estimate; the source's spreads give 1.95.",
            sigmas=SIGMAS,
        ),
    )


def _duplicate_drawings(
    ways: tuple[pl.DataFrame, pl.DataFrame], pairs: pl.DataFrame, subtitle: str
) -> tuple[Drawing, ...]:
    one_way = tuple(
        running_sums(
            f"direction-{letter}",
            f"Figure 4.6 {letter}: one direction of the duplicate match",
            hands,
            player=NAMES[0],
            subtitle=f"{subtitle}, {hands.height:,} hands",
            note="Both directions are the same deals, with the seats exchanged.",
        )
        for hands, (letter, *_) in zip(ways, DUPLICATE, strict=True)
    )
    averaged = running_sums(
        "pairs",
        "Figure 4.7: the two plays of each deal averaged",
        pairs,
        player=NAMES[0],
        subtitle=f"{subtitle}, {pairs.height:,} pairs",
        counted="pairs",
        note="The luck of the deal cancels in the money too.",
    )
    return (*one_way, averaged)


# A long match of a player who does anything, to check that DIVAT has no bias.
#
# `random` leaves the baseline in nearly every round, so any bias would show. Nothing comparable was
# published; the claim is the source's theorem.


UNBIASED_PLAYERS = ("random", "baseline")
HANDS = 1_000_000


def unbiased(workspace: Workspace) -> ExperimentResult:
    """Play and score the match."""
    match = workspace.match(*UNBIASED_PLAYERS, workspace.hands(HANDS))
    scores = workspace.scores(workspace.play(match))
    money, divat = money_and_divat(scores)
    player, opponent = UNBIASED_PLAYERS
    subtitle = f"{player} against {opponent}, {match.hands:,} hands, seed {workspace.seed}"
    return ExperimentResult(
        hands=match.hands,
        rows=(
            measured(f"money of {player}", estimate(money)),
            measured(f"DIVAT of {player}", estimate(divat)),
            zero(
                "money less DIVAT, paired",
                paired_difference(money, divat),
                note="Both have the same mean; in one hand they differ by luck and position.",
            ),
            zero(
                "Dcash less the value of position",
                estimate(scores["dcash"].to_numpy() - scores["position"].to_numpy()),
                note="The source calls Dcash biased, since a fold ends it early. It is a stopped "
                "martingale, so its mean is its initial value.",
            ),
            measured("money sd", sd(money)),
            measured("DIVAT sd", sd(divat)),
            measured(
                "variance reduction",
                reduction(money, divat),
                note="Small: the baseline is a poor guess of how such a player goes on.",
            ),
        ),
        drawings=(
            running_sums(
                "unbiased",
                "Money and DIVAT of a player who does anything",
                scores,
                player=player,
                subtitle=subtitle,
                note="The lines have one slope.",
            ),
            running_sums(
                "unbiased-rest",
                "What cards and seats brought",
                scores.select(rest=pl.col("money") - pl.col("divat")),
                player=player,
                subtitle=subtitle,
                note="Without a bias this is a walk without drift, two times in three within the "
                "curves.",
            ),
        ),
    )
