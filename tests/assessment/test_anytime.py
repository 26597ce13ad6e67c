"""Intervals of a match that hold at any time."""

from __future__ import annotations

import pytest

from railbird.arena import Match, Seating, play
from railbird.assessment import assess
from railbird.assessment.anytime import anytime_intervals
from railbird.game import HEADS_UP_LIMIT
from railbird.report.match.terminal import anytime_table


def test_of_a_match_played_twice_a_deal_is_one_value() -> None:
    match = Match(
        players=("baseline", "baseline:loose-high"),
        rules=HEADS_UP_LIMIT,
        deals=600,
        seed=2,
        seating=Seating.DUPLICATE,
    )
    found = assess(play(match, keep=True), player="baseline")
    rows = {row.name: row for row in anytime_intervals(found)}
    assert set(rows) == {"money", "divat", "money_minus_dcash"}, "fitted looks at all hands"
    money, divat = rows["money"], rows["divat"]
    assert money.asymptotic.n == 600
    assert money.asymptotic.value == pytest.approx(found.estimates["baseline"]["money"].value)
    assert money.asymptotic.half_width > 1.3 * 1.96 * found.estimates["baseline"]["money"].stderr
    assert money.bound == 24
    assert money.certain is not None
    assert money.certain.half_width > money.asymptotic.half_width
    assert divat.bound == 192
    assert rows["money_minus_dcash"].certain is None
    assert [row.name for row in anytime_intervals(found, ["divat"])] == ["divat"]
    anytime_table(list(rows.values()), "baseline")
