"""The source's way to the equilibrium of push/fold: regret matching on randomly dealt holdings.

Chin and Lopez (2023, section 2.1) deal both seats a holding an iteration, and update these two
alone, each against all that the other may have. All 1,326 holdings are kept apart. They took win
chances from ten boards a pair, where the exact ones stand here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, HOLDINGS
from railbird.odds import PAIR_BOARDS, PreflopMatrix, open_matrix
from railbird.solve._kernels_sampled import visit_deals
from railbird.solve.pushfold import COMBINATIONS, PushFold
from railbird.solve.solver import Progress

_Frequencies = npt.NDArray[np.float64]
SNAPSHOTS = (1_000, 4_000, 10_000, 100_000)
"""Iterations after which the source shows its charts."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshot:
    """The strategies after some iterations; each (1326,) by holding."""

    iterations: int
    push: _Frequencies
    """The small blind's average strategy; a half where a holding was never dealt."""
    call: _Frequencies
    current_push: _Frequencies
    """What regret matching would play next, which is what the source draws."""
    current_call: _Frequencies
    exploitability_bb: float
    """Of the average strategies: what a best response gains, the mean over both seats."""
    current_exploitability_bb: float


def sample_pushfold(
    stack: float,
    *,
    rng: np.random.Generator,
    ante: float = 0.0,
    snapshots: Sequence[int] = SNAPSHOTS,
    progress: Progress | None = None,
) -> tuple[Snapshot, ...]:
    """Iterate to the last of ``snapshots`` and say how things stood at each.

    Raises `BadInput` for stakes that `PushFold` refuses.
    """
    game = PushFold(stack=stack, ante=ante)
    edge = _edge(open_matrix(progress=progress))
    regrets, sums = np.zeros((2, 2, HOLDINGS)), np.zeros((2, HOLDINGS))
    current, visits = np.full((2, HOLDINGS), 0.5), np.zeros((2, HOLDINGS), dtype=np.int64)
    stakes = (game.lost_by_folding, game.won_by_a_fold, game.stack)
    found, done = [], 0
    for stop in sorted(snapshots):
        if progress is not None:
            progress(done, max(snapshots), "iterations")
        visit_deals(_deals(rng, stop - done), edge, stakes, regrets, current, sums, visits)
        done = stop
        average = np.where(visits > 0, sums / np.maximum(visits, 1), 0.5)
        found.append(
            Snapshot(
                iterations=stop,
                push=average[0],
                call=average[1],
                current_push=current[0].copy(),
                current_call=current[1].copy(),
                exploitability_bb=holdings_exploitability(game, average[0], average[1]),
                current_exploitability_bb=holdings_exploitability(game, current[0], current[1]),
            )
        )
    return tuple(found)


def by_class(frequencies: _Frequencies) -> _Frequencies:
    """Take the mean of frequencies (1326,) over the holdings of each class, (169,)."""
    return np.bincount(CLASS_OF_HOLDING, weights=frequencies, minlength=CLASSES) / COMBINATIONS


def holdings_exploitability(game: PushFold, push: _Frequencies, call: _Frequencies) -> float:
    """What best responses gain over strategies (1326,) by holding, the mean over both seats."""
    matrix = open_matrix()
    disjoint = matrix.disjoint.astype(np.float64)
    edge = np.nan_to_num(_edge(matrix).astype(np.float64))
    pairs = disjoint.sum()
    shove = game.won_by_a_fold * (disjoint @ (1 - call)) + game.stack * (edge @ call)
    fold = -game.lost_by_folding * disjoint.sum(axis=1)
    first = np.maximum(shove, fold).sum() / pairs
    give_up = -game.won_by_a_fold * (disjoint @ push)
    take = game.stack * (edge @ push)
    walk = game.lost_by_folding * (disjoint @ (1 - push))
    second = (np.maximum(give_up, take) + walk).sum() / pairs
    return float(first + second) / 2


def _edge(matrix: PreflopMatrix) -> npt.NDArray[np.float32]:
    """(1326, 1326) wins less losses of the row, over all boards; NaN for holdings that clash."""
    wins = matrix.wins.astype(np.float32)
    return np.where(matrix.disjoint, (wins - wins.T) / PAIR_BOARDS, np.float32(np.nan))


def _deals(rng: np.random.Generator, count: int) -> npt.NDArray[np.int64]:
    """(count, 2) holdings without a card in common, all such deals equally likely."""
    kept: list[npt.NDArray[np.int64]] = []
    missing = count
    while missing > 0:
        drawn = rng.integers(HOLDINGS, size=(missing, 2))
        first, second = HOLDING_CARDS[drawn[:, 0]], HOLDING_CARDS[drawn[:, 1]]
        clash = (first[:, :, None] == second[:, None, :]).any(axis=(1, 2))
        kept.append(drawn[~clash])
        missing -= len(kept[-1])
    return np.concatenate(kept) if kept else np.empty((0, 2), dtype=np.int64)
