"""Kernels of hand ranks: of one holding on a board, and of all holdings at once for the tables."""

# A hand rank is a count: how many of an opponent's holdings a holding beats on a board, plus half
# of those it ties, now (IHR) or on average over the run-outs (7cHR). Billings (2006, chapter 3) and
# Kan (2007) define both. The tables of `rank_tables` have them for all holdings on all boards, as
# whole numbers, and this file fills them; it also answers single questions without a table.
#
# To compare 1,081 holdings with each other on each of 2.6 million boards is out of reach, so no two
# holdings are compared. `find_levels` finds the order of strength of the holdings of one board,
# `sum_below` sums their weights up the levels, in total and by card, and every count is then three
# look-ups and two subtractions. Both serve equities of ranges (`equity_kernels`), the preflop
# matrix (`preflop_kernels`), card abstractions and AIVAT as well.
#
# A row of a table has one entry for each column of `railbird.cards.isomorphism_kernels.COLUMN`, and
# several holdings may share a column: they have the same rank, and whoever comes last writes it.
# 7cHR is not enumerated: `sum_over_next_card` adds up the next street's rows, those of the river
# for the turn and those of the turn for the flop, and divides by the number of orders in which a
# completion is then counted.
#
# Counts are doubled, 2 * ahead + tied, so that halves stay whole numbers: one on the river is at
# most 1,980 and fits a uint16, the sums over run-outs a uint32.
#
# What must stay: the meaning of an entry, or the version of the tables has to change with it
# (`rank_tables`); and the layout of `sum_below`, which its callers index through `weight_below`.
# `mean_final_strength` and `count_final_ranks` enumerate on purpose: they answer where no table is
# wanted.
#
# Who would notice: tests/twins/test_odds_twins.py, by comparing all holdings on random boards
# (tests/twins/slow_odds.py); tests/odds/test_rank_tables.py, since all comparisons of a board add
# up to a known number; tests/oracles/test_odds_oracles.py, which has published ranks.

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.cards.isomorphism_kernels import (
    COLUMN,
    combination_at,
    extension_indices,
    index_of_5,
    to_successor,
)
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_CARDS, HOLDING_KEY, HOLDING_MASK

# All holdings on one board in order of strength, and sums that depend on the order.
#
# No sorting is needed. On any board the holdings have at most 136 different strengths: they are
# marked in a bit set, and a strength's level is the number of marks below it. The weights of the
# holdings below each level are summed by card: the weight of those that share no card with mine is
# the total less that with my first card less that with my second (the holding with both is mine,
# which is not below).


LOW = np.ascontiguousarray(HOLDING_CARDS[:, 0])
"""(1326,) uint8: the lower card of each holding."""

HIGH = np.ascontiguousarray(HOLDING_CARDS[:, 1])
"""(1326,) uint8: the higher card of each holding."""

MAX_LEVELS = 255
"""Bound on the levels of a board: 91 pairs of ranks, and at most 45 holdings with a flush."""

ALL = 52
"""The column of `sum_below` for holdings with any card."""

COLUMNS = 64
"""Columns of `sum_below`: 52 cards and `ALL`, padded to whole vectors."""

STRENGTH_WORDS = 7462 // 64 + 1
ONE = np.uint64(1)

ABSENT_16 = np.uint16(0xFFFF)
"""In a uint16 table: all holdings of the entry share a card with the board."""

ABSENT_32 = np.uint32(0xFFFFFFFF)
"""In a uint32 table: all holdings of the entry share a card with the board."""


@uncounted_kernel
def key_of(cards: np.ndarray) -> np.uint64:
    """Return the sum of the cards' `CARD_KEY`."""
    key = np.uint64(0)
    for card in cards:
        key += CARD_KEY[card]
    return key


@uncounted_kernel
def mask_of(cards: np.ndarray) -> np.uint64:
    """Return the union of the cards' `CARD_MASK`."""
    mask = np.uint64(0)
    for card in cards:
        mask |= CARD_MASK[card]
    return mask


@uncounted_kernel
def count_bits(bits: np.uint64) -> np.uint64:
    """Count the bits set; the compiler recognises the pattern as one instruction."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    pairs = np.uint64(0x3333333333333333)
    bits = (bits & pairs) + ((bits >> np.uint64(2)) & pairs)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def find_levels(
    holdings: np.ndarray,
    key: np.uint64,
    mask: np.uint64,
    used: np.uint64,
    live: np.ndarray,
    level: np.ndarray,
) -> tuple[int, int]:
    """Find the level of each holding that shares no card with ``used``, the weakest being 0.

    ``holdings`` uint16; ``key`` and ``mask`` are the board's, ``used`` is the mask of the board
    and all dead cards. Writes those holdings into ``live`` (1326,) uint16 and their levels into
    ``level`` (1326,) uint16, which is indexed by holding. Returns (holdings, levels).
    """
    marks = np.zeros(STRENGTH_WORDS, dtype=np.uint64)
    below = np.empty(STRENGTH_WORDS, dtype=np.uint16)
    n = 0
    for holding in holdings:
        if HOLDING_MASK[holding] & used == 0:
            strength = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
            level[holding] = strength
            live[n] = holding
            n += 1
            marks[strength >> 6] |= ONE << np.uint64(strength & 63)
    levels = 0
    for word in range(STRENGTH_WORDS):
        below[word] = levels
        levels += int(count_bits(marks[word]))
    for i in range(n):
        strength = level[live[i]]
        word = strength >> 6
        lower = (ONE << np.uint64(strength & 63)) - ONE
        level[live[i]] = below[word] + count_bits(marks[word] & lower)
    return n, levels


@uncounted_kernel
def sum_below(
    live: np.ndarray,
    n: int,
    level: np.ndarray,
    levels: int,
    weights: np.ndarray,
    below: np.ndarray,
) -> None:
    """Sum the weights of the holdings below each level, in total and by card.

    ``weights`` (1326,); ``below`` of the same type, from `empty_sums`, is flat with `COLUMNS` per
    level, so that the running sum is one vector loop: below[l * COLUMNS + c] is the weight of the
    holdings with card c below level l, and column `ALL` that of all of them, for levels 0 to
    ``levels``.
    """
    end = (levels + 1) * COLUMNS
    for i in range(end):
        below[i] = 0
    for i in range(n):
        holding = live[i]
        above = (level[holding] + 1) * COLUMNS
        below[above + LOW[holding]] += weights[holding]
        below[above + HIGH[holding]] += weights[holding]
        below[above + ALL] += weights[holding]
    for i in range(COLUMNS, end):
        below[i] += below[i - COLUMNS]


@kernel
def empty_sums(weights: np.ndarray) -> np.ndarray:
    """Return an array for the sums of `sum_below`."""
    return np.empty((MAX_LEVELS + 1) * COLUMNS, dtype=weights.dtype)


@uncounted_kernel
def weight_below(below: np.ndarray, level: int, a: int, b: int) -> float:
    """Return the weight of the holdings below a level with neither of two cards.

    A holding with both, if it is among them, is counted once and subtracted twice.
    """
    row = level * COLUMNS
    weight: float = below[row + ALL] - below[row + a] - below[row + b]
    return weight


@kernel
def rank_boards(
    boards: np.ndarray,
    starts: np.ndarray,
    patterns: np.ndarray,
    start: int,
    stop: int,
    numerators: np.ndarray,
) -> None:
    """Fill the rows of boards start..stop in ``numerators`` (flat) uint16: 2 * ahead + tied.

    ``boards`` (rows, 3 to 5) uint8, ``starts`` and ``patterns`` (rows,) those of their rows.
    Entries that no holding has, because all share a card with the board, are left alone.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    ones = np.ones(1326, dtype=np.int16)
    below = empty_sums(ones)
    for row in range(start, stop):
        board = boards[row]
        mask = mask_of(board)
        n, levels = find_levels(holdings, key_of(board), mask, mask, live, level)
        sum_below(live, n, level, levels, ones, below)
        for i in range(n):
            holding = live[i]
            a, b = LOW[holding], HIGH[holding]
            ahead = weight_below(below, level[holding], a, b)
            # This count includes my own holding.
            ahead_or_tied = weight_below(below, level[holding] + 1, a, b) + 1
            numerators[starts[row] + COLUMN[patterns[row], holding]] = ahead + ahead_or_tied


@kernel
def rank_boards_by_weight(
    boards: np.ndarray,
    starts: np.ndarray,
    patterns: np.ndarray,
    start: int,
    stop: int,
    weights: np.ndarray,
    scale: float,
    numerators: np.ndarray,
) -> None:
    """Fill rows as `rank_boards` does, opponents counted by ``weights`` (1326,) float64.

    An entry is the share of weight that is beaten, ties halved, out of ``scale``, rounded.
    """
    holdings = np.arange(1326).astype(np.uint16)
    live = np.empty(1326, dtype=np.uint16)
    level = np.empty(1326, dtype=np.uint16)
    below = empty_sums(weights)
    for row in range(start, stop):
        board = boards[row]
        mask = mask_of(board)
        n, levels = find_levels(holdings, key_of(board), mask, mask, live, level)
        sum_below(live, n, level, levels, weights, below)
        for i in range(n):
            holding = live[i]
            a, b = LOW[holding], HIGH[holding]
            own = weights[holding]
            ahead = weight_below(below, level[holding], a, b)
            # My own holding is among these, and is taken off twice.
            ahead_or_tied = weight_below(below, level[holding] + 1, a, b) + own
            everybody = weight_below(below, levels, a, b) + own
            share = scale * (ahead + ahead_or_tied) / (2.0 * everybody)
            numerators[starts[row] + COLUMN[patterns[row], holding]] = np.uint16(share + 0.5)


# Final strengths: of one holding, and of any holding on a board.


@uncounted_kernel
def mean_final_strength(board: np.ndarray, holding: int) -> float:
    """Return the mean strength of a holding at the end, over the run-outs of 3 to 5 cards."""
    key = key_of(board) + HOLDING_KEY[holding]
    mask = mask_of(board) | HOLDING_MASK[holding]
    if board.size == 5:
        return float(strength_of_key(key, mask))
    total, count = np.int64(0), 0
    for a in range(52):
        if mask & CARD_MASK[a]:
            continue
        if board.size == 4:
            total += np.int64(strength_of_key(key + CARD_KEY[a], mask | CARD_MASK[a]))
            count += 1
            continue
        for b in range(a):
            if mask & CARD_MASK[b] == 0:
                total += np.int64(
                    strength_of_key(
                        key + CARD_KEY[a] + CARD_KEY[b], mask | CARD_MASK[a] | CARD_MASK[b]
                    )
                )
                count += 1
    return float(total / count)


@kernel
def final_strength_moments(board: np.ndarray, moments: np.ndarray) -> None:
    """Fill ``moments`` (2,) float64 with the mean and variance of the strength at the end.

    All holdings and run-outs of ``board``, three to five cards, are equally likely. Which of the
    unknown cards are held does not matter, so each set of them is counted once.
    """
    free = np.empty(52, dtype=np.int64)
    size = 0
    used = mask_of(board)
    for card in range(52):
        if used & CARD_MASK[card] == 0:
            free[size] = card
            size += 1
    board_key, board_mask = key_of(board), mask_of(board)
    more = 5 - board.size
    total, squares, count = np.int64(0), np.int64(0), 0
    for a in range(size if more >= 1 else 1):
        key_a, mask_a = board_key, board_mask
        if more >= 1:
            key_a += CARD_KEY[free[a]]
            mask_a |= CARD_MASK[free[a]]
        for b in range(a if more == 2 else 1):
            key_b, mask_b = key_a, mask_a
            if more == 2:
                key_b += CARD_KEY[free[b]]
                mask_b |= CARD_MASK[free[b]]
            below = size if more == 0 else (a if more == 1 else b)
            for c in range(below):
                key_c = key_b + CARD_KEY[free[c]]
                mask_c = mask_b | CARD_MASK[free[c]]
                for d in range(c):
                    strength = np.int64(
                        strength_of_key(key_c + CARD_KEY[free[d]], mask_c | CARD_MASK[free[d]])
                    )
                    total += strength
                    squares += strength * strength
                    count += 1
    mean = total / count
    moments[0] = mean
    moments[1] = squares / count - mean * mean


# Rank of one holding on one board, and of its final hands on all completions of the board.


@kernel
def unused_cards(used: np.uint64) -> np.ndarray:
    """Return the ascending cards whose bits are not in ``used``, uint8."""
    cards = np.empty(52, dtype=np.uint8)
    n = 0
    for card in range(52):
        if CARD_MASK[card] & used == 0:
            cards[n] = card
            n += 1
    return cards[:n]


@kernel
def compare_all(holding: int, key: np.uint64, mask: np.uint64) -> tuple[int, int]:
    """Count the holdings that a holding beats and ties, given the board's key and mask."""
    used = mask | HOLDING_MASK[holding]
    mine = strength_of_key(key + HOLDING_KEY[holding], used)
    left = unused_cards(used)
    ahead = 0
    tied = 0
    for i in range(left.size):
        first_key = key + CARD_KEY[left[i]]
        first_mask = mask | CARD_MASK[left[i]]
        for j in range(i):
            other = strength_of_key(first_key + CARD_KEY[left[j]], first_mask | CARD_MASK[left[j]])
            ahead += int(other < mine)
            tied += int(other == mine)
    return ahead, tied


@kernel
def rank_on_board(holding: int, board: np.ndarray) -> tuple[int, int]:
    """Count the opponents' holdings that a holding beats and ties on 3 to 5 cards."""
    return compare_all(holding, key_of(board), mask_of(board))


@kernel
def count_final_ranks(
    holding: int, board: np.ndarray, start: int, stop: int, counts: np.ndarray
) -> None:
    """Count the completions start..stop of a board in ``counts`` (1981,) int64 by 2 * ahead + tied.

    Enumerates every opponent's holding on every completion.
    """
    left = unused_cards(mask_of(board) | HOLDING_MASK[holding])
    chosen = np.empty(5 - board.size, dtype=np.uint8)
    combination_at(start, chosen)
    board_key, board_mask = key_of(board), mask_of(board)
    for _ in range(start, stop):
        key, mask = board_key, board_mask
        for place in chosen:
            key += CARD_KEY[left[place]]
            mask |= CARD_MASK[left[place]]
        ahead, tied = compare_all(holding, key, mask)
        counts[2 * ahead + tied] += 1
        to_successor(chosen)


@kernel
def look_up_final_ranks(
    holding: int,
    board: np.ndarray,
    start: int,
    stop: int,
    river_start: np.ndarray,
    river_pattern: np.ndarray,
    river_ihr: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Do the same as `count_final_ranks` using the river's table."""
    left = unused_cards(mask_of(board) | HOLDING_MASK[holding])
    chosen = np.empty(5 - board.size, dtype=np.uint8)
    combination_at(start, chosen)
    full = np.empty(5, dtype=np.uint8)
    for i in range(board.size):
        full[i] = board[i]
    for _ in range(start, stop):
        for i in range(chosen.size):
            full[board.size + i] = left[chosen[i]]
        index = index_of_5(full[0], full[1], full[2], full[3], full[4])
        column = COLUMN[river_pattern[index], holding]
        counts[river_ihr[river_start[index] + column]] += 1
        to_successor(chosen)


@kernel
def rank_before_flop(holding: int) -> tuple[int, int]:
    """Count the holdings that a holding beats and ties, by pairs, then high card, then low card."""
    mine = _preflop_order(holding)
    used = HOLDING_MASK[holding]
    ahead = 0
    tied = 0
    for other in range(1326):
        if HOLDING_MASK[other] & used == 0:
            order = _preflop_order(other)
            ahead += order < mine
            tied += order == mine
    return ahead, tied


@uncounted_kernel
def _preflop_order(holding: int) -> int:
    high, low = HIGH[holding] // 4, LOW[holding] // 4
    order: int = high * 13 + low + (169 if high == low else 0)
    return order


# Comparison of a holding with every weighted holding, now and after the next cards.


@uncounted_kernel
def standing(mine: np.uint16, other: np.uint16) -> int:
    """Return 0 for ahead, 1 for a tie, 2 for behind."""
    return int(other == mine) + 2 * int(other > mine)


@kernel
def count_standings(
    holding: int,
    board: np.ndarray,
    weights: np.ndarray,
    to_come: int,
    completions: int,
    table: np.ndarray,
) -> None:
    """Add to ``table`` (3, 3) the weights of the opponent's holdings by who is ahead now and later.

    ``weights`` (1326,) and ``table`` are both int64 or both float64; "later" is after each of the
    ``completions`` ways to deal ``to_come`` more cards from the rest of the deck.
    """
    base_key, base_mask = key_of(board), mask_of(board)
    used = base_mask | HOLDING_MASK[holding]
    mine = strength_of_key(base_key + HOLDING_KEY[holding], used)
    rivals = np.empty(1326, dtype=np.uint16)
    now = np.empty(1326, dtype=np.uint8)
    n = 0
    for rival in range(1326):
        if weights[rival] != 0 and HOLDING_MASK[rival] & used == 0:
            rivals[n] = rival
            now[n] = standing(
                mine,
                strength_of_key(base_key + HOLDING_KEY[rival], base_mask | HOLDING_MASK[rival]),
            )
            n += 1
    left = unused_cards(used)
    chosen = np.empty(to_come, dtype=np.uint8)
    combination_at(0, chosen)
    for _ in range(completions):
        key, mask = base_key, base_mask
        for place in chosen:
            key += CARD_KEY[left[place]]
            mask |= CARD_MASK[left[place]]
        mine = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        for i in range(n):
            rival = rivals[i]
            if HOLDING_MASK[rival] & mask == 0:
                theirs = strength_of_key(key + HOLDING_KEY[rival], mask | HOLDING_MASK[rival])
                table[now[i], standing(mine, theirs)] += weights[rival]
        to_successor(chosen)


# Strengths of all holdings on one board at once, now and after each turn and river.


_LEVELS = 7462


@uncounted_kernel
def rank_runouts(board: np.ndarray, rows: np.ndarray, strengths: np.ndarray) -> None:
    """Fill strengths (1326, 1326) by holding and by the two cards to come, indexed as a holding.

    `ABSENT_16` marks clashes; ``rows`` (1326,) are the two cards to come by column.
    """
    base_key, base_mask = key_of(board), mask_of(board)
    for column in range(len(rows)):
        come = rows[column]
        clash = HOLDING_MASK[come] & base_mask != 0
        key, mask = base_key + HOLDING_KEY[come], base_mask | HOLDING_MASK[come]
        for holding in range(1326):
            if clash or HOLDING_MASK[holding] & mask != 0:
                strengths[holding, column] = ABSENT_16
            else:
                strengths[holding, column] = strength_of_key(
                    key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding]
                )


@kernel
def compare_runouts(
    holding: int,
    board: np.ndarray,
    weights: np.ndarray,
    strengths: np.ndarray,
    completions: int,
    table: np.ndarray,
) -> None:
    """Fill ``table`` (3, 3) as `count_standings` does, from the strengths of `rank_runouts`.

    ``completions`` is the number that two holdings and the board leave.
    """
    base_key, base_mask = key_of(board), mask_of(board)
    used = base_mask | HOLDING_MASK[holding]
    mine_now = strength_of_key(base_key + HOLDING_KEY[holding], used)
    columns = strengths.shape[1]
    # No strength is below or equal to zero, so run-outs that my cards block do not count.
    mine = np.zeros(columns, dtype=np.uint16)
    for c in range(columns):
        if strengths[holding, c] != ABSENT_16:
            mine[c] = strengths[holding, c]
    for rival in range(1326):
        if weights[rival] != 0 and HOLDING_MASK[rival] & used == 0:
            theirs = strengths[rival]
            above, level = np.int32(0), np.int32(0)
            for c in range(columns):
                above += np.int32(theirs[c] < mine[c])
                level += np.int32(theirs[c] == mine[c])
            now = standing(
                mine_now,
                strength_of_key(base_key + HOLDING_KEY[rival], base_mask | HOLDING_MASK[rival]),
            )
            table[now, 0] += above * weights[rival]
            table[now, 1] += level * weights[rival]
            table[now, 2] += (completions - above - level) * weights[rival]


@kernel
def rank_all(board: np.ndarray, level: np.ndarray, order: np.ndarray) -> int:
    """Fill level (1326,) with each holding's strength, -1 if it shares a card with the board.

    ``order`` receives the others, weakest first; returns their number.
    """
    key, mask = key_of(board), mask_of(board)
    start = np.zeros(_LEVELS + 1, dtype=np.int32)
    count = 0
    for h in range(1326):
        if HOLDING_MASK[h] & mask != 0:
            level[h] = -1
            continue
        level[h] = strength_of_key(key + HOLDING_KEY[h], mask | HOLDING_MASK[h])
        start[level[h] + 1] += 1
        count += 1
    for s in range(_LEVELS):
        start[s + 1] += start[s]
    for h in range(1326):
        if level[h] >= 0:
            order[start[level[h]]] = h
            start[level[h]] += 1
    return count


@kernel
def share_of_all(
    level: np.ndarray, order: np.ndarray, weights: np.ndarray, shares: np.ndarray
) -> None:
    """Fill ``shares`` as `strength_of_all` does, from the result of `rank_all`.

    Each weight is visited once: the weight below is a running sum, less the weight of holdings that
    share a card with the holding.
    """
    total, count = 0.0, len(order)
    by_card = np.zeros(52)
    for h in range(1326):
        if level[h] < 0:
            shares[h] = np.nan
            continue
        total += weights[h]
        by_card[HOLDING_CARDS[h, 0]] += weights[h]
        by_card[HOLDING_CARDS[h, 1]] += weights[h]
    below, below_card = 0.0, np.zeros(52)
    tied_card = np.zeros(52)
    first = 0
    while first < count:
        last, tied = first, 0.0
        while last < count and level[order[last]] == level[order[first]]:
            h = order[last]
            tied += weights[h]
            tied_card[HOLDING_CARDS[h, 0]] += weights[h]
            tied_card[HOLDING_CARDS[h, 1]] += weights[h]
            last += 1
        for index in range(first, last):
            h = order[index]
            a, b = HOLDING_CARDS[h, 0], HOLDING_CARDS[h, 1]
            met_weight = total - by_card[a] - by_card[b] + weights[h]
            won = below - below_card[a] - below_card[b]
            level_with = tied - tied_card[a] - tied_card[b] + weights[h]
            shares[h] = (won + level_with / 2) / met_weight if met_weight > 0.0 else 0.0
        for index in range(first, last):
            h = order[index]
            a, b = HOLDING_CARDS[h, 0], HOLDING_CARDS[h, 1]
            below += weights[h]
            below_card[a] += weights[h]
            below_card[b] += weights[h]
            tied_card[a] = 0.0
            tied_card[b] = 0.0
        first = last


@kernel
def strength_of_all(board: np.ndarray, weights: np.ndarray, shares: np.ndarray) -> None:
    """Fill ``shares`` (1326,) with each holding's share of the weights it beats, ties half.

    NaN for holdings that share a card with the board.
    """
    level, order = np.empty(1326, dtype=np.int32), np.empty(1326, dtype=np.int16)
    share_of_all(level, order[: rank_all(board, level, order)], weights, shares)


# Sums of a table's rows over the next card, which derive the 7cHR tables from the river's.


@kernel
def sum_over_next_card(
    boards: np.ndarray,
    starts: np.ndarray,
    patterns: np.ndarray,
    start: int,
    stop: int,
    next_start: np.ndarray,
    next_pattern: np.ndarray,
    next_values: np.ndarray,
    repeats: int,
    sums: np.ndarray,
) -> None:
    """Fill the rows of boards start..stop in ``sums`` (flat) uint32 from the next street's table.

    ``boards`` (rows, n) uint8, ``starts`` and ``patterns`` (rows,) those of their rows;
    ``next_start`` and ``next_pattern`` by combination index of n + 1 cards, ``next_values`` flat.
    Each sum is divided by ``repeats``, the number of orders in which it counts a completion. If
    several holdings share an entry, the last one is summed.
    """
    indices = np.empty(52, dtype=np.int32)
    holding_of = np.empty(1326, dtype=np.int16)
    members = np.empty(1326, dtype=np.int16)
    columns = np.empty(1326, dtype=np.int16)
    total = np.empty(1326, dtype=np.uint64)
    for row in range(start, stop):
        extension_indices(boards[row], indices)
        used = mask_of(boards[row])
        holding_of[:] = -1
        for holding in range(1326):
            if HOLDING_MASK[holding] & used == 0:
                holding_of[COLUMN[patterns[row], holding]] = holding
        n = 0
        for column in range(1326):
            members[n] = holding_of[column]
            columns[n] = column
            n += holding_of[column] >= 0
        total[:n] = 0
        for card in range(52):
            if indices[card] < 0:
                continue
            values = next_values[next_start[indices[card]] :]
            later = COLUMN[next_pattern[indices[card]]]
            for k in range(n):
                if HOLDING_MASK[members[k]] & CARD_MASK[card] == 0:
                    total[k] += values[later[members[k]]]
        for k in range(n):
            sums[starts[row] + columns[k]] = total[k] // np.uint64(repeats)
