"""Builds preflop tables for heads-up limit: all boards on all cores, resumable.

The 16,432 classes of four-card boards are divided among threads, each with its own sums (57 MB).
About once a minute, and when the build is interrupted, the sums so far are written to a checkpoint;
the same call resumes from there.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import groupby
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from railbird._files import kept_arrays, locked, write_arrays
from railbird._threads import in_slices, thread_count
from railbird.assessment.divat.preflop_kernels import (
    LANES,
    MOST,
    OUTCOMES,
    Board,
    BoardRanks,
    PairRow,
    RoundOutcomes,
    add_boards,
    average_pairs,
    new_board,
    new_row,
)
from railbird.assessment.divat.preflop_values import (
    PAIR_CLASSES,
    PreflopTable,
    find_table,
    pair_members,
    table_folder,
    table_key,
    table_name,
    write_table,
)
from railbird.baseline import STANDARD, BaselineClass, OpponentHoldings, baseline_line, cutoffs
from railbird.cards import HOLDINGS
from railbird.cards.isomorphism import BOARD_CLASSES, board_classes
from railbird.errors import BadInput, DamagedFile, Interrupted
from railbird.game.rules import Street
from railbird.odds.rank_tables import Tables, open_tables
from railbird.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import numpy.typing as npt

    from railbird.baseline import BaselineSettings

CHECKPOINT_SECONDS = 60.0
"""The least time between two checkpoints of an exact preflop table, in seconds."""


_BOARDS = BOARD_CLASSES[4]
_BATCH = 512
"""Boards between two checks of the clock."""
_SLICE = 16
"""Boards of one call of the kernel, which takes a quarter of a second."""
_WHAT = "preflop values"
_FOLDED = -1


class Worker(NamedTuple):
    """Arrays of one thread; ``values`` and ``gains`` as in `add_boards`."""

    board: Board
    row: PairRow
    values: npt.NDArray[np.int32]
    gains: npt.NDArray[np.int32]


def build_table(
    settings: BaselineSettings,
    *,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> PreflopTable:
    """Build the table for any settings in minutes, and keep it in the folder of tables.

    A table that exists is returned at once. Several processes may call this: one builds, the others
    wait. Raises `RailbirdError` if the folder cannot take the table, and the errors of
    `compute_table`.
    """
    folder = folder or table_folder()
    file = folder / table_name(settings)
    table = _find_whole(settings, folder)
    if table is None:
        with locked(file.with_suffix(".lock")):
            # Another process may have built it while this one waited for the lock.
            table = _find_whole(settings, folder)
            if table is None:
                checkpoint = file.with_suffix(".checkpoint")
                table = compute_table(settings, checkpoint=checkpoint, progress=progress)
                write_table(table, file)
                # The checkpoint goes only after the table is written, so that an interruption
                # between the two loses nothing.
                checkpoint.unlink(missing_ok=True)
    return table


def _find_whole(settings: BaselineSettings, folder: Path) -> PreflopTable | None:
    try:
        return find_table(settings, folder=folder)
    except DamagedFile:
        return None


def compute_table(
    settings: BaselineSettings,
    *,
    checkpoint: Path,
    progress: Progress | None = None,
) -> PreflopTable:
    """Sum over all boards, resuming from the checkpoint if it was written for the same table.

    ``progress`` is called with the number of boards done and of all. Raises `Interrupted` on
    Ctrl-C, after writing the checkpoint.
    """
    if settings.opponent is not OpponentHoldings.UNIFORM:
        raise BadInput(
            f"settings {settings.name!r}: tables are of ranks against any two cards; "
            "opponent=typical goes by samples"
        )
    plan = betting_plan(settings)
    ranks = rank_tables(open_tables(progress=progress))
    boards = board_classes(4)
    # Each thread adds to sums of its own: shared sums would need a lock at every board. Sums are
    # integers, so the total does not depend on which thread took a board.
    workers = [_new_worker(plan) for _ in range(thread_count())]
    # Sums can be added in any order, so those of a checkpoint go to one worker, whatever their
    # number was.
    done = _resume(checkpoint, settings, workers[0])
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def add(batch: int, start: int, stop: int) -> None:
        worker = idle.get()
        try:
            add_boards(
                boards.representative,
                boards.orbit,
                batch + start,
                batch + stop,
                ranks,
                plan,
                *worker,
                done,
            )
        finally:
            idle.put(worker)

    def report(*_: object) -> None:
        if progress is not None:
            progress(int(np.count_nonzero(done)), _BOARDS, _WHAT)

    saved = time.monotonic()
    try:
        for batch in range(0, _BOARDS, _BATCH):
            size = min(_BATCH, _BOARDS - batch)
            in_slices(partial(add, batch), size, size=_SLICE, what=_WHAT, progress=report)
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                _save(checkpoint, settings, done, workers)
                saved = time.monotonic()
    except KeyboardInterrupt:
        _save(checkpoint, settings, done, workers)
        count = np.count_nonzero(done)
        raise Interrupted(
            f"stopped after {count:,} of {_BOARDS:,} boards, which are kept in {checkpoint}; "
            "run the same command again to resume"
        ) from None
    return _finish(settings, workers, checkpoint)


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Compile the builder's kernels by a build of no boards."""
    return [("preflop table", _build_nothing)]


def _build_nothing() -> None:
    plan, boards = betting_plan(STANDARD), board_classes(4)
    worker, done = _new_worker(plan), np.ones(1, dtype=np.bool_)
    ranks = rank_tables(open_tables())
    add_boards(boards.representative, boards.orbit, 0, 1, ranks, plan, *worker, done)
    average_pairs(pair_members()[:0], worker.values, worker.gains, np.empty((0, 4), dtype=np.int32))


def betting_plan(settings: BaselineSettings) -> RoundOutcomes:
    """Convert settings and the baseline's betting into the form that `add_boards` takes."""
    cut = cutoffs(settings)
    fold, make = cut.fold[Street.RIVER], cut.make[Street.RIVER]
    most = MOST[-1]
    # A fold threshold above that of the first bet shifts all classes; it falls as the pot grows.
    apart = sum(int(fold[c] > make[0]) for c in range(1, most + 1))
    groups = [(c, c) for c in range(1, apart + 1)]
    if apart < most:
        groups.append((apart + 1, most))
    cuts = np.full((2, len(BaselineClass), OUTCOMES - 1), len(BaselineClass), dtype=np.int16)
    bets = np.zeros((2, len(BaselineClass), OUTCOMES), dtype=np.int64)
    for own in BaselineClass:
        rows = [_bets(own, opposing) for opposing in BaselineClass]
        columns = [_bets(opposing, own) for opposing in BaselineClass]
        for order, outcomes in enumerate((rows, columns)):
            runs = list(_runs(outcomes))
            cuts[order, own, : len(runs) - 1] = [start for start, _ in runs[1:]]
            bets[order, own, : len(runs)] = [level for _, level in runs]
    played = [max(BaselineClass.CALL, own) for own in BaselineClass]
    levels = np.array([[_bets(own, opposing) for opposing in played] for own in played])
    shapes, shape_of = np.unique(levels, axis=0, return_inverse=True)
    return RoundOutcomes(
        levels=shapes.astype(np.int16),
        shape_of=shape_of.reshape(-1).astype(np.int64),
        cuts=cuts,
        bets=bets,
        groups=np.array(groups, dtype=np.int64),
        make=np.maximum(make, fold[[first for first, _ in groups], np.newaxis]),
        cutoffs=cut,
    )


def _bets(first: BaselineClass, second: BaselineClass) -> int:
    line = baseline_line(Street.FLOP, first, second)
    return line.level if line.folded_by is None else _FOLDED


def _runs(outcomes: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Yield the start and the value of each run of equal values."""
    start = 0
    for value, run in groupby(outcomes):
        yield start, value
        start += len(list(run))


def rank_tables(tables: Tables) -> BoardRanks:
    """Return the arrays of the hand-rank tables that the kernels read."""
    return BoardRanks(*(getattr(tables, name) for name in BoardRanks._fields))


def _new_worker(plan: RoundOutcomes) -> Worker:
    groups, shapes = len(plan.groups), len(plan.levels)
    shape = (HOLDINGS, MOST[0], LANES)
    return Worker(
        new_board(groups, shapes),
        new_row(groups),
        np.zeros(shape, dtype=np.int32),
        np.zeros(shape, dtype=np.int32),
    )


def _resume(checkpoint: Path, settings: BaselineSettings, worker: Worker) -> npt.NDArray[np.bool_]:
    """Fill the worker's sums from a checkpoint and return a mask of the boards they include."""
    arrays = kept_arrays(checkpoint, "key", "done", "values", "gains")
    if (
        arrays is None
        or str(arrays["key"]) != table_key(settings)
        or arrays["values"].shape != worker.values.shape
        or arrays["gains"].shape != worker.gains.shape
    ):
        return np.zeros(_BOARDS, dtype=np.bool_)
    worker.values[:] = arrays["values"]
    worker.gains[:] = arrays["gains"]
    return arrays["done"]


def _total(workers: list[Worker]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    values, gains = workers[0].values.copy(), workers[0].gains.copy()
    for worker in workers[1:]:
        values += worker.values
        gains += worker.gains
    return values, gains


def _save(
    checkpoint: Path, settings: BaselineSettings, done: npt.NDArray[np.bool_], workers: list[Worker]
) -> None:
    values, gains = _total(workers)
    arrays = {"key": table_key(settings), "done": done, "values": values, "gains": gains}
    write_arrays(checkpoint, arrays)


def _finish(settings: BaselineSettings, workers: list[Worker], checkpoint: Path) -> PreflopTable:
    numerators = np.empty((PAIR_CLASSES, MOST[0]), dtype=np.int32)
    if average_pairs(pair_members(), *_total(workers), numerators):
        raise DamagedFile(f"the sums from {checkpoint} are not whole; delete it and build again")
    numerators.flags.writeable = False
    return PreflopTable(settings=settings, numerators=numerators)
