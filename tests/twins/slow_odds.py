"""The odds room again, from the definitions and as slowly as that goes: no tables, no kernels.

A hand's value is a tuple that compares like the hand, found by trying every five of its cards.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product

from railbird.cards import Card, Holding, cards_of, holding_of

Value = tuple[int, tuple[int, ...]]
DECK = tuple(Card(card) for card in range(52))


@cache
def _value_of_five(cards: tuple[Card, ...]) -> Value:
    ranks = sorted((card // 4 for card in cards), reverse=True)
    counts = Counter(ranks)
    by_count = tuple(sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True))
    flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = by_count = [3, 2, 1, 0, -1]  # type: ignore[assignment]
    straight = len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4
    shape = tuple(sorted(counts.values(), reverse=True))
    kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0)
    if straight or flush:
        kind = 8 if straight and flush else max(kind, 5 if flush else 4)
    return kind, tuple(by_count)


def value(cards: Sequence[Card]) -> Value:
    """Value of the best five of five to seven cards."""
    return max(_value_of_five(five) for five in combinations(sorted(cards), 5))


def canonical(board: Sequence[Card]) -> tuple[Card, ...]:
    """Of the 24 images of a board the one that comes first, by the highest card, then the next."""
    images = (
        sorted((card // 4 * 4 + suits[card % 4] for card in board), reverse=True)
        for suits in permutations(range(4))
    )
    return tuple(Card(card) for card in reversed(min(images)))


def without(*known: Card) -> list[Card]:
    """The deck without some cards."""
    return [card for card in DECK if card not in known]


def compare(hole: Holding, board: Sequence[Card]) -> tuple[int, int, int]:
    """Count the opponent's holdings that are behind, tied and ahead of ours on this board."""
    own = cards_of(hole)
    mine = value([*own, *board])
    theirs = [value([*other, *board]) for other in combinations(without(*own, *board), 2)]
    return (
        sum(other < mine for other in theirs),
        sum(other == mine for other in theirs),
        sum(other > mine for other in theirs),
    )


def hr7(hole: Holding, board: Sequence[Card]) -> Fraction:
    """Mean of the river's hand rank over all completions."""
    completions = list(combinations(without(*cards_of(hole), *board), 5 - len(board)))
    points = 0
    for cards in completions:
        ahead, tied, _ = compare(hole, [*board, *cards])
        points += 2 * ahead + tied
    return Fraction(points, 1980 * len(completions))


def deals(
    players: Sequence[Mapping[Holding, Fraction]], known: Sequence[Card]
) -> Iterator[tuple[tuple[Holding, ...], Fraction]]:
    """Every way to give each player a holding of the range, and its weight."""
    for held in product(*players):
        cards = [card for holding in held for card in cards_of(holding)]
        if len({*cards, *known}) == len(cards) + len(known):
            weight = Fraction(1)
            for player, holding in zip(players, held, strict=True):
                weight *= player[holding]
            yield held, weight


def equity(
    players: Sequence[Mapping[Holding, Fraction]], board: Sequence[Card], dead: Sequence[Card] = ()
) -> tuple[Fraction, list[tuple[Fraction, Fraction, Fraction]]]:
    """Trials, and each player's wins, ties and share of the pot, all as sums of weights."""
    trials = Fraction(0)
    results = [[Fraction(0)] * 3 for _ in players]
    for held, weight in deals(players, [*board, *dead]):
        known = [card for holding in held for card in cards_of(holding)] + [*board, *dead]
        for cards in combinations(without(*known), 5 - len(board)):
            values = [value([*cards_of(holding), *board, *cards]) for holding in held]
            winners = [p for p, mine in enumerate(values) if mine == max(values)]
            trials += weight
            for p in winners:
                results[p][0 if len(winners) == 1 else 1] += weight
                results[p][2] += weight / len(winners)
    return trials, [(win, tie, share) for win, tie, share in results]


def standings(
    hole: Holding, board: Sequence[Card], weights: Mapping[Holding, int], to_come: int
) -> list[list[int]]:
    """Table [now][then] of ahead, tied and behind, by weight."""
    table = [[0] * 3 for _ in range(3)]
    own = cards_of(hole)

    def standing(other: tuple[Card, ...], cards: Sequence[Card]) -> int:
        mine, theirs = value([*own, *cards]), value([*other, *cards])
        return 0 if mine > theirs else 1 if mine == theirs else 2

    for other in combinations(without(*own, *board), 2):
        weight = weights.get(holding_of(*other), 0)
        if weight:
            now = standing(other, board)
            for cards in combinations(without(*own, *board, *other), to_come):
                table[now][standing(other, [*board, *cards])] += weight
    return table


# Strength of a hand from the rules of the game alone, one five-card hand after the other.


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
