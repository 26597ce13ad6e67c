"""Methods of computing an equity, all from a `Question` to a `Tally`."""

from __future__ import annotations

from math import comb, inf, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird._threads import in_slices
from railbird.errors import BadInput
from railbird.odds.equity._equity_request import NO_DEAL, Question, Tally
from railbird.odds.equity._kernels_equity import (
    SHARES,
    list_deals,
    play_deals,
    sweep_boards,
)
from railbird.odds.equity.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.settings import MOST_DEALS
from railbird.odds.tables._kernels_ranking import HIGH, LOW, mask_of
from railbird.progress import Progress

_SLICE_SECONDS = 0.005
_MOST_SLICES = 256


def matrix_answers(question: Question) -> bool:
    """Return whether the preflop matrix applies; it is always the cheapest method."""
    return len(question.weights) == 2 and question.board.size == 0 and question.dead == 0


def by_matrix(question: Question, progress: Progress | None) -> Tally:
    """Sum the weighted entries of the preflop matrix."""
    wins = open_matrix(progress=progress).wins
    first, second = (np.flatnonzero(weights) for weights in question.weights)
    dtype, number = (np.int64, int) if question.unweighted else (np.float64, float)
    mine, others = (
        weights[held].astype(dtype)
        for weights, held in zip(question.weights, (first, second), strict=True)
    )
    won = wins[np.ix_(first, second)].astype(dtype)
    lost = wins[np.ix_(second, first)].T.astype(dtype)
    # Holdings that share a card have zeros both ways; no other pair ties on every board.
    pairs = ((won != 0) | (lost != 0)).astype(dtype)
    win, lose = number(mine @ won @ others), number(mine @ lost @ others)
    trials = number(mine @ pairs @ others) * PAIR_BOARDS
    return _tally_of_two(win, trials - win - lose, trials)


def sweep_seconds(question: Question) -> float:
    """Estimate the work of `by_sweep`, in seconds of one core; infinite if it does not apply."""
    if len(question.weights) != 2:
        return inf
    return _boards(question) * (0.7e-6 + 5e-9 * sum(question.sizes))


def by_sweep(question: Question, progress: Progress | None) -> Tally:
    """Rank all holdings of two ranges once on each completed board."""
    dtype, total = (np.int16, np.int64) if question.unweighted else (np.float64, np.float64)
    first, second = (weights.astype(dtype) for weights in question.weights)
    mine = np.flatnonzero(first).astype(np.uint16)
    either = np.flatnonzero((first != 0) | (second != 0)).astype(np.uint16)

    def sweep(start: int, stop: int) -> npt.NDArray[Any]:
        counts = np.zeros(2, dtype=total)
        sweep_boards(
            first, second, mine, either, question.board, question.dead, start, stop, counts
        )
        return counts

    boards = _boards(question)
    size = _slice_size(boards, sweep_seconds(question))
    win, tie = np.sum(
        in_slices(sweep, boards, size=size, what="boards", progress=progress), axis=0
    ).tolist()
    return _tally_of_two(win, tie, _pairs(first, second) * question.completions)


def _boards(question: Question) -> int:
    known = question.board.size + int(question.dead).bit_count()
    return comb(52 - known, 5 - question.board.size)


def _pairs(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> int | float:
    """Sum the weights of the pairs of holdings that share no card."""
    with_card = np.bincount(LOW, second, 52) + np.bincount(HIGH, second, 52)
    against = second.sum() - with_card[LOW] - with_card[HIGH] + second
    pairs = float(first @ against)
    return pairs if first.dtype == np.float64 else round(pairs)


def _tally_of_two(win: float, tie: float, trials: float) -> Tally:
    if trials == 0:
        raise BadInput(NO_DEAL)
    lose = trials - win - tie
    return Tally(
        wins=np.array([win, lose]),
        ties=np.array([tie, tie]),
        shares=np.array([2 * win + tie, 2 * lose + tie]) * (SHARES // 2),
        squares=np.zeros(2),
        trials=trials,
    )


def deals_seconds(question: Question) -> float:
    """Estimate the work of `by_deals` in seconds of one core, ignoring clashes of holdings."""
    return prod(question.sizes) * question.completions * _trial_seconds(question)


def _trial_seconds(question: Question) -> float:
    return 5e-9 + 12e-9 * len(question.weights)


def by_deals(question: Question, limit: float, progress: Progress | None) -> Tally | None:
    """Evaluate every deal on every board; None if that takes more than ``limit`` seconds."""
    holdings, begins = _listed(question)
    most = int(min(MOST_DEALS, limit / (question.completions * _trial_seconds(question))))
    most = min(max(most, 1), prod(question.sizes))
    deals = np.empty((most, len(question.weights)), dtype=np.uint16)
    used = np.uint64(mask_of(question.board) | question.dead)
    n = list_deals(holdings, begins, used, most, deals)
    if n > most:
        return None
    if n == 0:
        raise BadInput(NO_DEAL)
    deals = deals[:n]
    dtype = np.int64 if question.unweighted else np.float64
    weights = np.prod(
        [weights[deals[:, p]] for p, weights in enumerate(question.weights)], axis=0
    ).astype(dtype)

    def play(start: int, stop: int) -> npt.NDArray[Any]:
        outcome = np.zeros((3, len(question.weights)), dtype=dtype)
        play_deals(
            deals,
            weights,
            question.board,
            question.dead,
            question.completions,
            start,
            stop,
            *outcome,
        )
        return outcome

    trials = n * question.completions
    size = _slice_size(trials, trials * _trial_seconds(question))
    wins, ties, shares = np.sum(
        in_slices(play, trials, size=size, what="boards", progress=progress), axis=0
    )
    return Tally(
        wins=wins,
        ties=ties,
        shares=shares,
        squares=np.zeros(len(wins)),
        trials=weights.sum().item() * question.completions,
    )


def _slice_size(total: int, seconds: float) -> int:
    """Return a slice size that is worth a thread but still interruptible.

    It depends on the work only, so that sums of floats are the same on every machine.
    """
    slices = min(_MOST_SLICES, max(1, int(seconds / _SLICE_SECONDS)))
    return -(-total // slices)


def _listed(question: Question) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    """Return the players' holdings end to end, and the index at which each player's begin."""
    by_player = [np.flatnonzero(weights) for weights in question.weights]
    begins = np.cumsum([0, *map(len, by_player)])
    return np.concatenate(by_player).astype(np.uint16), begins
