"""Settings of reports that a page shows."""

from __future__ import annotations

from typing import Final

MOST_HANDS: Final = 10_000
"""Hands of a log that a report takes in: about a minute of a core with everybody's cards."""
NAMES_OFFERED: Final = 30
"""Names to choose from where a log does not say whose it is."""
HANDS_OF_CHUNK: Final = 100
"""Hands that are compressed together; one replay unpacks one chunk."""
MOST_PUZZLES: Final = 20
"""Decisions of a report that can become puzzles."""
LEAST_COST: Final = 0.5
"""Small bets or big blinds that a decision has to cost to be a puzzle."""
