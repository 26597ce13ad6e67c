"""Strength of a hand from the rules of the game alone, one five-card hand after the other."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

Score = tuple[int, ...]

WHEEL = [12, 3, 2, 1, 0]


def score_of_five(ranks: Sequence[int], *, suited: bool) -> Score:
    """Return the category, 0 to 8, and then the ranks in the order in which they decide."""
    counts = Counter(ranks)
    ordered = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = tuple(sorted(counts.values(), reverse=True))
    straight = len(counts) == 5 and (ordered[0] - ordered[4] == 4 or ordered == WHEEL)
    if straight:
        return (8 if suited else 4, 3 if ordered == WHEEL else ordered[0])
    if suited:
        return (5, *ordered)
    by_shape = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return (by_shape.get(shape, 0), *ordered)


@cache
def all_scores() -> list[Score]:
    """Return the scores that five cards can have, worst first."""
    multisets = [
        ranks
        for ranks in combinations_with_replacement(range(13), 5)
        if max(Counter(ranks).values()) <= 4
    ]
    scores = {score_of_five(ranks, suited=False) for ranks in multisets}
    scores |= {score_of_five(ranks, suited=True) for ranks in combinations(range(13), 5)}
    return sorted(scores)


def score(cards: Sequence[int]) -> Score:
    """Return the score of the best five of the cards, 4 * rank + suit."""
    return max(
        score_of_five([card // 4 for card in five], suited=len({card % 4 for card in five}) == 1)
        for five in combinations(cards, 5)
    )


def strength(cards: Sequence[int]) -> int:
    """Return the strength, 0 to 7461, of five or more cards."""
    return bisect_left(all_scores(), score(cards))
