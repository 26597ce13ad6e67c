"""Settings of the game in the browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from railbird.blackjack import Rules, Surrender

MOST_PEOPLE: Final = 2_000
"""Visitors whose rounds are remembered; the one who was away longest makes room."""

SHOWN: Final = 12
"""Decisions in the list beside the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackSettings:
    """What the operator chooses."""

    rules: Rules = field(default_factory=lambda: Rules(decks=6, surrender=Surrender.LATE))
    """Six decks and late surrender, which most tables have."""
    seed: int | None = None
    """Seed of the cards, for tests; None for unpredictable ones."""
