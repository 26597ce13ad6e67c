"""A generator's seed as text, so another process draws the same numbers; players of any game."""

from __future__ import annotations

import re

import numpy as np

from railbird.cards.splitmix_kernels import FIRST_MULTIPLIER, GOLDEN, SECOND_MULTIPLIER
from railbird.errors import BadInput

SEED_VARIABLE = "RAILBIRD_SEED"
"""The environment variable that gives a player's process its seed."""

_SEED = re.compile(r"[0-9]{1,50}(\.[0-9]{1,10}){0,8}")


def seed_text(rng: np.random.Generator) -> str:
    """Return the seed from which `rng_of` makes an equal generator, if nothing was drawn yet.

    If the generator's seed is not known, one is drawn from the generator.

    >>> seed_text(np.random.Generator(np.random.PCG64(np.random.SeedSequence(7, spawn_key=(1, 0)))))
    '7.1.0'
    """
    seeds = rng.bit_generator.seed_seq
    if isinstance(seeds, np.random.SeedSequence) and isinstance(seeds.entropy, int):
        return ".".join(map(str, (seeds.entropy, *seeds.spawn_key)))
    return str(rng.integers(1 << 63))


def rng_of(text: str) -> np.random.Generator:
    """Return the generator of a seed such as ``7`` or ``7.1.0``. Raises `BadInput`."""
    if _SEED.fullmatch(text) is None:
        raise BadInput(f"seed {text!r}; allowed: whole numbers with dots between them")
    entropy, *key = map(int, text.split("."))
    seeds = np.random.SeedSequence(entropy, spawn_key=tuple(key))
    return np.random.Generator(np.random.PCG64(seeds))


# SplitMix64, the generator for players' random decisions.
#
# `railbird.cards.splitmix_kernels` is the same generator for arrays and kernels, and names its
# source. Here it uses Python's integers, with which a draw takes a third of the time of a NumPy
# scalar.


_GOLDEN, _FIRST, _SECOND = map(int, (GOLDEN, FIRST_MULTIPLIER, SECOND_MULTIPLIER))
UNIT = 2.0**-53
"""Factor that turns the 53 high bits of a draw into a fraction."""

_MASK = (1 << 64) - 1


class SplitMix64:
    """A stream of 64-bit numbers from a 64-bit seed.

    >>> stream = SplitMix64(1234567)
    >>> stream.next(), stream.next()
    (6457827717110365317, 3203168211198807973)
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """Return the next number, 0 to 2**64 - 1."""
        self.state = z = (self.state + _GOLDEN) & _MASK
        z = ((z ^ (z >> 30)) * _FIRST) & _MASK
        z = ((z ^ (z >> 27)) * _SECOND) & _MASK
        return z ^ (z >> 31)

    def fraction(self) -> float:
        """Return the next number as a fraction, 0 or more and below 1."""
        return (self.next() >> 11) * UNIT

    def between(self, low: int, high: int) -> int:
        """Return a number from ``low`` to ``high``, both included, from one draw.

        Taking the remainder favours low numbers, by less than (high - low) / 2**64.
        """
        return low + self.next() % (high - low + 1)
