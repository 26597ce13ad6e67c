"""Exact values of splits, re-splits and of two cards before the dealer peeks."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel
from railbird.blackjack.exact._kernels_values import (
    FIRST,
    NO_SPLIT,
    SPLIT,
    SURRENDER,
    TO_HIT,
    Table,
    blackjack_rank,
    played_value,
    played_values,
)
from railbird.blackjack.exact._tables_hands import (
    ACE,
    BLACKJACK,
    CHILD,
    COUNTS,
    PAIRED,
    RANKS,
    TEN,
)


@kernel
def split_level(table: Table) -> int:
    """Return the row of a strategy that two cards after a split are played by."""
    return NO_SPLIT if table.double_after_split else TO_HIT


@kernel
def pair_probability(
    shoe: np.ndarray, pair: int, removed: int, others: int, upcard: int, table: Table
) -> float:
    """Return the probability that the next card is of the pair's rank.

    ``removed`` more cards of the rank are out of ``shoe``, and ``others`` unknown cards of other
    ranks; after a peek the hole card is not of one rank.
    """
    gone = table.removal
    pairs: float = shoe[pair] - removed * gone
    if pairs <= 0:
        return 0.0
    size = -removed * gone
    for rank in range(RANKS):
        size += shoe[rank]
    excluded = blackjack_rank(upcard, table)
    if excluded < 0:
        return min(pairs / (size - others * gone), 1.0)
    if excluded == pair:  # the hole card is one more card of another rank
        return min(pairs / (size - (others + 1) * gone), 1.0)
    # The hole card is of the pair's rank, or neither of it nor of the excluded one. The ratio of
    # the orders in which the others can follow is a telescoped product.
    rest: float = size - pairs - shoe[excluded]
    spare = size - pairs - others * gone
    if gone == 0.0:
        return pairs / size
    if spare <= 0 and rest <= 0:
        return 1.0
    in_hole = pairs * (size - pairs)
    elsewhere = rest * spare
    return (in_hole * (pairs - gone) + elsewhere * pairs) / (
        (size - (others + 1) * gone) * (in_hole + elsewhere)
    )


@kernel
def open_hands_values(
    shoe: np.ndarray,
    upcard: int,
    pair: int,
    open_hands: int,
    hands: int,
    strategy: np.ndarray,
    again: bool,
    table: Table,
) -> tuple[float, float]:
    """Return the summed value of hands of one card each, of a pair that has been split.

    First, that where pairs are split ``again``, as far as the rules allow; second, where not.
    ``hands`` are in play altogether, and ``open_hands`` of them wait for their second card;
    ``shoe`` is unseen. Every hand is played by the strategy without regard to the others (CDZ-),
    which is what makes this exact: cards are exchangeable, so a hand is worth the same whether it
    is played first or last, and only the number of cards of the pair's rank that went to other
    hands matters. Farmer (2007), Analysis of Blackjack, describes the idea.
    """
    level = split_level(table)
    stands = pair == ACE and not table.hit_split_aces
    one, two = CHILD[0, pair], CHILD[CHILD[0, pair], pair]
    more = again and (pair != ACE or table.resplit_aces)
    most = max(table.most_hands, hands) if more else hands
    extra = most - hands
    depth = open_hands + 2 * extra if extra else 1
    single = np.zeros((depth + 1, depth + 1))
    paired = np.zeros((depth + 1, depth + 1))
    left = np.empty(RANKS)
    for removed in range(depth):
        for rank in range(RANKS):
            left[rank] = shoe[rank]
        left[pair] -= removed * table.removal
        if left[pair] < 0:
            break
        # A hand that has grown to a pair leaves the same shoe as a pair: one pass for both.
        second = two if extra and left[pair] > 0 else -1
        single[removed, 0], paired[removed, 0] = played_values(
            left, upcard, one, second, strategy, level, stands, table
        )
    once = open_hands * single[0, 0]
    if not extra:
        return once, once
    # From hands whose other cards are unknown to hands that know how many others are no pair.
    for others in range(depth - 1):
        for removed in range(depth - 1 - others):
            p = pair_probability(shoe, pair, removed, others, upcard, table)
            q = pair_probability(shoe, pair, removed + 1, others, upcard, table)
            if p < 1.0:
                single[removed, others + 1] = (
                    single[removed, others] - p * single[removed + 1, others]
                ) / (1.0 - p)
            if q < 1.0:
                paired[removed, others + 1] = (
                    paired[removed, others] - q * paired[removed + 1, others]
                ) / (1.0 - q)
    value = 0.0
    # A second card that makes no pair closes a hand; one that makes a pair opens another.
    ways = np.zeros((extra + 1, depth + 1))
    ways[0, 0] = 1.0
    for removed in range(extra + 1):
        for others in range(open_hands + removed + 1):
            way = ways[removed, others]
            if way == 0.0:
                continue
            waiting = open_hands + removed - others
            if waiting == 0 or removed == extra:
                if others:
                    p = pair_probability(shoe, pair, removed, others - 1, upcard, table)
                    known = single[removed, others - 1] - p * paired[removed, others - 1]
                    value += way * others * known / (1.0 - p)
                if waiting:
                    value += way * waiting * single[removed, others]
                continue
            p = pair_probability(shoe, pair, removed, others, upcard, table)
            ways[removed + 1, others] += way * p
            ways[removed, others + 1] += way * (1.0 - p)
    return value, once


@kernel
def open_hands_value(
    shoe: np.ndarray,
    upcard: int,
    pair: int,
    open_hands: int,
    hands: int,
    strategy: np.ndarray,
    table: Table,
) -> float:
    """Return what `open_hands_values` are where a pair is split again if the strategy says so."""
    again = strategy[FIRST, CHILD[CHILD[0, pair], pair]] == SPLIT
    return open_hands_values(shoe, upcard, pair, open_hands, hands, strategy, again, table)[0]


@kernel
def round_values(
    shoe: np.ndarray, upcard: int, strategy: np.ndarray, table: Table, values: np.ndarray
) -> None:
    """Fill ``values`` (hands,) with what two-card hands are worth, played by a strategy.

    ``shoe`` is what is unseen without the player's hand. Blackjacks are paid, early surrender and
    the dealer's own blackjack are counted: these are values before the dealer peeks.
    """
    left = np.empty(RANKS)
    for first in range(RANKS):
        for second in range(first, RANKS):
            hand = CHILD[CHILD[0, first], second]
            for rank in range(RANKS):
                left[rank] = shoe[rank] - COUNTS[hand, rank] * table.removal
            if left[first] < 0 or left[second] < 0:
                values[hand] = 0.0
                continue
            values[hand] = hand_value(left, upcard, hand, strategy, table)


@kernel
def natural_probability(shoe: np.ndarray, upcard: int, table: Table) -> float:
    """Return the probability that the dealer's hole card makes a blackjack."""
    if upcard != ACE and upcard != TEN:
        return 0.0
    size = 0.0
    for rank in range(RANKS):
        size += shoe[rank]
    return shoe[TEN if upcard == ACE else ACE] / size if size > 0 else 0.0


@kernel
def hand_value(
    shoe: np.ndarray, upcard: int, hand: int, strategy: np.ndarray, table: Table
) -> float:
    """Return the value of two cards before the dealer peeks, played by a strategy."""
    natural = natural_probability(shoe, upcard, table)
    if hand == BLACKJACK:
        return table.payout * (1.0 - natural)
    action = strategy[FIRST, hand]
    if action == SURRENDER:
        return -0.5 if table.surrender == 2 else -0.5 * (1.0 - natural) - natural
    if action == SPLIT:
        value = open_hands_value(shoe, upcard, PAIRED[hand], 2, 2, strategy, table)
    else:
        value = played_value(shoe, upcard, hand, strategy, NO_SPLIT, False, table)
    if blackjack_rank(upcard, table) < 0:
        return value
    return value * (1.0 - natural) - natural
