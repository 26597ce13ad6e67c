"""Combination indices of boards and their classes under the 24 permutations of the suits.

A board is a set, so its index is colexicographic: for ascending cards c1 < c2 < ... it is
C(c1, 1) + C(c2, 2) + ..., a bijection onto 0 .. C(52, n) - 1 that needs no search.
"""

# Two questions that every table of boards asks: where is this board's row, and which boards have
# the same one?
#
# The first is answered without a search. Boards of a size are numbered colexicographically, by a
# sum of binomial coefficients of the sorted cards; the sort is a fixed network of comparisons
# (`index_of_5`), and the indices of a board with each further card take one pass
# (`extension_indices`), which is how tables of one street read those of the next. The order has one
# more use: all combinations of cards below c come first, so that numbers of holdings and of pairs
# of cards to come are the same numbers.
#
# The second is answered by trying all 24 permutations of the suits, once for each class
# (`classify_boards`), and keeping for each board its class and the permutation that leads to the
# representative. `INVERSE` is stored, because what is asked for later is the way from the board to
# the class.
#
# Which suits still matter on a board makes the rows of rank tables shorter than that; it is
# explained above `COLUMN`. The numbers of the patterns are in tables on disk: to change their order
# means another version of the tables.
#
# Who would notice: tests/cards/test_isomorphism.py covers every board once;
# tests/twins/test_odds_twins.py folds boards by trying all permutations;
# tests/laws/test_odds_laws.py renames suits.

from __future__ import annotations

from itertools import permutations
from math import comb

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.tables import HOLDING_CARDS, HOLDING_INDEX

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


@uncounted_kernel
def index_of_3(a: int, b: int, c: int) -> int:
    """Return the combination index, 0..22099, of three different cards in any order."""
    low, b = min(a, b), max(a, b)
    b, high = min(b, c), max(b, c)
    low, mid = min(low, b), max(low, b)
    index: int = low + CHOOSE[2, mid] + CHOOSE[3, high]
    return index


@uncounted_kernel
def index_of_4(a: int, b: int, c: int, d: int) -> int:
    """Return the combination index, 0..270724, of four different cards in any order."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    index: int = a + CHOOSE[2, b] + CHOOSE[3, c] + CHOOSE[4, d]
    return index


@uncounted_kernel
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


@uncounted_kernel
def index_of_sorted(cards: np.ndarray) -> int:
    """Return the combination index of one to five ascending cards."""
    index = 0
    for i in range(cards.size):
        index += CHOOSE[i + 1, cards[i]]
    return index


@uncounted_kernel
def extension_indices(board: np.ndarray, indices: np.ndarray) -> None:
    """Fill ``indices`` (52,) int32 with the combination index of ``board`` plus each further card.

    The board has two to four ascending cards; cards on it get -1. Cards below the new one keep
    their place in the sum and those above move up by one, so the whole row takes one pass.
    """
    n = board.size
    rest = 0
    for i in range(n):
        rest += CHOOSE[i + 2, board[i]]
    position = 0
    for card in range(52):
        if position < n and board[position] == card:
            rest += CHOOSE[position + 1, card] - CHOOSE[position + 2, card]
            position += 1
            indices[card] = -1
        else:
            indices[card] = rest + CHOOSE[position + 1, card]


@uncounted_kernel
def _image(board: np.ndarray, permutation: int, image: np.ndarray) -> None:
    """Fill ``image`` with the board under a suit permutation, ascending."""
    for i in range(board.size):
        card = CARD_UNDER[permutation, board[i]]
        j = i
        while j > 0 and image[j - 1] > card:
            image[j] = image[j - 1]
            j -= 1
        image[j] = card


@uncounted_kernel
def combination_at(index: int, combination: np.ndarray) -> None:
    """Fill in the ascending numbers of a combination index; inverts `index_of_sorted`."""
    for i in range(combination.size - 1, -1, -1):
        n = i
        while n + 1 < 52 and CHOOSE[i + 1, n + 1] <= index:
            n += 1
        combination[i] = n
        index -= CHOOSE[i + 1, n]


@uncounted_kernel
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
        if row[index] < 0:  # boards come by index, so the first of a class is its smallest
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


# Column of a holding in a row of a rank table, by the suits that matter on the board.
#
# A suit matters to a hand rank only if a flush in it is still possible, which takes three cards of
# the final board: at most one suit on a board of five, two on a board of four. Cards of all other
# suits differ by rank only, so a row needs 91, 351 or 780 entries, one for each pair of kinds of
# cards, instead of 1,326; and boards fold into 42,783 rows instead of 134,459 classes. On flops
# nearly every suit matters, so rows have an entry for each holding under the suit permutation.


NO_SUIT = len(HOLDING_UNDER)
"""The pattern of boards on which no suit matters, after those of flops, by permutation."""

ONE_SUIT = NO_SUIT + 1
"""The first of four patterns: suit s matters under ``ONE_SUIT + s``."""

TWO_SUITS = ONE_SUIT + 4
"""The first of twelve patterns, one for each of `SUIT_PAIRS`."""

SUIT_PAIRS = np.array(list(permutations(range(4), 2)), dtype=np.uint8)
"""(12, 2) uint8: two suits that matter, in the order of a row."""


def _columns(suits: tuple[int, ...]) -> np.ndarray:
    """Return the columns of all holdings if these suits matter, (1326,)."""
    kind_of_suit = np.zeros(4, dtype=np.int64)
    for place, suit in enumerate(suits, start=1):
        kind_of_suit[suit] = place
    kinds = (1 + len(suits)) * (HOLDING_CARDS // 4).astype(np.int64)
    kinds += kind_of_suit[HOLDING_CARDS % 4]
    low, high = kinds.min(axis=1), kinds.max(axis=1)
    columns: np.ndarray = high * (high + 1) // 2 + low
    return columns


COLUMN = np.vstack(
    [
        HOLDING_UNDER,
        _columns(()),
        *(_columns((suit,)) for suit in range(4)),
        *(_columns(tuple(pair)) for pair in SUIT_PAIRS.tolist()),
    ]
).astype(np.int16)
"""(41, 1326) int16: the column of each holding under each pattern."""

WIDTHS = {0: 91, 1: 351, 2: 780}
"""Entries of a row by the number of suits that matter; 1,326 if all do."""
