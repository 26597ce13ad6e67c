"""Compile this room's kernels for any game, except those compiled as part of the match loop.

`railbird.arena._warm` compiles the match loop.
"""

from __future__ import annotations

from collections.abc import Callable

from railbird.players.loki.simulation import make_ready
from railbird.players.registry import make_player
from railbird.players.vexbot import player as vexbot


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """List what compiles the kernels, as (name, function); the hand-rank tables must exist."""
    return [
        ("baseline", lambda: make_player("baseline")),
        ("Loki", make_ready),
        ("the tight player", lambda: make_player("tight")),
        ("Vexbot", vexbot.make_ready),
        ("Hold'em Killer", lambda: make_player("killer")),
    ]
