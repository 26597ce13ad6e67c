"""One person's play as one number: what counts, its bounds, and when there is no verdict."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from railbird.assessment.graded_decisions import Grade
from railbird.assessment.play_rating import lost_by


def decisions(rows: list[tuple[str | None, float | None, float | None, float]]) -> pl.DataFrame:
    """A row for each grade, least cost, greatest cost and pot; without a grade nothing judges."""
    return pl.DataFrame(
        {
            "grade": [grade or Grade.UNKNOWN.value for grade, *_ in rows],
            "by": [None if grade is None else "solution" for grade, *_ in rows],
            "cost_low": [low for _, low, _, _ in rows],
            "cost_high": [high for _, _, high, _ in rows],
            "pot": [pot for *_, pot in rows],
        },
        schema_overrides={"by": pl.String, "cost_low": pl.Float64, "cost_high": pl.Float64},
    )


def test_the_mean_is_of_what_is_judged_in_thousandths() -> None:
    lost = lost_by(
        decisions(
            [
                ("good", 0.0, 0.1, 10.0),
                ("mistake", 0.5, 0.7, 10.0),
                ("mistake", 2.0, 2.2, 10.0),
                ("close", 0.0, 0.5, 10.0),
                ("unknown", 0.0, 4.0, 10.0),
                (None, None, None, 10.0),
            ]
        )
    )
    assert (lost.decisions, lost.bounded, lost.judged) == (6, 5, 4)
    assert lost.judged_share == pytest.approx(4 / 6)
    assert lost.value == pytest.approx(1000 * (0.05 + 0.6 + 2.1 + 0.25 + 2.0) / 5)
    counts = (lost.good, lost.close, lost.mistakes, lost.blunders, lost.unknown)
    assert counts == (1, 1, 2, 1, 1)  # the second mistake costs more than a tenth of the pot
    assert (lost.low, lost.high) == (0.0, np.inf)  # too few for an interval
    assert lost.as_json()["ev_lost_mbb"]["high"] is None


def test_the_interval_goes_from_the_least_to_the_most() -> None:
    rng = np.random.default_rng(36)
    costs = rng.exponential(0.2, 400)
    wide = lost_by(decisions([("mistake", cost, cost + 1.0, 5.0) for cost in costs]))
    narrow = lost_by(decisions([("mistake", cost, cost, 5.0) for cost in costs]))
    assert narrow.low < 1000 * costs.mean() < narrow.high
    assert narrow.value == pytest.approx(1000 * costs.mean())
    assert wide.low == pytest.approx(narrow.low)
    assert wide.high > 1000 * costs.mean() + 1000


def test_the_interval_covers_the_mean() -> None:
    """Of 300 samples of decisions that are mostly right, all but about one in twenty."""
    rng = np.random.default_rng(7)
    inside = 0
    for _ in range(300):
        costs = np.where(rng.random(500) < 0.2, rng.exponential(1.0, 500), 0.0)
        lost = lost_by(decisions([("good", cost, cost, 5.0) for cost in costs]))
        inside += lost.low <= 200 <= lost.high
    assert 276 <= inside <= 297


@pytest.mark.parametrize("rows", [[], [(None, None, None, 1.0)]], ids=["empty", "unjudged"])
def test_nothing_judged_has_no_number(rows: list[Any]) -> None:
    lost = lost_by(decisions(rows))
    assert lost.judged_share == 0
    assert lost.as_json()["ev_lost_mbb"] == {"value": None, "low": None, "high": None}


def test_the_middle_of_bounds_that_say_little_is_no_number() -> None:
    """The interval stands, wherever the number would be read from: JSON and data frame too."""
    good: tuple[str | None, float | None, float | None, float] = ("good", 0.0, 0.1, 10.0)
    rows = [good] * 49 + [("unknown", 0.0, 20.0, 10.0)] * 51
    lost = lost_by(decisions(rows))
    assert (lost.judged, lost.bounded, lost.decisions) == (49, 100, 100)
    assert lost.as_json()["ev_lost_mbb"]["value"] is None
    assert lost.high > 1000 * 0.51 * 20
    half = lost_by(decisions([*rows, good, good]))
    assert half.judged_share == 0.5
    assert half.value == pytest.approx(1000 * (51 * 0.05 + 51 * 10.0) / 102)
    chosen = lost_by(decisions([*rows, good, good]), is_chosen=True)
    assert np.isnan(chosen.value)
    assert (chosen.low, chosen.high) == (half.low, half.high)
