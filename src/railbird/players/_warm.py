"""Compile this room's kernels, except those that are compiled as part of the match loop."""

from __future__ import annotations

from collections.abc import Callable

from railbird.players.loki.preload import make_ready
from railbird.players.registry import make_player
from railbird.players.vexbot import preload as vexbot


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Functions to call, by name; they need the hand-rank tables."""
    return [
        ("baseline", lambda: make_player("baseline")),
        ("Loki", make_ready),
        ("the tight player", lambda: make_player("tight")),
        ("Vexbot", vexbot.make_ready),
        ("Hold'em Killer", lambda: make_player("killer")),
    ]
