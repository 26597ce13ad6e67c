"""Equilibria of limit hold'em in a percentile abstraction, solved once and kept as files."""

from __future__ import annotations

import datetime
import json
import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from railbird import _paths
from railbird._arguments import checked
from railbird._files import atomic_write, locked
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT
from railbird.progress import Progress
from railbird.solve.abstraction.card_abstraction import CardAbstraction, CardBlind
from railbird.solve.abstraction.percentile_building import counted_abstraction
from railbird.solve.abstraction.settings import BUCKET_SIZES
from railbird.solve.limit.algorithms import Algorithm, Run, start
from railbird.solve.limit.betting_tree import betting_tree
from railbird.solve.limit.sampling.sampled_solving import in_whole_steps
from railbird.solve.limit.settings import (
    CHECK_GROWTH,
    CHECKPOINT_SECONDS,
    FIRST_CHECK,
    GAP_MB,
    SIZES,
)
from railbird.solve.limit.state_game import StateGame, state_game
from railbird.solve.limit.strategy import LimitStrategy, open_strategy, write_strategy

_LOG = logging.getLogger(__name__)
_SAYS_SECONDS = 5.0


class GapCheck(NamedTuple):
    """A point of the convergence curve."""

    iterations: int
    gap_mb: float
    seconds: float
    """Of solving until then, interruptions left out."""


def strategy_path(size: str) -> Path:
    """Return the cache folder's file of a size."""
    return _paths.cache_folder() / "strategies" / f"limit-{size}.strategy"


def holdem_game(
    buckets: Sequence[int], *, progress: Progress | None = None
) -> tuple[StateGame, CardAbstraction]:
    """Return heads-up limit in a percentile abstraction, counting showdowns first if needed."""
    tree = betting_tree(HEADS_UP_LIMIT)
    if set(buckets) == {1}:
        one = np.zeros(1, dtype=np.int32)
        return state_game(tree, (one,) * 4, [[0.0]], [[1.0]]), CardBlind()
    counted = counted_abstraction(tuple(buckets), progress=progress)
    abstraction = counted.abstraction
    parents = tuple(
        np.arange(states, dtype=np.int32) // (parts if street else states)
        for street, (states, parts) in enumerate(
            zip(abstraction.states, abstraction.buckets, strict=True)
        )
    )
    return state_game(tree, parents, counted.wins, counted.ties), abstraction


@checked
def solve_limit(
    path: Path,
    buckets: Sequence[int],
    *,
    algorithm: Algorithm = Algorithm.CFR_PLUS,
    gap_mb: float = GAP_MB,
    most: int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> LimitStrategy:
    """Solve heads-up limit in an abstraction until the gap is small, and write the strategy.

    The gap is the gain of a best response in the abstraction, in thousandths of a small bet a game,
    averaged over the seats. What has been computed is kept beside ``path`` until it is done, and an
    interrupted run of the same algorithm goes on there. ``seed`` is for those that sample; by CFR+
    the numbers depend on the machine's matrix product in their last digits. Raises `BadInput` for a
    gap that is not positive, or a file that cannot be written.
    """
    if not gap_mb > 0:
        raise BadInput(f"a gap of {gap_mb:g} mb/g; allowed: more than 0")
    stop = algorithm.most if most is None else most
    game, abstraction = holdem_game(buckets, progress=progress)
    record: Any = abstraction.record
    if algorithm is not Algorithm.CFR_PLUS:
        record = [algorithm.value, seed, record]
    solver = start(algorithm, game, abstraction, seed)
    run = _Run(algorithm, solver, path.with_suffix(".part.npz"), json.dumps(record))
    run.resume()
    in_whole_steps(
        lambda: run.step(stop),
        until=lambda: (
            bool(run.curve and run.curve[-1].gap_mb <= gap_mb) or run.solver.iterations >= stop
        ),
        write=run.write,
        told=lambda: progress is not None and progress(run.solver.iterations, 0, run.words()),
    )
    average = run.solver.averaged()
    provenance = {
        "algorithm": algorithm.words,
        algorithm.unit: run.solver.iterations,
        "gap_mb": run.curve[-1].gap_mb,
        "value_big_blind_sb": average.value(),
        "seconds": round(run.seconds, 1),
        "curve": [list(check) for check in run.curve],
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
    if algorithm is not Algorithm.CFR_PLUS:
        provenance["seed"] = seed
    found = LimitStrategy(game.tree, abstraction, average.average(), provenance)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_strategy(path, found)
    run.path.unlink(missing_ok=True)
    return open_strategy(path)


class _Run:
    """A solver with its curve, and the file that both are kept in."""

    def __init__(self, algorithm: Algorithm, solver: Run, path: Path, record: str) -> None:
        self.solver, self.path = solver, path
        self.seconds = 0.0
        self.curve: list[GapCheck] = []
        self._algorithm, self._record = algorithm, record
        self._written = time.monotonic()

    def words(self) -> str:
        """Say how far it is."""
        gap = f", gap {self.curve[-1].gap_mb:,.1f} mb/g" if self.curve else ""
        return f"{self._algorithm.unit} of {self._algorithm}{gap}"

    def step(self, most: int) -> None:
        """Iterate; compute the gap and write the tables if it is time."""
        begun = time.monotonic()
        self.solver.step(most)
        now = self.solver.iterations
        last = self.curve[-1].iterations if self.curve else 0
        self.seconds += time.monotonic() - begun
        if now >= max(FIRST_CHECK, CHECK_GROWTH * last) or now >= most:
            gap = 1000 * self.solver.averaged().exploitability()
            self.curve.append(GapCheck(now, gap, round(self.seconds, 3)))
        if time.monotonic() - self._written > CHECKPOINT_SECONDS:
            self.write()

    def write(self) -> None:
        """Write everything that `resume` needs."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        state = {"record": self._record, "seconds": self.seconds, "curve": self.curve}
        text = json.dumps(state | self.solver.state)
        tables: dict[str, Any] = dict(self.solver.tables)
        with atomic_write(self.path) as part, part.open("wb") as file:
            np.savez(file, state=np.array(text), **tables)
        self._written = time.monotonic()

    def resume(self) -> None:
        """Go on where an earlier run stopped; begin anew if its file is of another game."""
        tables = self.solver.tables
        try:
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                state = json.loads(str(kept["state"]))
                if state["record"] != self._record:
                    return
                found = {name: kept[name] for name in tables}
            if any(table.shape != found[name].shape for name, table in tables.items()):
                return
            curve = [GapCheck(*check) for check in state["curve"]]
            seconds = float(state["seconds"])
            self.solver.resume(state)
        except Exception:  # whatever a damaged archive raises
            return
        for name, table in tables.items():
            table[:] = found[name]
        self.seconds, self.curve = seconds, curve


@checked
def open_equilibrium(name: str, *, verify: bool = False) -> LimitStrategy:
    """Open the strategy of a size or a file; a size that has not been solved is solved first.

    To ``verify`` it, all of it is read. Raises `BadInput` for a file that cannot be read or is no
    strategy, `DamagedFile` as `open_strategy` does.
    """
    return open_strategy(_solved(name), verify=verify)


def _solved(name: str) -> Path:
    """Return the file of a size, solved if it has not been, or the file of that name."""
    path = strategy_path(name)
    if name in BUCKET_SIZES:
        if not path.exists():
            raise BadInput(
                f"equilibrium:{name} has not been solved; railbird solve limit --size {name} does, "
                "in an hour or more"
            )
        return path
    if name not in SIZES:
        if not Path(name).exists():
            sizes = ", ".join([*SIZES, *BUCKET_SIZES])
            raise BadInput(f"equilibrium:{name}: no such file; allowed: {sizes} or a strategy")
        return Path(name)
    if not path.exists():
        with locked(path.with_suffix(".lock")):
            if not path.exists():
                if name != "blind":
                    _LOG.warning(
                        "solving equilibrium:%s, once: two minutes or more, in %s", name, path
                    )
                solve_limit(path, SIZES[name], progress=_saying(name))
    return path


def _saying(name: str) -> Progress:
    """Return a progress that says every now and then how far it is."""
    last = time.monotonic()

    def say(done: int, total: int, what: str) -> None:
        nonlocal last
        if time.monotonic() - last > _SAYS_SECONDS:
            last = time.monotonic()
            of = f" of {total}" if total else ""
            _LOG.warning("equilibrium:%s: %s, %d%s", name, what, done, of)

    return say
