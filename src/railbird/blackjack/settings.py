"""Defaults and limits of the room, with their reasons."""

from __future__ import annotations

from typing import Final

MOST_DECKS: Final = 1_000
"""Far above any table; infinitely many are a rule of their own."""

MOST_OF_A_RANK: Final = 1_000_000
"""Cards of one rank in a shoe that is typed in."""

MOST_RESPLITS: Final = 8
"""Casinos allow two or three; each one more adds two evaluations to a split's value."""

PENETRATION: Final = 0.75
"""Share of a shoe that is dealt before it is shuffled: 4.5 of 6 decks is the usual cut."""

MOST_SEATS: Final = 7
"""Boxes of a table."""

CHUNK: Final = 1_000_000
"""Rounds that are simulated between two reports of progress."""
