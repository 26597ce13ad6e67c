"""Odds of hand classes on every flop against ranges, and the source's games of one chip."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from railbird import _paths
from railbird._arguments import checked
from railbird._files import kept_arrays, write_arrays
from railbird._jit import room_cache
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, HandClass, holdings_of_class
from railbird.cards.isomorphism import board_classes
from railbird.cards.isomorphism_kernels import CARD_UNDER, HOLDING_UNDER
from railbird.errors import BadInput, RailbirdError
from railbird.odds.arguments import CACHED_VALUES
from railbird.odds.preflop_kernels import add_flop_values
from railbird.progress import Progress

Floats = npt.NDArray[np.float32]

_SLICE: Final = 2_048


@dataclass(frozen=True, kw_only=True)
class FlopValues:
    """A holding's results on the flops that differ by more than suits, a row for each."""

    flops: npt.NDArray[np.float64]
    """(rows,) probability of each, if no card but the holding's is known."""
    won: Floats
    """(rows, powers) mean product over opponents of the weight that is beaten, ties half."""
    whole: Floats
    """(rows, powers) mean product over opponents of the weight that is possible."""


def flop_values(
    hand_class: HandClass,
    acted: Sequence[npt.NDArray[np.float64]],
    ahead: npt.NDArray[np.float64] | None,
    players_ahead: int,
    *,
    progress: Progress | None = None,
) -> FlopValues:
    """Return a class's odds on all flops, from the cache if it has them.

    ``acted`` are weights (169,) by class of each opponent who is in, ``ahead`` those of each of up
    to ``players_ahead`` who may come in: power k of the result has k of them. Computing takes some
    seconds. Raises `BadInput` if there is no opponent at all.
    """
    key = _key(hand_class, acted, ahead, players_ahead)
    path = _paths.cache_folder() / "preflop_values" / f"{key}.npz"
    if (arrays := kept_arrays(path, "flops", "won", "whole")) is not None:
        values = FlopValues(**arrays)
    else:
        sums = sum_over_boards(
            holdings_of(hand_class), acted, ahead, players_ahead, progress=progress
        )
        values = class_values(sums)
        keep(path, {"flops": values.flops, "won": values.won, "whole": values.whole})
    return values


def sum_over_boards(
    heroes: npt.NDArray[np.int64],
    acted: Sequence[npt.NDArray[np.float64]],
    ahead: npt.NDArray[np.float64] | None,
    players_ahead: int,
    *,
    progress: Progress | None = None,
) -> Floats:
    """Return (flops, heroes, 2, powers) the sums of `FlopValues` by class of flops and holding.

    ``heroes`` are holdings; all of a class must be given, or none.
    """
    ranges: list[npt.NDArray[np.float64]] = []
    times: list[int] = []
    for opponent_weights in acted:
        _count(opponent_weights, ranges, times, 1)
    powered = -1
    if ahead is not None and players_ahead:
        powered = _count(ahead, ranges, times, 0)
    if not ranges:
        raise BadInput("nobody is in and nobody is to act; allowed: one opponent or more")
    boards, flops = board_classes(5), board_classes(3)
    hero_index = np.full(HOLDINGS, -1, dtype=np.int64)
    hero_index[heroes] = np.arange(len(heroes))
    powers = players_ahead + 1 if powered >= 0 else 1
    sums = np.zeros((len(flops.orbit), len(heroes), 2, powers), dtype=np.float32)
    weights = np.array(ranges)[:, CLASS_OF_HOLDING]
    # Indexing leaves it in column order, in which a range's weights are far apart in memory.
    weights = np.ascontiguousarray(weights / weights.sum(axis=1, keepdims=True))
    for start in range(0, len(boards.orbit), _SLICE):
        stop = min(start + _SLICE, len(boards.orbit))
        add_flop_values(
            boards.representative,
            boards.orbit,
            start,
            stop,
            heroes,
            hero_index,
            weights,
            np.array(times),
            powered,
            flops.row,
            flops.permutation,
            flops.orbit,
            sums,
        )
        if progress is not None:
            progress(stop, len(boards.orbit), "values on all flops")
    _symmetrise(sums, heroes, hero_index)
    return sums


def holdings_of(hand_class: HandClass) -> npt.NDArray[np.int64]:
    """Return the holdings of a class."""
    return np.array(holdings_of_class(hand_class), dtype=np.int64)


def _count(
    weights: npt.NDArray[np.float64],
    ranges: list[npt.NDArray[np.float64]],
    times: list[int],
    more: int,
) -> int:
    """Add a range to the list of distinct ones, with its multiplicity; return its place."""
    if weights.shape != (CLASSES,) or not (weights >= 0).all() or not weights.any():
        raise BadInput(f"weights of shape {weights.shape}; allowed: {CLASSES}, none negative")
    for place, known in enumerate(ranges):
        if np.array_equal(known, weights):
            times[place] += more
            return place
    ranges.append(weights)
    times.append(more)
    return len(ranges) - 1


def _symmetrise(
    sums: Floats, heroes: npt.NDArray[np.int64], hero_index: npt.NDArray[np.int64]
) -> None:
    """Average over the permutations of suits that keep a flop.

    Each board was added to only one of the equivalent images of its flops, so that values of
    equivalent holdings differ until they are averaged.
    """
    representative = board_classes(3).representative
    same = (np.sort(CARD_UNDER[:, representative], axis=2) == representative).all(axis=2)
    for row, images in enumerate(same.T):
        if np.count_nonzero(images) > 1:
            columns = hero_index[HOLDING_UNDER[images][:, heroes]]
            sums[row] = sums[row][columns].mean(axis=0)


def class_values(sums: Floats) -> FlopValues:
    """Return a class's values on all flops from the sums (flops, holdings, 2, powers)."""
    flops = np.repeat(board_classes(3).orbit.astype(np.float64), sums.shape[1])
    rows = sums.reshape(-1, 2, sums.shape[3])
    # Flops on which some opponent has no holding left cannot occur.
    possible = rows[:, 1, 0] > 0
    flops, rows = flops[possible], rows[possible]
    return FlopValues(flops=flops / flops.sum(), won=rows[:, 0], whole=rows[:, 1])


def _key(
    hand_class: HandClass,
    acted: Sequence[npt.NDArray[np.float64]],
    ahead: npt.NDArray[np.float64] | None,
    players_ahead: int,
) -> str:
    """Return a digest of everything that the values depend on, including the kernels' code."""
    digest = hashlib.sha256(f"{room_cache('odds').name} {hand_class}".encode())
    # The order of the opponents does not change the values.
    for range_bytes in sorted(weights.tobytes() for weights in acted):
        digest.update(range_bytes)
    if ahead is not None and players_ahead:
        digest.update(f"ahead {players_ahead}".encode() + ahead.tobytes())
    return digest.hexdigest()[:24]


def keep(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write arrays to the cache if possible, and delete the oldest of their kind."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_arrays(path, arrays)
        cached_files = sorted(path.parent.glob("*.npz"), key=lambda file: file.stat().st_mtime)
        for old in cached_files[:-CACHED_VALUES]:
            old.unlink(missing_ok=True)
    except (OSError, RailbirdError):
        return


# Games of one chip before the flop: which hands bet first, and which call (Peretz 2005).
#
# Hands are assumed to be ordered, and the best one wins. The first player to bet wins if nobody who
# acts later has a better hand: with a hand at the best share x against k players, the probability
# is (1 - x)^k.


@checked
def needed_to_win(stake: float, cost: float) -> float:
    """Return the least probability of winning at which a cost pays for a stake.

    >>> needed_to_win(1.5, 1), needed_to_win(1.5, 0.5)
    (0.4, 0.25)
    """
    if not (0 <= stake < inf and 0 <= cost < inf and stake + cost > 0):
        raise BadInput(f"{cost:g} for {stake:g}; allowed: finite amounts, one of them above 0")
    return cost / (stake + cost)


@checked
def first_bet_share(players_ahead: int, needed: float) -> float:
    """Return the share of best hands that may bet first: 1 - needed^(1 / players ahead).

    >>> round(first_bet_share(9, 0.5), 4), round(first_bet_share(2, 0.4), 4)
    (0.0741, 0.3675)
    """
    if players_ahead < 0 or not 0 <= needed <= 1:
        raise BadInput(
            f"{players_ahead} players ahead, {needed:g} needed; allowed: 0 or more, 0 to 1"
        )
    return 1.0 if players_ahead == 0 else 1 - needed ** (1 / players_ahead)


@checked
def call_share(first: float, needed: float) -> float:
    """Return the share of best hands that may call a bettor who bets the best ``first``.

    >>> round(call_share(0.1, 0.4), 4)
    0.06
    """
    if not 0 <= first <= 1 or not 0 <= needed <= 1:
        raise BadInput(f"a share of {first:g}, {needed:g} needed; allowed: 0 to 1 each")
    return first * (1 - needed)


@checked
def needed_in_whole_hand(
    stake: float, cost: float, *, later_bets: float, payers: float = 1.0
) -> float:
    """Return the odds needed over all bets of the hand, which the source does not consider.

    ``later_bets`` follow the call: a losing hand loses them, and a winning hand gets them from each
    of ``payers`` opponents. After many bets the blinds hardly matter, so that against one opponent
    one half is needed.

    >>> [round(needed_in_whole_hand(1.5, 1, later_bets=bets), 3) for bets in (0, 5, 500)]
    [0.4, 0.48, 0.5]
    """
    if not 0 <= later_bets < inf or not 0 <= payers < inf:
        raise BadInput(f"{later_bets:g} bets from {payers:g}; allowed: 0 or more")
    return needed_to_win(stake + payers * later_bets, cost + later_bets)
