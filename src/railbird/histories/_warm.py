"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

from railbird.histories.acpc.columns import ColumnReader
from railbird.histories.format import ReadOptions

_LOG = b"""# name/game/hands/seed warm holdem.limit.2p.reverse_blinds.game 1 0
STATE:0:f:6sTh|JhAd:5|-5:A|B
"""


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Return names and functions; calling each compiles some of the room's kernels."""
    return [("columns", lambda: list(ColumnReader(ReadOptions()).read(_LOG)))]
