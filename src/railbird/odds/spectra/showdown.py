"""The odds of the best hand at showdown, from the rows of `RunOuts`.

Against n opponents the odds against one are raised to the power of n for each final hand
separately, then averaged (Peretz 2005, "Raw Hand Odds vs. n Opponents"). That takes opponents for
independent, given the board. They are not quite: no card can be in two hands. `joint_odds` corrects
this by pairs of opponents, which makes it exact for two of them.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from railbird.errors import BadInput
from railbird.odds.spectra._kernels_spectra import (
    ALL,
    ALL_ALL,
    TIE,
    TIE_TIE,
    TIE_WIN,
    WIN,
    WIN_TIE,
    WIN_WIN,
)
from railbird.odds.spectra.run_outs import RunOuts

Floats = npt.NDArray[np.float64]

_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(12)
_NODES, _NODE_WEIGHTS = (_NODES + 1) / 2, _NODE_WEIGHTS / 2


def odds_against_each(run_outs: RunOuts) -> Floats:
    """Return the exact odds against each opponent alone, ties half, (opponents,)."""
    total = run_outs.sums.sum(axis=0)
    odds = (total[:, WIN] + total[:, TIE] / 2) / total[:, ALL]
    return np.array([odds[place] for place in run_outs.opponents])


def power_odds(run_outs: RunOuts) -> float:
    """Return the odds against all, opponents independent given the board, ties half for each."""
    odds, whole = _given_board(run_outs)
    return float(odds @ whole / whole.sum())


def power_stderr(run_outs: RunOuts) -> float:
    """Return the standard error of `power_odds`: 0 unless the boards are a sample."""
    if not run_outs.sampled:
        return 0.0
    odds, whole = _given_board(run_outs)
    mean = odds @ whole / whole.sum()
    spread = whole * (odds - mean)
    return float(np.sqrt(spread @ spread) / whole.sum())


def _given_board(run_outs: RunOuts) -> tuple[Floats, Floats]:
    """Return the odds on each board, and the board's weight."""
    odds, whole = np.ones(len(run_outs.sums)), np.ones(len(run_outs.sums))
    for place in run_outs.opponents:
        sums = run_outs.sums[:, place]
        everything = np.where(sums[:, ALL] > 0, sums[:, ALL], 1.0)
        odds *= (sums[:, WIN] + sums[:, TIE] / 2) / everything
        whole *= sums[:, ALL]
    return odds, whole


def joint_odds(run_outs: RunOuts) -> float:
    """Return the expected share of the pot against all, no card being in two hands.

    Exact against one opponent and against two. Against more, each pair of opponents multiplies the
    product by what it differs from independence.

    The share of a pot with ties is an integral: with 1 for a holding that loses and z for one that
    ties, the product over opponents integrated over z from 0 to 1 has 1 / (ties + 1) for its terms.

    Raises `BadInput` for several opponents if ``run_outs`` has no pairs.
    """
    if len(run_outs.opponents) > 1 and run_outs.pairs is None:
        raise BadInput("the odds against several opponents need the sums over pairs")
    boards = len(run_outs.sums)
    shares = np.zeros((len(_NODES), boards))
    whole = np.ones(boards)
    z = _NODES[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        single = [
            np.nan_to_num((run_outs.sums[:, r, WIN] + z * run_outs.sums[:, r, TIE]) / total)
            for r, total in enumerate(run_outs.sums[:, :, ALL].T)
        ]
        shares[:] = 1.0
        for place in run_outs.opponents:
            shares *= single[place]
            whole *= run_outs.sums[:, place, ALL]
        for one, other in combinations(run_outs.opponents, 2):
            assert run_outs.pairs is not None
            i, j = min(one, other), max(one, other)
            pair = run_outs.pairs[:, j * (j + 1) // 2 + i]
            better = pair[:, WIN_WIN] + z * (pair[:, WIN_TIE] + pair[:, TIE_WIN])
            better = better + z * z * pair[:, TIE_TIE]
            together = np.nan_to_num(better / pair[:, ALL_ALL])
            alone = single[i] * single[j]
            shares *= np.where(alone > 0, together / np.where(alone > 0, alone, 1.0), 0.0)
            both = run_outs.sums[:, i, ALL] * run_outs.sums[:, j, ALL]
            whole *= np.where(both > 0, pair[:, ALL_ALL] / np.where(both > 0, both, 1.0), 0.0)
    if not whole.sum() > 0:
        raise BadInput("the known cards leave the opponents no holdings of their ranges together")
    return float((_NODE_WEIGHTS @ shares) @ whole / whole.sum())
