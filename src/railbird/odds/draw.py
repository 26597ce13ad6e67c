"""Draw games: what to throw away by a fixed rule, and the part of a pot that a hand then wins.

`railbird.odds.variant_equity` has the equity of hands that are known at the last draw.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from railbird._arguments import checked
from railbird.cards import Card, CardsLike, Variant, VariantLike, cards_from, variant_from
from railbird.cards.rankings import RANKING_NUMBER
from railbird.errors import BadInput
from railbird.odds import draw_kernels

SAMPLES = 400
"""Deals behind a share of a pot."""


@checked
def discards_by_rule(variant: VariantLike, cards: CardsLike, *, left: int) -> tuple[Card, ...]:
    """Return what a fixed rule throws away of a hand, with ``left`` draws, this one included.

    Low hands keep low cards, one of each rank, and the lower the more draws are left; badugis keep
    low cards of different suits; high hands keep what is paired or nearly complete. Raises
    `BadInput` for a game without a draw, another number of cards and other draws.

    >>> from railbird.cards import format_cards
    >>> format_cards(discards_by_rule("27-triple", "2c3d7hKsKd", left=3))
    'KdKs'
    >>> discards_by_rule("five-card-draw", "2c3c7cKcQc", left=1)
    ()
    """
    variant = variant_from(variant)
    hand = _hand(variant, cards)
    if not 1 <= left <= number_of_draws(variant):
        raise BadInput(
            f"{left} draws left in {variant.name}; allowed: 1 to {number_of_draws(variant)}"
        )
    kept = draw_kernels.keep_first(hand, RANKING_NUMBER[variant.shares[0].ranking], left)
    return tuple(sorted(map(Card, hand[kept:].tolist())))


@checked
def share_after_draws(
    variant: VariantLike,
    own: CardsLike,
    drawn: Sequence[Sequence[int]],
    *,
    dead: CardsLike = (),
    samples: int = SAMPLES,
) -> float:
    """Estimate the mean part of the pot that a hand wins if everybody stays.

    ``drawn`` has how many cards each rival has exchanged in the draws so far; he is taken to have
    thrown away by the rule, as everybody is in the draws to come. ``dead`` cards were seen by the
    hand's owner. The same cards always give the same number. Raises `BadInput`.

    >>> pat, drawing = (
    ...     share_after_draws("27-single", "2c3d4h5s7c", [[draw]]) for draw in (0, 3)
    ... )
    >>> drawing >= pat > 0.9
    True
    """
    variant = variant_from(variant)
    hand, dead = _hand(variant, own), cards_from(dead)
    done = {len(counts) for counts in drawn}
    if len(done) != 1 or max(done) > number_of_draws(variant):
        raise BadInput(
            f"draws {drawn} in {variant.name}; allowed: 0 to {number_of_draws(variant)} each"
        )
    counts = np.array([list(counts) for counts in drawn], np.int64).reshape(len(drawn), -1)
    seen = {*hand.tolist(), *dead}
    unseen = [card for card in variant.deck if card not in seen]
    if len(unseen) < len(drawn) * len(hand):  # thrown away, and dealt once more
        unseen = [card for card in variant.deck if card not in hand]
    return float(
        draw_kernels.share_seen(
            hand,
            np.array(unseen, np.uint8),
            counts,
            number_of_draws(variant),
            RANKING_NUMBER[variant.shares[0].ranking],
            samples,
            sum(1 << card for card in hand.tolist()),
        )
    )


def number_of_draws(variant: Variant) -> int:
    """Return the number of draws of a game."""
    return sum(street.draw > 0 for street in variant.streets)


def _hand(variant: Variant, cards: CardsLike) -> np.ndarray:
    hand = cards_from(cards)
    if not variant.draws:
        raise BadInput(f"{variant.name}; allowed: a game in which cards are exchanged")
    if len(set(hand)) != variant.hand_size or len(hand) != variant.hand_size:
        raise BadInput(f"{len(hand)} cards in {variant.name}; allowed: {variant.hand_size}")
    return np.array(sorted(hand), np.uint8)
