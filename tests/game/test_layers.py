"""The engine's arrays are reached through what it offers."""

from __future__ import annotations

import re
from pathlib import Path

import railbird

SOURCES = Path(railbird.__file__).parent


def test_no_other_room_reads_the_private_vector_of_a_hand() -> None:
    readers = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if SOURCES / "game" not in path.parents and re.search(r"\._vector\b", path.read_text())
    ]
    assert readers == []
