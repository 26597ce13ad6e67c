"""Kernels of heads-up limit's values before the flop: enumerated, tabulated and sampled.

`kernels` has the values after the flop.

Single hands are enumerated flop by flop. All 93,769 classes of pairs would take a day in this way;
the builder of the table computes them together, board by board, in a quarter of an hour of one
thread.
"""

# A value before the flop is the mean result of two given holdings over all flops, turns and rivers
# if the baseline plays them, by what each has put in before the flop. It is needed for every hand
# that is scored, and costs the most by far, so it exists in three forms which must agree:
#
# - enumerated for one pair (`sum_over_flops`), for settings without a table;
# - enumerated for all pairs at once (`add_boards`, `average_pairs`), for the table that is shipped;
# - sampled (`sample_values`), for contributions that no table has and for checks of the others.
#
# The second is the hard one. Its parts are explained where they begin: how a four-card board is
# laid out for vector instructions, how one holding is played against all others, how symmetric
# holdings and boards are counted once, and how the two sums that result are averaged over the
# suits. The table is a table of whole numbers: `average_pairs` counts averages that are not whole,
# and there are none once all boards have been added, which is the cheapest check that no board was
# missed or added twice.
#
# What must stay: the width of every array type below. `SIGN_UNIT` packs two sums into one int16 and
# is safe only because a showdown's sums are bounded as its comment says. And the draws of `_draw`:
# samples depend on the seed and the two holdings alone, so that the same hands have the same values
# in every batch.
#
# Who would notice: tests/assessment/divat/test_preflop_builder.py plays single boards out;
# tests/assessment/divat/test_preflop_builder.py holds the shipped values against dealt boards and
# against the sampler; tests/twins/preflop_by_play.py is the slow form.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.assessment.divat.kernels import (
    LEFT,
    BaselineArrays,
    Ranks,
    look_ahead,
    new_future,
    place_in,
    rank_flop,
    turn_sum,
)
from railbird.baseline.kernels import Integer, class_of_rank, flop_ehr, play_on, turn_ehr
from railbird.baseline.policy import Cutoffs
from railbird.cards.isomorphism_kernels import (
    CARD_UNDER,
    COLUMN,
    HOLDING_UNDER,
    extension_indices,
    index_of_3,
    index_of_4,
    index_of_5,
)
from railbird.cards.kernels import strength_of_key
from railbird.cards.splitmix_kernels import GOLDEN, mixed_bits
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_KEY, HOLDING_MASK
from railbird.odds.rank_kernels import key_of, mask_of

_WAYS_ON = LEFT * (LEFT - 1)


@kernel
def sum_over_flops(
    first: int,
    second: int,
    contribution: np.ndarray,
    ranks: Ranks,
    policy: BaselineArrays,
    total: np.ndarray,
) -> None:
    """Fill player 1's results summed over all 34,246,080 ways to deal flop, turn and river.

    ``contribution`` (k,) small bets of each player before the flop; ``total`` (k,) int64.
    """
    future = new_future()
    flop = np.empty(3, np.int64)
    rank = np.empty(2, np.int64)
    gone = HOLDING_MASK[first] | HOLDING_MASK[second]
    total[:] = 0
    for high in range(52):
        for mid in range(high):
            for low in range(mid):
                if gone & (CARD_MASK[high] | CARD_MASK[mid] | CARD_MASK[low]):
                    continue
                flop[0], flop[1], flop[2] = low, mid, high
                rank_flop(flop, first, second, ranks, policy.bettable[1], rank)
                look_ahead(flop, first, second, ranks, policy.bettable[2], future)
                for i in range(contribution.size):
                    stake = np.int64(contribution[i])
                    first_class = class_of_rank(rank[0], 1, stake, policy.make, policy.fold)
                    second_class = class_of_rank(rank[1], 1, stake, policy.make, policy.fold)
                    folded_by = policy.folded_by[first_class, second_class]
                    if folded_by >= 0:
                        total[i] += (stake if folded_by else -stake) * _WAYS_ON
                    else:
                        total[i] += turn_sum(
                            stake + policy.level[first_class, second_class], policy, future
                        )


# Ranks and classes of all holdings on one four-card board, laid out for the table builder.
#
# In every array the last axis is the holding, padded to `LANES` so that loops over it need no
# remainder. A dead lane (of padding, or of a holding that shares a card with the board) has zero
# weight in showdowns and the class Call, which neither bets nor folds; so its values come out as
# zero and the inner loops need no branch.


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


class RoundOutcomes(NamedTuple):
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


class BoardRanks(NamedTuple):
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


@uncounted_kernel
def _place_flops(cards: np.ndarray, ranks: BoardRanks, cutoffs: Cutoffs, board: Board) -> None:
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
            rank = int(flop_ehr(ihr[column], hr7[column], cutoffs.bettable[1]))
            for c in range(1, MOST[0] + 1):
                own = class_of_rank(rank, 1, c, cutoffs.make, cutoffs.fold)
                board.flop_class[4 * c + turn, holding] = own


@uncounted_kernel
def _place_turn(cards: np.ndarray, ranks: BoardRanks, cutoffs: Cutoffs, board: Board) -> None:
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
        rank = int(turn_ehr(ihr[column], hr7[column], cutoffs.bettable[2]))
        for c in range(1, MOST[1] + 1):
            own = class_of_rank(rank, 2, c, cutoffs.make, cutoffs.fold)
            board.turn_class[c, holding] = own


@uncounted_kernel
def _place_strengths(river: int, key: np.uint64, mask: np.uint64, board: Board) -> None:
    """Rank the holdings; ``key`` and ``mask`` are those of the five cards."""
    for holding in range(HOLDINGS):
        dead = HOLDING_MASK[holding] & mask != 0
        board.dead[river, holding] = dead
        if not dead:
            board.strength[river, holding] = strength_of_key(
                key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding]
            )


@uncounted_kernel
def _place_river(
    river: int, group: int, ihr: np.ndarray, columns: np.ndarray, plan: RoundOutcomes, board: Board
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
def place(cards: np.ndarray, ranks: BoardRanks, plan: RoundOutcomes, board: Board) -> None:
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


# Values of all pairs of holdings over all boards, one four-card board at a time.
#
# Kan (2007, section 3.2) needed "a large number of processors and a week of computational time" for
# such a table; this takes a quarter of an hour of one thread.
#
# Flop and turn together are four unordered cards, any of which may be the turn, so each of the
# 16,432 classes of such boards is visited once and serves its four flops. On a board one holding at
# a time plays against all others, side by side in 16-bit lanes: going pair by pair would look every
# rank up a thousand times. All sums are whole small bets.
#
# A round is decided by the two classes, and between one class and all others it has at most four
# outcomes, in order of the opponent's class (`RoundOutcomes`); so no betting rule is repeated here.
# The river is a special case because there are 48 of them. With s the sign of the showdown, a river
# reached with c small bets each is worth s * (c + 2 * level) if nobody folds, so one sum of s and
# one of s * level serve every c. A fold, to one bet, replaces s * (c + 2) by -c. Nearly always the
# hand that folds is behind, s = -1, and wins back 2; what is missing, (c + 2) * (1 + s), is kept
# apart for the few settings and boards where it is not zero.


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


@uncounted_kernel
def _sum_showdowns(holding: int, plan: RoundOutcomes, board: Board, row: PairRow) -> None:
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


@uncounted_kernel
def _count_folds(holding: int, plan: RoundOutcomes, board: Board, row: PairRow) -> bool:
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


@uncounted_kernel
def _sum_rivers(plan: RoundOutcomes, row: PairRow, any_folds: bool) -> None:
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
    row: int,
    values: np.ndarray,
    out: np.ndarray,
) -> None:
    """Add the outcome of a round to a row of ``out``: rows of ``values``, or the forfeit of a fold.

    ``own`` is the holding's class and ``classes[row]`` are the others'. Rows of ``out`` are
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
            out[contribution, j] += value0 if classes[row, j] < cut1 else value1
    else:
        for j in range(LANES):
            value0, value1 = values[row0, j], values[row1, j]
            value2, value3 = values[row2, j], values[row3, j]
            value = value0 if classes[row, j] < cut1 else value1
            value = value if classes[row, j] < cut2 else value2
            value = value if classes[row, j] < cut3 else value3
            out[contribution, j] += value


@uncounted_kernel
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


@uncounted_kernel
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


@uncounted_kernel
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


@uncounted_kernel
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
    ranks: BoardRanks,
    plan: RoundOutcomes,
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


# Ordered pairs of holdings up to a permutation of the suits, and averages over these.
#
# Storing 93,769 classes instead of 1.6 million pairs keeps the table small enough to ship.


@uncounted_kernel
def number_pairs(row_of: np.ndarray, first: np.ndarray) -> int:
    """Number the classes of ordered pairs in order of their first member; return their number.

    ``row_of`` (1326, 1326) int32 becomes the row of each pair, -1 where the two share a card, and
    ``first`` (rows, 2) int16 the first member of each class.
    """
    row_of[:] = -1
    rows = 0
    for i in range(row_of.shape[0]):
        for j in range(row_of.shape[0]):
            if row_of[i, j] >= 0 or HOLDING_MASK[i] & HOLDING_MASK[j] != 0:
                continue
            for permutation in range(24):
                row_of[HOLDING_UNDER[permutation, i], HOLDING_UNDER[permutation, j]] = rows
            first[rows, 0] = i
            first[rows, 1] = j
            rows += 1
    return rows


@uncounted_kernel
def average_pairs(
    first: np.ndarray, values: np.ndarray, gains: np.ndarray, numerators: np.ndarray
) -> int:
    """Join the two sums of `add_boards` and average them over the suits.

    ``first`` (rows, 2), ``values`` and ``gains`` (1326, 4, lanes) int32, ``numerators`` (rows, 4)
    int32. Returns how many averages are not whole: none, if all boards have been added.
    """
    broken = 0
    for row in range(first.shape[0]):
        for c in range(values.shape[1]):
            total = np.int64(0)
            for permutation in range(24):
                i = HOLDING_UNDER[permutation, first[row, 0]]
                j = HOLDING_UNDER[permutation, first[row, 1]]
                total += np.int64(values[i, c, j]) - np.int64(gains[j, c, i])
            numerators[row, c] = total // 24
            broken += total % 24 != 0
    return broken


@kernel
def sum_deals(
    row_of: np.ndarray,
    numerators: np.ndarray,
    classes: np.ndarray,
    level: np.ndarray,
    halves: np.ndarray,
) -> tuple[int, int]:
    """Add up what all deals bring player 1 if both play the baseline throughout.

    ``row_of`` (1326, 1326) and ``numerators`` (rows, 4) are those of `number_pairs` and
    `average_pairs`, ``classes`` (1326,) those of the holdings before the flop; by both classes,
    ``level`` (6, 6) is the contribution before the flop, 0 after a fold, and ``halves`` (6, 6) what
    the fold wins. Returns the sum of the numerators of deals that are played on, and of the halves.
    """
    played = folded = 0
    for i in range(row_of.shape[0]):
        for j in range(row_of.shape[1]):
            row = row_of[i, j]
            if row < 0:
                continue
            contribution = level[classes[i], classes[j]]
            if contribution > 0:
                played += numerators[row, contribution - 1]
            else:
                folded += halves[classes[i], classes[j]]
    return int(played), int(folded)


# Values before the flop by sampling: random boards, each played out by the baseline.
#
# Boards depend only on the seed and the two holdings, in either order: the same hands always get
# the same sample, and values for several contributions, or from the other seat, share their boards
# (common random numbers). DIVAT takes differences of such values, and the variance of that between
# one and two small bets is a sixth of what independent samples would give.


@inline_kernel
def _below(bits: np.uint64, n: int) -> np.uint64:
    """Map 64 random bits to 0..n-1 without division; the bias of 2**-26 is far below any error."""
    return ((bits >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)


@uncounted_kernel
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
        state += GOLDEN
        j = _below(mixed_bits(state), left)
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


@uncounted_kernel
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
    first_strength = strength_of_key(key + HOLDING_KEY[first], mask | HOLDING_MASK[first])
    second_strength = strength_of_key(key + HOLDING_KEY[second], mask | HOLDING_MASK[second])
    sample.sign[i] = np.int64(first_strength > second_strength) - np.int64(
        first_strength < second_strength
    )


@uncounted_kernel
def _rank(i: int, ranks: Ranks, policy: BaselineArrays, sample: Sample) -> None:
    place, rank = sample.place, sample.rank
    for player in range(2):
        flop, turn = place[i, 0, player], place[i, 1, player]
        rank[0, player] = flop_ehr(ranks.flop_ihr[flop], ranks.flop_hr7[flop], policy.bettable[1])
        rank[1, player] = turn_ehr(ranks.turn_ihr[turn], ranks.turn_hr7[turn], policy.bettable[2])
        rank[2, player] = ranks.river_ihr[place[i, 2, player]]


@uncounted_kernel
def _play_out(
    contribution: Integer, first: int, rank: np.ndarray, sign: Integer, policy: BaselineArrays
) -> np.int64:
    """Player 1's result if the baseline plays flop, turn and river.

    ``first`` is player 1's column of ``rank``; ``sign`` is 1 if column 0 wins the showdown.
    """
    stake = np.int64(contribution)
    for street in range(1, 4):
        first_rank, second_rank = rank[street - 1, first], rank[street - 1, 1 - first]
        first_class = class_of_rank(first_rank, street, stake, policy.make, policy.fold)
        second_class = class_of_rank(second_rank, street, stake, policy.make, policy.fold)
        folded_by = policy.folded_by[first_class, second_class]
        if folded_by >= 0:
            return stake if folded_by else -stake
        stake += policy.level[first_class, second_class] * (1 if street < 2 else 2)
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
        mine, theirs = np.int64(first[pair]), np.int64(second[pair])
        low, high = min(mine, theirs), max(mine, theirs)  # the same sample from either seat
        state = mixed_bits(seed + GOLDEN * np.uint64(low * 1326 + high + 1))
        gone = HOLDING_MASK[mine] | HOLDING_MASK[theirs]
        total[:] = 0
        products[:] = 0
        for i in range(samples):
            state = _draw(state, gone, deck, board)
            _add_board(i, board, mine, theirs, ranks, sample)
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
        _draw(mixed_bits(seed + GOLDEN * np.uint64(deal + 1)), np.uint64(0), deck, cards)
        for player in range(2):
            low = min(cards[5 + 2 * player], cards[6 + 2 * player])
            high = max(cards[5 + 2 * player], cards[6 + 2 * player])
            holding[player] = np.int64(high) * (np.int64(high) - 1) // 2 + low
        _add_board(0, cards[:5], holding[0], holding[1], ranks, sample)
        _rank(0, ranks, policy, sample)
        both = 0.0
        for seat in range(2):
            first_class, second_class = classes[holding[seat]], classes[holding[1 - seat]]
            level, folded_by = play_on(first_class, second_class, 1, 1, True, False)
            if folded_by >= 0:
                lost = level if level else 0.5
                both += lost if folded_by else -lost
            else:
                both += _play_out(level, seat, sample.rank, sample.sign[0], policy)
        total += both / 2
        squares += both * both / 4
    return total, squares
