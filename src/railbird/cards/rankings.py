"""Strength of a hand in a share of a pot: the high hand of Omaha, the low one, a badugi.

`railbird.cards.strength` does the same for the high hands of five to seven cards alone, faster, and
with strengths from 0.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards.card import RANKS, Card, CardsLike, cards_from, format_card
from railbird.cards.hand_strength import describe, strength
from railbird.cards.rankings_kernels import strengths_in
from railbird.cards.variants import HandRanking, PotShare
from railbird.errors import BadInput, DuplicateCard

RANKING_NUMBER: Final = {ranking: number for number, ranking in enumerate(HandRanking)}
"""Row of each ranking in the tables; badugi, the last, has its own table."""


@cache
def least_strength(share: PotShare) -> int:
    """Return the least strength that can win: that of the worst low hand that qualifies."""
    if share.qualifier is None:
        return 1
    # The worst low that qualifies under eight is 8-7-6-5-4.
    top = share.qualifier - 2
    worst = np.array([[4 * rank for rank in range(top, top - 5, -1)]], dtype=np.uint8)
    out = np.empty(1, dtype=np.uint16)
    strengths_in(worst, worst[:, :0], RANKING_NUMBER[share.ranking], False, out)
    return int(out[0])


@checked
def share_strength(share: PotShare, holes: CardsLike, board: CardsLike = ()) -> int:
    """Return the strength of a hand in a share: higher wins, equal ties, 0 cannot win.

    Raises `railbird.errors.BadInput` for a number of cards that the share does not know, and
    `railbird.errors.DuplicateCard` for a repeated card.

    >>> from railbird.cards import VARIANTS
    >>> high, low = VARIANTS["omaha-hilo"].shares
    >>> share_strength(low, "As2s9dKd", "3c4c8h8dTs"), share_strength(low, "AsKs9d9c", "3c4c8h8dTs")
    (6154, 0)
    """
    holes, board = cards_from(holes), cards_from(board)
    seen = [*holes, *board]
    if len(set(seen)) < len(seen):
        twice = max(seen, key=seen.count)
        raise DuplicateCard(f"{format_card(twice)} comes twice in a hand")
    rows = (np.array([cards], dtype=np.uint8) for cards in (holes, board))
    return int(share_strengths(share, *rows)[0])


@checked
def share_strengths(
    share: PotShare, holes: NDArray[np.uint8], boards: NDArray[np.uint8]
) -> NDArray[np.uint16]:
    """Return the strengths, (n,), of holes (n, k) on boards (n, m), whose cards are all different.

    Raises `railbird.errors.BadInput` for other shapes, types, cards or numbers of cards.
    """
    if holes.ndim != 2 or boards.ndim != 2 or len(holes) != len(boards):
        raise BadInput(f"holes of shape {holes.shape} on boards of {boards.shape}: one hand a row")
    if holes.dtype != np.uint8 or boards.dtype != np.uint8:
        raise BadInput(f"cards are uint8 here, not {holes.dtype} and {boards.dtype}")
    for cards in (holes, boards):
        if cards.size and cards.max() > 51:
            raise BadInput(f"{int(cards.max())} is no card: cards are 0-51")
    _check_size(share, holes.shape[1], boards.shape[1])
    out = np.empty(len(holes), dtype=np.uint16)
    strengths_in(
        np.ascontiguousarray(holes),
        # The kernel was compiled for arrays in rows; another layout would compile it once more.
        np.ascontiguousarray(boards),
        RANKING_NUMBER[share.ranking],
        share.use is not None,
        out,
    )
    # Strengths below the least one are real in the table, but by the rules of the share win
    # nothing.
    return np.where(out < least_strength(share), np.uint16(0), out)


@checked
def share_words(share: PotShare, holes: CardsLike, board: CardsLike = ()) -> str:
    """Name the best hand that some cards make in a share; empty where they cannot win it.

    High hands, low hands and badugis have names, others none.

    >>> from railbird.cards import VARIANTS
    >>> high, low = VARIANTS["omaha-hilo"].shares
    >>> share_words(high, "As2s9dKd", "3c4c8h8dTs"), share_words(low, "As2s9dKd", "3c4c8h8dTs")
    ('pair, eights with ace, king, ten', 'low, 8-4-3-2-A')
    """
    if share.ranking is HandRanking.DEUCE_TO_SEVEN:
        return _deuce_words(cards_from(holes))
    if share.ranking is HandRanking.BADUGI:
        return _badugi_words(share, cards_from(holes))
    best = share_best(share, holes, board)
    if not best:
        return ""
    if share.ranking in _HIGH:
        words = describe(strength(best))
        # Four cards from six up and an ace are the lowest straight in short deck, as A-2-3-4-5 is
        # elsewhere, but the names are those of a full deck.
        is_low = share.ranking is not HandRanking.HIGH and {card >> 2 for card in best} == _A6789
        return _A6789_WORDS.get(words, words) if is_low else words
    ranks = sorted(((card >> 2) + 1) % len(RANKS) for card in best)
    return f"low, {'-'.join(RANKS[rank - 1] for rank in reversed(ranks))}"


def _deuce_words(cards: tuple[Card, ...]) -> str:
    """Name a hand of deuce to seven: by its ranks, or by what spoils it."""
    if len(cards) != _FIVE:
        return ""
    words = describe(strength(cards))
    # With the ace high in deuce to seven A-2-3-4-5 is no straight, though the names of high hands
    # say so.
    if {card >> 2 for card in cards} == _WHEEL:
        is_flush = not words.startswith("straight,")
        words = "flush, ace, five, four, three, two" if is_flush else "high card"
    if not words.startswith("high card"):
        return words
    return f"low, {'-'.join(RANKS[card >> 2] for card in sorted(cards, reverse=True))}"


def _badugi_words(share: PotShare, cards: tuple[Card, ...]) -> str:
    """Name the best badugi of some cards."""
    sets = [own for size in range(1, len(cards) + 1) for own in combinations(cards, size)]
    # A badugi counts as many cards as differ in rank and suit; of sets with one strength the
    # smallest has no card that does not count.
    best = max(sets, key=lambda own: (share_strength(share, own), -len(own)), default=())
    ranks = sorted(((card >> 2) + 1) % len(RANKS) for card in best)
    name = "badugi" if len(best) == _FIVE - 1 else f"{len(best)} cards"
    return f"{name}, {'-'.join(RANKS[rank - 1] for rank in reversed(ranks))}" if best else ""


@checked
def share_best(share: PotShare, holes: CardsLike, board: CardsLike = ()) -> tuple[Card, ...]:
    """Return the five cards that are best in a share; none where they cannot win it.

    Nor are there any of less than five cards, or in rankings other than high and ace to five.

    >>> from railbird.cards import VARIANTS, format_cards
    >>> format_cards(share_best(VARIANTS["omaha-hilo"].shares[1], "As2s9dKd", "3c4c8h8dTs"))
    'As2s3c4c8h'
    """
    holes, board = cards_from(holes), cards_from(board)
    fives: list[tuple[Card, ...]]
    if share.use is None:
        fives = list(combinations([*holes, *board], _FIVE))
    else:
        rest = list(combinations(board, _FIVE - share.use))
        fives = [(*own, *common) for own in combinations(holes, share.use) for common in rest]
    if not fives or share.ranking not in (*_HIGH, HandRanking.ACE_TO_FIVE):
        return ()
    if share.ranking is HandRanking.HIGH:
        return max(fives, key=strength)  # hold'em needs no table of other games
    # The five cards are given, so the rule of how many come from the hand does not apply to them
    # again.
    of_five = PotShare(share.ranking, qualifier=share.qualifier)
    strengths = share_strengths(
        of_five, np.array(fives, np.uint8), np.empty((len(fives), 0), np.uint8)
    )
    return fives[int(strengths.argmax())] if strengths.max() else ()


_FIVE: Final = 5
_WHEEL: Final = frozenset(map(RANKS.index, "A2345"))
"""A straight elsewhere; in deuce to seven an ace is high."""
_A6789: Final = frozenset(map(RANKS.index, "6789A"))
"""Ranks of the lowest straight in short deck."""
_A6789_WORDS: Final = {
    "high card, ace, nine, eight, seven, six": "straight, nine high",
    "flush, ace, nine, eight, seven, six": "straight flush, nine high",
}
_HIGH: Final = (HandRanking.HIGH, HandRanking.SHORT_DECK, HandRanking.SHORT_DECK_TRIPS)


def _check_size(share: PotShare, holes: int, board: int) -> None:
    if share.use is not None:
        if not 2 <= holes <= 6 or board != 5:
            raise BadInput(
                f"{holes} own cards on a board of {board}; allowed: 2 to 6 on 5, of which two count"
            )
        return
    least, most = {HandRanking.BADUGI: (1, 4), HandRanking.DEUCE_TO_SEVEN: (5, 5)}.get(
        share.ranking, (5, 7)
    )
    if not least <= holes + board <= most or (share.ranking is HandRanking.BADUGI and board):
        raise BadInput(
            f"{holes + board} cards; allowed in {share.ranking.value}: "
            + (f"{least}" if least == most else f"{least} to {most}")
        )
