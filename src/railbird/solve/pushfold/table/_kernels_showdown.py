"""Orders of three hands all-in, for one player's every class against two ranges."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel

CLASSES = 169
ORDERS = 13
WIDTH = 16
"""Numbers of a row of the table: the orders, padded to a cache line."""


@kernel
def orders_against(
    table: np.ndarray,
    start: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    code: np.ndarray,
    hero: int,
    out: np.ndarray,
) -> None:
    """Fill ``out`` (169, 13) with the weight of each order, by the hero's class.

    ``table`` (818805, 16) float32 holds the joint probability of three ascending classes and the
    order of their hands, ``start`` the rows of `preflop_triples.row_of_pair`; ``first`` and
    ``second`` (169,) are how often the other two players, in the order of seats, play each class.
    ``code`` (6, 13) turns an order of ascending classes into one of players. Only classes that are
    played are visited, as ranges that call an all-in are narrow.
    """
    ones, twos = np.flatnonzero(first), np.flatnonzero(second)
    by_order = np.empty((3, WIDTH), dtype=np.float32)
    for own in range(CLASSES):
        out[own] = 0.0
        for i in range(len(ones)):
            one = int(ones[i])
            by_order[:] = 0.0
            low, high = min(own, one), max(own, one)
            for j in range(len(twos)):
                two = int(twos[j])
                if two < low:
                    place, row = 0, start[two, low] + high - low
                elif two <= high:
                    place, row = 1, start[low, two] + high - two
                else:
                    place, row = 2, start[low, high] + two - high
                weight = np.float32(second[two])
                line, total = table[row], by_order[place]
                for k in range(WIDTH):
                    total[k] += weight * line[k]
            for place in range(3):
                permutation = code[arrangement(hero, own > one, place)]
                for k in range(ORDERS):
                    out[own, permutation[k]] += first[one] * by_order[place, k]


@kernel
def arrangement(hero: int, swapped: bool, place: int) -> int:
    """Return which of the six permutations leads from ascending classes to players.

    ``swapped`` says that the hero's class is above the first other's, ``place`` where the second
    other's class is among both. The permutation is numbered by the players of the lowest class and
    of the next one, as 2 * lowest + (next above the remaining).
    """
    one = 1 if hero == 0 else 0
    two = 1 if hero == 2 else 2
    low, high = (one, hero) if swapped else (hero, one)
    if place == 0:
        lowest, middle = two, low
    elif place == 1:
        lowest, middle = low, two
    else:
        lowest, middle = low, high
    return 2 * lowest + int(middle > 3 - lowest - middle)
