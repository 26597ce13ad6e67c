"""Cards dealt from a shoe, and counted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import merged_uncounted_kernel, uncounted_kernel

BINS = 41
"""Counts from -20 to 20; those beyond go into the last ones."""
MIDDLE = 20

NEXT, READY, BEGUN, TURNED = 0, 1, 2, 3
"""Places in the shoe: the next card, the first that is not shuffled yet, the first of this round;
and whether the discards had to be shuffled in during this round."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_AT_ONCE = 8


class Cards(NamedTuple):
    """A shoe that is dealt from."""

    deck: np.ndarray
    """Ranks, those before ``where[READY]`` in the order of dealing (cards,)."""
    where: np.ndarray
    """Places in it (4,): `NEXT` to `TURNED`."""
    state: np.ndarray
    """Of the random numbers (1,)."""
    runs_out: bool
    """Whether a dealt card is gone; not so with infinitely many decks."""


@merged_uncounted_kernel
def draw(cards: Cards) -> int:
    """Deal the next card."""
    if cards.where[NEXT] == cards.where[READY]:
        _shuffle_on(cards)
    card: int = cards.deck[cards.where[NEXT]]
    cards.where[NEXT] += 1
    return card


@uncounted_kernel
def _shuffle_on(cards: Cards) -> None:
    """Shuffle some more cards, no deeper than they are dealt.

    A card that is drawn only where it is needed makes the processor wait for its random number
    after each branch that was guessed wrongly.
    """
    deck, where = cards.deck, cards.where
    size = len(deck)
    if where[NEXT] == size:
        if cards.runs_out:
            _shuffle_in(deck, where)
        else:
            where[NEXT] = 0
            where[READY] = 0
    first = where[READY]
    last = min(first + _AT_ONCE, size)
    seed = cards.state[0]
    for place in range(first, last):
        # SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)
        seed += _GOLDEN
        z: np.uint64 = seed
        z = (z ^ (z >> np.uint64(30))) * _FIRST_FACTOR
        z = (z ^ (z >> np.uint64(27))) * _SECOND_FACTOR
        z = (z ^ (z >> np.uint64(31))) >> np.uint64(32)
        if cards.runs_out:
            other = place + ((z * np.uint64(size - place)) >> np.uint64(32))
            card = deck[other]
            deck[other] = deck[place]
            deck[place] = card
        else:
            deck[place] = min((z * np.uint64(13)) >> np.uint64(32), np.uint64(9))
    cards.state[0] = seed
    where[READY] = last


@merged_uncounted_kernel
def _shuffle_in(deck: np.ndarray, where: np.ndarray) -> None:
    """Put the discards behind the cards of this round; if there are none, these themselves."""
    size = len(deck)
    begun = where[BEGUN]
    # Three reversals turn the deck around without another one.
    for first, last in ((0, begun), (begun, size), (0, size)):
        for place in range((last - first) // 2):
            card = deck[first + place]
            deck[first + place] = deck[last - 1 - place]
            deck[last - 1 - place] = card
    where[NEXT] = size - begun if begun else 0
    where[READY] = where[NEXT]
    where[BEGUN] = 0
    where[TURNED] = 1


@merged_uncounted_kernel
def count_bin(
    running: float, initial: float, drift: float, seen: int, cards: int, by_deck: bool
) -> int:
    """Return the place of a count: floor of the true count, or of the running one."""
    count = running
    if by_deck:
        count = (running - initial - drift * seen) / (max(cards - seen, 13) / 52.0)
    return min(max(int(np.floor(count + 1e-9)) + MIDDLE, 0), BINS - 1)
