"""Follows a heads-up no-limit hand through a blueprint with other bet sizes and stacks.

A bet between two sizes of the menu counts as both, with weights from the pseudo-harmonic mapping
(Ganzfried and Sandholm, "Action translation in extensive-form games with large action spaces:
axioms, paradoxes, and the pseudo-harmonic mapping", 2013). A stack between two solved stacks counts
as both as well. Nothing is drawn at random: the strategy is the weighted mean over all positions of
the blueprint that stand for the hand, so it depends only on public information and the player's own
cards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import HOLDING_CARDS, HOLDINGS, Card, Range
from railbird.errors import BadInput
from railbird.game.rules import BOARD_CARDS
from railbird.solve.abstraction.card_abstraction import States, is_blocked
from railbird.solve.nolimit.betting import next_decision
from railbird.solve.nolimit.safe import LEAST_ENTRY, SafeSolver
from railbird.solve.nolimit.settings import (
    LATER_SIZES,
    LEAST_REACH,
    REST_GAP,
    REST_ITERATIONS,
    TURN_SIZES,
)
from railbird.solve.nolimit.strategy import TRUNK, Depth, NoLimitStrategy
from railbird.solve.nolimit.values import blueprint_values
from railbird.solve.spot import Spot, SpotSolution, begun, check_boards, resume, solve_spot
from railbird.solve.spot.kernels import BEST
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.solution import SpotPoint
from railbird.solve.spot.tree import ActKind, Ends, Node, SpotAction, build_tree

ALL_IN: Final = np.inf
"""The size of an all-in bet, whatever share of the pot it is."""

_LEAST_WEIGHT: Final = 0.01
_MOST_PLACES: Final = 8


class Done(NamedTuple):
    """An action, without its amount in chips."""

    act: ActKind
    """`ActKind.FOLD`, `ActKind.CALL` for a call or check, or `ActKind.BET` for a bet or raise."""
    size: float = 0.0
    """The size of a bet or raise as a share of the pot after a call, or `ALL_IN`."""


def weight_of_lower(size: float, low: float, high: float) -> float:
    """Return the weight of the lower of the two sizes around a bet, in shares of the pot.

    >>> weight_of_lower(0.5, 0.5, 2), weight_of_lower(1.0, 0.5, 2), weight_of_lower(2, 0.5, 2)
    (1.0, 0.5, 0.0)
    """
    return (high - size) * (1 + low) / ((high - low) * (1 + size))


def bet_sizes_of(node: Node) -> list[float]:
    """Return the size of each action of a decision; NaN for actions other than bets."""
    level = max(node.paid)
    return [
        np.nan
        if action.act < ActKind.BET
        else ALL_IN
        if action.act is ActKind.ALL_IN
        else (child.paid[node.player] - level) / (2 * level)
        for action, child in zip(node.actions, node.children, strict=True)
    ]


def translated(node: Node, done: Done, all_in: float) -> dict[int, float]:
    """Return the actions of a decision that stand for the real one, with their weights.

    ``all_in`` is the size of an all-in bet in the real hand, as a share of the pot. A bet smaller
    than all sizes of the menu counts as the smallest. If the menu has no bets, the result is empty.
    """
    if done.act < ActKind.BET:
        acts = (ActKind.FOLD,) if done.act is ActKind.FOLD else (ActKind.CHECK, ActKind.CALL)
        return {number: 1.0 for number, action in enumerate(node.actions) if action.act in acts}
    sizes = {
        number: size
        for number, size in enumerate(bet_sizes_of(node))
        if size == ALL_IN or size < all_in
    }
    if not sizes:
        return {}
    low = max((number for number in sizes if sizes[number] <= done.size), default=-1)
    high = min((number for number in sizes if sizes[number] >= done.size), default=-1)
    if low < 0 or high < 0 or low == high:
        return {max(low, high): 1.0}
    weight = weight_of_lower(done.size, sizes[low], min(sizes[high], all_in))
    return {low: weight, high: 1 - weight}


@dataclass(frozen=True, eq=False)
class LinePosition:
    """A decision of the blueprint that stands for the hand, with its weight."""

    depth: Depth
    node: Node
    weight: float

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


@dataclass(frozen=True, eq=False)
class Line:
    """The decisions of a blueprint that stand for a hand; their weights add up to one.

    There are none if both players are all-in in the blueprint while the real hand goes on.
    """

    places: tuple[LinePosition, ...]

    @classmethod
    def begin(cls, strategy: NoLimitStrategy, stack: float) -> Line:
        """Return the first decisions of a hand with a stack in big blinds."""
        between = strategy.between(stack)
        return cls(tuple(LinePosition(depth, depth.tree.root, weight) for depth, weight in between))

    def after(self, done: Done, all_in: float) -> Line:
        """Return the line after an action; `all_in` is explained at `translated`."""
        by_node: dict[int, LinePosition] = {}
        for position in self.places:
            for number, part in translated(position.node, done, all_in).items():
                node = next_decision(position.node.children[number])
                weight = position.weight * part
                if node is None or weight == 0:
                    continue
                known = by_node.get(id(node))
                weight += 0.0 if known is None else known.weight
                by_node[id(node)] = LinePosition(position.depth, node, weight)
        # Every bet can double the number of positions. Light ones are dropped, so that the work
        # stays bounded, and the weights of the others are scaled to one again.
        heaviest = sorted(by_node.values(), key=lambda position: -position.weight)[:_MOST_PLACES]
        least = _LEAST_WEIGHT * sum(position.weight for position in heaviest)
        heaviest = [position for position in heaviest if position.weight >= least]
        total = sum(position.weight for position in heaviest)
        return Line(
            tuple(
                LinePosition(position.depth, position.node, position.weight / total)
                for position in heaviest
            )
        )

    def shares(self, states: States) -> list[tuple[LinePosition, npt.NDArray[np.float64]]]:
        """Return each position with its strategy in some states, (states, actions)."""
        return [(place, place.depth.shares(place.node, states)) for place in self.places]

    def likelihood(self, states: States, done: Done, all_in: float) -> npt.NDArray[np.float64]:
        """Return (states,) the probability of an action; all ones if no position is known."""
        if not self.places:
            return np.ones(len(states))
        chances = np.zeros(len(states))
        for position, shares in self.shares(states):
            for number, part in translated(position.node, done, all_in).items():
                chances += position.weight * part * shares[:, number]
        return chances


class Alternative(NamedTuple):
    """What the opponent may take instead in safe solving; see `railbird.solve.nolimit.safe`."""

    opponent: int
    """The player who has the alternative; 0 acts first on the street."""
    values: npt.NDArray[np.float64]
    """(1326,) values in chips by holding; half of the pot counts as the opponent's own."""
    slope: float = 0.0
    """Chips to add for an edge of one."""


def worth_of_start(
    strategy: NoLimitStrategy, line: Line, states: States, seat: int, *, street: int, pot: int
) -> Alternative | None:
    """Return what a seat's holdings win from a street on if both continue by the blueprint.

    ``line`` is the hand at the beginning of the street, ``states`` (1326,) are the holdings'
    buckets, and ``pot`` is in chips. Seat 1 is the dealer. A trunk stores the mean values of its
    buckets; for a whole strategy the lines of `railbird.solve.nolimit.values` are used. Returns
    None if the blueprint has no values there.
    """
    values, slope = np.zeros(HOLDINGS), 0.0
    if not line.places or (strategy.is_trunk and street != TRUNK):
        return None
    for position in line.places:
        depth, node = position.depth, position.node
        scale = position.weight * pot / (2 * node.paid[0])
        if strategy.is_trunk:
            values += scale * depth.turn_values(node, seat)[states]
            continue
        constant, edge = blueprint_values(strategy).line(depth, *depth.tree.place(node))
        values += scale * (constant if seat == 0 else -constant)
        slope += scale * edge
    return Alternative(seat, values, slope)


# The rest of a no-limit hand, solved during play, with the real bets in the tree.
#
# It is a spot that begins with a street. The ranges are those with which both players get there by
# the blueprint, and the tree has the blueprint's sizes and the bets that were really made
# (Ganzfried and Sandholm, "Endgame solving in large imperfect-information games", 2015). This is
# *unsafe*: an opponent who gets there with other ranges may gain by what is solved.


CHECK_OR_CALL: Final = 0
"""Stands in a street's line for a check or call, where a bet or raise has its total."""


@dataclass(eq=False)
class Rest:
    """Both players' strategies from a street on, solved to the end of the hand."""

    solution: SpotSolution

    def point(self, totals: Sequence[int]) -> SpotPoint | None:
        """Return the decision after the street's actions, or None if the tree lacks it."""
        point = self.solution.start()
        for total in totals:
            number = _number(point.node, total)
            if number is None:
                return None
            point = point.after(number)
        return point if point.node.kind is Ends.DECISION else None

    def shares(self, point: SpotPoint) -> npt.NDArray[np.float64]:
        """Return (1326, actions) the strategy of all holdings; uniform where it is undefined."""
        mix = self.solution.strategy(point)
        chances: npt.NDArray[np.float64] = np.where(np.isnan(mix), 1 / mix.shape[1], mix)
        return chances

    def alternatives(
        self, totals: Sequence[int], card: Card, opponent: int
    ) -> npt.NDArray[np.float64] | None:
        """Return what each holding of a player wins if a card follows a turn's actions, (1326,).

        The player plays a best response to the other's strategy. Values are in chips; half of the
        turn's pot counts as the player's own. Returns None if the tree lacks the actions.
        """
        solution, point = self.solution, self.solution.start()
        reach = solution.spot.ranges[1 - opponent].weights.copy()
        for total in totals:
            number = _number(point.node, total)
            if number is None:
                return None
            if point.node.player != opponent:
                reach *= self.shares(point)[:, number]
            point = point.after(number)
        if point.node.kind is not Ends.LATER or point.node.children[0].kind is not Ends.DECISION:
            return None
        point = solution.after_card(point, card)
        reach[np.equal(HOLDING_CARDS, card).any(axis=1)] = 0.0
        solver, level, board = solution.solver, point.level, point.board
        held = [point.holding_of[holdings] for holdings in solver.streets[level].held[board]]
        won = solver.node_values(level, board, point.node, opponent, mode=BEST)[0]
        met = solver.met(level, board, opponent, reach[held[1 - opponent]])
        values = np.zeros(HOLDINGS)
        values[held[opponent]] = np.divide(won, met, out=np.zeros_like(won), where=met > 0)
        return values

    def likelihood(self, before: Sequence[int], total: int) -> npt.NDArray[np.float64] | None:
        """Return the probability of an action by holding, (1326,), after earlier actions."""
        point = self.point(before)
        number = None if point is None else _number(point.node, total)
        return None if point is None or number is None else self.shares(point)[:, number]


def _number(node: Node, total: int) -> int | None:
    """Return the number of an action, or None if the decision lacks it."""
    for number, action in enumerate(node.actions):
        if action.act in (ActKind.CHECK, ActKind.CALL):
            if total == CHECK_OR_CALL:
                return number
        elif action.act >= ActKind.BET and action.amount == total:
            return number
    return None


@checked
def solve_rest(
    menu: str,
    board: npt.NDArray[np.uint8],
    ranges: npt.NDArray[np.float64],
    *,
    pot: int,
    stack: int,
    totals: Sequence[int] = (),
    seconds: float | None = None,
    alternative: Alternative | None = None,
) -> Rest:
    """Solve the turn and the river, or the river alone; safely, given an ``alternative``.

    A river has the sizes of the blueprint's ``menu``, a turn those of `TURN_SIZES`.

    ``ranges`` (2, 1326) are those of the first to act and of the other player. ``pot`` and
    ``stack`` are chips at the beginning of the street, and ``totals`` the actions on it so far,
    `CHECK_OR_CALL` or chips. Solving ends at a gap of `REST_GAP` per cent of the pot, after
    `REST_ITERATIONS`, or after so many ``seconds`` of the clock. Raises `BadInput` for other
    streets, and if the spot cannot be solved.
    """
    if len(board) not in REST_GAP:
        raise BadInput(f"a board of {len(board)} cards; allowed: 4, 5")
    allowed = np.where(is_blocked(board), 0.0, ranges)
    most = allowed.max(axis=1, keepdims=True)
    if not (most > 0).all():
        raise BadInput("a player without a holding that the board allows")
    # Every holding stays in both ranges: a holding of weight zero would get no strategy, and
    # a player may hold it all the same.
    least = np.full((2, 1), LEAST_REACH)
    if alternative is not None:
        least[alternative.opponent] = LEAST_ENTRY
    weights = np.where(is_blocked(board), 0.0, np.maximum(allowed / most, least))
    assert weights.shape == (2, HOLDINGS)
    menu = menu if len(board) == BOARD_CARDS[-1] else _turn_menu(menu, stack / pot)
    game = PreflopSpot.parse(f"stack = 10000; flops = 7h3d2c; {menu}", name="menu")
    cards = tuple(Card(int(card)) for card in board)
    spot = game.later(cards, (Range(weights[0]), Range(weights[1])), pot=pot, stack=stack)
    spot = with_line(spot, totals)
    how: dict[str, Any] = {
        "gap_percent": REST_GAP[len(board)],
        "iterations": REST_ITERATIONS[len(board)],
        "seconds": seconds,
    }
    if alternative is None:
        return Rest(solve_spot(spot, threads=1, **how))
    check_boards(spot)
    solver = SafeSolver(
        spot,
        threads=1,
        opponent=alternative.opponent,
        alternatives=alternative.values,
        slope=alternative.slope,
    )
    return Rest(resume(begun(solver), **how))


def _turn_menu(menu: str, depth: float) -> str:
    """Return a blueprint's menu with the sizes with which a turn is solved.

    ``depth`` is the stack in pots. All other rules of the menu stay.
    """
    rules: dict[str, str] = {}
    for rule in re.split("[;\n]", menu):
        key, _, value = rule.partition("=")
        if key.strip():
            rules[key.strip()] = value.strip()
    sizes = next(sizes for most, sizes in TURN_SIZES if depth <= most)
    return "; ".join(f"{key} = {value}" for key, value in (rules | sizes | LATER_SIZES).items())


def with_line(spot: Spot, totals: Sequence[int]) -> Spot:
    """Return a spot whose tree has the actions taken. Raises `BadInput` for impossible actions."""
    node, words = build_tree(spot)[0].roots[0], list[SpotAction]()
    for total in totals:
        number = _number(node, total)
        if number is None:
            act = (
                ActKind.RAISE if any(action.act >= ActKind.BET for action in words) else ActKind.BET
            )
            line = " ".join(map(str, [*words, SpotAction(act, total)]))
            return with_line(replace(spot, added=(*spot.added, line)), totals)
        words.append(node.actions[number])
        node = node.children[number]
    return spot
