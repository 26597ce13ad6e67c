"""Betting sequences in vectors of `WIDTH`, laid out for the river's kernels."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.solve.limit.betting_tree import BettingRound
from railbird.solve.real_game._kernels_river import HEAD
from railbird.solve.simd._kernels_lanes import WIDTH
from railbird.solve.simd.aligned_arrays import aligned

Vectors = npt.NDArray[np.float32]


class Room(NamedTuple):
    """Arrays that are kept from board to board, since fresh pages cost time."""

    work: Vectors
    """For `add_river`."""
    reached: Vectors
    """(vectors, 1326, `WIDTH`) the opponent's reach of the river; see `lay_out`."""
    later: Vectors
    """The same of the river's values."""
    found: Vectors
    """(1326, sequences) these values, by `take_back`."""


def room_for(part: BettingRound) -> Room:
    """Return room for rivers of a round."""
    vectors = len(_bounds(part.sequences)) - 1
    return Room(
        aligned(HEAD + HOLDINGS * WIDTH * (2 * part.nodes + 2)),
        aligned(vectors, HOLDINGS, WIDTH),
        aligned(vectors, HOLDINGS, WIDTH),
        np.empty((HOLDINGS, part.sequences), dtype=np.float32),
    )


def lay_out(reach: Vectors, room: Room) -> npt.NDArray[np.int64]:
    """Fill ``room.reached`` with (1326, sequences), and ``room.later`` with zeros.

    The last vector goes back over sequences that are done, which stay zero in it, as does padding.
    Returns the vectors that have any reach.
    """
    happening = []
    for vector, (begin, end) in enumerate(pairwise(_bounds(reach.shape[1]))):
        first, some = max(end - WIDTH, 0), reach[:, begin:end]
        room.reached[vector, :, begin - first : end - first] = some
        if some.any():
            happening.append(vector)
    room.later[:] = 0
    return np.array(happening, dtype=np.int64)


def take_back(room: Room) -> Vectors:
    """Return ``room.found``, filled with (1326, sequences) of ``room.later``."""
    for vector, (begin, end) in enumerate(pairwise(_bounds(room.found.shape[1]))):
        first = max(end - WIDTH, 0)
        room.found[:, begin:end] = room.later[vector, :, begin - first : end - first]
    return room.found


def _bounds(sequences: int) -> list[int]:
    return [*range(0, sequences, WIDTH), sequences]
