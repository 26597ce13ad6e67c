"""Cards drawn from a shoe, and counted."""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, kernel, merged_kernel

BINS = 41
"""Counts from -20 to 20; those beyond go into the last ones."""
MIDDLE = 20

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)


@inline_kernel
def _random(state: np.ndarray) -> np.uint64:
    """Return 64 random bits (SplitMix64: Steele, Lea and Flood, OOPSLA 2014)."""
    state[0] += _GOLDEN
    z: np.uint64 = state[0]
    z = (z ^ (z >> np.uint64(30))) * _FIRST_FACTOR
    z = (z ^ (z >> np.uint64(27))) * _SECOND_FACTOR
    return z ^ (z >> np.uint64(31))


@inline_kernel
def draw(deck: np.ndarray, where: np.ndarray, state: np.ndarray, removal: float) -> int:
    """Draw a card: one of those before ``where[0]``, which goes behind them.

    If none is left, those that were dealt before this round, from ``where[1]`` on, are shuffled in.
    """
    if where[0] == 0:
        _rotate(deck, where)
    left = where[0]
    place = ((_random(state) >> np.uint64(32)) * np.uint64(left)) >> np.uint64(32)
    card: int = deck[place]
    if removal > 0:
        deck[place] = deck[left - 1]
        deck[left - 1] = card
        where[0] = left - 1
    return card


@kernel
def _rotate(deck: np.ndarray, where: np.ndarray) -> None:
    turned = where[1]
    before = deck.copy()
    others = len(deck) - turned
    for place in range(len(deck)):
        deck[place] = before[(place + turned) % len(deck)]
    where[0] = others
    where[1] = others


@merged_kernel
def count_bin(
    running: float, initial: float, drift: float, seen: int, cards: int, by_deck: bool
) -> int:
    """Return the place of a count: floor of the true count, or of the running one."""
    count = running
    if by_deck:
        count = (running - initial - drift * seen) / (max(cards - seen, 13) / 52.0)
    return min(max(int(np.floor(count + 1e-9)) + MIDDLE, 0), BINS - 1)


@inline_kernel
def see(counts: np.ndarray, tags: np.ndarray, card: int) -> None:
    """Let every seat count a card."""
    for seat in range(len(counts)):
        counts[seat] += tags[seat, card]
