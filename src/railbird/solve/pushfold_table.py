"""Push/fold at a table of two to nine: the game, its showdowns, its values and its equilibria.

`pushfold` is the form for two players.

A player's decision depends on who is in before him and on the class of his holding, so it is an
array of 169 numbers for each set of earlier seats. Once `MOST_IN` are all-in, everybody else folds.

The cards that are left follow from everybody's actions. Two or three hands that meet at showdown
take cards from each other exactly. Folded hands count by pairs: each player's fold multiplies the
probabilities of another's classes, or of another's action, by its own effect alone. Between two
players nothing is approximate. Among more, the values of all seats should add up to the amount
played for; the amount by which they fall short (`TableSolution.discrepancy`) shows the quality of
the approximation: without the folded hands it is ten times larger.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._display import HasTable
from railbird._threads import in_slices
from railbird.cards import CLASS_NAMES, CLASSES
from railbird.errors import BadInput
from railbird.odds import classes_matrix
from railbird.odds.positions import seat_names
from railbird.odds.preflop_kernels import JOINT, ORDERS
from railbird.odds.rank_tables import open_arrays, row_of_pair
from railbird.progress import Progress
from railbird.solve.kernels import ORDER_WIDTH, orders_against
from railbird.solve.settings import (
    FUTURE_TOLERANCE,
    MOST_AT_TABLE,
    MOST_FUTURE_HANDS,
    MOST_IN,
    MOST_SEATS,
    TABLE_ITERATIONS,
    TABLE_TOLERANCE,
    check_goal,
)
from railbird.tournament import Bounties, bounty_equities, prize_equities

if TYPE_CHECKING:
    import polars as pl


# Push/fold at a table: who is in, what the pots pay, and what the stacks are worth afterwards.
#
# Everybody in turn goes all-in or folds. Amounts are in big blinds unless the blinds say otherwise;
# a stack includes the blind and the ante posted from it. Who posts all of it is all-in without a
# decision.


_FAR = 9
"""Hands ahead at which no table stays within `MOST_FUTURE_HANDS`."""

PAIR_ORDERS = ((1, 0), (0, 0), (0, 1))
"""Strengths of two hands by their order: the first wins, both tie, the second wins."""
TRIPLE_ORDERS = (
    *((3, 1, third) for third in range(5)),
    *((1, 3, third) for third in range(5)),
    *((2, 2, third) for third in (1, 2, 3)),
)
"""Strengths of three hands by their order, as `railbird.odds.rank_tables` counts it."""


class _NobodyDecides(BadInput):
    """More seats are all-in with what they post than can be all-in beside another one."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PushFoldTable:
    """The stakes of one hand at a table.

    Raises `BadInput` if more seats are all-in by their posts than ``most_in`` allows besides
    another one, and for impossible amounts.
    """

    stacks: tuple[float, ...]
    """In the order of acting, the small blind last but one, the big blind last."""
    payouts: tuple[float, ...] | None = None
    """Prizes from the first place on; with none, chips are what counts."""
    blinds: tuple[float, float] = (0.5, 1.0)
    ante: float = 0.0
    """Ante that each player posts."""
    big_blind_ante: float = 0.0
    """Posted by the big blind for everybody: chips in the pot that no one else has to match."""
    bounties: Bounties | None = None
    """On the heads of the seats, in the unit of the payouts."""
    most_in: int = MOST_IN
    """Most players all-in at once, 2 or 3, behind whom everybody folds."""
    future_hands: int = 0
    """Hands to come that count for what stacks are worth after this one; see `future_equities`."""

    def __post_init__(self) -> None:
        if not 2 <= len(self.stacks) <= MOST_SEATS:
            raise BadInput(f"{len(self.stacks)} stacks; allowed: 2 to {MOST_SEATS}")
        small, big = self.blinds
        antes = (self.ante, self.big_blind_ante)
        if not (0 < small <= big < math.inf and all(0 <= ante < math.inf for ante in antes)):
            raise BadInput(
                f"blinds {small:g}/{big:g}, ante {max(antes, key=abs):g}; allowed: a small blind "
                "above 0, a big blind at least as large, an ante of 0 or more"
            )
        for stack, name in zip(self.stacks, self.seats, strict=True):
            if not 0 < stack <= MOST_AT_TABLE * big:
                raise BadInput(
                    f"stack {stack:g} of {name}; allowed: above 0, to {MOST_AT_TABLE * big:g}"
                )
        if not 2 <= self.most_in <= MOST_IN:
            raise BadInput(f"{self.most_in} players all-in; allowed: 2 or {MOST_IN}")
        if len(self.forced) >= self.most_in:
            names = ", ".join(self.seats[seat] for seat in self.forced)
            raise _NobodyDecides(
                f"{names} are all-in with what they post; allowed: up to {self.most_in - 1} seats"
            )
        self._check_prizes()

    def _check_prizes(self) -> None:
        if self.payouts is not None:
            self.worth(np.array(self.stacks), self.bounties)
        elif self.bounties is not None or self.future_hands:
            raise BadInput("bounties or hands to come without payouts; allowed: with payouts")
        if not 0 <= self.future_hands <= _FAR:
            raise BadInput(f"{self.future_hands} hands to come; allowed: 0 to {_FAR}")
        seats, far = len(self.stacks), self.future_hands
        hands = _ends_of(seats, self.most_in) * _ends_of(seats, 2) ** (far - 1) if far else 0
        if hands > MOST_FUTURE_HANDS:
            raise BadInput(
                f"{far} more hands of {seats} seats are up to {hands:,.0f} to solve;"
                f" allowed: up to {MOST_FUTURE_HANDS:,}"
            )

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats in the order of acting."""
        return seat_names(len(self.stacks))

    @property
    def posts(self) -> tuple[float, ...]:
        """Blind and ante of each seat, as far as its stack goes; see also `dead`."""
        small, big = self.blinds
        blinds = [0.0] * (len(self.stacks) - 2) + [small, big]
        posted = zip(blinds, self.stacks, strict=True)
        return tuple(min(blind + self.ante, stack) for blind, stack in posted)

    @property
    def dead(self) -> float:
        """The big blind ante, as far as the stack goes: the blind comes first."""
        return min(self.big_blind_ante, self.stacks[-1] - self.posts[-1])

    @property
    def forced(self) -> tuple[int, ...]:
        """The seats that are all-in with their posts, and decide nothing."""
        left = [stack - post for stack, post in zip(self.stacks, self.posts, strict=True)]
        left[-1] -= self.dead
        return tuple(seat for seat, chips in enumerate(left) if chips <= 0)

    @property
    def equities(self) -> Floats:
        """Worth of the stacks before the hand, (seats,): prize equities, or big blinds."""
        stacks = np.array(self.stacks)
        if self.payouts is None:
            return stacks / self.blinds[1]
        return self.worth(stacks, self.bounties)

    def worth(self, stacks: Floats, bounties: Bounties | None) -> Floats:
        """Return the prize and bounty equities (seats,) of stacks by seat."""
        worth = prize_equities(stacks.tolist(), self.payouts or (), had=self.stacks)
        return worth if bounties is None else worth + bounty_equities(stacks.tolist(), bounties)

    @property
    def unit(self) -> str:
        """Unit of all values: that of the payouts, or big blinds."""
        return "bb" if self.payouts is None else "prize"

    @property
    def whole(self) -> float:
        """The total that exploitability is a share of: prizes and bounties, or chips in bb."""
        return float(self.equities.sum())

    def values(self, payoffs: Floats, takers: Floats) -> Floats:
        """Return the value of a hand (seats,): its winnings in prizes and bounties, or big blinds.

        ``payoffs`` are chips (seats,); ``takers`` (seats, seats) says who wins each seat's last
        chips.
        """
        if self.payouts is None:
            return payoffs / self.blinds[1]
        stacks = np.array(self.stacks)
        after = np.maximum(stacks + payoffs, 0.0)
        after[after < 1e-9 * stacks.sum()] = 0.0  # what rounding leaves of a lost stack
        paid, bounties = np.zeros(len(stacks)), self.bounties
        if bounties is not None:
            paid, bounties = bounties.after(np.where(after[:, np.newaxis] > 0, 0.0, takers))
        worth = self.worth if self.future_hands == 0 else self._worth_in_future
        return paid + worth(after, bounties) - self.equities

    def _worth_in_future(self, stacks: Floats, bounties: Bounties | None) -> Floats:
        """Return (seats,) what stacks after this hand are worth, with the hands to come."""
        worth, following = self.worth(stacks, bounties), self._next(stacks, bounties)
        if following is not None:
            seats, table = following
            worth[seats] = future_equities(table)
        return worth

    def _next(
        self, stacks: Floats, bounties: Bounties | None
    ) -> tuple[list[int], PushFoldTable] | None:
        """Return the next hand, and which seat of this one each of its seats was.

        The big blind goes to the next player with chips, the small blind to the one before him.
        There is no hand if one has all chips, or if too many are all-in with what they post.
        """
        playing = np.flatnonzero(stacks).tolist()
        if len(playing) < 2:
            return None
        order = [*playing[1:], playing[0]]
        try:
            table = replace(
                self,
                stacks=tuple(stacks[order].tolist()),
                bounties=bounties
                and replace(bounties, heads=tuple(bounties.heads[seat] for seat in order)),
                most_in=MOST_IN,
                future_hands=self.future_hands - 1,
            )
        except _NobodyDecides:
            return None
        return order, table if len(table.forced) > 1 else replace(table, most_in=2)

    def ends(self, progress: Progress | None = None) -> Iterator[tuple[tuple[int, ...], Floats]]:
        """Yield the seats all-in at each end of the hand, and values (orders, seats) by order."""
        ends = [
            (seats, {2: PAIR_ORDERS, 3: TRIPLE_ORDERS}.get(size, ((0,),)))
            for size in range(min(self.most_in, len(self.stacks)) + 1)
            for seats in combinations(range(len(self.stacks)), size)
            if self._can_end(seats)
        ]
        total, done = sum(len(orders) for _, orders in ends), 0
        for seats, orders in ends:
            rows = []
            for order in orders:
                if progress is not None and self.future_hands:
                    progress(done, total, "hands to come")
                rows.append(self.values(*settled(self, seats, order)))
                done += 1
            yield seats, np.array(rows)

    def _can_end(self, seats: Sequence[int]) -> bool:
        """Whether a hand can end with these seats all-in: the others could all fold."""
        last = len(self.stacks) - 1
        return all(seat in seats or (seat == last and not seats) for seat in self.forced)


def _ends_of(seats: int, most_in: int) -> int:
    """Return the number of stacks in which a hand can end, with up to ``most_in`` all-in."""
    return sum(
        math.comb(seats, size) * {2: len(PAIR_ORDERS), 3: len(TRIPLE_ORDERS)}.get(size, 1)
        for size in range(min(most_in, seats) + 1)
    )


def settled(
    table: PushFoldTable, seats: Sequence[int], strengths: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return what every seat wins, if ``seats`` are all-in with hands of these strengths.

    The results are in chips (seats,), and (seats, seats) the part of the row's last chips that the
    column's seat wins, and with them the bounty if the row's has no more. With nobody all-in the
    big blind wins. Every layer of the pot goes to the best of the hands that paid for it; what
    nobody called returns to the last who paid it. The big blind ante goes to the best of all hands.
    """
    last = len(table.stacks) - 1
    takers = np.zeros((last + 1, last + 1))
    strength = dict(zip(seats, strengths, strict=True)) if seats else {last: 0}
    paid = np.array(table.posts)
    paid[list(seats)] = np.array(table.stacks)[list(seats)]
    if last in strength and seats:
        paid[last] -= table.dead
    payoffs = -paid
    payoffs[last] -= table.dead
    ahead = [seat for seat in strength if strength[seat] == max(strength.values())]
    payoffs[ahead] += table.dead / len(ahead)
    below = 0.0
    for level in np.unique(paid[paid > 0]):
        payers = np.flatnonzero(paid >= level)
        live = [seat for seat in payers.tolist() if seat in strength] or [int(payers[-1])]
        best = max(strength.get(seat, 0) for seat in live)
        winners = [seat for seat in live if strength.get(seat, 0) == best]
        payoffs[winners] += (level - below) * len(payers) / len(winners)
        takers[payers] = np.isin(np.arange(last + 1), winners) / len(winners)
        below = float(level)
    return payoffs, takers


# Showdowns of two and three ranges before the flop, by classes of holdings.
#
# Two hands meet with exact probabilities, three with those of `rank_tables`; both with the
# cards that the players take from each other.


@cache
def given_own_class() -> Floats:
    """Return (169, 169) the probability of the column's class given the row's."""
    boards = classes_matrix().boards
    share: Floats = boards / boards.sum(axis=1, keepdims=True)
    return share


@cache
def class_probabilities() -> Floats:
    """Return (169,) the probability of each class."""
    boards = classes_matrix().boards.sum(axis=1)
    share: Floats = boards / boards.sum()
    return share


@cache
def pair_orders() -> Floats:
    """Return (3, 169, 169): the column's class and the row's win, tie or loss, given the row's."""
    counts = classes_matrix()
    own = counts.boards.sum(axis=1, keepdims=True)
    orders: Floats = np.array([counts.wins / own, counts.ties / own, counts.wins.T / own])
    return orders


def order_code(strengths: tuple[int, int, int]) -> int:
    """Return the number of three strengths' order.

    >>> order_code((7, 7, 2)), order_code((1, 9, 5))
    (10, 7)
    """
    first, second, third = strengths
    low, high = min(first, second), max(first, second)
    if first == second:
        return 10 + (third >= low) + (third > low)
    place = (third >= low) + (third > low) + (third >= high) + (third > high)
    return (0 if first > second else 5) + place


@cache
def _codes() -> npt.NDArray[np.int64]:
    """Return (6, 13): the order of players, given that of ascending classes, by permutation."""
    codes = np.empty((6, ORDERS), dtype=np.int64)
    for lowest, middle, top in permutations(range(3)):
        for code, strengths in enumerate(TRIPLE_ORDERS):
            player = dict(zip((lowest, middle, top), strengths, strict=True))
            codes[2 * lowest + (middle > top), code] = order_code((player[0], player[1], player[2]))
    return codes


@cache
def _triples() -> npt.NDArray[np.float32]:
    """Return (818805, 16) the joint probability of three ascending classes and each order."""
    counts = open_arrays(["preflop_triples"])["preflop_triples"]
    boards = counts[:, :ORDERS].sum(axis=1, dtype=np.float64)
    scale = counts[:, JOINT] / np.maximum(boards, 1.0)
    table = np.zeros((len(counts), ORDER_WIDTH), dtype=np.float32)
    np.multiply(counts[:, :ORDERS], scale[:, np.newaxis] / 1e9, out=table[:, :ORDERS])
    return table


def open_triples(progress: Progress | None = None) -> None:
    """Build the table of three classes if it is missing (takes half a minute, once)."""
    open_arrays(["preflop_triples"], progress=progress)


def triple_orders(hero: int, first: Floats, second: Floats) -> Floats:
    """Return (169, 13) weights of the orders, by the class of one of three players.

    ``hero`` is his place among the three, ``first`` and ``second`` (169,) how often the others
    play each class. The orders are numbered by the places of the players.
    """
    out = np.empty((CLASSES, ORDERS))
    orders_against(_triples(), row_of_pair_cached(), first, second, _codes(), hero, out)
    return out


@cache
def row_of_pair_cached() -> npt.NDArray[np.int64]:
    """Return `row_of_pair`, computed once."""
    return row_of_pair()


# Values of every choice, against strategies of all seats.


Seats = tuple[int, ...]
Node = tuple[int, Seats]
"""A decision: the seat to act, and the seats all-in before it."""
Strategy = dict[Node, Floats]
"""(169,) how often each class goes all-in, at each decision."""
_TINY = 1e-300
_RARE = 1e-9
"""Probability below which an action says nothing about the cards that are left."""


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


def nodes_of(seats: int, forced: Sequence[int] = (), most_in: int = MOST_IN) -> list[Node]:
    """Return all decisions, in the order of acting, and the places where ``forced`` seats go in.

    Nobody takes the room of a forced seat behind him.
    """
    nodes = []
    for seat in range(seats):
        room = most_in - 1 - (0 if seat in forced else sum(other > seat for other in forced))
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

    def __init__(self, table: PushFoldTable, progress: Progress | None = None) -> None:
        self.table = table
        self.count = len(table.stacks)
        self.nodes = nodes_of(self.count, table.forced, table.most_in)
        self._ends = dict(table.ends(progress))

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
        dealt = class_probabilities()
        return Values(reach, push, fold, value @ dealt, (best - value) @ dealt)

    def _play(self, strategy: Strategy) -> dict[Node, Floats]:
        """Return (seats, 169) how often a decision's seat goes all-in, given a seat's own class.

        What the others have done before says something of the cards that are left: each of them
        multiplies the probability by what his action alone would multiply it.
        """
        dealt, prior = given_own_class(), class_probabilities()
        play = {}
        for node in self.nodes:
            seat, inside = node
            all_in = dealt @ strategy[node]
            mean = float(prior @ all_in)
            factors = np.ones(self.count)
            for earlier_seat in range(seat):
                earlier = (
                    earlier_seat,
                    tuple(seat_inside for seat_inside in inside if seat_inside < earlier_seat),
                )
                if earlier not in strategy:
                    continue  # it had to fold
                range_ = strategy[earlier] if earlier_seat in inside else 1 - strategy[earlier]
                weight = float(prior @ range_)
                if weight > _RARE and mean > _RARE:
                    factors[earlier_seat] = float((prior * range_) @ all_in) / (weight * mean)
            everybody = factors.prod()
            for_seat = [everybody / factor if factor > 0 else 0.0 for factor in factors]
            play[node] = np.clip(np.outer(for_seat, all_in), 0.0, 1.0)
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
                orders = pair_orders()
                against_second = orders @ second  # (3, 169) by the first player's class
                _fill(leaf, values, against_second @ (class_probabilities() * first))
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
            node = (seat, tuple(seat_inside for seat_inside in inside if seat_inside < seat))
            if seat not in inside and node in strategy:
                folds = 1 - given_own_class() @ strategy[node]
                mean = float(class_probabilities() @ folds)
                if mean > _RARE:
                    folded *= folds / mean
        return [folded * strategy[seat, inside[:place]] for place, seat in enumerate(inside)]

    def _triple(self, strategy: Strategy, inside: Seats) -> Floats:
        values, ranges = self._ends[inside], self._ranges(strategy, inside)
        leaf = np.repeat(values[0][:, np.newaxis], CLASSES, axis=1)
        for hero, seat in enumerate(inside):
            first, second = (
                class_weights for index, class_weights in enumerate(ranges) if index != hero
            )
            weights = triple_orders(hero, first, second).T
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


# Equilibria of push/fold at a table by regret minimisation, with their exploitability.


_PURE = 1e-3
"""Frequencies nearer to never or always than this are what remains of early iterations."""


@dataclass(frozen=True, slots=True, eq=False)
class TableCheck:
    """A point of the convergence curve."""

    iterations: int
    worst: float
    """Largest gain of a best response among the seats."""


@dataclass(frozen=True, slots=True, eq=False)
class TableSolution(HasTable):
    """An equilibrium, or an interrupted solver's approximation of one.

    Values are prizes and bounties in the unit of the payouts or, without them, big blinds.
    """

    table: PushFoldTable
    strategy: Strategy
    """How often each class goes all-in: a push, or a call behind a push."""
    values: Values
    iterations: int
    took_s: float
    curve: tuple[TableCheck, ...]
    finished: bool
    """False if it was interrupted."""

    @property
    def exploitability(self) -> float:
        """Gain of a best response, averaged over the seats."""
        return float(self.values.gains.mean())

    @property
    def worst(self) -> float:
        """Largest gain of a best response among the seats."""
        return float(self.values.gains.max())

    @property
    def discrepancy(self) -> float:
        """Sum of the values of all seats, which would be zero if no card were approximate."""
        return float(self.values.seats.sum())

    @property
    def crowded(self) -> float:
        """Return how often somebody must fold because no more players may go all-in."""
        last = len(self.table.stacks) - 1
        return sum(
            self.reached(node) * self.share(node)
            for node in self.strategy
            if len(node[1]) == self.table.most_in - 1 and node[0] < last
        )

    def reached(self, node: Node) -> float:
        """Return how often a decision arises; 0 where it is unreachable."""
        reach = self.values.reach.get(node)
        return 0.0 if reach is None else float(reach @ class_probabilities())

    def share(self, node: Node) -> float:
        """Return the share of holdings that go all-in at a decision."""
        return float(self.strategy[node] @ class_probabilities())

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each decision and class: frequency, and value of both choices."""
        import polars as pl

        seats = self.table.seats
        return pl.concat(
            pl.DataFrame(
                {
                    "seat": seats[seat],
                    "behind": " ".join(seats[other_seat] for other_seat in inside),
                    "hand": CLASS_NAMES,
                    "all_in": self.strategy[seat, inside],
                    "all_in_value": self.values.push[seat, inside],
                    "fold_value": self.values.fold[seat, inside],
                }
            )
            for seat, inside in self.strategy
        )


@checked
def solve_pushfold_table(
    table: PushFoldTable,
    *,
    tolerance: float = TABLE_TOLERANCE,
    most: int = TABLE_ITERATIONS,
    progress: Progress | None = None,
) -> TableSolution:
    """Iterate until no seat gains more than ``tolerance`` of all prizes or chips.

    The method is predictive CFR+ (`railbird.solve.CfrVariant`) for all seats at once. With more
    than two players there may be several equilibria, and regret minimisation need not find one:
    only the gain of the best responses shows that it has. A `KeyboardInterrupt` after the first
    check ends the iterations, not the call.

    >>> solution = solve_pushfold_table(PushFoldTable(stacks=(10, 10)))
    >>> f"{solution.values.seats[0]:.4f} {solution.share((0, ())):.1%}"
    '-0.0454 58.3%'
    """
    check_goal("tolerance", tolerance)
    if most < 1:
        raise BadInput(f"{most} iterations; allowed: 1 or more")
    start = time.perf_counter()
    if len(table.stacks) > 2 and table.most_in > 2:
        open_triples(progress)
    solver = _Solver(Evaluator(table, progress))
    curve: list[TableCheck] = []
    latest: list[tuple[Strategy, Values]] = []
    finished = False
    try:
        while not finished:
            solver.run(min(max(_FIRST, solver.iterations // 3), most - solver.iterations))
            strategy = solver.average()
            values = solver.evaluator.values(strategy)
            latest[:] = [(strategy, values)]
            curve.append(TableCheck(solver.iterations, float(values.gains.max())))
            gap = curve[-1].worst / table.whole
            finished = gap <= tolerance or solver.iterations >= most
            if progress is not None:
                progress(solver.iterations, 0, f"solving, a best response gains {gap:.1e}")
    except KeyboardInterrupt:
        if not curve:
            raise
    [(strategy, values)] = latest
    return TableSolution(
        table=table,
        strategy=strategy,
        values=values,
        iterations=curve[-1].iterations,
        took_s=time.perf_counter() - start,
        curve=tuple(curve),
        finished=finished,
    )


@checked
def future_equities(table: PushFoldTable, *, progress: Progress | None = None) -> Floats:
    """Return the worth of the stacks before a hand, (seats,), counting the hands to come.

    This is future game simulation. It counts the blinds, the antes and the order of acting for the
    hands looked ahead. Each hand is an equilibrium of push/fold, in which a stack is worth what the
    next hand makes of it; after the last hand, the independent chip model gives its worth. The
    blinds keep their size and move on to the next player with chips. ``table`` is the first of
    these hands, and `PushFoldTable.future_hands` the number of the others, in which at most two
    players go all-in.

    The answer is in the unit of the payouts. It adds up to all prizes and bounties, except for the
    `discrepancy` of the solutions. Raises the errors of `PushFoldTable` and
    `solve_pushfold_table`.

    >>> table = PushFoldTable(stacks=(10, 10), payouts=(100, 0))
    >>> future_equities(table).round(3).tolist()
    [49.773, 50.227]
    """
    solution = solve_pushfold_table(table, tolerance=FUTURE_TOLERANCE, progress=progress)
    if not solution.finished:
        raise KeyboardInterrupt
    return table.equities + solution.values.seats


_FIRST = 16
"""Iterations before exploitability is computed for the first time."""
_REFRESH = 4
"""Showdowns of three are valued again after this part of the iterations, by the average strategy:
they change little, and take nearly all the time. Every check values them anew."""


class _Solver:
    """The tables of regrets; `run` resumes where it stopped."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.iterations = 0
        forced = evaluator.table.forced
        self._current = {
            node: np.ones(CLASSES) if node[0] in forced else _best_classes(*_STARTS[len(node[1])])
            for node in evaluator.nodes
        }
        self._regrets = {node: np.zeros((2, CLASSES)) for node in evaluator.nodes}
        self._sums = {node: np.zeros(CLASSES) for node in evaluator.nodes}
        self._weights = 0.0
        self._triples: dict[Seats, Floats] = {}
        self._refresh = 0.0

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        for t in range(self.iterations + 1, self.iterations + iterations + 1):
            if t >= self._refresh:
                rough = self._current if t < _REFRESH else self.average(max(_PURE, 0.5 / t))
                self._triples = self.evaluator.triples(rough)
                self._refresh = t + max(1, t // _REFRESH)
            values = self.evaluator.values(self._current, self._triples)
            self._weights += t * t
            for node, current in self._current.items():
                self._sums[node] += t * t * current
                if node[0] in self.evaluator.table.forced:
                    continue
                push, fold = values.push[node], values.fold[node]
                gain = (push - fold) * values.reach[node]
                instant = np.array([-current * gain, (1 - current) * gain])
                regrets = np.maximum(self._regrets[node] + instant, 0.0)
                predicted = np.maximum(regrets + instant, 0.0)
                total = predicted.sum(axis=0)
                self._regrets[node] = regrets
                self._current[node] = np.divide(
                    predicted[1], total, out=current.copy(), where=total > 0
                )
            self.iterations = t

    def average(self, pure: float = _PURE) -> Strategy:
        """Return the average strategy, with frequencies near 0 and 1 rounded to these."""
        averages = {node: total / self._weights for node, total in self._sums.items()}
        return {
            node: np.where(
                frequencies < pure, 0.0, np.where(frequencies > 1 - pure, 1.0, frequencies)
            )
            for node, frequencies in averages.items()
        }


_STARTS = ((0.3,), (0.12,), (0.06,))
"""Shares of holdings all-in at the start, by the number all-in before: near what ranges become, as
wide ones take long to value."""


def _best_classes(share: float) -> Floats:
    """Return (169,) 1 for the classes with the most equity against any hand, up to a share."""
    wins, ties, _ = pair_orders()
    by_equity = np.argsort(-(wins + ties / 2).sum(axis=1))
    chosen = by_equity[np.cumsum(class_probabilities()[by_equity]) <= share]
    played = np.zeros(CLASSES)
    played[chosen] = 1.0
    return played
