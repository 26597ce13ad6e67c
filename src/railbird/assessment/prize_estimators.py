"""Estimators of tournaments: one value for each tournament and player, in prize money.

`own_side` has those of single hands from one side's cards.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from railbird.assessment.estimator import CardsNeeded, ColumnEstimator, Contest, EstimatorKind

PRIZE: Final = ColumnEstimator(
    name="prize",
    title="Prize",
    kind=EstimatorKind.UNBIASED,
    meaning="the prize money won, before the entry fee",
    assumes="Nothing but that the tournaments are a representative sample.",
    forms=Contest.TOURNAMENT,
    cards=CardsNeeded.NONE,
)

PRIZE_LESS_LUCK: Final = ColumnEstimator(
    name="prize_less_luck",
    title="Prize less luck",
    kind=EstimatorKind.UNBIASED,
    meaning="the prize money less the luck of the all-ins",
    assumes=(
        "Nothing of the players or of the independent chip model: the luck of cards to come has "
        "mean zero whatever a stack is worth; a good model makes the interval narrower."
    ),
    forms=Contest.TOURNAMENT,
    value=pl.col("prize") - pl.col("prize_luck"),
)

PRIZE_LUCK: Final = ColumnEstimator(
    name="prize_luck",
    title="Luck of all-ins",
    kind=EstimatorKind.LUCK,
    meaning="prize equity after the boards of all-ins less its mean over all boards",
    assumes="That stacks are worth their equity by the independent chip model.",
    forms=Contest.TOURNAMENT,
    listed=False,
)

BY_PRIZES: Final = (PRIZE, PRIZE_LESS_LUCK, PRIZE_LUCK)
