"""Blind schedules and payouts, as text and as data."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.errors import BadInput
from railbird.tournament import (
    Level,
    Schedule,
    parse_payouts,
    parse_schedule,
)
from railbird.tournament.payouts import shared_out


@st.composite
def rising(draw: st.DrawFn, most: int) -> list[Level]:
    """Levels whose blinds never fall."""
    count = draw(st.integers(1, most))
    smalls, bigs = (sorted(draw(st.integers(1, 1000)) for _ in range(count)) for _ in range(2))
    return [
        Level(
            small=small,
            big=small + big,
            ante=draw(st.integers(0, 100)),
            hands=draw(st.integers(1, 30)),
        )
        for small, big in zip(smalls, bigs, strict=True)
    ]


def test_the_ante_of_the_big_blind() -> None:
    schedule = parse_schedule("100/200/bb200x5")
    assert str(schedule) == "100/200/bb200x5"
    assert str(schedule.level(5)) == "200/400/bb400x5"


@given(rising(6))
def test_a_schedule_reads_back(rows: list[Level]) -> None:
    schedule = Schedule(tuple(rows))
    assert parse_schedule(str(schedule)) == schedule
    played = [schedule.level(hand) for hand in range(sum(level.hands for level in rows))]
    assert played == [level for level in rows for _ in range(level.hands)]


@given(rising(3), st.integers(0, 10**5))
def test_blinds_never_fall_behind_the_last_level(rows: list[Level], hand: int) -> None:
    schedule = Schedule(tuple(rows))
    end = sum(level.hands for level in rows)
    last = rows[-1]
    now, later = schedule.level(end + hand), schedule.level(end + hand + last.hands)
    assert now.big * last.small == now.small * last.big
    assert now.big >= 2 * last.big or last.big > 1 << 40
    assert later.big in (now.big, 2 * now.big)
    assert later.big < 1 << 42


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10/20",
        "10x5",
        "20/10x5",
        "0/20x5",
        "10/20x0",
        "10/20x5,",
        "10/20/x5",
        "a/bxc",
        "10/20/bbx5",
        "10/20/5bbx5",
        "10/20/bb5",
    ],
)
def test_schedules_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match="allowed: SMALL/BIGxHANDS"):
        parse_schedule(text)


@pytest.mark.parametrize("text", ["", "70", "70/40", "30/70", "50/x", "100/-0", "60/30/5/4"])
def test_payouts_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match="allowed: percentages"):
        parse_payouts(text)


def test_prizes_of_shared_places() -> None:
    payouts = parse_payouts("50/30/20")
    assert shared_out(payouts, [2, 1, 3, 4]) == (
        Fraction(3, 10),
        Fraction(1, 2),
        Fraction(1, 5),
        Fraction(0),
    )
    assert shared_out(payouts, [1, 3, 2, 3]) == (
        Fraction(1, 2),
        Fraction(1, 10),
        Fraction(3, 10),
        Fraction(1, 10),
    )


@given(st.permutations(range(1, 9)))
def test_all_of_the_prize_money_is_paid(places: list[int]) -> None:
    assert sum(shared_out(parse_payouts("33.5/33.5/33"), places)) == 1
