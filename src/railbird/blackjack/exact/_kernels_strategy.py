"""The best strategy against an upcard: by the hand's cards, and by its total alone."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.blackjack.exact._kernels_split import (
    natural_probability,
    open_hands_values,
    round_values,
)
from railbird.blackjack.exact._kernels_values import (
    DOUBLE,
    FIRST,
    HIT,
    NO_SPLIT,
    SPLIT,
    STAND,
    SURRENDER,
    TO_HIT,
    Table,
    best_play,
    blackjack_rank,
    draw_probability,
    may_double,
)
from railbird.blackjack.exact._tables_hands import (
    BLACKJACK,
    CARDS,
    CHILD,
    COUNTS,
    HANDS,
    PAIRED,
    RANKS,
    SOFT,
    TOTAL,
)

CLASSES = 44
"""Totals of hands: hard ones at 0..21, soft ones at 22 and up."""
_ROUNDS = 20


@kernel
def surrender_value(shoe: np.ndarray, upcard: int, table: Table) -> float:
    """Return what surrender is worth, in the terms of the other actions.

    These are conditional on no blackjack where the dealer peeks; early surrender, which comes
    before that, is put into the same terms. nan where the rules have no surrender.
    """
    if table.surrender == 0:
        return np.nan
    natural = natural_probability(shoe, upcard, table)
    early = table.surrender == 2
    if blackjack_rank(upcard, table) < 0:
        return -0.5 if early else -0.5 * (1.0 - natural) - natural
    return (natural - 0.5) / (1.0 - natural) if early and natural < 1.0 else -0.5


@kernel
def choose_first(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    values: np.ndarray,
    strategy: np.ndarray,
    table: Table,
) -> None:
    """Complete ``values`` (5, hands) and ``strategy`` with splits and surrender of two cards.

    Both hold stand, hit and double before. Only hands that ``start`` can grow into are looked at.
    """
    left = np.empty(RANKS)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = CHILD[CHILD[0, first], second]
            if np.isnan(values[STAND, hand]):
                continue
            for rank in range(RANKS):
                left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            best = values[strategy[NO_SPLIT, hand], hand]
            strategy[FIRST, hand] = strategy[NO_SPLIT, hand]
            if first == second and (start == 0 or start == CHILD[0, first]):
                again, once = open_hands_values(left, upcard, first, 2, 2, strategy, True, table)
                values[SPLIT, hand] = max(again, once)
                if again > best:
                    strategy[FIRST, hand] = SPLIT
                    best = again
            values[SURRENDER, hand] = surrender_value(left, upcard, table)
            if hand != BLACKJACK and values[SURRENDER, hand] > best:
                strategy[FIRST, hand] = SURRENDER


@kernel
def solve(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    table: Table,
    values: np.ndarray,
    strategy: np.ndarray,
) -> None:
    """Fill ``values`` (5, hands) and ``strategy`` (3, hands) with the best play by cards.

    ``shoe`` is what is unseen without the player's hand. Hands that ``start`` does not grow into
    stay nan. Play after a split is that before it, as far as the rules allow (CDZ-).
    """
    values[:] = np.nan
    best_play(shoe, upcard, start, NO_SPLIT, table, values[:3])
    for hand in range(HANDS):
        hit = values[HIT, hand] > values[STAND, hand]
        strategy[TO_HIT, hand] = HIT if hit else STAND
        best = max(values[HIT, hand], values[STAND, hand])
        strategy[NO_SPLIT, hand] = strategy[TO_HIT, hand]
        if values[DOUBLE, hand] > best:
            strategy[NO_SPLIT, hand] = DOUBLE
        strategy[FIRST, hand] = strategy[NO_SPLIT, hand]
    choose_first(shoe, upcard, start, values, strategy, table)


@kernel
def _class_of(hand: int) -> int:
    group: int = TOTAL[hand] + 22 * SOFT[hand]
    return group


@kernel
def deal_probability(
    shoe: np.ndarray, first: int, second: int, excluded: int, table: Table
) -> float:
    """Return the probability of two cards in either order, the hole card not ``excluded``."""
    size = 0.0
    for rank in range(RANKS):
        size += shoe[rank]
    one = draw_probability(shoe, size, first, excluded, table)
    if one <= 0:
        return 0.0
    shoe[first] -= table.removal
    other = draw_probability(shoe, size - table.removal, second, excluded, table)
    shoe[first] += table.removal
    return one * other * (1.0 if first == second else 2.0)


@kernel
def _reach(
    shoe: np.ndarray, upcard: int, strategy: np.ndarray, table: Table, reach: np.ndarray
) -> None:
    """Fill ``reach`` (hands,) with how often a hand is decided on, splits and naturals apart."""
    reach[:] = 0.0
    excluded = blackjack_rank(upcard, table)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = CHILD[CHILD[0, first], second]
            if hand != BLACKJACK and strategy[FIRST, hand] != SPLIT:
                reach[hand] = deal_probability(shoe, first, second, excluded, table)
    left = np.empty(RANKS)
    for hand in range(1, HANDS):
        if reach[hand] == 0.0:
            continue
        row = NO_SPLIT if CARDS[hand] == 2 else TO_HIT
        if strategy[row, hand] != HIT or CARDS[hand] >= table.charlie:
            continue
        size = 0.0
        for rank in range(RANKS):
            left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            size += left[rank]
        for rank in range(RANKS):
            if CHILD[hand, rank] >= 0:
                probability = draw_probability(left, size, rank, excluded, table)
                reach[CHILD[hand, rank]] += reach[hand] * probability


@kernel
def hit_values(
    shoe: np.ndarray, upcard: int, strategy: np.ndarray, table: Table, values: np.ndarray
) -> None:
    """Replace the values of hit by those of going on with the strategy."""
    excluded = blackjack_rank(upcard, table)
    left = np.empty(RANKS)
    for hand in range(HANDS - 1, 0, -1):
        if np.isnan(values[STAND, hand]) or CARDS[hand] >= table.charlie:
            continue
        size = 0.0
        for rank in range(RANKS):
            left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            size += left[rank]
        hit = 0.0
        for rank in range(RANKS):
            probability = draw_probability(left, size, rank, excluded, table)
            if probability <= 0:
                continue
            child = CHILD[hand, rank]
            hit += probability * (-1.0 if child < 0 else values[strategy[TO_HIT, child], child])
        values[HIT, hand] = hit


@kernel
def solve_by_total(
    shoe: np.ndarray, upcard: int, table: Table, values: np.ndarray, strategy: np.ndarray
) -> None:
    """Fill ``strategy`` (3, hands) with the best play that knows the total only.

    Hands of a total count by how often the strategy comes to decide on them, which depends on the
    strategy, so both are found in turn. Pairs are known as such when they may be split or given up.
    """
    solve(shoe, upcard, 0, table, values, strategy)
    reach = np.empty(HANDS)
    sums = np.empty((CLASSES, 3))
    pairs = np.empty((CLASSES, 3))
    weights = np.empty(CLASSES)
    for turn in range(_ROUNDS):
        hit_values(shoe, upcard, strategy, table, values)
        _reach(shoe, upcard, strategy, table, reach)
        sums[:] = 0.0
        pairs[:] = 0.0
        weights[:] = 0.0
        for hand in range(1, HANDS):
            if np.isnan(values[STAND, hand]) or hand == BLACKJACK or CARDS[hand] < 2:
                continue
            weight = reach[hand] + 1e-12  # a total that the strategy never sees has an answer, too
            group = _class_of(hand)
            for action in (STAND, HIT):
                sums[group, action] += weight * values[action, hand]
                if CARDS[hand] == 2:
                    pairs[group, action] += weight * values[action, hand]
            if CARDS[hand] == 2 and may_double(hand, table):
                pairs[group, DOUBLE] += weight * values[DOUBLE, hand]
                weights[group] += weight
        changed = False
        for hand in range(1, HANDS):
            group = _class_of(hand)
            hit = HIT if sums[group, HIT] > sums[group, STAND] else STAND
            best = hit
            doubles = CARDS[hand] == 2 and weights[group] > 0 and may_double(hand, table)
            if doubles and pairs[group, DOUBLE] > pairs[group, hit]:
                best = DOUBLE
            changed |= strategy[TO_HIT, hand] != hit or strategy[NO_SPLIT, hand] != best
            strategy[TO_HIT, hand] = hit
            strategy[NO_SPLIT, hand] = best
        if not changed and turn > 0:
            break
    _first_by_total(shoe, upcard, table, reach, values, strategy)


@kernel
def _first_by_total(
    shoe: np.ndarray,
    upcard: int,
    table: Table,
    reach: np.ndarray,
    values: np.ndarray,
    strategy: np.ndarray,
) -> None:
    """Choose splits by pair and surrender by total."""
    choose_first(shoe, upcard, 0, values, strategy, table)
    gain = np.zeros(CLASSES)
    for hand in range(1, HANDS):
        if CARDS[hand] == 2 and PAIRED[hand] < 0 and hand != BLACKJACK:
            kept = values[strategy[NO_SPLIT, hand], hand]
            if not np.isnan(kept):
                gain[_class_of(hand)] += (reach[hand] + 1e-12) * (values[SURRENDER, hand] - kept)
    for hand in range(1, HANDS):
        if CARDS[hand] == 2 and PAIRED[hand] < 0:
            gives_up = gain[_class_of(hand)] > 0.0 and hand != BLACKJACK
            strategy[FIRST, hand] = SURRENDER if gives_up else strategy[NO_SPLIT, hand]


@kernel
def game_value(
    shoe: np.ndarray, strategy: np.ndarray, table: Table, by_upcard: np.ndarray
) -> float:
    """Fill ``by_upcard`` (10,) with the value of a round for each upcard; return their mean.

    ``shoe`` is undealt; ``strategy`` is (10, 3, hands). No insurance is taken.
    """
    size = 0.0
    for rank in range(RANKS):
        size += shoe[rank]
    left = shoe.copy()
    values = np.zeros(HANDS)
    mean = 0.0
    for upcard in range(RANKS):
        by_upcard[upcard] = 0.0
        if shoe[upcard] <= 0:
            continue
        left[upcard] -= table.removal
        round_values(left, upcard, strategy[upcard], table, values)
        for first in range(RANKS):
            for second in range(first, RANKS):
                probability = deal_probability(left, first, second, -1, table)
                if probability > 0:
                    hand = CHILD[CHILD[0, first], second]
                    by_upcard[upcard] += probability * values[hand]
        left[upcard] += table.removal
        mean += shoe[upcard] / size * by_upcard[upcard]
    return mean


@kernel
def solve_all(
    shoe: np.ndarray, by_total: bool, table: Table, values: np.ndarray, strategy: np.ndarray
) -> None:
    """Solve every upcard: ``values`` (10, 5, hands), ``strategy`` (10, 3, hands)."""
    left = shoe.copy()
    for upcard in range(RANKS):
        if shoe[upcard] <= 0:
            continue
        left[upcard] -= table.removal
        if by_total:
            solve_by_total(left, upcard, table, values[upcard], strategy[upcard])
        else:
            solve(left, upcard, 0, table, values[upcard], strategy[upcard])
        left[upcard] += table.removal
