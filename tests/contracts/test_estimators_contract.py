"""One suite for all estimators of hands: each values the rows of its forms, with what is promised.

What is promised is `Estimator.values`; one written by that sentence alone is among them.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

from helpers.random_records import random_hand
from railbird.assessment import (
    ESTIMATORS,
    Assessment,
    ColumnEstimator,
    EstimatorKind,
    Form,
    assess,
    assess_table,
)
from railbird.assessment.any_table import rake_by_seat
from railbird.assessment.decision_divat import baseline_for
from railbird.assessment.estimator import CardsNeeded, Scoring
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT, Rules
from railbird.histories import HandRecord
from railbird.histories.columns import batch_of

PROMISED: Final = {
    Form.MATCH: {"money", "rake", "other_rake"},
    Form.TABLE: {"money", "rake", "row", "deal", "player", "seat"},
}
"""Columns by form, as `Estimator.values` has them."""


def _hands(rules: Rules, *, hidden: bool = False, raked: bool = False) -> list[HandRecord]:
    rng = np.random.default_rng(20)
    records = [
        random_hand(rng, rules=rules, players=("Bob", "Ann") if i % 2 else ("Ann", "Bob"), number=i)
        for i in range(24)
    ]
    if hidden:
        records = [replace(one, holes=(None, one.holes[1])) for one in records[:12]] + records[12:]
    return [_raked(one) for one in records] if raked else records


def _raked(record: HandRecord) -> HandRecord:
    """Take a chip of each winner."""
    paid = tuple(Fraction(amount) - (amount > 0) for amount in record.payoffs)
    return replace(record, payoffs=paid)


LOGS: Final = {
    f"{name}{'-hidden' * hidden}{'-raked' * raked}": _hands(rules, hidden=hidden, raked=raked)
    for name, rules in (("limit", HEADS_UP_LIMIT), ("no-limit", HEADS_UP_NO_LIMIT))
    for hidden in (False, True)
    for raked in (False, True)
}


def by_the_manual(form: Form) -> ColumnEstimator:
    """Return an estimator that uses every promised column."""
    columns = [pl.col(name).cast(pl.Float64) for name in sorted(PROMISED[form])]
    return ColumnEstimator(
        name="promised",
        title="By the manual",
        kind=EstimatorKind.PLAY,
        meaning="a sum",
        assumes="Nothing.",
        forms=form,
        cards=CardsNeeded.NONE,
        value=pl.sum_horizontal(columns, ignore_nulls=False),
        other=-pl.sum_horizontal(columns, ignore_nulls=False),
    )


@pytest.mark.parametrize(
    ("form", "log"),
    [
        *((Form.TABLE, log) for log in LOGS),
        *((Form.MATCH, log) for log in LOGS if LOGS[log][0].rules == HEADS_UP_LIMIT),
    ],
)
def test_every_estimator_values_the_rows_that_it_is_promised(
    form: Form, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = LOGS[log]
    manual = by_the_manual(form)
    monkeypatch.setattr("railbird.assessment.registry.ESTIMATORS", [*ESTIMATORS, manual])
    found: Assessment[Any]
    if form is Form.MATCH:
        found = assess(records)
        rows = found.scores
    else:
        found = assess_table(records, boards=4)
        rows = found.form.every
    assert rows.height == len(records) * (1 if form is Form.MATCH else 2)
    assert rows.select(sorted(PROMISED[form])).null_count().sum_horizontal().item() == 0
    for one in found.estimators:
        some = rows if one.cards is not CardsNeeded.ALL else found.scores
        how = Scoring(policies=(baseline_for(records[0].rules),))
        assert len(one.values(some, how)) == some.height, one.name
    assert set(found.players) == {"Ann", "Bob"}
    for player in found.players:
        assert found.estimates[player]["promised"].n == len(records)


@pytest.mark.parametrize("log", LOGS)
def test_rake_is_that_of_the_winner(log: str) -> None:
    """With all cards known or not: nothing without rake, else the winner's."""
    records = LOGS[log]
    rows = assess_table(records, boards=4).to_polars().sort("row", "seat")
    by_hand = rows.partition_by("row", maintain_order=True)
    for record, part in zip(records, by_hand, strict=True):
        raked = float(-sum(record.payoffs)) / record.rules.chips_per_unit
        assert part["rake"].sum() == pytest.approx(raked, abs=1e-9)
        if len({*record.payoffs}) == 2:
            winner = record.players[record.payoffs.index(max(record.payoffs))]
            mine = part.filter(pl.col("player") == winner)["rake"].item()
            assert mine == pytest.approx(raked, abs=1e-9)


def test_rake_that_takes_all_is_that_of_who_lost_least() -> None:
    """One of two wins; both lose to the house as much; one loses more than the other."""
    batch = batch_of([LOGS["no-limit"][0]] * 3)
    payoff = np.array([[-6, 2], [-1, -1], [-3, -1]]) * batch.parts[:, None]
    unit = batch.rules[0].chips_per_unit
    rake = rake_by_seat(replace(batch, payoff=payoff)) * unit
    assert rake.tolist() == [[0.0, 4.0], [1.0, 1.0], [0.0, 4.0]]
