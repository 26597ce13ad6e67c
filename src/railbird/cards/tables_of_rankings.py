"""Strengths by every ranking of five cards, at the places of the tables of high hands.

A ranking differs from high by the order of the same hands. So a hand is looked up by the same key,
in a row of its own. Strengths begin at 1 here, higher wins in every ranking, low ones included, and
0 is no hand.

Only five cards are scored. Six or seven have the best strength of those that remain when a card is
left out. That does not hold for deuce to seven, in which a flush hurts: there a hand is five cards.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from railbird.cards.tables import (
    CATEGORY_SHIFT,
    COLUMN_BITS,
    COLUMN_PLACE,
    FLUSH,
    FLUSH_STRENGTH,
    FULL_HOUSE,
    LARGEST,
    PLAIN_STRENGTH,
    RANK_CODE,
    RANK_SETS,
    RANKS,
    ROW_START,
    STRAIGHT,
    TRIPS,
    Ints,
    rank_multisets,
    scores_of_flushes,
    scores_without_flush,
    straight_top,
)

HIGH, SHORT_DECK, SHORT_DECK_TRIPS, ACE_TO_FIVE, DEUCE_TO_SEVEN = range(5)
"""Rows of the tables, in the order of `railbird.cards.variants.HandRanking`."""
BADUGI = 5
"""Number of the ranking that has a table of its own."""

_SIX = 4
"""The lowest rank of a short deck."""

_SETS: Ints = np.arange(RANK_SETS, dtype=np.int64)
_IN_SET = np.bitwise_count(_SETS)

FLUSHES_COUNT = np.array([True, True, True, False, True])
"""(5,) whether a ranking knows flushes."""


def _without_straights(ranks: Ints) -> Ints:
    return np.full_like(ranks, -1)


def _without_low_ace(ranks: Ints) -> Ints:
    top = straight_top(ranks)
    return np.where(top == 3, -1, top)


def _aces_low(ranks: Ints) -> Ints:
    return ranks << 1 & RANK_SETS - 1 | ranks >> RANKS - 1


def _places(code: Ints) -> Ints:
    rows, columns = code >> COLUMN_BITS, code & (1 << COLUMN_BITS) - 1
    return np.asarray(ROW_START[rows] + COLUMN_PLACE[columns], dtype=np.int64)


def _reordered(scores: Ints, order: Ints) -> Ints:
    """Return scores in another order of their categories."""
    in_category = scores & (1 << CATEGORY_SHIFT) - 1
    categories = order[scores >> CATEGORY_SHIFT]
    return np.asarray((categories << CATEGORY_SHIFT) + in_category, dtype=np.int64)


def _made() -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    size, code, at_least = rank_multisets()
    places = _places(code)
    five = [ranks[size == 5] for ranks in at_least]
    more = [
        [np.flatnonzero((size == cards) & (at_least[0] >> rank & 1 == 1)) for rank in range(RANKS)]
        for cards in range(6, LARGEST + 1)
    ]
    plain_in = np.zeros((5, len(PLAIN_STRENGTH)), dtype=np.uint16)
    flush_in = np.zeros((5, RANK_SETS), dtype=np.uint16)
    plain_in[HIGH, : len(code)] = PLAIN_STRENGTH[: len(code)] + np.uint16(1)
    flush_in[HIGH] = np.where(_IN_SET >= 5, FLUSH_STRENGTH + np.uint16(1), 0)

    def fill(ranking: int, plain: Ints, flushes: Ints | None, lowest: int = 0) -> None:
        """Number the scores of five cards, higher ones being better; find the best of more."""
        absent = (1 << lowest) - 1
        scores = plain[five[0] & absent == 0]
        suited = np.flatnonzero((_IN_SET >= 5) & (_SETS & absent == 0))
        if flushes is not None:
            scores = np.concatenate([scores, flushes[suited[_IN_SET[suited] == 5]]])
        scores = np.unique(scores)
        strength = plain_in[ranking]
        strength[places[size == 5]] = np.searchsorted(scores, plain) + 1
        if flushes is not None:
            flush_in[ranking, suited] = np.searchsorted(scores, flushes[suited]) + 1
        for by_rank in more:
            for rank, hands in enumerate(by_rank):
                rest = strength[_places(code[hands] - int(RANK_CODE[rank]))]
                strength[places[hands]] = np.maximum(strength[places[hands]], rest)

    low = [_aces_low(ranks) for ranks in five]
    fill(ACE_TO_FIVE, -scores_without_flush(low, _without_straights), None)
    fill(
        DEUCE_TO_SEVEN,
        -scores_without_flush(five, _without_low_ace),
        -scores_of_flushes(_SETS, _without_low_ace),
    )
    straights = partial(straight_top, lowest=_SIX)
    plain = scores_without_flush(five, straights)
    flushes = scores_of_flushes(_SETS, straights)
    order = np.arange(9)
    order[[FULL_HOUSE, FLUSH]] = FLUSH, FULL_HOUSE
    for ranking in (SHORT_DECK, SHORT_DECK_TRIPS):
        fill(ranking, _reordered(plain, order), _reordered(flushes, order), _SIX)
        order[[TRIPS, STRAIGHT]] = STRAIGHT, TRIPS
    return plain_in, flush_in


def _badugis() -> NDArray[np.uint16]:
    """Return the strength of each set of one to four ranks: more cards first, then lower ones."""
    scores = _IN_SET.astype(np.int64) * RANK_SETS - _aces_low(_SETS)
    possible = (_IN_SET >= 1) & (_IN_SET <= 4)
    strengths = np.searchsorted(np.unique(scores[possible]), scores) + 1
    return np.where(possible, strengths, 0).astype(np.uint16)


PLAIN_IN, FLUSH_IN = _made()
"""(5, n) by ranking and place of the multiset of ranks, the strength without a flush; and
(5, 8192) by ranking and set of five or more ranks of one suit, 0 where flushes do not count."""

BADUGI_STRENGTH = _badugis()
"""(8192,) strength, 1 to 1,092, of a set of ranks of as many suits; 0 for none or too many."""

for _table in (PLAIN_IN, FLUSH_IN, FLUSHES_COUNT, BADUGI_STRENGTH):
    _table.setflags(write=False)
del _table
