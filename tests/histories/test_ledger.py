"""Ledgers: exact sums of hands, and payments that are the fewest by another search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.random_records import random_table_hand
from railbird.errors import BadInput
from railbird.histories import batch_of, money_by_player, parse_results, settle


def fewest(owed: tuple[int, ...]) -> int:
    """The fewest payments by backtracking: the first person pays or is paid by each in turn."""
    left = tuple(each for each in owed if each)
    if not left:
        return 0
    first, rest = left[0], left[1:]
    return 1 + min(
        fewest((*rest[:at], each + first, *rest[at + 1 :]))
        for at, each in enumerate(rest)
        if each * first < 0
    )


def cents(*amounts: int) -> dict[str, Fraction]:
    return {f"p{place}": Fraction(amount, 100) for place, amount in enumerate(amounts)}


def after(results: Mapping[str, Fraction]) -> Counter[str]:
    """What is still owed after the payments, of which none is of nothing or to oneself."""
    owed: Counter[str] = Counter()
    for name, amount in results.items():
        owed[name] += amount  # type: ignore[assignment]
    for payment in settle(results).payments:
        assert payment.amount > 0
        assert payment.payer != payment.payee
        owed[payment.payer] += payment.amount  # type: ignore[assignment]
        owed[payment.payee] -= payment.amount  # type: ignore[assignment]
    return owed


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=6))
def test_payments_are_the_fewest(amounts: list[int]) -> None:
    owed = (*amounts, -sum(amounts))
    results = cents(*owed)
    found = settle(results)
    assert found.is_fewest
    assert not found.is_rounded
    assert len(found.payments) == fewest(owed)
    assert not any(after(results).values())


AMOUNTS = st.integers(-(10**9), 10**9)


@given(st.lists(AMOUNTS, max_size=9) | st.lists(AMOUNTS, min_size=40, max_size=60))
def test_everybody_is_even_with_fewer_payments_than_people(amounts: list[int]) -> None:
    results = cents(*amounts, -sum(amounts))
    assert not any(after(results).values())
    assert len(settle(results).payments) <= max(sum(map(bool, results.values())) - 1, 0)


@pytest.mark.parametrize(
    ("amounts", "payments"),
    [
        # Optimal Account Balancing, leetcode.com 465: both examples.
        ((-5, 10, -5), 2),
        ((-4, 0, 4), 1),
        # Three groups of three.
        ((5, -2, -3, 7, -4, -3, 11, -5, -6), 6),
    ],
)
def test_known_games(amounts: tuple[int, ...], payments: int) -> None:
    assert len(settle(cents(*amounts)).payments) == payments


def test_groups_are_found_where_greed_finds_none() -> None:
    """The largest debt is not the largest claim's: 8, 5 | -6, -4, -3 and 9 | -7, -2."""
    amounts = (8, 5, -6, -4, -3, 9, -7, -2)
    assert len(settle(cents(*amounts)).payments) == 6 == fewest(amounts)


def test_twenty_are_enumerated_and_more_are_not() -> None:
    rng = np.random.default_rng(1)
    twenty = rng.permutation([3, 5, -8, 7, 11, -18, 13, 17, -30, 19, 23, -42, 29, 31, -60]).tolist()
    assert len(settle(cents(*twenty)).payments) == 10
    many = [*range(1, 24), -sum(range(1, 24))]
    found = settle(cents(*many))
    assert not found.is_fewest
    assert len(found.payments) == 23
    pairs = [amount for each in range(1, 40) for amount in (each, -each)]
    found = settle(cents(*pairs))
    assert found.is_fewest
    assert len(found.payments) == 39


@given(st.lists(st.fractions(-9, 9, max_denominator=7), min_size=1, max_size=6))
def test_what_is_no_cent_is_rounded_by_less_than_one(amounts: list[Fraction]) -> None:
    owed = [*amounts, -sum(amounts, Fraction(0))]
    results = {f"p{place}": amount for place, amount in enumerate(owed)}
    assert all(abs(left) < Fraction(1, 100) for left in after(results).values())


def test_hands_are_summed_up_exactly() -> None:
    rng = np.random.default_rng(5)
    records = [random_table_hand(rng) for _ in range(40)]
    expected: dict[str, dict[str, Fraction]] = {}
    for record in records:
        of = expected.setdefault(record.currency, {})
        for name, payoff in zip(record.players, record.payoffs, strict=True):
            of[name] = of.get(name, Fraction(0)) + payoff * record.denomination
    half = len(records) // 2
    assert money_by_player([batch_of(records[:half]), batch_of(records[half:])]) == expected


def test_results_are_read() -> None:
    read = parse_results("Ann +12.50; Bob Lee \N{MINUS SIGN}7.5,\nCid -5")
    assert read == {"Ann": Fraction(25, 2), "Bob Lee": Fraction(-15, 2), "Cid": Fraction(-5)}


@pytest.mark.parametrize(
    "text", ["", "Ann", "Ann nan", "Ann 1e5, Bob -1e5", "Ann +-5", "Ann 5, Ann -5", "5", "A 1/3"]
)
def test_what_does_not_read_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="allowed:"):
        parse_results(text)


def test_results_that_do_not_sum_to_zero_are_refused() -> None:
    with pytest.raises(BadInput, match=r"sum to \+2\.50; allowed: to zero"):
        settle(parse_results("Ann +12.50, Bob -10"))
    with pytest.raises(BadInput, match="allowed: less"):
        settle({"Ann": Fraction(10**14), "Bob": Fraction(-(10**14))})
