"""Defaults and limits of play in any game. The command line shows them; nothing is imported."""

from __future__ import annotations

from typing import Final

HANDS: Final = 1000
"""Default number of deals of a match."""

SEED: Final = 0
"""Default seed of a match."""

CHUNK: Final = 1000
"""Default number of deals between two resets of the players' memory."""

SOLVING_CHUNK: Final = 10
"""The same at the command line where a player solves while it plays: what a stop can lose."""

SESSION: Final = 200
"""Default number of hands in a session: an evening at a table."""

MOST_HANDS: Final = 1_000_000
"""The most hands of a match that is played until its result is clear, at the command line."""

RING_HANDS: Final = 10_000
"""Default number of hands of a ring game at the command line."""

TOURNAMENTS: Final = 100
"""Default number of tournaments at the command line."""

STACK: Final = 1500
"""Default starting chips of a tournament at the command line: those of Booker (2004)."""

PAYOUTS: Final = "100"
"""The winner takes all, unless a tournament says otherwise."""

ENTRY: Final = 1
"""Default entry fee of a tournament."""

TABLE_SEATS: Final = 9
"""Default number of seats at a table of a tournament."""

RESPONSE_DEALS: Final = 2_000
"""Default number of deals of local best responses at the command line: ten seconds against a known
strategy."""

MOST_SECONDS: Final = 1e8
"""Largest time limit or bank: three years, which every system's timers can represent."""

REPORT_SECONDS: Final = 0.2
"""Seconds between two reports of progress."""

EXAM_DECISIONS: Final = 1_000
"""Default number of decisions of an examination; `docs/exam.md` says how precise that is."""

EXAM_FEWEST, EXAM_MOST = 20, 10_000
