"""What playing gives: hands as arrays, and chunks, the pieces that are sent and logged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.arena.fault_policy import FaultTally

_DECIMALS = 6
"""Of an amount in a log; what is read back must be what was counted."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Hands played one after the other, as both loops leave them."""

    actions: NDArray[np.int64]
    """The engine's codes of all hands' actions, end to end."""
    ends: NDArray[np.int64]
    """(hands,) where each hand's actions end."""
    streets: NDArray[np.int64]
    """(hands,) the last street that was dealt."""
    payoffs: NDArray[np.int64]
    """(hands, players) chips won, times the rules' denominator."""

    def actions_of(self, hand: int) -> list[int]:
        """The codes of one hand's actions."""
        first = self.ends[hand - 1] if hand else 0
        codes: list[int] = self.actions[first : self.ends[hand]].tolist()
        return codes


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk of a match, played."""

    index: int
    payoffs: NDArray[np.float64]
    """Chips won, shape (directions, deals, players)."""
    faults: tuple[FaultTally, ...]
    """By player."""
    text: bytes = b""
    """The hands as lines of the log; empty where none is kept."""

    def without_text(self) -> Chunk:
        """The results alone."""
        return Chunk(self.index, self.payoffs, self.faults)


def in_chips(payoffs: ArrayLike) -> NDArray[np.float64]:
    """Amounts as a log would say them, so that a match that was resumed comes to the same."""
    chips: NDArray[np.float64] = np.asarray(payoffs, np.float64).round(_DECIMALS)
    return chips
