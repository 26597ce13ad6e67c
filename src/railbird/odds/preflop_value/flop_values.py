"""Odds of one hand class, or of all, on every flop, against opponents with ranges of classes."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._files import replace_files
from railbird._jit import room_cache
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, HandClass, holdings_of_class
from railbird.cards.isomorphism.boards import CARD_UNDER, HOLDING_UNDER, board_classes
from railbird.errors import BadInput, RailbirdError
from railbird.odds.preflop_value._kernels_flop_values import add_flop_values
from railbird.odds.settings import CACHED_VALUES
from railbird.progress import Progress

Floats = npt.NDArray[np.float32]

_SLICE: Final = 2_048
UNREADABLE: Final = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile)
"""What reading a damaged file raises."""


@dataclass(frozen=True, kw_only=True)
class FlopValues:
    """A holding's flops up to suits; rows are (class of flops, holding of the class) pairs."""

    flops: npt.NDArray[np.float64]
    """(rows,) probability of each, if no card but the holding's is known."""
    won: Floats
    """(rows, powers) mean product over opponents of the weight that is beaten, ties half."""
    whole: Floats
    """(rows, powers) mean product over opponents of the weight that is possible."""


def flop_values(
    hand_class: HandClass,
    acted: Sequence[npt.NDArray[np.float64]],
    ahead: npt.NDArray[np.float64] | None,
    players_ahead: int,
    *,
    progress: Progress | None = None,
) -> FlopValues:
    """Return a class's odds on all flops, from the cache if it has them.

    ``acted`` are weights (169,) by class of each opponent who is in, ``ahead`` those of each of up
    to ``players_ahead`` who may come in: power k of the result has k of them. Computing takes some
    seconds. Raises `BadInput` if there is no opponent at all.
    """
    key = _key(hand_class, acted, ahead, players_ahead)
    path = _paths.cache_folder() / "preflop_values" / f"{key}.npz"
    found = _read(path)
    if found is None:
        sums = sum_over_boards(
            holdings_of(hand_class), acted, ahead, players_ahead, progress=progress
        )
        found = class_values(sums)
        buffer = io.BytesIO()
        np.savez(buffer, flops=found.flops, won=found.won, whole=found.whole)
        keep(path, buffer.getvalue())
    return found


def sum_over_boards(
    heroes: npt.NDArray[np.int64],
    acted: Sequence[npt.NDArray[np.float64]],
    ahead: npt.NDArray[np.float64] | None,
    players_ahead: int,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return (flops, heroes, 2, powers): the sums of `FlopValues` by class of flops and holding.

    ``heroes`` are holdings, all of a class or none.
    """
    ranges: list[npt.NDArray[np.float64]] = []
    times: list[int] = []
    for each in acted:
        _count(each, ranges, times, 1)
    powered = -1
    if ahead is not None and players_ahead:
        powered = _count(ahead, ranges, times, 0)
    if not ranges:
        raise BadInput("nobody is in and nobody is to act; allowed: one opponent or more")
    boards, flops = board_classes(5), board_classes(3)
    place = np.full(HOLDINGS, -1, dtype=np.int64)
    place[heroes] = np.arange(len(heroes))
    powers = players_ahead + 1 if powered >= 0 else 1
    sums = np.zeros((len(flops.orbit), len(heroes), 2, powers), dtype=np.float32)
    weights = np.array(ranges)[:, CLASS_OF_HOLDING]
    # By default it is in the order of columns, where each holding's rows lie apart.
    weights = np.ascontiguousarray(weights / weights.sum(axis=1, keepdims=True))
    for start in range(0, len(boards.orbit), _SLICE):
        stop = min(start + _SLICE, len(boards.orbit))
        add_flop_values(
            boards.representative,
            boards.orbit,
            start,
            stop,
            heroes,
            place,
            weights,
            np.array(times),
            powered,
            flops.row,
            flops.permutation,
            flops.orbit,
            sums,
        )
        if progress is not None:
            progress(stop, len(boards.orbit), "values on all flops")
    _symmetrise(sums, heroes, place)
    return sums


def holdings_of(hand_class: HandClass) -> npt.NDArray[np.int64]:
    """Return the holdings of a class."""
    return np.array(holdings_of_class(hand_class), dtype=np.int64)


def _count(
    weights: npt.NDArray[np.float64],
    ranges: list[npt.NDArray[np.float64]],
    times: list[int],
    more: int,
) -> int:
    """Count a range among those that differ; return its place."""
    if weights.shape != (CLASSES,) or not (weights >= 0).all() or not weights.any():
        raise BadInput(f"weights of shape {weights.shape}; allowed: {CLASSES}, none negative")
    for place, known in enumerate(ranges):
        if np.array_equal(known, weights):
            times[place] += more
            return place
    ranges.append(weights)
    times.append(more)
    return len(ranges) - 1


def _symmetrise(sums: Floats, heroes: npt.NDArray[np.int64], place: npt.NDArray[np.int64]) -> None:
    """Average over the renamings of suits that leave a flop as it is.

    A board was added to one image of its flops only, and there are several such images.
    """
    representative = board_classes(3).representative
    same = (np.sort(CARD_UNDER[:, representative], axis=2) == representative).all(axis=2)
    for row, images in enumerate(same.T):
        if np.count_nonzero(images) > 1:
            columns = place[HOLDING_UNDER[images][:, heroes]]
            sums[row] = sums[row][columns].mean(axis=0)


def class_values(sums: Floats) -> FlopValues:
    """Return a class's flops, given the sums (flops, holdings, 2, powers) of its holdings."""
    flops = np.repeat(board_classes(3).orbit.astype(np.float64), sums.shape[1])
    rows = sums.reshape(-1, 2, sums.shape[3])
    possible = rows[:, 1, 0] > 0
    flops, rows = flops[possible], rows[possible]
    return FlopValues(flops=flops / flops.sum(), won=rows[:, 0], whole=rows[:, 1])


def _key(
    hand_class: HandClass,
    acted: Sequence[npt.NDArray[np.float64]],
    ahead: npt.NDArray[np.float64] | None,
    players_ahead: int,
) -> str:
    """Return a name of everything that the values depend on, the kernels among it."""
    digest = hashlib.sha256(f"{room_cache('odds').name} {hand_class}".encode())
    for each in sorted(one.tobytes() for one in acted):
        digest.update(each)
    if ahead is not None and players_ahead:
        digest.update(f"ahead {players_ahead}".encode() + ahead.tobytes())
    return digest.hexdigest()[:24]


def _read(path: Path) -> FlopValues | None:
    """Return what was kept; None if it is missing or cannot be read."""
    try:
        with np.load(path) as kept:
            return FlopValues(flops=kept["flops"], won=kept["won"], whole=kept["whole"])
    except UNREADABLE:
        return None


def keep(path: Path, content: bytes) -> None:
    """Keep a file in the cache, of all its kind the newest; without a cache that takes it, none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_files({path: content})
        kept = sorted(path.parent.glob("*.npz"), key=lambda each: each.stat().st_mtime)
        for old in kept[:-CACHED_VALUES]:
            old.unlink(missing_ok=True)
    except (OSError, RailbirdError):
        return
