"""Long work in threads beside the event loop, on which players wait."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

_SLICE_S: Final = 0.001
"""Work before a pause."""


def with_pauses(items: Iterable[T]) -> Iterator[T]:
    """Yield items, with pauses as long as the work, in which the event loop has the interpreter.

    A thread that computes lets it go only every five milliseconds, for each of which a player
    would wait.
    """
    began = time.perf_counter()
    for item in items:
        yield item
        worked = time.perf_counter() - began
        if worked > _SLICE_S:
            time.sleep(worked)
            began = time.perf_counter()
