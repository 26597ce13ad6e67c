"""Blind schedules and payouts, as text and as data."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.errors import BadInput
from railbird.tournament import Level, Schedule, parse_payouts, parse_schedule
from railbird.tournament.icm import shared_out
from railbird.tournament.schedule import (
    TableOrder,
    advance_button,
    balance_tables,
    big_blind,
    by_seat,
    first_tables,
)


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


# Seats of a tournament: the button, knock-outs, balancing.


def test_the_button_goes_round() -> None:
    table: TableOrder = (3, 1, 4, 2)
    buttons = []
    for _ in range(8):
        buttons.append(table[0])
        table = advance_button(table, out=())
    assert buttons == [3, 1, 4, 2] * 2


def test_seats_are_as_the_engine_counts_them() -> None:
    assert by_seat((0, 1, 2)) == (1, 2, 0), "left of the button first, the button last"
    assert by_seat((0, 1)) == (1, 0), "heads-up seat 0 is the big blind"
    assert [big_blind((0, 1, 2, 3)), big_blind((0, 1))] == [2, 1]


@pytest.mark.parametrize(
    ("out", "left", "why"),
    [
        (0, (2, 1), "the big blind gets the button"),
        (1, (2, 0), "so does it here"),
        (2, (1, 0), "the button moves on past the seat"),
    ],
)
def test_from_three_players_to_two(out: int, left: TableOrder, why: str) -> None:
    assert advance_button((0, 1, 2), out=[out]) == left, why


@given(st.permutations(range(3)), st.integers(0, 2), st.integers(1, 5))
def test_nobody_posts_the_big_blind_twice_running_heads_up(
    order: list[int], out: int, hands: int
) -> None:
    table = tuple(order)
    posted = [big_blind(table)]
    table = advance_button(table, out=[out])
    for _ in range(hands):
        posted.append(big_blind(table))
        table = advance_button(table, out=())
    assert all(one != other for one, other in pairwise(posted))


@given(st.integers(1, 60), st.integers(2, 10))
def test_first_tables_seat_everybody_evenly(players: int, seats: int) -> None:
    tables = first_tables(range(players), seats)
    assert sorted(chain(*tables)) == list(range(players))
    sizes = sorted(map(len, tables))
    assert sizes[-1] - sizes[0] <= 1
    assert sizes[-1] <= seats
    assert len(tables) == -(-players // seats)


@given(st.integers(2, 10), st.data())
def test_balancing_keeps_everybody_at_as_few_tables_as_will_do(
    seats: int, data: st.DataObject
) -> None:
    sizes = data.draw(st.lists(st.integers(0, seats), min_size=1, max_size=6).filter(any))
    numbers = iter(range(100))
    tables = [tuple(next(numbers) for _ in range(size)) for size in sizes]
    floor = balance_tables(tables, seats)
    assert sorted(chain(*floor)) == sorted(chain(*tables))
    after = list(map(len, floor))
    assert max(after) - min(after) <= 1
    assert max(after) <= seats
    assert len(floor) == -(-sum(sizes) // seats)
    assert balance_tables(floor, seats) == floor


def test_who_moves_posts_the_blind_that_was_due() -> None:
    tables = [(0, 1, 2, 3, 4), (5, 6, 7)]
    moving = big_blind(tables[0])
    floor = balance_tables(tables, seats=5)
    assert moving == 2
    assert big_blind(floor[1]) == moving
