"""A match as data: names, seats, chunks, cards."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.arena import Match, Seating
from railbird.arena.seeds import BLOCK, deals, player_rng
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, limit_holdem


def match(
    seats: int = 2,
    seating: Seating = Seating.SINGLE,
    *,
    deals: int = 100,
    seed: int = 1,
    chunk: int = 40,
) -> Match:
    return Match(
        players=("always-call",) * seats,
        rules=limit_holdem(seats),
        seating=seating,
        deals=deals,
        seed=seed,
        chunk=chunk,
    )


def test_copies_of_a_player_are_numbered() -> None:
    players = ("random", "always-call", "random", "random")
    of_four = Match(players=players, rules=limit_holdem(4), deals=1, seed=1)
    assert of_four.names == ("random", "always-call", "random#2", "random#3")


def test_single_matches_are_seated_as_the_acpc_does() -> None:
    # Its dealer's logs: hand 0 Alice|Bob, hand 1 Bob|Alice; with three players hand 998 is
    # Carol|Alice|Bob and hand 999 Alice|Bob|Carol (data/acpc_loopback).
    assert match(2).seatings(range(2), 0).tolist() == [[0, 1], [1, 0]]
    assert match(3).seatings(range(998, 1000), 0).tolist() == [[2, 0, 1], [0, 1, 2]]


@given(st.integers(2, 23), st.integers(0, 10**9))
def test_a_duplicate_match_gives_everyone_every_seat(seats: int, deal: int) -> None:
    of_all = match(seats, Seating.DUPLICATE)
    assert of_all.directions == seats
    seated = np.concatenate(
        [of_all.seatings(range(deal, deal + 1), direction) for direction in range(seats)]
    )
    for column in seated.T:
        assert sorted(column) == list(range(seats))
    for row in seated:
        assert sorted(row) == list(range(seats))


@given(st.integers(2, 23), st.integers(0, 10**9))
def test_seat_permutations_give_everyone_every_seat(seats: int, deal: int) -> None:
    of_all = match(seats, Seating.PERMUTED)
    assert of_all.hands == 100 * seats
    seated = np.concatenate(
        [of_all.seatings(range(deal, deal + 1), direction) for direction in range(seats)]
    )
    for column in seated.T:
        assert sorted(column) == list(range(seats))
    for row in seated:
        assert sorted(row) == list(range(seats))


@pytest.mark.parametrize("seats", [2, 4, 6, 10, 12, 16, 18, 22])
def test_seat_permutations_vary_the_neighbours(seats: int) -> None:
    """Over one cycle every player sits every number of seats from every other, equally often."""
    of_all = match(seats, Seating.PERMUTED)
    apart: dict[tuple[int, int], list[int]] = {pair: [] for pair in permutations(range(seats), 2)}
    for direction in range(seats):
        seat = np.argsort(of_all.seatings(range(1), direction)[0]) + 1
        for one, other in apart:
            apart[one, other].append((seat[one] - seat[other]) % (seats + 1))
    assert all(sorted(found) == list(range(1, seats + 1)) for found in apart.values())


def test_seat_permutations_follow_the_source() -> None:
    """Papp 1998: of ten players, player p sits in round r at seat r * p modulo 11."""
    of_ten = match(10, Seating.PERMUTED)
    for number in range(1, 11):
        (seated,) = of_ten.seatings(range(1), number - 1)
        assert [seated[number * player % 11 - 1] + 1 for player in range(1, 11)] == [*range(1, 11)]


def test_without_a_prime_all_rotations_are_played() -> None:
    of_five = match(5, Seating.PERMUTED).seatings(range(20), 3)
    assert np.array_equal(of_five, match(5, Seating.DUPLICATE).seatings(range(20), 3))


def test_chunks_share_the_deals_out() -> None:
    of_100 = match()
    assert of_100.chunks == 3
    assert [of_100.deals_of(chunk).start for chunk in range(3)] == [0, 40, 80]
    assert sum(len(of_100.deals_of(chunk)) for chunk in range(3)) == of_100.deals == of_100.hands
    assert match(3, Seating.DUPLICATE).hands == 300


@pytest.mark.parametrize(("deals", "chunk", "seed"), [(0, 1, 1), (1, 0, 1), (1, 1, -1)])
def test_a_match_that_cannot_be_is_refused(deals: int, chunk: int, seed: int) -> None:
    with pytest.raises(BadInput, match="allowed"):
        match(deals=deals, chunk=chunk, seed=seed)


def test_half_a_deal_is_refused_on_construction() -> None:
    with pytest.raises(BadInput, match=r"deals is 1\.5 \(float\); allowed: int"):
        Match(players=("random", "random"), rules=HEADS_UP_LIMIT, deals=1.5, seed=0)  # type: ignore[arg-type]


def test_players_must_fill_the_seats() -> None:
    with pytest.raises(BadInput, match="1 players for 2 seats"):
        Match(players=("random",), rules=HEADS_UP_LIMIT, deals=1, seed=1)


@settings(max_examples=30)
@given(st.integers(0, 3 * BLOCK), st.integers(1, BLOCK + 5), st.integers(2, 6))
def test_a_deals_cards_depend_on_the_seed_and_its_number(
    first: int, count: int, seats: int
) -> None:
    of_seed = match(seats)
    whole = deals(of_seed, range(4 * BLOCK + 10))
    part = deals(of_seed, range(first, first + count))
    assert np.array_equal(part, whole[first : first + count])
    other = replace(of_seed, deals=7, chunk=3, seating=Seating.DUPLICATE)
    assert np.array_equal(deals(other, range(first, first + 1)), whole[first : first + 1])


def test_other_seeds_deal_other_cards() -> None:
    first, second = (deals(match(seed=seed), range(100)) for seed in (1, 2))
    assert (first == second).all(axis=1).sum() == 0


def test_every_draw_of_a_match_is_its_own() -> None:
    drawn = {
        int(player_rng(match(), chunk=c, direction=d, player=p).integers(1 << 63))
        for c in range(3)
        for d in range(2)
        for p in range(2)
    }
    assert len(drawn) == 12
