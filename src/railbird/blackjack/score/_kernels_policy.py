"""What actions are worth if a strategy goes on after them, and how a dealer's turn goes on."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.blackjack.exact._kernels_split import open_hands_values
from railbird.blackjack.exact._kernels_strategy import hit_values, surrender_value
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
    dealer_outcomes,
    draw_probability,
    played_value,
    stand_value,
)
from railbird.blackjack.exact._tables_hands import (
    BLACKJACK,
    BUST,
    CHILD,
    COUNTS,
    HANDS,
    NATURAL,
    OUTCOMES,
    RANKS,
    SOFT,
    TOTAL,
)


@kernel
def policy_values(
    shoe: np.ndarray, upcard: int, strategy: np.ndarray, table: Table, values: np.ndarray
) -> None:
    """Fill ``values`` (5, hands) with those of each action, the strategy going on after it.

    ``shoe`` is what is unseen without the player's hand. Splits are those of two cards.
    """
    values[:] = np.nan
    best_play(shoe, upcard, 0, NO_SPLIT, table, values[:3])
    hit_values(shoe, upcard, strategy, table, values)
    left = np.empty(RANKS)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = CHILD[CHILD[0, first], second]
            if np.isnan(values[STAND, hand]):
                continue
            for rank in range(RANKS):
                left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            values[SURRENDER, hand] = surrender_value(left, upcard, table)
            if first == second:
                again = strategy[FIRST, hand] == SPLIT
                values[SPLIT, hand] = open_hands_values(
                    left, upcard, first, 2, 2, strategy, again, table
                )[0]


@kernel
def action_value(
    shoe: np.ndarray, upcard: int, hand: int, action: int, strategy: np.ndarray, table: Table
) -> float:
    """Return the value of stand, hit or double for one hand, the strategy going on after it."""
    size = 0.0
    for rank in range(RANKS):
        size += shoe[rank]
    excluded = blackjack_rank(upcard, table)
    outcomes = np.empty(OUTCOMES)
    if action == STAND:
        dealer_outcomes(shoe, size, upcard, table, outcomes)
        return stand_value(TOTAL[hand], outcomes, excluded)
    value = 0.0
    for rank in range(RANKS):
        chance = draw_probability(shoe, size, rank, excluded, table)
        if chance <= 0:
            continue
        child = CHILD[hand, rank]
        if child < 0:
            value -= chance
            continue
        shoe[rank] -= table.removal
        if action == HIT:
            then = played_value(shoe, upcard, child, strategy, TO_HIT, False, table)
        else:
            dealer_outcomes(shoe, size - table.removal, upcard, table, outcomes)
            then = stand_value(TOTAL[child], outcomes, excluded)
        value += chance * then
        shoe[rank] += table.removal
    return 2.0 * value if action == DOUBLE else value


@kernel
def finish_dealer(shoe: np.ndarray, start: int, table: Table, outcomes: np.ndarray) -> None:
    """Fill ``outcomes`` (7,) with the chances of the dealer's outcomes from the cards so far."""
    outcomes[:] = 0.0
    if start < 0:
        outcomes[BUST] = 1.0
        return
    reach = np.zeros(HANDS)
    reach[start] = 1.0
    last = start
    for hand in range(start, HANDS):
        if hand > last:
            break
        here = reach[hand]
        if here == 0.0:
            continue
        total = TOTAL[hand]
        if hand == BLACKJACK:
            outcomes[NATURAL] += here
        elif total > 17 or (total == 17 and not (SOFT[hand] and table.hits_soft_17)):
            outcomes[total - 17] += here
        else:
            size = 0.0
            for rank in range(RANKS):
                own = COUNTS[hand, rank] - COUNTS[start, rank]
                size += shoe[rank] - own * table.removal
            for rank in range(RANKS):
                own = COUNTS[hand, rank] - COUNTS[start, rank]
                cards = shoe[rank] - own * table.removal
                if cards <= 0:
                    continue
                child = CHILD[hand, rank]
                if child < 0:
                    outcomes[BUST] += here * cards / size
                else:
                    reach[child] += here * cards / size
                    last = max(last, child)
