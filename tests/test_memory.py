"""Memory that is free goes back to the system."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from railbird._memory import heap_trimmed, trim_heap

SMALL = 64 * 1024
"""Bytes of an array that the C library takes from its heap, not from the system."""


def resident() -> int:
    """Return the bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is trimmed")
def test_what_lies_between_arrays_that_stay_goes_back() -> None:
    arrays = [np.ones(SMALL, np.uint8) for _ in range(2000)]
    stay, full = arrays[::20], resident()
    arrays.clear()
    trim_heap()
    assert full - resident() > 0.8 * 1900 * SMALL
    assert all(array.all() for array in stay)


def test_items_come_as_they_are() -> None:
    def items() -> Iterator[int]:
        yield from range(20)

    assert list(heap_trimmed(items())) == list(range(20))
