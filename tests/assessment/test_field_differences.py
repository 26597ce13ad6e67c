"""Differences from the field: beside a slow form, and how often chance alone is marked."""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.arena import Match, play
from railbird.assessment import field_differences
from railbird.assessment.field_differences import LEVEL, FieldDifference, benjamini_yekutieli
from railbird.assessment.player_statistics import Statistic, rows_of
from railbird.game import HEADS_UP_LIMIT
from railbird.histories.data_frames import whole_batches

SEATS = 4


def made_up_rows(rng: np.random.Generator, hands: int, shares: dict[str, float]) -> pl.DataFrame:
    """Hands of four, of which players put in chips with their share; the last two meet as in play.

    Raisers are some of those who play, and of those who play together one wins the showdown, so
    that statistics depend on each other, and players on each other.
    """
    names = np.array(["Ann", "Bob", "Cid", "Dee"])
    play_shares = np.array([shares.get(name, 0.35) for name in names])
    plays = rng.random((hands, SEATS)) < play_shares
    raises = plays & (rng.random((hands, SEATS)) < 0.5)
    strengths = np.where(plays, rng.random((hands, SEATS)), -1.0)
    meet = plays & (plays.sum(axis=1) > 1)[:, None]
    wins = meet & (strengths == strengths.max(axis=1)[:, None])
    streets = np.where(meet, rng.integers(0, 4, (hands, SEATS)), 0)
    columns: dict[str, np.ndarray] = {
        "hand": np.repeat(np.arange(hands), SEATS),
        "player": np.tile(names, hands),
    }
    made = {
        Statistic.VPIP: (plays, np.ones_like(plays)),
        Statistic.PFR: (raises, np.ones_like(plays)),
        Statistic.THREE_BET: (raises, plays),
        Statistic.WSD: (wins, meet),
        Statistic.WWSF: (wins, plays),
        Statistic.AGGRESSION_FREQUENCY: (rng.binomial(streets, 0.4), streets),
    }
    none = np.zeros((hands, SEATS))
    for statistic in Statistic:
        done, chances = made.get(statistic, (none, none))
        columns[statistic.key] = done.ravel().astype(np.uint8)
        columns[f"{statistic.key}_chances"] = chances.ravel().astype(np.uint8)
    return pl.DataFrame(columns)


def slow_difference(
    rows: pl.DataFrame, player: str, statistic: Statistic
) -> tuple[float, float, float]:
    """The difference, its standard error and that under equal shares, hand by hand."""
    totals = {True: [0, 0], False: [0, 0]}
    by_hand: dict[int, dict[bool, list[int]]] = defaultdict(lambda: {True: [0, 0], False: [0, 0]})
    for row in rows.iter_rows(named=True):
        side = row["player"] == player
        for place, key in enumerate((statistic.key, f"{statistic.key}_chances")):
            totals[side][place] += row[key]
            by_hand[row["hand"]][side][place] += row[key]
    shares = {side: done / chances for side, (done, chances) in totals.items()}
    together = sum(done for done, _ in totals.values()) / sum(of for _, of in totals.values())

    def error(own: float, field: float) -> float:
        squares, hands = 0.0, 0
        for sides in by_hand.values():
            (done, chances), (others, of) = sides[True], sides[False]
            mine = (done - own * chances) / totals[True][1]
            theirs = (others - field * of) / totals[False][1]
            squares += (mine - theirs) ** 2
            hands += chances + of > 0
        return math.sqrt(squares * hands / (hands - 1))

    apart = shares[True] - shares[False]
    return apart, error(shares[True], shares[False]), error(together, together)


def played(folder: Path, *players: str, deals: int) -> pl.DataFrame:
    log = folder / "match.log"
    play(Match(players=players, rules=HEADS_UP_LIMIT, deals=deals, seed=6), log=log)
    return rows_of(whole_batches(log))


def by_statistic(rows: pl.DataFrame, player: str) -> dict[Statistic, FieldDifference]:
    return {one.statistic: one for one in field_differences(rows, player)}


def test_differences_are_those_of_the_slow_form() -> None:
    rows = made_up_rows(np.random.default_rng(3), 150, {"Ann": 0.5})
    for name in ("Ann", "Cid"):
        found = by_statistic(rows, name)
        for statistic in (Statistic.VPIP, Statistic.WSD, Statistic.AGGRESSION_FREQUENCY):
            apart, error, under_equal = slow_difference(rows, name, statistic)
            one = found[statistic]
            assert one.value == pytest.approx(apart)
            assert one.high - one.value == pytest.approx(1.959964 * error, rel=1e-5)
            p_value = 2 * NormalDist().cdf(-abs(apart) / under_equal)
            assert one.p_value == pytest.approx(p_value)
        assert math.isinf(found[Statistic.SQUEEZE].high)
        assert found[Statistic.SQUEEZE].p_value == 1
        assert not found[Statistic.SQUEEZE].stands


def test_chance_alone_is_seldom_marked() -> None:
    """All play alike, so every mark is false: their rate is that of tables with any mark."""
    rng = np.random.default_rng(8)
    logs, marked, told, beyond = 150, 0, 0, 0
    for _ in range(logs):
        found = field_differences(made_up_rows(rng, 200, {}), "Ann")
        tested = [one for one in found if math.isfinite(one.high)]
        marked += any(one.stands for one in found)
        told += len(tested)
        beyond += sum(one.p_value < 0.05 for one in tested)
    assert told == 6 * logs
    # Three standard errors of a rate of the level in so many logs.
    assert marked / logs <= LEVEL + 3 * math.sqrt(LEVEL * (1 - LEVEL) / logs)
    # Single tests, which depend on each other, are as often beyond 5 % as they should be.
    assert 0.025 < beyond / told < 0.085


def test_who_plays_otherwise_is_marked_and_only_there() -> None:
    rows = made_up_rows(np.random.default_rng(2), 600, {"Ann": 0.6})
    found = by_statistic(rows, "Ann")
    assert {key for key, one in found.items() if one.stands} == {Statistic.VPIP, Statistic.PFR}
    assert found[Statistic.VPIP].value > 0
    # The field has her in it for the others, who are as alike as before.
    assert not by_statistic(rows, "Bob")[Statistic.AGGRESSION_FREQUENCY].stands


def test_two_at_one_showdown_are_one_chance() -> None:
    """Of two the one wins what the other loses: half as many independent results as chances."""
    rng = np.random.default_rng(4)
    beyond = 0
    for _ in range(200):
        won = rng.random(100) < 0.5
        rows = made_up_rows(rng, 100, {}).filter(pl.col("player").is_in(["Ann", "Bob"]))
        both = np.stack([won, ~won], axis=1).ravel().astype(np.uint8)
        rows = rows.with_columns(wsd=pl.Series(both), wsd_chances=pl.lit(1, pl.UInt8))
        beyond += by_statistic(rows, "Ann")[Statistic.WSD].p_value < 0.05
    assert beyond <= 20  # taken as independent they would be beyond 17 times in 100


@pytest.mark.slow
def test_in_real_hands_chance_alone_is_seldom_marked(tmp_path: Path) -> None:
    """Twins of one random player, in logs of 250 hands of a match."""
    rows = played(tmp_path, "a=random", "b=random", deals=25_000)
    logs = 100
    marked = sum(
        any(one.stands for one in field_differences(log, "a"))
        for log in (rows.filter(pl.col("hand") // 250 == number) for number in range(logs))
    )
    assert marked <= logs * LEVEL + 3 * math.sqrt(logs * LEVEL * (1 - LEVEL))


def test_a_player_beside_another_kind_is_marked(tmp_path: Path) -> None:
    marks = by_statistic(played(tmp_path, "a=always-raise", "b=random", deals=150), "a")
    assert marks[Statistic.PFR].stands
    assert marks[Statistic.AGGRESSION_FREQUENCY].value > 0.2


@given(st.lists(st.floats(0, 1), min_size=1, max_size=16))
def test_the_correction_is_the_step_up_rule(p_values: list[float]) -> None:
    """As published: all up to the largest rank k with p_(k) <= k q / (m (1 + 1/2 + ... + 1/m))."""
    count = len(p_values)
    bound = LEVEL / (count * sum(1 / rank for rank in range(1, count + 1)))
    ordered = sorted(p_values)
    most = max(
        (rank for rank in range(1, count + 1) if ordered[rank - 1] <= rank * bound), default=0
    )
    rejected = [p <= LEVEL for p in benjamini_yekutieli(p_values)]
    assert sum(rejected) == most
    assert rejected == [bool(most) and p <= ordered[most - 1] for p in p_values]


def test_an_interval_has_a_width_where_one_side_always_does_it(tmp_path: Path) -> None:
    rows = played(tmp_path, "always-raise", "always-call", deals=60)
    found = by_statistic(rows, "always-raise")[Statistic.AGGRESSION_FREQUENCY]
    assert (found.share, found.field) == (1, 0)
    assert found.low < 1 < found.high
