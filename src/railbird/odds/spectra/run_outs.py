"""A holding and weighted opponents on every completed board, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from railbird.cards import Card, Holding, cards_of
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.errors import BadInput
from railbird.odds.settings import MOST_BOARDS, PREFLOP_BOARDS
from railbird.odds.spectra._kernels_spectra import ALL, sum_pairs, sum_run_outs
from railbird.odds.tables._kernels_ranking import mask_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class RunOuts:
    """What each completed board decides; the arrays have a row for each.

    Opponents with the same weights share a range.
    """

    sums: Floats
    """(boards, ranges, 3): weight of the holdings that lose, tie, and of all."""
    pairs: Floats | None
    """(boards, ranges * (ranges + 1) / 2, 5) for two holdings that share no card: both lose, the
    second ties, the first ties, both tie, all; ranges i <= j in row j * (j + 1) / 2 + i."""
    opponents: tuple[int, ...]
    """The range of each opponent."""
    sampled: bool
    """True before the flop, where the boards are a sample."""


def compare_run_outs(
    holding: Holding,
    board: Sequence[Card],
    weights: Sequence[Floats],
    *,
    with_pairs: bool = True,
    samples: int = PREFLOP_BOARDS,
    rng: np.random.Generator | None = None,
) -> RunOuts:
    """Compare a holding with each opponent's ``weights`` (1326,) on every completed board.

    Before the flop ``samples`` boards are drawn with ``rng``, by default with a fixed seed. Pairs
    need two opponents. Raises `BadInput` for weights that the known cards leave empty.
    """
    ranges, opponents = distinct_ranges(weights)
    boards = run_out_boards(holding, board, rng, samples)
    free, reduced = reduced_ranges(holding, board, ranges)
    sums = np.empty((len(boards), len(reduced), 3))
    pairs = None
    if with_pairs and len(opponents) > 1:
        pairs = np.empty((len(boards), len(reduced) * (len(reduced) + 1) // 2, 5))
        sum_pairs(holding, boards, free, reduced, sums, pairs)
    else:
        sum_run_outs(holding, boards, free, reduced, sums)
    if not (sums[:, :, ALL].sum(axis=0) > 0).all():
        raise BadInput("the known cards leave an opponent no holdings of the range")
    return RunOuts(sums=sums, pairs=pairs, opponents=opponents, sampled=not board)


def distinct_ranges(weights: Sequence[Floats]) -> tuple[list[Floats], tuple[int, ...]]:
    """Return the ranges that differ, and the place of each opponent's among them."""
    places: dict[bytes, int] = {}
    ranges: list[Floats] = []
    opponents = []
    for each in weights:
        place = places.setdefault(each.tobytes(), len(ranges))
        if place == len(ranges):
            ranges.append(each)
        opponents.append(place)
    return ranges, tuple(opponents)


def reduced_ranges(
    holding: Holding, board: Sequence[Card], ranges: Sequence[Floats]
) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the holdings that an opponent may have, and their weights, (ranges, n).

    The greatest weight of each range becomes 1. Raises `BadInput` for a range that the known cards
    leave empty.
    """
    weights = np.where(holdings_without(holding, board), np.array(ranges, dtype=np.float64), 0.0)
    most = weights.max(axis=1, keepdims=True)
    if not (most > 0).all():
        raise BadInput("the known cards leave an opponent no holdings of the range")
    free: npt.NDArray[np.int64] = np.flatnonzero(weights.any(axis=0))
    return free, np.ascontiguousarray(weights[:, free] / most)


def run_out_boards(
    holding: Holding,
    board: Sequence[Card],
    rng: np.random.Generator | None = None,
    samples: int = PREFLOP_BOARDS,
) -> npt.NDArray[np.uint8]:
    """Return all completed boards (n, 5), or before the flop a sample of them."""
    known = {*cards_of(holding), *board}
    left = np.array([card for card in range(52) if card not in known], dtype=np.uint8)
    if board:
        return completed_boards(board, left)
    if not 1 <= samples <= MOST_BOARDS:
        raise BadInput(f"{samples} boards; allowed: 1 to {MOST_BOARDS:,}")
    generator = np.random.default_rng(0) if rng is None else rng
    decks = generator.permuted(np.tile(left, (samples, 1)), axis=1)
    return np.ascontiguousarray(decks[:, :5])


def completed_boards(board: Sequence[Card], left: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return a board of 3 to 5 cards with all that may come of the cards ``left``, (n, 5)."""
    if len(board) == 3:
        come = left[np.column_stack(np.triu_indices(len(left), 1))]
    else:
        come = left[:, np.newaxis] if len(board) == 4 else np.empty((1, 0), dtype=np.uint8)
    boards = np.empty((len(come), 5), dtype=np.uint8)
    boards[:, : len(board)] = board
    boards[:, len(board) :] = come
    return boards


def holdings_without(holding: Holding, board: Sequence[Card]) -> npt.NDArray[np.bool_]:
    """Return (1326,) whether each holding shares no card with a holding and a board."""
    known = HOLDING_MASK[holding] | mask_of(np.array(board, dtype=np.uint8))
    free: npt.NDArray[np.bool_] = HOLDING_MASK & known == 0
    return free
