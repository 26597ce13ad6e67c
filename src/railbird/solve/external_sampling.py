"""External sampling for any game of two players with betting streets and states of the cards.

`limit.sampling` and `nolimit.solving` use it; `cfr` solves small games exactly.

A game consists of the betting of each street (`StreetTree`), the numbers of states, and a function
that draws deals. For limit, deals are drawn from the probabilities of two final states
(`railbird.solve.limit.sampling`); for no-limit, cards are dealt (`railbird.solve.nolimit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.solve.external_kernels import (
    FIRST,
    FROM,
    INSIDE,
    KIND_BITS,
    ON,
    PLACE,
    PLAYER,
    Scratch,
    StreetTree,
    sample_deals,
)
from railbird.solve.simd_kernels import aligned

Deals = tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]
"""States (deals, 2, streets) by seat, and results (deals,): 1, 0 or -1 for seat 0."""

_DEALS_AT_ONCE = 1 << 16
_LINE = 16
"""Single-precision numbers in a line of the cache."""


class Forest(NamedTuple):
    """The betting of a street. A node stands before its children, and a root's nodes together."""

    root: npt.NDArray[np.int32]
    """(roots + 1,) the nodes of root r are root[r] .. root[r + 1] - 1; the root itself is first."""
    player: npt.NDArray[np.int32]
    """(nodes,) who acts."""
    first: npt.NDArray[np.int32]
    """(nodes + 1,) the actions of node n are first[n] .. first[n + 1] - 1."""
    kind: npt.NDArray[np.int32]
    """(actions,) `INSIDE`, `ON`, `FOLD` or `SHOWDOWN`."""
    to: npt.NDArray[np.int32]
    """(actions,) the node or root that follows; at an end, the chips lost or at stake."""


def laid_out(forests: Sequence[Forest], states: Sequence[int]) -> tuple[StreetTree, ...]:
    """Lay out the tables of all streets, for a number of card states on each.

    The numbers of a root begin at a line of the cache.
    """
    streets: list[StreetTree] = []
    begin = 0
    leading = np.zeros(1, dtype=np.int32)  # by root, the action of the street before
    for forest, count in zip(forests, states, strict=True):
        roots, total = len(forest.root) - 1, len(forest.player)
        root_of = np.repeat(np.arange(roots), np.diff(forest.root))
        nodes = np.zeros((total + 1, 4), dtype=np.int32)
        nodes[:-1, PLAYER], nodes[:, FIRST] = forest.player, forest.first
        inside = np.flatnonzero(forest.kind == INSIDE)
        nodes[forest.to[inside], FROM] = inside
        nodes[forest.root[:-1], FROM] = leading
        # A table has a row for each state and, within it, all numbers of one root and one player
        # side by side: a deal visits one state and one betting sequence of a street, and so few
        # lines of memory.
        used = np.zeros((roots, 2), dtype=np.int64)
        choices = np.diff(forest.first)
        for node in range(total):
            place = used[root_of[node]]
            nodes[node, PLACE] = place[forest.player[node]]
            place[forest.player[node]] += choices[node]
        lines = -(-used // _LINE) * _LINE
        start = np.cumsum(lines, axis=0) - lines
        nodes[:-1, PLACE] += start[root_of, forest.player].astype(np.int32)
        width = lines.sum(axis=0)
        first = np.array([begin, begin + count * width[0]])
        begin = int(first[1] + count * width[1])
        actions = ((forest.to << KIND_BITS) + forest.kind).astype(np.int32)
        betting = StreetTree(forest.root.astype(np.int32), nodes, actions, start, first, width)
        for array in betting:
            array.flags.writeable = False
        streets.append(betting)
        on = np.flatnonzero(forest.kind == ON)
        leading = np.zeros(len(on), dtype=np.int32)
        leading[forest.to[on]] = on
    return tuple(streets)


def _numbers(streets: tuple[StreetTree, ...], states: Sequence[int]) -> int:
    last = streets[-1]
    return int(last.first[1] + states[-1] * last.width[1])


def _scratch(streets: tuple[StreetTree, ...]) -> Scratch:
    def arrays(unit: str, kind: type[np.generic]) -> tuple[npt.NDArray[np.generic], ...]:
        sizes = {
            "roots": [len(betting.root) - 1 for betting in streets],
            "nodes": [len(betting.nodes) for betting in streets],
            "slots": [len(betting.actions) for betting in streets],
        }
        return tuple(np.zeros(size, dtype=kind) for size in sizes[unit])

    return Scratch(
        counts=np.zeros(len(streets), dtype=np.int64),
        reached_roots=arrays("roots", np.int32),
        reached=arrays("nodes", np.int8),
        chosen=arrays("nodes", np.int32),
        share=arrays("slots", np.float32),
        value=arrays("slots", np.float32),
    )


@dataclass(eq=False)
class ExternalSampler:
    """The tables of a game that is being solved by sampled deals.

    Each call of `run` continues from the last. The same seed gives the same tables, however the
    deals are divided among calls, provided that ``draw`` then gives the same deals.
    """

    streets: tuple[StreetTree, ...]
    states: tuple[int, ...]
    """Number of states by street."""
    unit: float
    """Chips in the unit of regrets."""
    draw: Callable[[np.random.Generator, int], Deals]
    rng: np.random.Generator
    least: float = np.inf
    """How negative a regret must be, in units a deal, for its action to be followed only rarely."""
    iterations: int = field(default=0, init=False)
    decisions: int = field(default=0, init=False)
    stream: npt.NDArray[np.uint64] = field(init=False)
    """(1,) state of the kernel's own random numbers, apart from those that draw deals."""
    regrets: npt.NDArray[np.float32] = field(init=False)
    sums: npt.NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        self.stream = self.rng.integers(1, 1 << 63, size=1, dtype=np.uint64)
        rows = _numbers(self.streets, self.states) // _LINE
        self.regrets, self.sums = (aligned(rows, _LINE).ravel() for _ in range(2))
        self._scratch = _scratch(self.streets)

    def run(self, iterations: int) -> None:
        """Draw so many deals and update both players on each."""
        left = iterations
        while left:
            deals = min(left, _DEALS_AT_ONCE)
            states, results = self.draw(self.rng, deals)
            self.decisions += sample_deals(
                self.streets,
                self.unit,
                self.regrets,
                self.sums,
                states,
                results,
                self.iterations + 1,
                self.least,
                self.stream,
                self._scratch,
            )
            self.iterations += deals
            left -= deals

    def by_action(self, street: int) -> npt.NDArray[np.float32]:
        """Return (states, actions) the sums of a street, in the order of its forest's actions."""
        betting, count = self.streets[street], self.states[street]
        choices = np.diff(betting.nodes[:, FIRST])
        node = np.repeat(np.arange(len(choices)), choices)
        column = betting.nodes[node, PLACE] + np.arange(len(node)) - betting.nodes[node, FIRST]
        table = np.empty((count, len(node)), dtype=np.float32)
        for player in range(2):
            first, width = int(betting.first[player]), int(betting.width[player])
            sums = self.sums[first : first + count * width].reshape(count, width)
            mine = betting.nodes[node, PLAYER] == player
            table[:, mine] = sums[:, column[mine]]
        return table

    @property
    def tables(self) -> dict[str, npt.NDArray[np.float32]]:
        """The arrays that a checkpoint keeps; `resume` takes the rest."""
        return {"regrets": self.regrets, "sums": self.sums}

    @property
    def state(self) -> dict[str, Any]:
        """The state beside the arrays, for JSON."""
        return {
            "iterations": self.iterations,
            "decisions": self.decisions,
            "rng": self.rng.bit_generator.state,
            "stream": int(self.stream[0]),
        }

    def resume(self, state: Mapping[str, Any]) -> None:
        """Resume from a saved state, whose tables are filled."""
        iterations, decisions = int(state["iterations"]), int(state["decisions"])
        stream = np.uint64(state["stream"])
        # Everything is read before anything is assigned: a damaged file must not leave half of a
        # state.
        self.rng.bit_generator.state = state["rng"]
        self.stream[0] = stream
        self.iterations, self.decisions = iterations, decisions
