"""What a heads-up no-limit blueprint's hands are worth where a street begins, by their showdowns.

`railbird.solve.limit.pair_values` has the values of strategies for heads-up limit.

Both players are assumed to continue by the blueprint. Then, at each betting sequence with which the
flop, the turn or the river may begin, the worth of a pair of holdings is about a constant plus a
multiple of its *edge*: how much more often the first would win a showdown than lose it without
further bets. The line is fitted by least squares over random deals, on each of which all betting is
followed; each deal counts by how likely both get there with their buckets. The mean of an edge over
the next card is the edge before it, so these lines give the luck of a card exactly.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._files import atomic_write, locked
from railbird.cards import HOLDING_INDEX
from railbird.game.rules import BOARD_CARDS
from railbird.progress import Progress, said
from railbird.solve.abstraction.card_abstraction import CardAbstraction, States
from railbird.solve.nolimit.kernels import deal_edges, follow_deals
from railbird.solve.nolimit.strategy import Depth, NoLimitStrategy

Floats = npt.NDArray[np.float64]

DEALS: Final = 20_000
"""Deals by which the lines of each stack are fitted."""
_DEALS_A_STEP: Final = 1_000
_PRIOR: Final = 10.0
"""Deals that say that nobody bets any more, before any has been seen."""
_LATER_STREETS: Final = 3

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ValueLines:
    """Constants and slopes of a stack, in chips of the blueprint to the big blind."""

    by_street: tuple[Floats, ...]
    """(roots, 2) from the flop on."""


def fit_lines(sums: Floats, stakes: Floats) -> Floats:
    """Return (roots, 2) constants and slopes from the sums of `follow_deals`.

    ``stakes`` (roots,) are what each has put in: what an edge of one is worth if nobody bets. It
    is what a line says where nobody comes, and weighs as much as `_PRIOR` deals of usual weight.
    """
    weight, x, xx, won, xwon, squares = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        prior = np.where(weight > 0, _PRIOR * squares / weight, 1.0)
    weight, xx, xwon = weight + prior, xx + prior, xwon + prior * stakes
    across = weight * xx - x * x
    slope = (weight * xwon - x * won) / across
    return np.stack([(won - slope * x) / weight, slope], axis=1)


def find_lines(
    depth: Depth, abstraction: CardAbstraction, *, deals: int = DEALS, seed: int = 0
) -> ValueLines:
    """Fit the lines of a stack over random deals; the seed determines them."""
    forests = depth.tree.forests
    roots, players, firsts, kinds, leads = zip(*forests, strict=True)
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
        follow_deals(roots, players, firsts, kinds, leads, depth.tables, states, edges, sums)
    return ValueLines(tuple(map(fit_lines, sums, stakes)))


def _states_of(decks: npt.NDArray[np.uint8], abstraction: CardAbstraction) -> npt.NDArray[np.int32]:
    """Return (deals, 2, streets) the buckets of both holdings, which are dealt first."""
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
        """Return the constant and the slope where a street begins with a decision, by its number.

        They are chips of the blueprint to the big blind; ``first`` is the number of its first
        action.
        """
        forest = depth.tree.forests[street]
        node = int(np.searchsorted(forest.first, first))
        root = int(np.searchsorted(forest.root, node))
        index = next(n for n, candidate in enumerate(self.strategy.depths) if candidate is depth)
        constant, slope = self.lines[index].by_street[street - 1][root]
        return float(constant), float(slope)


@lru_cache(maxsize=4)
def blueprint_values(strategy: NoLimitStrategy) -> BlueprintValues:
    """Return the lines of a blueprint, from the cache folder or found now.

    Finding them takes some seconds for each stack.
    """
    path = _paths.cache_folder() / "strategies" / f"lines-{strategy.hash[:16]}-{DEALS}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_suffix(".lock")):
        if not path.exists():
            _LOG.warning("finding what the hands of a blueprint are worth, once")
            _write(path, strategy, said(_LOG, "values of the blueprint"))
    with np.load(path) as file:
        return BlueprintValues(
            strategy,
            [
                ValueLines(tuple(file[f"{depth.stack}-{later}"] for later in range(_LATER_STREETS)))
                for depth in strategy.depths
            ],
        )


def _write(path: Path, strategy: NoLimitStrategy, progress: Progress) -> None:
    arrays: dict[str, Floats] = {}
    for number, depth in enumerate(strategy.depths):
        progress(number, len(strategy.depths), "stacks")
        lines = find_lines(depth, strategy.abstraction, deals=DEALS)
        arrays |= {
            f"{depth.stack}-{later}": street_lines
            for later, street_lines in enumerate(lines.by_street)
        }
    progress(len(strategy.depths), len(strategy.depths), "stacks")
    with atomic_write(path) as part, part.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
