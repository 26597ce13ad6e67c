"""Play before the flop: the source's reduced game, with the blinds and everybody's looseness.

In the reduced game ("1-Chip Hold'em with Pot Odds") whoever bets first needs a holding that nobody
behind beats with the probability that the pot asks for: (1 - x)^k = 2/5 against k opponents. Who
calls needs that probability against the holdings that were worth the bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.cards import HOLDINGS
from railbird.odds.equity.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.spectra.bettable import kept_share
from railbird.players.killer.order import quantiles_on

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
    weights = kept_share(quantiles_on(()), hundredths / 100, softness)
    weights.flags.writeable = False
    return weights


@lru_cache(maxsize=HOLDINGS)
def _equities(holding: int) -> tuple[Floats, Floats]:
    """Return a holding's share of the pot against each, 0 if they share a card, and if they do not.

    Both are (1326,).
    """
    wins = _wins()
    won, lost = wins[holding].astype(np.float64), wins[:, holding].astype(np.float64)
    possible = ((won + lost) > 0).astype(np.float64)  # no two holdings tie on every board
    return possible * (PAIR_BOARDS + won - lost) / (2 * PAIR_BOARDS), possible


@lru_cache(maxsize=1)
def _wins() -> npt.NDArray[np.uint32]:
    return open_matrix().wins


def odds_against(holding: int, shares: Sequence[float], softness: float) -> tuple[float, ...]:
    """Return a holding's odds against opponents who hold the best shares of holdings, ties half."""
    won, possible = _equities(holding)
    ranges = [range_of_share(share, softness) for share in shares]
    return tuple(
        float(won @ weights) / max(float(possible @ weights), _NOTHING) for weights in ranges
    )
