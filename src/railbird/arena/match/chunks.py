"""Results of play: hands as arrays, and chunks, the units that are sent and logged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.arena.fault_policy import FaultTally

_DECIMALS = 6
"""Decimals of an amount in a log, to which results are rounded so that reading them back agrees."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Consecutive hands, as returned by both loops."""

    actions: NDArray[np.int64]
    """Codes of all hands' actions, end to end."""
    ends: NDArray[np.int64]
    """(hands,) where each hand's actions end."""
    streets: NDArray[np.int64]
    """(hands,) the last street that was dealt."""
    payoffs: NDArray[np.int64]
    """(hands, players) chips won, times the rules' denominator."""

    def actions_of(self, hand: int) -> list[int]:
        """Return the codes of one hand's actions."""
        first = self.ends[hand - 1] if hand else 0
        codes: list[int] = self.actions[first : self.ends[hand]].tolist()
        return codes


@dataclass(frozen=True, slots=True)
class Chunk:
    """A played chunk of a match."""

    index: int
    payoffs: NDArray[np.float64]
    """Chips won, shape (directions, deals, players)."""
    faults: tuple[FaultTally, ...]
    """By player."""
    text: bytes = b""
    """The hands as lines of the log; empty without a log."""

    def without_text(self) -> Chunk:
        """Return the chunk without the text."""
        return Chunk(self.index, self.payoffs, self.faults)


def in_chips(payoffs: ArrayLike) -> NDArray[np.float64]:
    """Return amounts rounded as in a log, so that a resumed match has the same result."""
    chips: NDArray[np.float64] = np.asarray(payoffs, np.float64).round(_DECIMALS)
    return chips
