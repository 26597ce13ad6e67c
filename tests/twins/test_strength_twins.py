"""Every fast path of hand strength beside its slow twin."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import STRENGTHS, Card, Strength, category, strength, strengths
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength7,
    strength_of_key,
)
from railbird.cards.holding import HOLDING_CARDS
from twins import slow_strength


def hands(size: int, deck: NDArray[np.int64], count: int) -> NDArray[np.uint8]:
    """Deal hands from a part of the deck, so that rare categories come often."""
    rng = np.random.default_rng([size, len(deck)])
    return np.array([rng.permutation(deck)[:size] for _ in range(count)], dtype=np.uint8)


WHOLE = np.arange(52)
DECKS = {
    "whole deck": WHOLE,
    "two suits": WHOLE[WHOLE % 4 < 2],
    "one suit and a few": WHOLE[(WHOLE % 4 == 3) | (WHOLE >= 44)],
    "five ranks": WHOLE[(WHOLE >= 12) & (WHOLE < 32)],
    "wheel and broadway": WHOLE[(WHOLE < 16) | (WHOLE >= 32)],
}


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands(size: int, deck: NDArray[np.int64]) -> None:
    dealt = hands(size, deck, 400)
    expected = [slow_strength.strength(hand) for hand in dealt.tolist()]
    assert strengths(dealt).tolist() == expected
    assert [strength([Card(card) for card in hand]) for hand in dealt.tolist()] == expected


def test_the_order_of_all_strengths_of_five_cards() -> None:
    scores = slow_strength.all_scores()
    assert len(scores) == STRENGTHS
    kinds = [category(Strength(number)) for number in range(STRENGTHS)]
    assert kinds == [kind for kind, *_ in scores]


def test_kernels_add_keys() -> None:
    board = (3, 16, 29, 42, 51)
    key = CARD_KEY[list(board)].sum(dtype=np.uint64)
    mask = CARD_MASK[list(board)].sum(dtype=np.uint64)
    for holding, (low, high) in enumerate(HOLDING_CARDS.tolist()):
        if low in board or high in board:
            assert mask & HOLDING_MASK[holding]
            continue
        assert not mask & HOLDING_MASK[holding]
        got = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        expected = slow_strength.strength((*board, low, high))
        assert got == strength7(low, *board, high) == expected


@pytest.mark.slow
def test_every_multiset_of_seven_ranks() -> None:
    dealt = []
    for ranks in combinations_with_replacement(range(13), 7):
        hand: list[int] = []
        for rank in ranks:
            suits = [suit for suit in range(4) if 4 * rank + suit not in hand]
            if not suits:
                break
            in_hand = [sum(card % 4 == suit for card in hand) for suit in suits]
            hand.append(4 * rank + suits[int(np.argmin(in_hand))])
        else:
            dealt.append(hand)
    assert len(dealt) == 49_205
    expected = [slow_strength.strength(hand) for hand in dealt]
    assert strengths(np.array(dealt, dtype=np.uint8)).tolist() == expected
