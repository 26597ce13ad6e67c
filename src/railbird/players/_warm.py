"""What `railbird warm` compiles for the players; the rest of their kernels goes into matches."""

from __future__ import annotations

from collections.abc import Callable

from railbird.players.registry import make_player


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """What to call, with a name for each; needs the hand-rank tables."""
    return [
        ("baseline", lambda: make_player("baseline")),
        ("Loki", lambda: make_player("loki")),
    ]
