"""Cards that a question about odds may name."""

from __future__ import annotations

from collections.abc import Sequence

from railbird.cards import Card, format_card
from railbird.errors import BadInput, DuplicateCard


def check_cards(known: Sequence[Card], *, board: Sequence[Card]) -> None:
    """Refuse a board of the wrong size, and a card that is known twice or is none.

    Raises `BadInput` and `DuplicateCard`.
    """
    if len(board) not in (0, 3, 4, 5):
        raise BadInput(f"a board of {len(board)} cards; allowed: 0, 3, 4, 5")
    seen: set[Card] = set()
    for card in known:
        if not 0 <= card < 52:
            raise BadInput(f"no card has the number {card}; allowed: 0 to 51")
        if card in seen:
            raise DuplicateCard(f"{format_card(card)} is named twice")
        seen.add(card)
