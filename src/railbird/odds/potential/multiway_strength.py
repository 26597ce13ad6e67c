"""Exact strength against two opponents, with no card in two hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import (
    HOLDING_CARDS,
    Card,
    CardsLike,
    Holding,
    HoldingLike,
    cards_of,
    strengths,
)
from railbird.errors import BadInput
from railbird.odds._checks import WeightsLike, known_cards, weights_from


@checked
def joint_hand_strength(
    hole: HoldingLike,
    board: CardsLike,
    first: WeightsLike,
    second: WeightsLike,
    third: WeightsLike | None = None,
) -> float:
    """Return the probability of being ahead of two or three opponents with weights (1326,).

    A tie with one of them counts half. The sum over pairs of holdings without a common card is
    computed as the sum over all pairs less those that share a card, which takes 52 products instead
    of a million; with a third opponent, once for each of its holdings.

    Raises `BadInput` before the flop, and if the known cards leave them no holdings.

    >>> f"{joint_hand_strength('AdQc', '3h4cJh', 'random', 'random'):.4f}"
    '0.3350'
    """
    holding, board = known_cards(hole, board)
    known = [*cards_of(holding), *board]
    if len(board) < 3:
        raise BadInput("hand strength before the flop is not defined; allowed: boards of 3 to 5")
    free = np.flatnonzero(~np.isin(HOLDING_CARDS, known).any(axis=1))
    ahead = _standing(holding, board, free)
    given = (first, second) if third is None else (first, second, third)
    arrays = [weights_from(weights).astype(np.float64)[free] for weights in given]
    disjoint = _disjoint if third is None else _disjoint_of_three
    whole = disjoint(free, *arrays)
    if not whole > 0:
        number = "two" if third is None else "three"
        raise BadInput(f"the known cards leave {number} opponents no holdings of these ranges")
    return disjoint(free, *(array * ahead for array in arrays)) / whole


def _standing(
    hole: Holding, board: Sequence[Card], free: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return 1, 1/2 or 0 for being ahead of, tied with or behind each free holding."""
    hands = np.empty((free.size + 1, 2 + len(board)), np.uint8)
    hands[:-1, :2] = HOLDING_CARDS[free]
    hands[-1, :2] = HOLDING_CARDS[hole]
    hands[:, 2:] = board
    all_strengths = strengths(hands).astype(np.int64)
    standing: npt.NDArray[np.float64] = (np.sign(all_strengths[-1] - all_strengths[:-1]) + 1) / 2
    return standing


def _disjoint(
    free: npt.NDArray[np.int64], one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]
) -> float:
    """Return the sum of the products over all pairs of holdings without a common card.

    A pair that shares one card is subtracted with that card, but a holding paired with itself is
    subtracted with both its cards, once too often.
    """
    cards = HOLDING_CARDS[free]
    by_card = [
        sum(np.bincount(cards[:, side], weights, minlength=52) for side in range(2))
        for weights in (one, other)
    ]
    shared = float(np.dot(by_card[0], by_card[1])) - float(one @ other)
    return float(one.sum() * other.sum()) - shared


def _disjoint_of_three(
    free: npt.NDArray[np.int64],
    one: npt.NDArray[np.float64],
    other: npt.NDArray[np.float64],
    last: npt.NDArray[np.float64],
) -> float:
    """Return the sum of the products over all triples of holdings without a common card.

    With each holding of the first goes the sum over pairs of the others without its cards, as in
    `_disjoint`.
    """
    x, y = HOLDING_CARDS[free].T
    rows, sums = np.arange(free.size), []
    by_card = []
    for weights in (other, last, other * last):
        pairs = np.zeros((52, 52))
        pairs[x, y] = pairs[y, x] = weights
        cards = pairs.sum(axis=0)
        sums.append(weights.sum() - cards[x] - cards[y] + weights)
        left = cards - pairs[x] - pairs[y]
        left[rows, x] = left[rows, y] = 0.0
        by_card.append(left)
    shared = (by_card[0] * by_card[1]).sum(axis=1) - sums[2]
    return float(one @ (sums[0] * sums[1] - shared))
