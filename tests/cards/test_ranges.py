"""Ranges as text: what reads, what is written, and where an error points."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import (
    CLASSES,
    HOLDINGS,
    HandClass,
    Holding,
    Range,
    holdings_of_class,
    parse_cards,
    parse_class,
    parse_holding,
)
from railbird.cards.ranges import StartingGroups, starting_groups
from railbird.errors import BadInput, DuplicateCard, ParseError


@pytest.mark.parametrize(
    ("text", "combinations"),
    [
        ("", 0),
        ("random", 1326),
        ("Random:0.5", 663),
        ("QQ", 6),
        ("QQ+", 18),
        ("22+", 78),
        ("QQ-99", 24),
        ("99-QQ", 24),
        ("1010+", 30),
        ("AK", 16),
        ("aKs", 4),
        ("KAo", 12),
        ("A10s", 4),
        ("A5s+", 36),
        ("K5+", 8 * 16),
        ("AK+", 16),
        ("A5s-A2s", 16),
        ("A2s-A5s", 16),
        ("JTs-76s", 20),
        ("J9-97", 48),
        ("KTo:0.5", 6),
        ("KTo:0", 0),
        ("AsKd", 1),
        ("A♠K♦", 1),
        ("AsKd AK:0.25", 4),
        ("AK:0.25,AsKd", 4.75),
        ("22+, A2+; K2+", 78 + 16 * 12 + 16 * 11),
        ("0%", 0),
        ("0.45%", 0),
        ("0.5%", 6),
        ("100%", 1326),
        ("top 3%", 36),
        ("TOP3 %:0.5, 22", 18 + 6),
        ("AsKd:0.25 20% 32o", 264 + 12),
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
        ("QQ, AKs:nan", 9),
        ("QQ, AKs:", 9),
        ("QQs", 3),
        ("76s+", 4),
        ("JTs-75s", 5),
        ("JTs-76o", 5),
        ("QQ-A2s", 4),
        ("QQ-", 4),
        ("QQ--", 4),
        ("QQ++", 4),
        ("AsKdQh", 5),
        ("AsK", 4),
        ("A", 2),
        ("AKx", 3),
        ("randomly", 7),
        ("AA, 101%", 5),
        ("20%x", 4),
    ],
)
def test_errors_point_at_the_character(text: str, character: int) -> None:
    with pytest.raises(ParseError, match=f"at character {character} "):
        Range.parse(text)


def test_an_ambiguous_item_is_refused_with_what_is_clear() -> None:
    with pytest.raises(ParseError, match="allowed: AKs-76s"):
        Range.parse("76s+")


def test_a_holding_of_one_card_twice_is_refused() -> None:
    with pytest.raises(DuplicateCard, match=r"As comes twice.*character 3"):
        Range.parse("AsAs")


@pytest.mark.parametrize(
    "text",
    [
        "QQ+, A5s-A2s, KTo:0.5",
        "random",
        "random:0.25",
        "",
        "AK, AsQs",
        "22+, A2+, KQs",
        "AA, KQ, 72o",
        "T9s-54s:0.5",
        "ATs+, KQs, AJo+",
        "QQ-88, AKs-54s",
        "AsKd, AhKd:0.5",
        "22+, A2s+, K9s+, QTs+, JTs-87s, ATo+, KJo+, QJo",
        "JTs-65s, J9s-64s",
    ],
)
def test_written_shortest(text: str) -> None:
    assert str(Range.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("QQ KK, AA", "QQ+"),
        ("AKs AKo", "AK"),
        ("54s 65s 76s 87s", "87s-54s"),
        ("AsKs AhKh AdKd AcKc", "AKs"),
        ("AA:0.5, AsAh", "AsAh, AdAc:0.5, AhAc:0.5, AhAd:0.5, AsAc:0.5, AsAd:0.5"),
    ],
)
def test_written_alike_however_it_was_put(text: str, written: str) -> None:
    parts = str(Range.parse(text)).split(", ")
    assert sorted(parts) == sorted(written.split(", "))


def test_weights_may_be_per_cent() -> None:
    assert Range.parse("KQs:50%, AA:2.5%") == Range.parse("KQs:0.5,AA:0.025")
    with pytest.raises(ParseError, match="not a weight"):
        Range.parse("KQs:101%")


def test_weights_are_checked_and_read_only() -> None:
    with pytest.raises(BadInput, match=r"shape \(3,\)"):
        Range(np.ones(3))
    with pytest.raises(BadInput, match="between 0 and 1"):
        Range(np.full(HOLDINGS, 1.5))
    with pytest.raises(BadInput, match="between 0 and 1"):
        Range(np.full(HOLDINGS, np.nan))
    with pytest.raises(ValueError, match="read-only"):
        Range.full().weights[0] = 0


def test_a_range_does_not_change_with_the_array_it_was_made_of() -> None:
    weights = np.zeros(HOLDINGS)
    empty = Range(weights)
    weights[:] = 1
    assert len(empty) == 0


def test_without_dead_cards() -> None:
    assert Range.parse("AA, KK").without(parse_cards("AsKs")).combinations == 6
    assert Range.full().without(parse_cards("2c")).combinations == 1326 - 51


@pytest.mark.slow
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


# A range as a set of holdings with weights.


_WEIGHTS = st.dictionaries(
    st.integers(0, HOLDINGS - 1), st.sampled_from([0.125, 0.25, 0.5, 1.0]), max_size=12
)


def _range(weight_of: dict[int, float]) -> Range:
    weights = np.zeros(HOLDINGS)
    weights[list(weight_of)] = list(weight_of.values())
    return Range(weights)


@given(_WEIGHTS, _WEIGHTS)
def test_ranges_behave_like_sets(first: dict[int, float], second: dict[int, float]) -> None:
    """Against dictionaries, whose weights are read holding by holding."""
    left, right = _range(first), _range(second)
    assert dict(left.items()) == first
    assert list(left) == sorted(first)
    held = {holding for holding in range(HOLDINGS) if Holding(holding) in left}
    assert held == set(first)
    assert dict((left | right).items()) == {
        holding: max(first.get(holding, 0), second.get(holding, 0)) for holding in first | second
    }
    assert dict((left & right).items()) == {
        holding: min(first[holding], second[holding]) for holding in first.keys() & second.keys()
    }
    assert dict((left - right).items()) == {
        holding: weight - second.get(holding, 0)
        for holding, weight in first.items()
        if weight > second.get(holding, 0)
    }
    assert np.array_equal((left & right).weights + (left - right).weights, left.weights)
    assert (left in right) == all(
        holding in second and (weight == 1 or weight <= second[holding])
        for holding, weight in first.items()
    )


def test_what_is_in_a_range_may_be_given_in_any_form() -> None:
    opening = Range.parse("QQ+, A5s-A2s, KTo:0.5")
    for value in ("KK", "AhAd", ("Ah", "Ad"), parse_holding("AhAd"), Range.parse("QQ+"), "KTo"):
        assert value in opening, value
    for value in ("JJ", "AK", "KsTs", parse_holding("KsTs"), Range.parse("QQ+, JJ"), "KTo:0.7"):
        assert value not in opening, value
    assert "KTo:0.5" in opening
    with pytest.raises(BadInput, match=r"3\.5"):
        _ = 3.5 in opening  # type: ignore[operator]
    with pytest.raises(ParseError, match="at character 1"):
        _ = opening | "XX"
    for join in (operator.or_, operator.and_, operator.sub):
        with pytest.raises(TypeError, match="unsupported operand"):
            join(opening, 5)
    with pytest.raises(BadInput, match=r"Range\.parse\('22\+'\)"):
        Range("22+")  # type: ignore[arg-type]


def test_a_range_shows_the_call_that_makes_it_if_that_is_short() -> None:
    opening = Range.parse("QQ+, A5s-A2s, KTo:0.5")
    assert eval(repr(opening), {"Range": Range}) == opening
    weights = np.zeros(HOLDINGS)
    weights[:600] = np.linspace(0.1, 0.9, 600)
    assert repr(Range(weights)) == "<Range: 600 holdings, 300 combinations>"


# Starting hands in groups.


LIMIT, REVISED = (starting_groups(groups) for groups in StartingGroups)


def test_each_group_has_as_many_hands_as_the_source_prints() -> None:
    """Booker (2004), section 3.3, with Axs and Kxs written out; no hand is in two groups."""
    assert np.bincount(LIMIT).tolist() == [0, 5, 5, 6, 8, 18, 10, 18, 15, 84]
    assert np.bincount(REVISED).tolist() == [2, 3, 5, 6, 8, 11, 10, 124]


def test_groups_of_some_hands() -> None:
    """Of Sklansky and Malmuth's table; a hand without an s is unsuited."""
    for name, limit, revised in (
        ("AA", 1, 0),
        ("AKs", 1, 1),
        ("AKo", 2, 2),
        ("QTs", 4, 4),
        ("A9s", 5, 4),
        ("A2s", 5, 6),
        ("K9s", 6, 5),
        ("K2s", 7, 7),
        ("22", 7, 6),
        ("32s", 8, 7),
        ("54o", 8, 7),
        ("A8o", 9, 7),
        ("72o", 9, 7),
    ):
        assert (LIMIT[parse_class(name)], REVISED[parse_class(name)]) == (limit, revised), name


def test_the_numbers_after_the_last_group() -> None:
    assert [groups.rest for groups in StartingGroups] == [9, 7]
    assert [groups.first for groups in StartingGroups] == [1, 0]


def test_text_and_ranges_combine_in_either_order() -> None:
    pairs = Range.parse("QQ+")
    assert "AA" | pairs == pairs
    assert "AA,22" & pairs == Range.parse("AA")
    assert "AA,22" - pairs == Range.parse("22")
    assert {"AA"} != pairs
    with pytest.raises(TypeError):
        _ = 3 - pairs  # type: ignore[operator]
