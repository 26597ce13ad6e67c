"""Finding percentiles and counting showdowns over all deals, exactly; kept in the cache folder.

The boards are all 2,554,656 canonical ones in the order of dealing. What has been counted is
written every `CHECKPOINT_SECONDS`, so that an interruption costs little. All numbers are integers,
so the result does not depend on the number of threads.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._files import atomic_write, locked
from railbird._threads import in_order, thread_count
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.cards.isomorphism.boards import BOARD_CLASSES, board_classes
from railbird.cards.isomorphism.rank_classes import COLUMN
from railbird.odds.tables._kernels_ranking import ABSENT_32
from railbird.progress import Progress
from railbird.solve.abstraction._kernels_percentile import (
    count_showdowns,
    river_histogram,
    turn_histogram,
)
from railbird.solve.abstraction.percentile import (
    SHIFTS,
    PercentileAbstraction,
    Thresholds,
    Values,
    check_buckets,
    open_values,
    read_percentile,
)
from railbird.solve.abstraction.settings import CHECKPOINT_SECONDS, FLOPS_A_TASK
from railbird.solve.abstraction.shipped_counts import read_shipped

_VERSION = 1
_TURN_VALUES = 1 << 16
_RIVER_VALUES = 1981
_FLOPS = BOARD_CLASSES[3]

_Result = TypeVar("_Result")
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CountedAbstraction:
    """A percentile abstraction, and how often its states meet in showdowns."""

    abstraction: PercentileAbstraction
    wins: Counts
    """(states, states) of the river: deals in which the first of two holdings, in the one state,
    beats the second, in the other, in the order of dealing."""
    ties: Counts
    """(states, states) the same for ties; symmetric."""


def folder() -> Path:
    """Return the cache folder of abstractions."""
    return _paths.cache_folder() / "abstractions"


def path_of(buckets: Sequence[int]) -> Path:
    """Return the file of an abstraction with its counts."""
    return folder() / f"percentile-{'-'.join(map(str, buckets))}.npz"


class KeptCount(NamedTuple):
    """A count in the cache folder."""

    name: str
    path: Path
    share: float
    """Of the flops that have been counted, 0 to 1."""


def kept_counts() -> list[KeptCount]:
    """List the counts in the cache folder, by name."""
    rows = []
    for path in sorted(folder().glob("percentile-*.npz")):
        if (found := _read(path, whole=False)) is not None:
            rows.append(KeptCount(found.abstraction.name, path, found.flops / _FLOPS))
    return rows


@checked
def counted_abstraction(
    buckets: tuple[int, ...], *, use_shipped: bool = True, progress: Progress | None = None
) -> CountedAbstraction:
    """Return an abstraction with its counts, counting first if nobody has done so.

    Those of 5-5-5-5 come with the package; unless ``use_shipped`` is False, they are read. Others
    are kept in the cache folder and take some minutes of both cores. An interrupted count is
    resumed.
    Raises `BadInput` for numbers of buckets that cannot be used.
    """
    buckets = check_buckets(buckets)
    if use_shipped and (shipped := read_shipped(buckets)) is not None:
        return CountedAbstraction(*shipped)
    path = path_of(buckets)
    if (found := _read(path)) is None:
        with locked(path.with_suffix(".lock")):
            found = _read(path) or _build(path, buckets, progress)
    return CountedAbstraction(found.abstraction, found.wins, found.ties)


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """What has been counted of an abstraction."""

    abstraction: PercentileAbstraction
    flops: int
    """Classes of flops that have been counted, in order."""
    wins: Counts
    ties: Counts

    def write(self, path: Path) -> None:
        """Write it whole."""
        record = json.dumps({"version": _VERSION, **self.abstraction.record})
        with atomic_write(path) as part, part.open("wb") as file:
            np.savez(
                file,
                record=np.array(record),
                flops=np.array(self.flops),
                wins=self.wins,
                ties=self.ties,
            )


def _read(path: Path, *, whole: bool = True) -> Count | None:
    """Read a count; None if it is missing, damaged, of another version, or not ``whole``."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            record = json.loads(str(kept["record"]))
            if record["version"] != _VERSION:
                return None
            found = Count(read_percentile(record), int(kept["flops"]), kept["wins"], kept["ties"])
    except Exception:  # whatever a damaged archive raises: it is counted again
        return None
    shape = (found.abstraction.states[-1],) * 2
    if found.wins.shape != shape or found.ties.shape != shape:
        return None
    return found if found.flops == _FLOPS or not whole else None


def _build(path: Path, buckets: tuple[int, ...], progress: Progress | None) -> Count:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    found = _read(part, whole=False)
    if found is None:
        abstraction = find_percentiles(buckets, progress=progress)
        states = abstraction.states[-1]
        zeros = np.zeros((states, states), dtype=np.int64)
        found = Count(abstraction, 0, zeros, zeros.copy())
    written = time.monotonic()
    try:
        for wins, ties in _in_tasks(count_showdowns_after(found.abstraction), found.flops):
            # One assignment: an interruption must not leave some of a task's numbers counted.
            found = Count(
                found.abstraction,
                min(found.flops + FLOPS_A_TASK, _FLOPS),
                found.wins + wins,
                found.ties + ties,
            )
            if progress is not None:
                progress(found.flops, _FLOPS, "showdowns between states, by flop")
            if time.monotonic() - written > CHECKPOINT_SECONDS:
                found.write(part)
                written = time.monotonic()
    except BaseException:
        found.write(part)
        raise
    found.write(path)
    part.unlink(missing_ok=True)
    return found


def find_percentiles(
    buckets: tuple[int, ...], *, progress: Progress | None = None
) -> PercentileAbstraction:
    """Find the thresholds that divide the deals of each state into equal parts."""
    values = open_values()
    preflop = _preflop(values, buckets[0])
    flop = np.zeros((buckets[0], _TURN_VALUES), dtype=np.int64)
    squares = values.flop_hr7_squares.reshape(_FLOPS, HOLDINGS)
    weights = np.broadcast_to(board_classes(3).orbit[:, np.newaxis], squares.shape)
    states = np.broadcast_to(preflop[CLASS_OF_HOLDING], squares.shape)
    live = squares != ABSENT_32
    np.add.at(flop, (states[live], squares[live] >> SHIFTS[0]), weights[live])
    thresholds = [_thresholds(flop, buckets[1])]

    def counted(street: str, work: Callable[[range], Counts]) -> Thresholds:
        total, done = None, 0
        for part in _in_tasks(work, 0):
            total, done = part if total is None else total + part, done + FLOPS_A_TASK
            if progress is not None:
                progress(min(done, _FLOPS), _FLOPS, f"percentiles of the {street}, by flop")
        assert total is not None
        return _thresholds(total, buckets[len(thresholds) + 1])

    on_flop = _flop_states(PercentileAbstraction(buckets, preflop, tuple(thresholds)))
    flops, orbit = board_classes(3).representative, board_classes(3).orbit.astype(np.int64)
    turn = values.turn_start, values.turn_pattern, values.turn_hr7_squares, SHIFTS[1]

    def turns(numbers: range) -> Counts:
        histogram = np.zeros((buckets[0] * buckets[1], _TURN_VALUES), dtype=np.int64)
        for number in numbers:
            turn_histogram(flops[number], orbit[number], on_flop[number], *turn, histogram)
        return histogram

    thresholds.append(counted("turn", turns))
    river = values.river_start, values.river_pattern, values.river_ihr

    def rivers(numbers: range) -> Counts:
        histogram = np.zeros((len(thresholds[1]) * buckets[2], _RIVER_VALUES), dtype=np.int64)
        for number in numbers:
            river_histogram(
                flops[number],
                orbit[number],
                on_flop[number],
                *turn,
                thresholds[1],
                *river,
                histogram,
            )
        return histogram

    thresholds.append(counted("river", rivers))
    return PercentileAbstraction(buckets, preflop, tuple(thresholds))


def _preflop(values: Values, buckets: int) -> npt.NDArray[np.int32]:
    """Divide the hand classes into parts that are as equal as whole classes allow, (169,)."""
    _, members, combinations = np.unique(CLASS_OF_HOLDING, return_index=True, return_counts=True)
    columns = COLUMN[values.flop_pattern][:, members]
    squares = values.flop_hr7_squares[values.flop_start[:, np.newaxis] + columns]
    total = np.where(squares == ABSENT_32, 0, squares).sum(axis=0, dtype=np.uint64)
    order = np.argsort(total, kind="stable")
    below = np.cumsum(combinations[order]) - combinations[order] / 2
    states = np.empty(CLASSES, dtype=np.int32)
    states[order] = (below * buckets / combinations.sum()).astype(np.int32)
    return states


def _thresholds(histogram: Counts, buckets: int) -> Thresholds:
    """Divide each row's values into parts that are as equal as whole values allow."""
    below = np.cumsum(histogram, axis=1) - histogram / 2
    bucket = below * buckets / np.maximum(histogram.sum(axis=1, keepdims=True), 1)
    parts = np.arange(1, buckets)
    return np.array([np.searchsorted(row, parts) for row in bucket], dtype=np.int64).reshape(
        len(histogram), buckets - 1
    )


def _flop_states(abstraction: PercentileAbstraction) -> npt.NDArray[np.int32]:
    """Return (1755, 1326) the states on the representatives of all flops."""
    before = abstraction.next_states(np.empty(0, dtype=np.uint8), None)
    return np.array(
        [abstraction.next_states(flop, before) for flop in board_classes(3).representative]
    )


def count_showdowns_after(
    abstraction: PercentileAbstraction,
) -> Callable[[range], tuple[Counts, Counts]]:
    """Return the function that counts the showdowns after some flops."""
    values, on_flop = open_values(), _flop_states(abstraction)
    flops, orbit = board_classes(3).representative, board_classes(3).orbit.astype(np.int64)
    _, turn, river = abstraction.thresholds
    states = abstraction.states[-1]

    def count(numbers: range) -> tuple[Counts, Counts]:
        wins, ties = (np.zeros((states, states), dtype=np.int64) for _ in range(2))
        for number in numbers:
            count_showdowns(
                flops[number],
                orbit[number],
                on_flop[number],
                values.turn_start,
                values.turn_pattern,
                values.turn_hr7_squares,
                SHIFTS[1],
                turn,
                values.river_start,
                values.river_pattern,
                values.river_ihr,
                river,
                wins,
                ties,
            )
        return wins, ties

    return count


def _in_tasks(work: Callable[[range], _Result], first: int) -> Iterator[_Result]:
    """Call work for ranges of flops in threads; yield the results in order."""
    tasks = [
        range(start, min(start + FLOPS_A_TASK, _FLOPS))
        for start in range(first, _FLOPS, FLOPS_A_TASK)
    ]
    return in_order(work, tasks, threads=thread_count())
