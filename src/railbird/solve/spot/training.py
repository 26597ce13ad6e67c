"""Trains a person on a solved heads-up no-limit spot: the solution plays the other seat.

Each decision is measured by the solution's values of the actions with these cards
(`SpotNode.action_values`). Two numbers are kept. ``loss`` is how much less the action is worth than
the best one; this is shown to the player. ``behind`` is how much less it is worth than the
solution's own mix. The sum of the latter over a hand is, on average, exactly what the player's
strategy wins less than the solution's against the same opponent, because the values of the mixes
telescope along a line. In a perfect solution both are equal for actions that it takes.

A `Drill` selects the decisions to ask. Until one of these comes up the solution plays both seats,
and a hand without one is not counted.

In a spot without rake, the value of a whole range at the beginning is off by at most twice the gap.
With rake, after a line, and for a single holding no such bound is known.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS, TEXT_OF_CARD, Card, Holding
from railbird.errors import BadInput
from railbird.estimates import Estimate, Moments
from railbird.solve.spot.drills import Drill, made_hand
from railbird.solve.spot.hands import pairs_dealt
from railbird.solve.spot.solution import SpotNode, SpotSolution
from railbird.solve.spot.spot import STREETS
from railbird.solve.spot.tree import Ends

_MOST_NODES: Final = 400
"""Points that are kept in memory, some 50 MB: all points of a river, the common ones of a flop."""
_FLOP_CARDS: Final = 3
_MOST_DEALS: Final = 400
"""The most hands in a row that may lack a decision of the drill."""


class TrainedDecision(NamedTuple):
    """A decision that was made, and its cost."""

    line: str
    street: str
    board: tuple[Card, ...]
    pot: int
    """Chips in the pot, with all bets so far."""
    holding: Holding
    action: str
    best: str
    loss: float
    """Chips that the action is worth less than the best one."""
    behind: float
    """Chips that it is worth less than the solution's mix; negative if it is better."""
    frequency: float
    """How often the solution takes the action with this holding."""

    @property
    def made(self) -> str:
        """The made hand."""
        return made_hand(self.board, self.holding)


@dataclass(slots=True, eq=False)
class SpotQuestion:
    """A decision to be made."""

    node: SpotNode
    seat: int
    holding: Holding
    opponent: Holding
    """The opponent's holding, not to be shown before the hand is over."""
    answered: TrainedDecision | None = None

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions, in the node's order."""
        return tuple(map(str, self.node.actions))

    @property
    def values(self) -> tuple[float, ...]:
        """The value of each action."""
        return tuple(self.node.action_values[:, self.holding].tolist())

    def decide(self, action: int) -> TrainedDecision:
        """Take an action by its number."""
        if not 0 <= action < len(self.node.actions):
            raise BadInput(f"action {action}; allowed: 0 to {len(self.node.actions) - 1}")
        values = self.node.action_values[:, self.holding]
        mix = self.node.strategy[self.holding]
        best = int(values.argmax())
        self.answered = TrainedDecision(
            self.node.line,
            STREETS[len(self.node.board) - _FLOP_CARDS],
            self.node.board,
            self.node.pot,
            self.holding,
            self.actions[action],
            self.actions[best],
            float(values[best] - values[action]),
            float(mix @ values - values[action]),
            float(mix[action]),
        )
        return self.answered


@dataclass(slots=True, eq=False)
class SpotTrainer:
    """Deals hands of a solved spot to a player; the solution plays the other seat."""

    solution: SpotSolution
    rng: np.random.Generator
    line: str = ""
    """The line after which each hand begins; both players have their ranges there."""
    drill: Drill = field(default_factory=Drill)
    decisions: list[TrainedDecision] = field(default_factory=list, init=False)
    hands: int = field(default=0, init=False)
    last_line: str = field(default="", init=False)
    """The line of the last finished hand."""
    seats: list[int] = field(default_factory=lambda: [0, 0], init=False)
    """Hands played from each seat."""
    _nodes: OrderedDict[str, SpotNode] = field(default_factory=OrderedDict, init=False)
    _pairs: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]] = field(
        init=False
    )
    _drawn: dict[int, npt.NDArray[np.float64]] = field(default_factory=dict, init=False)
    """By seat, cumulative weights of the pairs with which it can be asked."""

    def __post_init__(self) -> None:
        if self.solution.spot.utilities is not None:
            raise BadInput("a solution that counts prizes or another worth; allowed: chips")
        if self.solution.spot.folded:
            raise BadInput("a solution with folded players' cards; allowed: none folded")
        start = self._node(self.line)
        if start.kind not in (Ends.DECISION, Ends.LATER):
            raise BadInput(f"nobody acts after {self.line!r}")
        self._pairs = pairs_dealt(self.solution, list(start.reach))
        if not self._pairs[2].size or not self._pairs[2][-1] > 0:
            raise BadInput(f"no pair of holdings comes to {self.line!r}")
        first = len(start.board) - _FLOP_CARDS + (start.kind is Ends.LATER)
        if self.drill.street and self.drill.street not in STREETS[first:]:
            raise BadInput(f"a drill of the {self.drill.street}; here follows {STREETS[first]}")

    def restart(self, rng: np.random.Generator) -> None:
        """Begin anew, keeping the points that have been read."""
        self.rng, self.hands, self.seats, self.last_line = rng, 0, [0, 0], ""
        self.decisions.clear()

    @property
    def uncertainty(self) -> float | None:
        """Chips by which the EV of a whole range may be off: twice the gap.

        None after a line or with rake, where no such bound is known.
        """
        is_bounded = self.solution.spot.is_zero_sum and not self.line
        return 2 * self.solution.gap if is_bounded else None

    def hand(self, seat: int) -> Iterator[SpotQuestion]:
        """Deal a hand and yield each decision of the seat, which must be made before the next."""
        if seat not in (0, 1):
            raise BadInput(f"seat {seat}; allowed: 0, the first to act, or 1")
        for _ in range(_MOST_DEALS):
            holdings = self._deal(seat)
            asked = False
            line = self.line
            while True:
                node = self._node(line)
                if node.kind is Ends.LATER and not (asked and self.drill.one_street):
                    line = f"{line} {TEXT_OF_CARD[self._card(node, holdings)]}".strip()
                    continue
                if node.kind is not Ends.DECISION:
                    break
                if node.player == seat and (asked or self._asks(node, holdings[seat])):
                    asked = True
                    question = SpotQuestion(node, seat, holdings[seat], holdings[1 - seat])
                    yield question
                    if question.answered is None:
                        raise BadInput("a decision that was not made")
                    self.decisions.append(question.answered)
                    action = question.answered.action
                else:
                    mix = np.nan_to_num(node.strategy[holdings[node.player]])
                    action = str(node.actions[int(self.rng.choice(len(mix), p=mix / mix.sum()))])
                line = f"{line} {action}".strip()
            if asked or self.drill.asks_all:
                break
        else:
            raise BadInput(f"no decision of this drill came in {_MOST_DEALS} hands: {self.drill}")
        self.hands += 1
        self.last_line = line
        self.seats[seat] += 1

    def _asks(self, node: SpotNode, holding: Holding) -> bool:
        return self.drill.asks_all or bool(self.drill.takes(node.board)[holding])

    def _deal(self, seat: int) -> tuple[Holding, Holding]:
        """Deal both holdings; if the drill's board is already known, only holdings that it asks."""
        ones, others, sums = self._pairs
        if seat not in self._drawn:
            self._drawn[seat] = sums
            start = self._node(self.line)
            street = STREETS[len(start.board) - _FLOP_CARDS]
            is_last = street in (STREETS[-1], self.drill.street)
            if start.kind is Ends.DECISION and is_last and not self.drill.asks_all:
                weights = (
                    np.diff(sums, prepend=0.0) * self.drill.takes(start.board)[(ones, others)[seat]]
                )
                self._drawn[seat] = weights.cumsum()
        drawn_sums = self._drawn[seat]
        if not drawn_sums[-1] > 0:
            raise BadInput(f"no hand of this drill comes there: {self.drill}")
        drawn = np.searchsorted(drawn_sums, self.rng.random() * drawn_sums[-1], side="right")
        pair = min(int(drawn), len(sums) - 1)
        return Holding(int(ones[pair])), Holding(int(others[pair]))

    def _card(self, node: SpotNode, holdings: tuple[Holding, Holding]) -> Card:
        gone = {int(card) for card in node.board}
        gone |= {int(card) for holding in holdings for card in HOLDING_CARDS[holding]}
        left = [card for card in self.solution.solver.deck if card not in gone]
        return Card(left[int(self.rng.integers(len(left)))])

    def _node(self, line: str) -> SpotNode:
        if line not in self._nodes:
            self._nodes[line] = self.solution.node(line)
            if len(self._nodes) > _MOST_NODES:
                self._nodes.popitem(last=False)
        self._nodes.move_to_end(line)
        return self._nodes[line]


def losses_by(
    decisions: Iterable[TrainedDecision], key: Callable[[TrainedDecision], str]
) -> dict[str, Estimate]:
    """Return the mean loss of decisions grouped by ``key``, the costliest group first."""
    groups: dict[str, list[float]] = {}
    for decision in decisions:
        groups.setdefault(key(decision), []).append(decision.loss)
    means = {name: Moments.of(losses).estimate("chips") for name, losses in groups.items()}
    return dict(sorted(means.items(), key=lambda pair: -pair[1].value * pair[1].n))
