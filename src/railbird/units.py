"""Names for the numbers that must not be mixed up, and counts in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType

Chips = NewType("Chips", int)
"""Whole chips, the unit of play at a table."""

Seat = NewType("Seat", int)
"""A position in one hand, 0 to n-1, clockwise from the left of the button.

Heads-up with reversed blinds seat 0 is the big blind and seat 1 the dealer, as in the ACPC.
"""


def reasons_in_words(counts: Mapping[str, int]) -> str:
    """Write how many hands were left out, by reason; nothing where none was.

    >>> reasons_in_words({"hands given twice": 1200, "hands of other players": 1, "cut off": 1})
    '1,200 hands given twice, 1 hand of other players, 1 cut off'
    >>> reasons_in_words({"another game": 3})
    '3 of another game'
    """
    words = {
        reason: f"of {reason}" if reason.startswith("another") else reason for reason in counts
    }
    return ", ".join(
        f"{count:,} {words[reason].replace('hands ', 'hand ', 1) if count == 1 else words[reason]}"
        for reason, count in counts.items()
    )


def counted(count: int, noun: str = "hand") -> str:
    """Write a count with its noun.

    >>> counted(1), counted(2_000, "pair")
    ('1 hand', '2,000 pairs')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
