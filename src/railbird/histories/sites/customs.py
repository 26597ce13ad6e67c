"""How a site counts where sites differ."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Uncalled(Enum):
    """Whether the amounts that a text says are won have an uncalled bet in them."""

    INCLUDED = "included"
    EXCLUDED = "excluded"


class LateSmallBlind(Enum):
    """What a second small blind is."""

    DEAD = "dead"
    LIVE = "live"


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """How a site counts, where sites differ."""

    uncalled: Uncalled = Uncalled.INCLUDED
    """What to try first where a text has no words for an uncalled bet."""
    late_small_blind: LateSmallBlind = LateSmallBlind.DEAD
    limit_stakes_are_blinds: bool = False
    """Otherwise the stakes of a limit game are its bets."""
