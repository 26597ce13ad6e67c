"""Lists of amounts in options: stacks and prizes."""

from __future__ import annotations

import re

from railbird.errors import BadInput

_AMOUNT = re.compile(r"\d{1,15}(\.\d{1,9})?")
_MOST = 1_000
"""Amounts of a list."""


def amounts(option: str, text: str, example: str) -> list[float]:
    """Parse amounts separated by commas, slashes or spaces. Raises `BadInput`."""
    words = re.split(r"\s*[,/]\s*|\s+", text.strip())
    for word in words:
        if not _AMOUNT.fullmatch(word):
            raise BadInput(f"{option} {word!r}; allowed: amounts such as {example}")
    if len(words) > _MOST:
        raise BadInput(f"{len(words):,} amounts in {option}; allowed: up to {_MOST:,}")
    return [float(word) for word in words]
