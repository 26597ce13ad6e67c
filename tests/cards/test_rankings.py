"""Strengths in other games than hold'em: counts of whole decks, pokerkit, and what is refused."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
import pokerkit
import pytest
from numpy.typing import NDArray

from railbird.cards import (
    VARIANTS,
    HandRanking,
    PotShare,
    cards_from,
    format_cards,
    share_strength,
    share_strengths,
    variant_from,
)
from railbird.errors import BadInput

EIGHT = PotShare(HandRanking.ACE_TO_FIVE, qualifier=8)


def _all_hands(cards: int, first: int = 0) -> NDArray[np.uint8]:
    deck = 52 - first
    return np.fromiter(
        combinations(range(first, 52), cards),
        dtype=np.dtype((np.uint8, cards)),
        count=comb(deck, cards),
    )


@pytest.fixture(scope="module")
def hands_of_five() -> NDArray[np.uint8]:
    return _all_hands(5)


@pytest.mark.slow
def test_lows_of_five_cards(hands_of_five: NDArray[np.uint8]) -> None:
    strengths = share_strengths(EIGHT, hands_of_five, hands_of_five[:, :0])
    # 56 sets of five ranks up to eight, each in 4^5 suits (Wikipedia, "Poker probability":
    # ace-to-five lows 5-high 1,024, 6-high 5,120, 7-high 15,360, 8-high 35,840)
    low, counts = np.unique(strengths, return_counts=True)
    assert low[0] == 0
    assert counts[1:].tolist() == [4**5] * 56
    assert counts[1:].sum() == 1024 + 5120 + 15_360 + 35_840
    wheel = share_strength(EIGHT, "5s4h3d2cAc")
    assert (
        wheel == low[-1] == share_strength(PotShare(HandRanking.ACE_TO_FIVE), "5s4s3s2sAs") == 6175
    )


@pytest.mark.slow
def test_deuce_to_seven_of_five_cards(hands_of_five: NDArray[np.uint8]) -> None:
    share = PotShare(HandRanking.DEUCE_TO_SEVEN)
    counts = np.bincount(share_strengths(share, hands_of_five, hands_of_five[:, :0]))
    assert len(counts) == 7463
    assert counts[0] == 0
    assert (counts[1:] > 0).all()
    # number one of deuce to seven: 7-5-4-3-2 of several suits
    best = share_strength(share, "7s5h4d3c2c")
    assert (best, counts[best]) == (7462, 4**5 - 4)
    # A5432 is no straight: below K-high, above a pair; its flush is a flush
    assert share_strength(share, "As5s4s3s2d") > share_strength(share, "2s2h3d4c5c")
    assert share_strength(share, "As5s4s3s2d") < share_strength(share, "KsQsJsTs8d")
    assert share_strength(share, "As5s4s3s2s") < share_strength(share, "6s5s4s3s2d")


@pytest.mark.parametrize("ranking", [HandRanking.SHORT_DECK, HandRanking.SHORT_DECK_TRIPS])
def test_short_deck_of_five_cards(ranking: HandRanking) -> None:
    hands = _all_hands(5, first=16)
    strengths = share_strengths(PotShare(ranking), hands, hands[:, :0])
    # by the formulas of Wikipedia, "Poker probability", with nine ranks and six straights
    sizes = {
        "high card": (comb(9, 5) - 6) * (4**5 - 4),
        "pair": 9 * comb(4, 2) * comb(8, 3) * 4**3,
        "two pair": comb(9, 2) * comb(4, 2) ** 2 * 7 * 4,
        "trips": 9 * 4 * comb(8, 2) * 4**2,
        "straight": 6 * (4**5 - 4),
        "full house": 9 * 4 * 8 * comb(4, 2),
        "flush": (comb(9, 5) - 6) * 4,
        "quads": 9 * 8 * 4,
        "straight flush": 6 * 4,
    }
    strongest = {
        "high card": "AsKsQsJs9d",
        "pair": "AsAdKsQsJs",
        "two pair": "AsAdKsKdQd",
        "straight": "AsKsQsJsTd",
        "trips": "AsAdAcKsQs",
        "full house": "AsAdAcKsKd",
        "flush": "AsKsQsJs9s",
        "quads": "AsAdAcAhKs",
        "straight flush": "AsKsQsJsTs",
    }
    kinds = sorted(strongest, key=lambda kind: share_strength(PotShare(ranking), strongest[kind]))
    expected = list(sizes)
    if ranking is HandRanking.SHORT_DECK_TRIPS:
        expected[3:5] = expected[4:2:-1]
    assert kinds == expected
    tops = [share_strength(PotShare(ranking), strongest[kind]) for kind in kinds]
    counts = np.bincount(np.searchsorted(tops, strengths))
    assert dict(zip(kinds, counts.tolist(), strict=True)) == sizes
    assert share_strength(PotShare(ranking), "As9s8s7s6d") == tops[kinds.index("straight")] - 5


def test_badugi_of_all_hands() -> None:
    hands = _all_hands(4)
    strengths = share_strengths(PotShare(HandRanking.BADUGI), hands, hands[:, :0])
    assert len(hands) == 270_725
    cards = Counter(np.searchsorted([13, 91, 377, 1092], strengths).tolist())
    # Wikipedia, "Badugi": 17,160 of four cards, 154,440 of three
    assert (cards[3], cards[2]) == (13 * 12 * 11 * 10, 154_440)
    assert cards[0] + cards[1] == 270_725 - 17_160 - 154_440
    assert share_strength(PotShare(HandRanking.BADUGI), "4s3h2dAc") == strengths.max() == 1092
    # a suit or a rank that is there twice counts once
    assert share_strength(PotShare(HandRanking.BADUGI), "4s3h2d2c") == share_strength(
        PotShare(HandRanking.BADUGI), "4s3h2d"
    )


def test_lows_of_seven_cards() -> None:
    # Wikipedia, "Poker probability", seven-card ace-to-five: hands by their highest card
    published = {5: 781_824, 6: 3_151_360, 7: 7_426_560, 8: 13_171_200}
    counted: Counter[int] = Counter()
    for ranks in _seven_ranks_with_a_low():
        hand = [4 * rank + ranks[:place].count(rank) for place, rank in enumerate(ranks)]
        low = sorted({(rank + 1) % 13 for rank in ranks})
        cards = np.array([hand], dtype=np.uint8)
        strength = int(share_strengths(EIGHT, cards, cards[:, :0])[0])
        assert (strength > 0) == (len(low) >= 5 and low[4] < 8)
        if strength:
            ways = np.prod([comb(4, ranks.count(rank)) for rank in set(ranks)])
            counted[low[4] + 1] += int(ways)
    assert counted == published


def _seven_ranks_with_a_low() -> list[tuple[int, ...]]:
    low = {12, *range(7)}
    return [
        ranks
        for ranks in combinations_with_replacement(range(13), 7)
        if len(low & set(ranks)) >= 5 and max(map(ranks.count, ranks)) <= 4
    ]


POKERKIT = {
    "omaha-hilo": (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand),
    "omaha5-hilo": (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand),
    "short-deck": (pokerkit.ShortDeckHoldemHand,),
    "stud-hilo": (pokerkit.StandardHighHand, pokerkit.EightOrBetterLowHand),
    "razz": (pokerkit.RegularLowHand,),
    "27-triple": (pokerkit.StandardLowHand,),
    "badugi": (pokerkit.BadugiHand,),
}


@pytest.mark.slow(but=["badugi"])
@pytest.mark.parametrize("name", POKERKIT)
def test_order_as_pokerkit_has_it(name: str) -> None:
    variant, rng = VARIANTS[name], np.random.default_rng(5)
    holes, board = variant.hand_size, variant.board_sizes[-1]
    first = 52 - len(variant.deck)
    deals = np.argsort(rng.random((60, len(variant.deck))), axis=1)[:, : holes + board] + first
    for share, hand_type in zip(variant.shares, POKERKIT[name], strict=True):
        theirs: list[Any] = []
        for deal in deals.tolist():
            own, common = format_cards(deal[:holes]), format_cards(deal[holes:])
            theirs.append(hand_type.from_game_or_none(own, common))
        cards = deals.astype(np.uint8)
        ours = share_strengths(share, cards[:, :holes], cards[:, holes:]).tolist()
        assert [strength == 0 for strength in ours] == [hand is None for hand in theirs]
        valid = [pair for pair in zip(ours, theirs, strict=True) if pair[0]]
        for (ours_1, theirs_1), (ours_2, theirs_2) in combinations(valid, 2):
            assert (ours_1 < ours_2) == (theirs_1 < theirs_2)
            assert (ours_1 == ours_2) == (theirs_1 == theirs_2)


@pytest.mark.parametrize(
    ("share", "holes", "board", "says"),
    [
        (PotShare(HandRanking.HIGH, use=2), "AsKs", "QsJsTs", "on a board of 3"),
        (PotShare(HandRanking.HIGH), "AsKs", "", "5 to 7"),
        (
            PotShare(HandRanking.DEUCE_TO_SEVEN),
            "AsKsQsJsTs9s",
            "",
            "6 cards; allowed in deuce to seven",
        ),
        (PotShare(HandRanking.BADUGI), "AsKsQsJs", "2c", "1 to 4"),
        (PotShare(HandRanking.HIGH), "AsKsQsJsAs", "", "As comes twice"),
    ],
    ids=["board", "few", "deuce", "badugi", "twice"],
)
def test_refused_hands(share: PotShare, holes: str, board: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        share_strength(share, holes, board)


def test_refused_arrays() -> None:
    share, cards = PotShare(HandRanking.HIGH), np.arange(5, dtype=np.uint8)
    wrong: list[tuple[Any, Any]] = [
        (cards, cards[:0]),
        (cards[None].astype(np.int64), cards[None, :0]),
        (cards[None] + np.uint8(250), cards[None, :0]),
    ]
    for holes, board in wrong:
        with pytest.raises(BadInput):
            share_strengths(share, holes, board)


def test_names_of_variants() -> None:
    assert variant_from("Omaha_HiLo") is VARIANTS["omaha-hilo"]
    codes = [variant.code for variant in VARIANTS.values()]
    assert len(set(codes)) == len(codes)
    with pytest.raises(BadInput, match="did you mean omaha"):
        variant_from("omahaa")
    for wrong in (None, 3.5, b"omaha", ["omaha"]):
        with pytest.raises(BadInput, match="is no variant; allowed: a name such as omaha"):
            variant_from(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="drawmaha is not supported"):
        variant_from("Drawmaha")


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_deal_what_their_shares_can_rank(name: str) -> None:
    variant = VARIANTS[name]
    holes = cards_from(variant.deck[: variant.hand_size])
    board = cards_from(variant.deck[10 : 10 + variant.board_sizes[-1]])
    assert variant.most_players >= 2
    for share in variant.shares:
        assert share_strength(share, holes, board) >= 0
    assert [street.bet for street in variant.streets] == sorted(
        street.bet for street in variant.streets
    )
