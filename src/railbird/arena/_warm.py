"""Compile this room's kernels for any hold'em by calling each on trivial input.

`railbird.assessment._warm` does the same for assessment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from railbird.arena.exploitability.local_best_response import dealt
from railbird.arena.match import Match
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop, choose_once
from railbird.cards import VARIANTS
from railbird.game import HEADS_UP_LIMIT


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Return names and functions to call, each of which compiles some of the room's kernels."""
    return [
        ("compiled players", lambda: _play_a_hand(Loop.COMPILED)),
        ("Python players", lambda: _play_a_hand(Loop.PYTHON)),
        ("other games", _play_other_games),
        ("Loki's decisions", choose_once),
        ("compiled Lokis", lambda: _play_a_hand(Loop.COMPILED, "loki")),
        (
            "compiled Lokis and simple players",
            lambda: _play_a_hand(Loop.COMPILED, "loki", "random"),
        ),
        (
            "compiled Lokis and the baseline",
            lambda: _play_a_hand(Loop.COMPILED, "loki", "baseline"),
        ),
        ("local best responses", _respond_locally),
        ("compiled Lokis that simulate", lambda: _play_a_hand(Loop.COMPILED, "loki:best")),
        (
            "compiled Lokis that simulate and the baseline",
            lambda: _play_a_hand(Loop.COMPILED, "loki:best", "baseline"),
        ),
    ]


def compile_loops() -> None:
    """Play a hand in each loop except the one for Lokis, which is needed less often."""
    for loop in (Loop.COMPILED, Loop.PYTHON):
        _play_a_hand(loop)


def _respond_locally() -> None:
    dealt(np.arange(2, dtype=np.uint8), np.arange(2, 7, dtype=np.uint8))


def _play_other_games() -> None:
    """Play games with split pots, two boards and draws; their players are not compiled."""
    for variant in ("omaha-hilo", "double-board-omaha", "27-triple"):
        rules = replace(HEADS_UP_LIMIT, variant=VARIANTS[variant])
        match = Match(players=("always-call", "random"), rules=rules, deals=2, seed=0)
        ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=True)).play(0)


def _play_a_hand(loop: Loop, *specs: str) -> None:
    """Play a hand between the first and the last of the players."""
    players = specs or ("always-call",)
    match = Match(players=(players[0], players[-1]), rules=HEADS_UP_LIMIT, deals=1, seed=0)
    ChunkPlayer(ChunkJob(match, loop, logged=True)).play(0)
