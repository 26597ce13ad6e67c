"""Estimators of heads-up limit, all computed in one pass of one kernel.

They work by rounds, as in the source (Kan 2007, chapters 3 to 6): each round as played is compared
with the baseline's play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from railbird.assessment.batch import Batch, is_heads_up_limit, lay_out
from railbird.assessment.divat._kernels_divat import STREETS, Scores
from railbird.assessment.estimator import (
    OTHERS_MONEY,
    ColumnEstimator,
    Columns,
    Floats,
    Form,
    Kind,
    Scoring,
)
from railbird.game import Rules, Street
from railbird.histories.columns import HandBatch

ROUNDS: Final = tuple(street.name.lower() for street in Street)


@dataclass(frozen=True, slots=True)
class LimitScores:
    """A batch in small bets, and its scores under each of the settings."""

    batch: Batch
    scores: tuple[Scores, ...]


def limit_scores(hands: HandBatch, how: Scoring) -> LimitScores:
    """Run the kernel, once per batch."""

    def score() -> LimitScores:
        batch = lay_out(hands)
        return LimitScores(batch, tuple(scorer.score(batch) for scorer in how.scorers))

    return how.once("heads-up limit", score)


def _columns(hands: HandBatch, how: Scoring) -> Columns:
    """Fill the columns of all estimators of this module, (n, 2)."""
    return how.once("columns of heads-up limit", partial(_both_sides, hands, how))


def _both_sides(hands: HandBatch, how: Scoring) -> Columns:
    scored = limit_scores(hands, how)
    of_settings = [
        _of_player_1(scored.batch, scores, scorer.position.value)
        for scores, scorer in zip(scored.scores, how.scorers, strict=True)
    ]
    amounts = {name: np.mean([one[name] for one in of_settings], axis=0) for name in of_settings[0]}
    redgreen = np.stack([amounts.pop("redgreen_1"), amounts.pop("redgreen_2")], axis=1)
    sides = np.array([1.0, -1.0])
    return {name: amount[:, None] * sides for name, amount in amounts.items()} | {
        "redgreen": redgreen
    }


def _of_player_1(batch: Batch, scores: Scores, position: float) -> dict[str, Floats]:
    """Name a batch's scores, (n,) each, for the big blind; nan where cards are unknown."""
    difference = scores.actual - scores.baseline
    before = np.concatenate(
        [np.full((len(batch.money), 1), position), scores.actual[:, : STREETS - 1]], axis=1
    )
    luck = scores.baseline - before
    unknown = np.where(batch.known, 0.0, np.nan)
    by_street = {
        f"{what}_{name}": np.nan_to_num(values[:, street]) + unknown
        for what, values in (("divat", difference), ("luck", luck))
        for street, name in enumerate(ROUNDS)
    }
    divat = np.nansum(difference, axis=1)
    return {
        "divat": np.where(batch.known, divat, batch.money),
        **by_street,
        "position": position + unknown,
        "aie": np.nansum(scores.aie_actual - scores.aie_baseline, axis=1) + unknown,
        "dcash": scores.dcash,
        "redgreen_1": _credit(difference, scores.first_deviator == 0) + unknown,
        "redgreen_2": _credit(-difference, scores.first_deviator == 1) + unknown,
        "evat": scores.evat[:, 0] - scores.evat[:, 1],
        "lfat": np.nansum(scores.lfat, axis=1) + unknown,
    }


def _credit(difference: Floats, deviated: npt.NDArray[np.bool_]) -> Floats:
    """Sum the rounds in which a player was the first to leave the baseline."""
    credit: Floats = np.nansum(np.where(deviated, difference, 0.0), axis=1)
    return credit


def _why_not(rules: Rules) -> str | None:
    return None if is_heads_up_limit(rules) else "for heads-up limit hold'em alone"


_ByRounds = partial(ColumnEstimator, forms=Form.MATCH, fill=_columns, why_not=_why_not)

BY_ROUNDS: Final = (
    _ByRounds(
        name="divat",
        title="DIVAT",
        kind=Kind.UNBIASED,
        meaning="value of the bets made less value of the baseline's bets",
        assumes="All cards are known; nothing is assumed of how anybody plays.",
        in_crosstable=True,
    ),
    _ByRounds(
        name="money_minus_dcash",
        title="Money − Dcash",
        kind=Kind.UNBIASED,
        meaning="money less the baseline's money",
        assumes="All cards are known; nothing is assumed of how anybody plays.",
        value=pl.col("money") - pl.col("dcash"),
        other=OTHERS_MONEY + pl.col("dcash"),
    ),
    _ByRounds(
        name="aie",
        title="AIE (biased)",
        kind=Kind.BIASED,
        meaning="DIVAT with the share of the pot for the value; biased, for the pot does not stay "
        "as it is",
        assumes="No money goes in after the round, which is seldom so.",
    ),
    _ByRounds(
        name="redgreen",
        title="RedGreen",
        kind=Kind.PLAY,
        meaning="rounds in which this player was the first to leave the baseline",
        assumes="Who leaves the baseline first answers for the round.",
        # Each player has an account of his own; together they make the difference.
        other=pl.col("redgreen") - pl.col("divat"),
    ),
    _ByRounds(
        name="evat",
        title="EVAT",
        kind=Kind.PLAY,
        meaning="losses against the best actions had all cards been seen, the opponent's less "
        "one's own",
        assumes="The best action is judged by all cards, which no player sees.",
    ),
    _ByRounds(
        name="dcash",
        title="Dcash",
        kind=Kind.LUCK,
        meaning="what two baseline players would have won",
        assumes="All cards are known, also those never dealt: their mean stands for them.",
    ),
    _ByRounds(
        name="lfat",
        title="LFAT",
        kind=Kind.LUCK,
        meaning="change of the pot share when cards fall",
        assumes="The pot stays as it is when the cards fall.",
    ),
    _ByRounds(
        name="luck",
        title="Luck",
        kind=Kind.LUCK,
        meaning="change of value when cards fall",
        assumes="Values are those of the baseline's play.",
        value=pl.sum_horizontal((f"luck_{name}" for name in ROUNDS), ignore_nulls=False),
    ),
    _ByRounds(
        name="position",
        title="Position",
        kind=Kind.LUCK,
        meaning="what the seats are worth",
        assumes="Values are those of the baseline's play.",
    ),
)
