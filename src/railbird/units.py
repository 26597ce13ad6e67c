"""Names for the numbers that must not be mixed up, and counts in words."""

from __future__ import annotations

from typing import NewType

Chips = NewType("Chips", int)
"""Whole chips, the unit of play at a table."""

Seat = NewType("Seat", int)
"""A position in one hand, 0 to n-1, clockwise from the left of the button.

Heads-up with reversed blinds seat 0 is the big blind and seat 1 the dealer, as in the ACPC.
"""


def counted(count: int, noun: str = "hand") -> str:
    """Write a count with its noun.

    >>> counted(1), counted(2_000, "pair")
    ('1 hand', '2,000 pairs')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
