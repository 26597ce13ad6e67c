"""The course of a match: slopes by stretch, and where the play changed if it did."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.assessment.change_of_play import changes_of_play, holm

HANDS = 4_000


def results(at: int, by: float, *, seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed).normal(scale=2.0, size=HANDS)
    values[at:] += by
    return values


def test_a_change_is_found_where_it_was_and_told_from_none() -> None:
    found = changes_of_play(
        {"learner": (results(2_500, 0.8), None), "steady": (results(0, 0.0, seed=9), None)},
        estimator="divat",
        unit="sb",
    )
    learner, steady = found["learner"], found["steady"]
    assert learner.p_value < 0.01 < 0.2 < steady.p_value
    assert abs(learner.change.place - 2_500) < 250
    assert learner.before.mean.high < learner.after.mean.low
    assert (learner.before.end, learner.after.first) == (learner.change.place,) * 2


def test_stretches_are_all_of_the_hands_with_their_means() -> None:
    values = results(0, 0.0)
    found = changes_of_play({"p": (values, None)}, estimator="money", unit="bb")["p"]
    assert [(each.first, each.end) for each in found.stretches] == [
        (k, k + 500) for k in range(0, HANDS, 500)
    ]
    assert found.stretches[3].mean.value == pytest.approx(values[1500:2000].mean())
    assert sum(e.mean.value for e in found.stretches) / 8 == pytest.approx(values.mean())


def test_copies_of_a_deal_are_one_value_of_an_interval() -> None:
    values = np.repeat(np.random.default_rng(1).normal(size=HANDS // 4), 4)
    deals = np.repeat(np.arange(HANDS // 4), 4)
    apart = changes_of_play({"p": (values, None)}, estimator="divat", unit="sb")["p"]
    whole = changes_of_play({"p": (values, deals)}, estimator="divat", unit="sb")["p"]
    ratio = whole.stretches[0].mean.stderr / apart.stretches[0].mean.stderr
    assert ratio == pytest.approx(2.0, rel=0.02)


def test_short_matches_have_no_course() -> None:
    assert changes_of_play({"p": (np.zeros(999), None)}, estimator="divat", unit="sb") == {}


def test_the_other_side_runs_the_opposite_course() -> None:
    found = changes_of_play({"p": (results(2_000, 0.5), None)}, estimator="divat", unit="sb")["p"]
    other = -found
    assert other.p_value == found.p_value
    assert [e.mean.value for e in other.stretches] == [-e.mean.value for e in found.stretches]
    assert other.after.mean.low == pytest.approx(-found.after.mean.high)


def test_looking_at_many_players_is_paid_for() -> None:
    assert holm([0.02] * 6) == pytest.approx([0.12] * 6)
    assert holm([]) == []
