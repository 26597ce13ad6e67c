"""Solves blueprints of heads-up no-limit by external sampling, and keeps them as files.

`railbird.solve.limit.solving` does so for heads-up limit.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from railbird import _paths, _provenance
from railbird._arguments import checked
from railbird._files import locked
from railbird._threads import thread_count
from railbird.errors import BadInput
from railbird.progress import Progress, said
from railbird.solve.abstraction.buckets import BucketAbstraction, bucket_abstraction, check_states
from railbird.solve.abstraction.percentile import open_values
from railbird.solve.external_sampling import Deals, ExternalSampler, laid_out
from railbird.solve.nolimit.betting import NoLimitTree, nolimit_tree
from railbird.solve.nolimit.kernels import DEALT, deal_buckets
from railbird.solve.nolimit.settings import (
    BIG_BLIND,
    CHECKPOINT_SECONDS,
    DEALS_A_STEP,
    LEAST_REGRET,
    SIZES,
    STACKS,
    VALUE_DEALS_A_STEP,
    BlueprintSize,
)
from railbird.solve.nolimit.strategy import (
    FORMAT,
    TRUNK,
    Depth,
    NoLimitStrategy,
    as_bytes,
    check_stacks,
    open_nolimit,
    write_nolimit,
)
from railbird.solve.nolimit.values import TURN_DEALS, TurnValues
from railbird.solve.strategy_files import in_whole_steps, read_checkpoint, write_checkpoint

_LOG = logging.getLogger(__name__)

ALGORITHM = (
    "external-sampling CFR (Lanctot et al. 2009), deal t counted t times in regrets and average, "
    "actions of very negative regret followed on one deal in twenty"
)


class Dealer:
    """Deals hold'em and returns the holdings' buckets."""

    def __init__(self, abstraction: BucketAbstraction) -> None:
        values = open_values()
        self._starts = values.flop_start, values.turn_start, values.river_start
        self._patterns = values.flop_pattern, values.turn_pattern, values.river_pattern
        flop, turn, river = abstraction.tables
        self._tables = flop, turn, river

    def __call__(self, rng: np.random.Generator, deals: int) -> Deals:
        """Draw deals of cards, and look up their buckets and showdowns."""
        states = np.empty((deals, 2, 4), dtype=np.int32)
        results = np.empty(deals, dtype=np.int8)
        draws = rng.random((deals, DEALT))
        deal_buckets(draws, self._starts, self._patterns, self._tables, states, results)
        return states, results


class _StackSolving:
    """The solver of one stack, and the file that keeps its state."""

    def __init__(
        self, tree: NoLimitTree, abstraction: BucketAbstraction, seed: int, path: Path
    ) -> None:
        self.tree, self.path = tree, path.with_suffix(f".{tree.stack}.part.npz")
        self.sampler = ExternalSampler(
            streets=laid_out(tree.forests, abstraction.states),
            states=abstraction.states,
            unit=float(BIG_BLIND),
            draw=Dealer(abstraction),
            rng=np.random.default_rng([seed, tree.stack]),
            least=LEAST_REGRET,
        )
        self.seconds = 0.0
        """Processor time of the iterations."""
        self._record = json.dumps([tree.menu, tree.stack, abstraction.record, seed, LEAST_REGRET])

    def step(self, most: int) -> None:
        """Draw one step of deals, at most up to ``most`` in all."""
        start = time.thread_time()
        self.sampler.run(min(DEALS_A_STEP, most - self.sampler.iterations))
        self.seconds += time.thread_time() - start

    def write(self) -> None:
        """Write everything that `resume` needs."""
        state = {"record": self._record, "seconds": self.seconds} | self.sampler.state
        write_checkpoint(self.path, state, self.sampler.tables)

    def resume(self) -> None:
        """Continue where an earlier run stopped."""

        def take(state: dict[str, Any]) -> None:
            seconds = float(state["seconds"])
            self.sampler.resume(state)
            self.seconds = seconds

        read_checkpoint(self.path, self._record, self.sampler.tables, take)

    def depth(self) -> Depth:
        """Return the average strategy so far."""
        tables = [
            as_bytes(self.sampler.by_action(street), self.tree, street) for street in range(4)
        ]
        return Depth(self.tree.menu, self.tree.stack, tuple(tables))


@checked
def solve_nolimit(
    path: Path,
    size: BlueprintSize,
    *,
    stacks: Sequence[int] = STACKS,
    deals: int | None = None,
    seed: int = 1,
    trunk: bool = False,
    value_deals: int = TURN_DEALS,
    progress: Progress | None = None,
) -> NoLimitStrategy:
    """Solve heads-up no-limit for some stacks in an abstraction, and write the average strategy.

    A ``trunk`` has only the streets before the turn, and the values of the turn's buckets at its
    beginning, from at least so many ``value_deals``.

    ``deals`` is the total for each stack, including earlier runs, whose results are kept beside
    ``path``. Each stack is solved on one core. The same seed gives the same strategy with any
    number of cores, however often the run is interrupted. Raises `BadInput` for unusable numbers,
    or a file that cannot be written.
    """
    most = size.deals if deals is None else deals
    if most < 1:
        raise BadInput(f"{most} deals; allowed: 1 or more")
    depths, states = check_stacks(stacks), check_states(size.states)
    trees = [nolimit_tree(size.menu, stack) for stack in depths]
    abstraction = bucket_abstraction(states, progress=progress)
    path.parent.mkdir(parents=True, exist_ok=True)
    runs = [_StackSolving(tree, abstraction, seed, path) for tree in trees]
    for run in runs:
        run.resume()

    def left() -> list[_StackSolving]:
        return [run for run in runs if run.sampler.iterations < most]

    def write() -> None:
        for run in runs:
            run.write()

    def step() -> None:
        list(pool.map(lambda run: run.step(most), left()))

    def told() -> None:
        if progress is not None:
            done = sum(min(run.sampler.iterations, most) for run in runs)
            progress(done, most * len(runs), "deals of all stacks")

    with ThreadPoolExecutor(max_workers=thread_count()) as pool:
        in_whole_steps(
            step, until=lambda: not left(), write=write, every=CHECKPOINT_SECONDS, report=told
        )
    training = {
        "algorithm": ALGORITHM,
        "deals": min(run.sampler.iterations for run in runs),
        "decisions": sum(run.sampler.decisions for run in runs),
        "cpu_seconds": round(sum(run.seconds for run in runs), 1),
    }
    write()
    solved, made = tuple(run.depth() for run in runs), _provenance.current_provenance(seed=seed)
    if trunk:
        training["value_deals"] = value_deals
        solved = tuple(
            _trunk_of(depth, abstraction, path, seed, value_deals, progress) for depth in solved
        )
    write_nolimit(path, NoLimitStrategy(size.menu, abstraction, solved, training, made))
    return open_nolimit(path)


def _trunk_of(
    depth: Depth,
    abstraction: BucketAbstraction,
    path: Path,
    seed: int,
    deals: int,
    progress: Progress | None,
) -> Depth:
    """Return a stack's streets before the turn with the turn's values, which are resumed."""
    finding = TurnValues(depth, abstraction.states, Dealer(abstraction), seed=seed)
    checkpoint = path.with_suffix(f".{depth.stack}.values.npz")
    tables = {"sums": finding.sums, "strengths": finding.strengths}
    # Values belong to one strategy: if it was solved further since, its values begin anew.
    digest = hashlib.sha256(b"".join(table.tobytes() for table in depth.tables)).hexdigest()
    record = json.dumps([digest, seed, VALUE_DEALS_A_STEP])

    def take(state: dict[str, Any]) -> None:
        finding.deals = int(state["deals"])

    def write() -> None:
        write_checkpoint(checkpoint, {"record": record, "deals": finding.deals}, tables)

    def told() -> None:
        if progress is not None:
            done = min(finding.deals, deals)
            progress(done, deals, f"values of the turn, {depth.stack} big blinds")

    read_checkpoint(checkpoint, record, tables, take)
    in_whole_steps(
        lambda: finding.add(VALUE_DEALS_A_STEP),
        until=lambda: finding.deals >= deals,
        write=write,
        every=CHECKPOINT_SECONDS,
        report=told,
    )
    write()
    values = finding.values().astype(np.float16)
    return Depth(depth.menu, depth.stack, depth.tables[:TRUNK], values)


def nolimit_path(size: str) -> Path:
    """Return the file of a size in the cache folder."""
    return _paths.cache_folder() / "strategies" / f"nolimit-{size}.strategy"


NAMES: dict[str, str] = {"nolimit": "small"} | {
    f"nolimit-{size}": size for size in SIZES if size != "small"
}
"""The sizes of blueprints by their players' names."""


def is_blueprint(name: str) -> bool:
    """Return whether a name, or the file that it names, is a blueprint."""
    return name in NAMES or FORMAT.begins(Path(name))


@checked
def open_blueprint(name: str) -> NoLimitStrategy:
    """Open and verify a blueprint of `NAMES` or of a file.

    The small one is solved first if it is missing. Raises `BadInput` for another one that is
    missing, and `DamagedFile` as `open_nolimit` does.
    """
    if name not in NAMES:
        return open_nolimit(Path(name), verify=True)
    size = NAMES[name]
    path = nolimit_path(size)
    if not path.exists():
        if size != "small":
            raise BadInput(
                f"equilibrium:{name} has not been solved; railbird solve nolimit --size {size} "
                "does, in a night"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path.with_suffix(".lock")):
            if not path.exists():
                _LOG.warning(
                    "solving equilibrium:%s, once: half an hour or more, in %s", name, path
                )
                solve_nolimit(path, SIZES[size], progress=said(_LOG, f"equilibrium:{name}"))
    return open_nolimit(path, verify=True)
