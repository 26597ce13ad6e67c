"""Three hand classes all-in before the flop: the probabilities of all orders of their hands.

Counting all boards for the 818,805 triples of classes is out of reach, so `BOARDS` of them are
sampled, once and with a fixed seed; the number of ways to deal each triple is exact. Tools for
tournaments do the same for three players.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.cards import CLASS_OF_HOLDING, CLASSES
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.odds.equity._kernels_preflop_triples import (
    ORDERS,
    count_holdings,
    count_orders,
    draw_boards,
)
from railbird.progress import Progress

TRIPLES: Final = CLASSES * (CLASSES + 1) * (CLASSES + 2) // 6
COLUMNS: Final = ORDERS + 1
BOARDS: Final = 16_384
"""Boards of the sample. Two in five fit a triple, so that a class's share of the pot against two
others has a standard error of 0.5 %, and that of a range less: its classes' errors are not alike.
The table takes a core half a minute, once."""

_SEED: Final = 20_041_973
_BATCH: Final = 128

Counts = npt.NDArray[np.uint16]


def row_of_pair() -> npt.NDArray[np.int64]:
    """Return (169, 169) the row of two ascending classes with the second one again as the third.

    The row of classes a <= b <= c is this of a and b, plus c - b.
    """
    widths = np.where(np.tri(CLASSES, dtype=bool).T, CLASSES - np.arange(CLASSES), 0)
    ends = np.cumsum(widths.ravel()).reshape(CLASSES, CLASSES)
    rows: npt.NDArray[np.int64] = (ends - widths).astype(np.int64)
    return rows


def fill_triples(counts: Counts, progress: Progress | None = None) -> None:
    """Fill (818805, 14): boards by order, and ways to deal, of every three ascending classes."""
    rng = np.random.default_rng(_SEED)
    start = row_of_pair()
    by_class = np.argsort(CLASS_OF_HOLDING, kind="stable")
    begins = np.searchsorted(CLASS_OF_HOLDING[by_class], np.arange(CLASSES + 1))
    counts[:] = 0
    in_slices(
        lambda first, end: count_holdings(
            first, end, HOLDING_MASK[by_class], begins, start, counts
        ),
        CLASSES,
        size=8,
        what="three classes: deals",
    )
    for done in range(0, BOARDS, _BATCH):
        if progress is not None:
            progress(done, BOARDS, "three classes: boards")
        boards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (_BATCH, 1)), axis=1)[:, :5]
        places = rng.integers(0, np.diff(begins), (_BATCH, 3, CLASSES))
        _count_batch(boards, by_class[begins[:-1] + places].astype(np.int16), start, counts)


def _count_batch(
    boards: npt.NDArray[np.uint8],
    drawn: npt.NDArray[np.int16],
    start: npt.NDArray[np.int64],
    counts: Counts,
) -> None:
    strength = np.zeros((3, _BATCH, CLASSES), dtype=np.int16)
    free = np.empty((3, CLASSES, _BATCH, CLASSES), dtype=np.uint8)
    in_slices(
        lambda first, end: draw_boards(first, end, boards, drawn, strength, free),
        _BATCH,
        size=64,
        what="boards",
    )
    in_slices(
        lambda first, end: count_orders(first, end, strength, free, start, counts),
        CLASSES,
        size=4,
        what="orders",
    )
