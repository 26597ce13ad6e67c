"""Percentile abstractions for heads-up limit: holdings by mean squared final rank, E[HS^2].

`buckets` has abstractions with imperfect recall.

On each street the holdings of every state are divided into buckets with equally many deals, so that
a state contains all earlier ones (Johanson, "Robust strategies and counter-strategies", 2007,
section 2.5.5). Squaring ranks holdings that may become very strong above holdings that stay of
middling strength.
"""

from __future__ import annotations

import json
import lzma
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._files import locked, read_arrays, write_arrays
from railbird._threads import map_threads, thread_count
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.cards.isomorphism import BOARD_CLASSES, board_classes
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.errors import BadInput
from railbird.odds.rank_kernels import ABSENT_32, mask_of
from railbird.odds.rank_tables import open_arrays
from railbird.progress import Progress
from railbird.solve.abstraction.card_abstraction import (
    CHECKPOINT_SECONDS,
    FLOPS_A_TASK,
    MOST_STATES,
    Recall,
    States,
)
from railbird.solve.abstraction.kernels import (
    count_flop_showdowns,
    river_histogram,
    split,
    turn_histogram,
)

SHIFTS = (16, 12, 0)
"""Bits cut off the values of flop, turn and river, so that all are below 65,536."""

_STREETS = 4

Thresholds = npt.NDArray[np.int64]
"""(states of the street before, buckets - 1) ascending; a value's bucket is how many it reaches."""


@dataclass(frozen=True, slots=True, eq=False)
class HoldingValues:
    """The values of holdings from the flop on, and their index; see `railbird.odds.Tables`."""

    flop_start: npt.NDArray[np.int32]
    flop_pattern: npt.NDArray[np.uint8]
    flop_hr7_squares: npt.NDArray[np.uint32]
    turn_start: npt.NDArray[np.int32]
    turn_pattern: npt.NDArray[np.uint8]
    turn_hr7_squares: npt.NDArray[np.uint32]
    river_start: npt.NDArray[np.int32]
    river_pattern: npt.NDArray[np.uint8]
    river_ihr: npt.NDArray[np.uint16]


@cache
def open_values() -> HoldingValues:
    """Map the tables of values, building missing ones first."""
    return HoldingValues(**open_arrays(HoldingValues.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class PercentileAbstraction:
    """Buckets with equally many deals, within each state, street by street."""

    buckets: tuple[int, ...]
    """Number of buckets into which each street divides each state of the street before."""
    preflop: npt.NDArray[np.int32]
    """(169,) the state of each hand class."""
    thresholds: tuple[Thresholds, ...]
    """Thresholds of the flop, the turn and the river."""

    @property
    def name(self) -> str:
        """The text that names it, such as ``percentile:5-5-5-5``."""
        return "percentile:" + "-".join(map(str, self.buckets))

    @property
    def states(self) -> tuple[int, ...]:
        """Number of states by street."""
        return tuple(prod(self.buckets[: street + 1]) for street in range(_STREETS))

    @property
    def recall(self) -> Recall:
        """Perfect recall, since a state contains the state of the street before."""
        return Recall.PERFECT

    @property
    def record(self) -> dict[str, Any]:
        """All its numbers, so that a strategy's file can restore it."""
        return {
            "kind": "percentile",
            "buckets": list(self.buckets),
            "preflop": self.preflop.tolist(),
            "thresholds": [table.tolist() for table in self.thresholds],
        }

    def next_states(self, board: npt.NDArray[np.uint8], previous: States | None) -> States:
        """Return the states on a board, from those of the street before."""
        if previous is None or not len(board):
            return self.preflop[CLASS_OF_HOLDING]
        values, states = open_values(), np.empty(HOLDINGS, dtype=np.int32)
        street = len(board) - 3
        entries: npt.NDArray[Any] = values.river_ihr
        if street == 0:
            index, entries = index_of_3(*board), values.flop_hr7_squares
            start, pattern = values.flop_start[index], values.flop_pattern[index]
        elif street == 1:
            index, entries = index_of_4(*board), values.turn_hr7_squares
            start, pattern = values.turn_start[index], values.turn_pattern[index]
        else:
            index = index_of_5(*board)
            start, pattern = values.river_start[index], values.river_pattern[index]
        used, thresholds = mask_of(board), self.thresholds[street]
        split(
            entries, int(start), COLUMN[pattern], SHIFTS[street], used, thresholds, previous, states
        )
        return states


def read_percentile(record: dict[str, Any]) -> PercentileAbstraction:
    """Return the abstraction of a record. Raises `BadInput` for a damaged record."""
    try:
        buckets = check_buckets(record["buckets"])
        preflop = np.array(record["preflop"], dtype=np.int32)
        thresholds = tuple(np.array(table, dtype=np.int64) for table in record["thresholds"])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise BadInput("a percentile abstraction whose entries are no numbers") from None
    abstraction = PercentileAbstraction(buckets, preflop, thresholds)
    shapes = [
        (states, parts - 1) for states, parts in zip(abstraction.states, buckets[1:], strict=False)
    ]
    if preflop.shape != (CLASSES,) or [table.shape for table in thresholds] != shapes:
        raise BadInput("a percentile abstraction whose tables do not fit its buckets")
    if preflop.min() < 0 or preflop.max() >= buckets[0]:
        raise BadInput(f"a percentile abstraction with other states than 0 to {buckets[0] - 1}")
    return abstraction


def check_buckets(buckets: Sequence[int]) -> tuple[int, ...]:
    """Check the numbers of buckets by street. Raises `BadInput`."""
    parts = tuple(buckets)
    are_counts = all(type(part) is int and part >= 1 for part in parts)
    if len(parts) != _STREETS or not are_counts or prod(parts) > MOST_STATES:
        text = "-".join(map(str, parts))
        allowed = f"four numbers whose product is at most {MOST_STATES}, such as 5-5-5-5"
        raise BadInput(f"buckets {text}; allowed: {allowed}")
    return parts


# Counts that come with the package, because counting takes minutes.
#
# A file is a line of JSON, the abstraction's record, followed by the packed numbers: the wins, then
# the upper triangle of the ties, which are symmetric. The first bytes of all numbers come first,
# then all second bytes and so on, because the high bytes are nearly all zero and compress well.


_BYTES = 8


def pack_abstraction(
    abstraction: PercentileAbstraction, wins: npt.NDArray[np.int64], ties: npt.NDArray[np.int64]
) -> bytes:
    """Pack an abstraction and its counts (states, states)."""
    numbers = np.concatenate([wins.ravel(), ties[np.triu_indices(len(ties))]]).astype("<i8")
    planes = np.ascontiguousarray(numbers.view(np.uint8).reshape(-1, _BYTES).T)
    return json.dumps(abstraction.record).encode() + b"\n" + lzma.compress(planes.tobytes())


def unpack(
    content: bytes,
) -> tuple[PercentileAbstraction, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the abstraction and the counts that `pack_abstraction` packed."""
    line, _, packed = content.partition(b"\n")
    record: dict[str, Any] = json.loads(line)
    abstraction = read_percentile(record)
    states = abstraction.states[-1]
    planes = np.frombuffer(lzma.decompress(packed), dtype=np.uint8).reshape(_BYTES, -1)
    numbers = np.ascontiguousarray(planes.T).view("<i8").ravel().astype(np.int64)
    wins = numbers[: states**2].reshape(states, states)
    ties = np.zeros_like(wins)
    upper = np.triu_indices(states)
    ties[upper] = numbers[states**2 :]
    ties.T[upper] = numbers[states**2 :]
    return abstraction, wins, ties


def read_shipped(
    buckets: Sequence[int],
) -> tuple[PercentileAbstraction, npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
    """Read the counts that come with the package; None if there are none for these buckets."""
    name = f"percentile-{'-'.join(map(str, buckets))}.counts"
    source = files("railbird.solve") / "data" / name
    return unpack(source.read_bytes()) if source.is_file() else None


# Exact percentiles and counts of showdowns over all deals, kept in the cache folder.
#
# The boards are the 2,554,656 canonical ones in the order of dealing. The counts so far are written
# every `CHECKPOINT_SECONDS`, so that an interruption costs little. All numbers are integers, so the
# result does not depend on the number of threads.


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
    """(states, states) on the river: deals in which a holding in the row's state beats one in the
    column's state. Cards count in the order of dealing."""
    ties: Counts
    """(states, states) the same for ties, which are symmetric."""


def percentile_folder() -> Path:
    """Return the cache folder of abstractions."""
    return _paths.cache_folder() / "abstractions"


def abstraction_path(buckets: Sequence[int]) -> Path:
    """Return the file of an abstraction with its counts."""
    return percentile_folder() / f"percentile-{'-'.join(map(str, buckets))}.npz"


class KeptCount(NamedTuple):
    """A finished or unfinished count in the cache folder."""

    name: str
    path: Path
    share: float
    """Share of the flops that have been counted, 0 to 1."""


def kept_counts() -> list[KeptCount]:
    """List the counts in the cache folder, by name."""
    rows = []
    for path in sorted(percentile_folder().glob("percentile-*.npz")):
        if (count := _read(path, complete=False)) is not None:
            rows.append(KeptCount(count.abstraction.name, path, count.flops / _FLOPS))
    return rows


@checked
def counted_abstraction(
    buckets: tuple[int, ...], *, use_shipped: bool = True, progress: Progress | None = None
) -> CountedAbstraction:
    """Return an abstraction with its counts, counting first if they are missing.

    The counts of 5-5-5-5 come with the package and are read unless ``use_shipped`` is False. Others
    take some minutes on two cores and are kept in the cache folder. An interrupted count is
    resumed. Raises `BadInput` for numbers of buckets that cannot be used.
    """
    buckets = check_buckets(buckets)
    if use_shipped and (shipped := read_shipped(buckets)) is not None:
        return CountedAbstraction(*shipped)
    path = abstraction_path(buckets)
    if (count := _read(path)) is None:
        with locked(path.with_suffix(".lock")):
            count = _read(path) or _build(path, buckets, progress)
    return CountedAbstraction(count.abstraction, count.wins, count.ties)


@dataclass(frozen=True, slots=True, eq=False)
class PartialCount:
    """A count that may be unfinished, and how far it has got."""

    abstraction: PercentileAbstraction
    flops: int
    """Number of classes of flops that have been counted, in order."""
    wins: Counts
    ties: Counts

    def write(self, path: Path) -> None:
        """Write this count, replacing the file."""
        record = json.dumps({"version": _VERSION, **self.abstraction.record})
        arrays = {"record": record, "flops": self.flops, "wins": self.wins, "ties": self.ties}
        write_arrays(path, arrays)


def _read(path: Path, *, complete: bool = True) -> PartialCount | None:
    """Read a count; None if it is missing, damaged, of another version, or not ``complete``."""
    try:
        arrays = read_arrays(path, "record", "flops", "wins", "ties")
        record = json.loads(str(arrays["record"]))
        if record["version"] != _VERSION:
            return None
        count = PartialCount(
            read_percentile(record), int(arrays["flops"]), arrays["wins"], arrays["ties"]
        )
    except Exception:  # whatever a damaged archive raises: it is counted again
        return None
    shape = (count.abstraction.states[-1],) * 2
    if count.wins.shape != shape or count.ties.shape != shape:
        return None
    return count if count.flops == _FLOPS or not complete else None


def _build(path: Path, buckets: tuple[int, ...], progress: Progress | None) -> PartialCount:
    path.parent.mkdir(parents=True, exist_ok=True)
    part_path = path.with_suffix(".part.npz")
    count = _read(part_path, complete=False)
    if count is None:
        abstraction = find_percentiles(buckets, progress=progress)
        states = abstraction.states[-1]
        zeros = np.zeros((states, states), dtype=np.int64)
        count = PartialCount(abstraction, 0, zeros, zeros.copy())
    written = time.monotonic()
    try:
        for wins, ties in _in_tasks(count_showdowns_after(count.abstraction), count.flops):
            # One assignment: an interruption must not leave a task counted only in part.
            count = PartialCount(
                count.abstraction,
                min(count.flops + FLOPS_A_TASK, _FLOPS),
                count.wins + wins,
                count.ties + ties,
            )
            if progress is not None:
                progress(count.flops, _FLOPS, "showdowns between states, by flop")
            if time.monotonic() - written > CHECKPOINT_SECONDS:
                count.write(part_path)
                written = time.monotonic()
    except BaseException:
        count.write(part_path)
        raise
    count.write(path)
    part_path.unlink(missing_ok=True)
    return count


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


def _preflop(values: HoldingValues, buckets: int) -> npt.NDArray[np.int32]:
    """Return (169,) the bucket of each hand class; the buckets are about equally large."""
    _, members, combinations = np.unique(CLASS_OF_HOLDING, return_index=True, return_counts=True)
    columns = COLUMN[values.flop_pattern][:, members]
    squares = values.flop_hr7_squares[values.flop_start[:, np.newaxis] + columns]
    total = np.where(squares == ABSENT_32, 0, squares).sum(axis=0, dtype=np.uint64)
    order = np.argsort(total, kind="stable")
    # A class goes where its middle lies, so that no bucket gains by always taking classes that
    # straddle a border.
    below = np.cumsum(combinations[order]) - combinations[order] / 2
    states = np.empty(CLASSES, dtype=np.int32)
    states[order] = (below * buckets / combinations.sum()).astype(np.int32)
    return states


def _thresholds(histogram: Counts, buckets: int) -> Thresholds:
    """Return the thresholds that divide each row's deals as evenly as whole values allow."""
    below = np.cumsum(histogram, axis=1) - histogram / 2
    bucket = below * buckets / np.maximum(histogram.sum(axis=1, keepdims=True), 1)
    parts = np.arange(1, buckets)
    return np.array([np.searchsorted(row, parts) for row in bucket], dtype=np.int64).reshape(
        len(histogram), buckets - 1
    )


def _flop_states(abstraction: PercentileAbstraction) -> npt.NDArray[np.int32]:
    """Return (1755, 1326) the states on one flop of each class."""
    before = abstraction.next_states(np.empty(0, dtype=np.uint8), None)
    return np.array(
        [abstraction.next_states(flop, before) for flop in board_classes(3).representative]
    )


def count_showdowns_after(
    abstraction: PercentileAbstraction,
) -> Callable[[range], tuple[Counts, Counts]]:
    """Return a function that counts the showdowns after a range of flops."""
    values, on_flop = open_values(), _flop_states(abstraction)
    flops, orbit = board_classes(3).representative, board_classes(3).orbit.astype(np.int64)
    _, turn, river = abstraction.thresholds
    states = abstraction.states[-1]

    def count(numbers: range) -> tuple[Counts, Counts]:
        wins, ties = (np.zeros((states, states), dtype=np.int64) for _ in range(2))
        for number in numbers:
            count_flop_showdowns(
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
    """Call ``work`` for ranges of flops in threads, and yield the results in order."""
    tasks = [
        range(start, min(start + FLOPS_A_TASK, _FLOPS))
        for start in range(first, _FLOPS, FLOPS_A_TASK)
    ]
    return map_threads(work, tasks, threads=thread_count())
