"""The tables of hand ranks after the flop, against an opponent whose holdings have weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.cards import HOLDING_CARDS
from railbird.errors import BadInput
from railbird.odds.tables._builders import BUILDERS, STREETS, rows_of
from railbird.odds.tables._kernels_ranking import ABSENT_16, rank_boards_by_weight
from railbird.odds.tables.rank_tables import IHR_WHOLE, open_arrays

_HOLDINGS = 1326


def weighted_arrays(weights: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[Any]]:
    """Rank all holdings on all boards by the weight that they beat, ties halved.

    ``weights`` (1326,) above 0 must depend on ranks alone, not on suits, or holdings that share an
    entry would rank differently. Raises `BadInput` for others. Returns ``flop_ihr``, ``turn_ihr``,
    ``river_ihr``, ``flop_hr7`` and ``turn_hr7`` as in `railbird.odds.Tables`, rounded to their
    units; with equal weights they are the tables themselves.
    """
    if weights.shape != (_HOLDINGS,) or not (weights > 0).all():
        raise BadInput("weights of holdings; allowed: 1326 numbers above 0")
    ranks = np.sort(HOLDING_CARDS // 4, axis=1) @ np.array([1, 13])
    for equal in (weights[ranks == pair] for pair in np.unique(ranks)):
        if np.ptp(equal) > 0:
            raise BadInput("weights that differ by suit; allowed: equal ones for equal ranks")
    arrays: dict[str, npt.NDArray[Any]] = {}
    for cards, name in STREETS.items():
        arrays[f"{name}_ihr"] = _ranked(cards, weights)
    places = open_arrays(
        [f"{name}_{what}" for name in STREETS.values() for what in ("start", "pattern")]
    )
    for name in ("turn_hr7", "flop_hr7"):
        layout = BUILDERS[name].layout
        sums = np.empty(layout.shape, layout.dtype)
        BUILDERS[name].fill(sums, places | arrays, None)
        arrays[name] = sums
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def _ranked(cards: int, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.uint16]:
    boards, starts, patterns = rows_of(cards)
    layout = BUILDERS[f"{STREETS[cards]}_ihr"].layout
    out = np.full(layout.shape, ABSENT_16, np.uint16)
    whole = float(IHR_WHOLE[cards - 2])
    in_slices(
        lambda start, stop: rank_boards_by_weight(
            boards, starts, patterns, start, stop, weights, whole, out
        ),
        len(boards),
        size=1024,
        what=f"{STREETS[cards]} hand ranks",
    )
    return out
