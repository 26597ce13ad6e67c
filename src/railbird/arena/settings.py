"""Defaults and limits of what is played, and of the processes that play it."""

from __future__ import annotations

from typing import Final

from railbird.tournament import parse_payouts, parse_schedule

CHUNK: Final = 1000
"""Deals between two resets of the players' memory, unless a match says otherwise."""

SESSION: Final = 200
"""Hands of a session, unless a ring game says otherwise: an evening at a table."""

SCHEDULE: Final = parse_schedule("10/20x20,15/30x20,25/50x20,50/100x20,75/150x20,100/200x20")
"""Blinds of a tournament, unless it says otherwise."""

PAYOUTS: Final = parse_payouts("100")
"""The winner takes all, unless a tournament says otherwise."""

MOST_SECONDS: Final = 1e8
"""Of a limit and of a bank; three years, which every system's timers can wait."""

PART_SECONDS: Final = 0.2
"""How long a worker should be busy with one part."""

MOST_PIECES: Final = 256
"""Pieces in one part at most, which bounds what waits in memory."""

MOST_DEATHS: Final = 3
"""Workers that may die without a part being finished between them."""

REPORT_SECONDS: Final = 0.2
"""Between two reports of progress."""
