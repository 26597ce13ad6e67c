"""Play before the flop: the source's reduced game, with the blinds and everybody's looseness.

In the reduced game ("1-Chip Hold'em with Pot Odds") whoever bets first needs a holding that nobody
behind beats with the probability that the pot asks for: (1 - x)^k = 2/5 against k opponents. Who
calls needs that probability against the holdings that were worth the bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.odds.equity.preflop_matrix import open_matrix
from railbird.odds.spectra.bettable import board_quantiles, kept_share

Floats = npt.NDArray[np.float64]
_NOTHING: Final = 1e-9


def opening_share(behind: int, required: float) -> float:
    """Return the share of the best holdings that is worth the first bet.

    ``behind`` opponents are still to act; ``required`` is the probability that the pot asks for.

    >>> [round(opening_share(k, 0.4), 2) for k in (9, 3, 2)]  # the source's UTG, 9 and OTB
    [0.1, 0.26, 0.37]
    """
    if required <= 0:
        return 1.0
    return float(1 - min(1.0, required) ** (1 / behind)) if behind else 1.0


def range_of_share(share: float, softness: float) -> Floats:
    """Return weights (1326,) of the best holdings before the flop, in steps of a hundredth."""
    return _range(round(100 * min(1.0, max(0.01, share))), softness)


@lru_cache(maxsize=512)
def _range(hundredths: int, softness: float) -> Floats:
    weights = kept_share(board_quantiles(()), hundredths / 100, softness)
    weights.flags.writeable = False
    return weights


@lru_cache(maxsize=64)
def _odds_against(hundredths: int, softness: float) -> Floats:
    """Return each holding's odds (1326,) against a range, ties half."""
    matrix, weights = _matrix(), _range(hundredths, softness)
    odds: Floats = matrix.share @ weights / np.maximum(matrix.possible @ weights, _NOTHING)
    return odds


@lru_cache(maxsize=1)
def _matrix() -> _Matrix:
    matrix = open_matrix()
    return _Matrix(np.nan_to_num(matrix.equity), matrix.disjoint.astype(np.float64))


class _Matrix(NamedTuple):
    """The all-pairs matrix as sums need it."""

    share: Floats
    """(1326, 1326) share of the pot, 0 for holdings that share a card."""
    possible: Floats
    """(1326, 1326) 1 for holdings that share no card."""


def odds_against(holding: int, shares: Sequence[float], softness: float) -> tuple[float, ...]:
    """Return a holding's odds against opponents who hold the best shares of holdings."""
    return tuple(
        float(_odds_against(round(100 * min(1.0, max(0.01, share))), softness)[holding])
        for share in shares
    )
