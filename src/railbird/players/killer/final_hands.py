"""Spectra for an explanation: with which hands a seat ends, by category."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS, Category
from railbird.game import Street, View
from railbird.odds import Spectrum, spectrum
from railbird.players.explanation import Reading
from railbird.players.tight.holding_equities import possible

_LEAST = 0.0005
"""Share below which a category is left out."""


def own_final_hands(view: View) -> tuple[Reading, ...]:
    """Return the own final hands from the flop on; before it nothing, since they are a sample."""
    found = _spectrum(view, np.ones(HOLDINGS))
    if found is None:
        return ()
    return tuple(
        Reading(name=f"ends with {_words(category)}", value=own, decimals=3)
        for category, (own, _) in found.by_category().items()
        if own >= _LEAST
    )


def final_hands(view: View, weights: npt.NDArray[np.float64]) -> tuple[Reading, ...]:
    """Return an opponent's final hands from the flop on, given the weights (1326,) of what he has.

    Nothing where the known cards leave him none of it.
    """
    found = _spectrum(view, weights)
    if found is None:
        return ()
    return tuple(
        Reading(name=_words(category), value=share, decimals=3)
        for category, (_, share) in found.by_category().items()
        if share >= _LEAST
    )


def _spectrum(view: View, weights: npt.NDArray[np.float64]) -> Spectrum | None:
    board = view.state.board
    if view.state.street is Street.PREFLOP or not (weights * possible(view.holding, board)).any():
        return None
    return spectrum(view.holding, board, weights)


def _words(category: Category) -> str:
    return category.name.lower().replace("_", " ")
