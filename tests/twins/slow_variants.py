"""Hands of every variant again, by the rules of the game: no tables, no keys, every choice tried.

A hand's value is a tuple that compares like the hand: the greater one wins, low hands included. It
is None if the hand cannot win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

Value = tuple[int | tuple[int, ...], ...]

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
ORDER = {
    "high": [0, 1, 2, 3, 4, 5, 6, 7, 8],
    "short deck": [0, 1, 2, 3, 4, 6, 5, 7, 8],
    "short deck, trips beat a straight": [0, 1, 2, 4, 3, 6, 5, 7, 8],
    "deuce to seven": [0, 1, 2, 3, 4, 5, 6, 7, 8],
}
LOWEST_STRAIGHT = {
    "high": {12, 0, 1, 2, 3},
    "short deck": {12, 4, 5, 6, 7},
    "short deck, trips beat a straight": {12, 4, 5, 6, 7},
    "deuce to seven": set[int](),
}


def _by_count(ranks: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    counts = Counter(ranks)
    order = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return tuple(counts[rank] for rank in order), tuple(order)


SHAPES = {
    (4, 1): QUADS,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): TRIPS,
    (2, 2, 1): TWO_PAIR,
    (2, 1, 1, 1): PAIR,
    (1, 1, 1, 1, 1): HIGH_CARD,
}


def five(cards: Sequence[int], ranking: str) -> Value:
    """The value of exactly five cards."""
    ranks = [card // 4 for card in cards]
    if ranking == "ace to five":
        shape, order = _by_count([(rank + 1) % 13 for rank in ranks])
        return -SHAPES[shape], tuple(-rank for rank in order)
    shape, order = _by_count(ranks)
    kind = SHAPES[shape]
    flush = len({card % 4 for card in cards}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    if set(ranks) == LOWEST_STRAIGHT[ranking]:
        straight, order = True, (*order[1:], -1)
    if flush or straight:
        kind = STRAIGHT_FLUSH if flush and straight else FLUSH if flush else STRAIGHT
    place = ORDER[ranking][kind]
    if ranking == "deuce to seven":
        return -place, tuple(-rank for rank in order)
    return place, order


def badugi(cards: Sequence[int]) -> Value:
    """The value of the best badugi of some cards."""
    return max(
        (count, tuple(sorted(-((card // 4 + 1) % 13) for card in chosen)))
        for count in range(1, 5)
        for chosen in combinations(cards, count)
        if len({card // 4 for card in chosen}) == count == len({card % 4 for card in chosen})
    )


def value(
    ranking: str,
    use: int | None,
    qualifier: int | None,
    holes: Sequence[int],
    board: Sequence[int] = (),
) -> Value | None:
    """The value of holes and board, of which ``use`` holes count, or any number."""
    if ranking == "badugi":
        return badugi(holes)
    if use is None:
        hands: list[tuple[int, ...]] = list(combinations([*holes, *board], 5))
    else:
        hands = [
            (*own, *common)
            for own in combinations(holes, use)
            for common in combinations(board, 5 - use)
        ]
    if qualifier is not None:
        hands = [
            hand
            for hand in hands
            if len({card // 4 for card in hand}) == 5
            and all((card // 4 + 1) % 13 < qualifier for card in hand)
        ]
    return max((five(hand, ranking) for hand in hands), default=None)


def deals(
    deck: Sequence[int], hands: Sequence[Sequence[int]], sizes: Sequence[int]
) -> Iterator[list[list[int]]]:
    """Every way to fill up hands (or boards) to their sizes from a deck."""
    if not hands:
        yield []
        return
    first, *others = hands
    for more in combinations(deck, sizes[0] - len(first)):
        rest = [card for card in deck if card not in more]
        for filled in deals(rest, others, sizes[1:]):
            yield [[*first, *more], *filled]


def pot(
    shares: Sequence[tuple[str, int | None, int | None]],
    hands: Sequence[Sequence[int]],
    boards: Sequence[Sequence[int]],
) -> list[Fraction]:
    """What everybody has of a pot, by ranking, use and qualifier of each share."""
    had = [Fraction(0)] * len(hands)
    for board in boards:
        winners = []
        for ranking, use, qualifier in shares:
            values = [value(ranking, use, qualifier, hand, board) for hand in hands]
            qualified = [hand_value for hand_value in values if hand_value is not None]
            if qualified:
                winners.append([p for p, mine in enumerate(values) if mine == max(qualified)])
        for best in winners:
            for p in best:
                had[p] += Fraction(1, len(boards) * len(winners) * len(best))
    return had
