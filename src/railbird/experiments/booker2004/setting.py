"""Sizes and stakes of the experiments of Booker (2004)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from railbird.tournament import parse_payouts, parse_schedule

STACK: Final = 1500
SCHEDULE: Final = parse_schedule("10/20x10,15/30x10,25/50x10,50/100x10,75/150x10,100/200x10")
"""Ten hands a level; the source took its levels from an online tournament and does not print them.

After the last one the blinds double.
"""

SESSION: Final = 100
"""Tournaments between two resets of the players, as many as the source played of each pair."""

TOURNAMENTS: Final = 10_000
"""Tournaments of a pair at scale 1: a hundred repetitions of the source's."""

ENTRY: Final = Fraction(1666, 100)
PRIZES: Final = parse_payouts("70/30")
"""Section 8.1."""

TABLE_SESSION: Final = 10
"""Tournaments of six between two resets; some six hundred hands, ten times the learners' memory."""

MOST_AT_A_TABLE: Final = 20_000
"""Tournaments of six after which nothing more is played."""

PERSON_SESSIONS: Final = 500
"""Repetitions of the source's matches against a person."""

PROBES: Final = 40
"""Repetitions behind each number of the table of cognitive activities."""
