"""Amounts in options: stacks, prizes and entry fees."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from railbird.errors import BadInput

_AMOUNT = re.compile(r"\d{1,15}(\.\d{1,9})?")
_EXACT = re.compile(r"\d{1,15}([./]\d{1,15})?")
"""A fraction without an exponent, since 1e999999999 would fill the memory with digits."""
_MOST = 1_000
"""Amounts of a list."""


def prizes_of(text: str) -> list[float]:
    """Parse ``--payouts``. Raises `BadInput` for prizes that increase, which nobody pays."""
    prizes = amounts("--payouts", text, "50,30,20")
    for place, (better, worse) in enumerate(pairwise(prizes), 2):
        if worse > better:
            raise BadInput(
                f"--payouts: place {place} gets {worse:g}, the one before it {better:g}; allowed:"
                " prizes that do not increase"
            )
    return prizes


def amounts(option: str, text: str, example: str) -> list[float]:
    """Parse amounts separated by commas, slashes or spaces. Raises `BadInput`."""
    words = re.split(r"\s*[,/]\s*|\s+", text.strip())
    for word in words:
        if not _AMOUNT.fullmatch(word):
            raise BadInput(f"{option} {word!r}; allowed: amounts such as {example}")
    if len(words) > _MOST:
        raise BadInput(f"{len(words):,} amounts in {option}; allowed: up to {_MOST:,}")
    return [float(word) for word in words]


def entry_of(text: str) -> Fraction:
    """Parse ``--entry``. Raises `BadInput`."""
    try:
        if not _EXACT.fullmatch(text):
            raise ValueError(text)
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"entry {text!r}; allowed: an amount such as 16.66") from None
