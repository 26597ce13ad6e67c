"""Versions of a player on the same deals: differences, their intervals, and when a test stops."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.arena import Match, Seating, play, play_paired
from railbird.errors import BadInput
from railbird.estimates import StoppingRule, parse_goal
from railbird.game import HEADS_UP_LIMIT, no_limit_holdem

VERSIONS = "baseline", "baseline:aggressive-high"


def test_differences_are_those_of_single_matches_on_the_same_deals() -> None:
    match = Match(players=VERSIONS, deals=600, seed=4, chunk=200)
    result = play_paired(match, ["always-call", "random"])
    assert result.versions == VERSIONS
    assert result.hands == 2 * 2 * 2 * 600
    differences = []
    for number, opponent in enumerate(result.against):
        new, old = (
            play(
                Match(
                    players=(version, opponent),
                    deals=600,
                    seed=4,
                    chunk=200,
                    seating=Seating.DUPLICATE,
                )
            )
            for version in VERSIONS
        )
        differences.append(new.per_deal(0) - old.per_deal(0))
        assert result.difference(number).value == pytest.approx(
            new.money(0).value - old.money(0).value
        )
        assert result.money(number, 0) == new.money(0)
    by_deal = np.mean(differences, axis=0) / HEADS_UP_LIMIT.chips_per_unit
    assert result.overall.value == pytest.approx(by_deal.mean())
    assert result.overall.stderr == pytest.approx(by_deal.std(ddof=1) / np.sqrt(600))
    assert result.variance_reduction is not None
    assert result.variance_reduction > 1


def test_a_version_is_never_better_than_itself() -> None:
    match = Match(players=("baseline", "again=baseline"), deals=300)
    result = play_paired(match, ["always-call", "always-raise"])
    assert (result.overall.value, result.overall.stderr) == (0, 0)
    assert result.variance_reduction is None


def test_a_stopped_test_is_the_beginning_of_the_longer_one() -> None:
    match = Match(players=("baseline", "always-fold"), deals=4_000, seed=2, chunk=100)
    rule = StoppingRule(
        parse_goal("decided", unit="sb"), chips=HEADS_UP_LIMIT.chips_per_unit, unit="sb"
    )
    stopped = play_paired(match, ["baseline", "random"], until=rule)
    deals = stopped.results[0][0].match.deals
    assert rule.reached
    assert deals < 4_000
    again = play_paired(
        Match(players=match.players, deals=deals, seed=2, chunk=100), ["baseline", "random"]
    )
    assert again.overall == stopped.overall
    assert rule.interval.value == pytest.approx(stopped.overall.value)
    assert rule.interval.low < stopped.overall.low


@pytest.mark.slow
def test_workers_change_nothing() -> None:
    match = Match(players=VERSIONS, deals=300, chunk=100)
    alone, together = (play_paired(match, ["random"], workers=workers) for workers in (1, 2))
    assert alone.overall == together.overall


def test_what_cannot_be_compared_is_refused() -> None:
    match = Match(players=VERSIONS, deals=10)
    with pytest.raises(BadInput, match="no opponent"):
        play_paired(match, [])
    three = Match(
        players=("random",) * 3, rules=no_limit_holdem(3, blinds=(1, 2), stack=100), deals=10
    )
    with pytest.raises(BadInput, match="a game of 3"):
        play_paired(three, ["random"])
    with pytest.raises(BadInput, match="nobody"):
        play_paired(match, ["nobody"])


def test_a_table_has_a_row_for_each_opponent_and_one_for_all() -> None:
    result = play_paired(Match(players=VERSIONS, deals=50), ["random", "always-call"])
    assert result.to_polars()["against"].to_list() == ["random", "always-call", "all"]
    document = result.as_json()
    assert document["difference"]["value"] == result.overall.value
    assert set(document["against"]) == {"random", "always-call"}
