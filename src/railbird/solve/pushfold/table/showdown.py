"""Showdowns of two and three ranges before the flop, by classes of holdings.

Two hands meet with exact probabilities, three with those of `preflop_triples`; both with the cards
that the players take from each other.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASSES
from railbird.odds import classes_matrix
from railbird.odds.equity._kernels_preflop_triples import JOINT, ORDERS
from railbird.odds.equity.preflop_triples import row_of_pair
from railbird.odds.tables.rank_tables import open_arrays
from railbird.progress import Progress
from railbird.solve.pushfold.table._kernels_showdown import WIDTH, orders_against
from railbird.solve.pushfold.table.game import TRIPLE_ORDERS

Floats = npt.NDArray[np.float64]


@cache
def dealt() -> Floats:
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
    one, two, third = strengths
    low, high = min(one, two), max(one, two)
    if one == two:
        return 10 + (third >= low) + (third > low)
    place = (third >= low) + (third > low) + (third >= high) + (third > high)
    return (0 if one > two else 5) + place


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
    table = np.zeros((len(counts), WIDTH), dtype=np.float32)
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
