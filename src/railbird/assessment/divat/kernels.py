"""Kernels of DIVAT for heads-up limit after the flop: roll-out equities, scores of finished hands.

`preflop_kernels` has the values before the flop.

Values are player 1's, in small bets; player 1 (index 0) acts first after the flop. A value between
two rounds is that of the roll-out (Kan 2007, algorithm 1). A value within a round is the one after
the baseline has finished the round, so that the changes from one action to the next add up to the
round's difference (equation 3.12).

The helpers are inlined into `score_hands`: passing some forty arrays on, each with a reference
count, would cost as much as scoring a round. Hands are scored in the order of their flops, because
equal flops read the same rows of the tables, which are then in the processor's cache.
"""

# Kan (2007), "Postgame Analysis of Poker Decisions", is the source: algorithms 1 and 2 and the
# equations of chapter 3. What is here in place of the printed recursion, and why, is said above
# each part.
#
# All results of a roll-out are whole small bets and are added as integers, so they do not depend on
# the order of addition: any number of threads, and the three ways to a value before the flop
# (`preflop_kernels`), give the same digits. The narrowest place is the 16-bit sum of `_row_sum`.
# `MOST` is the contribution up to which it is safe, and `railbird.assessment.limit_layout`
# refuses hands that go beyond.
#
# What must stay apart although it looks as if it could be one: the river's hand ranks and the
# strengths that decide a showdown, and the two passes of `_read_rivers`; the reasons stand below.
# The stakes come from a table and not from an addition in the loop, since an addition would widen
# the numbers and end the vector code.
#
# Who would notice: tests/twins/test_divat_twins.py computes the printed algorithms with fractions
# (tests/twins/slow_divat.py); tests/oracles/test_divat_tables.py has the numbers of Kan's tables
# 3.3 and 3.4 and of hand 58; tests/laws/test_divat_laws.py knows that money is skill and luck and
# position, and that a value is the mean over the next card.

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import inline_kernel, kernel, uncounted_kernel
from railbird.baseline.kernels import (
    CALL,
    FOLD,
    RAISE,
    Integer,
    class_action,
    class_of_rank,
    flop_ehr,
    play_on,
    turn_ehr,
)
from railbird.cards.isomorphism_kernels import CHOOSE, COLUMN, index_of_3
from railbird.cards.kernels import strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_KEY, HOLDING_MASK

# Roll-out equity of a flop and all its turns for two holdings, from one pass over the 990 boards.
#
# This is algorithm 1 of Kan 2007 with the recursion unrolled. The pass looks up both holdings'
# ranks on every board made of the flop and two of the 45 cards left, and lays them out as three
# matrices (turn x river, symmetric); it takes some 40 µs. The value at any contribution is then a
# sum over rows of small integers, which vectorises and takes 16 µs for all turns and rivers.
# Recursing for each contribution, as the paper does, would repeat the look-ups, which are three
# quarters of the work. All sums are whole numbers of small bets, so results do not depend on the
# order of summation.
#
# The winner is decided by the strength of seven cards, not by the river's hand ranks: each holding
# is ranked against opponents without its own cards, so that of two equal hands the one that blocks
# a flush ranks higher.


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


@uncounted_kernel
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


@uncounted_kernel
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
    indices, cards, below, rank = future.place, future.cards, future.below, future.turn_rank
    for x in range(LEFT):
        # A second card above everything moves no term of the flop.
        board = _flop_terms(flop, below[x], 3) + CHOOSE[below[x] + 1, cards[x]]
        indices[0, x] = place_in(classes, board, first)
        indices[1, x] = place_in(classes, board, second)
    for x in range(LEFT):
        for player in range(2):
            entry = indices[player, x]
            rank[player, x] = turn_ehr(ihr[entry], hr7[entry], bettable)


@uncounted_kernel
def _read_rivers(first: Integer, second: Integer, ranks: Ranks, future: Future) -> None:
    """Look both holdings up on all boards of five."""
    classes, ihr = ranks.river_class, ranks.river_ihr
    indices, entry = future.place, future.entry
    pair = 0
    for x in range(LEFT):
        term = CHOOSE[future.below[x] + 1, future.cards[x]]
        boards = future.board[future.below[x]]
        for y in range(x + 1, LEFT):
            indices[0, pair] = place_in(classes, term + boards[y], first)
            indices[1, pair] = place_in(classes, term + boards[y], second)
            pair += 1
    for pair in range(PAIRS):
        entry[0, pair] = np.int16(ihr[indices[0, pair]])
        entry[1, pair] = np.int16(ihr[indices[1, pair]])


@uncounted_kernel
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
            first_strength = strength_of_key(key + HOLDING_KEY[first], mask | HOLDING_MASK[first])
            second_strength = strength_of_key(
                key + HOLDING_KEY[second], mask | HOLDING_MASK[second]
            )
            winner = np.int16(first_strength > second_strength) - np.int16(
                first_strength < second_strength
            )
            sign[x, y] = winner
            sign[y, x] = winner
            for player in range(2):
                rank[player, x, y] = entry[player, pair]
                rank[player, y, x] = entry[player, pair]
            pair += 1


@uncounted_kernel
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
        rank[player] = flop_ehr(ranks.flop_ihr[place], ranks.flop_hr7[place], bettable)


@uncounted_kernel
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
        first_rank = rank[0, x, y]
        second_rank = rank[1, x, y]
        first_bets = first_rank >= make1
        second_bets = second_rank >= make1
        raises = first_bets & (second_rank >= make2)
        reraises = raises & (first_rank >= make3)
        caps = reraises & (second_rank >= make4)
        stake = bet if first_bets | second_bets else checked
        stake = raised if raises else stake
        stake = reraised if reraises else stake
        stake = capped if caps else stake
        result = np.int16(stake * sign[x, y])
        result = lost if second_bets & (first_rank < fold_below) else result
        result = checked if first_bets & (second_rank < fold_below) else result
        total = np.int16(total + result)
    return np.int64(total)


@uncounted_kernel
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


@uncounted_kernel
def turn_sum(contribution: Integer, policy: BaselineArrays, future: Future) -> np.int64:
    """Player 1's result, summed over the 45 * 44 turns and rivers, if the baseline plays them.

    ``contribution`` is what each has put in before the turn.
    """
    make, fold, stakes, level = policy.make, policy.fold, policy.stakes, policy.level
    turn, rank, sign = future.turn_rank, future.river_rank, future.sign
    total = np.int64(0)
    for x in range(LEFT):
        first_class = class_of_rank(turn[0, x], 2, contribution, make, fold)
        second_class = class_of_rank(turn[1, x], 2, contribution, make, fold)
        folded_by = policy.folded_by[first_class, second_class]
        if folded_by >= 0:
            total += (contribution if folded_by else -contribution) * (LEFT - 1)
        else:
            before_river = contribution + 2 * level[first_class, second_class]
            total += _row_sum(x, before_river, make, fold, stakes, rank, sign)
    return total


@uncounted_kernel
def place_of(card: Integer, future: Future) -> int:
    """Index of a card among the cards left."""
    x = 0
    while future.cards[x] != card:
        x += 1
    return x


# The scores of a hand.


STREETS = 4
PREFLOP, FLOP, TURN, RIVER = range(STREETS)
_SMALL_BLIND = 0.5
_BLINDS = 1.5


class Hands(NamedTuple):
    """Finished hands with all cards known, player 1 being the big blind."""

    first: np.ndarray
    """(n,) int16: player 1's holding."""
    second: np.ndarray
    """(n,) int16: player 2's holding."""
    board: np.ndarray
    """(n, 5) uint8: as far as it was dealt."""
    start: np.ndarray
    """(n + 1,) int64: where each hand's actions begin."""
    action: np.ndarray
    """(actions,) uint8: codes of `railbird.baseline.kernels`, hand after hand."""
    cap: np.ndarray
    """(n, 4) int16: most bets by street, the blind included."""


class PreflopArrays(NamedTuple):
    """Values, pot shares and classes before the flop, hand by hand."""

    value: np.ndarray
    """(n, contributions) float64: value of a flop to come after 1, 2, ... small bets each."""
    share: np.ndarray
    """(n,) float64: share of the pot beyond one half that player 1 holds, doubled: -1 to 1."""
    classes: np.ndarray
    """(n, 2) int8: both players' classes."""


class Scores(NamedTuple):
    """Results by hand and street; nan, or -1, where a street was not reached."""

    actual: np.ndarray
    """(n, 4) float64: value after the round as it was played."""
    baseline: np.ndarray
    """(n, 4) float64: value after the round as the baseline plays it."""
    aie_actual: np.ndarray
    """(n, 4) float64: pot equity after the round as it was played."""
    aie_baseline: np.ndarray
    """(n, 4) float64: pot equity after the round as the baseline plays it."""
    lfat: np.ndarray
    """(n, 4) float64: pot equity that the cards before the round brought."""
    classes: np.ndarray
    """(n, 4, 2) int8: both players' classes."""
    first_deviator: np.ndarray
    """(n, 4) int8: player who first left the baseline, 0 or 1; -1 for nobody."""
    dcash: np.ndarray
    """(n,) float64: result had both played the baseline."""
    evat: np.ndarray
    """(n, 2) float64: pot equity that both players gave away, never above zero."""
    divat_by_action: np.ndarray
    """(actions,) float64: change of the value by each action, for the actor."""
    evat_loss: np.ndarray
    """(actions,) float64: pot equity that each action gave away, against the best one; >= 0."""
    best: np.ndarray
    """(actions,) uint8: the best action with all cards seen; the one taken if none is better."""


class RoundArrays(NamedTuple):
    """One round of a hand."""

    street: int
    before: int
    """Small bets that each player put in before it."""
    turn: int
    """Place of the turn among the cards left."""
    river: int
    """Place of the river among the cards left."""


class HandScratch(NamedTuple):
    """Working memory, used for one hand after another."""

    future: Future
    flop: np.ndarray
    """(3,) int64, ascending."""
    flop_rank: np.ndarray
    """(2,) int64: both players' effective hand ranks on the flop."""
    classes: np.ndarray
    """(2,) int64: both players' classes in this round."""
    values: np.ndarray
    """(contributions,) float64: values after this round as far as they were asked for, else nan."""


@inline_kernel
def _bet_size(street: int) -> int:
    return 1 if street < TURN else 2


@inline_kernel
def _value(
    at: RoundArrays,
    contribution: Integer,
    preflop: np.ndarray,
    policy: BaselineArrays,
    future: Future,
) -> float:
    """Value after this round once both have put in ``contribution``."""
    if at.street == PREFLOP:
        return float(preflop[contribution - 1])
    if at.street == FLOP:
        return float(turn_sum(contribution, policy, future) / (LEFT * (LEFT - 1)))
    if at.street == TURN:
        return float(river_sum(at.turn, contribution, policy, future) / (LEFT - 1))
    return float(future.sign[at.turn, at.river] * contribution)


@inline_kernel
def _forfeit(at: RoundArrays, level: int, folded_by: int) -> float:
    """Player 1's result where ``folded_by`` folds after both have put in ``level`` bets."""
    lost = float(at.before + _bet_size(at.street) * level)
    if lost == 0.0:  # the dealer gives up at once
        lost = _SMALL_BLIND
    return lost if folded_by else -lost


@inline_kernel
def _outcome(
    at: RoundArrays,
    level: int,
    folded_by: int,
    preflop: np.ndarray,
    policy: BaselineArrays,
    scratch: HandScratch,
) -> float:
    """Value after a round that ends with ``level`` bets each, or by a fold (``folded_by`` >= 0)."""
    if folded_by >= 0:
        return _forfeit(at, level, folded_by)
    after = at.before + _bet_size(at.street) * level
    if np.isnan(scratch.values[after]):
        scratch.values[after] = _value(at, after, preflop, policy, scratch.future)
    return float(scratch.values[after])


@inline_kernel
def _share(at: RoundArrays, preflop: float, future: Future) -> float:
    """Share of the boards that player 1 wins less the share that player 2 wins."""
    if at.street == PREFLOP:
        return preflop
    if at.street == RIVER:
        return float(future.sign[at.turn, at.river])
    total = 0
    if at.street == TURN:
        for y in range(LEFT):
            total += future.sign[at.turn, y]
        return total / (LEFT - 1)
    for x in range(LEFT):
        for y in range(LEFT):
            total += future.sign[x, y]
    return total / (2 * PAIRS)


@inline_kernel
def _classify(
    at: RoundArrays, preflop: np.ndarray, policy: BaselineArrays, scratch: HandScratch
) -> None:
    """Fill both players' classes in a round; ``preflop`` (2,) are those before the flop."""
    for player in range(2):
        if at.street == PREFLOP:
            scratch.classes[player] = preflop[player]
            continue
        if at.street == FLOP:
            rank = scratch.flop_rank[player]
        elif at.street == TURN:
            rank = scratch.future.turn_rank[player, at.turn]
        else:
            rank = np.int64(scratch.future.river_rank[player, at.turn, at.river])
        scratch.classes[player] = class_of_rank(
            rank, at.street, at.before, policy.make, policy.fold
        )


@inline_kernel
def _baseline_round(
    at: RoundArrays, preflop: np.ndarray, policy: BaselineArrays, scratch: HandScratch
) -> tuple[int, int]:
    """Play a whole round by the baseline; return its level and who folded, or -1."""
    _classify(at, preflop, policy, scratch)
    first_class, second_class = scratch.classes
    if at.street == PREFLOP:
        return play_on(first_class, second_class, 1, 1, True, False)
    return play_on(first_class, second_class, 0, 0, False, False)


@uncounted_kernel
def _deal_flop(
    board: np.ndarray,
    first: Integer,
    second: Integer,
    ranks: Ranks,
    policy: BaselineArrays,
    scratch: HandScratch,
) -> None:
    """Look up the flop, the first three cards of ``board``, and its futures."""
    flop = scratch.flop
    low, high = min(board[0], board[1]), max(board[0], board[1])
    flop[0] = min(low, board[2])
    flop[1] = max(low, min(high, board[2]))
    flop[2] = max(high, board[2])
    rank_flop(flop, first, second, ranks, policy.bettable[FLOP], scratch.flop_rank)
    look_ahead(flop, first, second, ranks, policy.bettable[TURN], scratch.future)


@inline_kernel
def _hindsight(
    action: int, share: float, stay: float, raised: float, lost: float, facing: bool, may: bool
) -> tuple[float, int]:
    """Pot equity given away by an action, and the best action; ``share`` is the actor's, -1 to 1.

    With all cards seen an action is worth the pot equity if the opponent just calls it: a call
    leaves ``stay`` small bets each in the pot, a raise, if the actor ``may``, ``raised``; a fold
    gives up ``lost``.
    """
    fold, call, bet = -lost, share * stay, share * raised
    taken = fold if action == FOLD else (bet if action == RAISE else call)
    most, best = taken, action
    if call > most:
        most, best = call, CALL
    if facing and fold > most:
        most, best = fold, FOLD
    if may and bet > most:
        most, best = bet, RAISE
    return most - taken, best


@kernel
def _score_round(
    at: RoundArrays,
    share: float,
    hand: int,
    p: int,
    hands: Hands,
    preflop: PreflopArrays,
    policy: BaselineArrays,
    scratch: HandScratch,
    scores: Scores,
) -> tuple[int, int]:
    """Score the round that begins with action ``p``; return the next one and the contribution."""
    size = _bet_size(at.street)
    values = preflop.value[hand]
    scratch.values[:] = np.nan
    level, folded_by = _baseline_round(at, preflop.classes[hand], policy, scratch)
    first_class, second_class = scratch.classes
    value = _outcome(at, level, folded_by, values, policy, scratch)
    scores.classes[hand, at.street, 0] = first_class
    scores.classes[hand, at.street, 1] = second_class
    scores.baseline[hand, at.street] = value
    scores.aie_baseline[hand, at.street] = (
        value if folded_by >= 0 else share * (at.before + size * level)
    )

    blind = at.street == PREFLOP
    actor = bets = 1 if blind else 0
    facing, opened, over = blind, False, False
    while not over:
        action = hands.action[p]
        own = second_class if actor else first_class
        if scores.first_deviator[hand, at.street] < 0 and action != class_action(own, bets, facing):
            scores.first_deviator[hand, at.street] = actor
        level = bets - 1 if facing else bets
        scores.evat_loss[p], scores.best[p] = _hindsight(
            action,
            -share if actor else share,
            float(at.before + size * bets),
            float(at.before + size * (bets + 1)),
            _SMALL_BLIND if blind and not opened else float(at.before + size * level),
            facing,
            bets < hands.cap[hand, at.street],
        )
        scores.evat[hand, actor] -= scores.evat_loss[p]
        folded_by = -1
        if action == FOLD:
            folded_by, over = actor, True
        elif action == RAISE:
            bets += 1
            facing = True
        else:
            level, facing, over = bets, False, opened
        opened = True
        mover, actor = actor, 1 - actor
        ends_at, ends_by = level, folded_by
        if not over:
            ends_at, ends_by = play_on(first_class, second_class, actor, bets, facing, True)
        after = _outcome(at, ends_at, ends_by, values, policy, scratch)
        scores.divat_by_action[p] = value - after if mover else after - value
        value = after
        p += 1
    contribution = at.before + size * level
    scores.actual[hand, at.street] = value
    scores.aie_actual[hand, at.street] = value if folded_by >= 0 else share * contribution
    return p, contribution


@inline_kernel
def _score_hand(
    hand: int,
    hands: Hands,
    preflop: PreflopArrays,
    ranks: Ranks,
    policy: BaselineArrays,
    scratch: HandScratch,
    scores: Scores,
) -> None:
    first, second = np.int64(hands.first[hand]), np.int64(hands.second[hand])
    p, end = hands.start[hand], hands.start[hand + 1]
    turn = river = contribution = of_baseline = 0
    settled = False
    share = 0.0
    by_baseline = RoundArrays(PREFLOP, 0, 0, 0)
    scores.evat[hand] = 0.0
    for street in range(STREETS):
        if street == FLOP:
            _deal_flop(hands.board[hand], first, second, ranks, policy, scratch)
        elif street == TURN:
            turn = place_of(hands.board[hand, 3], scratch.future)
        elif street == RIVER:
            river = place_of(hands.board[hand, 4], scratch.future)
        at = RoundArrays(street, contribution, turn, river)
        share_before, share = share, _share(at, preflop.share[hand], scratch.future)
        pot = 2.0 * contribution if street else _BLINDS
        scores.lfat[hand, street] = (share - share_before) / 2 * pot

        by_baseline = RoundArrays(street, of_baseline, turn, river)
        if not settled:
            level, folded_by = _baseline_round(by_baseline, preflop.classes[hand], policy, scratch)
            settled = folded_by >= 0
            if settled:
                scores.dcash[hand] = _forfeit(by_baseline, level, folded_by)
            of_baseline += _bet_size(street) * level

        p, contribution = _score_round(at, share, hand, p, hands, preflop, policy, scratch, scores)
        if p == end:
            break
    if not settled:
        scores.dcash[hand] = _value(
            by_baseline, of_baseline, preflop.value[hand], policy, scratch.future
        )


@kernel
def score_hands(
    order: np.ndarray,
    hands: Hands,
    preflop: PreflopArrays,
    ranks: Ranks,
    policy: BaselineArrays,
    scores: Scores,
) -> None:
    """Score the hands that ``order`` lists; fastest if equal flops come together.

    ``scores`` comes filled with nan, and -1 in the whole numbers.
    """
    scratch = HandScratch(
        new_future(),
        np.empty(3, np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.empty(policy.fold.shape[1]),
    )
    for hand in order:
        _score_hand(hand, hands, preflop, ranks, policy, scratch, scores)
