"""Chance-sampled regret matching for push/fold, as the source solved it.

Chin and Lopez (2023, section 2.1) deal each seat a holding in every iteration and update these two
alone, each against everything that the other may hold. All 1,326 holdings are kept apart. They
took their win probabilities from ten boards a pair, which `sampled_edge` draws; the default is the
exact ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, HOLDINGS
from railbird.odds import PAIR_BOARDS, open_matrix
from railbird.progress import Progress
from railbird.solve._kernels_mccfr import visit_deals
from railbird.solve.pushfold.heads_up import COMBINATIONS, PushFold
from railbird.solve.settings import SNAPSHOTS

_Frequencies = npt.NDArray[np.float64]
Edge = npt.NDArray[np.float32]
"""(1326, 1326) share of the boards that the row wins less that which it loses, NaN for holdings
that clash."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshot:
    """The strategies after some iterations; each (1326,) by holding."""

    iterations: int
    push: _Frequencies
    """The small blind's average strategy; a half where a holding was never dealt."""
    call: _Frequencies
    current_push: _Frequencies
    """Strategy that regret matching would play next, which the source draws."""
    current_call: _Frequencies
    exploitability_bb: float
    """Gain of a best response over the average strategies, averaged over the seats."""
    current_exploitability_bb: float


def sample_pushfold(
    stack: float,
    *,
    rng: np.random.Generator,
    ante: float = 0.0,
    edge: Edge | None = None,
    snapshots: Sequence[int] = SNAPSHOTS,
    progress: Progress | None = None,
) -> tuple[Snapshot, ...]:
    """Iterate to the last of ``snapshots`` and report the strategies at each.

    ``edge`` is what the iterations take for the win probabilities, by default the exact ones;
    exploitability is computed with the exact ones in any case. Raises `BadInput` for stakes that
    `PushFold` refuses.
    """
    game = PushFold(stack=stack, ante=ante)
    exact = exact_edge(progress=progress)
    believed = exact if edge is None else edge
    regrets, cumulative_strategy = np.zeros((2, 2, HOLDINGS)), np.zeros((2, HOLDINGS))
    current, visits = np.full((2, HOLDINGS), 0.5), np.zeros((2, HOLDINGS), dtype=np.int64)
    stakes = (game.lost_by_folding, game.won_by_a_fold, game.stack)
    results, done = [], 0
    for stop in sorted(snapshots):
        if progress is not None:
            progress(done, max(snapshots), "iterations")
        visit_deals(
            _deals(rng, stop - done),
            believed,
            stakes,
            regrets,
            current,
            cumulative_strategy,
            visits,
        )
        done = stop
        average = np.where(visits > 0, cumulative_strategy / np.maximum(visits, 1), 0.5)
        results.append(
            Snapshot(
                iterations=stop,
                push=average[0],
                call=average[1],
                current_push=current[0].copy(),
                current_call=current[1].copy(),
                exploitability_bb=holdings_exploitability(game, average, exact),
                current_exploitability_bb=holdings_exploitability(game, current, exact),
            )
        )
    return tuple(results)


def by_class(frequencies: _Frequencies) -> _Frequencies:
    """Take the mean of frequencies (1326,) over the holdings of each class, (169,)."""
    return np.bincount(CLASS_OF_HOLDING, weights=frequencies, minlength=CLASSES) / COMBINATIONS


def exact_edge(*, progress: Progress | None = None) -> Edge:
    """Take the win probabilities from all boards; the matrix is built if it is missing."""
    matrix = open_matrix(progress=progress)
    wins = matrix.wins.astype(np.float32)
    return np.where(matrix.disjoint, (wins - wins.T) / PAIR_BOARDS, np.float32(np.nan))


def sampled_edge(rng: np.random.Generator, *, boards: int = 10) -> Edge:
    """Take them from a few random boards of each pair of holdings, as the source did."""
    matrix = open_matrix()
    one, other = np.nonzero(np.triu(matrix.disjoint))
    won, lost = matrix.wins[one, other], matrix.wins[other, one]
    counts = np.stack([won, lost, PAIR_BOARDS - won - lost], axis=1)
    drawn = rng.multinomial(boards, counts / PAIR_BOARDS)
    edge = np.full(matrix.wins.shape, np.nan, dtype=np.float32)
    edge[one, other] = (drawn[:, 0] - drawn[:, 1]) / boards
    edge[other, one] = -edge[one, other]
    return edge


def holding_values(
    game: PushFold, push: _Frequencies, call: _Frequencies, edge: Edge
) -> npt.NDArray[np.float64]:
    """Value folding and playing by seat, action and holding, (2, 2, 1326).

    Big blinds against the other seat's frequencies (1326,), each times the probability of the
    holding, so that sums are big blinds a hand. Those of the big blind include the hands that it
    wins without a decision.
    """
    disjoint = ~np.isnan(edge)
    met = disjoint.astype(np.float64)
    won = game.stack * np.where(disjoint, edge, 0.0).astype(np.float64)
    walks = game.lost_by_folding * (met @ (1 - push))
    values = np.array(
        [
            [
                -game.lost_by_folding * met.sum(axis=1),
                game.won_by_a_fold * (met @ (1 - call)) + won @ call,
            ],
            [walks - game.won_by_a_fold * (met @ push), walks + won @ push],
        ]
    )
    values /= met.sum()
    return values


def holdings_exploitability(game: PushFold, strategy: _Frequencies, edge: Edge) -> float:
    """Gain of best responses over a strategy (2, 1326), averaged over the seats."""
    return float(holding_values(game, strategy[0], strategy[1], edge).max(axis=1).sum()) / 2


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
