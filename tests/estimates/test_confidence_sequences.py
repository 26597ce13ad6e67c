"""Stopping when a match is decided: the error rate, and the match that is stopped."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import comb
from scipy.stats import binomtest

from railbird.arena import Loop, Match, Seating, play
from railbird.errors import BadInput
from railbird.estimates import confidence_sequences as module
from railbird.estimates.confidence_sequences import (
    Decided,
    Precision,
    StoppingRule,
    averaged,
    bounded_path,
    bounded_sequence,
    change_point,
    confidence_sequence,
    parse_goal,
    proportion_sequence,
)
from railbird.estimates.distributions import kolmogorov_above
from railbird.estimates.estimate import ALPHA, FIRST_LOOK, TUNED_FOR, Moments
from railbird.game import HEADS_UP_LIMIT

MATCH = Match(
    players=("baseline:aggressive-high", "random"),
    rules=HEADS_UP_LIMIT,
    deals=4_000,
    seed=3,
    seating=Seating.DUPLICATE,
    chunk=250,
)


@pytest.fixture(scope="module")
def equals() -> NDArray[np.float64]:
    """What one of two equal players wins on a deal, in small bets: as often as it loses it."""
    match = Match(players=("random", "random"), rules=HEADS_UP_LIMIT, deals=20_000, seed=1)
    won: NDArray[np.float64] = play(match).per_deal(0) / 10
    return np.concatenate([won, -won])


def test_equal_players_are_seldom_told_apart_however_often_one_looks(
    equals: NDArray[np.float64],
) -> None:
    """1,000 matches of 50,000 deals between equals, looked at every 500 deals.

    Both kinds of interval stop a match when they exclude zero, the true mean. The fixed one is
    wrong in 5 % of the matches if it is looked at once, and in more than a third of these.
    """
    rng = np.random.default_rng(21)
    matches, looks, between = 1_000, 100, 500
    peeked = sequential = fixed = 0
    for _ in range(matches):
        won = rng.choice(equals, (looks, between))
        n = between * np.arange(1, looks + 1)
        sums, squares = won.sum(axis=1).cumsum(), np.square(won).sum(axis=1).cumsum()
        parts = zip(n.tolist(), (sums / n).tolist(), (squares - sums**2 / n).tolist(), strict=True)
        seen = [Moments(*part) for part in parts]
        excludes = [abs(m.mean) > 1.96 * m.sd / math.sqrt(m.n) for m in seen]
        fixed += excludes[-1]
        peeked += any(excludes)
        sequential += any(Decided().reached(confidence_sequence(m)) for m in seen)
    assert sequential <= 0.05 * matches
    assert peeked >= 0.30 * matches
    assert 0.025 * matches <= fixed <= 0.075 * matches


def test_equals_of_a_league_are_seldom_told_apart(equals: NDArray[np.float64]) -> None:
    """400 leagues of four equals, 20 looks at each of six matches, one error rate for all.

    With the whole error rate for every match more leagues name a better player than should.
    """
    rng = np.random.default_rng(5)
    leagues, pairs, looks, between = 400, 6, 20, 500
    shared = whole = 0
    n = between * np.arange(1, looks + 1)
    for _ in range(leagues):
        won = rng.choice(equals, (pairs, looks, between))
        sums, squares = won.sum(axis=2).cumsum(axis=1), np.square(won).sum(axis=2).cumsum(axis=1)
        means, deviations = sums / n, squares - sums**2 / n
        seen = [
            Moments(int(n[look]), float(means[pair, look]), float(deviations[pair, look]))
            for pair in range(pairs)
            for look in range(looks)
        ]
        goal = Decided()
        shared += any(goal.reached(confidence_sequence(m, alpha=ALPHA / pairs)) for m in seen)
        whole += any(goal.reached(confidence_sequence(m)) for m in seen)
    assert shared <= ALPHA * leagues
    assert whole > shared


def test_an_average_holds_when_all_its_parts_do() -> None:
    parts = [
        confidence_sequence(Moments(n, mean, 4.0 * (n - 1)), alpha=0.01)
        for n, mean in ((1000, 0.5), (9000, 0.1))
    ]
    whole = averaged(parts)
    assert whole.value == pytest.approx(0.3)
    assert whole.low == pytest.approx((parts[0].low + parts[1].low) / 2)
    assert whole.n == 1000
    assert whole.alpha == pytest.approx(0.02)
    assert "98 % at any time, n = 1,000" in str(whole)
    assert (-whole).high == -whole.low


def test_a_difference_is_found(equals: NDArray[np.float64]) -> None:
    """Twice as large a difference as the interval's half-width shows, nearly always."""
    rng = np.random.default_rng(4)
    n = TUNED_FOR
    edge = 2 * confidence_sequence(Moments(n, 0.0, n * float(equals.var()))).half_width
    found = 0
    for _ in range(200):
        interval = confidence_sequence(Moments.of(rng.choice(equals, n) + edge))
        found += Decided().reached(interval) and interval.low > 0
    assert found >= 195


def test_the_interval_by_hand() -> None:
    """Robbins' mixture by hand for n = tuned_for = 10,000 and a standard deviation of one."""
    rho_squared = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05) + 1)) / 10_000
    bound = (10_000 * rho_squared + 1) / rho_squared
    half_width = math.sqrt(bound * math.log(bound * rho_squared / 0.05**2)) / 10_000
    interval = confidence_sequence(Moments(10_000, 0.5, 9_999.0))
    assert interval.half_width == pytest.approx(half_width)
    assert (interval.low, interval.high) == pytest.approx((0.5 - half_width, 0.5 + half_width))
    assert interval.as_json()["n"] == 10_000


def test_it_is_wider_than_a_fixed_interval_and_shrinks() -> None:
    sizes = (FIRST_LOOK, 10**4, 10**6)
    widths = [confidence_sequence(Moments(n, 0.0, n - 1.0)).half_width for n in sizes]
    assert widths == sorted(widths, reverse=True)
    assert all(width > 1.96 / math.sqrt(n) for width, n in zip(widths, sizes, strict=True))


@pytest.mark.parametrize("chance", [0.5, 0.1])
def test_a_chance_is_missed_at_its_level_however_often_one_looks(chance: float) -> None:
    """Looked at after every trial; the bounds are those at which the ratio reaches 20."""
    trials = np.random.default_rng(5).random((4_000, 200)) < chance
    won = np.cumsum(trials, axis=1)
    n = np.arange(1, trials.shape[1] + 1)
    mixture = -np.log(n + 1) - np.log(comb(n, won))
    ratio = mixture - won * math.log(chance) - (n - won) * math.log(1 - chance)
    missed = int((ratio > math.log(1 / ALPHA)).any(axis=1).sum())
    assert binomtest(missed, len(trials), ALPHA, alternative="greater").pvalue > 0.001
    assert missed > 0, "the interval is not so wide that it says nothing"
    for row in (0, 1, 2):
        low, high = proportion_sequence(int(won[row, -1]), 200)
        assert (low <= chance <= high) == (ratio[row, -1] <= math.log(1 / ALPHA))
    assert proportion_sequence(0, 40)[0] == 0.0
    assert proportion_sequence(40, 40)[1] == 1.0
    with pytest.raises(BadInput):
        proportion_sequence(3, 2)


def test_nothing_is_said_before_the_first_look() -> None:
    interval = confidence_sequence(Moments(FIRST_LOOK - 1, 9.0, 1.0))
    assert math.isinf(interval.half_width)
    assert interval.as_json() == {"value": 9.0, "low": None, "high": None, "n": FIRST_LOOK - 1}
    assert not Decided().reached(interval)


@pytest.mark.parametrize("text", ["", "0.02", "0.02bb", "0sb", "-1sb", "soon", "nansb", "1e3sb"])
def test_goals_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match=r"allowed: decided, or a half-width such as 0\.02sb"):
        parse_goal(text, unit="sb")


def test_goals() -> None:
    assert parse_goal("decided", unit="bb") == Decided()
    assert parse_goal(".5bb", unit="bb") == Precision(0.5)


def watch() -> StoppingRule:
    return StoppingRule(Decided(), chips=10, unit="sb")


@pytest.mark.slow(but=["1"])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_match_that_is_stopped_is_the_beginning_of_the_whole(
    tmp_path: Path, workers: int
) -> None:
    whole, part = tmp_path / "whole.log", tmp_path / "part.log"
    full = play(MATCH, log=whole)
    seen = watch()
    stopped = play(MATCH, log=part, workers=workers, until=seen)
    assert seen.reached
    assert stopped.match == replace(MATCH, deals=stopped.payoffs.shape[1])
    assert FIRST_LOOK <= stopped.match.deals < MATCH.deals
    assert np.array_equal(stopped.payoffs, full.payoffs[:, : stopped.match.deals])
    assert whole.read_bytes().startswith(part.read_bytes())
    moments = Moments.of(stopped.per_deal(0) / 10)
    assert seen.interval.half_width == pytest.approx(confidence_sequence(moments).half_width)
    assert seen.interval.value == pytest.approx(moments.mean)


def test_a_log_that_goes_beyond_the_decision_is_read_up_to_it(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    play(MATCH, log=log)
    before = log.read_bytes()
    again = play(MATCH, log=log, until=watch())
    fresh = play(MATCH, until=watch(), loop=Loop.PYTHON)
    assert again.match == fresh.match
    assert again.resumed == again.match.hands
    assert np.array_equal(again.payoffs, fresh.payoffs)
    assert log.read_bytes() == before


def test_a_match_that_is_never_decided_ends(tmp_path: Path) -> None:
    match = replace(MATCH, players=("always-call", "always-call"), deals=1_000)
    seen = watch()
    result = play(match, until=seen)
    assert result.match == match
    assert not seen.reached
    assert seen.interval.half_width == 0


# The bounded sequence, value by value; experiment anytime-intervals measures its coverage.


BOUND = 24.0


def test_the_sequence_is_what_is_computed_value_by_value() -> None:
    rng = np.random.default_rng(2)
    values = rng.choice([-24.0, 18.0, -1.0, 0.0, 1.5], 300, p=[0.02, 0.03, 0.4, 0.15, 0.4])
    path = bounded_path(values, bound=BOUND)
    seen: list[float] = []
    means, bets, costs = [0.5], [], 0.0
    spread = 0.25
    for time, value in enumerate(values.tolist(), start=1):
        x = (value + BOUND) / (2 * BOUND)
        variance = spread / time
        bet = min(0.5, math.sqrt(2 * math.log(2 / ALPHA) / (variance * time * math.log1p(time))))
        costs += (x - means[-1]) ** 2 * (-math.log(1 - bet) - bet)
        seen.append(x)
        bets.append(bet)
        means.append((0.5 + sum(seen)) / (time + 1))
        spread += (x - means[-1]) ** 2
    centre = sum(b * x for b, x in zip(bets, seen, strict=True)) / sum(bets)
    half_width = (math.log(2 / ALPHA) + costs) / sum(bets)
    assert path.centre[-1] == pytest.approx(BOUND * (2 * centre - 1))
    assert path.half_width[-1] == pytest.approx(2 * BOUND * half_width)
    last = bounded_sequence(values, bound=BOUND)
    assert (last.value, last.half_width) == pytest.approx((path.centre[-1], path.half_width[-1]))


def test_values_beyond_the_bound_are_refused() -> None:
    with pytest.raises(BadInput, match="values up to 25"):
        bounded_sequence([1.0, -25.0], bound=BOUND)
    assert math.isinf(bounded_sequence([], bound=BOUND).half_width)


# The test for a change of the mean: its size at its nominal level, its power, whole deals.


RUNS = 400


def heavy_tailed(rng: np.random.Generator, n: int) -> np.ndarray:
    """Winnings of no-limit: most hands are folded, few are worth a stack."""
    won = rng.standard_t(2.5, n)
    return np.where(rng.random(n) < 0.3, won, 0.0)


def rejected(p_values: list[float], level: float) -> int:
    return sum(p <= level for p in p_values)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.05, 0.2])
def test_without_a_change_it_finds_one_no_oftener_than_its_level(level: float) -> None:
    rng = np.random.default_rng(1)
    found = [
        change_point(heavy_tailed(rng, 150), permutations=199, seed=run).p_value
        for run in range(RUNS)
    ]
    said = binomtest(rejected(found, level), RUNS, level, alternative="greater")
    assert said.pvalue > 0.001, rejected(found, level) / RUNS
    # Nor is it idle: a test that never spoke would pass, too.
    assert rejected(found, level) > RUNS * level / 3


def test_by_the_limit_it_finds_one_no_oftener_than_its_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LONG_SEQUENCE", 1_000)
    rng = np.random.default_rng(2)
    found = [change_point(heavy_tailed(rng, 2_000)) for _ in range(RUNS)]
    assert {each.by for each in found} == {"limit"}
    times = rejected([each.p_value for each in found], 0.05)
    assert binomtest(times, RUNS, 0.05, alternative="greater").pvalue > 0.001, times / RUNS
    assert times > 3


@pytest.mark.slow
def test_deals_that_are_played_twice_do_not_pass_for_a_change() -> None:
    """Values that come twice in a row vary twice as much in their sums as single ones."""
    rng = np.random.default_rng(3)
    whole, single = [], []
    for run in range(150):
        twice = np.repeat(rng.normal(size=60), 4)
        deals = np.repeat(np.arange(60), 4)
        whole.append(change_point(twice, deals, permutations=199, seed=run).p_value)
        single.append(change_point(twice, permutations=199, seed=run).p_value)
    assert binomtest(rejected(whole, 0.05), 150, 0.05, alternative="greater").pvalue > 0.001
    assert rejected(single, 0.05) > 30, "the deals make no difference here"


@pytest.mark.parametrize("at", [0.3, 0.5, 0.8])
def test_a_change_of_half_a_standard_deviation_is_found_in_four_hundred_values(at: float) -> None:
    rng = np.random.default_rng(4)
    n = 400
    found = []
    for run in range(60):
        values = rng.normal(size=n) + 0.5 * (np.arange(n) >= at * n)
        found.append(change_point(values, permutations=199, seed=run))
    assert sum(each.p_value <= 0.05 for each in found) >= 48
    assert np.median([abs(each.place / n - at) for each in found]) < 0.08


def test_thecounts_line_has_no_bend_beyond_chance() -> None:
    """Kan (2007) 5.2: 7,000 games, 0.01091 sb/g, sd 2.109; level for 3,700 games, then all of it.

    The straightest case for the bend that is read there as learning: no noise is added to it.
    """
    hands, turn = 7_000, 3_700
    slope = 0.01091 * hands / (hands - turn)
    strayed = slope * (hands - turn) * turn / hands
    statistic = strayed / (2.109 * np.sqrt(hands))
    assert statistic == pytest.approx(0.2288, abs=1e-4)
    assert kolmogorov_above(statistic) > 0.999


def test_nothing_can_be_said_of_equal_values() -> None:
    assert change_point(np.zeros(50)).p_value == 1.0
    assert change_point([]).p_value == 1.0
    assert change_point([1.0]).p_value == 1.0
