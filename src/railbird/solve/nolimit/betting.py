"""The betting of heads-up no-limit with a menu of sizes, from the blinds to the river.

`railbird.solve.limit.betting_tree` builds the betting of heads-up limit.

`railbird.solve.spot.tree` builds the tree, as for spots. Here it becomes the arrays of external
sampling, and can be followed action by action. The dealer is seat 1: it posts the small blind, acts
first before the flop and last after it. Amounts are chips of `railbird.solve.nolimit.settings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.solve.external_kernels import FOLD, INSIDE, ON, SHOWDOWN
from railbird.solve.external_sampling import Forest
from railbird.solve.nolimit.settings import BIG_BLIND, SMALL_BLIND
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.tree import Ends, Node, build_tree

DEALER: Final = 1
"""The seat of the dealer in a tree."""

_MOST_STACK: Final = 1_000
_ONE_FLOP: Final = "flops = 7h3d2c"
"""Any flop will do, since the betting is the same after all of them."""


@dataclass(eq=False)
class NoLimitTree:
    """The decisions of all streets. A decision's number is its place in its street."""

    menu: str
    stack: int
    """The stack in big blinds."""
    decisions: list[list[Node]]
    """By street; decisions of one root stand together, and each before those that follow it."""
    forests: tuple[Forest, ...]
    """The same decisions as arrays, by street."""

    @cached_property
    def root(self) -> Node:
        """The first decision."""
        return self.decisions[0][0]

    @cached_property
    def _numbers(self) -> dict[int, tuple[int, int]]:
        return {
            id(node): (street, int(first))
            for street, nodes in enumerate(self.decisions)
            for node, first in zip(nodes, self.forests[street].first, strict=False)
        }

    def place(self, node: Node) -> tuple[int, int]:
        """Return the street of a decision and the number of its first action."""
        return self._numbers[id(node)]

    @property
    def actions(self) -> tuple[int, ...]:
        """Number of actions by street."""
        return tuple(len(forest.kind) for forest in self.forests)


def next_decision(node: Node) -> Node | None:
    """Return the decision at a node or at the next street's beginning; None if the hand ends."""
    while node.kind is Ends.LATER:
        node = node.children[0]
    return node if node.kind is Ends.DECISION else None


@checked
@lru_cache(maxsize=32)
def nolimit_tree(menu: str, stack: int) -> NoLimitTree:
    """Lay out the betting with so many big blinds behind each player.

    Raises `BadInput` for a menu that cannot be read, or a stack that is not 2 to 1,000.

    >>> tree = nolimit_tree("opens = 2.5x, a; reraises = a; bets = 50%", 10)
    >>> [str(action) for action in tree.root.actions]
    ['fold', 'call', 'raise 250', 'all-in 1000']
    """
    if not 2 <= stack <= _MOST_STACK:
        raise BadInput(f"stack: {stack}; allowed: 2 to {_MOST_STACK:,} big blinds")
    game = PreflopSpot.parse(
        f"stack = {stack * BIG_BLIND}; small_blind = {SMALL_BLIND}; big_blind = {BIG_BLIND}; "
        f"{_ONE_FLOP}; {menu}",
        name="menu",
    )
    decisions, forests = [], []
    roots = [build_tree(game)[0].roots[0]]
    for _ in range(4):
        nodes, starts = [], [0]
        for root in roots:
            nodes += _inside(root)
            starts.append(len(nodes))
        forest, roots = _forest(nodes, starts)
        decisions.append(nodes)
        forests.append(forest)
    return NoLimitTree(menu, stack, decisions, tuple(forests))


def _inside(root: Node) -> list[Node]:
    """Return the decisions of a street from one on, breadth first."""
    decisions = [root]
    for node in decisions:
        decisions += [child for child in node.children if child.kind is Ends.DECISION]
    return decisions


def _forest(nodes: list[Node], starts: list[int]) -> tuple[Forest, list[Node]]:
    """Return the decisions of a street as arrays, and the roots of the next street."""
    number = {id(node): index for index, node in enumerate(nodes)}
    kinds: list[int] = []
    leads: list[int] = []
    later: list[Node] = []
    for node in nodes:
        for child in node.children:
            after = next_decision(child)
            if child.kind is Ends.DECISION:
                kinds.append(INSIDE)
                leads.append(number[id(child)])
            elif child.kind is Ends.FOLD:
                kinds.append(FOLD)
                leads.append(child.paid[child.player])
            elif after is None:
                kinds.append(SHOWDOWN)
                leads.append(child.paid[0])
            else:
                kinds.append(ON)
                leads.append(len(later))
                later.append(after)
    counts = [len(node.actions) for node in nodes]
    forest = Forest(
        root=np.array(starts, dtype=np.int32),
        player=np.array([node.player for node in nodes], dtype=np.int32),
        first=np.cumsum([0, *counts], dtype=np.int32),
        kind=np.array(kinds, dtype=np.int32),
        to=np.array(leads, dtype=np.int32),
    )
    return forest, later
