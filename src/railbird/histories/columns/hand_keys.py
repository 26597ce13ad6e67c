"""Numbers that identify hands, by which the same hand is known wherever it is read."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.histories.columns.batch import UNKNOWN, HandBatch

_KEPT: Final = 1 << 14


def hand_keys(hands: HandBatch, *, first: int = 0) -> npt.NDArray[np.uint64]:
    """Hash what identifies each hand: number, players, cards and actions; (n,).

    Where the log does not number its hands, equal ones in different lines are different hands: two
    preflop folds of the same cards are not rare in a long match. Where it has no lines either they
    are told apart by row, counted from ``first``. The same on every machine.
    """
    row = np.arange(first, first + len(hands))
    place = np.where(hands.line == UNKNOWN, row, hands.line)
    numbered = hands.number != UNKNOWN
    key = mixed(np.where(numbered, hands.number, -2 - place).view(np.uint64))
    within = np.arange(len(hands.action)) - hands.start[hands.hand_of]
    acts = mixed(mixed(within.view(np.uint64)) + hands.action.view(np.uint64))
    running = np.concatenate([np.zeros(1, np.uint64), np.cumsum(acts, dtype=np.uint64)])
    key = mixed(key + (running[hands.start[1:]] - running[hands.start[:-1]]))
    names = np.array([*map(_name_key, hands.names), 0], dtype=np.uint64)
    # Seats that a smaller table does not have change nothing, however wide the batch is.
    for player, holding in zip(hands.player.T, hands.holding.T, strict=True):
        seated = mixed(key + names[player] + holding.astype(np.uint64))
        key = np.where(player == UNKNOWN, key, seated)
    board = (np.arange(1, 6) <= hands.dealt[:, None]) * (hands.board + np.uint64(1))
    packed = (board << (np.arange(5, dtype=np.uint64) * np.uint64(6))).sum(axis=1, dtype=np.uint64)
    return mixed(key + packed)


class SeenHands:
    """Hands met so far, by which one that is given twice counts once; 8 bytes a hand."""

    def __init__(self) -> None:
        # Sorted: a set of a million keys would take ten times the memory. In runs each of which is
        # longer than all after it, as a single one would be merged anew with every batch.
        self._runs: list[npt.NDArray[np.uint64]] = []
        self._taken = 0

    def fresh(self, hands: HandBatch) -> npt.NDArray[np.int64]:
        """Return the rows of the hands not seen before, and remember them."""
        keys = hand_keys(hands, first=self._taken)
        self._taken += len(hands)
        new, first = np.unique(keys, return_index=True)
        for run in self._runs:
            places = np.searchsorted(run, new)
            places[places == run.size] = 0
            unknown = run[places] != new
            new, first = new[unknown], first[unknown]
        self._remember(new)
        return np.sort(first)

    def _remember(self, run: npt.NDArray[np.uint64]) -> None:
        while self._runs and self._runs[-1].size <= run.size:
            # A stable sort merges what is sorted already in one pass.
            run = np.sort(np.concatenate([self._runs.pop(), run]), kind="stable")
        if run.size:
            self._runs.append(run)


def mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread numbers over all 64 bits (the finaliser of SplitMix64)."""
    spread = numbers + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        spread = (spread ^ (spread >> np.uint64(shift))) * np.uint64(factor)
    return spread ^ (spread >> np.uint64(31))


@lru_cache(_KEPT)
def _name_key(name: str) -> int:
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")
