"""Why two solutions of a heads-up no-limit spot differ: inputs, values, and where they part.

A strategy is placed in the other's tree: an action that the other tree has too is taken as often, a
bet that it lacks becomes the bet that is nearest as a part of the pot, and a line that the strategy
does not know is played as the other's own solution plays it. Its gap there is what best responses
of *that* tree gain against it, so it says how much the sizes matter that it never considered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._threads import threads_limited
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.spot.kernels import AVERAGE
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.solution import SpotSolution, check_memory
from railbird.solve.spot.solving import SpotSolver, as_floats
from railbird.solve.spot.spot import LISTS, read_fields
from railbird.solve.spot.tree import ActKind, Ends, Node

_LEAST_REACH: Final = 1e-3
"""Share of the pairs of holdings below which a decision is not compared: it hardly counts."""
_PASSIVE: Final = (ActKind.FOLD, ActKind.CHECK, ActKind.CALL)
_SAME_GAME: Final = ("board", "oop", "ip", "pot", "stack", "folded", "rake", "rake_cap")
"""Lines of which all must agree for a strategy to have a place in the other's tree."""

Floats = npt.NDArray[np.float64]


class Difference(NamedTuple):
    """A line of a spot's file that two spots have differently; empty where one has none."""

    key: str
    first: str
    second: str


class PlacedStrategies(NamedTuple):
    """A solution's strategies in the tree of another."""

    ev: tuple[float, float]
    """What both players get if both play it, as `SpotSolution.values`."""
    gap_percent_of_pot: float
    """What best responses of that tree gain, as a solution's gap."""
    against: tuple[float, float]
    """What each player gets by it where the other plays the other solution."""
    moved: int
    """Decisions at which a bet had to become another one."""
    unknown: int
    """Decisions that it does not know, where the other's own strategy is kept."""


class Parting(NamedTuple):
    """A decision at which two solutions play differently."""

    line: str
    player: int
    reach: float
    """Share of the pairs of holdings with which the second solution comes there."""
    difference: float
    """Mean over the holdings of the part of the mix that differs, 0 to 1."""
    actions: tuple[str, ...]
    """Of the second solution."""
    first: tuple[float, ...]
    """How often the first takes each, bets that the second lacks moved to the nearest."""
    second: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SolutionComparison:
    """Two solutions beside each other."""

    inputs: tuple[Difference, ...]
    """Lines of the spots that differ."""
    first_in_second: PlacedStrategies | None
    """None where the game itself differs: its board, ranges, chips or rake."""
    second_in_first: PlacedStrategies | None
    partings: tuple[Parting, ...]
    """Decisions of the first street, the largest reach times difference first."""
    doubt: float
    """Chips by which an EV may differ for both gaps alone."""


def compare_solutions(
    first: SpotSolution,
    second: SpotSolution,
    *,
    memory_mb: float | None = None,
    progress: Progress | None = None,
) -> SolutionComparison:
    """Compare two solutions. Raises `BadInput` for those that leave out their river."""
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
    placed = [
        _placed(*pair, memory_mb=memory_mb, progress=progress)
        for pair in ((first, second), (second, first))
    ]
    partings = sorted(
        _partings(first, second), key=lambda parting: -parting.reach * parting.difference
    )
    return SolutionComparison(inputs, placed[0], placed[1], tuple(partings), doubt)


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


# Which action of one tree is which of another.


def _share(node: Node, number: int, pot: int) -> float:
    """Return a bet as a part of the pot after a call; passive actions have none."""
    action = node.actions[number]
    return action.amount / (pot + 2 * max(node.paid))


def _targets(own: Node, target_node: Node, pot: int) -> tuple[list[int], bool]:
    """Return for each action of a node its number in another tree, and whether one was moved."""
    targets, moved = [], False
    bets = [k for k, action in enumerate(target_node.actions) if action.act not in _PASSIVE]
    for number, action in enumerate(own.actions):
        if action in target_node.actions:
            targets.append(target_node.actions.index(action))
            continue
        same = [k for k, known in enumerate(target_node.actions) if known.act is action.act]
        if action.act in _PASSIVE and same:
            targets.append(same[0])
            continue
        moved = True
        if bets and action.act not in _PASSIVE:
            share = _share(own, number, pot)
            targets.append(min(bets, key=lambda k: abs(_share(target_node, k, pot) - share)))
        else:
            passive = [k for k in range(len(target_node.actions)) if k not in bets]
            targets.append(passive[-1])
    return targets, moved


def _pairs(own: Node | None, other: Node, pot: int) -> Iterator[tuple[Node | None, Node]]:
    """Yield each point of a tree with the one of another that is the same line, or None."""
    waiting: list[tuple[Node | None, Node]] = [(own, other)]
    while waiting:
        mine, theirs = waiting.pop()
        if mine is not None and (mine.kind, mine.player) != (theirs.kind, theirs.player):
            mine = None
        yield mine, theirs
        if theirs.kind is Ends.LATER:
            waiting.append((mine.children[0] if mine is not None else None, theirs.children[0]))
        elif theirs.kind is Ends.DECISION:
            targets = [] if mine is None else _targets(mine, theirs, pot)[0]
            for number, child in enumerate(theirs.children):
                same = [k for k, target in enumerate(targets) if target == number]
                exact = [
                    k
                    for k in same
                    if mine is not None and mine.actions[k] == theirs.actions[number]
                ]
                chosen = next(iter([*exact, *same]), None)
                from_mine = None if mine is None or chosen is None else mine.children[chosen]
                waiting.append((from_mine, child))


def _placed(
    own: SpotSolution,
    host: SpotSolution,
    *,
    memory_mb: float | None,
    progress: Progress | None,
) -> PlacedStrategies:
    """Place a solution's strategies in another's tree, and see what they are worth there."""
    solver = SpotSolver(host.spot, deck=host.solver.deck, threads=host.solver.threads)
    check_memory(solver.size(), memory_mb)
    solver.allocate()
    moved = unknown = 0
    root_pairs = list(_pairs(own.start().node, solver.forests[0].roots[0], own.spot.pot))
    known = [(mine, theirs) for mine, theirs in root_pairs if theirs.kind is Ends.DECISION]
    first_street = solver.forests[0].street
    if [street.cards for street in own.solver.streets] != [
        street.cards for street in solver.streets
    ]:
        raise BadInput("a lock on particular suits makes other boards alike; allowed: in both")
    averages = as_floats(solver.averages)
    averages[:] = np.abs(as_floats(host.solver.averages))
    solver.write_locks()
    others = averages.copy()
    for count, (mine, theirs) in enumerate(known):
        if progress is not None:
            progress(count, len(known), "placing a strategy in the other tree")
        if mine is None:
            unknown += 1
            continue
        targets, is_moved = _targets(mine, theirs, own.spot.pot)
        moved += is_moved
        level = theirs.street - first_street
        for board in range(len(solver.streets[level].cards)):
            count_held, padded, _, base = solver.streets[level].boards.sizes[board, theirs.player]
            mix = own.solver.chances(level, board, mine)
            if len(mix) != count_held:
                raise BadInput("solutions with other holdings on a board cannot be compared")
            rows = np.zeros((len(theirs.actions), padded), dtype=np.float32)
            for number, target in enumerate(targets):
                rows[target, :count_held] += mix[:, number]
            start = base + theirs.slot * padded
            averages[start : start + rows.size] = rows.reshape(-1)
    solver.write_locks()
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
    """Write the placed strategy of one player, and the other solution's of the other."""
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


def _partings(first: SpotSolution, second: SpotSolution) -> Iterator[Parting]:
    """Yield the decisions of the first street that both know."""
    start = second.start()
    weights = np.array([player_range.weights for player_range in second.spot.ranges])
    pairs = second.spot.pairs()
    waiting: list[tuple[Node, Node, str, Floats]] = [(first.start().node, start.node, "", weights)]
    while waiting:
        mine, theirs, line, reach = waiting.pop()
        if theirs.kind is not Ends.DECISION or (mine.kind, mine.player) != (
            theirs.kind,
            theirs.player,
        ):
            continue
        player = theirs.player
        held = second.solver.streets[0].held[0]
        met = second.solver.met(0, 0, player, reach[1 - player][held[1 - player]])
        weight = reach[player][held[player]] * met
        share = float(weight.sum() / pairs)
        if share < _LEAST_REACH:
            continue
        targets, _ = _targets(mine, theirs, second.spot.pot)
        own = np.zeros((len(held[player]), len(theirs.actions)))
        for number, target in enumerate(targets):
            own[:, target] += first.solver.chances(0, 0, mine)[:, number]
        second_mix = second.solver.chances(0, 0, theirs)
        parts = np.abs(own - second_mix).sum(axis=1) / 2
        frequency = [weight @ mix / weight.sum() for mix in (own, second_mix)]
        yield Parting(
            line,
            player,
            share,
            float(weight @ parts / weight.sum()),
            tuple(map(str, theirs.actions)),
            tuple(frequency[0].tolist()),
            tuple(frequency[1].tolist()),
        )
        for number, action in enumerate(theirs.actions):
            same = [k for k, target in enumerate(targets) if target == number]
            exact = [k for k in same if mine.actions[k] == action]
            if not same:
                continue
            after = reach.copy()
            after[player][held[player]] *= second_mix[:, number]
            child = mine.children[(exact or same)[0]]
            waiting.append((child, theirs.children[number], f"{line} {action}".strip(), after))
