"""Solves the rest of a heads-up limit hand, without an abstraction, from both players' ranges.

The rest of a hand is a spot (`railbird.solve.spot`) with the bets of limit. Gilpin and Sandholm,
"Better automated abstraction techniques for imperfect information games, with application to Texas
Hold'em poker" (2007), solved turn and river in this way during play. The ranges are assumed to be
those of the strategy played so far; an opponent who plays otherwise may gain by that.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import HOLDINGS, Card, Range
from railbird.errors import BadInput
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit.betting_tree import BettingTree, LimitBetting, limit_tree
from railbird.solve.spot import BetSizes, Spot, solve_spot

Ranges = npt.NDArray[np.float64]
"""(2, 1326) each player's reach of a public state by its holdings."""

_TURN_CARDS, _RIVER_CARDS = 4, 5
_FLOP = 1


@dataclass(frozen=True, slots=True, eq=False)
class Subgame:
    """Both players' strategies on the first street of the rest of a hand."""

    tree: BettingTree
    """Betting of the streets that were left; amounts are in the chips of the whole game."""
    iterations: int
    gap_percent: float
    """Gain of a best response, averaged over the players, in per cent of the pot."""
    table: npt.NDArray[np.float32]
    """(1326, lanes) probabilities on the first street."""

    def shares(self, node: int) -> npt.NDArray[np.float64]:
        """Return (1326, actions) the strategy of all holdings at a decision of the first street."""
        first, last = self.tree.rounds[0].first_slot[node : node + 2]
        mix: npt.NDArray[np.float64] = self.table[:, first:last].astype(np.float64)
        return mix


def rest_of(tree: BettingTree, street: int, sequence: int) -> BettingTree:
    """Return the betting from a street on, after the betting sequence that led to it."""
    betting = tree.betting
    return limit_tree(
        LimitBetting(
            posts=(0, 0),
            bet_sizes=betting.bet_sizes[street:],
            most_raises=betting.most_raises[street:],
            first=betting.first[street:],
            ante=int(tree.rounds[street].before[sequence]),
        )
    )


@checked
def solve_subgame(
    tree: BettingTree,
    board: npt.NDArray[np.uint8],
    ranges: Ranges,
    *,
    sequence: int,
    gap_percent: float,
    iterations: int,
) -> Subgame:
    """Solve the turn and the river, or the river alone, after a betting sequence of the whole game.

    Solving ends at a gap of ``gap_percent`` of the pot, or after ``iterations``. ``board`` has four
    or five cards, in the order of dealing. Raises `BadInput` for another board, for no iterations,
    for a player without a holding that the board allows, and for betting in which different seats
    act first on turn and river.
    """
    if len(board) not in (_TURN_CARDS, _RIVER_CARDS):
        raise BadInput(f"a board of {len(board)} cards; allowed: 4, 5")
    allowed = ranges * ~is_blocked(board)
    most = allowed.max(axis=1, keepdims=True)
    if not (most > 0).all():
        raise BadInput("a range without a holding that the board allows; allowed: one or more")
    rest = rest_of(tree, len(board) - 2, sequence)
    if len(set(rest.betting.first)) > 1:
        raise BadInput("betting in which another seat begins on the river")
    first = rest.betting.first[0]
    weights = allowed / most
    spot = Spot(
        board=tuple(Card(int(card)) for card in board),
        ranges=(Range(weights[first]), Range(weights[1 - first])),
        **_betting(rest.betting, len(board) - 2 - _FLOP),
    )
    solution = solve_spot(spot, gap_percent=gap_percent, iterations=iterations, threads=1)
    betting_round = rest.rounds[0]
    table = np.zeros((HOLDINGS, betting_round.lanes), dtype=np.float32)
    waiting = [(0, solution.start())]
    while waiting:  # both trees have the same actions in the same order
        node, point = waiting.pop()
        start, end = betting_round.first_slot[node : node + 2].tolist()
        mix = solution.strategy(point)
        table[:, start:end] = np.where(np.isnan(mix), 1 / (end - start), mix)
        waiting += [
            (child, point.after(number))
            for number, child in enumerate(betting_round.child[start:end].tolist())
            if child >= 0
        ]
    return Subgame(rest, solution.iterations, solution.gap_percent_of_pot, table)


def _betting(betting: LimitBetting, street: int) -> dict[str, Any]:
    """Return limit betting as fields of a spot: one size, a cap, stacks that never run out."""
    none = BetSizes()
    sizes = [none] * street
    for bet, most in zip(betting.bet_sizes, betting.most_raises, strict=True):
        raises = f"{bet}c{most - 1}r" if most > 1 else ""
        sizes.append(BetSizes.parse(f"{bet}c", raises) if most else none)
    most_chips = sum(map(operator.mul, betting.bet_sizes, betting.most_raises))
    return {
        "pot": 2 * betting.ante,
        "stack": most_chips + 1,
        "sizes": tuple((street_sizes, street_sizes) for street_sizes in sizes),
    }
