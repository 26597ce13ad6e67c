"""Push/fold at a table of two to nine: the game, its showdowns, its values and its equilibria.

`pushfold` solves it for two players.

A player's decision depends on which players are all-in before him and on the class of his holding:
it is an array of 169 numbers for each set of earlier seats. Once `MOST_IN` players are all-in,
everybody else folds.

Every action changes which cards are likely to be left. For the two or three hands that meet at
showdown this card removal is exact. For the others it is counted in pairs: each earlier action
multiplies the probability of another player's class or action by the factor that this one action
would have. With two players nothing is approximate. With more, the values of all seats should add
up to the amount played for. The difference (`TableSolution.discrepancy`) shows how good the
approximation is; if folded hands were ignored it would be ten times larger.
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


# Push/fold at a table: who is all-in, what the pots pay, and what the stacks are worth afterwards.
#
# Each player in turn goes all-in or folds. Amounts are in big blinds unless the blinds say
# otherwise; a stack includes the blind and the ante posted from it. A player whose post takes the
# whole stack is all-in without a decision.


_FAR = 9
"""Number of future hands at which every table exceeds `MOST_FUTURE_HANDS`."""

PAIR_ORDERS = ((1, 0), (0, 0), (0, 1))
"""Example strengths of two hands for each order: the first wins, they tie, the second wins."""
TRIPLE_ORDERS = (
    *((3, 1, third) for third in range(5)),
    *((1, 3, third) for third in range(5)),
    *((2, 2, third) for third in (1, 2, 3)),
)
"""Example strengths of three hands for each order, as `railbird.odds.rank_tables` numbers them."""


class _NobodyDecides(BadInput):
    """So many seats are all-in by their posts that no other seat could join them."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class PushFoldTable:
    """The stakes of one hand at a table.

    Raises `BadInput` for impossible amounts, and if posts alone put so many seats all-in that
    ``most_in`` leaves no room for another.
    """

    stacks: tuple[float, ...]
    """Stacks in the order of acting: the small blind last but one, the big blind last."""
    payouts: tuple[float, ...] | None = None
    """Prizes from the first place on; None to play for chips."""
    blinds: tuple[float, float] = (0.5, 1.0)
    ante: float = 0.0
    """The ante that each player posts."""
    big_blind_ante: float = 0.0
    """An ante that the big blind posts for everybody; nobody else has to match it."""
    bounties: Bounties | None = None
    """Bounties on the players, in the unit of the payouts."""
    most_in: int = MOST_IN
    """The largest number of players all-in, 2 or 3; after that everybody folds."""
    future_hands: int = 0
    """Hands looked ahead to value the stacks after this one; see `future_equities`."""

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
        """Blind and ante that each seat can pay from its stack; see also `dead`."""
        small, big = self.blinds
        blinds = [0.0] * (len(self.stacks) - 2) + [small, big]
        posted = zip(blinds, self.stacks, strict=True)
        return tuple(min(blind + self.ante, stack) for blind, stack in posted)

    @property
    def dead(self) -> float:
        """The part of the big blind ante that the stack can pay after the blind."""
        return min(self.big_blind_ante, self.stacks[-1] - self.posts[-1])

    @property
    def forced(self) -> tuple[int, ...]:
        """The seats that are all-in by their posts and have no decision."""
        left = [stack - post for stack, post in zip(self.stacks, self.posts, strict=True)]
        left[-1] -= self.dead
        return tuple(seat for seat, chips in enumerate(left) if chips <= 0)

    @property
    def equities(self) -> Floats:
        """What the stacks are worth before the hand, (seats,): prize equities, or big blinds."""
        stacks = np.array(self.stacks)
        if self.payouts is None:
            return stacks / self.blinds[1]
        return self.worth(stacks, self.bounties)

    def worth(self, stacks: Floats, bounties: Bounties | None) -> Floats:
        """Return the prize and bounty equities of stacks, (seats,)."""
        worth = prize_equities(stacks.tolist(), self.payouts or (), had=self.stacks)
        return worth if bounties is None else worth + bounty_equities(stacks.tolist(), bounties)

    @property
    def unit(self) -> str:
        """The unit of all values: "prize" for the payouts' unit, or "bb"."""
        return "bb" if self.payouts is None else "prize"

    @property
    def whole(self) -> float:
        """The total played for: prizes and bounties, or all chips in big blinds."""
        return float(self.equities.sum())

    def values(self, payoffs: Floats, takers: Floats) -> Floats:
        """Return what a hand wins for each seat, (seats,), in prizes and bounties or in big blinds.

        ``payoffs`` are chips (seats,). ``takers`` (seats, seats) is the share of the row's last
        chips that the column's seat wins; it gets the same share of a bounty.
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
        """Return the worth of stacks after this hand, (seats,), counting the hands to come."""
        worth, following = self.worth(stacks, bounties), self._next(stacks, bounties)
        if following is not None:
            seats, table = following
            # Seats that are out keep the prize that `worth` gave them.
            worth[seats] = future_equities(table)
        return worth

    def _next(
        self, stacks: Floats, bounties: Bounties | None
    ) -> tuple[list[int], PushFoldTable] | None:
        """Return the next hand, and the seat of this hand that each of its seats was.

        The big blind moves to the next player with chips, the small blind to the player before him.
        Returns None if one player has all chips, or if too many are all-in by their posts.
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
        # Future hands allow two players all-in: three would multiply the hands to solve, and the
        # worth of a stack hardly depends on them. Two forced seats need room for a third player.
        return order, table if len(table.forced) > 1 else replace(table, most_in=2)

    def ends(self, progress: Progress | None = None) -> Iterator[tuple[tuple[int, ...], Floats]]:
        """Yield each set of seats that can be all-in at the end, with values (orders, seats)."""
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
        """Return whether a hand can end with these seats all-in and all others folded."""
        last = len(self.stacks) - 1
        return all(seat in seats or (seat == last and not seats) for seat in self.forced)


def _ends_of(seats: int, most_in: int) -> int:
    """Return in how many ways a hand can change the stacks, with up to ``most_in`` all-in."""
    return sum(
        math.comb(seats, size) * {2: len(PAIR_ORDERS), 3: len(TRIPLE_ORDERS)}.get(size, 1)
        for size in range(min(most_in, seats) + 1)
    )


def settled(
    table: PushFoldTable, seats: Sequence[int], strengths: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return what every seat wins if ``seats`` are all-in with hands of these strengths.

    The results are winnings in chips (seats,), and (seats, seats) the share of the row's last chips
    that the column's seat wins; if the row's seat has nothing left, its bounty is shared likewise.
    If nobody is all-in, the big blind wins. Each layer of the pot goes to the best of the hands
    that paid for it, and what nobody called returns to the last player who paid it. The big blind
    ante goes to the best of all hands.
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
    # From the lowest layer up, so that `takers` ends with the layer in which a seat's last chips
    # lie.
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
# The probabilities of two classes are exact, those of three come from `rank_tables`; both count the
# cards that the players take from each other.


@cache
def given_own_class() -> Floats:
    """Return (169, 169) the probability of the column's class, given the row's."""
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
    """Return (3, 169, 169) how likely the column's class and a win, tie or loss are, by row."""
    counts = classes_matrix()
    own = counts.boards.sum(axis=1, keepdims=True)
    orders: Floats = np.array([counts.wins / own, counts.ties / own, counts.wins.T / own])
    return orders


def order_code(strengths: tuple[int, int, int]) -> int:
    """Return the number of the order of three strengths, as in `TRIPLE_ORDERS`.

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
    """Return (6, 13) the players' order for each order of ascending classes, by permutation."""
    codes = np.empty((6, ORDERS), dtype=np.int64)
    for lowest, middle, top in permutations(range(3)):
        for code, strengths in enumerate(TRIPLE_ORDERS):
            player = dict(zip((lowest, middle, top), strengths, strict=True))
            codes[2 * lowest + (middle > top), code] = order_code((player[0], player[1], player[2]))
    return codes


@cache
def _triples() -> npt.NDArray[np.float32]:
    """Return (818805, 16) the joint probability of three ascending classes and of each order.

    Columns of zeros fill each row to `ORDER_WIDTH`, so that the kernel adds whole vectors.
    """
    counts = open_arrays(["preflop_triples"])["preflop_triples"]
    boards = counts[:, :ORDERS].sum(axis=1, dtype=np.float64)
    scale = counts[:, JOINT] / np.maximum(boards, 1.0)
    table = np.zeros((len(counts), ORDER_WIDTH), dtype=np.float32)
    np.multiply(counts[:, :ORDERS], scale[:, np.newaxis] / 1e9, out=table[:, :ORDERS])
    return table


def open_triples(progress: Progress | None = None) -> None:
    """Build the table of three classes if it is missing, which takes half a minute, once."""
    open_arrays(["preflop_triples"], progress=progress)


def triple_orders(hero: int, first: Floats, second: Floats) -> Floats:
    """Return (169, 13) the weights of the orders, by the class of one of three players.

    ``hero`` is that player's place among the three; ``first`` and ``second`` (169,) are how often
    the other two play each class. The orders are those of the players by place.
    """
    out = np.empty((CLASSES, ORDERS))
    orders_against(_triples(), row_of_pair_cached(), first, second, _codes(), hero, out)
    return out


@cache
def row_of_pair_cached() -> npt.NDArray[np.int64]:
    """Return `row_of_pair`, computed once."""
    return row_of_pair()


# The values of every choice against given strategies of all seats.


Seats = tuple[int, ...]
Node = tuple[int, Seats]
"""A decision: the seat to act, and the seats that are all-in before it."""
Strategy = dict[Node, Floats]
"""For each decision, (169,) how often each class goes all-in."""
_TINY = 1e-300
_RARE = 1e-9
"""An action that is less likely than this is taken to say nothing about the cards that are left."""


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The values of a strategy, by decision and by seat."""

    reach: dict[Node, Floats]
    """(169,) probability that the others' actions lead to the decision, given the own class."""
    push: dict[Node, Floats]
    """(169,) value of going all-in."""
    fold: dict[Node, Floats]
    """(169,) value of folding."""
    seats: Floats
    """(seats,) value of the hand."""
    gains: Floats
    """(seats,) gain of a best response."""


def nodes_of(seats: int, forced: Sequence[int] = (), most_in: int = MOST_IN) -> list[Node]:
    """Return all decisions in the order of acting, and the points at which ``forced`` seats go in.

    A player may not take the last place of a forced seat that acts later.
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
    """Values strategies at a table whose hands' ends have been valued once."""

    def __init__(self, table: PushFoldTable, progress: Progress | None = None) -> None:
        self.table = table
        self.count = len(table.stacks)
        self.nodes = nodes_of(self.count, table.forced, table.most_in)
        self._ends = dict(table.ends(progress))

    def values(self, strategy: Strategy, triples: dict[Seats, Floats] | None = None) -> Values:
        """Return the value of every choice, and of each seat's best response to all others.

        ``triples`` are the values with three players all-in, by default those of this strategy.
        """
        play = self._play(strategy)
        leaves = self._leaves(strategy) | (triples or self.triples(strategy))
        reach: dict[Node, Floats] = {}
        push: dict[Node, Floats] = {}
        fold: dict[Node, Floats] = {}

        # One walk serves all seats: a row of each array is a seat's view of the same decision,
        # given that seat's own class. The acting seat knows its class and combines push and fold by
        # its own strategy; for the others its action is a matter of probability.
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
        """Return by decision (seats, 169) how often it is all-in, given each seat's own class.

        Earlier actions say something about the cards that are left. Each earlier seat multiplies
        the probability by the factor that its action alone would have.
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
            # A seat knows its own cards exactly: `all_in` is given its class, so its own action
            # must not count once more as evidence.
            for_seat = [everybody / factor if factor > 0 else 0.0 for factor in factors]
            play[node] = np.clip(np.outer(for_seat, all_in), 0.0, 1.0)
        return play

    def _leaves(self, strategy: Strategy) -> dict[Seats, Floats]:
        """Return the values (seats, 169) of every end with up to two players all-in."""
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
        """Return the values (seats, 169) of every end with three players all-in."""
        ends = [inside for inside in self._ends if len(inside) == 3]

        def value(first: int, end: int) -> list[Floats]:
            return [self._triple(strategy, inside) for inside in ends[first:end]]

        slices = in_slices(value, len(ends), size=1, what="showdowns")
        leaves = [leaf for part in slices for leaf in part]
        return dict(zip(ends, leaves, strict=True))

    def _ranges(self, strategy: Strategy, inside: Seats) -> list[Floats]:
        """Return the weights of the classes with which seats go all-in while the others fold.

        Each fold multiplies a class's weight by how much more likely the fold is given that class.
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
    """Set the values of all seats, for all classes, to the mean over the orders."""
    if weights.sum() > _TINY:
        leaf[:] = (weights / weights.sum() @ values)[:, np.newaxis]


def _fill_own(leaf: Floats, seat: int, values: Floats, weights: Floats) -> None:
    """Set the values of one seat by its class, given weights (orders, 169)."""
    totals = weights.sum(axis=0)
    means = values[:, seat] @ weights / np.maximum(totals, _TINY)
    leaf[seat] = np.where(totals > _TINY, means, leaf[seat])


# Equilibria of push/fold at a table by regret minimisation, and their exploitability.


_PURE = 1e-3
"""Frequencies closer than this to 0 or 1 are remains of early iterations."""


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
    """How often each class goes all-in: pushes, or calls after a push."""
    values: Values
    iterations: int
    took_s: float
    curve: tuple[TableCheck, ...]
    finished: bool
    """False if the solver was interrupted."""

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
        """Sum of the values of all seats, which would be zero if all card removal were exact."""
        return float(self.values.seats.sum())

    @property
    def crowded(self) -> float:
        """How often a player must fold because no more players may go all-in."""
        last = len(self.table.stacks) - 1
        return sum(
            self.reached(node) * self.share(node)
            for node in self.strategy
            if len(node[1]) == self.table.most_in - 1 and node[0] < last
        )

    def reached(self, node: Node) -> float:
        """Return how often a decision arises, or 0 if it cannot be reached."""
        reach = self.values.reach.get(node)
        return 0.0 if reach is None else float(reach @ class_probabilities())

    def share(self, node: Node) -> float:
        """Return the share of holdings that go all-in at a decision."""
        return float(self.strategy[node] @ class_probabilities())

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each decision and class: frequency, and the values of both choices."""
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
    keep: bool = False,
) -> TableSolution:
    """Iterate until no seat can gain more than a share ``tolerance`` of all prizes or chips.

    The method is predictive CFR+ (`railbird.solve.CfrVariant`), updating all seats at once. With
    more than two players there may be several equilibria, and regret minimisation need not find
    one: only a small gain of all best responses shows that it has. With ``keep``, a
    `KeyboardInterrupt` after the first check ends the iterations, and the solution so far is
    returned; otherwise it is passed on.

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
            # One assignment, so that Ctrl-C never leaves a strategy beside the values of another.
            latest[:] = [(strategy, values)]
            curve.append(TableCheck(solver.iterations, float(values.gains.max())))
            gap = curve[-1].worst / table.whole
            finished = gap <= tolerance or solver.iterations >= most
            if progress is not None:
                progress(solver.iterations, 0, f"solving, a best response gains {gap:.1e}")
    except KeyboardInterrupt:
        if not keep or not curve:
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
    """Return what the stacks are worth before a hand, (seats,), counting the hands to come.

    This is future game simulation: blinds, antes and the order of acting count for the hands looked
    ahead. Each hand is an equilibrium of push/fold in which the worth of a stack is its value in
    the next hand; after the last hand it is given by the independent chip model. The blinds keep
    their size and move on to the next player with chips. ``table`` is the first of these hands, and
    `PushFoldTable.future_hands` the number of those after it, in which at most two players go
    all-in.

    The result is in the unit of the payouts. It adds up to all prizes and bounties, except for the
    `discrepancy` of the solutions. Raises the errors of `PushFoldTable` and `solve_pushfold_table`.

    >>> table = PushFoldTable(stacks=(10, 10), payouts=(100, 0))
    >>> future_equities(table).round(3).tolist()
    [49.773, 50.227]
    """
    solution = solve_pushfold_table(table, tolerance=FUTURE_TOLERANCE, progress=progress)
    return table.equities + solution.values.seats


_FIRST = 16
"""Iterations before exploitability is first computed."""
_REFRESH = 4
"""Showdowns of three are valued again each time the iterations grow by one part in so many.

They take nearly all the time and change little, so in between they keep the values that the average
strategy gave them. A check of exploitability always values them anew.
"""


class _Solver:
    """The regrets and the average of a table. Each call of `run` continues from the last."""

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
        """Make more iterations of predictive CFR+, with quadratic averaging."""
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
                # With two actions the regret of pushing is the gain over the current mix, (1 -
                # current) times the difference; that of folding is minus current times it.
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
        """Return the average strategy; frequencies within ``pure`` of 0 or 1 are rounded."""
        averages = {node: total / self._weights for node, total in self._sums.items()}
        return {
            node: np.where(
                frequencies < pure, 0.0, np.where(frequencies > 1 - pure, 1.0, frequencies)
            )
            for node, frequencies in averages.items()
        }


_STARTS = ((0.3,), (0.12,), (0.06,))
"""Shares of holdings that go all-in at the start, by the number of players all-in before.

They are close to what the ranges become; wide ranges would take long to value.
"""


def _best_classes(share: float) -> Floats:
    """Return (169,) 1 for the classes with the most equity against a random hand, up to a share."""
    wins, ties, _ = pair_orders()
    by_equity = np.argsort(-(wins + ties / 2).sum(axis=1))
    chosen = by_equity[np.cumsum(class_probabilities()[by_equity]) <= share]
    played = np.zeros(CLASSES)
    played[chosen] = 1.0
    return played
