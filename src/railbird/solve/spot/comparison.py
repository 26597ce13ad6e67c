"""Compares two solutions of a heads-up no-limit spot: inputs, values, and where they differ.

Each strategy is placed in the other's tree. Actions that both trees have are taken as often. A bet
that the tree lacks becomes the bet whose share of the pot is nearest, and in lines that the
strategy does not know, the tree's own solution is used. The strategy's gap there is what best
responses of *that* tree gain against it, so it shows how much the sizes matter that it never
considered.

`StrategySource` is a strategy to be placed; `railbird.solve.spot.exports` has strategies of other
programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from railbird._threads import threads_limited
from railbird.cards import HOLDING_CARDS
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.spot.kernels import AVERAGE
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.solution import SpotSolution, check_memory
from railbird.solve.spot.solving import SpotSolver, as_floats
from railbird.solve.spot.spot import LISTS, read_fields
from railbird.solve.spot.tree import ActKind, Ends, Node, SpotAction

_LEAST_REACH: Final = 1e-3
"""Decisions that a smaller share of the pairs of holdings reaches are not compared."""
_PASSIVE: Final = (ActKind.FOLD, ActKind.CHECK, ActKind.CALL)
_SAME_GAME: Final = ("board", "oop", "ip", "pot", "stack", "folded", "rake", "rake_cap")
"""Lines of a spot's file that must agree for a strategy to be placed in the other's tree."""

Floats = npt.NDArray[np.float64]
Holdings = npt.NDArray[np.int16]


class Difference(NamedTuple):
    """A line that differs between two spots' files; empty if one has none."""

    key: str
    first: str
    second: str


class PlacedStrategies(NamedTuple):
    """A solution's strategies, placed in the tree of another."""

    ev: tuple[float, float]
    """Both players' values if both play these strategies, as `SpotSolution.values`."""
    gap_percent_of_pot: float
    """The gap against best responses of that tree, defined as for a solution."""
    against: tuple[float, float]
    """Each player's value with these strategies against the other solution's."""
    moved: int
    """Number of decisions at which a bet had to be replaced."""
    unknown: int
    """Number of decisions that the strategies lack, where the tree's own solution is used."""


class Parting(NamedTuple):
    """A decision at which two solutions play differently."""

    line: str
    """The line of play, ``*`` for any card: the numbers are means over all cards."""
    player: int
    reach: float
    """The share of pairs of holdings with which the second solution gets there."""
    difference: float
    """Share of the strategy that differs, 0 to 1, a mean over the holdings."""
    actions: tuple[str, ...]
    """The second solution's actions."""
    first: tuple[float, ...]
    """How often the first solution takes each; its other bets are moved to the nearest."""
    second: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SolutionComparison:
    """The comparison of two solutions."""

    inputs: tuple[Difference, ...]
    """Lines that differ between the spots' files."""
    first_in_second: PlacedStrategies | None
    """None if the game itself differs: its board, ranges, chips or rake."""
    second_in_first: PlacedStrategies | None
    partings: tuple[Parting, ...]
    """Decisions of all streets, the largest product of reach and difference first."""
    doubt: float
    """Chips by which EVs may differ merely because of both solutions' gaps."""


def compare_solutions(
    first: SpotSolution,
    second: SpotSolution,
    *,
    memory_mb: float | None = None,
    progress: Progress | None = None,
) -> SolutionComparison:
    """Compare two solutions. Raises `BadInput` for solutions stored without their river."""
    for solution in (first, second):
        if isinstance(solution.spot, PreflopSpot):
            raise BadInput("a game from the blinds on; allowed: spots after the flop")
        if solution.solver.kept is not None:
            raise BadInput("a solution without its river cannot be compared")
    inputs = _differences(first, second)
    chips = first.spot.utilities is None and second.spot.utilities is None
    doubt = 2 * (first.gap + second.gap)
    if not chips or {difference.key for difference in inputs} & set(_SAME_GAME):
        return SolutionComparison(inputs, None, None, (), doubt)
    if [street.cards for street in first.solver.streets] != [
        street.cards for street in second.solver.streets
    ]:
        raise BadInput("a lock on particular suits makes other boards alike; allowed: in both")
    there, partings = place_strategy(_Own(first), second, memory_mb=memory_mb, progress=progress)
    back, _ = place_strategy(_Own(second), first, memory_mb=memory_mb, progress=progress)
    return SolutionComparison(inputs, there, back, partings, doubt)


def _differences(first: SpotSolution, second: SpotSolution) -> tuple[Difference, ...]:
    fields = [read_fields(str(solution.spot)) for solution in (first, second)]
    keys = dict.fromkeys(key for of_spot in fields for key in of_spot)
    both = [(key, fields[0].get(key, ""), fields[1].get(key, "")) for key in keys]
    return tuple(
        Difference(key, *values)
        for key, *values in both
        if (sorted(values[0].split(";")) != sorted(values[1].split(";")) if key in LISTS else 1)
        and values[0] != values[1]
    )


# Which action of one tree corresponds to which action of another.


class StrategySource(Protocol):
    """A strategy to be placed in a tree. A handle stands for one of its decisions."""

    def start(self) -> Any:
        """Return the handle of the first decision, or None if it has none."""

    def actions(self, handle: Any, node: Node) -> Sequence[SpotAction] | None:
        """Return the actions at a decision of another tree, or None if it does not know it."""

    def mix(self, handle: Any, level: int, board: int, held: Holdings) -> Floats:
        """Return (holdings, actions) probabilities; NaN for holdings that it lacks."""

    def after(self, handle: Any, action: int) -> Any:
        """Return the handle after an action, given by number, or None."""

    def beyond(self, handle: Any, action: SpotAction) -> Any:
        """Return the handle after an action of the tree if ``actions`` are unknown, or None."""

    def dealt(self, handle: Any, card: int) -> Any:
        """Return the handle after a card, or None."""


@dataclass(frozen=True, slots=True)
class _Own:
    """One of our solutions; handles are nodes of its tree."""

    solution: SpotSolution

    def start(self) -> Node:
        return self.solution.start().node

    def actions(self, handle: Node, node: Node) -> Sequence[SpotAction] | None:
        is_same = (handle.kind, handle.player) == (node.kind, node.player)
        return handle.actions if is_same else None

    def mix(self, handle: Node, level: int, board: int, held: Holdings) -> Floats:
        mix = self.solution.solver.chances(level, board, handle)
        if len(mix) != len(held):
            raise BadInput("solutions with other holdings on a board cannot be compared")
        return mix

    def after(self, handle: Node, action: int) -> Node:
        return handle.children[action]

    def beyond(self, handle: Node, action: SpotAction) -> None:
        return None

    def dealt(self, handle: Node, card: int) -> Node | None:
        return handle.children[0] if handle.kind is Ends.LATER else None


def targets_of(actions: Sequence[SpotAction], node: Node, pot: int) -> tuple[list[int], bool]:
    """Return the number of each action at a decision of a tree, and whether a bet was moved.

    ``pot`` is the pot at the start of the tree.
    """
    targets, moved = [], False
    bets = [k for k, action in enumerate(node.actions) if action.act not in _PASSIVE]
    whole_pot = pot + 2 * max(node.paid)
    for action in actions:
        if action in node.actions:
            targets.append(node.actions.index(action))
            continue
        same = [k for k, known in enumerate(node.actions) if known.act is action.act]
        if action.act in _PASSIVE and same:
            targets.append(same[0])
            continue
        moved = True
        if bets and action.act not in _PASSIVE:
            share = action.amount / whole_pot
            targets.append(min(bets, key=lambda k: abs(node.actions[k].amount / whole_pot - share)))
        else:
            passive = [k for k in range(len(node.actions)) if k not in bets]
            targets.append(passive[-1])
    return targets, moved


# Placing a strategy in the tree of a solution.


@dataclass(slots=True)
class _Difference:
    """The sums of one decision over all cards."""

    player: int
    actions: tuple[str, ...]
    reach: float = 0.0
    differs: float = 0.0
    played: list[Floats] = field(default_factory=list)
    """The source's and the solution's frequencies, each times the reach."""


class _Point(NamedTuple):
    """A point of the solution's tree on a board, with the source's handle for it."""

    node: Node
    level: int
    board: int
    handle: Any
    line: str
    reach: Floats | None
    """(2, 1326) both players' reach by the solution; None where it is negligible."""
    chance: float
    """Probability of the board by the cards alone."""


def place_strategy(
    source: StrategySource,
    host: SpotSolution,
    *,
    memory_mb: float | None = None,
    progress: Progress | None = None,
) -> tuple[PlacedStrategies, tuple[Parting, ...]]:
    """Place a strategy in a solution's tree; return its values there and where they differ.

    Raises `BadInput` for a solution without its river, and if memory lacks for a second one.
    """
    if host.solver.kept is not None:
        raise BadInput("a solution without its river cannot be compared")
    solver = SpotSolver(host.spot, deck=host.solver.deck, threads=host.solver.threads)
    check_memory(solver.size(), memory_mb)
    solver.allocate()
    averages = as_floats(solver.averages)
    averages[:] = np.abs(as_floats(host.solver.averages))
    solver.write_locks()
    others = averages.copy()
    moved: set[int] = set()
    known: set[int] = set()
    differences: dict[str, _Difference] = {}
    weights = np.array([player_range.weights for player_range in host.spot.ranges])
    root = solver.forests[0].roots[0]
    waiting = [_Point(root, 0, 0, source.start(), "", weights, 1.0)]
    boards = sum(len(street.cards) for street in solver.streets)
    seen: set[tuple[int, int]] = set()
    while waiting:
        point = waiting.pop()
        if point.node.kind is Ends.LATER:
            waiting += _dealt(solver, source, point)
            continue
        if point.node.kind is not Ends.DECISION or point.handle is None:
            continue
        if progress is not None:
            seen.add((point.level, point.board))
            progress(len(seen), boards, "placing a strategy in the other tree")
        waiting += _placed(solver, host, source, point, averages, differences, known, moved)
    unknown = sum(
        node.kind is Ends.DECISION and id(node) not in known
        for forest in solver.forests
        for node in forest.nodes()
    )
    solver.write_locks()
    partings = [
        Parting(
            line,
            difference.player,
            difference.reach,
            difference.differs / difference.reach,
            difference.actions,
            *(tuple((played / difference.reach).tolist()) for played in difference.played),
        )
        for line, difference in differences.items()
        if difference.reach >= _LEAST_REACH
    ]
    partings.sort(key=lambda parting: -parting.reach * parting.difference)
    return _worth(solver, host, others, len(moved), unknown), tuple(partings)


def _dealt(solver: SpotSolver, source: StrategySource, point: _Point) -> Iterator[_Point]:
    """Yield the points after each card that represents a class."""
    streets, level = solver.streets, point.level + 1
    first, last = streets[point.level].boards.children[point.board : point.board + 2]
    left = len(solver.deck) - len(solver.spot.board) - point.level - 2 * 2
    for board in range(first, last):
        card = streets[level].cards[board][-1]
        handle = None if point.handle is None else source.dealt(point.handle, card)
        reach = None if point.reach is None else point.reach.copy()
        if reach is not None:
            reach[:, np.equal(HOLDING_CARDS, card).any(axis=1)] = 0
        chance = point.chance * len(streets[level].permutations[board]) / left
        line = f"{point.line} *".strip()
        yield _Point(point.node.children[0], level, board, handle, line, reach, chance)


def _placed(
    solver: SpotSolver,
    host: SpotSolution,
    source: StrategySource,
    point: _Point,
    averages: npt.NDArray[np.float32],
    differences: dict[str, _Difference],
    known: set[int],
    moved: set[int],
) -> Iterator[_Point]:
    """Write a decision's mix into the averages; yield the points after its actions."""
    node, level, board = point.node, point.level, point.board
    held = solver.streets[level].held[board]
    own = host.solver.chances(level, board, node)  # numbered alike in a tree of the same spot
    reach, handles = point.reach, list[Any]()
    actions = source.actions(point.handle, node)
    if actions is None:
        handles = [source.beyond(point.handle, action) for action in node.actions]
    else:
        targets, is_moved = targets_of(actions, node, solver.spot.pot)
        known.add(id(node))
        moved |= {id(node)} if is_moved else set()
        mix = np.zeros(own.shape)
        of_source = source.mix(point.handle, level, board, held[node.player])
        for number, target in enumerate(targets):
            mix[:, target] += of_source[:, number]
        # Holdings that the source lacks play like the host's, so that they make no difference.
        mix = np.where(np.isnan(mix), own, mix)
        count, padded, _, base = solver.streets[level].boards.sizes[board, node.player]
        start = base + node.slot * padded
        cells = averages[start : start + len(node.actions) * padded].reshape(-1, padded)
        cells[:, :count] = mix.T
        if reach is not None:
            share = _note(solver, point, reach, mix, own, differences)
            # Below a decision that is hardly reached nothing is compared, but its mixes are still
            # written.
            reach = reach if share >= _LEAST_REACH * point.chance else None
        for number, action in enumerate(node.actions):
            # Several of the source's actions may be moved to this one. The one that is the same is
            # followed, if there is one, because its later bets fit the pot.
            same = [k for k, target in enumerate(targets) if target == number]
            exact = [k for k in same if actions[k] == action]
            chosen = next(iter([*exact, *same]), None)
            handles.append(None if chosen is None else source.after(point.handle, chosen))
    for number, (action, handle) in enumerate(zip(node.actions, handles, strict=True)):
        if handle is None:
            continue
        after = None if reach is None else reach.copy()
        if after is not None:
            after[node.player][held[node.player]] *= own[:, number]
        line = f"{point.line} {action}".strip()
        yield _Point(node.children[number], level, board, handle, line, after, point.chance)


def _note(
    solver: SpotSolver,
    point: _Point,
    reach: Floats,
    mix: Floats,
    own: Floats,
    differences: dict[str, _Difference],
) -> float:
    """Add a decision on a board to its line; return the share of pairs that get there."""
    player, held = point.node.player, solver.streets[point.level].held[point.board]
    met = solver.met(point.level, point.board, player, reach[1 - player][held[1 - player]])
    weight = reach[player][held[player]] * met
    share = float(weight.sum() / solver.spot.pairs()) * point.chance
    difference = differences.get(point.line)
    if difference is None:
        names = tuple(map(str, point.node.actions))
        difference = _Difference(player, names, played=[np.zeros(len(names)) for _ in range(2)])
        differences[point.line] = difference
    if weight.sum() > 0:
        per_weight = share / weight.sum()
        difference.reach += share
        difference.differs += per_weight * float(weight @ np.abs(mix - own).sum(axis=1) / 2)
        for played, rows in zip(difference.played, (mix, own), strict=True):
            played += per_weight * (weight @ rows)
    return share


def _worth(
    solver: SpotSolver,
    host: SpotSolution,
    others: npt.NDArray[np.float32],
    moved: int,
    unknown: int,
) -> PlacedStrategies:
    """Return the placed strategies' values, against each other and against the solution."""
    averages = as_floats(solver.averages)
    halves = [averages.copy(), others]
    with threads_limited(solver.threads):
        ev = _values(solver)
        gap = solver.gap()
        against = []
        for player in range(2):
            _mix_players(solver, averages, halves, player)
            against.append(_values(solver)[player])
    pot = float(host.spot.at_stake)
    return PlacedStrategies(ev, 100 * gap / pot, (against[0], against[1]), moved, unknown)


def _mix_players(
    solver: SpotSolver,
    averages: npt.NDArray[np.float32],
    halves: list[npt.NDArray[np.float32]],
    player: int,
) -> None:
    """Write the placed strategy of one player and the solution's strategy of the other."""
    for level, street in enumerate(solver.streets):
        slots = solver.forests[level].slots
        for board in range(len(street.cards)):
            for seat in range(2):
                _, padded, _, base = street.boards.sizes[board, seat]
                cells = slice(base, base + slots[seat] * padded)
                averages[cells] = halves[seat != player][cells]


def _values(solver: SpotSolver) -> tuple[float, float]:
    first, second = (solver.value(player, AVERAGE) + solver.spot.pot / 2 for player in range(2))
    return first, second
