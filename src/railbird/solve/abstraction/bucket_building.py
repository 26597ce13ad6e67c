"""Finding the buckets of every holding on every board; the tables are kept in the cache folder.

A street's table is written when it is done, so an interruption costs that of one street. The same
numbers of buckets give the same tables on every machine, see
`railbird.solve.abstraction.clustering`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._files import atomic_write, locked
from railbird._threads import in_slices
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.cards.isomorphism.boards import board_classes
from railbird.cards.isomorphism.rank_classes import RANK_ROWS, RankClasses, rank_classes
from railbird.progress import Progress
from railbird.solve.abstraction._kernels_features import (
    FULL,
    GROUPS,
    flop_counts,
    river_shares,
    turn_counts,
)
from railbird.solve.abstraction.buckets import (
    ENTRIES,
    STREETS,
    BucketAbstraction,
    check_states,
    digest_path,
    folder,
    open_buckets,
    table_digest,
    table_path,
)
from railbird.solve.abstraction.clustering import Rows, cluster, distinct
from railbird.solve.abstraction.percentile import open_values
from railbird.solve.abstraction.settings import CLUSTER_PASSES, RANK_STEPS, SAMPLED_ROWS

_RANKS = 1981
_RUNOUTS = 1081
_RIVERS = 46
_BOARDS_A_TASK = 128
_FLOPS_A_TASK = 16


class Features(NamedTuple):
    """What a street's entries are clustered by."""

    rows: Rows
    """(entries, features); those that no holding has are of no matter."""
    weight: npt.NDArray[np.int64]
    """(entries,) the deals of each, 0 if no holding has it."""


class KeptTable(NamedTuple):
    """A street's table in the cache folder."""

    street: str
    buckets: int
    size: int
    """Bytes."""


def kept_tables() -> list[KeptTable]:
    """List the tables that are done."""
    found = []
    for number, street in enumerate(STREETS):
        for path in sorted(folder().glob(f"{street}-*.npy")):
            buckets = path.stem.removeprefix(f"{street}-")
            if buckets.isdigit() and digest_path(number, int(buckets)).exists():
                found.append(KeptTable(street, int(buckets), path.stat().st_size))
    return found


@checked
def bucket_abstraction(
    states: tuple[int, ...], *, progress: Progress | None = None
) -> BucketAbstraction:
    """Return an abstraction, building the tables of streets that are missing.

    Raises `BadInput` for numbers of buckets that cannot be used.
    """
    states = check_states(states)
    if (found := open_buckets(states)) is not None:
        return found
    folder().mkdir(parents=True, exist_ok=True)
    with locked(folder() / "buckets.lock"):
        for street, buckets in enumerate(states[1:]):
            if not digest_path(street, buckets).exists():
                _build(street, buckets, progress)
    found = open_buckets(states)
    assert found is not None
    return found


def _build(street: int, buckets: int, progress: Progress | None) -> None:
    find = (flop_features, turn_features, river_features)[street]
    features = find(progress)
    rows, number = distinct(features.rows)
    weights = np.bincount(number, weights=features.weight).astype(np.int64)

    def told(done: int) -> None:
        if progress is not None:
            progress(done, CLUSTER_PASSES, f"{buckets:,} buckets of the {STREETS[street]}")

    _, label = cluster(
        rows,
        weights,
        buckets,
        passes=CLUSTER_PASSES,
        sample=SAMPLED_ROWS,
        rng=np.random.default_rng(street),
        told=told,
    )
    table = label.astype(np.uint16)[number]
    path = table_path(street, buckets)
    with atomic_write(path) as part, part.open("wb") as file:
        np.save(file, table)
    with atomic_write(digest_path(street, buckets)) as part:
        part.write_text(table_digest(table) + "\n")


def rank_steps() -> npt.NDArray[np.uint8]:
    """Return (1981,) the part of the ranks, from weak to strong, that each belongs to."""
    return (np.arange(_RANKS) * (RANK_STEPS + 1) // _RANKS).astype(np.uint8)


def _at_least(counts: npt.NDArray[np.unsignedinteger], whole: int) -> Rows:
    """Turn counts by part of the ranks into shares that reach each but the first, out of `FULL`."""
    reached = np.cumsum(counts[..., ::-1], axis=-1, dtype=np.uint32)[..., :-1]
    rows: Rows = ((reached * FULL * 2 + whole) // (2 * whole)).astype(np.uint8)
    return rows


def run_outs(
    flops: npt.NDArray[np.uint8], progress: Progress | None = None
) -> npt.NDArray[np.uint16]:
    """Return (flops, 1326, parts) the run-outs by part of the final ranks."""
    values, steps = open_values(), rank_steps()
    river = values.river_start, values.river_pattern, values.river_ihr
    counts = np.empty((len(flops), HOLDINGS, RANK_STEPS + 1), dtype=np.uint16)

    def work(start: int, stop: int) -> None:
        for flop in range(start, stop):
            flop_counts(flops[flop], steps, *river, counts[flop])

    in_slices(work, len(flops), size=_FLOPS_A_TASK, what="run-outs of the flop", progress=progress)
    return counts


def flop_features(progress: Progress | None = None) -> Features:
    """Return the features of (flop, holding), by class of the flop."""
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
    """Fill ``counts`` (entries, parts) by final rank, and the deals, of some rows of the turn."""
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
        lambda start, stop: share_pots(range(start, stop), group, shares, weight),
        RANK_ROWS[5],
        size=_BOARDS_A_TASK,
        what="opponents on the river",
        progress=progress,
    )
    return Features(shares, weight)


def share_pots(
    rows: range,
    group: npt.NDArray[np.int64],
    shares: npt.NDArray[np.uint8],
    weight: npt.NDArray[np.int64],
) -> None:
    """Fill ``shares`` (entries, `GROUPS`), and the deals, of some rows of the river.

    ``group`` (1326,) is that of each holding as an opponent.
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

    They are clusters of the final ranks' distributions over all flops.
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
    """Return the rows of boards of so many cards, and how many boards each stands for."""
    classes = rank_classes(cards)
    row = np.searchsorted(classes.row_start, classes.start)
    return classes, np.bincount(row, minlength=len(classes.row_start))
