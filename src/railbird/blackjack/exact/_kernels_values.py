"""Exact values of hands: the dealer's outcomes, the best play, and the value of a fixed one.

A shoe is the number of unseen cards of each rank (10,), the dealer's hole card among them. Values
are in units of the original wager. Where the dealer has peeked they are conditional on no
blackjack: the hole card is then of any rank but one, which also changes what the player draws.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from railbird._jit import kernel
from railbird.blackjack.exact._tables_hands import (
    ACE,
    BUST,
    CARD,
    CARDS,
    CHILD,
    COUNTS,
    DEPTH,
    HANDS,
    MOST_DRAWS,
    NATURAL,
    ORDERS,
    OUTCOME,
    OUTCOMES,
    RANKS,
    SOFT,
    TEN,
    TOTAL,
    TREE_START,
)

STAND, HIT, DOUBLE, SPLIT, SURRENDER = 0, 1, 2, 3, 4
FIRST, NO_SPLIT, TO_HIT = 0, 1, 2
"""Rows of a strategy: any action; stand, hit or double; stand or hit."""


class Table(NamedTuple):
    """The rules as kernels read them."""

    hits_soft_17: int
    peeks: int
    least_double: int
    """Lowest hard total of two cards that may be doubled; 0 for any two cards."""
    most_double: int
    double_after_split: int
    most_hands: int
    resplit_aces: int
    hit_split_aces: int
    surrender: int
    """0 for none, 1 for late, 2 for early."""
    charlie: int
    """Number of cards that wins at once; 99 for none."""
    payout: float
    removal: float
    """1.0, or 0.0 where a dealt card does not change the shoe: infinitely many decks."""


@kernel
def dealer_outcomes(
    shoe: np.ndarray, size: float, upcard: int, table: Table, out: np.ndarray
) -> None:
    """Fill ``out`` (7,) with the probabilities of the dealer's outcomes, before any peek."""
    chance = np.empty(MOST_DRAWS + 1)
    chance[0] = 1.0
    per_draw = np.empty(MOST_DRAWS + 1)
    left = np.empty(RANKS * MOST_DRAWS)
    for depth in range(MOST_DRAWS):
        cards = size - depth * table.removal
        per_draw[depth + 1] = 1.0 / cards if cards > 0 else 0.0
        for rank in range(RANKS):
            left[rank * MOST_DRAWS + depth] = max(shoe[rank] - depth * table.removal, 0.0)
    sums = np.zeros(OUTCOMES + 1)
    tree = 10 * table.hits_soft_17 + upcard
    # Without a branch a node takes half the time of one that tests for empty ranks and ends.
    for node in range(TREE_START[tree], TREE_START[tree + 1]):
        depth = DEPTH[node]
        here = chance[depth - 1] * left[CARD[node]] * per_draw[depth]
        chance[depth] = here
        sums[OUTCOME[node]] += ORDERS[node] * here
    for outcome in range(OUTCOMES):
        out[outcome] = sums[outcome]


@kernel
def blackjack_rank(upcard: int, table: Table) -> int:
    """Return the rank that a dealer who has peeked does not hold; -1 if any is possible."""
    if table.peeks and upcard == ACE:
        return TEN
    if table.peeks and upcard == TEN:
        return ACE
    return -1


@kernel
def draw_probability(
    shoe: np.ndarray, size: float, rank: int, excluded: int, table: Table
) -> float:
    """Return the probability that the next card is of a rank, the hole card not ``excluded``."""
    if excluded < 0:
        return shoe[rank] / size if size > 0 else 0.0
    holes = size - shoe[excluded]
    left = size - table.removal
    if holes <= 0 or left <= 0:
        return 0.0
    same = table.removal if rank != excluded else 0.0
    chance: float = shoe[rank] * (holes - same) / (left * holes)
    return chance


@kernel
def stand_value(total: int, outcomes: np.ndarray, excluded: int) -> float:
    """Return the value of standing on a total, from the dealer's outcomes before any peek."""
    value: float = outcomes[BUST]
    for place in range(5):
        if total > place + 17:
            value += outcomes[place]
        elif total < place + 17:
            value -= outcomes[place]
    if excluded >= 0:
        unseen = 1.0 - outcomes[NATURAL]
        return value / unseen if unseen > 0 else 0.0
    value -= outcomes[NATURAL]
    return value


@kernel
def _walk(first: int, last: int, ways: np.ndarray, left: np.ndarray, sums: np.ndarray) -> None:
    """Add up the dealer's draws by outcome and depth, for four shoes at once.

    Written out, since LLVM makes vectors of it only where it sees every load before the stores:
    twice and a half as fast for each shoe as one alone.
    """
    for node in range(first, last):
        here = 4 * DEPTH[node]
        card = 4 * CARD[node]
        end = 4 * ((MOST_DRAWS + 1) * OUTCOME[node] + DEPTH[node])
        orders = ORDERS[node]
        way_0 = ways[here - 4] * left[card]
        way_1 = ways[here - 3] * left[card + 1]
        way_2 = ways[here - 2] * left[card + 2]
        way_3 = ways[here - 1] * left[card + 3]
        sum_0 = sums[end] + orders * way_0
        sum_1 = sums[end + 1] + orders * way_1
        sum_2 = sums[end + 2] + orders * way_2
        sum_3 = sums[end + 3] + orders * way_3
        ways[here], ways[here + 1], ways[here + 2], ways[here + 3] = way_0, way_1, way_2, way_3
        sums[end], sums[end + 1], sums[end + 2], sums[end + 3] = sum_0, sum_1, sum_2, sum_3


@kernel
def stand_values(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    hands: np.ndarray,
    count: int,
    table: Table,
    values: np.ndarray,
) -> None:
    """Fill ``values`` (hands,) with those of standing on the first ``count`` of ``hands``.

    ``shoe`` is what is unseen with the hand ``start``; what a hand has more is taken from it.
    """
    tree = 10 * table.hits_soft_17 + upcard
    excluded = blackjack_rank(upcard, table)
    ways = np.ones(4 * (MOST_DRAWS + 1))
    left = np.empty(4 * RANKS * MOST_DRAWS)
    sums = np.empty(4 * (OUTCOMES + 1) * (MOST_DRAWS + 1))
    sizes = np.empty(4)
    outcomes = np.empty(OUTCOMES)
    for first in range(0, count, 4):
        for lane in range(4):
            hand = hands[min(first + lane, count - 1)]
            sizes[lane] = 0.0
            for rank in range(RANKS):
                own = COUNTS[hand, rank] - COUNTS[start, rank]
                cards = shoe[rank] - own * table.removal
                sizes[lane] += cards
                for depth in range(MOST_DRAWS):
                    place = 4 * (rank * MOST_DRAWS + depth) + lane
                    left[place] = max(cards - depth * table.removal, 0.0)
        sums[:] = 0.0
        _walk(TREE_START[tree], TREE_START[tree + 1], ways, left, sums)
        for lane in range(min(4, count - first)):
            outcomes[:] = 0.0
            orders = 1.0
            for depth in range(MOST_DRAWS):
                cards = sizes[lane] - depth * table.removal
                orders = orders / cards if cards > 0 else 0.0
                for outcome in range(OUTCOMES):
                    place = (MOST_DRAWS + 1) * outcome + depth + 1
                    outcomes[outcome] += orders * sums[4 * place + lane]
            hand = hands[first + lane]
            values[hand] = stand_value(TOTAL[hand], outcomes, excluded)


@kernel
def may_double(hand: int, table: Table) -> bool:
    """Return whether the rules allow to double this hand of two cards."""
    if CARDS[hand] != 2:
        return False
    if table.least_double == 0:
        return True
    return not SOFT[hand] and table.least_double <= TOTAL[hand] <= table.most_double


@kernel
def best_play(
    shoe: np.ndarray, upcard: int, start: int, level: int, table: Table, values: np.ndarray
) -> None:
    """Fill ``values`` (3, hands) with the values of stand, hit and double, played best.

    ``shoe`` is what is unseen without the player's hand: a hand's own cards are taken from it. Only
    hands that ``start`` can grow into are filled; others are nan. Doubling is open at ``level``
    `NO_SPLIT`, where the rules allow it. The player is not in a blackjack, nor splits.
    """
    values[:] = np.nan
    excluded = blackjack_rank(upcard, table)
    reached = np.zeros(HANDS, np.bool_)
    reached[start] = True
    for hand in range(start, HANDS):
        if reached[hand]:
            for rank in range(RANKS):
                if CHILD[hand, rank] >= 0 and shoe[rank] - COUNTS[hand, rank] * table.removal > 0:
                    reached[CHILD[hand, rank]] = True
    asked = np.empty(HANDS, np.int16)
    count = 0
    for hand in range(start, HANDS):
        if reached[hand] and CARDS[hand] < table.charlie:
            asked[count] = hand
            count += 1
    stand_values(shoe, upcard, 0, asked, count, table, values[STAND])
    left = np.empty(RANKS)
    for hand in range(HANDS - 1, start - 1, -1):
        if not reached[hand]:
            continue
        size = 0.0
        for rank in range(RANKS):
            left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            size += left[rank]
        if CARDS[hand] >= table.charlie:
            values[STAND, hand] = 1.0
            values[HIT, hand] = 1.0
            continue
        hit = 0.0
        double = 0.0
        for rank in range(RANKS):
            probability = draw_probability(left, size, rank, excluded, table)
            if probability <= 0:
                continue
            child = CHILD[hand, rank]
            if child < 0:
                hit -= probability
                double -= probability
                continue
            best = max(values[STAND, child], values[HIT, child])
            if CARDS[child] == 2 and level == NO_SPLIT and values[DOUBLE, child] > best:
                best = values[DOUBLE, child]
            hit += probability * best
            double += probability * values[STAND, child]
        values[HIT, hand] = hit
        if may_double(hand, table):
            values[DOUBLE, hand] = 2.0 * double


@kernel
def played_value(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    strategy: np.ndarray,
    level: int,
    stands: bool,
    table: Table,
) -> float:
    """Return the value of a hand played by a strategy (3, hands) for this upcard.

    ``shoe`` is what is unseen, without the hand. Two cards are played at ``level``; if ``stands``,
    they stand whatever the strategy says, as split aces do.
    """
    return played_values(shoe, upcard, start, -1, strategy, level, stands, table)[0]


@kernel
def played_values(
    shoe: np.ndarray,
    upcard: int,
    start: int,
    second: int,
    strategy: np.ndarray,
    level: int,
    stands: bool,
    table: Table,
) -> tuple[float, float]:
    """Return `played_value` of a hand, and of the hand ``second`` that it may grow into.

    Reach probabilities go forward through the hands in their order, so only what the strategy
    stands on asks for the dealer's outcomes, and once for both.
    """
    excluded = blackjack_rank(upcard, table)
    reach = np.zeros((HANDS, 2))
    stood = np.zeros((HANDS, 2))
    reach[start, 0] = 1.0
    last = start
    if second >= 0:
        reach[second, 1] = 1.0
        last = second
    asked = np.empty(HANDS, np.int16)
    count = 0
    left = np.empty(RANKS)
    value = np.zeros(2)
    for hand in range(start, HANDS):
        if hand > last:
            break
        here, other = reach[hand, 0], reach[hand, 1]
        ends = stood[hand, 0] + stood[hand, 1] > 0.0
        if here + other == 0.0 and not ends:
            continue
        size = 0.0
        for rank in range(RANKS):
            own = COUNTS[hand, rank] - COUNTS[start, rank]
            left[rank] = shoe[rank] - own * table.removal
            size += left[rank]
        if CARDS[hand] < 2:
            action = HIT
        elif CARDS[hand] > 2:
            action = strategy[TO_HIT, hand]
        elif stands:
            action = STAND
        else:
            action = strategy[level, hand]
        if CARDS[hand] >= table.charlie:
            value[0] += here
            value[1] += other
        elif action == STAND:
            stood[hand, 0] += here
            stood[hand, 1] += other
            ends = True
        else:
            stake = 2.0 if action == DOUBLE else 1.0
            for rank in range(RANKS):
                probability = stake * draw_probability(left, size, rank, excluded, table)
                if probability <= 0:
                    continue
                child = CHILD[hand, rank]
                if child < 0:
                    value[0] -= here * probability
                    value[1] -= other * probability
                    continue
                last = max(last, child)
                if action == DOUBLE:
                    stood[child, 0] += here * probability
                    stood[child, 1] += other * probability
                else:
                    reach[child, 0] += here * probability
                    reach[child, 1] += other * probability
        if ends:
            asked[count] = hand
            count += 1
    stands_for = np.empty(HANDS)
    stand_values(shoe, upcard, start, asked, count, table, stands_for)
    for place in range(count):
        hand = asked[place]
        value[0] += stood[hand, 0] * stands_for[hand]
        value[1] += stood[hand, 1] * stands_for[hand]
    return value[0], value[1]
