"""Bucket abstractions for any heads-up hold'em: clusters of holdings by their final ranks.

`percentile` has abstractions with perfect recall; here recall is imperfect.

Holdings on the flop and the turn are clustered by the distribution of their final hand rank,
holdings on the river by the pots that they win against groups of opponents; in each case earlier
streets are ignored. Before the flop the 169 hand classes are separate states. A table has the
bucket of every entry of the hand-rank tables, which merge boards and holdings that are equivalent
(`railbird.odds.rank_tables`). So the tables of all streets take 45 megabytes and can be
memory-mapped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._files import atomic_write, locked
from railbird._threads import in_slices
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.cards.isomorphism import (
    BOARD_CLASSES,
    RANK_ENTRIES,
    RANK_ROWS,
    RankClasses,
    board_classes,
    rank_classes,
)
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.abstraction.card_abstraction import (
    BLOCKED,
    CLUSTER_PASSES,
    MOST_BUCKETS,
    RANK_STEPS,
    SAMPLED_ROWS,
    Recall,
    States,
    is_blocked,
)
from railbird.solve.abstraction.kernels import FULL, GROUPS, flop_counts, river_shares, turn_counts
from railbird.solve.abstraction.percentile import open_values

STREETS = ("flop", "turn", "river")
ENTRIES = (1326 * BOARD_CLASSES[3], RANK_ENTRIES[4], RANK_ENTRIES[5])
"""Number of a table's entries, by street."""

_INDEX = (index_of_3, index_of_4, index_of_5)

Table = npt.NDArray[np.uint16]


def folder() -> Path:
    """Return the cache folder of abstractions."""
    return _paths.cache_folder() / "abstractions"


def table_path(street: int, buckets: int) -> Path:
    """Return the file of a street's table, 0 for the flop."""
    return folder() / f"{STREETS[street]}-{buckets}.npy"


def digest_path(street: int, buckets: int) -> Path:
    """Return the file of a table's SHA-256, which is written last: it marks a complete table."""
    return table_path(street, buckets).with_suffix(".sha256")


@dataclass(frozen=True, slots=True, eq=False)
class BucketAbstraction:
    """Clusters of holdings, street by street."""

    states: tuple[int, ...]
    """Number of buckets by street."""
    digests: tuple[str, ...]
    """SHA-256 of the tables from the flop on."""
    tables: tuple[Table, ...]
    """The bucket of each entry from the flop on."""

    @property
    def name(self) -> str:
        """The text that names it, such as ``buckets:169-9000-5000-5000``."""
        return "buckets:" + "-".join(map(str, self.states))

    @property
    def recall(self) -> Recall:
        """Imperfect recall, since a bucket says nothing about earlier streets."""
        return Recall.IMPERFECT

    @property
    def record(self) -> dict[str, Any]:
        """Numbers of buckets, and digests of the tables, which stay in the cache folder."""
        return {"kind": "buckets", "states": list(self.states), "sha256": list(self.digests)}

    def next_states(self, board: npt.NDArray[np.uint8], previous: States | None) -> States:
        """Return the buckets on a board; ``previous`` is ignored."""
        if not len(board):
            return CLASS_OF_HOLDING.astype(np.int32)
        values, street = open_values(), len(board) - 3
        starts = (values.flop_start, values.turn_start, values.river_start)[street]
        patterns = (values.flop_pattern, values.turn_pattern, values.river_pattern)[street]
        index = _INDEX[street](*board)
        entries = starts[index] + COLUMN[patterns[index]]
        states: States = self.tables[street][entries].astype(np.int32)
        states[is_blocked(board)] = BLOCKED
        return states


def check_states(states: object) -> tuple[int, ...]:
    """Check the numbers of buckets by street. Raises `BadInput`."""
    parts = tuple(states) if isinstance(states, (list, tuple)) else ()
    are_counts = all(type(part) is int and 1 <= part <= MOST_BUCKETS for part in parts)
    if len(parts) != 1 + len(STREETS) or not are_counts or parts[0] != CLASSES:
        text = "-".join(map(str, parts))
        allowed = f"{CLASSES} and three numbers up to {MOST_BUCKETS:,}"
        raise BadInput(f"buckets {text}; allowed: {allowed}, such as 169-9000-5000-5000")
    return parts


def open_buckets(states: tuple[int, ...]) -> BucketAbstraction | None:
    """Map the tables of an abstraction, or return None if one is missing or damaged."""
    tables, digests = [], []
    for street, buckets in enumerate(states[1:]):
        try:
            table = np.load(table_path(street, buckets), mmap_mode="r", allow_pickle=False)
            digests.append(digest_path(street, buckets).read_text().strip())
        except (OSError, ValueError, EOFError):
            return None
        if table.shape != (ENTRIES[street],) or table.dtype != np.uint16:
            return None
        tables.append(table.view(np.ndarray))
    return BucketAbstraction(states, tuple(digests), tuple(tables))


def read_buckets(record: Mapping[str, Any]) -> BucketAbstraction:
    """Return the abstraction of a record. Raises `BadInput` if its tables are missing or differ."""
    states = check_states(record.get("states"))
    name = "-".join(map(str, states))
    abstraction = open_buckets(states)
    if abstraction is None:
        raise BadInput(
            "the tables of its buckets are missing; "
            f"railbird machine abstraction build {name} makes them"
        )
    if list(abstraction.digests) != record.get("sha256"):
        raise BadInput(f"its buckets {name} are of other tables than those in {folder()}")
    return abstraction


def table_digest(table: Table) -> str:
    """Return the SHA-256 of a table's numbers."""
    return hashlib.sha256(np.ascontiguousarray(table, dtype="<u2").data).hexdigest()


# K-means clusters of rows of small integers, identical on every machine.
#
# Rows and centres are whole numbers from 0 to 255. Squared distances are then whole numbers too,
# which float32 holds exactly, so matrix products do not depend on the order of their additions.


Rows = npt.NDArray[np.uint8]
"""(rows, features) whole numbers; there are at most `MOST_FEATURES` features."""

MOST_FEATURES = 64
"""The most features of a row: half of a squared length, up to 255^2 * 64 / 2 in halves, is exact in
float32."""

_BYTES = 8
_ROWS_AT_ONCE = 256
_ROWS_A_SLICE = 1 << 14


def distinct(rows: Rows) -> tuple[Rows, npt.NDArray[np.int64]]:
    """Return the distinct rows, and the number of each row among them."""
    # `np.unique` along an axis sorts whole rows and is slow on millions of them. Here eight bytes
    # at a time are replaced by their rank and joined with the number so far; 32 bits are enough for
    # each, as there are fewer than 2^32 rows.
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
    """Return (rows,) the number of the nearest centre of each row, the first of equal ones."""
    features = centres.shape[1]
    points = centres.astype(np.float32)
    # The nearest centre c of a row x maximises x·c - |c|²/2. An extra feature, 1 in every row,
    # carries the second term, so one matrix product gives all of it.
    products = np.empty((features + 1, len(centres)), dtype=np.float32)
    products[:features] = points.T
    products[features] = -np.sum(points**2, axis=1) / 2
    labels = np.empty(len(rows), dtype=np.int32)

    def work(start: int, stop: int) -> None:
        room = np.empty((_ROWS_AT_ONCE, len(centres)), dtype=np.float32)
        some = np.ones((_ROWS_AT_ONCE, features + 1), dtype=np.float32)
        for begin in range(start, stop, _ROWS_AT_ONCE):
            count = min(_ROWS_AT_ONCE, stop - begin)
            some[:count, :features] = rows[begin : begin + count]
            np.matmul(some[:count], products, out=room[:count])
            labels[begin : begin + count] = room[:count].argmax(axis=1)

    in_slices(work, len(rows), size=_ROWS_A_SLICE, what="nearest centres")
    return labels


def first_centres(
    rows: Rows, weights: npt.NDArray[np.int64], count: int, sample: int, rng: np.random.Generator
) -> Rows:
    """Choose centres among a sample of the rows by k-means++ (Arthur and Vassilvitskii 2007)."""
    drawn = np.searchsorted(np.cumsum(weights), rng.random(sample) * weights.sum(), side="right")
    chosen = np.unique(np.minimum(drawn, len(rows) - 1))
    # The sample has fewer different rows than centres are needed: take the rows of the largest
    # weight.
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
        # The next centre is drawn in proportion to the squared distance from the nearest centre so
        # far.
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
    on_pass: Callable[[int], None] | None = None,
) -> tuple[Rows, npt.NDArray[np.int32]]:
    """Divide weighted rows into at most ``count`` clusters; return centres and each row's number.

    Centres are sorted by the sum of their features. A cluster without rows keeps its centre.
    """
    centres = first_centres(rows, weights, min(count, len(rows)), sample, rng)
    for number in range(passes):
        label = nearest(rows, centres)
        size = np.bincount(label, weights=weights, minlength=len(centres))
        live = size > 0
        for feature in range(rows.shape[1]):
            total = np.bincount(label, weights=weights * rows[:, feature], minlength=len(centres))
            # Rounded to whole numbers: this is what keeps the clusters the same on every machine.
            centres[live, feature] = np.rint(total[live] / size[live])
        if on_pass is not None:
            on_pass(number + 1)
    order = np.argsort(centres.sum(axis=1, dtype=np.int64), kind="stable")
    centres = np.ascontiguousarray(centres[order])
    return centres, nearest(rows, centres)


# The buckets of every holding on every board; the tables are kept in the cache folder.
#
# A street's table is written when it is complete, so an interruption loses the work on one street.
# The same numbers of buckets give the same tables on every machine.


_RANKS = 1981
_RUNOUTS = 1081
_RIVERS = 46
_BOARDS_A_TASK = 128
_FLOPS_A_TASK = 16


class Features(NamedTuple):
    """The features by which a street's entries are clustered."""

    rows: Rows
    """(entries, features); entries that no holding has are ignored."""
    weight: npt.NDArray[np.int64]
    """(entries,) number of deals of each entry, 0 if no holding has it."""


class KeptTable(NamedTuple):
    """A street's table in the cache folder."""

    street: str
    buckets: int
    size: int
    """Size of the file in bytes."""


def kept_tables() -> list[KeptTable]:
    """List the complete tables."""
    tables = []
    for number, street in enumerate(STREETS):
        for path in sorted(folder().glob(f"{street}-*.npy")):
            buckets = path.stem.removeprefix(f"{street}-")
            if buckets.isdigit() and digest_path(number, int(buckets)).exists():
                tables.append(KeptTable(street, int(buckets), path.stat().st_size))
    return tables


@checked
def bucket_abstraction(
    states: tuple[int, ...], *, progress: Progress | None = None
) -> BucketAbstraction:
    """Return an abstraction; build missing tables first.

    Raises `BadInput` for numbers of buckets that cannot be used.
    """
    states = check_states(states)
    if (abstraction := open_buckets(states)) is not None:
        return abstraction
    folder().mkdir(parents=True, exist_ok=True)
    with locked(folder() / "buckets.lock"):
        for street, buckets in enumerate(states[1:]):
            if not digest_path(street, buckets).exists():
                _build(street, buckets, progress)
    abstraction = open_buckets(states)
    assert abstraction is not None
    return abstraction


def _build(street: int, buckets: int, progress: Progress | None) -> None:
    if buckets == 1:  # a single bucket needs no features
        _write(street, buckets, np.zeros(ENTRIES[street], dtype=np.uint16))
        return
    find = (flop_features, turn_features, river_features)[street]
    features = find(progress)
    rows, number = distinct(features.rows)
    weights = np.bincount(number, weights=features.weight).astype(np.int64)

    def report(done: int) -> None:
        if progress is not None:
            progress(done, CLUSTER_PASSES, f"{buckets:,} buckets of the {STREETS[street]}")

    _, label = cluster(
        rows,
        weights,
        buckets,
        passes=CLUSTER_PASSES,
        sample=SAMPLED_ROWS,
        rng=np.random.default_rng(street),
        on_pass=report,
    )
    _write(street, buckets, label.astype(np.uint16)[number])


def _write(street: int, buckets: int, table: Table) -> None:
    path = table_path(street, buckets)
    with atomic_write(path) as part, part.open("wb") as file:
        np.save(file, table)
    with atomic_write(digest_path(street, buckets)) as part:
        part.write_text(table_digest(table) + "\n")


def rank_steps() -> npt.NDArray[np.uint8]:
    """Return (1981,) for each final rank, the step from weak to strong that it belongs to."""
    return (np.arange(_RANKS) * (RANK_STEPS + 1) // _RANKS).astype(np.uint8)


def _at_least(counts: npt.NDArray[np.unsignedinteger], total: int) -> Rows:
    """Turn counts by rank step into the shares that reach each step but the first, of `FULL`."""
    # Cumulative shares rather than a histogram: the distance between two of them then measures how
    # far probability would have to be moved, as the earth mover's distance does, and not only that
    # it differs.
    reached = np.cumsum(counts[..., ::-1], axis=-1, dtype=np.uint32)[..., :-1]
    rows: Rows = ((reached * FULL * 2 + total) // (2 * total)).astype(np.uint8)
    return rows


def run_outs(
    flops: npt.NDArray[np.uint8], progress: Progress | None = None
) -> npt.NDArray[np.uint16]:
    """Return (flops, 1326, steps) the number of run-outs by the step of the final rank."""
    values, steps = open_values(), rank_steps()
    river = values.river_start, values.river_pattern, values.river_ihr
    counts = np.empty((len(flops), HOLDINGS, RANK_STEPS + 1), dtype=np.uint16)

    def work(start: int, stop: int) -> None:
        for flop in range(start, stop):
            flop_counts(flops[flop], steps, *river, counts[flop])

    in_slices(work, len(flops), size=_FLOPS_A_TASK, what="run-outs of the flop", progress=progress)
    return counts


def flop_features(progress: Progress | None = None) -> Features:
    """Return the features of every holding on every class of flops."""
    classes = board_classes(3)
    counts = run_outs(classes.representative, progress)
    live = counts.any(axis=-1)
    weight = np.where(live, classes.orbit[:, np.newaxis], 0).astype(np.int64)
    rows = _at_least(counts, _RUNOUTS).reshape(-1, RANK_STEPS)
    return Features(rows, weight.ravel())


def turn_features(progress: Progress | None = None) -> Features:
    """Return the features of the turn's entries."""
    counts = np.zeros((ENTRIES[1], RANK_STEPS + 1), dtype=np.uint8)
    weight = np.zeros(len(counts), dtype=np.int64)
    in_slices(
        lambda start, stop: count_rivers(range(start, stop), counts, weight),
        RANK_ROWS[4],
        size=_BOARDS_A_TASK,
        what="rivers of the turn",
        progress=progress,
    )
    return Features(_at_least(counts, _RIVERS), weight)


def count_rivers(rows: range, counts: npt.NDArray[np.uint8], weight: npt.NDArray[np.int64]) -> None:
    """Fill ``counts`` (entries, steps) and the deals for some rows of the turn."""
    values, (classes, times) = open_values(), _rank_rows(4)
    turn_counts(
        rows.start,
        classes.representative[rows.start : rows.stop],
        times,
        classes.row_start,
        classes.row_pattern,
        rank_steps(),
        values.river_start,
        values.river_pattern,
        values.river_ihr,
        counts,
        weight,
    )


def river_features(progress: Progress | None = None) -> Features:
    """Return the features of the river's entries."""
    group = opponent_groups(progress)[CLASS_OF_HOLDING]
    shares = np.zeros((ENTRIES[2], GROUPS), dtype=np.uint8)
    weight = np.zeros(len(shares), dtype=np.int64)
    in_slices(
        lambda start, stop: fill_pot_shares(range(start, stop), group, shares, weight),
        RANK_ROWS[5],
        size=_BOARDS_A_TASK,
        what="opponents on the river",
        progress=progress,
    )
    return Features(shares, weight)


def fill_pot_shares(
    rows: range,
    group: npt.NDArray[np.int64],
    shares: npt.NDArray[np.uint8],
    weight: npt.NDArray[np.int64],
) -> None:
    """Fill ``shares`` (entries, `GROUPS`) and the deals for some rows of the river.

    ``group`` (1326,) is the group of each holding as an opponent.
    """
    classes, times = _rank_rows(5)
    river_shares(
        rows.start,
        classes.representative[rows.start : rows.stop],
        times,
        classes.row_start,
        classes.row_pattern,
        group,
        shares,
        weight,
    )


def opponent_groups(progress: Progress | None = None) -> npt.NDArray[np.int64]:
    """Return (169,) the group of each hand class as an opponent, from weak to strong.

    The groups are clusters of the classes by their final ranks over all flops.
    """
    classes = board_classes(3)
    counts = run_outs(classes.representative, progress)
    by_holding = np.einsum("fhk,f->hk", counts, classes.orbit.astype(np.int64))
    by_class = np.zeros((CLASSES, counts.shape[-1]), dtype=np.int64)
    np.add.at(by_class, CLASS_OF_HOLDING, by_holding)
    shares = by_class[:, ::-1].cumsum(axis=1)[:, :-1] / by_class.sum(axis=1, keepdims=True)
    rows = np.rint(FULL * shares).astype(np.uint8)
    weights = np.bincount(CLASS_OF_HOLDING)
    _, label = cluster(
        rows,
        weights,
        GROUPS,
        passes=4 * CLUSTER_PASSES,
        sample=SAMPLED_ROWS,
        rng=np.random.default_rng(len(STREETS)),
    )
    return label.astype(np.int64)


@cache
def _rank_rows(cards: int) -> tuple[RankClasses, npt.NDArray[np.int64]]:
    """Return the rows for boards of so many cards, and how many classes of boards share each."""
    classes = rank_classes(cards)
    row = np.searchsorted(classes.row_start, classes.start)
    return classes, np.bincount(row, minlength=len(classes.row_start))
