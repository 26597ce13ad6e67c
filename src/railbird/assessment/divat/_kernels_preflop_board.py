"""Ranks and classes of all holdings on one four-card board, laid out for the table builder.

In every array the last axis is the holding, padded to `LANES` so that loops over it need no
remainder. A dead lane (of padding, or of a holding that shares a card with the board) has zero
weight in showdowns and the class Call, which neither bets nor folds; so its values come out as zero
and the inner loops need no branch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel
from railbird.baseline._kernels_baseline import class_of_rank, flop_rank, turn_rank
from railbird.baseline.policy import Cutoffs
from railbird.cards.hand_strength._kernels_evaluator import (
    CARD_KEY,
    CARD_MASK,
    HOLDING_KEY,
    HOLDING_MASK,
    strength_of_key,
)
from railbird.cards.isomorphism._kernels_isomorphism import (
    extension_indices,
    index_of_3,
    index_of_4,
)
from railbird.cards.isomorphism._tables_columns import COLUMN
from railbird.odds.tables._kernels_ranking import key_of, mask_of

HOLDINGS = 1326
LANES = 1344
"""Holdings, padded to whole vectors."""

RIVERS = 48
"""Cards that are not among the four."""

MOST = (4, 8, 16)
"""The most that either player can have put in before flop, turn and river, in small bets."""

OUTCOMES = 4
"""Largest number of outcomes of a round between one class and all others."""

SIGN_UNIT = np.int16(512)
"""One 16-bit sum holds sum(s) * 512 + sum(s * level): |sum(s * level)| <= 46 * 4 < 256."""

CALL = 1
"""The class that neither bets nor folds, see `railbird.baseline.BaselineClass`."""

_OTHERS = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])
"""By the place of the turn among the four cards, the places of the flop."""


class Plan(NamedTuple):
    """Outcomes of the rounds after the flop; classes are numbered as in `railbird.baseline`."""

    levels: np.ndarray
    """(shapes, 6) int16: bets on the river by the second player's class, Fold playing as Call."""
    shape_of: np.ndarray
    """(6,) int64: the shape that belongs to the class of the player who acts first."""
    cuts: np.ndarray
    """(2, 6, 3) int16: by order (0 to act first, 1 second) and class of a holding, from which
    classes of the opponent on the second, third and fourth outcome come about; 6 for never."""
    bets: np.ndarray
    """(2, 6, 4) int64: bets that both put in, by outcome; -1 if one of them folds."""
    groups: np.ndarray
    """(groups, 2) int64: first and last of the contributions before the river that share all
    river classes but Fold and Call."""
    make: np.ndarray
    """(groups, 4) int64: a river rank not below this is worth one to four bets."""
    cutoffs: Cutoffs
    """Those of the settings."""


class Ranks(NamedTuple):
    """The hand-rank tables after the flop, laid out as in `railbird.odds.Tables`."""

    flop_start: np.ndarray
    flop_pattern: np.ndarray
    flop_ihr: np.ndarray
    flop_hr7: np.ndarray
    turn_start: np.ndarray
    turn_pattern: np.ndarray
    turn_ihr: np.ndarray
    turn_hr7: np.ndarray
    river_start: np.ndarray
    river_pattern: np.ndarray
    river_ihr: np.ndarray


class Board(NamedTuple):
    """A board, filled by `place`."""

    flop_class: np.ndarray
    """(20, lanes) int16: classes by 4 * contribution + place of the turn among the cards."""
    turn_class: np.ndarray
    """(9, lanes) int16: classes by contribution."""
    dead: np.ndarray
    """(48, lanes) bool: by river."""
    strength: np.ndarray
    """(48, lanes) int16."""
    river_class: np.ndarray
    """(groups, 48, lanes) int8: classes, Fold as Call."""
    bets: np.ndarray
    """(groups, 48, lanes) int8: 1 for a class above Call."""
    last_fold: np.ndarray
    """(groups, 48, lanes) int8: the group's largest contribution with which it folds, or 0."""
    ahead: np.ndarray
    """(groups, 48) bool: some hand that folds is not behind some hand that bets."""
    weight: np.ndarray
    """(groups, shapes, 48, lanes) int16: `SIGN_UNIT` + level, or 0 for a dead lane."""


def new_board(groups: int, shapes: int) -> Board:
    """Allocate working memory for one board after another."""
    river = (groups, RIVERS, LANES)
    return Board(
        flop_class=np.full((4 * MOST[0] + 4, LANES), CALL, dtype=np.int16),
        turn_class=np.full((MOST[1] + 1, LANES), CALL, dtype=np.int16),
        dead=np.ones((RIVERS, LANES), dtype=np.bool_),
        strength=np.zeros((RIVERS, LANES), dtype=np.int16),
        river_class=np.full(river, CALL, dtype=np.int8),
        bets=np.zeros(river, dtype=np.int8),
        last_fold=np.zeros(river, dtype=np.int8),
        ahead=np.zeros((groups, RIVERS), dtype=np.bool_),
        weight=np.zeros((groups, shapes, RIVERS, LANES), dtype=np.int16),
    )


@kernel
def _place_flops(cards: np.ndarray, ranks: Ranks, cutoffs: Cutoffs, board: Board) -> None:
    used = mask_of(cards)
    for turn in range(4):
        x, y, z = _OTHERS[turn]
        index = index_of_3(cards[x], cards[y], cards[z])
        columns = COLUMN[ranks.flop_pattern[index]]
        ihr = ranks.flop_ihr[ranks.flop_start[index] :]
        hr7 = ranks.flop_hr7[ranks.flop_start[index] :]
        for holding in range(HOLDINGS):
            if HOLDING_MASK[holding] & used != 0:
                board.flop_class[:, holding] = CALL
                continue
            column = columns[holding]
            rank = int(flop_rank(ihr[column], hr7[column], cutoffs.bettable[1]))
            for c in range(1, MOST[0] + 1):
                own = class_of_rank(rank, 1, c, cutoffs.make, cutoffs.fold)
                board.flop_class[4 * c + turn, holding] = own


@kernel
def _place_turn(cards: np.ndarray, ranks: Ranks, cutoffs: Cutoffs, board: Board) -> None:
    used = mask_of(cards)
    index = index_of_4(cards[0], cards[1], cards[2], cards[3])
    columns = COLUMN[ranks.turn_pattern[index]]
    ihr = ranks.turn_ihr[ranks.turn_start[index] :]
    hr7 = ranks.turn_hr7[ranks.turn_start[index] :]
    for holding in range(HOLDINGS):
        if HOLDING_MASK[holding] & used != 0:
            board.turn_class[:, holding] = CALL
            continue
        column = columns[holding]
        rank = int(turn_rank(ihr[column], hr7[column], cutoffs.bettable[2]))
        for c in range(1, MOST[1] + 1):
            own = class_of_rank(rank, 2, c, cutoffs.make, cutoffs.fold)
            board.turn_class[c, holding] = own


@kernel
def _place_strengths(river: int, key: np.uint64, mask: np.uint64, board: Board) -> None:
    """Rank the holdings; ``key`` and ``mask`` are those of the five cards."""
    for holding in range(HOLDINGS):
        dead = HOLDING_MASK[holding] & mask != 0
        board.dead[river, holding] = dead
        if not dead:
            board.strength[river, holding] = strength_of_key(
                key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding]
            )


@kernel
def _place_river(
    river: int, group: int, ihr: np.ndarray, columns: np.ndarray, plan: Plan, board: Board
) -> None:
    first, last = plan.groups[group]
    best_fold, worst_bet = -1, 1 << 14
    for holding in range(HOLDINGS):
        own, last_fold = CALL, 0
        if not board.dead[river, holding]:
            rank = np.int64(ihr[columns[holding]])
            for bets in range(4):
                own += rank >= plan.make[group, bets]
            for c in range(first, last + 1):
                if rank < plan.cutoffs.fold[3, c]:
                    last_fold = c
            if last_fold > 0:
                best_fold = max(best_fold, board.strength[river, holding])
            if own > CALL:
                worst_bet = min(worst_bet, board.strength[river, holding])
        board.river_class[group, river, holding] = own
        board.bets[group, river, holding] = own > CALL
        board.last_fold[group, river, holding] = last_fold
    board.ahead[group, river] = best_fold >= worst_bet
    for shape in range(plan.levels.shape[0]):
        for holding in range(HOLDINGS):
            level = plan.levels[shape, board.river_class[group, river, holding]]
            weight = np.int16(0) if board.dead[river, holding] else SIGN_UNIT + level
            board.weight[group, shape, river, holding] = weight


@kernel
def place(cards: np.ndarray, ranks: Ranks, plan: Plan, board: Board) -> None:
    """Fill ``board`` for four ascending ``cards``, (4,) uint8."""
    _place_flops(cards, ranks, plan.cutoffs, board)
    _place_turn(cards, ranks, plan.cutoffs, board)
    indices = np.empty(52, dtype=np.int32)
    extension_indices(cards, indices)
    key, mask = key_of(cards), mask_of(cards)
    river = 0
    for card in range(52):
        if indices[card] < 0:
            continue
        columns = COLUMN[ranks.river_pattern[indices[card]]]
        ihr = ranks.river_ihr[ranks.river_start[indices[card]] :]
        _place_strengths(river, key + CARD_KEY[card], mask | CARD_MASK[card], board)
        for group in range(plan.groups.shape[0]):
            _place_river(river, group, ihr, columns, plan, board)
        river += 1
