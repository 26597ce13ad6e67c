"""Roll-out equity of a flop and all its turns for two holdings, from one pass over the 990 boards.

This is algorithm 1 of Kan 2007 with the recursion unrolled. The pass looks up both holdings' ranks
on every board made of the flop and two of the 45 cards left, and lays them out as three matrices
(turn x river, symmetric); it takes some 40 µs. The value at any contribution is then a sum over
rows of small integers, which vectorises and takes 16 µs for all turns and rivers. Recursing for
each contribution, as the paper does, would repeat the look-ups, which are three quarters of the
work. All sums are whole numbers of small bets, so results do not depend on the order of summation.

The winner is decided by the strength of seven cards, not by the river's hand ranks: each holding is
ranked against opponents without its own cards, so that of two equal hands the one that blocks a
flush ranks higher.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.baseline._kernels_baseline import Integer, class_of_rank, flop_rank, turn_rank
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.cards.isomorphism._kernels_isomorphism import CHOOSE, index_of_3
from railbird.cards.isomorphism._tables_columns import COLUMN

LEFT = 45
"""Cards left in the deck after a flop and two holdings."""
PAIRS = 990
"""Pairs of them."""
STRIDE = 48
"""Columns of the matrices; the last three and the diagonal hold zeros, which add nothing."""
MOST = 700
"""Largest contribution of a player before the river, in small bets."""


class Ranks(NamedTuple):
    """The hand-rank tables after the flop, laid out as in `railbird.odds.Tables`."""

    flop_class: np.ndarray
    """(22100,) uint32: ``start * 64 + pattern``, so that one lookup finds both."""
    flop_ihr: np.ndarray
    """(entries,)."""
    flop_hr7: np.ndarray
    """(entries,)."""
    turn_class: np.ndarray
    """(270725,) uint32."""
    turn_ihr: np.ndarray
    """(entries,)."""
    turn_hr7: np.ndarray
    """(entries,)."""
    river_class: np.ndarray
    """(2598960,) uint32."""
    river_ihr: np.ndarray
    """(entries,)."""


class BaselineArrays(NamedTuple):
    """The baseline's settings and the rounds that its classes lead to."""

    bettable: np.ndarray
    """(4,) int64, see `railbird.baseline.Cutoffs`."""
    make: np.ndarray
    """(4, 4) int64."""
    fold: np.ndarray
    """(4, contributions) int64."""
    level: np.ndarray
    """(6, 6) int64 by class of player 1 and 2: bets that both put in after the flop."""
    folded_by: np.ndarray
    """(6, 6) int64: 0 or 1 for the player who folds, else -1."""
    stakes: np.ndarray
    """(contributions, 6) int16: the contribution after 0 to 4 big bets more, and its negative."""


class Future(NamedTuple):
    """Ranks and winners on all boards that can follow one flop; filled by `look_ahead`."""

    cards: np.ndarray
    """(45,) int64: the cards left, ascending."""
    below: np.ndarray
    """(45,) int64: cards of the flop that are lower."""
    turn_rank: np.ndarray
    """(2, 45) int64: both players' effective hand ranks on each turn."""
    river_rank: np.ndarray
    """(2, 45, 48) int16: both players' ranks on each turn and river."""
    sign: np.ndarray
    """(45, 48) int16: 1 where player 1 wins, -1 where player 2 does."""
    board: np.ndarray
    """(4, 45) int64: combination index of the flop and two cards but for the term of the lower
    one, by the flop's cards below that one and the place of the higher one."""
    place: np.ndarray
    """(2, 990) uint32: index in the river table of both players' ranks on each board."""
    entry: np.ndarray
    """(2, 990) int16: the entries at these indices."""


@kernel
def new_future() -> Future:
    """Allocate working memory for the futures of one flop after another."""
    return Future(
        np.zeros(LEFT, np.int64),
        np.zeros(LEFT, np.int64),
        np.zeros((2, LEFT), np.int64),
        np.zeros((2, LEFT, STRIDE), np.int16),
        np.zeros((LEFT, STRIDE), np.int16),
        np.zeros((4, LEFT), np.int64),
        np.zeros((2, PAIRS), np.uint32),
        np.zeros((2, PAIRS), np.int16),
    )


@inline_kernel
def _flop_terms(flop: np.ndarray, lower: Integer, upper: Integer) -> Integer:
    """Terms of the flop in a combination index, by how many of its cards are below two others.

    The term of a card is C(card, its place from 1); another card below moves it one place up.
    """
    total = CHOOSE[1 + (lower < 1) + (upper < 1), flop[0]]
    total += CHOOSE[2 + (lower < 2) + (upper < 2), flop[1]]
    return np.int64(total + CHOOSE[3 + (lower < 3) + (upper < 3), flop[2]])


@kernel
def _list_cards(flop: np.ndarray, first: Integer, second: Integer, future: Future) -> None:
    """Fill ``cards``, ``below`` and ``board``."""
    gone = HOLDING_MASK[first] | HOLDING_MASK[second]
    for i in range(3):
        gone |= CARD_MASK[flop[i]]
    x = 0
    for card in range(52):
        if not gone & CARD_MASK[card]:
            future.cards[x] = card
            future.below[x] = (card > flop[0]) + (card > flop[1]) + (card > flop[2])
            x += 1
    for y in range(LEFT):
        under = future.below[y]
        for i in range(under + 1):
            terms = _flop_terms(flop, i, under)
            future.board[i, y] = terms + CHOOSE[under + 2, future.cards[y]]


@inline_kernel
def place_in(classes: np.ndarray, board: Integer, holding: Integer) -> np.uint32:
    """Index of a holding's entry for a board in a table."""
    entry = np.uint32(classes[np.uint32(board)])
    start, pattern = entry >> np.uint32(6), entry & np.uint32(63)
    return start + np.uint32(COLUMN[pattern, np.uint32(holding)])


# Addresses first, then entries: in one loop the processor waits for one board's row before it
# asks for the next board's entries, which takes three times as long.


@kernel
def _rank_turns(
    flop: np.ndarray,
    first: Integer,
    second: Integer,
    ranks: Ranks,
    bettable: Integer,
    future: Future,
) -> None:
    """Look both holdings up on all boards of four."""
    classes, ihr, hr7 = ranks.turn_class, ranks.turn_ihr, ranks.turn_hr7
    place, cards, below, rank = future.place, future.cards, future.below, future.turn_rank
    for x in range(LEFT):
        # A second card above everything moves no term of the flop.
        board = _flop_terms(flop, below[x], 3) + CHOOSE[below[x] + 1, cards[x]]
        place[0, x] = place_in(classes, board, first)
        place[1, x] = place_in(classes, board, second)
    for x in range(LEFT):
        for player in range(2):
            entry = place[player, x]
            rank[player, x] = turn_rank(ihr[entry], hr7[entry], bettable)


@kernel
def _read_rivers(first: Integer, second: Integer, ranks: Ranks, future: Future) -> None:
    """Look both holdings up on all boards of five."""
    classes, ihr = ranks.river_class, ranks.river_ihr
    place, entry = future.place, future.entry
    pair = 0
    for x in range(LEFT):
        term = CHOOSE[future.below[x] + 1, future.cards[x]]
        boards = future.board[future.below[x]]
        for y in range(x + 1, LEFT):
            place[0, pair] = place_in(classes, term + boards[y], first)
            place[1, pair] = place_in(classes, term + boards[y], second)
            pair += 1
    for pair in range(PAIRS):
        entry[0, pair] = np.int16(ihr[place[0, pair]])
        entry[1, pair] = np.int16(ihr[place[1, pair]])


@kernel
def _lay_out(flop: np.ndarray, first: Integer, second: Integer, future: Future) -> None:
    """Fill the matrices: both players' ranks, and who wins."""
    cards, rank, entry, sign = future.cards, future.river_rank, future.entry, future.sign
    flop_key = CARD_KEY[flop[0]] + CARD_KEY[flop[1]] + CARD_KEY[flop[2]]
    flop_mask = CARD_MASK[flop[0]] | CARD_MASK[flop[1]] | CARD_MASK[flop[2]]
    pair = 0
    for x in range(LEFT):
        turn_key = flop_key + CARD_KEY[cards[x]]
        turn_mask = flop_mask | CARD_MASK[cards[x]]
        for y in range(x + 1, LEFT):
            key = turn_key + CARD_KEY[cards[y]]
            mask = turn_mask | CARD_MASK[cards[y]]
            one = strength_of_key(key + HOLDING_KEY[first], mask | HOLDING_MASK[first])
            two = strength_of_key(key + HOLDING_KEY[second], mask | HOLDING_MASK[second])
            winner = np.int16(one > two) - np.int16(one < two)
            sign[x, y] = winner
            sign[y, x] = winner
            for player in range(2):
                rank[player, x, y] = entry[player, pair]
                rank[player, y, x] = entry[player, pair]
            pair += 1


@kernel
def rank_flop(
    flop: np.ndarray,
    first: Integer,
    second: Integer,
    ranks: Ranks,
    bettable: Integer,
    rank: np.ndarray,
) -> None:
    """Fill ``rank`` (2,) int64: both players' effective hand ranks on the flop itself."""
    board = index_of_3(flop[0], flop[1], flop[2])
    for player in range(2):
        place = place_in(ranks.flop_class, board, second if player else first)
        rank[player] = flop_rank(ranks.flop_ihr[place], ranks.flop_hr7[place], bettable)


@kernel
def look_ahead(
    flop: np.ndarray,
    first: Integer,
    second: Integer,
    ranks: Ranks,
    bettable: Integer,
    future: Future,
) -> None:
    """Fill ``future`` for the ascending ``flop`` (3,) int64 and two holdings.

    ``bettable`` is the turn's entry of `BaselineArrays.bettable`.
    """
    _list_cards(flop, first, second, future)
    _rank_turns(flop, first, second, ranks, bettable, future)
    _read_rivers(first, second, ranks, future)
    _lay_out(flop, first, second, future)


@inline_kernel
def _row_sum(
    x: int,
    contribution: Integer,
    make: np.ndarray,
    fold: np.ndarray,
    stakes: np.ndarray,
    rank: np.ndarray,
    sign: np.ndarray,
) -> np.int64:
    """Sum player 1's result over the rivers after turn ``x``.

    Written so that it compiles to 16-bit vector instructions: 25 ns a row, against 150 with plain
    integers. Whatever Numba adds or negates it widens to 64 bits, so the stakes come from a table
    instead. Their sum stays below 2**15 for contributions up to `MOST`.
    """
    fold_below = np.int16(fold[3, contribution])
    # A hand that folds never bets, even if the fold threshold is above a bet's.
    make1 = max(np.int16(make[3, 0]), fold_below)
    make2 = max(np.int16(make[3, 1]), fold_below)
    make3 = max(np.int16(make[3, 2]), fold_below)
    make4 = max(np.int16(make[3, 3]), fold_below)
    checked, bet, raised = stakes[contribution, 0], stakes[contribution, 1], stakes[contribution, 2]
    reraised, capped = stakes[contribution, 3], stakes[contribution, 4]
    lost = stakes[contribution, 5]
    total = np.int16(0)
    for y in range(STRIDE):
        one = rank[0, x, y]
        two = rank[1, x, y]
        one_bets = one >= make1
        two_bets = two >= make1
        raises = one_bets & (two >= make2)
        reraises = raises & (one >= make3)
        caps = reraises & (two >= make4)
        stake = bet if one_bets | two_bets else checked
        stake = raised if raises else stake
        stake = reraised if reraises else stake
        stake = capped if caps else stake
        result = np.int16(stake * sign[x, y])
        result = lost if two_bets & (one < fold_below) else result
        result = checked if one_bets & (two < fold_below) else result
        total = np.int16(total + result)
    return np.int64(total)


@kernel
def river_sum(x: int, contribution: Integer, policy: BaselineArrays, future: Future) -> np.int64:
    """Player 1's result, summed over the 44 rivers after turn ``x``, if the baseline plays them.

    ``contribution`` is what each has put in before the river.
    """
    return _row_sum(
        x,
        contribution,
        policy.make,
        policy.fold,
        policy.stakes,
        future.river_rank,
        future.sign,
    )


@kernel
def turn_sum(contribution: Integer, policy: BaselineArrays, future: Future) -> np.int64:
    """Player 1's result, summed over the 45 * 44 turns and rivers, if the baseline plays them.

    ``contribution`` is what each has put in before the turn.
    """
    make, fold, stakes, level = policy.make, policy.fold, policy.stakes, policy.level
    turn, rank, sign = future.turn_rank, future.river_rank, future.sign
    total = np.int64(0)
    for x in range(LEFT):
        one = class_of_rank(turn[0, x], 2, contribution, make, fold)
        two = class_of_rank(turn[1, x], 2, contribution, make, fold)
        folded_by = policy.folded_by[one, two]
        if folded_by >= 0:
            total += (contribution if folded_by else -contribution) * (LEFT - 1)
        else:
            before_river = contribution + 2 * level[one, two]
            total += _row_sum(x, before_river, make, fold, stakes, rank, sign)
    return total


@kernel
def place_of(card: Integer, future: Future) -> int:
    """Index of a card among the cards left."""
    x = 0
    while future.cards[x] != card:
        x += 1
    return x
