"""The exact worth of calling a bet against an opponent that always bets, board by board, in limit.

The opponent's holding is uniform, so a rank on the river is the probability of winning. A hand that
may fold does not raise an opponent who always bets and raises. It calls, and on later streets folds
to the next bet if that is a safe fold.
"""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel, uncounted_kernel
from railbird.assessment.own_luck_kernels import flop_rank, river_rank, turn_rank
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits
from railbird.cards.tables import CARD_MASK, HOLDING_INDEX, HOLDING_MASK
from railbird.game.kernels import below
from railbird.players.compiled_kernels import RankTables

SMALL = 1.0
BIG = 2.0


@uncounted_kernel
def call_on_turn(
    board: np.ndarray, holding: int, pot: float, bet: float, river_offset: float, tables: RankTables
) -> float:
    """Worth of calling ``bet`` on the turn into ``pot`` before it, then the river as it comes."""
    seen = HOLDING_MASK[holding]
    for i in range(4):
        seen |= CARD_MASK[board[i]]
    after = pot + 2 * bet
    threshold = BIG / (after + BIG) + river_offset
    total, rivers = 0.0, 0
    for card in range(52):
        if seen & CARD_MASK[card]:
            continue
        rank = river_rank(board[0], board[1], board[2], board[3], card, holding, tables)
        if rank >= threshold:
            total += rank * (after + 2 * BIG) - BIG
        rivers += 1
    return total / rivers - bet


@uncounted_kernel
def call_on_flop(
    board: np.ndarray,
    holding: int,
    pot: float,
    bet: float,
    bettable: float,
    turn_offset: float,
    tables: RankTables,
) -> float:
    """Worth of calling ``bet`` on the flop, then turn and river as they come."""
    seen = HOLDING_MASK[holding]
    for i in range(3):
        seen |= CARD_MASK[board[i]]
    after = pot + 2 * bet
    threshold = BIG / (after + BIG) + turn_offset
    total, turns = 0.0, 0
    for card in range(52):
        if seen & CARD_MASK[card]:
            continue
        board[3] = card
        rank = turn_rank(board[0], board[1], board[2], card, holding, bettable, tables)
        if rank >= threshold:
            total += call_on_turn(board, holding, after, BIG, 0.0, tables)
        turns += 1
    return total / turns - bet


@kernel
def sample_calls(
    first: int,
    end: int,
    street: int,
    pots: np.ndarray,
    bettable: np.ndarray,
    turn_offset: float,
    key: np.uint64,
    tables: RankTables,
    margin: np.ndarray,
    odds: np.ndarray,
    worth: np.ndarray,
) -> None:
    """Draw situations; write what a call wins, and how far the rank lies above two thresholds.

    ``street`` is 1 or 2; ``pots`` are drawn from, in small bets before the bet. ``margin`` is the
    rank less bet / (pot + bet), ``odds`` that less the pot odds, bet / (pot + 2 bet).
    """
    deck = np.empty(52, dtype=np.uint8)
    for i in range(first, end):
        state = mixed_bits(key + np.uint64(i) * GOLDEN)
        for card in range(52):
            deck[card] = card
        for k in range(6):
            state += GOLDEN
            j = k + np.int64(below(mixed_bits(state), np.uint64(52 - k)))
            card = deck[j]
            deck[j] = deck[k]
            deck[k] = card
        state += GOLDEN
        pot = pots[np.int64(below(mixed_bits(state), np.uint64(len(pots))))]
        holding = int(HOLDING_INDEX[deck[4], deck[5]])
        board = deck[:4]
        if street == 1:
            rank = flop_rank(board[0], board[1], board[2], holding, bettable[1], tables)
            margin[i] = rank - SMALL / (pot + SMALL)
            odds[i] = rank - SMALL / (pot + 2 * SMALL)
            worth[i] = call_on_flop(board, holding, pot, SMALL, bettable[2], turn_offset, tables)
        else:
            rank = turn_rank(board[0], board[1], board[2], board[3], holding, bettable[2], tables)
            margin[i] = rank - BIG / (pot + BIG)
            odds[i] = rank - BIG / (pot + 2 * BIG)
            worth[i] = call_on_turn(board, holding, pot, BIG, 0.0, tables)
