"""Utility less the effects of chance: the formula behind every unbiased estimator of this room.

    estimate = utility - sum over corrected events k of w_k (V(after k) - E V(after k))

An event is anything whose distribution is known before it happens: dealing cards, or the action of
a player whose probabilities are known. V is any function of the hand, exact or approximate; the
expectation is over the event only, given everything before it. Then every term has mean zero, and
the estimate has the mean of the utility for any V and weights w, as long as each weight is fixed
before its event. The better V, the smaller the variance. DIVAT (Kan 2007) corrects the cards by the
value of a baseline's play, MIVAT (White and Bowling 2009) by features with weights fitted on other
matches, and AIVAT (Burch et al. 2018) also corrects known players' actions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def corrected(utility: Floats, luck: Floats, weights: Floats | float = 1.0) -> Floats:
    """Remove the luck of events from utilities.

    ``utility`` (...), ``luck`` (..., events) V after an event less its expectation, zero for one
    that did not happen; ``weights`` a number, or (events,).
    """
    taken = weights * luck.sum(axis=-1) if isinstance(weights, float) else luck @ weights
    left: Floats = utility - taken
    return left


def luck_of(after: npt.ArrayLike, expected: npt.ArrayLike) -> Floats:
    """Return V after events less its expectation before them, of any shape."""
    return np.subtract(after, expected, dtype=np.float64)
