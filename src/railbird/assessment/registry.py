"""The list of estimators, of any game, behind terminal, JSON, reports, crosstables and help.

To add an estimator, add a line here and a module; see `railbird.assessment.estimator`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from railbird.assessment.divat.any_game_estimators import BY_DECISIONS, MIVAT
from railbird.assessment.divat.estimators import BY_ROUNDS
from railbird.assessment.estimator import (
    OTHERS_MONEY,
    CardsNeeded,
    ColumnEstimator,
    Columns,
    Contest,
    Estimator,
    EstimatorKind,
    Scoring,
)
from railbird.assessment.own_side import BY_OWN_CARDS
from railbird.assessment.prize_estimators import BY_PRIZES
from railbird.game import Rules
from railbird.histories.columns import HandBatch

MONEY: Final = ColumnEstimator(
    name="money",
    title="Money",
    kind=EstimatorKind.UNBIASED,
    meaning="the chips won, after rake",
    assumes="Nothing but that the hands are a representative sample.",
    forms=Contest.MATCH | Contest.TABLE,
    cards=CardsNeeded.NONE,
    in_crosstable=True,
    other=OTHERS_MONEY,
)

ESTIMATORS: Final[list[Estimator]] = [
    MONEY,
    *BY_OWN_CARDS,
    *BY_ROUNDS,
    *BY_DECISIONS,
    MIVAT,
    *BY_PRIZES,
]
"""In the order of every table."""


def estimators_of(form: Contest) -> tuple[Estimator, ...]:
    """Return the estimators of a kind of assessment."""
    return tuple(estimator for estimator in ESTIMATORS if form in estimator.forms)


def estimator_named(form: Contest, name: str) -> Estimator:
    """Return an estimator of a kind of assessment by name."""
    return next(estimator for estimator in estimators_of(form) if estimator.name == name)


def names_of(form: Contest) -> tuple[str, ...]:
    """Return the names of the estimators of a kind of assessment."""
    return tuple(estimator.name for estimator in estimators_of(form))


def fitting(estimators: Iterable[Estimator], rules: Sequence[Rules]) -> tuple[Estimator, ...]:
    """Return the estimators that can score hands under at least one of the rules."""
    return tuple(
        estimator
        for estimator in estimators
        if any(estimator.needs(ruleset) is None for ruleset in rules)
    )


def fill(estimators: Iterable[Estimator], batch: HandBatch, how: Scoring) -> Columns:
    """Fill the columns of a batch by several estimators; nan where one cannot score a hand."""
    columns: Columns = {}
    for estimator in estimators:
        can = np.array([estimator.needs(rules) is None for rules in batch.rules], dtype=np.bool_)
        if can.all():
            columns.update(estimator.score(batch, how))
            continue
        rows = can[batch.rules_of]
        part = estimator.score(batch.rows(rows), replace(how, results={}))
        for name, values in part.items():
            # Another estimator may have filled it, for other hands too.
            if name not in columns:
                columns[name] = np.full(batch.player.shape, np.nan)
            columns[name][rows] = values
    return columns
