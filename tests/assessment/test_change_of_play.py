"""The course of a match: slopes by stretch, and where the play changed if it did."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.assessment.change_of_play import PlayerResults, changes_of_play, holm

HANDS = 4_000


def results(at: int, by: float, *, seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed).normal(scale=2.0, size=HANDS)
    values[at:] += by
    return values


def test_a_change_is_found_where_it_was_and_told_from_none() -> None:
    found = changes_of_play(
        {
            "learner": PlayerResults(results(2_500, 0.8)),
            "steady": PlayerResults(results(0, 0.0, seed=9)),
        },
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
    found = changes_of_play({"p": PlayerResults(values)}, estimator="money", unit="bb")["p"]
    assert [(each.first, each.end) for each in found.stretches] == [
        (k, k + 500) for k in range(0, HANDS, 500)
    ]
    assert found.stretches[3].mean.value == pytest.approx(values[1500:2000].mean())
    assert sum(e.mean.value for e in found.stretches) / 8 == pytest.approx(values.mean())


def test_copies_of_a_deal_are_one_value_of_an_interval() -> None:
    values = np.repeat(np.random.default_rng(1).normal(size=HANDS // 4), 4)
    deals = np.repeat(np.arange(HANDS // 4), 4)
    apart = changes_of_play({"p": PlayerResults(values)}, estimator="divat", unit="sb")["p"]
    whole = changes_of_play({"p": PlayerResults(values, deals)}, estimator="divat", unit="sb")["p"]
    ratio = whole.stretches[0].mean.stderr / apart.stretches[0].mean.stderr
    assert ratio == pytest.approx(2.0, rel=0.02)


def test_short_matches_have_no_course() -> None:
    assert changes_of_play({"p": PlayerResults(np.zeros(999))}, estimator="divat", unit="sb") == {}


def test_the_other_side_runs_the_opposite_course() -> None:
    found = changes_of_play(
        {"p": PlayerResults(results(2_000, 0.5))}, estimator="divat", unit="sb"
    )["p"]
    other = -found
    assert other.p_value == found.p_value
    assert [e.mean.value for e in other.stretches] == [-e.mean.value for e in found.stretches]
    assert other.after.mean.low == pytest.approx(-found.after.mean.high)


def test_looking_at_many_players_is_paid_for() -> None:
    assert holm([0.02] * 6) == pytest.approx([0.12] * 6)
    assert holm([]) == []


def test_new_opponents_are_no_change_of_play() -> None:
    """One and the same play that wins more from others, who came after 2,500 hands."""
    lineups = np.repeat([0, 1], [2_500, HANDS - 2_500])
    alone = {"p": PlayerResults(results(2_500, 0.8))}
    within = {"p": PlayerResults(results(2_500, 0.8), lineups=lineups)}
    assert changes_of_play(alone, estimator="divat", unit="sb")["p"].p_value < 0.01
    found = changes_of_play(within, estimator="divat", unit="sb")["p"]
    assert found.p_value > 0.2
    assert found.lineups == 2


def test_a_change_against_the_same_opponents_is_found_among_changing_ones() -> None:
    lineups = np.arange(HANDS) // 20 % 2
    values = results(2_500, 0.8) + 3.0 * lineups
    deals = np.arange(HANDS) // 2
    found = changes_of_play(
        {"p": PlayerResults(values, deals, lineups)}, estimator="divat", unit="sb"
    )["p"]
    assert found.p_value < 0.01
    assert abs(found.change.place - 2_500) < 250
    assert found.after.mean.value - found.before.mean.value == pytest.approx(0.8, abs=0.3)


@pytest.mark.slow
def test_looking_for_changes_within_opponents_is_wrong_as_rarely_as_it_says() -> None:
    rng = np.random.default_rng(3)
    lineups = np.sort(rng.integers(0, 6, 1_000))
    p_values = [
        changes_of_play(
            {"p": PlayerResults(rng.normal(lineups, 1.0), lineups=lineups)},
            estimator="divat",
            unit="sb",
            seed=run,
        )["p"].p_value
        for run in range(60)
    ]
    assert np.mean(np.array(p_values) <= 0.2) <= 0.35
