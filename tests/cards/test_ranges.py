"""Ranges as text: what reads, what is written, and where an error points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import CLASSES, HOLDINGS, HandClass, Range, holdings_of_class, parse_holding
from railbird.errors import BadInput, DuplicateCard, ParseError


@pytest.mark.parametrize(
    ("text", "combinations"),
    [
        ("", 0),
        ("random", 1326),
        ("QQ", 6),
        ("QQ+", 18),
        ("22+", 78),
        ("99-QQ", 24),
        ("AK", 16),
        ("aKs", 4),
        ("KAo", 12),
        ("A5s+", 36),
        ("A5s-A2s", 16),
        ("JTs-76s", 20),
        ("KTo:0.5", 6),
        ("AsKd", 1),
        ("AsKd AK:0.25", 4),
        ("AK:0.25,AsKd", 4.75),
        ("22+, A2+, K2+", 78 + 16 * 12 + 16 * 11),
    ],
)
def test_reads(text: str, combinations: float) -> None:
    assert Range.parse(text).combinations == combinations


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("QQ+, XX", 6),
        ("QQ, AKs:2", 9),
        ("QQ, AKs:x", 9),
        ("QQs", 3),
        ("JTs-75s", 4),
        ("JTs-76o", 4),
        ("QQ-A2s", 3),
        ("QQ-", 3),
        ("AsKdQh", 5),
        ("AsK", 4),
    ],
)
def test_errors_point_at_the_character(text: str, character: int) -> None:
    with pytest.raises(ParseError, match=f"at character {character} "):
        Range.parse(text)


def test_a_holding_of_one_card_twice_is_refused() -> None:
    with pytest.raises(DuplicateCard):
        Range.parse("AsAs")


@pytest.mark.parametrize(
    "text",
    ["QQ+, A5s-A2s, KTo:0.5", "random", "AK, AsQs", "22+, A2+, KQs", "AA, KQ, 72o", "T9s-54s:0.5"],
)
def test_written_shortest(text: str) -> None:
    shortest = {"T9s-54s:0.5": "T9s:0.5, 98s:0.5, 87s:0.5, 76s:0.5, 65s:0.5, 54s:0.5"}
    assert str(Range.parse(text)) == shortest.get(text, text)


def test_weights_are_checked_and_read_only() -> None:
    with pytest.raises(BadInput, match=r"shape \(3,\)"):
        Range(np.ones(3))
    with pytest.raises(BadInput, match="between 0 and 1"):
        Range(np.full(HOLDINGS, 1.5))
    with pytest.raises(ValueError, match="read-only"):
        Range.full().weights[0] = 0


@given(
    st.dictionaries(st.integers(0, CLASSES - 1), st.sampled_from([0.25, 0.5, 1 / 3, 1.0])),
    st.dictionaries(st.integers(0, HOLDINGS - 1), st.sampled_from([0.0, 0.125, 1.0]), max_size=9),
)
def test_text_and_back(by_class: dict[int, float], by_holding: dict[int, float]) -> None:
    weights = np.zeros(HOLDINGS)
    for hand_class, weight in by_class.items():
        weights[list(holdings_of_class(HandClass(hand_class)))] = weight
    for holding, weight in by_holding.items():
        weights[holding] = weight
    written = Range(weights)
    assert Range.parse(str(written)) == written


def test_equal_ranges_hash_alike() -> None:
    assert hash(Range.of([parse_holding("AsKd")])) == hash(Range.parse("KdAs"))
