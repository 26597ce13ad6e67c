"""The fixed rule of draw games: what it throws away, and the shares of a pot it leads to."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import VARIANTS, format_cards, parse_cards
from railbird.errors import BadInput
from railbird.odds import discards_by_rule, share_after_draws
from railbird.odds.draw_kernels import shares_played_out


@pytest.mark.parametrize(
    ("name", "left", "hand", "thrown"),
    [
        ("27-triple", 3, "2c3d4h5s7c", ""),
        ("27-triple", 3, "2c3d4h5s8c", ""),
        ("27-triple", 3, "2c3d4h5s9c", "9c"),
        ("27-triple", 2, "2c3d4h5s9c", ""),
        ("27-triple", 1, "2c3d4h5sTc", ""),
        ("27-triple", 1, "2c3d4h5s6c", "6c"),
        ("27-triple", 1, "2c3c4c5c7c", "7c"),
        ("27-triple", 3, "2c2d7h8sKd", "2d8sKd"),
        ("27-single", 1, "2c3d4h9sKd", "Kd"),
        ("27-single", 1, "AcKdQhJs9d", "JsQhKdAc"),
        ("a5-triple", 3, "AcAd2h3s4h", "Ad"),
        ("a5-triple", 2, "AcKd2h3s8h", "Kd"),
        ("a5-triple", 1, "2c3c4c5c6c", ""),
        ("badugi", 3, "Ac2d3h4s", ""),
        ("badugi", 3, "Ac2d7hKs", "Ks"),
        ("badugi", 1, "Ac2d7hKs", ""),
        ("badugi", 3, "Ac2c7h8c", "2c8c"),
        ("badugi", 2, "AcAd2h2s", "AdAc2s"),
        ("five-card-draw", 1, "2c3c4c5c6d", ""),
        ("five-card-draw", 1, "2c3c7cTcKc", ""),
        ("five-card-draw", 1, "2c2d2h3s3d", ""),
        ("five-card-draw", 1, "2c2d2h3s4d", "3s4d"),
        ("five-card-draw", 1, "2c2d3h3s4d", "4d"),
        ("five-card-draw", 1, "2c2d5h8sKd", "5h8sKd"),
        ("five-card-draw", 1, "2c5c8cKcAd", "Ad"),
        ("five-card-draw", 1, "5c6d7h8sKd", "Kd"),
        ("five-card-draw", 1, "2c5d8hKsAd", "2c5d8h"),
    ],
)
def test_what_the_rule_throws_away(name: str, left: int, hand: str, thrown: str) -> None:
    cards = discards_by_rule(name, hand, left=left)
    if thrown and name == "badugi" and hand.startswith("AcAd"):  # one of each rank, of any suit
        assert len(cards) == 2
    else:
        assert format_cards(sorted(cards)) == format_cards(sorted(parse_cards(thrown)))


def test_who_stands_pat_has_a_better_hand_than_who_draws() -> None:
    for name, own in (("27-single", "2c3d4h5sTc"), ("five-card-draw", "2c2d2h7sKd")):
        shares = [share_after_draws(name, own, [[drawn]]) for drawn in (0, 1, 3)]
        assert shares[0] < shares[2]
    assert share_after_draws("badugi", "Ac2d3h4s", [[2, 1, 0], [3, 2, 1]]) > 0.95
    alone, many = (share_after_draws("27-triple", "2c3d4h7sKc", [[]] * n) for n in (1, 5))
    assert alone > 0.5 > many > 1 / 6


def test_the_same_cards_have_the_same_share() -> None:
    first = share_after_draws("27-triple", "2c3d4h7sKc", [[3], [1]], dead="KdKh")
    assert first == share_after_draws("27-triple", "Kc2c3d4h7s", [[3], [1]], dead="KhKd")


def test_played_out_shares_are_those_of_the_cards_to_come() -> None:
    """One card for one of two hands of deuce to seven: all up to a ten win."""
    hands = np.array([parse_cards("2c3c4c5dKs"), parse_cards("2d3d4d6sTs")], np.uint8)
    deck = np.array(parse_cards("7c8c9cTcJcQcKcAcTd7d8d9d"), np.uint8)
    shares = np.zeros(2)
    state = np.array([1], np.uint64)
    deals = 20_000
    shares_played_out(hands, np.arange(2), deck, np.empty(0, np.uint8), 1, 4, deals, state, shares)
    # the second hand is pat with a ten; the first draws one card to 2345
    better = sum(card >> 2 <= 8 for card in deck) / 12  # of two tens the other has a six
    assert shares.sum() == pytest.approx(1)
    assert shares[0] == pytest.approx(better, abs=0.02)


@pytest.mark.parametrize(
    ("name", "hand", "left", "words"),
    [
        ("omaha", "2c3c4c5c", 1, "allowed: a game in which cards are exchanged"),
        ("badugi", "2c3c4c5c6c", 1, "5 cards in badugi; allowed: 4"),
        ("badugi", "2c3c4c", 1, "3 cards in badugi; allowed: 4"),
        ("27-single", "2c3c4c5c7d", 2, "2 draws left in 27-single; allowed: 1 to 1"),
        ("27-triple", "2c3c4c5c7d", 0, "0 draws left in 27-triple; allowed: 1 to 3"),
    ],
)
def test_other_questions_are_refused(name: str, hand: str, left: int, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        discards_by_rule(name, hand, left=left)


def test_refused_draws_of_rivals() -> None:
    for drawn in ([], [[1, 2]]):
        with pytest.raises(BadInput, match="in 27-single; allowed"):
            share_after_draws("27-single", "2c3c4c5c7d", drawn)
    assert VARIANTS["27-single"].draws
