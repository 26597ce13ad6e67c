"""Flops that a simple rule finds not worth a bet: no pair, no draw, no overcards."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDING_CARDS
from railbird.cards.isomorphism.boards import board_classes

_RANKS = 13
_FOUR = 4
_ACE_LOW = 1 << 12 | 0b1111
_STRAIGHTS = (_ACE_LOW, *(0b11111 << low for low in range(_RANKS - 4)))

_IN_A_ROW = (1 << 12 | 0b111, *(0b1111 << low for low in range(_RANKS - 3)))


def share_without_hope(*, gutshots: bool = True) -> float:
    """Return the share of all hole cards and flops that the rule finds not worth a bet.

    A draw has four cards of a suit or within a straight, at least one of them in the hole;
    overcards are two, both above the flop. Without ``gutshots`` the four of a straight draw must
    follow one another.
    """
    flops = board_classes(3)
    board = flops.representative.astype(np.int64)
    holes = HOLDING_CARDS.astype(np.int64)
    hole_ranks, board_ranks = _bits(holes // 4), _bits(board // 4)
    possible = np.ones((len(board), len(holes)), dtype=bool)
    for card in board.T:
        possible &= (holes != card[:, np.newaxis, np.newaxis]).all(axis=2)
    pocket = holes[:, 0] // 4 == holes[:, 1] // 4
    hope = pocket | ((board_ranks[:, np.newaxis] & hole_ranks) != 0)
    for suit in range(4):
        held = (holes % 4 == suit).sum(axis=1)
        shown = (board % 4 == suit).sum(axis=1)
        hope |= (held > 0) & (shown[:, np.newaxis] + held >= _FOUR)
    both = board_ranks[:, np.newaxis] | hole_ranks
    new = hole_ranks & ~board_ranks[:, np.newaxis]
    for straight in _STRAIGHTS if gutshots else _IN_A_ROW:
        hope |= (np.bitwise_count(both & straight) >= _FOUR) & ((new & straight) != 0)
    hope |= (holes // 4).min(axis=1) > (board // 4).max(axis=1)[:, np.newaxis]
    weights = flops.orbit.astype(np.float64)
    return float(weights @ (possible & ~hope).sum(axis=1) / (weights @ possible.sum(axis=1)))


def _bits(ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    bits: npt.NDArray[np.int64] = np.bitwise_or.reduce(1 << ranks, axis=1)
    return bits
