"""The three actions of a player. The union is closed: match it exhaustively."""

from __future__ import annotations

from dataclasses import dataclass

from railbird.units import Chips


@dataclass(frozen=True, slots=True)
class Fold:
    """Give up the hand."""


@dataclass(frozen=True, slots=True)
class Call:
    """Check, or call the bet (all-in if the stack is shorter)."""


@dataclass(frozen=True, slots=True)
class Raise:
    """Bet or raise until this street's contribution is ``to`` chips."""

    to: Chips


Action = Fold | Call | Raise
"""An action of the seat whose turn it is."""
