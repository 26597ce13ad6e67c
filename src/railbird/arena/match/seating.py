"""Seating of the players of a match: once, in duplicate, or with other neighbours each time."""

from __future__ import annotations

import math
from enum import Enum

import numpy as np
from numpy.typing import NDArray


class Seating(Enum):
    """Number and order of the seatings in which each deal is played."""

    SINGLE = "single"
    """Once; players move by one seat from deal to deal, so that the button rotates."""
    DUPLICATE = "duplicate"
    """Once in every rotation of the players, so that each of them plays every seat's cards."""
    PERMUTED = "permuted"
    """As often, but with different neighbours each time if the number of seats allows it.

    If the number of seats is one less than a prime p, player i sits in round r at seat r * i modulo
    p, both counted from 1: everybody has every seat once, and any two players are any number of
    seats apart equally often. Other numbers of seats play all rotations. Rounds continue from deal
    to deal, so that nobody keeps a seat.
    """


def seat_orders(seating: Seating, seats: int) -> NDArray[np.int64]:
    """Players by turn and seat, shape (seats, seats): turns repeat after as many as seats.

    >>> seat_orders(Seating.DUPLICATE, 3).tolist()
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    """
    each = np.arange(seats)
    if seating is Seating.PERMUTED and is_prime(prime := seats + 1):
        inverses = np.array([pow(r, -1, prime) for r in range(1, prime)])
        return inverses[:, None] * (each + 1) % prime - 1
    return (each[:, None] + each) % seats


def is_prime(number: int) -> bool:
    """Return whether a small number is prime."""
    return number > 1 and all(number % divisor for divisor in range(2, math.isqrt(number) + 1))
