"""The source's arithmetic on push/fold's people, done again with other random boards.

Chin and Lopez 2023 took win chances from ten random boards a pair (section 2.1), their strategy
from 100,000 dealt hands on these chances, and judged it by the same chances (section 3.2). A
replica does that anew; how far replicas of the same people lie apart is what the published numbers
owe to the boards that happened to come.
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
    """What the source would have published had other boards come."""

    sb: float
    """Big blinds a hand that the strategy wins as the small blind."""
    bb: float
    sb_opposite: int
    """Holdings of the small blind with which the other choice would win more."""
    bb_opposite: int

    @property
    def mean(self) -> float:
        """Over the seats."""
        return (self.sb + self.bb) / 2


def replica(
    people: Population,
    *,
    stack: float,
    rng: np.random.Generator,
    iterations: int = ITERATIONS,
) -> Replica:
    """Draw chances, solve by them, and judge the strategy against the people by them."""
    game, edge = PushFold(stack=stack), sampled_edge(rng)
    (found,) = sample_pushfold(stack, rng=rng, edge=edge, snapshots=[iterations])
    push, call = found.current_push, found.current_call
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
    """Make so many, each with boards and hands of its own."""
    found = []
    for done, own in enumerate(rng.spawn(count)):
        if progress is not None:
            progress(done, count, "replicas")
        found.append(replica(people, stack=stack, rng=own, iterations=iterations))
    return found


def spread(values: Sequence[float], unit: str) -> Estimate:
    """Give the mean of replicas; the error is that of a single one, which a source publishes."""
    return Estimate(float(np.mean(values)), float(np.std(values, ddof=1)), len(values), unit)
