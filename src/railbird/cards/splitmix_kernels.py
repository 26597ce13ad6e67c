"""Random bits from a counter, for any game: the generator behind deals, samples and digests.

It is implemented here because the same seed must give the same cards and decisions in Python, in
compiled code and with every version of NumPy. Source: G. L. Steele Jr, D. Lea and C. H. Flood,
"Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, figure 17 and MIX13.
`railbird.players.seeds.SplitMix64` is the same generator in Python's own integers.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from railbird._jit import inline_kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Step of the counter: consecutive numbers of a stream belong to counters this far apart."""
FIRST_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MULTIPLIER = np.uint64(0x94D049BB133111EB)
_27, _30, _31 = (np.uint64(shift) for shift in (27, 30, 31))

_Bits = TypeVar("_Bits", np.uint64, npt.NDArray[np.uint64])


def mix(counters: _Bits) -> _Bits:
    """Return 64 random bits for each counter of an array of uint64."""
    bits = (counters ^ (counters >> _30)) * FIRST_MULTIPLIER
    bits = (bits ^ (bits >> _27)) * SECOND_MULTIPLIER
    return bits ^ (bits >> _31)


mixed_bits = inline_kernel(mix)
"""The same in kernels, for one counter."""
