"""Arrays for kernels that work on vectors."""

from __future__ import annotations

from math import prod

import numpy as np
import numpy.typing as npt

_LINE = 16
"""Numbers in a line of the cache."""


def aligned(*shape: int) -> npt.NDArray[np.float32]:
    """Return zeros that begin a line of the cache.

    Where vectors cross lines, a showdown takes four times as long.
    """
    numbers = prod(shape)
    room = np.zeros(numbers + _LINE, dtype=np.float32)
    first = -room.ctypes.data % (_LINE * room.itemsize) // room.itemsize
    return room[first : first + numbers].reshape(shape)
