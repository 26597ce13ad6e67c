"""Solves heads-up limit in abstractions, once, and keeps the strategies as files.

`railbird.solve.nolimit.solving` does so for heads-up no-limit.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from railbird import _paths, _provenance
from railbird._arguments import checked
from railbird._files import locked
from railbird.errors import BadInput, did_you_mean
from railbird.game import HEADS_UP_LIMIT
from railbird.progress import Progress, said
from railbird.solve.abstraction.buckets import bucket_abstraction
from railbird.solve.abstraction.card_abstraction import BUCKET_SIZES, CardAbstraction, CardBlind
from railbird.solve.abstraction.percentile import counted_abstraction
from railbird.solve.limit.betting_tree import betting_tree
from railbird.solve.limit.matrix_cfr import MatrixSolver
from railbird.solve.limit.sampling import PublicChanceSolver, SampledSolver
from railbird.solve.limit.settings import (
    BOARDS_A_BATCH,
    CHECK_GROWTH,
    CHECKPOINT_SECONDS,
    DEALS_A_STEP,
    FIRST_CHECK,
    FIRST_KEPT_BOARDS,
    GAP_MB,
    MOST_DEALS,
    MOST_ITERATIONS,
    SAMPLED_BOARDS,
    SAMPLED_CHECKPOINT_SECONDS,
    SIZES,
)
from railbird.solve.limit.strategy import (
    LimitStrategy,
    StateGame,
    open_strategy,
    state_game,
    write_strategy,
)
from railbird.solve.settings import MB, check_goal
from railbird.solve.strategy_files import in_whole_steps, read_checkpoint, write_checkpoint

# The algorithms that solve a `StateGame`, behind one interface: run, keep and resume.


Tables = dict[str, npt.NDArray[Any]]


class Algorithm(StrEnum):
    """An algorithm for games of few states. The values are names for users."""

    CFR_PLUS = "cfr+"
    PUBLIC_CHANCE = "public-chance"
    EXTERNAL = "external"

    @property
    def most(self) -> int:
        """The default limit of iterations, in the algorithm's `unit`."""
        return _MOST[self]

    @property
    def words(self) -> str:
        """How a strategy's file describes the algorithm."""
        return _WORDS[self]

    @property
    def unit(self) -> str:
        """The algorithm's unit of work: iterations, boards or deals."""
        return _UNITS[self]


_MOST = {
    Algorithm.CFR_PLUS: MOST_ITERATIONS,
    Algorithm.PUBLIC_CHANCE: SAMPLED_BOARDS,
    Algorithm.EXTERNAL: MOST_DEALS,
}
_UNITS = {
    Algorithm.CFR_PLUS: "iterations",
    Algorithm.PUBLIC_CHANCE: "boards",
    Algorithm.EXTERNAL: "deals",
}
_WORDS = {
    Algorithm.CFR_PLUS: "CFR+ (Tammelin 2014), iteration t counted t^2 times in the average",
    Algorithm.PUBLIC_CHANCE: "public-chance-sampled CFR (Johanson et al. 2012), iteration t "
    f"counted t times in regrets and average, {BOARDS_A_BATCH} boards an iteration",
    Algorithm.EXTERNAL: "external-sampling CFR (Lanctot et al. 2009), deal t counted t times in "
    "regrets and average",
}


class ResumableSolver(Protocol):
    """A solver, of any algorithm, whose state can be kept in a file."""

    @property
    def iterations(self) -> int:
        """Iterations so far, in `Algorithm.unit`."""

    @property
    def tables(self) -> Tables:
        """The arrays that a checkpoint keeps. They are filled before `resume` is called."""

    @property
    def state(self) -> dict[str, Any]:
        """The rest of the state, for JSON."""

    def step(self, most: int) -> None:
        """Make some iterations; stop soon after ``most`` in all."""

    def averaged(self) -> MatrixSolver:
        """Return a matrix solver with the same average strategy."""

    def resume(self, state: Mapping[str, Any]) -> None:
        """Take over a saved state, once the tables have been filled."""


def new_solver(
    algorithm: Algorithm, game: StateGame, abstraction: CardAbstraction, seed: int
) -> ResumableSolver:
    """Return a new solver of a game."""
    match algorithm:
        case Algorithm.CFR_PLUS:
            return _Matrices(MatrixSolver(game))
        case Algorithm.PUBLIC_CHANCE:
            return _Boards(game, PublicChanceSolver(game.tree, abstraction, seed))
        case Algorithm.EXTERNAL:
            return _Deals(SampledSolver(game, np.random.default_rng(seed)))


def _numbered(regrets: tuple[Any, ...], sums: tuple[Any, ...]) -> Tables:
    tables = {f"regrets{number}": table for number, table in enumerate(regrets)}
    return tables | {f"sums{number}": table for number, table in enumerate(sums)}


class _Matrices:
    """CFR+ as matrix products."""

    def __init__(self, solver: MatrixSolver) -> None:
        self._solver = solver
        self.tables = _numbered(solver.regrets, solver.sums)

    @property
    def iterations(self) -> int:
        return self._solver.iterations

    @property
    def state(self) -> dict[str, Any]:
        return {"iterations": self.iterations}

    def step(self, most: int) -> None:
        self._solver.run(1)

    def averaged(self) -> MatrixSolver:
        return self._solver

    def resume(self, state: Mapping[str, Any]) -> None:
        self._solver.iterations = int(state["iterations"])


class _Boards:
    """Public chance sampling."""

    def __init__(self, game: StateGame, solver: PublicChanceSolver) -> None:
        self._game, self._solver = game, solver
        self.tables = _numbered(solver.regrets, solver.sums)

    @property
    def iterations(self) -> int:
        return self._solver.boards

    @property
    def state(self) -> dict[str, Any]:
        return {"batches": self._solver.batches}

    def step(self, most: int) -> None:
        self._solver.run(1)

    def averaged(self) -> MatrixSolver:
        solver = MatrixSolver(self._game)
        solver.sums = tuple(table.astype(np.float32) for table in self._solver.sums)
        return solver

    def resume(self, state: Mapping[str, Any]) -> None:
        self._solver.batches = int(state["batches"])


class _Deals:
    """External sampling."""

    def __init__(self, solver: SampledSolver) -> None:
        self._solver = solver
        self.tables: Tables = dict(solver.tables)

    @property
    def iterations(self) -> int:
        return self._solver.iterations

    @property
    def state(self) -> dict[str, Any]:
        return self._solver.state

    def step(self, most: int) -> None:
        self._solver.run(max(min(DEALS_A_STEP, most - self.iterations), 1))

    def averaged(self) -> MatrixSolver:
        return self._solver.averaged()

    def resume(self, state: Mapping[str, Any]) -> None:
        self._solver.resume(state)


# Strategies for limit hold'em in large abstractions, by public chance sampling, kept as files.
#
# There is no gap at which to stop. With imperfect recall a best response in the abstraction is not
# defined, and in the real game a strategy may become easier to exploit as it is solved further
# (Johanson, Waugh, Bowling and Zinkevich 2011). So a run deals a given number of boards, can be
# continued with more, and keeps the strategies of some earlier numbers for comparison.


class KeptStrategy(NamedTuple):
    """A strategy that was kept after an earlier number of boards."""

    boards: int
    path: Path


def kept_strategies(path: Path) -> list[KeptStrategy]:
    """List the strategies that a run writing to ``path`` has kept, by number of boards."""
    strategies = []
    for kept_path in path.parent.glob(f"{path.stem}-*-boards{path.suffix}"):
        number = kept_path.stem.removeprefix(f"{path.stem}-").removesuffix("-boards")
        if number.isdigit():
            strategies.append(KeptStrategy(int(number), kept_path))
    return sorted(strategies)


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

    ``boards`` is the total, including earlier runs, whose results are kept beside ``path``. The
    strategies after `FIRST_KEPT_BOARDS` boards and after every doubling are kept too; see
    `kept_strategies`. The same seed gives the same strategy with any number of threads. Raises
    `BadInput` for a number of boards that is not positive, states that cannot be used, or a file
    that cannot be written.
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
        every=SAMPLED_CHECKPOINT_SECONDS,
        report=lambda: (
            progress is not None
            and progress(solver.boards, max(boards, solver.boards), run.words())
        ),
    )
    run.write()
    write_strategy(path, run.strategy())
    return open_strategy(path)


class SampledRun:
    """A solver with the time it has taken, and the files that keep both."""

    def __init__(self, solver: PublicChanceSolver, path: Path) -> None:
        self.solver, self.path = solver, path
        self.kept = path.with_suffix(".part.npz")
        self.seconds = self.cpu_seconds = 0.0
        self._record = json.dumps([solver.abstraction.record, solver.seed, BOARDS_A_BATCH])

    def words(self) -> str:
        """Describe the progress of the solution in words."""
        rate = self.solver.boards / self.seconds if self.seconds else 0.0
        return f"boards, {rate:.1f} a second"

    def step(self) -> None:
        """Deal one batch of boards; write the strategy if the number of boards is one to keep."""
        start, cpu, boards_before = time.monotonic(), time.process_time(), self.solver.boards
        self.solver.run(1)
        self.seconds += time.monotonic() - start
        self.cpu_seconds += time.process_time() - cpu
        # The next mark above the number before this step. It may be passed rather than hit, since
        # boards come in batches; the file is named by the mark, so that runs of other batches can
        # be compared.
        mark = FIRST_KEPT_BOARDS
        while mark <= boards_before:
            mark *= 2
        if self.solver.boards >= mark:
            name = f"{self.path.stem}-{mark}-boards{self.path.suffix}"
            write_strategy(self.path.with_name(name), self.strategy())

    def strategy(self) -> LimitStrategy:
        """Return the average strategy so far."""
        solver = self.solver
        training: dict[str, Any] = {
            "algorithm": Algorithm.PUBLIC_CHANCE.words,
            "iterations": solver.batches,
            "boards": solver.boards,
            "seconds": round(self.seconds, 1),
            "cpu_seconds": round(self.cpu_seconds, 1),
        }
        made = _provenance.current_provenance(seed=solver.seed)
        return LimitStrategy(solver.tree, solver.abstraction, solver.average(), training, made)

    def write(self) -> None:
        """Write everything that `resume` needs."""
        state = {
            "record": self._record,
            "batches": self.solver.batches,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
        }
        write_checkpoint(self.kept, state, self._tables())

    def resume(self) -> None:
        """Go on where an earlier run stopped; begin anew if its file is of another game."""
        read_checkpoint(self.kept, self._record, self._tables(), self._take)

    def _tables(self) -> Tables:
        return _numbered(self.solver.regrets, self.solver.sums)

    def _take(self, state: dict[str, Any]) -> None:
        times = float(state["seconds"]), float(state["cpu_seconds"])
        self.solver.batches = int(state["batches"])
        self.seconds, self.cpu_seconds = times


_LOG = logging.getLogger(__name__)
# Equilibria of percentile abstractions, solved once and kept.


class GapCheck(NamedTuple):
    """A point of the convergence curve."""

    iterations: int
    gap_mb: float
    seconds: float
    """Seconds of solving until then, without interruptions."""


def strategy_path(size: str) -> Path:
    """Return the file of a size in the cache folder."""
    return _paths.cache_folder() / "strategies" / f"limit-{size}.strategy"


def holdem_game(
    buckets: Sequence[int], *, progress: Progress | None = None
) -> tuple[StateGame, CardAbstraction]:
    """Return heads-up limit in a percentile abstraction, counting showdowns first if needed."""
    tree = betting_tree(HEADS_UP_LIMIT)
    if set(buckets) == {1}:
        single_state = np.zeros(1, dtype=np.int32)
        return state_game(tree, (single_state,) * 4, [[0.0]], [[1.0]]), CardBlind()
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

    The gap is the gain of a best response in the abstraction, averaged over the seats, in
    thousandths of a small bet a game. Intermediate results are kept beside ``path`` until the end,
    and an interrupted run of the same algorithm continues from them. ``seed`` matters to algorithms
    that sample; with CFR+ the last digits depend on the machine's matrix product. Raises `BadInput`
    for a gap that is not positive, or a file that cannot be written.
    """
    check_goal("a gap of", gap_mb, MB)
    stop = algorithm.most if most is None else most
    game, abstraction = holdem_game(buckets, progress=progress)
    record: Any = abstraction.record
    if algorithm is not Algorithm.CFR_PLUS:
        record = [algorithm.value, seed, record]
    solver = new_solver(algorithm, game, abstraction, seed)
    run = _Run(algorithm, solver, path.with_suffix(".part.npz"), json.dumps(record))
    run.resume()
    in_whole_steps(
        lambda: run.step(stop),
        until=lambda: (
            bool(run.curve and run.curve[-1].gap_mb <= gap_mb) or run.solver.iterations >= stop
        ),
        write=run.write,
        every=CHECKPOINT_SECONDS,
        report=lambda: progress is not None and progress(run.solver.iterations, 0, run.words()),
    )
    average = run.solver.averaged()
    training = {
        "algorithm": algorithm.words,
        algorithm.unit: run.solver.iterations,
        "gap_mb": run.curve[-1].gap_mb,
        "value_big_blind_sb": average.value(),
        "seconds": round(run.seconds, 1),
        "curve": [list(check) for check in run.curve],
    }
    made = _provenance.current_provenance(seed=None if algorithm is Algorithm.CFR_PLUS else seed)
    strategy = LimitStrategy(game.tree, abstraction, average.average(), training, made)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_strategy(path, strategy)
    run.path.unlink(missing_ok=True)
    return open_strategy(path)


class _Run:
    """A solver with its convergence curve, and the file that keeps both."""

    def __init__(
        self, algorithm: Algorithm, solver: ResumableSolver, path: Path, record: str
    ) -> None:
        self.solver, self.path = solver, path
        self.seconds = 0.0
        self.curve: list[GapCheck] = []
        self._algorithm, self._record = algorithm, record

    def words(self) -> str:
        """Return the unit, the algorithm and the last gap, to report progress."""
        gap = f", gap {self.curve[-1].gap_mb:,.1f} mb/g" if self.curve else ""
        return f"{self._algorithm.unit} of {self._algorithm}{gap}"

    def step(self, most: int) -> None:
        """Iterate, and compute the gap if the iterations have grown enough since the last time."""
        begun = time.monotonic()
        self.solver.step(most)
        now = self.solver.iterations
        last = self.curve[-1].iterations if self.curve else 0
        self.seconds += time.monotonic() - begun
        if now >= max(FIRST_CHECK, CHECK_GROWTH * last) or now >= most:
            gap = 1000 * self.solver.averaged().exploitability()
            self.curve.append(GapCheck(now, gap, round(self.seconds, 3)))

    def write(self) -> None:
        """Write everything that `resume` needs."""
        state = {"record": self._record, "seconds": self.seconds, "curve": self.curve}
        write_checkpoint(self.path, state | self.solver.state, self.solver.tables)

    def resume(self) -> None:
        """Go on where an earlier run stopped; begin anew if its file is of another game."""
        read_checkpoint(self.path, self._record, self.solver.tables, self._take)

    def _take(self, state: dict[str, Any]) -> None:
        # Everything is read before anything is assigned, so that a damaged state changes nothing.
        curve = [GapCheck(*check) for check in state["curve"]]
        seconds = float(state["seconds"])
        self.solver.resume(state)
        self.seconds, self.curve = seconds, curve


@checked
def open_equilibrium(name: str, *, verify: bool = False) -> LimitStrategy:
    """Open the strategy of a size or a file; a size of few states is solved first if missing.

    ``verify`` reads the whole file to check it. Raises `BadInput` for a file that cannot be read or
    is no strategy, and for a large size that has not been solved; `DamagedFile` as `open_strategy`.
    """
    return open_strategy(_solved(name), verify=verify)


def _solved(name: str) -> Path:
    """Return the file of a size, which is solved if it is small, or the file of that name."""
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
            sizes = [*SIZES, *BUCKET_SIZES]
            meant = did_you_mean(name, sizes) or f"allowed: {', '.join(sizes)} or a strategy"
            raise BadInput(f"equilibrium:{name}: no such file; {meant}")
        return Path(name)
    if not path.exists():
        # Another process may be solving the same size: wait for it, and then look again.
        with locked(path.with_suffix(".lock")):
            if not path.exists():
                if name != "blind":
                    _LOG.warning(
                        "solving equilibrium:%s, once: two minutes or more, in %s", name, path
                    )
                solve_limit(path, SIZES[name], progress=said(_LOG, f"equilibrium:{name}"))
    return path
