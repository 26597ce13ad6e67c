"""Strategies of heads-up no-limit, by buckets and a menu of bets for some stacks, and files.

`railbird.solve.limit.strategy` has strategies of heads-up limit.

A file has a header of `railbird.solve.strategy_files`, then a table for each stack and street. A
table has a byte for each bucket and action, in the order of the tree. An action's probability is
its share of the bytes of its decision.

A *trunk* has only the tables before the turn, and the value of each bucket at the beginning of a
turn; turn and river are solved during play (Burch, Johanson and Bowling, "Solving imperfect
information games using decomposition", 2014). A stack's values follow its tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

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
"""How the files begin."""

Table = npt.NDArray[np.uint8]
Values = npt.NDArray[np.float16]

_STREETS = 4
TRUNK: Final = 2
"""The number of streets of a trunk."""
_WHOLE = 255
_MOST_STACKS = 100


@dataclass(eq=False)
class Depth:
    """The strategy for one stack."""

    menu: str
    stack: int
    """The stack in big blinds."""
    tables: tuple[Table, ...]
    """By street (states, actions); a trunk has those before the turn."""
    values: Values | None = None
    """A trunk's (2, roots, states) winnings of each seat by bucket from the beginning of the turn,
    in chips of the blueprint; see `railbird.solve.nolimit.values`."""

    @cached_property
    def tree(self) -> NoLimitTree:
        """The betting. Raises `DamagedFile` if the tables do not fit it."""
        tree = nolimit_tree(self.menu, self.stack)
        actions = tuple(table.shape[1] for table in self.tables)
        if actions != tree.actions[: len(actions)]:
            raise DamagedFile(
                f"a strategy of {actions} actions by street; its menu has {tree.actions}"
            )
        if self.values is not None and self.values.shape[1] != len(tree.forests[TRUNK].root) - 1:
            raise DamagedFile(f"a strategy with values of {self.values.shape[1]} other turns")
        return tree

    def shares(self, node: Node, states: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
        """Return (states, actions) the probabilities at a decision, for some states.

        On streets that a trunk lacks, every state checks or calls. Raises `DamagedFile` if the file
        has no probabilities there.
        """
        street, first = self.tree.place(node)
        if street >= len(self.tables):
            return np.tile(_calls(node).astype(np.float64), (len(states), 1))
        weights = self.tables[street][states, first : first + len(node.actions)].astype(np.float64)
        total = weights.sum(axis=-1, keepdims=True)
        if not total.all():
            raise DamagedFile("the strategy has no probabilities at a decision")
        shares: npt.NDArray[np.float64] = weights / total
        return shares

    def turn_values(self, node: Node, seat: int) -> npt.NDArray[np.float64]:
        """Return (states,) a seat's winnings by bucket from a turn's first decision on.

        Seat 1 is the dealer. Raises `BadInput` for a strategy that is no trunk, and for a decision
        that does not begin a turn.
        """
        street, first = self.tree.place(node)
        forest = self.tree.forests[TRUNK]
        number = int(np.searchsorted(forest.first, first))
        if self.values is None or street != TRUNK or number not in forest.root[:-1]:
            raise BadInput("values of a decision; allowed: of a trunk, where a turn begins")
        root = int(np.searchsorted(forest.root, number))
        values: npt.NDArray[np.float64] = self.values[seat, root].astype(np.float64)
        return values


def _calls(node: Node) -> npt.NDArray[np.bool_]:
    """Return (actions,) whether each action is a check or a call."""
    return np.array([action.act in (ActKind.CHECK, ActKind.CALL) for action in node.actions])


@dataclass(frozen=True, eq=False)
class NoLimitStrategy:
    """Both players' probabilities, for one or more stacks."""

    menu: str
    abstraction: CardAbstraction
    depths: tuple[Depth, ...]
    """Strategies by stack, ascending."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was found: algorithm, iterations, gap, seconds."""
    made: Provenance | None = None
    """The program that found it; None before it is written."""
    hash: str = ""
    """SHA-256 of what determines its play, from its file."""

    @property
    def is_trunk(self) -> bool:
        """Whether the strategy ends at the turn."""
        return len(self.depths[0].tables) == TRUNK

    def between(self, stack: float) -> tuple[tuple[Depth, float], ...]:
        """Return the solved depths that stand for a stack in big blinds, with their weights.

        Between two depths the weights are linear in the logarithm of the stack. Outside their range
        the nearest depth has all the weight.
        """
        stacks = np.log([depth.stack for depth in self.depths])
        at = float(np.interp(np.log(max(stack, 1e-9)), stacks, np.arange(len(stacks))))
        low, part = int(at), at - int(at)
        weighted = [(self.depths[low], 1 - part)]
        return (*weighted, (self.depths[low + 1], part)) if part > 0 else (weighted[0],)


def as_bytes(sums: npt.NDArray[np.float32], tree: NoLimitTree, street: int) -> Table:
    """Return summed probabilities (states, actions) as shares of `_WHOLE`.

    Where nothing was summed, no deal ever led: every state checks or calls.
    """
    first = tree.forests[street].first
    starts, counts = first[:-1], np.diff(first)
    calls = np.zeros(first[-1], dtype=np.uint8)
    for node, start in zip(tree.decisions[street], starts, strict=True):
        calls[start + int(_calls(node).argmax())] = _WHOLE
    total = np.repeat(np.add.reduceat(sums, starts, axis=1), counts, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(total > 0, np.rint(sums * (_WHOLE / total)), calls)
    return shares.astype(np.uint8)


@checked
def write_nolimit(path: Path, strategy: NoLimitStrategy) -> str:
    """Write a strategy's file; return its hash. Raises `BadInput` if it cannot be written."""
    tables = [np.ascontiguousarray(table) for depth in strategy.depths for table in depth.tables]
    values = [depth.values for depth in strategy.depths if depth.values is not None]
    header: dict[str, Any] = {
        "menu": strategy.menu,
        "abstraction": strategy.abstraction.record,
        "stacks": [depth.stack for depth in strategy.depths],
        "shapes": [list(table.shape) for table in tables],
    }
    if values:
        header["values"] = [list(stack_values.shape) for stack_values in values]
        tables += [np.ascontiguousarray(stack_values) for stack_values in values]
    return FORMAT.write(path, header, tables, strategy.training, strategy.made)


@checked
def open_nolimit(path: Path, *, verify: bool = False) -> NoLimitStrategy:
    """Map a strategy's file; ``verify`` reads all of it to check its digest.

    Raises `BadInput` for a file that cannot be read or is no strategy, and `DamagedFile` for one
    that was cut short or, if it is verified, changed.
    """
    header, start, size = FORMAT.header(path)
    try:
        menu, stacks = str(header["menu"]), check_stacks(header["stacks"])
        # The tree is not needed here, but making it refuses a menu that is none.
        nolimit_tree(menu, stacks[0])
        abstraction = read_abstraction(header["abstraction"])
        shapes = [tuple(map(int, shape)) for shape in header["shapes"]]
        of_values = [tuple(map(int, shape)) for shape in header.get("values", [])]
        streets = TRUNK if of_values else _STREETS
        wanted = [states for _ in stacks for states in abstraction.states[:streets]]
        is_whole = [states for states, _ in shapes] == wanted
        ends = [(seats, states) for seats, _, states in of_values]
        is_whole &= ends == [(2, abstraction.states[TRUNK])] * (len(stacks) if ends else 0)
        (training, made), plays = training_of(header), str(header["plays"])
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{path}: no strategy: {error}") from None
    # A probability is one byte and a value two, so the shapes fix the length of the file.
    end = start + sum(map(math.prod, shapes))
    if (
        not is_whole
        or min(map(min, [*shapes, *of_values])) < 1
        or size != end + sum(map(math.prod, of_values)) * np.dtype(np.float16).itemsize
    ):
        raise DamagedFile(f"{path}: a strategy that was cut, or of another shape")

    def mapped(shape: tuple[int, ...], kind: type[np.generic]) -> npt.NDArray[Any]:
        nonlocal start
        array = np.memmap(path, dtype=kind, mode="r", offset=start, shape=shape)
        start += array.nbytes
        return array.view(np.ndarray)

    tables: list[Table] = [mapped(shape, np.uint8) for shape in shapes]
    values: list[Values] = [mapped(shape, np.float16) for shape in of_values]
    if verify:
        FORMAT.verify(path)
    depths = tuple(
        Depth(
            menu,
            stack,
            tuple(tables[number * streets : (number + 1) * streets]),
            values[number] if values else None,
        )
        for number, stack in enumerate(stacks)
    )
    return NoLimitStrategy(menu, abstraction, depths, training, made, plays)


def check_stacks(stacks: Sequence[int]) -> tuple[int, ...]:
    """Return stacks in big blinds, ascending. Raises `BadInput` for unusable ones."""
    depths = tuple(stacks)
    in_range = all(type(stack) is int and 2 <= stack <= 1_000 for stack in depths)
    if not (in_range and 0 < len(depths) <= _MOST_STACKS and len(set(depths)) == len(depths)):
        text = ", ".join(map(str, depths))
        raise BadInput(f"stacks {text}; allowed: different whole big blinds from 2 to 1,000")
    return tuple(sorted(depths))
