"""Push/fold over many stacks: the largest stack at which each hand is still played, and gaps.

Printed charts give one number for each hand. Some hands are pushed at 1 to 3 and again at 5 to 8
big blinds, which one number cannot express; so a hand has spans here, with gaps between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import Tabular, table_of
from railbird.cards import CLASS_NAMES
from railbird.progress import Progress
from railbird.solve.pushfold.heads_up import PushFoldSolution, solve_pushfold

if TYPE_CHECKING:
    import polars as pl

HALF = 0.5
"""A hand is played at a stack where the equilibrium plays it at least this often."""


@dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring stacks of a sweep, both ends included, in big blinds."""

    low: float
    high: float
    is_open: bool = False
    """The span reaches the largest stack of the sweep, and perhaps goes on beyond."""

    def __str__(self) -> str:
        """Write ``7.5-10.2``, one stack, or ``≥7.5`` for a span that is open."""
        if self.is_open:
            return f"≥{self.low:g}"
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g}-{self.high:g}"


@dataclass(frozen=True, slots=True, eq=False)
class Sweep(Tabular):
    """Equilibria at rising stacks."""

    solutions: tuple[PushFoldSolution, ...]

    @property
    def stacks(self) -> npt.NDArray[np.float64]:
        """(stacks,) in big blinds."""
        return np.array([solution.game.stack for solution in self.solutions])

    @property
    def push(self) -> npt.NDArray[np.float64]:
        """(stacks, 169) how often each class is pushed."""
        return np.array([solution.push for solution in self.solutions])

    @property
    def call(self) -> npt.NDArray[np.float64]:
        """(stacks, 169) how often each class calls."""
        return np.array([solution.call for solution in self.solutions])

    def spans(self, frequencies: npt.NDArray[np.float64]) -> tuple[tuple[Span, ...], ...]:
        """Find the spans of stacks at which ``frequencies`` (stacks, 169) play each class."""
        return tuple(_spans(self.stacks, column >= HALF) for column in frequencies.T)

    def gaps(self, frequencies: npt.NDArray[np.float64]) -> tuple[str, ...]:
        """Name the classes with more than one span, and their spans: ``43s 1-2, 5-7.5, ≥9``."""
        return tuple(
            f"{name} {', '.join(map(str, spans))}"
            for name, spans in zip(CLASS_NAMES, self.spans(frequencies), strict=True)
            if len(spans) > 1
        )

    def largest(self, frequencies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """(169,) the largest stack at which each class is played; 0 where it never is.

        The largest stack of the sweep stands for itself and for all that may follow.
        """
        played = frequencies >= HALF
        largest: npt.NDArray[np.float64] = np.where(played, self.stacks[:, None], 0.0).max(axis=0)
        return largest

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each stack."""
        return table_of(
            {
                "stack_bb": solution.game.stack,
                "value_small_blind_bb": solution.value_sb_bb,
                "push_share": solution.push_share,
                "call_share": solution.call_share,
                "exploitability_bb": solution.exploitability_bb,
            }
            for solution in self.solutions
        )


@checked
def sweep(
    stacks: Sequence[float],
    *,
    ante: float = 0.0,
    tolerance: float = 1e-8,
    progress: Progress | None = None,
) -> Sweep:
    """Solve at every stack. Raises `BadInput` as `solve_pushfold` does."""
    solutions = []
    # The kernels release the interpreter's lock, so threads run in parallel.
    with ThreadPoolExecutor() as pool:
        jobs = [
            pool.submit(solve_pushfold, stack, ante=ante, tolerance=tolerance)
            for stack in sorted(stacks)
        ]
        try:
            for done, job in enumerate(jobs):
                if progress is not None:
                    progress(done, len(jobs), "stacks")
                solutions.append(job.result())
        finally:
            pool.shutdown(cancel_futures=True)
    return Sweep(tuple(solutions))


def _spans(stacks: npt.NDArray[np.float64], played: npt.NDArray[np.bool_]) -> tuple[Span, ...]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], played, [False]]).astype(np.int8)))
    return tuple(
        Span(float(stacks[start]), float(stacks[stop - 1]), is_open=stop == len(stacks))
        for start, stop in edges.reshape(-1, 2).tolist()
    )
