"""MIVAT: money less the luck of both values, with frozen coefficients."""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from railbird.assessment.control_variate import corrected
from railbird.assessment.decision_divat.estimators import (
    baseline_values,
    call_down_values,
    unit_chips,
)
from railbird.assessment.estimator import Cards, ColumnEstimator, Columns, Form, Kind, Scoring
from railbird.assessment.mivat.frozen import form_name, frozen_forms
from railbird.game import Rules
from railbird.histories.columns import HandBatch

IN_THE_FIT: Final = "in_the_fit"
_CHANCE: Final = 0.01
"""Share of hands that may be those of a fit by chance: few cards tell preflop folds apart."""


def _columns(batch: HandBatch, how: Scoring) -> Columns:
    """Fill the value, and whether a hand was in the fit."""
    luck = np.concatenate(
        [call_down_values(batch, how).luck, baseline_values(batch, how).luck], axis=2
    )
    values = batch.chips / unit_chips(batch)[:, None]
    inside = np.zeros(batch.player.shape)
    for place, rules in enumerate(batch.rules):
        rows = batch.rules_of == place
        if not rows.any():
            continue
        frozen = frozen_forms()[rules.betting, rules.seats]
        values[rows] = corrected(values[rows], luck[rows], frozen.luck)
        inside[rows] = frozen.holds(batch.rows(rows))[:, None]
    return {"mivat": values, IN_THE_FIT: inside}


def _why_not(rules: Rules) -> str | None:
    if (rules.betting, rules.seats) in frozen_forms():
        return None
    known = ", ".join(form.name for form in frozen_forms().values())
    form = form_name(rules.betting, rules.seats)
    return f"no coefficients were fitted for {form}; there are those for {known}"


MIVAT: Final = ColumnEstimator(
    name="mivat",
    title="MIVAT",
    kind=Kind.UNBIASED,
    meaning="money less luck, at coefficients that were fitted on other matches and frozen",
    assumes="All cards are known; the hands are none of those that it was fitted on.",
    forms=Form.TABLE,
    cards=Cards.ALL,
    listed=False,
    fill=_columns,
    value=pl.when(pl.col(IN_THE_FIT).mean() <= _CHANCE).then(pl.col("mivat")),
    why_not=_why_not,
)
