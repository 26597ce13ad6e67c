"""Combination indices of boards and their classes under the 24 permutations of the suits.

A board is a set, so its index is colexicographic: for ascending cards c1 < c2 < ... it is
C(c1, 1) + C(c2, 2) + ..., a bijection onto 0 .. C(52, n) - 1 that needs no search.
"""

from __future__ import annotations

from itertools import permutations
from math import comb

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS, HOLDING_INDEX

CHOOSE = np.array([[comb(n, k) for n in range(52)] for k in range(6)], dtype=np.int32)
"""(6, 52) int32: CHOOSE[k, n] = C(n, k)."""

SUIT_PERMUTATIONS = np.array(list(permutations(range(4))), dtype=np.uint8)
"""(24, 4) uint8: the suit that each suit becomes; row 0 changes nothing."""

CARD_UNDER = np.array(
    [[card // 4 * 4 + suits[card % 4] for card in range(52)] for suits in SUIT_PERMUTATIONS],
    dtype=np.uint8,
)
"""(24, 52) uint8: the card that each card becomes under each suit permutation."""


HOLDING_UNDER = HOLDING_INDEX[
    CARD_UNDER[:, HOLDING_CARDS[:, 0]], CARD_UNDER[:, HOLDING_CARDS[:, 1]]
]
"""(24, 1326) int16: the holding that each holding becomes under each suit permutation."""

INVERSE = np.array(
    [SUIT_PERMUTATIONS.tolist().index(np.argsort(p).tolist()) for p in SUIT_PERMUTATIONS],
    dtype=np.uint8,
)
"""(24,) uint8: the number of the inverse of each permutation."""


@kernel
def index_of_3(a: int, b: int, c: int) -> int:
    """Return the combination index, 0..22099, of three different cards in any order."""
    low, b = min(a, b), max(a, b)
    b, high = min(b, c), max(b, c)
    low, mid = min(low, b), max(low, b)
    index: int = low + CHOOSE[2, mid] + CHOOSE[3, high]
    return index


@kernel
def index_of_4(a: int, b: int, c: int, d: int) -> int:
    """Return the combination index, 0..270724, of four different cards in any order."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    index: int = a + CHOOSE[2, b] + CHOOSE[3, c] + CHOOSE[4, d]
    return index


@kernel
def index_of_5(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the combination index, 0..2598959, of five different cards in any order."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    d, e = min(d, e), max(d, e)
    c, d = min(c, d), max(c, d)
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    index: int = a + CHOOSE[2, b] + CHOOSE[3, c] + CHOOSE[4, d] + CHOOSE[5, e]
    return index


@kernel
def index_of_sorted(cards: np.ndarray) -> int:
    """Return the combination index of one to five ascending cards."""
    index = 0
    for i in range(cards.size):
        index += CHOOSE[i + 1, cards[i]]
    return index


@kernel
def extension_indices(board: np.ndarray, indices: np.ndarray) -> None:
    """Fill ``indices`` (52,) int32 with the combination index of ``board`` plus each further card.

    The board has two to four ascending cards; cards on it get -1. Cards below the new one keep
    their place in the sum and those above move up by one, so the whole row takes one pass.
    """
    n = board.size
    rest = 0
    for i in range(n):
        rest += CHOOSE[i + 2, board[i]]
    place = 0
    for card in range(52):
        if place < n and board[place] == card:
            rest += CHOOSE[place + 1, card] - CHOOSE[place + 2, card]
            place += 1
            indices[card] = -1
        else:
            indices[card] = rest + CHOOSE[place + 1, card]


@kernel
def _image(board: np.ndarray, permutation: int, image: np.ndarray) -> None:
    """Fill ``image`` with the board under a suit permutation, ascending."""
    for i in range(board.size):
        card = CARD_UNDER[permutation, board[i]]
        j = i
        while j > 0 and image[j - 1] > card:
            image[j] = image[j - 1]
            j -= 1
        image[j] = card


@kernel
def combination_at(index: int, combination: np.ndarray) -> None:
    """Fill in the ascending numbers of a combination index; inverts `index_of_sorted`."""
    for i in range(combination.size - 1, -1, -1):
        n = i
        while n + 1 < 52 and CHOOSE[i + 1, n + 1] <= index:
            n += 1
        combination[i] = n
        index -= CHOOSE[i + 1, n]


@kernel
def to_successor(combination: np.ndarray) -> None:
    """Step to the next combination in order of index; the empty one does not change."""
    i = 0
    while i + 1 < combination.size and combination[i] + 1 == combination[i + 1]:
        combination[i] = i
        i += 1
    if i < combination.size:
        combination[i] += 1


@kernel
def classify_boards(
    row: np.ndarray,
    permutation: np.ndarray,
    representative: np.ndarray,
    orbit: np.ndarray,
) -> None:
    """Number the classes of all boards in order of their first member, the representative.

    ``row`` (C(52, n),) int32 and ``permutation`` (C(52, n),) uint8 by combination index,
    ``representative`` (rows, n) uint8, ``orbit`` (rows,) uint8.
    """
    row[:] = -1
    n = representative.shape[1]
    board = np.arange(n).astype(np.uint8)
    image = np.empty(n, dtype=np.uint8)
    rows = 0
    for index in range(row.size):
        if row[index] < 0:
            for i in range(n):
                representative[rows, i] = board[i]
            orbit[rows] = 0
            for p in range(24):
                _image(board, p, image)
                other = index_of_sorted(image)
                if row[other] < 0:
                    row[other] = rows
                    permutation[other] = INVERSE[p]
                    orbit[rows] += 1
            rows += 1
        to_successor(board)
