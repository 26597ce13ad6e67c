"""The values of hands at the beginning of a street in a heads-up no-limit blueprint.

`railbird.solve.limit.pair_values` values strategies for heads-up limit.

Both players are assumed to continue by the blueprint. Then, for each betting sequence that leads to
a flop, a turn or a river, the value of a pair of holdings is about a constant plus a multiple of
its *edge*: how much more often the first holding would win a showdown than lose it if nobody bet
any more. The line is fitted by least squares over random deals, on each of which all betting is
followed; a deal is weighted by the probability that both players get there with their buckets. The
mean of the edge over the next card equals the edge before it, so for such a line the luck of a card
has mean zero exactly.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._files import kept_arrays, locked, write_arrays
from railbird.cards import HOLDING_INDEX
from railbird.game.rules import BOARD_CARDS
from railbird.progress import Progress, said
from railbird.solve.abstraction.card_abstraction import CardAbstraction, States
from railbird.solve.external_sampling import Deals, Forest
from railbird.solve.nolimit.kernels import deal_edges, follow_deals, sum_turn_values
from railbird.solve.nolimit.strategy import Depth, NoLimitStrategy

Floats = npt.NDArray[np.float64]

DEALS: Final = 20_000
"""Deals to which the lines of each stack are fitted."""
_DEALS_A_STEP: Final = 1_000
_PRIOR: Final = 10.0
"""Weight, in deals, of the prior that nobody bets any more."""
_LATER_STREETS: Final = 3

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ValueLines:
    """The lines of a stack, as the big blind's winnings in chips of the blueprint."""

    by_street: tuple[Floats, ...]
    """(roots, 2) constants and slopes, by street from the flop on."""


def fit_lines(sums: Floats, stakes: Floats) -> Floats:
    """Return (roots, 2) constants and slopes from the sums of `follow_deals`.

    ``stakes`` (roots,) are the chips that each player has put in: the slope if nobody bets any
    more. That line is the prior: it weighs as much as `_PRIOR` deals of usual weight, and is the
    result for roots that no deal reaches.
    """
    weight, x, xx, won, xwon, squares = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        # The sum of squared weights over the sum of weights is the weight of a usual deal.
        prior = np.where(weight > 0, _PRIOR * squares / weight, 1.0)
    weight, xx, xwon = weight + prior, xx + prior, xwon + prior * stakes
    across = weight * xx - x * x
    slope = (weight * xwon - x * won) / across
    return np.stack([(won - slope * x) / weight, slope], axis=1)


def arrays_of(forests: Sequence[Forest]) -> tuple[tuple[npt.NDArray[np.int32], ...], ...]:
    """Return the betting's arrays for the kernels: for each kind of array, that of every street."""
    return tuple(zip(*forests, strict=True))


def find_lines(
    depth: Depth, abstraction: CardAbstraction, *, deals: int = DEALS, seed: int = 0
) -> ValueLines:
    """Fit the lines of a stack to random deals, which the seed determines."""
    forests = depth.tree.forests
    stakes = [
        np.array([depth.tree.decisions[street][first].paid[0] for first in forest.root[:-1]])
        for street, forest in enumerate(forests)
    ][1:]
    sums = tuple(np.zeros((len(stake), 6)) for stake in stakes)
    rng = np.random.default_rng([seed, depth.stack])
    for begin in range(0, deals, _DEALS_A_STEP):
        count = min(_DEALS_A_STEP, deals - begin)
        decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (count, 1)), axis=1)
        edges = np.empty((count, _LATER_STREETS))
        deal_edges(decks, edges)
        states = _states_of(decks, abstraction)
        follow_deals(arrays_of(forests), depth.tables, states, edges, sums)
    return ValueLines(tuple(map(fit_lines, sums, stakes)))


def _states_of(decks: npt.NDArray[np.uint8], abstraction: CardAbstraction) -> npt.NDArray[np.int32]:
    """Return (deals, 2, streets) the buckets of both holdings, the first four cards of a deck."""
    by_deal = np.empty((len(decks), 2, len(BOARD_CARDS)), dtype=np.int32)
    own = HOLDING_INDEX[decks[:, [0, 2]], decks[:, [1, 3]]]
    for deal, deck in enumerate(decks):
        states: States | None = None
        for street, cards in enumerate(BOARD_CARDS):
            states = abstraction.next_states(deck[4 : 4 + cards], states)
            by_deal[deal, :, street] = states[own[deal]]
    return by_deal


@dataclass(frozen=True, eq=False)
class BlueprintValues:
    """A blueprint, and the lines of each of its stacks."""

    strategy: NoLimitStrategy
    lines: Sequence[ValueLines]

    def line(self, depth: Depth, street: int, first: int) -> tuple[float, float]:
        """Return the constant and the slope at the beginning of a street.

        They give the big blind's winnings in chips of the blueprint. ``first`` is the number of the
        first action of the street's first decision.
        """
        forest = depth.tree.forests[street]
        node = int(np.searchsorted(forest.first, first))
        root = int(np.searchsorted(forest.root, node))
        index = next(n for n, candidate in enumerate(self.strategy.depths) if candidate is depth)
        constant, slope = self.lines[index].by_street[street - 1][root]
        return float(constant), float(slope)


@lru_cache(maxsize=4)
def blueprint_values(strategy: NoLimitStrategy) -> BlueprintValues:
    """Return the lines of a blueprint, from the cache folder or computed now.

    Computing them takes some seconds for each stack.
    """
    path = _paths.cache_folder() / "strategies" / f"lines-{strategy.hash[:16]}-{DEALS}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    names = [
        [f"{depth.stack}-{later}" for later in range(_LATER_STREETS)] for depth in strategy.depths
    ]
    with locked(path.with_suffix(".lock")):
        arrays = kept_arrays(path, *chain.from_iterable(names))
        if arrays is None:
            _LOG.warning("finding what the hands of a blueprint are worth, once")
            arrays = _found(strategy, said(_LOG, "values of the blueprint"))
            write_arrays(path, arrays)
    lines = [ValueLines(tuple(arrays[name] for name in of_depth)) for of_depth in names]
    return BlueprintValues(strategy, lines)


def _found(strategy: NoLimitStrategy, progress: Progress) -> dict[str, Floats]:
    arrays: dict[str, Floats] = {}
    for number, depth in enumerate(strategy.depths):
        progress(number, len(strategy.depths), "stacks")
        lines = find_lines(depth, strategy.abstraction, deals=DEALS)
        arrays |= {
            f"{depth.stack}-{later}": street_lines
            for later, street_lines in enumerate(lines.by_street)
        }
    progress(len(strategy.depths), len(strategy.depths), "stacks")
    return arrays


# The values of buckets at the beginning of the turn, for solving the rest of a hand during play.
#
# These are counterfactual values: what a bucket's holdings win on average if they get there, over
# all that the other player may hold there by the blueprint, if both continue by the blueprint. They
# are the alternatives of safe solving (Moravcik and others, "Refining subgames in large imperfect
# information games", 2016).


TURN_DEALS: Final = 10_000_000
"""Deals from which the values of each stack are estimated."""
_TURN: Final = 2


class TurnValues:
    """Estimates the turn's values from deals; `sums` and `strengths` are its whole state."""

    def __init__(
        self,
        depth: Depth,
        states: Sequence[int],
        deal: Callable[[np.random.Generator, int], Deals],
        *,
        seed: int,
    ) -> None:
        """Prepare for a whole strategy. ``deal`` draws deals in its buckets, ``states`` of them."""
        self._depth, self._deal, self._seed = depth, deal, seed
        self._forests = depth.tree.forests
        roots, buckets = len(self._forests[_TURN].root) - 1, states[_TURN]
        self.deals = 0
        self.sums = np.zeros((2, roots, buckets, 3))
        """See `sum_turn_values`."""
        self.strengths = np.zeros((buckets, 2))

    def add(self, deals: int) -> None:
        """Follow more deals; the seed and the number of earlier deals determine them."""
        rng = np.random.default_rng([self._seed, self._depth.stack, self.deals])
        states, results = self._deal(rng, deals)
        sum_turn_values(
            arrays_of(self._forests),
            self._depth.tables,
            states,
            results,
            self.sums,
            self.strengths,
        )
        self.deals += deals

    def values(self) -> Floats:
        """Return (2, roots, buckets) each seat's winnings in chips.

        A value is the mean over the bucket's deals, shrunk towards a line in the bucket's strength
        that is fitted to all buckets of the root and weighs as much as `_PRIOR` deals. With few
        deals a bucket's own mean would be mostly luck.
        """
        counts, results = self.strengths.T
        strength = np.divide(results, counts, out=np.zeros_like(counts), where=counts > 0)
        forest = self._forests[_TURN]
        nodes = self._depth.tree.decisions[_TURN]
        stakes = np.array([nodes[first].paid[0] for first in forest.root[:-1]], np.float64)
        weight, won, squares = np.moveaxis(self.sums, -1, 0)
        by_seat = []
        for seat in range(2):
            w, v = weight[seat], won[seat]
            sums = np.stack(
                [
                    w.sum(axis=1),
                    w @ strength,
                    w @ strength**2,
                    v.sum(axis=1),
                    v @ strength,
                    squares[seat].sum(axis=1),
                ],
                axis=1,
            )
            constant, slope = fit_lines(sums, stakes).T
            line = constant[:, None] + slope[:, None] * strength
            total = sums[:, :1]
            prior = _PRIOR * np.divide(
                squares[seat].sum(axis=1, keepdims=True),
                total,
                out=np.ones_like(total),
                where=total > 0,
            )
            by_seat.append((v + prior * line) / (w + prior))
        return np.stack(by_seat)
