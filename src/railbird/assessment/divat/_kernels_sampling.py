"""Values before the flop by sampling: random boards, each played out by the baseline.

Boards depend only on the seed and the two holdings, in either order: the same hands always get the
same sample, and values for several contributions, or from the other seat, share their boards
(common random numbers). DIVAT takes differences of such values, and the variance of that between
one and two small bets is a sixth of what independent samples would give.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.assessment.divat._kernels_rollout import BaselineArrays, Ranks, place_in
from railbird.baseline._kernels_baseline import (
    Integer,
    class_of_rank,
    flop_rank,
    play_on,
    turn_rank,
)
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.cards.isomorphism._kernels_isomorphism import index_of_3, index_of_4, index_of_5

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@inline_kernel
def _mixed(state: np.uint64) -> np.uint64:
    """Output function of SplitMix64 (Steele, Lea, Flood 2014)."""
    z = (state ^ (state >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@inline_kernel
def _below(bits: np.uint64, n: int) -> np.uint64:
    """Map 64 random bits to 0..n-1 without division; the bias of 2**-26 is far below any error."""
    return ((bits >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)


@kernel
def _draw(state: np.uint64, gone: np.uint64, deck: np.ndarray, cards: np.ndarray) -> np.uint64:
    """Draw ``cards`` from the deck without the cards of the mask ``gone``; return the new state.

    ``deck`` (52,) uint8 is scratch.
    """
    left = 0
    for card in range(52):
        if not gone & CARD_MASK[card]:
            deck[left] = card
            left += 1
    for i in range(cards.size):
        state += _STEP
        j = _below(_mixed(state), left)
        left -= 1
        cards[i] = deck[j]
        deck[j] = deck[left]
    return state


class Sample(NamedTuple):
    """Boards for two holdings; `_add_board` finds where a board's ranks are, `_rank` reads them.

    In two passes, so that the processor has many loads under way at once.
    """

    sign: np.ndarray
    """(n,) int64: who wins, 1 for the first holding."""
    place: np.ndarray
    """(n, 3, 2) uint32 by board, street after the flop and holding: place in the flat tables."""
    rank: np.ndarray
    """(3, 2) int64: both effective hand ranks by street on one board."""


@kernel
def _new_sample(n: int) -> Sample:
    return Sample(np.empty(n, np.int64), np.empty((n, 3, 2), np.uint32), np.empty((3, 2), np.int64))


@kernel
def _add_board(
    i: int, board: np.ndarray, first: Integer, second: Integer, ranks: Ranks, sample: Sample
) -> None:
    flop = index_of_3(board[0], board[1], board[2])
    turn = index_of_4(board[0], board[1], board[2], board[3])
    river = index_of_5(board[0], board[1], board[2], board[3], board[4])
    for player in range(2):
        holding = second if player else first
        sample.place[i, 0, player] = place_in(ranks.flop_class, flop, holding)
        sample.place[i, 1, player] = place_in(ranks.turn_class, turn, holding)
        sample.place[i, 2, player] = place_in(ranks.river_class, river, holding)
    key, mask = np.uint64(0), np.uint64(0)
    for card in board:
        key += CARD_KEY[card]
        mask |= CARD_MASK[card]
    one = strength_of_key(key + HOLDING_KEY[first], mask | HOLDING_MASK[first])
    two = strength_of_key(key + HOLDING_KEY[second], mask | HOLDING_MASK[second])
    sample.sign[i] = np.int64(one > two) - np.int64(one < two)


@kernel
def _rank(i: int, ranks: Ranks, policy: BaselineArrays, sample: Sample) -> None:
    place, rank = sample.place, sample.rank
    for player in range(2):
        flop, turn = place[i, 0, player], place[i, 1, player]
        rank[0, player] = flop_rank(ranks.flop_ihr[flop], ranks.flop_hr7[flop], policy.bettable[1])
        rank[1, player] = turn_rank(ranks.turn_ihr[turn], ranks.turn_hr7[turn], policy.bettable[2])
        rank[2, player] = ranks.river_ihr[place[i, 2, player]]


@kernel
def _play_out(
    contribution: Integer, first: int, rank: np.ndarray, sign: Integer, policy: BaselineArrays
) -> np.int64:
    """Player 1's result if the baseline plays flop, turn and river.

    ``first`` is player 1's column of ``rank``; ``sign`` is 1 if column 0 wins the showdown.
    """
    stake = np.int64(contribution)
    for street in range(1, 4):
        one, two = rank[street - 1, first], rank[street - 1, 1 - first]
        one_class = class_of_rank(one, street, stake, policy.make, policy.fold)
        two_class = class_of_rank(two, street, stake, policy.make, policy.fold)
        folded_by = policy.folded_by[one_class, two_class]
        if folded_by >= 0:
            return stake if folded_by else -stake
        stake += policy.level[one_class, two_class] * (1 if street < 2 else 2)
    return -stake * sign if first else stake * sign


@kernel
def sample_values(
    start: int,
    stop: int,
    first: np.ndarray,
    second: np.ndarray,
    contribution: np.ndarray,
    samples: int,
    seed: np.uint64,
    ranks: Ranks,
    policy: BaselineArrays,
    value: np.ndarray,
    covariance: np.ndarray,
) -> None:
    """Fill the values of pairs ``start`` to ``stop`` and the covariance of these estimates.

    ``first`` and ``second`` (n,) int16 holdings of players 1 and 2; ``contribution`` (n, k) int16
    small bets of each player before the flop; ``value`` (n, k), ``covariance`` (n, k, k).
    """
    k = contribution.shape[1]
    deck = np.empty(52, np.uint8)
    board = np.empty(5, np.uint8)
    sample = _new_sample(samples)
    result = np.empty(k, np.int64)
    total = np.empty(k, np.int64)
    products = np.empty((k, k), np.int64)
    for pair in range(start, stop):
        mine, other = np.int64(first[pair]), np.int64(second[pair])
        low, high = min(mine, other), max(mine, other)
        state = _mixed(seed + _STEP * np.uint64(low * 1326 + high + 1))
        gone = HOLDING_MASK[mine] | HOLDING_MASK[other]
        total[:] = 0
        products[:] = 0
        for i in range(samples):
            state = _draw(state, gone, deck, board)
            _add_board(i, board, mine, other, ranks, sample)
        for i in range(samples):
            _rank(i, ranks, policy, sample)
            for j in range(k):
                result[j] = _play_out(contribution[pair, j], 0, sample.rank, sample.sign[i], policy)
                total[j] += result[j]
                for other_j in range(j + 1):
                    products[j, other_j] += result[j] * result[other_j]
        for i in range(k):
            value[pair, i] = total[i] / samples
            for j in range(i + 1):
                mean = products[i, j] / samples - (total[i] / samples) * (total[j] / samples)
                covariance[pair, i, j] = mean / (samples - 1)
                covariance[pair, j, i] = mean / (samples - 1)


@kernel
def sample_position(
    start: int,
    stop: int,
    seed: np.uint64,
    classes: np.ndarray,
    ranks: Ranks,
    policy: BaselineArrays,
) -> tuple[float, float]:
    """Play deals ``start`` to ``stop`` by the baseline, each from both seats.

    ``classes`` (1326,) int8 are the holdings' classes before the flop. Returns the sum and the sum
    of squares of what the two seatings of a deal bring player 1 on average.
    """
    deck = np.empty(52, np.uint8)
    cards = np.empty(9, np.uint8)
    sample = _new_sample(1)
    holding = np.empty(2, np.int64)
    total = squares = 0.0
    for deal in range(start, stop):
        _draw(_mixed(seed + _STEP * np.uint64(deal + 1)), np.uint64(0), deck, cards)
        for player in range(2):
            low = min(cards[5 + 2 * player], cards[6 + 2 * player])
            high = max(cards[5 + 2 * player], cards[6 + 2 * player])
            holding[player] = np.int64(high) * (np.int64(high) - 1) // 2 + low
        _add_board(0, cards[:5], holding[0], holding[1], ranks, sample)
        _rank(0, ranks, policy, sample)
        both = 0.0
        for seat in range(2):
            one, two = classes[holding[seat]], classes[holding[1 - seat]]
            level, folded_by = play_on(one, two, 1, 1, True, False)
            if folded_by >= 0:
                lost = level if level else 0.5
                both += lost if folded_by else -lost
            else:
                both += _play_out(level, seat, sample.rank, sample.sign[0], policy)
        total += both / 2
        squares += both * both / 4
    return total, squares
