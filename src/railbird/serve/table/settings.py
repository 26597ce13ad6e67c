"""Times and sizes of the table for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LOG_LINES: Final = 60
"""Lines of the log that a page has: two or three hands."""

PAUSES: Final = {
    "hand": 0.5,
    "acted": 0.45,
    "board": 0.7,
    "shown": 0.6,
    "mucked": 0.2,
    "hand_over": 1.0,
}
"""Seconds for which a page shows each kind of news before the next: house players act in no time,
and nobody could follow them otherwise. The table itself rests between two hands."""

MOST_BEHIND: Final = 4.0
"""Seconds by which a page may be behind the table when it is one's own turn, whose clock runs."""

MOST_SHOWN_LATE: Final = 8.0
"""Seconds by which it may be behind at any time."""

AWAY_SECONDS: Final = 12.0
"""Time without an open page or a request after which a person counts as away."""

LOBBY_SECONDS: Final = 15.0
"""The same for the lobby, which asks every three seconds."""

WITHOUT_SCRIPT_SECONDS: Final = 45.0
"""The same for pages without script, which ask anew by themselves but not at one's own turn."""

FORGET_SECONDS: Final = 3600.0
"""Time after which what a page showed of a finished game is forgotten."""

MOST_PEOPLE: Final = 5000
"""People at once in one process."""

MOST_VISITORS: Final = 100
"""Pages of one table that are open without an account."""

ANSWER_SECONDS: Final = 2.0
"""Longest wait of a form for the table's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What the operator, or a test, chooses."""

    pace: float = 1.0
    """Factor of `PAUSES`; 0 shows everything at once."""
    away_s: float = AWAY_SECONDS
