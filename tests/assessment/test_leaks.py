"""Leaks: sums by spot whose intervals hold for all spots together, and hands to replay."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from railbird.assessment.leaks import (
    FEWEST_DECISIONS,
    REPLAYED,
    SESSION_BREAK_US,
    Leaks,
    find_leaks,
    texture_of,
)
from railbird.cards import cards_from
from railbird.histories.columns import NO_TIME

STREETS, POSITIONS, FACINGS = ("turn", "river"), ("button", "big blind"), ("nothing", "bet")
TEXTURES = ("dry", "paired")


def decisions(
    rng: np.random.Generator, hands: int, leak: float = 0.0, *, cost: float = 0.3
) -> pl.DataFrame:
    """Draw a decision for each hand; river bets on the button cost ``leak`` more, now and then."""
    spots = [rng.integers(2, size=hands) for _ in range(4)]
    costs = np.where(rng.random(hands) < 0.2, rng.exponential(cost / 0.2, hands), 0.0)
    there = (spots[0] == 1) & (spots[1] == 0) & (spots[2] == 1)
    costs += np.where(there & (rng.random(hands) < 0.3), leak / 0.3, 0.0)
    names = (STREETS, POSITIONS, FACINGS, TEXTURES)
    keys = ("street", "position", "facing", "texture")
    return pl.DataFrame(
        {
            "row": np.arange(hands),
            "act": np.full(hands, 5),
            "grade": np.where(costs > 0.5, "mistake", "good"),
            "cost_low": costs,
            "cost_high": costs,
            **{k: np.array(of)[at] for k, of, at in zip(keys, names, spots, strict=True)},
        }
    )


def no_times(hands: int) -> npt.NDArray[np.int64]:
    return np.full(hands, NO_TIME)


def found(frame: pl.DataFrame) -> Leaks:
    return find_leaks(frame, frame.height, no_times(frame.height))


def test_the_leak_that_was_put_in_is_the_first_and_sure() -> None:
    frame = decisions(np.random.default_rng(1), 3_000, leak=4.0, cost=0.1)
    first, *_ = found(frame).leaks
    spot = {"street": "river", "position": "button", "facing": "bet"}
    assert spot.items() <= first.spot.items() or first.spot.items() <= spot.items()
    assert first.is_sure
    low, high = first.interval
    assert low < first.low.value < high
    rows = frame.filter(pl.col("row").is_in([row for row, _ in first.hands]))
    assert len(first.hands) == REPLAYED == rows.height
    assert (rows["cost_low"] > 1).all()


def test_no_spot_stands_within_another_one() -> None:
    leaks = found(decisions(np.random.default_rng(2), 2_000, leak=3.0)).leaks
    for place, one in enumerate(leaks):
        for other in leaks[place + 1 :]:
            assert not one.spot.items() <= other.spot.items()
            assert not other.spot.items() <= one.spot.items()


def test_rare_spots_are_not_looked_at_and_unjudged_decisions_count_nowhere() -> None:
    few = decisions(np.random.default_rng(3), FEWEST_DECISIONS - 1)
    assert found(few).looked_at == 0
    unknown = decisions(np.random.default_rng(3), 500).with_columns(
        cost_low=pl.lit(None, pl.Float64), cost_high=pl.lit(None, pl.Float64)
    )
    leaks = found(unknown)
    assert (leaks.valued, leaks.decisions, leaks.leaks) == (0, 500, ())


def test_unknown_grades_widen_the_interval_but_are_not_judged() -> None:
    frame = decisions(np.random.default_rng(3), 2_000, leak=3.0)
    some = pl.col("row") % 5 == 0
    open_ = frame.with_columns(
        grade=pl.when(some).then(pl.lit("unknown")).otherwise("grade"),
        cost_low=pl.when(some).then(0.0).otherwise("cost_low"),
        cost_high=pl.when(some).then(5.0).otherwise("cost_high"),
    )
    told = next(leak for leak in found(open_).leaks if leak.spot == {"street": "river"})
    river = open_.filter(pl.col("street") == "river")
    assert told.open == river.filter(pl.col("grade") == "unknown").height > 0
    assert told.decisions + told.open == river.height
    assert told.interval[1] > told.low.value + 100 * 5.0 * told.open / frame.height / 2


def test_bounds_that_differ_widen_the_interval_on_both_sides() -> None:
    frame = decisions(np.random.default_rng(4), 2_000, leak=3.0)
    apart = frame.with_columns(cost_low=pl.col("cost_low") / 2, cost_high=pl.col("cost_high") * 2)
    exact, open_ = (
        next(each for each in found(one).leaks if each.spot.get("street") == "river")
        for one in (frame, apart)
    )
    if exact.spot == open_.spot:
        assert open_.interval[0] < exact.interval[0]
        assert exact.interval[1] < open_.interval[1]
    assert open_.low.value < open_.high.value


@pytest.mark.slow
def test_all_intervals_together_cover_what_spots_cost() -> None:
    """Logs of 1,500 hands in which every spot costs what it costs by its share."""
    missed = 0
    rng = np.random.default_rng(5)
    for _ in range(200):
        leaks = found(decisions(rng, 1_500))
        for leak in leaks.leaks:
            true = 100 * 0.3 * 0.5 ** len(leak.spot)
            low, high = leak.interval
            if not low <= true <= high:
                missed += 1
                break
    assert missed <= 0.07 * 200


def test_sessions_are_parted_by_time_and_a_trend_is_told() -> None:
    rng = np.random.default_rng(6)
    frame = decisions(rng, 1_000)
    times = np.arange(1_000) * 60_000_000
    times[600:] += 2 * SESSION_BREAK_US
    told = find_leaks(frame, 1_000, times)
    assert told.by_time
    assert [session.hands for session in told.sessions] == [600, 400]
    blocks = found(frame)
    assert not blocks.by_time
    assert sum(session.hands for session in blocks.sessions) == 1_000
    worse = frame.with_columns(
        pl.when(pl.col("row") >= 500).then(pl.col(name) + 1.0).otherwise(pl.col(name)).alias(name)
        for name in ("cost_low", "cost_high")
    )
    trend = found(worse).trend
    assert trend is not None
    assert trend.low > 0
    assert trend.value == pytest.approx(100, abs=20)


@pytest.mark.parametrize(
    ("board", "texture"),
    [
        ("KsKd2c", "paired"),
        ("Ks9s2s", "monotone"),
        ("Ks9s2s2d", "paired"),
        ("Ah2d3c", "connected"),
        ("AhKdTc", "connected"),
        ("Kh8d3c", "dry"),
        ("Kh8d3c2s", "dry"),
        ("", ""),
    ],
)
def test_textures(board: str, texture: str) -> None:
    assert texture_of(np.array(cards_from(board), dtype=np.int64)) == texture
