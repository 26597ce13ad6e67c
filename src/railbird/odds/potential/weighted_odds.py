"""Strength and potential of one holding against opponents with given ranges (Papp 1998)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird._display import Tabular
from railbird.cards import (
    Card,
    CardsLike,
    Holding,
    HoldingLike,
    Range,
    RangeLike,
    cards_of,
    range_from,
)
from railbird.errors import BadInput
from railbird.odds._checks import known_cards
from railbird.odds.potential.strength_and_potential import hand_strength, potential


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOdds(Tabular):
    """Odds of a holding against the ranges; None if undefined on the street."""

    hs: float
    """Probability of being ahead of all now: the product over the opponents."""
    hs_field: float
    """The same by the field array: strength against the average opponent, to the power of n."""
    ppot1: float | None
    """Positive potential with one card to come, against the field array; flop and turn."""
    ppot2: float | None
    """Positive potential with two cards to come; flop."""
    npot1: float | None
    npot2: float | None
    ehs: float
    """HS + (1 - HS) PPot - HS NPot, with all cards to come."""
    optimistic_ehs: float
    """EHS', which ignores the negative potential."""


@checked
def model_odds(hole: HoldingLike, board: CardsLike, models: Sequence[RangeLike]) -> ModelOdds:
    """Compute strength and potential against one range for each opponent.

    Potential is against the field array, the mean of the opponents' arrays, each normalised over
    the holdings that the known cards leave.

    Raises `BadInput` before the flop, and for a range that the known cards leave empty.

    >>> odds = model_odds("AdQc", "3h4cJh", ["random"])
    >>> f"{odds.hs:.6f} {odds.ppot2:.6f} {odds.ehs:.6f} {odds.optimistic_ehs:.6f}"
    '0.585106 0.208324 0.511399 0.671539'
    """
    holding, board = known_cards(hole, board)
    if len(board) < 3:
        raise BadInput("strength against a model is defined from the flop on; name a board")
    if not models:
        raise BadInput("no model; allowed: one range for each opponent")
    arrays = [_chances(range_from(model), holding, board) for model in models]
    field = np.mean(arrays, axis=0)
    one = potential(holding, board, to_come=1, weights=field) if len(board) < 5 else None
    two = potential(holding, board, to_come=2, weights=field) if len(board) == 3 else None
    hs = prod(hand_strength(holding, board, weights=array) for array in arrays)
    final = two or one
    ppot, npot = (final.ppot, final.npot) if final else (0.0, 0.0)
    return ModelOdds(
        hs=hs,
        hs_field=hand_strength(holding, board, weights=field, opponents=len(models)),
        ppot1=one.ppot if one else None,
        ppot2=two.ppot if two else None,
        npot1=one.npot if one else None,
        npot2=two.npot if two else None,
        ehs=hs + (1 - hs) * ppot - hs * npot,
        optimistic_ehs=hs + (1 - hs) * ppot,
    )


def _chances(model: Range, hole: Holding, board: Sequence[Card]) -> NDArray[np.float64]:
    """Return a range's normalised weights, given the known cards."""
    weights = model.without([*cards_of(hole), *board]).weights
    if not weights.sum() > 0:
        raise BadInput(f"the known cards leave nothing of the range {model}")
    chances: NDArray[np.float64] = weights / weights.sum()
    return chances
