"""What a round is worth in the midst of it, if the baseline plays on."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.blackjack.exact._kernels_split import natural_probability, open_hands_value
from railbird.blackjack.exact._kernels_strategy import surrender_value
from railbird.blackjack.exact._kernels_values import (
    SPLIT,
    SURRENDER,
    Table,
    blackjack_rank,
    dealer_outcomes,
    stand_value,
)
from railbird.blackjack.exact._tables_hands import (
    ACE,
    BLACKJACK,
    CHILD,
    OUTCOMES,
    PAIRED,
    RANKS,
    TEN,
    TOTAL,
)
from railbird.blackjack.score._kernels_policy import action_value

LIVE, OVER = 1, 2
"""States of a hand that has been played: the dealer decides, or not."""


@kernel
def deal_luck(
    shoe: np.ndarray,
    first: int,
    upcard: int,
    start: float,
    values: np.ndarray,
    terms: np.ndarray,
    insured: bool,
    table: Table,
) -> float:
    """Fill in the luck of the first two cards; return the value after them.

    ``values`` (10, hands) are those of two cards against each upcard, before the peek.
    """
    left = shoe.copy()
    size = 0.0
    for rank in range(RANKS):
        size += left[rank]
    left[first] -= table.removal
    size -= table.removal
    after_first = 0.0
    after_upcard = 0.0
    for up in range(RANKS):
        if left[up] <= 0:
            continue
        chance = left[up] / size
        left[up] -= table.removal
        mean = 0.0
        for second in range(RANKS):
            if left[second] > 0:
                hand = CHILD[CHILD[0, first], second]
                mean += left[second] / (size - table.removal) * values[up, hand]
        if insured and up == ACE:
            mean += 1.5 * left[TEN] / (size - table.removal) - 0.5
        left[up] += table.removal
        after_first += chance * mean
        if up == upcard:
            after_upcard = mean
    terms[0] = after_first - start
    terms[1] = after_upcard - after_first
    return after_upcard


@kernel
def waiting_value(
    left: np.ndarray,
    upcard: int,
    pair: int,
    waiting: int,
    held: int,
    strategy: np.ndarray,
    table: Table,
) -> float:
    """Return what the hands of a split are worth that wait for their second card."""
    if waiting == 0:
        return 0.0
    return open_hands_value(left, upcard, pair, waiting, held, strategy, table)


@kernel
def played_hands_value(
    left: np.ndarray,
    size: float,
    upcard: int,
    number: np.ndarray,
    stake: np.ndarray,
    state: np.ndarray,
    hands: int,
    alone: bool,
    side: float,
    late_loss: float,
    table: Table,
) -> float:
    """Return what is still open: the first ``hands``, once they have been played, and insurance.

    Where a hand is ``alone``, not one of a split, an ace and a ten are a blackjack.
    ``late_loss`` is what a surrendered hand loses besides if the dealer turns up a blackjack.
    """
    excluded = blackjack_rank(upcard, table)
    outcomes = np.empty(OUTCOMES)
    value = 0.0
    if excluded < 0:
        natural = natural_probability(left, upcard, table)
        value = side * (3.0 * natural - 1.0) - late_loss * natural
    asked = False
    for hand in range(hands):
        if state[hand] != LIVE:
            continue
        if not asked:
            dealer_outcomes(left, size, upcard, table, outcomes)
            asked = True
        if number[hand] == BLACKJACK and alone:
            unbeaten = 1.0 if excluded >= 0 else 1.0 - natural_probability(left, upcard, table)
            value += table.payout * unbeaten
        else:
            value += stake[hand] * stand_value(TOTAL[number[hand]], outcomes, excluded)
    return value


@kernel
def action_and_rest_value(
    left: np.ndarray,
    upcard: int,
    hand: int,
    action: int,
    plan: np.ndarray,
    use_known: bool,
    known: np.ndarray,
    rest: float,
    waiting: int,
    held: int,
    pair: int,
    table: Table,
) -> float:
    """Return the value of an action for a hand and for those that wait for a card."""
    if use_known and not np.isnan(known[upcard, action, hand]):
        value: float = known[upcard, action, hand]
        return value
    if action == SPLIT:
        return open_hands_value(left, upcard, PAIRED[hand], waiting + 2, held + 1, plan, table)
    if action == SURRENDER:
        return surrender_value(left, upcard, table) + rest
    return action_value(left, upcard, hand, action, plan, table) + rest
