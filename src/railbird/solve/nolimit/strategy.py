"""Strategies of heads-up no-limit by buckets and a menu of bets, for some stacks, and their files.

`railbird.solve.limit.strategy` has those of heads-up limit.

A file is a header of `railbird.solve.strategy_files`, then a table for each stack and street. A
table has a byte for each bucket and action, in the order of the tree: the action's share of the
bytes of its decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._provenance import Provenance
from railbird.errors import BadInput, DamagedFile
from railbird.solve.abstraction.card_abstraction import CardAbstraction
from railbird.solve.abstraction.records import read_abstraction
from railbird.solve.nolimit.betting import NoLimitTree, nolimit_tree
from railbird.solve.spot.tree import ActKind, Node
from railbird.solve.strategy_files import StrategyFormat, training_of

FORMAT = StrategyFormat(b"railbird no-limit strategy 1\n", "no-limit hold'em", np.dtype("u1"))
"""How its files begin."""

Table = npt.NDArray[np.uint8]

_STREETS = 4
_WHOLE = 255
_MOST_STACKS = 100


@dataclass(eq=False)
class Depth:
    """The strategy for one stack."""

    menu: str
    stack: int
    """Big blinds."""
    tables: tuple[Table, ...]
    """By street (states, actions)."""

    @cached_property
    def tree(self) -> NoLimitTree:
        """The betting. Raises `DamagedFile` where the tables are of another."""
        tree = nolimit_tree(self.menu, self.stack)
        actions = tuple(table.shape[1] for table in self.tables)
        if actions != tree.actions:
            raise DamagedFile(
                f"a strategy of {actions} actions by street; its menu has {tree.actions}"
            )
        return tree

    def shares(self, node: Node, states: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
        """Return (states, actions) the probabilities at a decision in some states.

        Raises `DamagedFile` where the strategy has none.
        """
        street, first = self.tree.place(node)
        weights = self.tables[street][states, first : first + len(node.actions)].astype(np.float64)
        total = weights.sum(axis=-1, keepdims=True)
        if not total.all():
            raise DamagedFile("the strategy has no probabilities at a decision")
        shares: npt.NDArray[np.float64] = weights / total
        return shares


@dataclass(frozen=True, eq=False)
class NoLimitStrategy:
    """Both players' probabilities, for one or more stacks."""

    menu: str
    abstraction: CardAbstraction
    depths: tuple[Depth, ...]
    """Ascending by stack."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was found: algorithm, iterations, gap, seconds."""
    made: Provenance | None = None
    """What found it; None before it is written."""
    hash: str = ""
    """SHA-256 of what determines its play, from its file."""

    def between(self, stack: float) -> tuple[tuple[Depth, float], ...]:
        """Return the solved depths that stand for a stack in big blinds, and their weights.

        Between two depths the weights are linear in the logarithm of the stack; beyond the ends
        the nearest depth has all weight.
        """
        stacks = np.log([depth.stack for depth in self.depths])
        at = float(np.interp(np.log(max(stack, 1e-9)), stacks, np.arange(len(stacks))))
        low, part = int(at), at - int(at)
        weighted = [(self.depths[low], 1 - part)]
        return (*weighted, (self.depths[low + 1], part)) if part > 0 else (weighted[0],)


def as_bytes(sums: npt.NDArray[np.float32], tree: NoLimitTree, street: int) -> Table:
    """Return the shares of summed probabilities (states, actions) out of `_WHOLE`.

    Where nothing was summed, nobody ever came: there it is a check or call.
    """
    first = tree.forests[street].first
    starts, counts = first[:-1], np.diff(first)
    calls = np.zeros(first[-1], dtype=np.uint8)
    for node, start in zip(tree.decisions[street], starts, strict=True):
        calls[
            start
            + [action.act in (ActKind.CHECK, ActKind.CALL) for action in node.actions].index(True)
        ] = _WHOLE
    total = np.repeat(np.add.reduceat(sums, starts, axis=1), counts, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(total > 0, np.rint(sums * (_WHOLE / total)), calls)
    return shares.astype(np.uint8)


@checked
def write_nolimit(path: Path, strategy: NoLimitStrategy) -> str:
    """Write a strategy's file; return its hash. Raises `BadInput` if it cannot be written."""
    tables = [np.ascontiguousarray(table) for depth in strategy.depths for table in depth.tables]
    header: dict[str, Any] = {
        "menu": strategy.menu,
        "abstraction": strategy.abstraction.record,
        "stacks": [depth.stack for depth in strategy.depths],
        "shapes": [list(table.shape) for table in tables],
    }
    return FORMAT.write(path, header, tables, strategy.training, strategy.made)


@checked
def open_nolimit(path: Path, *, verify: bool = False) -> NoLimitStrategy:
    """Map a strategy's file; ``verify`` reads all of it to check its digest.

    Raises `BadInput` for a file that cannot be read or is no strategy, `DamagedFile` for one that
    is cut or, if it is verified, changed.
    """
    header, start, size = FORMAT.header(path)
    try:
        menu, stacks = str(header["menu"]), check_stacks(header["stacks"])
        nolimit_tree(menu, stacks[0])
        abstraction = read_abstraction(header["abstraction"])
        shapes = [tuple(map(int, shape)) for shape in header["shapes"]]
        wanted = [states for _ in stacks for states in abstraction.states]
        is_whole = [states for states, _ in shapes] == wanted
        (training, made), plays = training_of(header), str(header["plays"])
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{path}: no strategy: {error}") from None
    if not is_whole or size != start + sum(a * b for a, b in shapes) or min(min(shapes)) < 1:
        raise DamagedFile(f"{path}: a strategy that was cut, or of another shape")
    tables: list[Table] = []
    for shape in shapes:
        mapped = np.memmap(path, dtype=np.uint8, mode="r", offset=start, shape=shape)
        tables.append(mapped.view(np.ndarray))
        start += mapped.nbytes
    if verify:
        FORMAT.verify(path)
    depths = tuple(
        Depth(menu, stack, tuple(tables[number * _STREETS : (number + 1) * _STREETS]))
        for number, stack in enumerate(stacks)
    )
    return NoLimitStrategy(menu, abstraction, depths, training, made, plays)


def check_stacks(stacks: Sequence[int]) -> tuple[int, ...]:
    """Return stacks in big blinds, ascending. Raises `BadInput`."""
    depths = tuple(stacks)
    in_range = all(type(stack) is int and 2 <= stack <= 1_000 for stack in depths)
    if not (in_range and 0 < len(depths) <= _MOST_STACKS and len(set(depths)) == len(depths)):
        text = ", ".join(map(str, depths))
        raise BadInput(f"stacks {text}; allowed: different whole big blinds from 2 to 1,000")
    return tuple(sorted(depths))
