"""Values of every choice in push/fold at a table, against strategies of all seats.

A player's decision depends on who is in before him and on the class of his holding, so it is an
array of 169 numbers for each set of earlier seats. Behind `MOST_IN` all-in everybody folds.

Which cards are left follows from everybody's actions. Two or three hands that meet at showdown take
cards from each other exactly; folded hands by pairs: each player's fold multiplies the chances of
another's classes, or of another's action, by what it alone would. Between two players nothing is
approximate. Among more, values of all seats should add up to what is played for, and what they lack
(`TableSolution.discrepancy`) shows how good that is: without the folded hands it is ten times more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.cards import CLASSES
from railbird.solve.pushfold.table import showdown
from railbird.solve.pushfold.table.game import PushFoldTable
from railbird.solve.settings import MOST_IN

Floats = npt.NDArray[np.float64]
Seats = tuple[int, ...]
Node = tuple[int, Seats]
"""A decision: the seat to act, and the seats all-in before it."""
Strategy = dict[Node, Floats]
"""(169,) how often each class goes all-in, at each decision."""
_TINY = 1e-300
_RARE = 1e-9
"""Probability of an action below which it says nothing of the cards that are left."""


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """What a strategy is worth, by decision and by seat."""

    reach: dict[Node, Floats]
    """(169,) probability that the others let the decision arise, by the own class."""
    push: dict[Node, Floats]
    """(169,) value of going all-in."""
    fold: dict[Node, Floats]
    """(169,) value of folding."""
    seats: Floats
    """(seats,) value of the hand."""
    gains: Floats
    """(seats,) what a best response gains."""


def nodes_of(seats: int, forced: Sequence[int] = ()) -> list[Node]:
    """Return all decisions, in the order of acting, and the places where ``forced`` seats go in.

    Nobody takes the room of a forced seat behind him.
    """
    nodes = []
    for seat in range(seats):
        room = MOST_IN - 1 - (0 if seat in forced else sum(other > seat for other in forced))
        nodes += [
            (seat, inside)
            for size in range(min(seat, room) + 1)
            for inside in combinations(range(seat), size)
            if all(other in inside for other in forced if other < seat)
            and not (seat == seats - 1 and not inside)
        ]
    return nodes


class Evaluator:
    """The ends of a table's hands, valued against strategies."""

    def __init__(self, table: PushFoldTable) -> None:
        self.table = table
        self.count = len(table.stacks)
        self.nodes = nodes_of(self.count, table.forced)
        self._ends = dict(table.ends())

    def values(self, strategy: Strategy, triples: dict[Seats, Floats] | None = None) -> Values:
        """Value every choice, and a best response of each seat to all others.

        ``triples`` are the values with three all-in, by default those of the strategy.
        """
        play = self._play(strategy)
        leaves = self._leaves(strategy) | (triples or self.triples(strategy))
        reach: dict[Node, Floats] = {}
        push: dict[Node, Floats] = {}
        fold: dict[Node, Floats] = {}

        def walk(seat: int, inside: Seats, chance: Floats) -> tuple[Floats, Floats]:
            """Return values (seats, 169) under the strategy and under each seat's best response."""
            node = (seat, inside)
            if seat == self.count:
                return leaves[inside], leaves[inside]
            if node not in play:
                return walk(seat + 1, inside, chance)
            if seat in self.table.forced:
                reach[node] = chance[seat]
                value, best = walk(seat + 1, (*inside, seat), chance)
                push[node] = fold[node] = value[seat]
                return value, best
            plays = play[node]
            pushed, best_pushed = walk(seat + 1, (*inside, seat), chance * plays)
            folded, best_folded = walk(seat + 1, inside, chance * (1 - plays))
            reach[node], push[node], fold[node] = chance[seat], pushed[seat], folded[seat]
            value = plays * pushed + (1 - plays) * folded
            best = plays * best_pushed + (1 - plays) * best_folded
            own = strategy[node]
            value[seat] = own * pushed[seat] + (1 - own) * folded[seat]
            best[seat] = np.maximum(pushed[seat], folded[seat])
            return value, best

        value, best = walk(0, (), np.ones((self.count, CLASSES)))
        dealt = showdown.class_probabilities()
        return Values(reach, push, fold, value @ dealt, (best - value) @ dealt)

    def _play(self, strategy: Strategy) -> dict[Node, Floats]:
        """Return (seats, 169) how often a decision's seat goes all-in, given a seat's own class.

        What the others have done before says something of the cards that are left: each of them
        multiplies the probability by what his action alone would multiply it.
        """
        dealt, prior = showdown.dealt(), showdown.class_probabilities()
        play = {}
        for node in self.nodes:
            seat, inside = node
            given = dealt @ strategy[node]
            mean = float(prior @ given)
            factors = np.ones(self.count)
            for other in range(seat):
                earlier = (other, tuple(each for each in inside if each < other))
                if earlier not in strategy:
                    continue  # it had to fold
                range_ = strategy[earlier] if other in inside else 1 - strategy[earlier]
                weight = float(prior @ range_)
                if weight > _RARE and mean > _RARE:
                    factors[other] = float((prior * range_) @ given) / (weight * mean)
            everybody = factors.prod()
            for_seat = [everybody / factor if factor > 0 else 0.0 for factor in factors]
            play[node] = np.clip(np.outer(for_seat, given), 0.0, 1.0)
        return play

    def _leaves(self, strategy: Strategy) -> dict[Seats, Floats]:
        """Return values (seats, 169) at every end with up to two all-in."""
        leaves = {}
        for inside, values in self._ends.items():
            if len(inside) > 2:
                continue
            leaf = np.repeat(values[0][:, np.newaxis], CLASSES, axis=1)
            if len(inside) == 2:
                first, second = self._ranges(strategy, inside)
                orders = showdown.pair_orders()
                against_second = orders @ second  # (3, 169) by the first player's class
                _fill(leaf, values, against_second @ (showdown.class_probabilities() * first))
                _fill_own(leaf, inside[0], values, against_second)
                _fill_own(leaf, inside[1], values, orders[::-1] @ first)
            leaves[inside] = leaf
        return leaves

    def triples(self, strategy: Strategy) -> dict[Seats, Floats]:
        """Return values (seats, 169) at every end with three all-in."""
        ends = [inside for inside in self._ends if len(inside) == 3]

        def value(first: int, end: int) -> list[Floats]:
            return [self._triple(strategy, inside) for inside in ends[first:end]]

        slices = in_slices(value, len(ends), size=1, what="showdowns")
        leaves = [leaf for part in slices for leaf in part]
        return dict(zip(ends, leaves, strict=True))

    def _ranges(self, strategy: Strategy, inside: Seats) -> list[Floats]:
        """Return the weights of the classes with which the seats go all-in while others fold.

        Each of those multiplies a class's weight by how much more often he folds against it.
        """
        folded = np.ones(CLASSES)
        for seat in range(self.count):
            node = (seat, tuple(each for each in inside if each < seat))
            if seat not in inside and node in strategy:
                folds = 1 - showdown.dealt() @ strategy[node]
                mean = float(showdown.class_probabilities() @ folds)
                if mean > _RARE:
                    folded *= folds / mean
        return [folded * strategy[seat, inside[:place]] for place, seat in enumerate(inside)]

    def _triple(self, strategy: Strategy, inside: Seats) -> Floats:
        values, ranges = self._ends[inside], self._ranges(strategy, inside)
        leaf = np.repeat(values[0][:, np.newaxis], CLASSES, axis=1)
        for hero, seat in enumerate(inside):
            first, second = (each for place, each in enumerate(ranges) if place != hero)
            weights = showdown.triple_orders(hero, first, second).T
            if hero == 0:
                _fill(leaf, values, weights @ ranges[0])
            _fill_own(leaf, seat, values, weights)
        return leaf


def _fill(leaf: Floats, values: Floats, weights: Floats) -> None:
    """Set the values of all seats to the mean over the orders, whatever their cards."""
    if weights.sum() > _TINY:
        leaf[:] = (weights / weights.sum() @ values)[:, np.newaxis]


def _fill_own(leaf: Floats, seat: int, values: Floats, weights: Floats) -> None:
    """Set the values of a seat by its class, given weights (orders, 169)."""
    totals = weights.sum(axis=0)
    means = values[:, seat] @ weights / np.maximum(totals, _TINY)
    leaf[seat] = np.where(totals > _TINY, means, leaf[seat])
