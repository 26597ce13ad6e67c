"""Strengths in every share of every variant beside the rules of the game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from railbird.cards import VARIANTS, HandRanking, PotShare, Variant, share_strengths
from twins import slow_variants

SHORT = (HandRanking.SHORT_DECK, HandRanking.SHORT_DECK_TRIPS)
SHARES = sorted(
    {
        (share, variant.hand_size, variant.board_sizes[-1], len(variant.deck))
        for variant in VARIANTS.values()
        for share in variant.shares
    },
    key=str,
)


def _by_value(values: Sequence[slow_variants.Value | None]) -> list[int]:
    """Number values from 1 by their order; 0 is a hand that cannot win."""
    order = sorted({value for value in values if value is not None})
    number = {value: place for place, value in enumerate(order, start=1)}
    return [0 if value is None else number[value] for value in values]


def _numbered(strengths: Sequence[int]) -> list[int]:
    return _by_value([(strength,) if strength else None for strength in strengths])


def _hands_of_five() -> list[list[int]]:
    """A hand for every multiset of ranks, in several suits, and for every flush."""
    hands = []
    for ranks in combinations_with_replacement(range(13), 5):
        if max(map(ranks.count, ranks)) < 5:
            suits = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
            suits[-1] = 1 if len(set(ranks)) == 5 else suits[-1]
            hands.append([4 * rank + suit for rank, suit in zip(ranks, suits, strict=True)])
    return hands + [[4 * rank for rank in ranks] for ranks in combinations(range(13), 5)]


@pytest.mark.parametrize(
    "ranking",
    [ranking for ranking in HandRanking if ranking is not HandRanking.BADUGI],
    ids=lambda ranking: ranking.name,
)
def test_all_hands_of_five_cards_are_in_order(ranking: HandRanking) -> None:
    hands = _hands_of_five()
    assert len(hands) == 7462
    if ranking in SHORT:
        hands = [hand for hand in hands if min(hand) >= 16]
    cards = np.array(hands, dtype=np.uint8)
    strengths = share_strengths(PotShare(ranking), cards, cards[:, :0])
    values = [slow_variants.five(hand, ranking.value) for hand in hands]
    assert _numbered(strengths.tolist()) == _by_value(values)
    assert strengths.max() == len(set(values))


@pytest.mark.parametrize(
    ("share", "holes", "board", "deck"),
    SHARES,
    ids=[f"{s.ranking.name}-{s.use}-{s.qualifier}-{h}-{b}" for s, h, b, _ in SHARES],
)
def test_random_hands(share: PotShare, holes: int, board: int, deck: int) -> None:
    rng = np.random.default_rng(11)
    deals = np.argsort(rng.random((150, deck)), axis=1)[:, : holes + board] + 52 - deck
    # a third of the deals of two suits only, where flushes abound
    deals[::3] = np.argsort(rng.random((50, deck // 2)), axis=1)[:, : holes + board]
    deals[::3] = deals[::3] // 2 * 4 + deals[::3] % 2 + 52 - deck
    cards = deals.astype(np.uint8)
    strengths = share_strengths(share, cards[:, :holes], cards[:, holes:])
    values = [
        slow_variants.value(
            share.ranking.value, share.use, share.qualifier, hand[:holes], hand[holes:]
        )
        for hand in deals.tolist()
    ]
    assert _numbered(strengths.tolist()) == _by_value(values)


def test_every_badugi_of_a_sample_of_ranks() -> None:
    cards = np.array(list(combinations(range(0, 52, 3), 4)), dtype=np.uint8)
    strengths = share_strengths(PotShare(HandRanking.BADUGI), cards, cards[:, :0])
    values = [slow_variants.badugi(hand) for hand in cards.tolist()]
    assert _numbered(strengths.tolist()) == _by_value(values)


def test_a_variant_uses_two_holes_or_any() -> None:
    # what the kernels know; a variant of three would need another
    uses = {share.use for variant in VARIANTS.values() for share in variant.shares}
    assert uses == {None, 2}
    assert all(isinstance(variant, Variant) for variant in VARIANTS.values())
