"""SplitMix64, the generator that players draw decisions from.

It is written out here, and once more as a kernel, because a decision must come out the same from
Python, from compiled code and from every version of NumPy. Source: G. L. Steele Jr, D. Lea and
C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, figure 17 and MIX13.
"""

from __future__ import annotations

GAMMA = 0x9E3779B97F4A7C15
FIRST_MULTIPLIER = 0xBF58476D1CE4E5B9
SECOND_MULTIPLIER = 0x94D049BB133111EB
UNIT = 2.0**-53
"""Turns the 53 high bits of a draw into a fraction."""

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
        """The next number, 0 to 2**64 - 1."""
        self.state = z = (self.state + GAMMA) & _MASK
        z = ((z ^ (z >> 30)) * FIRST_MULTIPLIER) & _MASK
        z = ((z ^ (z >> 27)) * SECOND_MULTIPLIER) & _MASK
        return z ^ (z >> 31)

    def fraction(self) -> float:
        """The next number as a fraction, from 0 to below 1."""
        return (self.next() >> 11) * UNIT

    def between(self, low: int, high: int) -> int:
        """A number from ``low`` to ``high``, both included, from one draw.

        The remainder favours low numbers by less than (high - low) / 2**64.
        """
        return low + self.next() % (high - low + 1)
