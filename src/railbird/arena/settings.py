"""Defaults and limits of what is played, and of the processes that play it."""

from __future__ import annotations

from typing import Final

from railbird.tournament import parse_payouts, parse_schedule

HANDS: Final = 1000
"""Default number of deals of a match; also that of the command line."""

SEED: Final = 0
"""Default seed of a match; also that of the command line."""

CHUNK: Final = 1000
"""Default number of deals between two resets of the players' memory."""

SESSION: Final = 200
"""Default number of hands in a session: an evening at a table."""

SCHEDULE: Final = parse_schedule("10/20x10,15/30x10,25/50x10,50/100x10,75/150x10,100/200x10")
"""Blinds of a tournament, unless it says otherwise: those of Booker (2004), who took them, as the
1,500 chips to begin with, from an online card room."""

PAYOUTS: Final = parse_payouts("100")
"""The winner takes all, unless a tournament says otherwise."""

MOST_SECONDS: Final = 1e8
"""Maximum of a limit or bank: three years, which every system's timers can represent."""

REPORT_SECONDS: Final = 0.2
"""Between two reports of progress."""
