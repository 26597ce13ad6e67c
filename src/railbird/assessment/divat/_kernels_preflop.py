"""Values of all pairs of holdings over all boards, one four-card board at a time.

Kan (2007, section 3.2) needed "a large number of processors and a week of computational time" for
such a table; this takes a quarter of an hour of one thread.

Flop and turn together are four unordered cards, any of which may be the turn, so each of the 16,432
classes of such boards is visited once and serves its four flops. On a board one holding at a time
plays against all others, side by side in 16-bit lanes: going pair by pair would look every rank up
a thousand times. All sums are whole small bets.

A round is decided by the two classes, and between one class and all others it has at most four
outcomes, in order of the opponent's class (`Plan`); so no betting rule is repeated here. The river
is a special case because there are 48 of them. With s the sign of the showdown, a river reached
with c small bets each is worth s * (c + 2 * level) if nobody folds, so one sum of s and one of s *
level serve every c. A fold, to one bet, replaces s * (c + 2) by -c. Nearly always the hand that
folds is behind, s = -1, and wins back 2; what is missing, (c + 2) * (1 + s), is kept apart for the
few settings and boards where it is not zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel
from railbird.assessment.divat._kernels_preflop_board import (
    HOLDINGS,
    LANES,
    MOST,
    RIVERS,
    SIGN_UNIT,
    Board,
    Plan,
    Ranks,
    place,
)
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.cards.isomorphism._kernels_isomorphism import CARD_UNDER, HOLDING_UNDER
from railbird.odds.tables._kernels_ranking import mask_of

_FOLD, _TOP_CLASS = 0, 5
_FIRST, _SECOND = 0, 1
_RUNOUTS = 44
"""Rivers for two holdings and a turn."""


class PairRow(NamedTuple):
    """Sums for one holding against all others on one board."""

    signs: np.ndarray
    """(lanes,) int16: sum of s over the rivers."""
    levels: np.ndarray
    """(groups, lanes) int16: sum of 2 * s * level, a bet on the river being two small bets."""
    folds: np.ndarray
    """(17, lanes) int8: rivers on which it folds, by contribution before the river."""
    missing: np.ndarray
    """(17, lanes) int8: sum of 1 + s over these rivers."""
    won_back: np.ndarray
    """(17, lanes) int16: value of these folds; row 0 is for `_play`."""
    river: np.ndarray
    """(17, lanes) int16: values by contribution before the river; row 0 is for `_play`."""
    turn: np.ndarray
    """(9, lanes) int16: values by contribution before the turn; row 0 is for `_play`."""
    flop: np.ndarray
    """(5, lanes) int16: values by contribution before the flop, summed over the four flops."""


def new_row(groups: int) -> PairRow:
    """Allocate working memory for one row after another."""
    flop, turn, river = MOST
    return PairRow(
        signs=np.zeros(LANES, dtype=np.int16),
        levels=np.zeros((groups, LANES), dtype=np.int16),
        folds=np.zeros((river + 1, LANES), dtype=np.int8),
        missing=np.zeros((river + 1, LANES), dtype=np.int8),
        won_back=np.zeros((river + 1, LANES), dtype=np.int16),
        river=np.zeros((river + 1, LANES), dtype=np.int16),
        turn=np.zeros((turn + 1, LANES), dtype=np.int16),
        flop=np.zeros((flop + 1, LANES), dtype=np.int16),
    )


@inline_kernel
def _sign(own: np.int16, other: np.int16) -> np.int16:
    return np.int16(min(max(np.int16(own - other), np.int16(-1)), np.int16(1)))


@kernel
def _sum_showdowns(holding: int, plan: Plan, board: Board, row: PairRow) -> None:
    """Fill ``row.signs`` and ``row.levels``; the holding is first to act."""
    for group in range(row.levels.shape[0]):
        for j in range(LANES):
            row.levels[group, j] = 0
        for river in range(RIVERS):
            if board.dead[river, holding]:
                continue
            own = board.strength[river, holding]
            shape = plan.shape_of[board.river_class[group, river, holding]]
            for j in range(LANES):
                sign = _sign(own, board.strength[river, j])
                row.levels[group, j] += np.int16(sign * board.weight[group, shape, river, j])
        for j in range(LANES):
            packed = row.levels[group, j]
            signs = np.int16(np.int16(packed + SIGN_UNIT // 2) // SIGN_UNIT)
            row.signs[j] = signs
            row.levels[group, j] = 2 * np.int16(packed - np.int16(signs * SIGN_UNIT))


@kernel
def _count_folds(holding: int, plan: Plan, board: Board, row: PairRow) -> bool:
    """Fill ``row.won_back``; return whether the holding ever folds on the river."""
    any_folds, any_missing = False, False
    for group in range(plan.groups.shape[0]):
        for river in range(RIVERS):
            if board.last_fold[group, river, holding] > 0:
                any_folds = True
                any_missing |= board.ahead[group, river]
    if not any_folds:
        return False
    row.folds[:] = 0
    row.missing[:] = 0
    for group in range(plan.groups.shape[0]):
        for river in range(RIVERS):
            c = board.last_fold[group, river, holding]
            if c > 0:
                for j in range(LANES):
                    row.folds[c, j] += board.bets[group, river, j]
            if c > 0 and board.ahead[group, river]:
                own = board.strength[river, holding]
                for j in range(LANES):
                    sign = _sign(own, board.strength[river, j])
                    row.missing[c, j] += board.bets[group, river, j] * (1 + sign)
        first, last = plan.groups[group]
        for c in range(last - 1, first - 1, -1):
            # Whoever folds a pot folds the smaller ones too.
            for j in range(LANES):
                row.folds[c, j] += row.folds[c + 1, j]
            if any_missing:
                for j in range(LANES):
                    row.missing[c, j] += row.missing[c + 1, j]
    for c in range(1, row.won_back.shape[0]):
        for j in range(LANES):
            row.won_back[c, j] = 2 * np.int16(row.folds[c, j])
        if any_missing:
            for j in range(LANES):
                row.won_back[c, j] -= np.int16(np.int16(c + 2) * np.int16(row.missing[c, j]))
    return True


@kernel
def _sum_rivers(plan: Plan, row: PairRow, any_folds: bool) -> None:
    """Fill ``row.river``: the holding's result over all rivers, without the others' folds."""
    for group in range(plan.groups.shape[0]):
        for c in range(plan.groups[group, 0], plan.groups[group, 1] + 1):
            stake = np.int16(c)
            for j in range(LANES):
                row.river[c, j] = np.int16(stake * row.signs[j]) + row.levels[group, j]
            if any_folds:
                for j in range(LANES):
                    row.river[c, j] += row.won_back[c, j]


@inline_kernel
def _play(
    own: int,
    contribution: int,
    bet: int,
    forfeit: int,
    cuts: np.ndarray,
    bets: np.ndarray,
    classes: np.ndarray,
    which: int,
    values: np.ndarray,
    out: np.ndarray,
) -> None:
    """Add the outcome of a round to a row of ``out``: rows of ``values``, or the forfeit of a fold.

    ``own`` is the holding's class and ``classes[which]`` are the others'. Rows of ``out`` are
    contributions before the round, those of ``values`` after it, and row 0 takes the forfeit.
    """
    cut1, cut2, cut3 = cuts[own, 0], cuts[own, 1], cuts[own, 2]
    row0 = contribution + bet * bets[own, 0] if bets[own, 0] >= 0 else 0
    row1 = contribution + bet * bets[own, 1] if bets[own, 1] >= 0 else 0
    row2 = contribution + bet * bets[own, 2] if bets[own, 2] >= 0 else 0
    row3 = contribution + bet * bets[own, 3] if bets[own, 3] >= 0 else 0
    won = np.int16(-forfeit if own == _FOLD else forfeit)
    for j in range(LANES):
        values[0, j] = won
    if cut2 > _TOP_CLASS:
        for j in range(LANES):
            value0, value1 = values[row0, j], values[row1, j]
            out[contribution, j] += value0 if classes[which, j] < cut1 else value1
    else:
        for j in range(LANES):
            value0, value1 = values[row0, j], values[row1, j]
            value2, value3 = values[row2, j], values[row3, j]
            value = value0 if classes[which, j] < cut1 else value1
            value = value if classes[which, j] < cut2 else value2
            value = value if classes[which, j] < cut3 else value3
            out[contribution, j] += value


@kernel
def _play_turns(
    holding: int,
    runouts: int,
    cuts: np.ndarray,
    bets: np.ndarray,
    classes: np.ndarray,
    values: np.ndarray,
    turn: np.ndarray,
) -> None:
    """Fill ``turn`` from the ``values`` on the river."""
    turn[:] = 0
    for c in range(1, turn.shape[0]):
        own = classes[c, holding]
        _play(own, c, 2, c * runouts, cuts, bets, classes, c, values, turn)


@kernel
def _play_flops(
    holding: int,
    runouts: int,
    cuts: np.ndarray,
    bets: np.ndarray,
    classes: np.ndarray,
    turn: np.ndarray,
    flop: np.ndarray,
) -> None:
    """Fill ``flop`` from ``turn``, summed over the four flops."""
    flop[:] = 0
    for c in range(1, flop.shape[0]):
        for which in range(4 * c, 4 * c + 4):
            own = classes[which, holding]
            _play(own, c, 1, c * runouts, cuts, bets, classes, which, turn, flop)


@kernel
def _add_row(holding: int, weight: np.int64, flop: np.ndarray, sums: np.ndarray) -> None:
    for c in range(sums.shape[1]):
        for j in range(LANES):
            sums[holding, c, j] += np.int32(weight) * np.int32(flop[c + 1, j])


@kernel
def _symmetries(cards: np.ndarray, symmetries: np.ndarray) -> int:
    """List the suit permutations that leave the board unchanged; return their number."""
    used = mask_of(cards)
    count = 0
    for permutation in range(24):
        if mask_of(CARD_UNDER[permutation][cards]) == used:
            symmetries[count] = permutation
            count += 1
    return count


@kernel
def _alike(holding: int, symmetries: np.ndarray, n: int) -> int:
    """Size of the holding's orbit under the board's symmetries; 0 except for its first member."""
    fixed = 0
    for k in range(n):
        image = HOLDING_UNDER[symmetries[k], holding]
        if image < holding:
            return 0
        fixed += image == holding
    return n // fixed


@kernel
def add_boards(
    boards: np.ndarray,
    orbit: np.ndarray,
    start: int,
    stop: int,
    ranks: Ranks,
    plan: Plan,
    board: Board,
    row: PairRow,
    values: np.ndarray,
    gains: np.ndarray,
    done: np.ndarray,
) -> None:
    """Add those boards of start..stop that are not ``done``, each for its whole class.

    ``boards`` (16432, 4) uint8 ascending cards, ``orbit`` (16432,) the sizes of their classes.
    ``values`` and ``gains`` (1326, 4, lanes) int32 by holding, contribution - 1 and opponent:
    the holding's result when it acts first, without the opponent's folds on the river, and what
    its own folds on the river win back when it acts second. Both are right only after averaging
    over the suit permutations, for of holdings that are alike on a board only the first plays.
    """
    flop_class, turn_class = board.flop_class, board.turn_class
    won_back, river, turn, flop = row.won_back, row.river, row.turn, row.flop
    cuts, bets = plan.cuts[_FIRST], plan.bets[_FIRST]
    cuts_second, bets_second = plan.cuts[_SECOND], plan.bets[_SECOND]
    symmetries = np.empty(24, dtype=np.int64)
    for index in range(start, stop):
        if done[index]:
            continue
        cards = boards[index]
        used = mask_of(cards)
        place(cards, ranks, plan, board)
        n = _symmetries(cards, symmetries)
        for holding in range(HOLDINGS):
            if HOLDING_MASK[holding] & used != 0:
                continue
            weight = np.int64(orbit[index]) * _alike(holding, symmetries, n)
            if weight == 0:
                continue
            _sum_showdowns(holding, plan, board, row)
            any_folds = _count_folds(holding, plan, board, row)
            _sum_rivers(plan, row, any_folds)
            _play_turns(holding, _RUNOUTS, cuts, bets, turn_class, river, turn)
            _play_flops(holding, _RUNOUTS, cuts, bets, flop_class, turn, flop)
            _add_row(holding, weight, flop, values)
            if any_folds:
                # Earlier folds, and showdowns, are in the values of the first to act.
                _play_turns(holding, 0, cuts_second, bets_second, turn_class, won_back, turn)
                _play_flops(holding, 0, cuts_second, bets_second, flop_class, turn, flop)
                _add_row(holding, weight, flop, gains)
        done[index] = True
