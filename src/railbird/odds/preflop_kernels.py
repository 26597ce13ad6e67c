"""Kernels before the flop: wins of all pairs, orders of three classes, odds on every flop.

On one board the holdings have fewer than 255 different strengths, so their levels fit in bytes and
one vector instruction compares 32 holdings. Counts are kept in bytes too, for as many boards as a
byte can count, and then added to the totals.
"""

# Three tables that begin before the flop, each over all boards at once, and each by turning the
# obvious order of loops around. The obvious order takes a question (a pair of holdings, three
# classes, a flop) and deals the boards for it; here a board is taken, ranked once, and serves all
# questions.
#
# - `count_wins`: how often each holding beats each other one over all boards. Boards that suits
#   make equal are one, and the sums are averaged over the suits afterwards. They come sorted by the
#   number of boards that they stand for, so that a run of them has one weight. The innermost loop
#   compares one byte with 1,326 others.
# - `count_orders`: how three hand classes compare, on sampled boards.
# - `add_flop_values`: odds on every flop against opponents' ranges.
#
# The widths of the types are the speed: a wider counter halves the number of comparisons in an
# instruction. `BLOCK` is as many boards as a byte can count, and the int16 counts of `add_board`
# bound the boards of one call.
#
# Who would notice: tests/oracles/test_odds_oracles.py knows the matrix's counts from independent
# programs, and that three hands share every board; tests/twins/test_odds_twins.py plays every board
# for some pairs; tests/odds/preflop_value has odds on flops.

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.isomorphism_kernels import HOLDING_UNDER, index_of_3
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_CARDS, HOLDING_KEY, HOLDING_MASK
from railbird.odds.rank_kernels import (
    empty_sums,
    find_levels,
    key_of,
    mask_of,
    sum_below,
    weight_below,
)

ABSENT_LEVEL = np.uint8(255)
"""Level of a holding that shares a card with the board."""

BLOCK = 255


@kernel
def level_boards(boards: np.ndarray, start: int, stop: int, levels: np.ndarray) -> None:
    """Fill rows start..stop of ``levels`` (rows, 1326) uint8.

    The weakest holdings of a board have level 0, the next 1, and so on without a gap; holdings
    that share a card with the board have `ABSENT_LEVEL`, which no level reaches.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    for row in range(start, stop):
        board = boards[row]
        mask = mask_of(board)
        n, _ = find_levels(holdings, key_of(board), mask, mask, live, level)
        levels[row, :] = ABSENT_LEVEL
        for i in range(n):
            levels[row, live[i]] = level[live[i]]


@kernel
def count_wins(
    levels: np.ndarray,
    first_board: int,
    last_board: int,
    weight: int,
    start: int,
    stop: int,
    wins: np.ndarray,
) -> None:
    """Add to wins[i, j], for i in start..stop, ``weight`` for each board on which i beats j.

    ``levels`` (boards, 1326) uint8, ``wins`` (1326, 1326) uint32. Counts of pairs that share a card
    are meaningless.
    """
    won = np.empty(1326, dtype=np.uint8)
    for block in range(first_board, last_board, BLOCK):
        block_end = min(block + BLOCK, last_board)
        for i in range(start, stop):
            won[:] = 0
            for board in range(block, block_end):
                mine = levels[board, i]
                if mine != ABSENT_LEVEL:
                    for j in range(1326):
                        won[j] += np.uint8(levels[board, j] < mine)
            for j in range(1326):
                wins[i, j] += np.uint32(weight) * np.uint32(won[j])


# Three hand classes before the flop: their orders on sampled boards, and how often dealt.
#
# Every board comes with three holdings of each class, drawn independently of each other and of the
# board; a triple of classes counts a board if its holdings and the board share no card, which makes
# the holdings and the board uniform over all that are possible. The boards serve all 818,805
# triples at once, and the innermost loop does nothing but compare bytes: 0.3 ns for each of them.
# Boards for one triple at a time, evaluated for themselves, took 60 ns.


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
            left, right = pair // 2, (pair + 3) // 2
            for a in range(CLASSES):
                for b in range(CLASSES):
                    shared = cards[left, a] & cards[right, b] != 0
                    free[pair, a, n, b] = not (shared or clash[left, a] or clash[right, b])


@uncounted_kernel
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
        fits_both = np.int16(fits[c] & also[c])
        strength = third[c]
        free[c] = np.int16(free[c] + fits_both)
        at_low[c] = np.int16(at_low[c] + (fits_both if strength >= low else nothing))
        over_low[c] = np.int16(over_low[c] + (fits_both if strength > low else nothing))
        at_high[c] = np.int16(at_high[c] + (fits_both if strength >= high else nothing))
        over_high[c] = np.int16(over_high[c] + (fits_both if strength > high else nothing))


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
                matching = 0
                for n in range(strength.shape[1]):
                    left, right = strength[0, n, a], strength[1, n, b]
                    if both[n, b] == 0:
                        continue
                    if (left < right) != (relation == 1) or (left == right) != (relation == 2):
                        continue
                    matching += 1
                    low, high = min(left, right), max(left, right)
                    add_board(fits[n, b:], also[n, b:], thirds[n, b:], low, high, above)
                if matching == 0:
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


@uncounted_kernel
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


# Odds of holdings on every flop against opponents with ranges, from every class of full boards.
#
# Ranges are of hand classes, so that suits can be renamed: the 134,459 classes of boards stand for
# all 2,598,960. On each, the weights that every holding beats come from one pass over the holdings
# in order of strength, and are added to the ten flops of the board. Going from flop to flop instead
# would rank the holdings on fifteen times as many boards.


@kernel
def add_flop_values(
    boards: np.ndarray,
    orbits: np.ndarray,
    start: int,
    stop: int,
    heroes: np.ndarray,
    hero_index: np.ndarray,
    ranges: np.ndarray,
    times: np.ndarray,
    powered: int,
    flop_row: np.ndarray,
    flop_permutation: np.ndarray,
    flop_orbit: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Add boards start..stop to ``sums`` (flops, heroes, 2, powers) float32: won, and all.

    ``boards`` (rows, 5) uint8 ascending, ``orbits`` (rows,) the boards that each stands for.
    ``heroes`` (n,) are holdings, closed under renaming of suits, ``hero_index`` (1326,) theirs.
    ``ranges`` (ranges, 1326) float64; a product over opponents has range r ``times[r]`` times, and
    range ``powered`` 0, 1, ... times more. Ties count half.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    below = empty_sums(ranges[0])
    powers = np.uint64(sums.shape[3])
    width = np.uint64(2) * powers
    products = np.empty(len(heroes) * int(width), dtype=np.float32)
    dealt = np.empty(len(heroes), dtype=np.int64)
    flat = sums.reshape(len(sums), -1)
    # Unsigned places need no look whether they are negative, so that the innermost loop is vectors.
    columns = np.empty((24, len(heroes)), dtype=np.int64)
    for p in range(24):
        for i in range(len(heroes)):
            columns[p, i] = hero_index[HOLDING_UNDER[p, heroes[i]]] * int(width)
    for b in range(start, stop):
        board = boards[b]
        mask = mask_of(board)
        n, levels = find_levels(holdings, key_of(board), mask, mask, live, level)
        count = 0
        for i in range(len(heroes)):
            if HOLDING_MASK[heroes[i]] & mask == 0:
                dealt[count] = i
                count += 1
        products[:] = 1.0
        for r in range(len(ranges)):
            sum_below(live, n, level, levels, ranges[r], below)
            for d in range(count):
                h = heroes[dealt[d]]
                first = np.uint64(d) * width
                low, high = HOLDING_CARDS[h, 0], HOLDING_CARDS[h, 1]
                own = ranges[r, h]
                ahead = weight_below(below, level[h], low, high)
                # The holding itself is among these, and is taken off twice.
                with_ties = weight_below(below, level[h] + 1, low, high) + own
                everybody = weight_below(below, levels, low, high) + own
                beaten = np.float32((ahead + with_ties) / 2.0)
                total = np.float32(everybody)
                for _ in range(times[r]):
                    for k in range(powers):
                        products[first + k] *= beaten
                        products[first + powers + k] *= total
                if r == powered:
                    beaten_power, total_power = np.float32(1.0), np.float32(1.0)
                    for k in range(powers):
                        products[first + k] *= beaten_power
                        products[first + powers + k] *= total_power
                        beaten_power *= beaten
                        total_power *= total
        for x in range(5):
            for y in range(x + 1, 5):
                for z in range(y + 1, 5):
                    flop = index_of_3(board[x], board[y], board[z])
                    row = flop_row[flop]
                    to = columns[flop_permutation[flop]]
                    share = np.float32(orbits[b] / flop_orbit[row])
                    row_sums = flat[row]
                    for d in range(count):
                        first = np.uint64(d) * width
                        place_of = np.uint64(to[dealt[d]])
                        for k in range(width):
                            row_sums[place_of + k] += share * products[first + k]
