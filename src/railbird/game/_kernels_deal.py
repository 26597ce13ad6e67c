"""Dealing many hands at once."""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel

DECK = np.arange(52, dtype=np.uint8)
ACPC_DECK = DECK.reshape(13, 4).T.ravel().copy()
"""The deck in the order in which the ACPC's dealer starts drawing: suit by suit."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_LOW_HALF = np.uint64(0xFFFFFFFF)


@inline_kernel
def mix(state: np.uint64) -> np.uint64:
    """Return 64 random bits for a counter (SplitMix64: Steele, Lea and Flood, OOPSLA 2014)."""
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return state ^ (state >> np.uint64(31))


@inline_kernel
def stream_of(key: np.uint64, index: int) -> np.uint64:
    """Return the state from which one hand's random numbers start."""
    return mix(key + np.uint64(index) * GOLDEN)


@inline_kernel
def below(random: np.uint64, bound: np.uint64) -> np.uint64:
    """Return 32 random bits scaled to 0..bound-1, with relative bias below bound / 2**32."""
    return ((random & _LOW_HALF) * bound) >> np.uint64(32)


@kernel
def deal_many(key: np.uint64, cards: np.ndarray) -> None:
    """Fill each row with distinct cards; every sequence is equally likely."""
    deck = np.empty(52, np.uint8)
    for hand in range(len(cards)):
        for card in range(52):
            deck[card] = DECK[card]
        state = stream_of(key, hand)
        for i in range(cards.shape[1]):
            left = np.uint64(52 - i)
            # Lemire (2019): redrawing products whose low half is too small makes the choice exactly
            # uniform, nearly always without a division.
            while True:
                state += GOLDEN
                product = (mix(state) >> np.uint64(32)) * left
                low = product & _LOW_HALF
                if low >= left or low >= (np.uint64(1) << np.uint64(32)) % left:
                    break
            j = product >> np.uint64(32)
            cards[hand, i] = deck[j]
            deck[j] = deck[51 - i]


@kernel
def draw_as_acpc(draws: np.ndarray, cards: np.ndarray) -> None:
    """Deal each row's cards as the ACPC's dealer does from its random numbers."""
    deck = np.empty(52, np.uint8)
    for hand in range(len(cards)):
        for i in range(52):
            deck[i] = ACPC_DECK[i]
        for i in range(cards.shape[1]):
            left = 52 - i
            j = draws[hand, i] % left
            cards[hand, i] = deck[j]
            deck[j] = deck[left - 1]
