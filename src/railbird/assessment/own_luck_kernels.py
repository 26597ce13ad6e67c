"""Kernels of `own_side` for any hold'em: luck by what one seat can see, card event by card event.

`divat.any_game_kernels` has the luck by all cards.

V = chips that the seat can win * rank ** (1 + gamma * (others - 1)), where the rank is that against
a single opponent in the hand-rank tables; 0 once the seat has folded. V depends only on what the
player knows, and the mean subtracted is over the cards that the player has not seen. The turn and
the river are enumerated; the mean over all flops depends only on the class of the holding and the
number of opponents, and is tabulated. So are the second and third central moments, which tell how
skewed luck is.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import inline_kernel, uncounted_kernel
from railbird.assessment.all_in_kernels import MOST_SEATS, AllInHands
from railbird.assessment.divat.any_game_kernels import against_all, count_seats, effective
from railbird.cards.isomorphism_kernels import COLUMN, index_of_3, index_of_4, index_of_5
from railbird.cards.tables import CARD_MASK, HOLDING_MASK
from railbird.game import kernels as at
from railbird.game.kernels import (
    act_if_allowed,
    begin_street,
    chips_below,
    copy,
    level_of,
    next_street,
)
from railbird.players.compiled_kernels import RankTables

SPACE = np.dtype(
    [
        ("hand", np.int64, (at.HEADER + at.STRIDE * MOST_SEATS,)),
        ("gamma", np.float64),
        ("bettable", np.float64, (4,)),
    ]
)
"""Scratch data of one thread: the engine's vector, and the conversion of ranks to beliefs."""

_FLOP_NOW, _TURN_NOW, _RIVER_NOW = 2162.0, 2070.0, 1980.0
_FLOP_END, _TURN_END = 1081.0 * 1980, 46.0 * 1980


@inline_kernel
def flop_rank(a: int, b: int, c: int, holding: int, bettable: float, tables: RankTables) -> float:
    """Return the effective hand rank on a flop."""
    board = index_of_3(a, b, c)
    place = np.int64(tables.flop_start[board]) + COLUMN[tables.flop_pattern[board], holding]
    now, later = tables.flop_ihr[place] / _FLOP_NOW, tables.flop_hr7[place] / _FLOP_END
    return effective(now, later, bettable, True)


@inline_kernel
def turn_rank(
    a: int, b: int, c: int, d: int, holding: int, bettable: float, tables: RankTables
) -> float:
    """Return the effective hand rank on a turn."""
    board = index_of_4(a, b, c, d)
    place = np.int64(tables.turn_start[board]) + COLUMN[tables.turn_pattern[board], holding]
    now, later = tables.turn_ihr[place] / _TURN_NOW, tables.turn_hr7[place] / _TURN_END
    return effective(now, later, bettable, False)


@inline_kernel
def river_rank(a: int, b: int, c: int, d: int, e: int, holding: int, tables: RankTables) -> float:
    """Return the rank on a complete board."""
    board = index_of_5(a, b, c, d, e)
    place = np.int64(tables.river_start[board]) + COLUMN[tables.river_pattern[board], holding]
    return float(tables.river_ihr[place] / _RIVER_NOW)


@uncounted_kernel
def mean_over_flops(
    holding: int, seen: np.uint64, others: int, space: np.ndarray, tables: RankTables
) -> float:
    """Return the mean estimated pot share over all flops without the cards of a mask."""
    total, flops = 0.0, 0
    for a in range(52):
        if seen & CARD_MASK[a]:
            continue
        for b in range(a):
            if seen & CARD_MASK[b]:
                continue
            for c in range(b):
                if seen & CARD_MASK[c]:
                    continue
                rank = flop_rank(c, b, a, holding, space[0]["bettable"][1], tables)
                total += against_all(rank, others, space[0]["gamma"])
                flops += 1
    return total / flops


@uncounted_kernel
def mean_over_cards(
    board: np.ndarray,
    street: int,
    holding: int,
    seen: np.uint64,
    others: int,
    space: np.ndarray,
    tables: RankTables,
) -> tuple[float, float, float]:
    """Return the mean of the estimate over unseen cards, and its second and third central moments.

    The street is the turn (2) or the river.
    """
    total, squares, cubes, cards = 0.0, 0.0, 0.0, 0
    for card in range(52):
        if seen & CARD_MASK[card]:
            continue
        share = guess(board, street, card, holding, others, space, tables)
        total += share
        squares += share * share
        cubes += share * share * share
        cards += 1
    return central(total / cards, squares / cards, cubes / cards)


@inline_kernel
def central(mean: float, square: float, cube: float) -> tuple[float, float, float]:
    """Return the mean and the central moments, from the first three moments."""
    return mean, square - mean * mean, cube - 3 * mean * square + 2 * mean * mean * mean


@uncounted_kernel
def guess(
    board: np.ndarray,
    street: int,
    card: int,
    holding: int,
    others: int,
    space: np.ndarray,
    tables: RankTables,
) -> float:
    """Return the estimated pot share on a street whose last card is ``card``."""
    a, b, c = board[0], board[1], board[2]
    if street == 1:
        rank = flop_rank(a, b, c, holding, space[0]["bettable"][1], tables)
    elif street == 2:
        rank = turn_rank(a, b, c, card, holding, space[0]["bettable"][2], tables)
    else:
        rank = river_rank(a, b, c, board[3], card, holding, tables)
    return against_all(rank, others, space[0]["gamma"])


@uncounted_kernel
def tabulate_flops(
    holdings: np.ndarray, space: np.ndarray, tables: RankTables, moments: np.ndarray
) -> None:
    """Fill ``moments`` (holdings, opponents, 3) of the estimate over all flops, except column 0.

    They are its mean and its second and third central moments. Each flop is looked up once for all
    numbers of opponents.
    """
    for k in range(len(holdings)):
        seen, flops = HOLDING_MASK[holdings[k]], 0
        for a in range(52):
            for b in range(a):
                for c in range(b):
                    if seen & (CARD_MASK[a] | CARD_MASK[b] | CARD_MASK[c]):
                        continue
                    rank = flop_rank(c, b, a, holdings[k], space[0]["bettable"][1], tables)
                    for others in range(1, moments.shape[1]):
                        share = against_all(rank, others, space[0]["gamma"])
                        moments[k, others, 0] += share
                        moments[k, others, 1] += share * share
                        moments[k, others, 2] += share * share * share
                    flops += 1
        for others in range(1, moments.shape[1]):
            mean, square = moments[k, others, 0] / flops, moments[k, others, 1] / flops
            mean, square, cube = central(mean, square, moments[k, others, 2] / flops)
            moments[k, others, 0] = mean
            moments[k, others, 1] = square
            moments[k, others, 2] = cube


@uncounted_kernel
def to_deal(hand: np.ndarray, hands: AllInHands, j: int, end: int) -> int:
    """Play from action ``j`` on to the next deal of the board; return the action after, or -1."""
    while hand[at.PHASE] == at.BETTING_ROUND and j < end:
        act_if_allowed(hand, hands.action[j])
        j += 1
    return j if hand[at.PHASE] == at.DEALING_BOARD else -1


@uncounted_kernel
def own_luck(
    first: int,
    end: int,
    hands: AllInHands,
    class_of: np.ndarray,
    percentile: np.ndarray,
    deal_mean: np.ndarray,
    flop_moments: np.ndarray,
    tables: RankTables,
    space: np.ndarray,
    luck: np.ndarray,
    moments: np.ndarray,
) -> None:
    """Fill ``luck`` (hands, 4, seats): by the deal, the flop, the turn and the river; in chips.

    ``moments`` (hands, 4, seats, 2) are the second and third ones of the luck of the boards, over
    the cards that could have come. Zero for seats that have folded or whose cards are unknown.
    ``deal_mean`` (opponents,) is the mean estimate over all holdings, ``flop_moments`` (classes,
    opponents, 3) is of `tabulate_flops`.
    """
    hand = space[0]["hand"][:]  # a plain array, for which the engine is compiled anyway
    for i in range(first, end):
        opened = hands.opened[hands.rules_of[i]]
        seats = opened[at.SEATS]
        length = at.HEADER + at.STRIDE * seats
        copy(opened, hand, length)
        board = hands.board[i]
        for seat in range(seats):
            holding = int(hands.holding[i, seat])
            if holding >= 0:
                share = against_all(percentile[holding], seats - 1, space[0]["gamma"])
                luck[i, 0, seat] = hand[at.POT] * (share - deal_mean[seats - 1])
        begin_street(hand)
        j = to_deal(hand, hands, hands.start[i], hands.start[i + 1])
        while j >= 0:
            street = hand[at.STREET] + 1
            others = count_seats(hand[at.ALIVE]) - 1
            for seat in range(seats):
                holding = int(hands.holding[i, seat])
                if holding < 0 or hand[at.ALIVE] >> seat & 1 == 0:
                    continue
                card = board[street + 1]
                now = guess(board, street, card, holding, others, space, tables)
                if street == 1:
                    mean = flop_moments[class_of[holding], others, 0]
                    square = flop_moments[class_of[holding], others, 1]
                    cube = flop_moments[class_of[holding], others, 2]
                else:
                    seen = HOLDING_MASK[holding]
                    for c in range(street + 1):
                        seen |= CARD_MASK[board[c]]
                    mean, square, cube = mean_over_cards(
                        board, street, holding, seen, others, space, tables
                    )
                # Only the part of the pot that the seat can win is at stake for it.
                pot = chips_below(hand, level_of(hand, seat))
                luck[i, street, seat] = pot * (now - mean)
                moments[i, street, seat, 0] = square * pot * pot
                moments[i, street, seat, 1] = cube * pot * pot * pot
            next_street(hand)
            begin_street(hand)
            j = to_deal(hand, hands, j, hands.start[i + 1])


@uncounted_kernel
def own_bias(
    first: int,
    end: int,
    hands: AllInHands,
    class_of: np.ndarray,
    flop_moments: np.ndarray,
    tables: RankTables,
    space: np.ndarray,
    bias: np.ndarray,
) -> None:
    """Fill ``bias`` (hands, 4, seats): the mean of the luck of `own_luck`, in chips.

    All cards dealt are known. Given them and the betting, the cards to come are uniform over those
    that nobody holds; the bias is the mean over these less the one that the player subtracts.
    """
    hand = space[0]["hand"][:]  # a plain array, for which the engine is compiled anyway
    for i in range(first, end):
        opened = hands.opened[hands.rules_of[i]]
        seats = opened[at.SEATS]
        length = at.HEADER + at.STRIDE * seats
        copy(opened, hand, length)
        board = hands.board[i]
        held = np.uint64(0)
        for seat in range(seats):
            held |= HOLDING_MASK[hands.holding[i, seat]]
        begin_street(hand)
        j = to_deal(hand, hands, hands.start[i], hands.start[i + 1])
        while j >= 0:
            street = hand[at.STREET] + 1
            others = count_seats(hand[at.ALIVE]) - 1
            laid = np.uint64(0)
            if street > 1:
                for c in range(street + 1):
                    laid |= CARD_MASK[board[c]]
            for seat in range(seats):
                if hand[at.ALIVE] >> seat & 1 == 0:
                    continue
                holding = int(hands.holding[i, seat])
                if street == 1:
                    seen = flop_moments[class_of[holding], others, 0]
                    left = mean_over_flops(holding, held, others, space, tables)
                else:
                    own = laid | HOLDING_MASK[holding]
                    seen = mean_over_cards(board, street, holding, own, others, space, tables)[0]
                    own = laid | held
                    left = mean_over_cards(board, street, holding, own, others, space, tables)[0]
                pot = chips_below(hand, level_of(hand, seat))
                bias[i, street, seat] = pot * (left - seen)
            next_street(hand)
            begin_street(hand)
            j = to_deal(hand, hands, j, hands.start[i + 1])
