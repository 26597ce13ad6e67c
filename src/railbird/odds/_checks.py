"""Validation of arguments: cards, opponents, weights of holdings."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from railbird.cards import (
    HOLDINGS,
    Card,
    CardsLike,
    Holding,
    HoldingLike,
    Range,
    cards_from,
    cards_of,
    format_card,
    holding_from,
)
from railbird.errors import BadInput, DuplicateCard

WeightsLike: TypeAlias = npt.ArrayLike | Range
"""Weights of holdings, (1326,) in any unit, or a range as an object or text."""


def check_cards(known: Sequence[Card], *, board: Sequence[Card]) -> None:
    """Check the size of the board, and that cards are valid and distinct.

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


def known_cards(hole: HoldingLike, board: CardsLike) -> tuple[Holding, tuple[Card, ...]]:
    """Parse the hole cards and the board. Raises the same errors as `check_cards`."""
    holding, cards = holding_from(hole), cards_from(board)
    check_cards([*cards_of(holding), *cards], board=cards)
    return holding, cards


def check_opponents(opponents: int) -> None:
    """Raise `BadInput` unless there is one opponent or more."""
    if index(opponents) < 1:
        raise BadInput(f"{opponents} opponents; allowed: 1 or more")


def weights_from(weights: WeightsLike | None) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
    """Return weights of holdings, (1326,); None gives equal integer weights.

    Raises `BadInput` for another shape and for negative or infinite weights.
    """
    if weights is None:
        return np.ones(HOLDINGS, dtype=np.int64)
    if isinstance(weights, str):
        weights = Range.parse(weights)
    if isinstance(weights, Range):
        return weights.weights.copy()  # a read-only array would need another specialisation
    try:
        chances = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(
            f"weights of type {type(weights).__name__}; allowed: {HOLDINGS} numbers, or a range"
        ) from None
    if chances.shape != (HOLDINGS,) or not np.all(chances >= 0) or not np.all(np.isfinite(chances)):
        raise BadInput(
            f"weights of shape {chances.shape}; allowed: {HOLDINGS} finite numbers, none negative"
        )
    return np.ascontiguousarray(chances)
