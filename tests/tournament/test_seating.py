"""Seats of a tournament: the button, knock-outs, balancing."""

from __future__ import annotations

from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.tournament.seating import (
    TableOrder,
    advance_button,
    balance_tables,
    big_blind,
    by_seat,
    first_tables,
)


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
