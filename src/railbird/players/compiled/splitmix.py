"""SplitMix64, the generator of players' random decisions.

It is implemented here, and again as a kernel, because decisions must be the same in Python, in
compiled code and with every version of NumPy. Source: G. L. Steele Jr, D. Lea and C. H. Flood,
"Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, figure 17 and MIX13.
"""

from __future__ import annotations

GAMMA = 0x9E3779B97F4A7C15
FIRST_MULTIPLIER = 0xBF58476D1CE4E5B9
SECOND_MULTIPLIER = 0x94D049BB133111EB
UNIT = 2.0**-53
"""Factor from the 53 high bits of a draw to a fraction."""

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
        self.state = z = (self.state + GAMMA) & _MASK
        z = ((z ^ (z >> 30)) * FIRST_MULTIPLIER) & _MASK
        z = ((z ^ (z >> 27)) * SECOND_MULTIPLIER) & _MASK
        return z ^ (z >> 31)

    def fraction(self) -> float:
        """Return the next number as a fraction, from 0 to below 1."""
        return (self.next() >> 11) * UNIT

    def between(self, low: int, high: int) -> int:
        """Return a number from ``low`` to ``high``, both included, from one draw.

        The remainder favours low numbers by less than (high - low) / 2**64.
        """
        return low + self.next() % (high - low + 1)
