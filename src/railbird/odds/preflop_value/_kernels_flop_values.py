"""Odds of holdings on every flop against opponents with ranges, from every class of full boards.

Ranges are of hand classes, so that suits can be renamed: the 134,459 classes of boards stand for
all 2,598,960. On each, the weights that every holding beats come from one pass over the holdings in
order of strength, and are added to the ten flops of the board. Going from flop to flop instead
would rank the holdings on fifteen times as many boards.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.cards._tables_holding import HOLDING_CARDS
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import HOLDING_UNDER, index_of_3
from railbird.odds.tables._kernels_ranking import (
    empty_sums,
    find_levels,
    key_of,
    mask_of,
    sum_below,
    weight_below,
)


@kernel
def add_flop_values(
    boards: np.ndarray,
    orbits: np.ndarray,
    start: int,
    stop: int,
    heroes: np.ndarray,
    place: np.ndarray,
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
    ``heroes`` (n,) are holdings, closed under renaming of suits, ``place`` (1326,) theirs.
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
            columns[p, i] = place[HOLDING_UNDER[p, heroes[i]]] * int(width)
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
                    one, all_one = np.float32(1.0), np.float32(1.0)
                    for k in range(powers):
                        products[first + k] *= one
                        products[first + powers + k] *= all_one
                        one *= beaten
                        all_one *= total
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
