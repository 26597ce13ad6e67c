"""Tables for kernels: all hands and draws counted once, and rounds as small integers.

A rank is 0 for an ace, 1 for a deuce, ... 9 for ten, jack, queen and king. A hand is an unordered
selection of ranks with a hard total of at most 21. Its number is its place in these tables: the
empty hand is 0, and a hand comes after all hands from which it can grow, so one pass in this order
finds every hand's predecessors done.

The dealer's final hands are unordered too, each with the number of orders in which it can be drawn.
They form a tree over sorted ranks, in which each branch costs one multiplication. With ordered
draws there would be twenty times as many branches.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

RANKS = 10
ACE, TEN = 0, 9
BUST, NATURAL = 5, 6
"""Places of these two among the dealer's outcomes 17, 18, 19, 20, 21, bust, blackjack."""
OUTCOMES = 7

Hand = tuple[int, ...]


def _total(hand: Hand) -> tuple[int, bool]:
    hard = sum(count * (rank + 1) for rank, count in enumerate(hand))
    soft = hand[ACE] > 0 and hard <= 11
    return hard + 10 * soft, soft


def _with(hand: Hand, rank: int) -> Hand:
    return (*hand[:rank], hand[rank] + 1, *hand[rank + 1 :])


def _all_hands() -> list[Hand]:
    hands: list[tuple[int, Hand]] = []

    def extend(hand: Hand, hard: int, least: int) -> None:
        hands.append((hard, hand))
        for rank in range(least, min(RANKS, 21 - hard)):
            extend(_with(hand, rank), hard + rank + 1, rank)

    extend((0,) * RANKS, 0, 0)
    return [hand for _, hand in sorted(hands)]


_HANDS = _all_hands()
_PLACE = {hand: place for place, hand in enumerate(_HANDS)}

HANDS = len(_HANDS)
COUNTS = np.array(_HANDS, np.int8)
"""(hands, 10) number of cards of each rank."""
CARDS = COUNTS.sum(axis=1).astype(np.int8)
TOTAL = np.array([_total(hand)[0] for hand in _HANDS], np.int8)
SOFT = np.array([_total(hand)[1] for hand in _HANDS], np.bool_)
CHILD = np.array(
    [[_PLACE.get(_with(hand, rank), -1) for rank in range(RANKS)] for hand in _HANDS], np.int16
)
"""(hands, 10) the hand with one more card; -1 if it busts."""
PAIR = np.array([CHILD[CHILD[0, rank], rank] for rank in range(RANKS)], np.int16)
"""(10,) the hand of two cards of a rank."""
PAIRED = np.full(HANDS, -1, np.int8)
"""(hands,) the rank of a pair; -1 for other hands."""
PAIRED[PAIR] = np.arange(RANKS)
BLACKJACK = int(CHILD[CHILD[0, ACE], TEN])


def _stands(hand: Hand, hits_soft_17: bool) -> bool:
    total, soft = _total(hand)
    return total > 17 or (total == 17 and not (soft and hits_soft_17))


@cache
def _outcome(hand: Hand) -> int:
    total, _ = _total(hand)
    if sum(hand) == 2 and total == 21:
        return NATURAL
    return BUST if total > 21 else total - 17


def _final_draws(upcard: int, hits_soft_17: bool) -> dict[Hand, tuple[int, int]]:
    """Return the hands at which the dealer stops, with outcome and number of orders."""
    start = _with((0,) * RANKS, upcard)
    level = {start: 1}
    final: dict[Hand, tuple[int, int]] = {}
    while level:
        after: dict[Hand, int] = {}
        for hand, orders in level.items():
            for rank in range(RANKS):
                drawn = _with(hand, rank)
                after[drawn] = after.get(drawn, 0) + orders
        level = {}
        for hand, orders in after.items():
            if _stands(hand, hits_soft_17):
                draws = tuple(n - m for n, m in zip(hand, start, strict=True))
                final[draws] = _outcome(hand), orders
            else:
                level[hand] = orders
    return final


def _tree(final: dict[Hand, tuple[int, int]]) -> list[tuple[int, int, int, int, int]]:
    """Return the tree's nodes in pre-order: depth, rank and number of the card, outcome, orders."""
    sequences = {
        tuple(rank for rank in reversed(range(RANKS)) for _ in range(draws[rank])): ending
        for draws, ending in final.items()
    }
    prefixes = {seq[:length] for seq in sequences for length in range(1, len(seq) + 1)}
    return [
        (
            len(prefix),
            prefix[-1],
            prefix.count(prefix[-1]) - 1,
            *sequences.get(prefix, (OUTCOMES, 0)),
        )
        for prefix in sorted(prefixes)
    ]


_TREES = [_tree(_final_draws(upcard, bool(h17))) for h17 in range(2) for upcard in range(RANKS)]
TREE_START = np.cumsum([0, *(len(tree) for tree in _TREES)]).astype(np.int64)
"""The first node of each tree, at 10 * (hits soft 17) + upcard."""
_NODES = np.array([node for tree in _TREES for node in tree], np.int32)


MOST_DRAWS = int(_NODES[:, 0].max())

DEPTH = _NODES[:, 0].astype(np.int8)
CARD = (_NODES[:, 1] * MOST_DRAWS + _NODES[:, 2]).astype(np.int16)
"""Rank of the last draw times `MOST_DRAWS`, plus how many of that rank were drawn before."""
OUTCOME = _NODES[:, 3].astype(np.int8)
"""The outcome of a final hand; `OUTCOMES` for other hands."""
ORDERS = _NODES[:, 4].astype(np.float64)


# A player's round as a sequence of small integers: cards and actions in the order of events.
#
# A card is its rank, 0 to 9, and an action is `ACTION` plus its number. First come the player's
# first card, the dealer's upcard and the player's second card; then insurance, if it is taken; then
# the actions, each followed by the cards that it brings; finally the dealer's turn and cards. When
# a split hand is finished, the second card of the next one follows. What is forced has no action: a
# hand of 21, a split ace that gets one card, a charlie.
#
# With other players at the table, their first cards come after the player's, as `OTHERS_DEAL` plus
# the rank. Cards that they draw are `OTHERS_DRAW` plus the rank. These come before the player's
# first action (once the dealer has peeked) and after the player's last one.


ACTION: Final = 10
INSURANCE: Final = 15
DEALER: Final = 16
OTHERS_DEAL: Final = 20
OTHERS_DRAW: Final = 30
MOST_TOKENS: Final = 200
"""Most tokens in a round; real rounds are shorter, and a longer one is not kept."""
MOST_SPLIT: Final = 12
"""Room for the hands of one wager, more than `MOST_RESPLITS` allows."""
