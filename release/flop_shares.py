"""What two players of a no-limit blueprint win after the flop, by their classes of hands.

``python release/flop_shares.py STRATEGY FILE DEALS [SEED]`` writes the table of
`railbird.solve.preflop_seats.blueprint_continuation`: three million deals of 100 big blinds take
some fifteen minutes. On each deal all betting is followed. For every flop that both players reach,
the share of the pot that the player who acts first wins is added to the cell of both classes,
weighted by the probability that both reach it. In bands of stack depth, the cells are then fitted
by least squares: a constant, a multiple of the edge of the classes, and for each class what it wins
beyond that, acting first and acting last.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from railbird._arrays import Floats
from railbird._files import write_arrays
from railbird.cards import CLASSES
from railbird.solve.abstraction.buckets import BucketAbstraction
from railbird.solve.nolimit.kernels import follow_deals
from railbird.solve.nolimit.solving import Dealer
from railbird.solve.nolimit.strategy import Depth, open_nolimit
from railbird.solve.nolimit.values import arrays_of
from railbird.solve.preflop_seats import class_edges

BANDS: Final = (0.4, 0.8, 1.5, 2.5, 4.5, 7.5, 12.0, 20.0, 30.0, 60.0)
"""Limits of the bands: chips behind, in pots."""
_PRIOR: Final = 300.0
"""Deals by which the share that a class wins beyond its edge is shrunk to nothing."""
_DEALS_A_STEP: Final = 5_000


class Cells(NamedTuple):
    """Sums of one flop by the class of who acts first and of who acts last, (169, 169)."""

    depth: float
    """Chips behind, in pots."""
    pot: float
    weights: Floats
    shares: Floats
    """The share of the pot over one half, times the weight."""
    squares: Floats
    """Squared weights."""


def flops_of(depth: Depth) -> list[Cells]:
    """Return the flops of a stack, with nothing added yet."""
    forest, decisions = depth.tree.forests[1], depth.tree.decisions[1]
    pots = [2.0 * decisions[first].paid[0] for first in forest.root[:-1]]
    stack = depth.stack * depth.tree.root.paid[0]
    return [Cells((stack - pot / 2) / pot, pot, *np.zeros((3, CLASSES, CLASSES))) for pot in pots]


def add_deals(flops: list[Cells], depth: Depth, dealer: Dealer, seed: int, deals: int) -> None:
    """Follow so many deals, which the seed determines."""
    forests = arrays_of(depth.tree.forests)
    sums = tuple(np.empty((len(forest.root) - 1, 6)) for forest in depth.tree.forests[1:])
    rng = np.random.default_rng([seed, depth.stack])
    for begin in range(0, deals, _DEALS_A_STEP):
        sys.stderr.write(f"\r{begin:,} of {deals:,} deals")
        states, results = dealer(rng, min(_DEALS_A_STEP, deals - begin))
        edges = np.repeat(results.astype(np.float64)[:, None], 3, axis=1)
        for deal in range(len(states)):
            for street in sums:
                street[:] = 0.0
            follow_deals(
                forests, depth.tables, states[deal : deal + 1], edges[deal : deal + 1], sums
            )
            classes = tuple(states[deal, :, 0])
            for root in np.flatnonzero(sums[0][:, 0]):
                weight, won, cells = sums[0][root, 0], sums[0][root, 3], flops[root]
                cells.weights[classes] += weight
                cells.shares[classes] += won / cells.pot
                cells.squares[classes] += weight**2
    sys.stderr.write(f"\r{deals:,} deals in all          \n")


def fit(flops: list[Cells]) -> tuple[float, float, float, Floats, Floats]:
    """Return of a band its depth, the constant, the slope, and what classes win beyond the edge.

    A flop's weights are scaled to numbers of deals, so that each counts for what it tells.
    """
    size = 2 + 2 * CLASSES
    normal, right, depths = np.zeros((size, size)), np.zeros(size), []
    edge = class_edges() / 2
    first, last = np.arange(2, 2 + CLASSES), np.arange(2 + CLASSES, size)
    for cells in flops:
        total = cells.squares.sum()
        if total == 0:
            continue
        scale = cells.weights.sum() / total
        w, y = cells.weights * scale, cells.shares * scale
        depths.append((cells.depth, w.sum()))
        normal[0, 0] += w.sum()
        normal[0, 1] += (w * edge).sum()
        normal[1, 1] += (w * edge**2).sum()
        normal[first, first] += w.sum(axis=1)
        normal[last, last] += w.sum(axis=0)
        normal[0, first] += w.sum(axis=1)
        normal[0, last] -= w.sum(axis=0)
        normal[1, first] += (w * edge).sum(axis=1)
        normal[1, last] -= (w * edge).sum(axis=0)
        normal[np.ix_(first, last)] -= w
        right[0] += y.sum()
        right[1] += (y * edge).sum()
        right[first] += y.sum(axis=1)
        right[last] -= y.sum(axis=0)
    normal = np.triu(normal) + np.triu(normal, 1).T
    normal[np.arange(2, size), np.arange(2, size)] += _PRIOR
    solution: Floats = np.linalg.solve(normal, right).astype(np.float64)
    behind, deals = np.array(depths).T
    depth = float(np.average(behind, weights=deals))
    return depth, float(solution[0]), float(solution[1]), solution[first], solution[last]


def main(strategy: str, file: str, deals: str, seed: str = "0") -> None:
    """Write the table of a blueprint of one stack."""
    opened = open_nolimit(Path(strategy))
    (depth,) = opened.depths
    assert isinstance(opened.abstraction, BucketAbstraction)
    flops = flops_of(depth)
    add_deals(flops, depth, Dealer(opened.abstraction), int(seed), int(deals))
    fits = [
        fit([cells for cells in flops if low <= cells.depth < high])
        for low, high in pairwise(BANDS)
    ]
    names = ("depths", "constants", "slopes", "first", "last")
    columns = (np.array(column, np.float32) for column in zip(*fits, strict=True))
    write_arrays(Path(file), dict(zip(names, columns, strict=True)))


if __name__ == "__main__":
    main(*sys.argv[1:])
