"""Hand ranks against a typical opponent, who holds what is played rather than any two cards.

Kan (2007, 3.1.1) names the idea, IHS and 7cHS in place of IHR and 7cHR, for future versions. The
weights are those by which `railbird.players.loki` meets somebody of whom it knows nothing: of a
player who has called before the flop. They are averaged over the holdings of each pair of ranks,
since the entries of the tables are shared by holdings that differ in suits that do not matter.

Before the flop ranks stay those against any two cards: nobody has folded yet.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from railbird.baseline import BaselineSettings, Opponent
from railbird.cards import HOLDING_CARDS
from railbird.odds.tables.rank_tables import Tables, open_tables
from railbird.odds.tables.weighted_ranks import weighted_arrays
from railbird.players.loki.beliefs import fixed_weights
from railbird.players.loki.settings import FixedWeights
from railbird.progress import Progress

_LOG = logging.getLogger(__name__)
_ONE_AT_A_TIME = threading.Lock()


def tables_for(settings: BaselineSettings, *, progress: Progress | None = None) -> Tables:
    """Open the hand-rank tables that settings use."""
    if settings.opponent is Opponent.TYPICAL:
        return typical_tables()
    return open_tables(progress=progress)


def typical_tables() -> Tables:
    """Rank all holdings on all boards against the typical opponent: some seconds, 80 MB."""
    with _ONE_AT_A_TIME:  # threads that score ask for them all at once
        return _typical_tables()


@cache
def _typical_tables() -> Tables:
    _LOG.warning("ranking hands against a typical opponent: some seconds in each run")
    return replace(open_tables(), **weighted_arrays(typical_weights()))


@cache
def typical_weights() -> npt.NDArray[np.float64]:
    """Weights of the opponent's holdings, (1326,) 0.01 to 1, equal for equal ranks."""
    weights = fixed_weights(FixedWeights.TYPICAL)
    low, high = np.sort(HOLDING_CARDS // 4, axis=1).astype(np.int64).T
    ranks = 13 * high + low
    by_ranks = np.bincount(ranks, weights) / np.maximum(1, np.bincount(ranks))
    even: npt.NDArray[np.float64] = by_ranks[ranks]
    even.flags.writeable = False
    return even
