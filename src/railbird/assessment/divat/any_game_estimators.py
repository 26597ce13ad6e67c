"""Estimators for any hold'em with all cards known: DIVAT by decisions, and money minus luck.

`divat.estimators` has the estimators for heads-up limit.

Two policies give values: A calls down, B is the baseline. Both are evaluated once per batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from railbird._arrays import Floats
from railbird.assessment.control_variates import (
    CARD_EVENTS,
    CoefficientPrior,
    FittedValues,
    corrected,
    fit_of_match,
    taken_by_event,
)
from railbird.assessment.divat.any_game import (
    CALL_DOWN,
    HandValueChanges,
    ValuePolicy,
    baseline_for,
    position_of,
    values_of,
)
from railbird.assessment.estimator import (
    CardsNeeded,
    ColumnEstimator,
    Columns,
    Contest,
    EstimatorKind,
    Scoring,
)
from railbird.assessment.frozen_coefficients import (
    IN_THE_FIT,
    NOT_IN_THE_FIT,
    form_name,
    frozen_for,
    frozen_forms,
)
from railbird.game import Betting, Rules
from railbird.histories.columns import HandBatch

LUCK: Final = tuple(f"luck_{name}" for name in CARD_EVENTS)
"""Columns of luck by the baseline's values; with the prefix ``call_``, by calling down."""
CALL_LUCK: Final = tuple(f"call_{name}" for name in LUCK)


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyValues:
    """A batch's values by one policy, or the means of several, with their luck."""

    values: HandValueChanges
    position: Floats
    """(n, S) chips."""
    luck: Floats
    """(n, S, 4) luck of the deal and of each street, in the unit of the game."""


def baseline_values(batch: HandBatch, how: Scoring) -> PolicyValues:
    """Return the values of the baseline, B, or their means, computed once per batch."""
    return how.once("baseline", partial(_mean_values, batch, how))


def call_down_values(batch: HandBatch, how: Scoring) -> PolicyValues:
    """Return the values of calling down, A, computed once per batch."""
    return how.once("call-down", partial(_values, batch, CALL_DOWN, how))


def unit_chips(batch: HandBatch) -> Floats:
    """Return the chips of a small bet in limit, of a big blind elsewhere, by hand (n,)."""
    chips = [rules.chips_per_unit for rules in batch.rules]
    by_hand: Floats = np.array(chips, dtype=np.float64)[batch.rules_of]
    return by_hand


def _mean_values(batch: HandBatch, how: Scoring) -> PolicyValues:
    """Return means over policies, for which money is position + luck + decisions as well."""
    policies = how.policies or (baseline_for(batch.rules[0]),)
    first, *more = (_values(batch, policy, how) for policy in policies)
    if not more:
        return first
    every = [first, *more]
    return PolicyValues(
        values=HandValueChanges(
            deal=np.mean([of_policy.values.deal for of_policy in every], axis=0),
            luck=np.mean([of_policy.values.luck for of_policy in every], axis=0),
            decisions=np.mean([of_policy.values.decisions for of_policy in every], axis=0),
            # Actions have no mean, so those of the first policy stand for all.
            expected=first.values.expected,
        ),
        position=np.mean([of_policy.position for of_policy in every], axis=0),
        luck=np.mean([of_policy.luck for of_policy in every], axis=0),
    )


def _values(batch: HandBatch, policy: ValuePolicy, how: Scoring) -> PolicyValues:
    values = values_of(batch, policy, seed=how.seed, first=how.first, boards=how.boards)
    positions = np.zeros((len(batch.rules), batch.player.shape[1]))
    for row, rules in zip(positions, batch.rules, strict=True):
        by_seat = position_of(rules, policy, deals=how.position_deals, seed=how.seed)
        row[: rules.seats] = by_seat.mean
    position = positions[batch.rules_of]
    events = [values.deal - position, *values.luck.transpose(1, 0, 2)]
    return PolicyValues(
        values=values,
        position=position,
        luck=np.stack(events, axis=2) / unit_chips(batch)[:, None, None],
    )


def _baseline_columns(batch: HandBatch, how: Scoring) -> Columns:
    return how.once("columns of the baseline", partial(_decisions, batch, how))


def _decisions(batch: HandBatch, how: Scoring) -> Columns:
    scored, units = baseline_values(batch, how), unit_chips(batch)[:, None]
    # Indices: hand, who acted, whom it changed something for. The diagonal is what players'
    # decisions changed for themselves.
    by_seat = np.zeros((*batch.player.shape, batch.player.shape[1]))
    acts = (batch.hand_of, batch.answers.seat)
    np.add.at(by_seat, acts, scored.values.decisions / units[batch.hand_of])
    own, total = np.einsum("nii->ni", by_seat), by_seat.sum(axis=1)
    gross = scored.values.deal + scored.values.luck.sum(axis=1) + total * units
    money = batch.chips / units
    return {
        "rake": gross / units - money,
        "position": scored.position / units,
        **{name: scored.luck[..., k] for k, name in enumerate(LUCK)},
        "own": own,
        "others": total - own,
        "divat": corrected(money, scored.luck),
    }


def _call_columns(batch: HandBatch, how: Scoring) -> Columns:
    luck = call_down_values(batch, how).luck
    money = batch.chips / unit_chips(batch)[:, None]
    columns = {name: luck[..., k] for k, name in enumerate(CALL_LUCK)}
    return columns | {"call_down": corrected(money, luck)}


class Fitted:
    """Money minus the luck by both values, with coefficients from other hands."""

    name = "fitted"
    title = "Fitted"
    kind = EstimatorKind.UNBIASED
    meaning = "money less luck, at the coefficients that other hands give it"
    assumes = "All cards are known; hands of different deals do not depend on each other."
    forms = Contest.TABLE
    cards = CardsNeeded.ALL
    listed = True
    in_crosstable = False

    def needs(self, rules: Rules) -> str | None:
        """Return None: any hold'em can be scored."""
        return None

    def score(self, batch: HandBatch, how: Scoring) -> Columns:
        """Fill the luck of both values."""
        return _call_columns(batch, how) | _baseline_columns(batch, how)

    def fit(self, rows: pl.DataFrame, how: Scoring) -> FittedValues:
        """Fit the coefficients of a match, once; ``rows`` has those of all its hands."""
        return how.once("fit", partial(_fit, rows, how))

    def luck_taken(self, rows: pl.DataFrame, how: Scoring) -> pl.DataFrame:
        """Return the luck of every row by event, at coefficients fixed before the match.

        Its mean is zero in a complete log; see `taken_by_event`.
        """
        return taken_by_event(rows.select(*CALL_LUCK, *LUCK).to_numpy(), _prior(rows, how).mean)

    def luck_fitted(self, rows: pl.DataFrame, how: Scoring) -> pl.DataFrame:
        """Return the luck that `values` subtracts from every row, by event (`taken_by_event`)."""
        fit = self.fit(rows, how)
        luck = rows.select(*CALL_LUCK, *LUCK).to_numpy()
        return taken_by_event(luck, fit.coefficients[fit.part])

    def values(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row, (rows,)."""
        # Rake is not luck.
        return pl.Series(self.name, self.fit(rows, how).values - rows["rake"].to_numpy())

    def others(self, rows: pl.DataFrame, how: Scoring) -> pl.Series:
        """Value every row for the other player."""
        return -self.values(rows, how)


def _prior(rows: pl.DataFrame, how: Scoring) -> CoefficientPrior:
    if IN_THE_FIT not in rows:  # rows of another form of contest
        rows = rows.with_columns(pl.lit(0.0).alias(IN_THE_FIT))
    return (how.frozen or frozen_for(Betting.NO_LIMIT, 2)).prior(rows)


def _fit(rows: pl.DataFrame, how: Scoring) -> FittedValues:
    return fit_of_match(
        (rows["money"] + rows["rake"]).to_numpy(),
        rows.select(*CALL_LUCK, *LUCK).to_numpy(),
        rows["deal"].to_numpy(),
        _prior(rows, how),
        forward=how.forward,
        seed=how.seed,
    )


FITTED: Final = Fitted()

BY_DECISIONS: Final = (
    ColumnEstimator(
        name="divat",
        title="DIVAT",
        kind=EstimatorKind.UNBIASED,
        meaning="the value of the position and of all decisions at the table, without the luck of "
        "the cards",
        assumes="All cards are known; nothing is assumed of how anybody plays.",
        forms=Contest.TABLE,
        fill=_baseline_columns,
    ),
    ColumnEstimator(
        name="call_down",
        title="Call-down",
        kind=EstimatorKind.UNBIASED,
        meaning="DIVAT by the value of a hand in which everybody only calls from there on",
        assumes="All cards are known; nothing is assumed of how anybody plays.",
        forms=Contest.TABLE,
        listed=False,
        fill=_call_columns,
    ),
    FITTED,
)


# MIVAT: money minus the luck by both values, with frozen coefficients.


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
    kind=EstimatorKind.UNBIASED,
    meaning="money less luck, at coefficients that were fitted on other matches and frozen",
    assumes="All cards are known; the hands are none of those that it was fitted on.",
    forms=Contest.TABLE,
    cards=CardsNeeded.ALL,
    listed=False,
    fill=_columns,
    value=pl.when(NOT_IN_THE_FIT).then(pl.col("mivat")),
    why_not=_why_not,
)
