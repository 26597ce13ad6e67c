"""Rake by its definition, for what deals with pots in another way than the engine."""

from __future__ import annotations

from railbird.game import Rake


def rake_due(rake: Rake, called: int, *, players: int) -> int:
    """Return the rake on pots with ``called`` chips."""
    tier = rake.tier(players)
    due = called * tier.share // rake.step * rake.step
    return due if tier.cap is None else min(due, tier.cap)
