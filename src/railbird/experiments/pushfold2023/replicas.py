"""The source's computation on its push/fold users, repeated with other random boards.

Chin and Lopez 2023 estimated win probabilities from ten random boards per pair (section 2.1),
solved for a strategy with 100,000 sampled hands on these, and evaluated it by the same
probabilities (section 3.2). A replica repeats that; the spread of replicas for the same users shows
how much of the published numbers is due to the sampled boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from railbird.cards import CLASS_OF_HOLDING
from railbird.estimates import Estimate
from railbird.solve import PushFold
from railbird.solve.mccfr import holding_values, sample_pushfold, sampled_edge
from railbird.solve.settings import SNAPSHOTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from railbird.assessment.pushfold.decisions import Population
    from railbird.progress import Progress

ITERATIONS = SNAPSHOTS[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """The source's results for another sample of boards."""

    sb: float
    """Big blinds per hand that the strategy wins as the small blind."""
    bb: float
    sb_opposite: int
    """Holdings of the small blind with which the opposite action would win more."""
    bb_opposite: int

    @property
    def mean(self) -> float:
        """Mean over the seats."""
        return (self.sb + self.bb) / 2


def replica(
    people: Population,
    *,
    stack: float,
    rng: np.random.Generator,
    iterations: int = ITERATIONS,
) -> Replica:
    """Sample win probabilities, solve with them, and evaluate against the people with them."""
    game, edge = PushFold(stack=stack), sampled_edge(rng)
    (solved,) = sample_pushfold(stack, rng=rng, edge=edge, snapshots=[iterations])
    push, call = solved.current_push, solved.current_call
    as_sb = holding_values(game, push, people.call[CLASS_OF_HOLDING], edge)[0]
    as_bb = holding_values(game, people.push[CLASS_OF_HOLDING], call, edge)[1]
    return Replica(
        sb=float(as_sb[0] @ (1 - push) + as_sb[1] @ push),
        bb=float(as_bb[0] @ (1 - call) + as_bb[1] @ call),
        sb_opposite=int(np.count_nonzero((1 - 2 * push) * (as_sb[1] - as_sb[0]) > 0)),
        bb_opposite=int(np.count_nonzero((1 - 2 * call) * (as_bb[1] - as_bb[0]) > 0)),
    )


def replicas(
    people: Population,
    count: int,
    *,
    stack: float,
    rng: np.random.Generator,
    iterations: int = ITERATIONS,
    progress: Progress | None = None,
) -> list[Replica]:
    """Compute ``count`` replicas, each with its own boards and hands."""
    results = []
    for done, own in enumerate(rng.spawn(count)):
        if progress is not None:
            progress(done, count, "replicas")
        results.append(replica(people, stack=stack, rng=own, iterations=iterations))
    return results


def spread(values: Sequence[float], unit: str) -> Estimate:
    """Return the mean of replicas with the error of a single one, like the one published."""
    return Estimate(float(np.mean(values)), float(np.std(values, ddof=1)), len(values), unit)
