"""Three hand classes before the flop: their orders on sampled boards, and how often dealt.

Every board comes with three holdings of each class, drawn independently of each other and of the
board; a triple of classes counts a board if its holdings and the board share no card, which makes
the holdings and the board uniform over all that are possible. The boards serve all 818,805 triples
at once, and the innermost loop does nothing but compare bytes: 0.3 ns for each of them. Boards for
one triple at a time, evaluated for themselves, took 60 ns.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)

CLASSES = 169
ORDERS = 13
"""Orders of three hands, ties included; the number of one is five by how the first compares with
the second, and then the place of the third among both, from behind to ahead."""
JOINT = 13
"""The column after the orders: holdings of the three classes that share no card."""
FIRST_AHEAD, FIRST_BEHIND, FIRST_TIED = 0, 5, 10


@kernel
def draw_boards(
    first: int,
    end: int,
    boards: np.ndarray,
    drawn: np.ndarray,
    strength: np.ndarray,
    free: np.ndarray,
) -> None:
    """Evaluate drawn holdings on the boards from first to end, and compare their cards.

    ``boards`` (n, 5) uint8; ``drawn`` (n, 3, 169) int16 a holding of every class. Fills
    ``strength`` (3, n, 169) int16, and ``free`` (3, 169, n, 169) uint8, 1 where the holdings of
    the first and second, first and third, and second and third draw share no card with each other
    or the board: in the order in which `count_orders` reads them, five times faster than by board.
    """
    cards = np.empty((3, CLASSES), dtype=np.uint64)
    clash = np.empty((3, CLASSES), dtype=np.bool_)
    for n in range(first, end):
        key, mask = np.uint64(0), np.uint64(0)
        for card in boards[n]:
            key += CARD_KEY[card]
            mask |= CARD_MASK[card]
        for slot in range(3):
            for c in range(CLASSES):
                h = drawn[n, slot, c]
                cards[slot, c] = HOLDING_MASK[h]
                clash[slot, c] = HOLDING_MASK[h] & mask != 0
                if not clash[slot, c]:
                    strength[slot, n, c] = strength_of_key(
                        key + HOLDING_KEY[h], mask | HOLDING_MASK[h]
                    )
        for pair in range(3):
            one, two = pair // 2, (pair + 3) // 2
            for a in range(CLASSES):
                for b in range(CLASSES):
                    shared = cards[one, a] & cards[two, b] != 0
                    free[pair, a, n, b] = not (shared or clash[one, a] or clash[two, b])


@kernel
def add_board(
    fits: np.ndarray,
    also: np.ndarray,
    third: np.ndarray,
    low: np.int16,
    high: np.int16,
    above: np.ndarray,
) -> None:
    """Add one board to ``above``; a function of its own, so that its loop becomes vector code."""
    free, at_low, over_low = above[0], above[1], above[2]
    at_high, over_high = above[3], above[4]
    nothing = np.int16(0)
    for c in range(len(fits)):
        one = np.int16(fits[c] & also[c])
        strength = third[c]
        free[c] = np.int16(free[c] + one)
        at_low[c] = np.int16(at_low[c] + (one if strength >= low else nothing))
        over_low[c] = np.int16(over_low[c] + (one if strength > low else nothing))
        at_high[c] = np.int16(at_high[c] + (one if strength >= high else nothing))
        over_high[c] = np.int16(over_high[c] + (one if strength > high else nothing))


@kernel
def count_orders(
    first: int,
    end: int,
    strength: np.ndarray,
    free: np.ndarray,
    start: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Add the orders on drawn boards to ``counts`` (triples, 14), for first classes first to end.

    ``start`` (169, 169) is the row of the triple of a first, a second and the same third class.
    ``above`` counts the boards on which a third class is at least, or above, each of both others.
    """
    above = np.empty((5, CLASSES), dtype=np.int16)
    thirds = strength[2]
    for a in range(first, end):
        for b in range(a, CLASSES):
            row = start[a, b]
            fits, also, both = free[1, a], free[2, b], free[0, a]
            for relation in range(3):
                above[:] = 0
                found = 0
                for n in range(strength.shape[1]):
                    one, two = strength[0, n, a], strength[1, n, b]
                    if both[n, b] == 0:
                        continue
                    if (one < two) != (relation == 1) or (one == two) != (relation == 2):
                        continue
                    found += 1
                    low, high = min(one, two), max(one, two)
                    add_board(fits[n, b:], also[n, b:], thirds[n, b:], low, high, above)
                if found == 0:
                    continue
                for c in range(CLASSES - b):
                    out = counts[row + c]
                    if relation == 2:
                        out[FIRST_TIED] += above[0, c] - above[1, c]
                        out[FIRST_TIED + 1] += above[1, c] - above[2, c]
                        out[FIRST_TIED + 2] += above[2, c]
                    else:
                        base = FIRST_AHEAD if relation == 0 else FIRST_BEHIND
                        out[base] += above[0, c] - above[1, c]
                        out[base + 1] += above[1, c] - above[2, c]
                        out[base + 2] += above[2, c] - above[3, c]
                        out[base + 3] += above[3, c] - above[4, c]
                        out[base + 4] += above[4, c]


@kernel
def count_holdings(
    first: int,
    end: int,
    members: np.ndarray,
    begins: np.ndarray,
    start: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Fill in the holdings that share no card, for first classes from first to end.

    ``members`` (1326,) are the holdings' masks by class, which ``begins`` (170,) separates.
    """
    for a in range(first, end):
        for b in range(a, CLASSES):
            for c in range(b, CLASSES):
                ways = 0
                for i in range(begins[a], begins[a + 1]):
                    for j in range(begins[b], begins[b + 1]):
                        if members[i] & members[j] != 0:
                            continue
                        both = members[i] | members[j]
                        for k in range(begins[c], begins[c + 1]):
                            ways += int(both & members[k] == 0)
                counts[start[a, b] + c - b, JOINT] = ways
