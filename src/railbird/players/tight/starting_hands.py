"""Starting hands in order, from the exact preflop equities, and ranges of the best of them."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASSES
from railbird.odds import classes_matrix
from railbird.players.tight.settings import BEST_BEHIND
from railbird.solve import COMBINATIONS

Weights = npt.NDArray[np.float64]
"""(169,) of hand classes, or (1326,) of holdings, from 0 to 1."""

ALL: Weights = np.ones(CLASSES)
ALL.flags.writeable = False


class _Equities(NamedTuple):
    """Exact counts of class against class, (169, 169)."""

    won: Weights
    """Boards won, ties halved, over all pairs of holdings that share no card."""
    boards: Weights


@cache
def order() -> npt.NDArray[np.int64]:
    """Return the 169 classes from best to worst, by successive elimination.

    The class with the least equity against all that remain goes first, then the next against those
    that still remain. So a hand is compared with better hands the longer it stays, which places
    small pairs and suited hands as they fare against the hands that are played, unlike the order by
    equity against any two cards.
    """
    won, boards = _equities()
    left = ALL.copy()
    worst_first = []
    for _ in range(CLASSES):
        equity = np.where(left > 0, (won @ left) / np.maximum(boards @ left, 1.0), np.inf)
        worst = int(np.argmin(equity))
        worst_first.append(worst)
        left[worst] = 0.0
    best_first = np.array(worst_first[::-1])
    best_first.flags.writeable = False
    return best_first


def equities_against(weights: Weights) -> Weights:
    """Return the exact equity of each class (169,) against a range of classes, cards removed."""
    won, boards = _equities()
    return (won @ weights) / np.maximum(boards @ weights, 1e-300)


def best(weights: Weights, share: float) -> Weights:
    """Return the best ``share`` of a range of classes; the last class in part.

    >>> from railbird.cards import parse_class
    >>> top = best(ALL, 0.02)
    >>> [round(float(top[parse_class(hand)]), 3) for hand in ("AA", "AKo", "JJ")]
    [1.0, 0.377, 0.0]
    """
    return kept(weights, order(), np.asarray(COMBINATIONS, np.float64), share)


def kept(
    weights: Weights, ranking: npt.NDArray[np.int64], counts: Weights, share: float
) -> Weights:
    """Return the first ``share`` of what ``weights * counts`` adds up to, in the given ranking."""
    mass = (weights * counts)[ranking]
    wanted = share * mass.sum()
    before = mass.cumsum() - mass
    # Twice as fast as numpy.clip, whose wrappers take longer than the work.
    part = np.minimum(np.maximum((wanted - before) / np.maximum(mass, 1e-300), 0.0), 1.0)
    result = np.zeros_like(weights)
    result[ranking] = weights[ranking] * part
    return result


@lru_cache(maxsize=64)
def opening(behind: int) -> Weights:
    """Return the classes (169,) that are opened with some players left to act, as 0 and 1.

    With a share q of better hands, nobody of n holds one with probability (1 - q)^n, which must be
    `BEST_BEHIND` or more. A class is opened if most of it is within the share.

    >>> [round(float(opening(n) @ COMBINATIONS) / 1326, 3) for n in (9, 5, 3, 2, 1)]
    [0.095, 0.17, 0.261, 0.37, 0.596]
    """
    share = 1 - BEST_BEHIND ** (1 / max(behind, 1))
    chosen = np.where(best(ALL, share) >= 0.5, 1.0, 0.0)
    chosen.flags.writeable = False
    return chosen


@cache
def _equities() -> _Equities:
    counts = classes_matrix()
    return _Equities(counts.wins + counts.ties / 2, counts.boards.astype(np.float64))
