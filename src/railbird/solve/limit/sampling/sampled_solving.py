"""Strategies for limit hold'em in large abstractions, by public chance sampling, kept as files.

There is no gap to stop at: where recall is imperfect a best response in the abstraction is not
defined, and in the real game a strategy may become easier to exploit while it is solved further
(Johanson, Waugh, Bowling and Zinkevich 2011). So a run deals a number of boards, can be continued
with more, and keeps the strategies of some earlier numbers to compare.
"""

from __future__ import annotations

import contextvars
import datetime
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from railbird._arguments import checked
from railbird._files import atomic_write
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT
from railbird.progress import Progress
from railbird.solve.abstraction.bucket_building import bucket_abstraction
from railbird.solve.limit.algorithms import Algorithm
from railbird.solve.limit.betting_tree import betting_tree
from railbird.solve.limit.sampling.public_chance import PublicChanceSolver
from railbird.solve.limit.settings import (
    BOARDS_A_BATCH,
    FIRST_KEPT_BOARDS,
    SAMPLED_BOARDS,
    SAMPLED_CHECKPOINT_SECONDS,
)
from railbird.solve.limit.strategy import LimitStrategy, open_strategy, write_strategy


class KeptStrategy(NamedTuple):
    """The strategy of an earlier number of boards."""

    boards: int
    path: Path


def kept_strategies(path: Path) -> list[KeptStrategy]:
    """List the strategies that a run to ``path`` has kept on its way, by number of boards."""
    found = []
    for each in path.parent.glob(f"{path.stem}-*-boards{path.suffix}"):
        number = each.stem.removeprefix(f"{path.stem}-").removesuffix("-boards")
        if number.isdigit():
            found.append(KeptStrategy(int(number), each))
    return sorted(found)


@checked
def solve_sampled(
    path: Path,
    states: Sequence[int],
    *,
    boards: int = SAMPLED_BOARDS,
    seed: int = 1,
    progress: Progress | None = None,
) -> LimitStrategy:
    """Solve heads-up limit in an imperfect-recall abstraction, and write the average strategy.

    ``boards`` are all that have been dealt at the end, those of earlier runs included; what these
    computed is kept beside ``path``. The strategies of `FIRST_KEPT_BOARDS` and every doubling are
    kept too, see `kept_strategies`. The same seed gives the same strategy, with any number of
    threads. Raises `BadInput` for a number of boards that is not positive, states that cannot be
    used, or a file that cannot be written.
    """
    if boards < 1:
        raise BadInput(f"{boards} boards; allowed: 1 or more")
    abstraction = bucket_abstraction(tuple(states), progress=progress)
    solver = PublicChanceSolver(betting_tree(HEADS_UP_LIMIT), abstraction, seed)
    run = SampledRun(solver, path)
    run.resume()
    path.parent.mkdir(parents=True, exist_ok=True)
    in_whole_steps(
        run.step,
        until=lambda: solver.boards >= boards,
        write=run.write,
        told=lambda: (
            progress is not None
            and progress(solver.boards, max(boards, solver.boards), run.words())
        ),
    )
    run.write()
    write_strategy(path, run.strategy())
    return open_strategy(path)


def in_whole_steps(
    step: Callable[[], None],
    *,
    until: Callable[[], bool],
    write: Callable[[], None],
    told: Callable[[], object],
) -> None:
    """Repeat a step until something holds; wait for one that is interrupted, and write.

    A step that is interrupted would leave its tables half updated.
    """
    with ThreadPoolExecutor(max_workers=1) as pool:
        while not until():
            pending = pool.submit(contextvars.copy_context().run, step)
            try:
                pending.result()
                told()
            except BaseException:
                wait([pending])
                write()
                raise


class SampledRun:
    """A solver, the time it has taken, and the files that both are kept in."""

    def __init__(self, solver: PublicChanceSolver, path: Path) -> None:
        self.solver, self.path = solver, path
        self.kept = path.with_suffix(".part.npz")
        self.seconds = self.cpu_seconds = 0.0
        self._record = json.dumps([solver.abstraction.record, solver.seed, BOARDS_A_BATCH])
        self._written = time.monotonic()

    def words(self) -> str:
        """Say what can be said of the state of things."""
        rate = self.solver.boards / self.seconds if self.seconds else 0.0
        return f"boards, {rate:.1f} a second"

    def step(self) -> None:
        """Deal one batch; write tables and strategies if it is time."""
        start, cpu, before = time.monotonic(), time.process_time(), self.solver.boards
        self.solver.run(1)
        self.seconds += time.monotonic() - start
        self.cpu_seconds += time.process_time() - cpu
        mark = FIRST_KEPT_BOARDS
        while mark <= before:
            mark *= 2
        if self.solver.boards >= mark:
            name = f"{self.path.stem}-{mark}-boards{self.path.suffix}"
            write_strategy(self.path.with_name(name), self.strategy())
        if time.monotonic() - self._written > SAMPLED_CHECKPOINT_SECONDS:
            self.write()

    def strategy(self) -> LimitStrategy:
        """Return the average strategy so far."""
        solver = self.solver
        provenance: dict[str, Any] = {
            "algorithm": Algorithm.PUBLIC_CHANCE.words,
            "iterations": solver.batches,
            "boards": solver.boards,
            "seed": solver.seed,
            "seconds": round(self.seconds, 1),
            "cpu_seconds": round(self.cpu_seconds, 1),
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        }
        return LimitStrategy(solver.tree, solver.abstraction, solver.average(), provenance)

    def write(self) -> None:
        """Write everything that `resume` needs."""
        tables: dict[str, Any] = {f"regrets{n}": t for n, t in enumerate(self.solver.regrets)}
        tables |= {f"sums{n}": t for n, t in enumerate(self.solver.sums)}
        state = {
            "record": self._record,
            "batches": self.solver.batches,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
        }
        with atomic_write(self.kept) as part, part.open("wb") as file:
            np.savez(file, state=np.array(json.dumps(state)), **tables)
        self._written = time.monotonic()

    def resume(self) -> None:
        """Go on where an earlier run stopped; begin anew if its file is of another game."""
        try:
            with self.kept.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                state = json.loads(str(kept["state"]))
                if state["record"] != self._record:
                    return
                batches = int(state["batches"])
                times = float(state["seconds"]), float(state["cpu_seconds"])
                found = []
                for name, tables in (("regrets", self.solver.regrets), ("sums", self.solver.sums)):
                    for number, table in enumerate(tables):
                        read = kept[f"{name}{number}"]
                        if read.shape != table.shape or read.dtype != table.dtype:
                            return
                        found.append((table, read))
        except Exception:  # whatever a damaged archive raises
            return
        for table, read in found:
            table[:] = read
        self.solver.batches = batches
        self.seconds, self.cpu_seconds = times
