"""Wins of every holding against every other before the flop, shipped with the package.

Counting them takes a core half a minute, reading a fifth of a second. Up to suit isomorphism there
are 93,769 ordered pairs of holdings, which take 200 kB. `count_wins_of_pairs` made the file; a slow
test counts it again.
"""

from __future__ import annotations

import zlib
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.cards import HOLDING_CARDS, HOLDINGS
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.cards.isomorphism.boards import HOLDING_UNDER, board_classes
from railbird.odds.equity._kernels_preflop_matrix import count_wins, level_boards
from railbird.progress import Progress

_FILE: Final = "data/preflop_wins.z"
_BYTES: Final = 3
"""Bytes of a count, at most 1,712,304."""

Wins = npt.NDArray[np.uint32]


def read_wins() -> Wins:
    """Return the boards that the row's holding wins against the column's, (1326, 1326).

    Pairs that share a card have 0.
    """
    packed = files(__package__).joinpath(_FILE).read_bytes()
    planes = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(_BYTES, -1)
    of_class = sum(plane.astype(np.uint32) << np.uint32(8 * k) for k, plane in enumerate(planes))
    pairs, place = _pair_classes()
    wins = np.zeros((HOLDINGS, HOLDINGS), dtype=np.uint32)
    wins[pairs] = np.asarray(of_class, dtype=np.uint32)[place]
    return wins


def packed_wins(wins: Wins) -> bytes:
    """Return the file that `read_wins` reads: one count per class, byte by byte, compressed."""
    pairs, place = _pair_classes()
    of_class = np.zeros(place.max() + 1, dtype=np.uint32)
    of_class[place] = wins[pairs]
    planes = [(of_class >> np.uint32(8 * k)).astype(np.uint8) for k in range(_BYTES)]
    return zlib.compress(b"".join(plane.tobytes() for plane in planes), 9)


def _pair_classes() -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Return a mask of the pairs that share no card, (1326, 1326), and their classes."""
    first = np.full((HOLDINGS, HOLDINGS), HOLDINGS**2, dtype=np.int32)
    for under in HOLDING_UNDER.astype(np.int32):
        np.minimum(first, under[:, np.newaxis] * HOLDINGS + under, out=first)
    disjoint: npt.NDArray[np.bool_] = (HOLDING_MASK[:, np.newaxis] & HOLDING_MASK) == 0
    return disjoint, np.unique(first[disjoint], return_inverse=True)[1]


def count_wins_of_pairs(progress: Progress | None = None) -> Wins:
    """Compute the result of `read_wins`, from every class of boards."""
    classes = board_classes(5)
    by_orbit = np.argsort(classes.orbit, kind="stable")
    boards = classes.representative[by_orbit]
    levels = np.empty((len(boards), HOLDINGS), dtype=np.uint8)
    in_slices(
        lambda start, stop: level_boards(boards, start, stop, levels),
        len(boards),
        size=1024,
        what="river orders",
        progress=progress,
    )
    weights, first = np.unique(classes.orbit[by_orbit], return_index=True)
    runs = list(zip(weights.tolist(), first, [*first[1:], len(boards)], strict=True))
    wins = np.zeros((HOLDINGS, HOLDINGS), dtype=np.uint32)

    def count(start: int, stop: int) -> None:
        for weight, first_board, last_board in runs:
            count_wins(levels, first_board, last_board, weight, start, stop, wins)

    in_slices(count, HOLDINGS, size=39, what="all pairs of holdings", progress=progress)
    # The boards of a class are the images of its representative, 24 / orbit times each.
    total = sum(wins[np.ix_(under, under)] for under in HOLDING_UNDER)
    share_a_card = (
        HOLDING_CARDS[:, np.newaxis, :, np.newaxis] == HOLDING_CARDS[:, np.newaxis]
    ).any(axis=(2, 3))
    counted: Wins = np.where(share_a_card, 0, total // len(HOLDING_UNDER)).astype(np.uint32)
    return counted
