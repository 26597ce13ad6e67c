"""How ranges hit boards: beside a slow form, published shares of flops, and invariants."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.cards import (
    HOLDINGS,
    Card,
    Holding,
    Range,
    cards_of,
    holding_of,
    parse_cards,
    parse_holding,
)
from railbird.errors import BadInput
from railbird.odds import DRAWS, MADE_HANDS, Draw, hands_on_board, range_hits
from twins import slow_range_hits as slow


def names_of(draws: int) -> set[str]:
    return {str(one.name) for one in Draw if draws & one}


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_classes_are_those_of_the_slow_form(cards: int) -> None:
    rng = np.random.default_rng(cards)
    for _ in range(6):
        board = [Card(card) for card in rng.permutation(52)[:cards].tolist()]
        made, draws = hands_on_board(board)
        for number in rng.permutation(HOLDINGS)[:150].tolist():
            own = cards_of(Holding(number))
            if set(own) & set(board):
                assert (made[number], draws[number]) == (0, 0)
                continue
            assert MADE_HANDS[made[number]] == slow.made_hand(own, board)
            assert names_of(int(draws[number])) == slow.draws(own, board)


@pytest.mark.parametrize(
    ("board", "hand", "made", "draws"),
    [
        ("5h6d7c", "8s9s", "straight", set()),
        ("5h6h7h", "8h9s", "straight", {"FLUSH"}),
        ("3d4c5s", "6hKd", "high card", {"OPEN_ENDED", "TWO_OVERCARDS"}),
        ("2d3c4s", "5hKd", "high card", {"OPEN_ENDED", "TWO_OVERCARDS"}),  # an ace or a six
        ("2d3c4s", "AhKd", "ace high", {"GUTSHOT", "TWO_OVERCARDS"}),
        ("Jd9c7s", "KhTd", "high card", {"DOUBLE_GUTSHOT", "ONE_OVERCARD"}),
        ("4d6c8s", "5hTd", "high card", {"GUTSHOT", "ONE_OVERCARD"}),
        ("5d6c9s", "7h3d", "high card", {"DOUBLE_GUTSHOT"}),
        ("5h6d7c8s", "KhKd", "overpair", set()),  # the draw is the board's alone
        ("5h6d7c8s", "9hKd", "straight", set()),
        ("9h9d5c", "AsKs", "ace high", {"TWO_OVERCARDS"}),
        ("9h8d2c", "AhKh", "ace high", {"BACKDOOR_FLUSH", "TWO_OVERCARDS"}),
        ("9h8d2c", "QhQd", "overpair", {"BACKDOOR_STRAIGHT"}),
        ("QhJd3h", "AhKh", "ace high", {"FLUSH", "GUTSHOT", "TWO_OVERCARDS"}),
        ("Kh9d9c5s2h", "Kd2d", "two pair", set()),
    ],
)
def test_named_hands(board: str, hand: str, made: str, draws: set[str]) -> None:
    classes = hands_on_board(board)
    place = parse_holding(hand)
    assert MADE_HANDS[classes.made[place]] == made
    assert names_of(int(classes.draws[place])) == draws


@pytest.mark.parametrize("board", ["Kd9s2h5c", "Th7s4s9c"])
def test_shares_are_those_of_the_slow_form(board: str) -> None:
    hands = Range.parse("A5s:0.25, 88, QcJd")
    weights = {Holding(n): w for n, w in enumerate(hands.weights.tolist()) if w}
    found = range_hits(hands, board)
    for to_come, street in enumerate(found.made):
        made, draws = slow.shares(weights, parse_cards(board), to_come)
        assert {n: s for n, s in found.made[street].items() if s} == pytest.approx(made)
        if street in found.draws:
            for name in ("flush draw", "gutshot", "double gutshot"):
                key = name.removesuffix(" draw").replace(" ", "_").upper()
                assert found.draws[street][name] == pytest.approx(draws.get(key, 0.0))


def test_from_the_flop_to_the_river_as_in_the_slow_form() -> None:
    hands = Range.parse("9s8s, KhQd:0.5")
    weights = {Holding(n): w for n, w in enumerate(hands.weights.tolist()) if w}
    found = range_hits(hands, "7s6h2s")
    for to_come, street in enumerate(("flop", "turn", "river")):
        made, _ = slow.shares(weights, parse_cards("7s6h2s"), to_come)
        assert {n: s for n, s in found.made[street].items() if s} == pytest.approx(made)


@pytest.mark.parametrize(
    ("hands", "least", "published"),
    [
        # Shares of 19,600 flops in per cent; see the manual's table for where they are printed.
        ("K7o", "bottom pair", 32.4),  # a pair or better
        ("72o", "bottom pair", 32.4),
        ("88", "set", 11.8),  # three of a kind or quads, beside a full house by the board
        ("T9s", "straight", 2.2),
    ],
)
def test_made_hands_are_as_often_as_published(hands: str, least: str, published: float) -> None:
    flop = range_hits(hands).made["flop"]
    better = MADE_HANDS[MADE_HANDS.index(least) :]
    found = 100 * sum(flop[name] for name in better)
    by_board = 0.0
    if hands == "88":  # three of a rank on the flop: 12 ranks of 4, of 19,600
        by_board = 100 * 12 * 4 / 19_600
    if hands != "T9s":
        assert found - by_board == pytest.approx(published, abs=0.06)
    else:  # 1.29 % straights and 0.84 % flushes, straight flushes in both, and full houses
        assert found == pytest.approx(1.29 + 0.84 + 0.09 + 0.01, abs=0.03)


@pytest.mark.parametrize(
    ("hands", "names", "published"),
    [
        ("T9s", ["flush draw"], 10.9),
        ("AKo", ["flush draw"], 2.24),
        ("JTs", ["open-ended straight draw", "double gutshot"], 9.6),
        ("54s", ["open-ended straight draw", "double gutshot"], 9.6),
        ("T9s", ["gutshot"], 16.6),
    ],
)
def test_draws_are_as_often_as_published(hands: str, names: list[str], published: float) -> None:
    draws = range_hits(hands).draws["flop"]
    assert 100 * sum(draws[name] for name in names) == pytest.approx(published, abs=0.06)


def test_one_holding_stands_for_its_class_before_the_flop() -> None:
    whole, one = range_hits("A5s:0.5"), range_hits("Ac5c")
    assert whole.combinations == 2
    assert whole.made == one.made
    assert whole.draws == one.draws


@settings(max_examples=12)
@given(
    st.lists(st.integers(0, 51), min_size=4, max_size=5, unique=True),
    st.permutations(range(4)),
    st.integers(0, 2**32 - 1),
)
def test_laws_of_shares(board: list[int], suits: list[int], seed: int) -> None:
    """Classes sum to one, draws overlap within bounds, and suits are alike."""
    weights = np.random.default_rng(seed).random(HOLDINGS).round(3)
    found = range_hits(Range(weights), [Card(card) for card in board])
    for shares in found.made.values():
        assert sum(shares.values()) == pytest.approx(1)
    for shares in found.draws.values():
        assert set(shares) == set(DRAWS)
        straight = shares["open-ended straight draw"] + shares["double gutshot"] + shares["gutshot"]
        both = shares["flush and straight draw"]
        assert shares["any of these"] == pytest.approx(shares["flush draw"] + straight - both)
    turned = np.zeros(HOLDINGS)
    for number in range(HOLDINGS):
        own = [Card(card // 4 * 4 + suits[card % 4]) for card in cards_of(Holding(number))]
        turned[holding_of(*own)] = weights[number]
    again = range_hits(Range(turned), [Card(card // 4 * 4 + suits[card % 4]) for card in board])
    for street, shares in found.made.items():
        assert again.made[street] == pytest.approx(shares)


@pytest.mark.parametrize(
    ("hands", "board", "message"),
    [
        ("KK", "KdKsKh", "the range has no holding on KdKsKh"),
        ("", "", "the range has no holding on any flop"),
        ("QQ+", "Kd9s", "a board of 2 cards; allowed: 0, 3, 4, 5"),
    ],
)
def test_refusals(hands: str, board: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        range_hits(hands, board)
