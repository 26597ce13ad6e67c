"""Conventions in which sites differ."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Uncalled(Enum):
    """Treatment of an uncalled bet in the amounts stated as won."""

    INCLUDED = "included"
    EXCLUDED = "excluded"


class LateSmallBlind(Enum):
    """Treatment of a second small blind."""

    DEAD = "dead"
    LIVE = "live"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """Conventions of a site."""

    uncalled: Uncalled = Uncalled.INCLUDED
    """Assumption to try first where a text does not mention uncalled bets."""
    late_small_blind: LateSmallBlind = LateSmallBlind.DEAD
    limit_stakes_are_blinds: bool = False
    """True if stated stakes of a limit game are its blinds, False if they are its bets."""
