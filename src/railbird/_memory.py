"""Memory that is free but has not gone back to the system."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

_Item = TypeVar("_Item")

_ITEMS: Final = 8
"""Trimming takes some milliseconds, and trimmed memory is soon needed again."""


def trim_heap() -> None:
    """Return free pages of the heap to the system, where its C library is one that keeps them.

    What many arrays leave between those that stay is as much again as a quarter of them.
    """
    if sys.platform == "linux":
        trim: Any = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def heap_trimmed(items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield items, some of which stay, trimming what making them has left."""
    for number, item in enumerate(items, start=1):
        yield item
        if number % _ITEMS == 0:
            trim_heap()
    trim_heap()
