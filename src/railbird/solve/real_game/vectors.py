"""Betting sequences in vectors of `WIDTH`, laid out for the river's kernels."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.solve._kernels_lanes import WIDTH
from railbird.solve.limit.betting_tree import BettingRound
from railbird.solve.real_game._kernels_river import HEAD

Vectors = npt.NDArray[np.float32]

_LINE = 16
"""Numbers in a line of the cache."""


def aligned(*shape: int) -> Vectors:
    """Return zeros that begin a line of the cache.

    Where vectors cross lines, a showdown takes four times as long.
    """
    numbers = prod(shape)
    room = np.zeros(numbers + _LINE, dtype=np.float32)
    first = -room.ctypes.data % (_LINE * room.itemsize) // room.itemsize
    return room[first : first + numbers].reshape(shape)


def room_for(part: BettingRound) -> Vectors:
    """Return room for `add_river`, which is kept since fresh pages cost time."""
    return aligned(HEAD + HOLDINGS * WIDTH * (2 * part.nodes + 2))


def in_vectors(reach: Vectors) -> Vectors:
    """Return (vectors, 1326, `WIDTH`) of (1326, sequences).

    The last vector goes back over sequences that are done, which are zero in it, as is padding.
    """
    bounds = _bounds(reach.shape[1])
    found = aligned(len(bounds) - 1, len(reach), WIDTH)
    for vector, (begin, end) in enumerate(pairwise(bounds)):
        first = max(end - WIDTH, 0)
        found[vector, :, begin - first : end - first] = reach[:, begin:end]
    return found


def from_vectors(values: Vectors, sequences: int) -> Vectors:
    """Return (1326, sequences) of what `in_vectors` laid out."""
    found = np.empty((values.shape[1], sequences), dtype=np.float32)
    for vector, (begin, end) in enumerate(pairwise(_bounds(sequences))):
        first = max(end - WIDTH, 0)
        found[:, begin:end] = values[vector, :, begin - first : end - first]
    return found


def _bounds(sequences: int) -> list[int]:
    return [*range(0, sequences, WIDTH), sequences]
