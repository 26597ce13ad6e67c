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

HIGHEST_INDEX: Final = 10
"""True counts beyond which no play is computed: one shoe in a thousand gets there."""

LEAST_AFTER_CUT: Final = 10
"""Cards per player, the dealer included, that must be left for the last round of a shoe."""

SCORED_AT_ONCE: Final = 2_000
"""Rounds that a thread scores between two reports; a round within a shoe takes a millisecond."""

MOST_ROUNDS: Final = 1_000_000
"""Rounds of a file: 300 MB in memory."""

MOST_WAGER: Final = 1e9
"""Largest wager in a file, in whatever unit."""

ROUNDS: Final = 1_000_000
"""Rounds of a simulation: 0.1 % of a wager's error in half a second."""

MATCH_ROUNDS: Final = 20_000
"""Rounds of each player in a match."""

LOGGED_ROUNDS: Final = 100_000
"""Rounds of a table that are written to a file: 140 MB in memory for seven seats."""
