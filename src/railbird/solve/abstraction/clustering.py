"""Clusters of rows of small integers by k-means, the same on every machine.

Rows and centres are whole numbers from 0 to 255, so squared distances are whole numbers too, which
float32 holds exactly, and matrix products of them do not depend on the order of adding.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices

Rows = npt.NDArray[np.uint8]
"""(rows, features), of which there are at most `MOST_FEATURES`."""

MOST_FEATURES = 64
"""Half of a squared length, 255^2 * 64 / 2 and a half, is exact in float32."""

_BYTES = 8
_ROWS_AT_ONCE = 256
_ROWS_A_SLICE = 1 << 14


def distinct(rows: Rows) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Return the different rows, and the number of each row among them; eight bytes at a time."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // _BYTES) * _BYTES), dtype=np.uint8)
    padded[:, : rows.shape[1]] = rows
    words = padded.view(np.uint64)
    number = np.zeros(len(rows), dtype=np.uint64)
    first = np.zeros(1, dtype=np.int64)
    for word in words.T:
        _, part = np.unique(word, return_inverse=True)
        joined = number << np.uint64(32) | part.astype(np.uint64)
        _, first, inverse = np.unique(joined, return_index=True, return_inverse=True)
        number = inverse.astype(np.uint64)
    return rows[first], number.astype(np.int64)


def nearest(rows: Rows, centres: Rows) -> npt.NDArray[np.int32]:
    """Return (rows,) the number of the nearest centre of each row, the first of those alike."""
    features = centres.shape[1]
    points = centres.astype(np.float32)
    products = np.empty((features + 1, len(centres)), dtype=np.float32)
    products[:features] = points.T
    products[features] = -np.sum(points**2, axis=1) / 2
    found = np.empty(len(rows), dtype=np.int32)

    def work(start: int, stop: int) -> None:
        room = np.empty((_ROWS_AT_ONCE, len(centres)), dtype=np.float32)
        some = np.ones((_ROWS_AT_ONCE, features + 1), dtype=np.float32)
        for begin in range(start, stop, _ROWS_AT_ONCE):
            count = min(_ROWS_AT_ONCE, stop - begin)
            some[:count, :features] = rows[begin : begin + count]
            np.matmul(some[:count], products, out=room[:count])
            found[begin : begin + count] = room[:count].argmax(axis=1)

    in_slices(work, len(rows), size=_ROWS_A_SLICE, what="nearest centres")
    return found


def first_centres(
    rows: Rows, weights: npt.NDArray[np.int64], count: int, sample: int, rng: np.random.Generator
) -> Rows:
    """Choose centres among the rows by k-means++ (Arthur and Vassilvitskii 2007), of a sample."""
    drawn = np.searchsorted(np.cumsum(weights), rng.random(sample) * weights.sum(), side="right")
    chosen = np.unique(np.minimum(drawn, len(rows) - 1))
    if len(chosen) < count:
        chosen = np.argsort(-weights, kind="stable")[: max(count, len(chosen))]
    points = rows[chosen].astype(np.float32)
    squares = np.sum(points**2, axis=1)
    distance = np.full(len(points), np.inf, dtype=np.float32)
    centres = np.empty((count, rows.shape[1]), dtype=np.uint8)
    next_one = int(rng.integers(len(points)))
    for number in range(count):
        centre = points[next_one]
        centres[number] = rows[chosen[next_one]]
        away = squares - 2 * (points @ centre)
        away += squares[next_one]
        np.minimum(distance, away, out=distance)
        below = np.cumsum(distance, dtype=np.float64)
        place = np.searchsorted(below, rng.random() * below[-1], side="right")
        next_one = min(int(place), len(points) - 1)
    return centres


def cluster(
    rows: Rows,
    weights: npt.NDArray[np.int64],
    count: int,
    *,
    passes: int,
    sample: int,
    rng: np.random.Generator,
    told: Callable[[int], None] | None = None,
) -> tuple[Rows, npt.NDArray[np.int32]]:
    """Divide weighted rows into at most ``count`` clusters; return centres and each row's number.

    Centres ascend by the sum of their features. A cluster that loses all its rows keeps its centre.
    """
    centres = first_centres(rows, weights, min(count, len(rows)), sample, rng)
    for number in range(passes):
        label = nearest(rows, centres)
        size = np.bincount(label, weights=weights, minlength=len(centres))
        live = size > 0
        for feature in range(rows.shape[1]):
            total = np.bincount(label, weights=weights * rows[:, feature], minlength=len(centres))
            centres[live, feature] = np.rint(total[live] / size[live])
        if told is not None:
            told(number + 1)
    order = np.argsort(centres.sum(axis=1, dtype=np.int64), kind="stable")
    centres = np.ascontiguousarray(centres[order])
    return centres, nearest(rows, centres)
