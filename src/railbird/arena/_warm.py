"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

from railbird.arena.match.chunk_player import ChunkPlayer, Job, Loop
from railbird.arena.match.definition import Match
from railbird.game import HEADS_UP_LIMIT


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Functions to call, by name."""
    return [
        ("compiled players", lambda: _play_a_hand(Loop.COMPILED)),
        ("Python players", lambda: _play_a_hand(Loop.PYTHON)),
    ]


def compile_loops() -> None:
    """Play a hand in each loop."""
    for _, step in warm_up_steps():
        step()


def _play_a_hand(loop: Loop) -> None:
    match = Match(players=("always-call", "always-call"), rules=HEADS_UP_LIMIT, deals=1, seed=0)
    ChunkPlayer(Job(match, loop, logged=True)).play(0)
