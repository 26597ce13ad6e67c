"""Compile the kernels of this room by calls that do next to nothing."""

from __future__ import annotations

from collections.abc import Callable

from railbird.tournament.icm import Bounties, bounty_equities, prize_equities
from railbird.tournament.settings import MOST_BY_SUBSETS


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """List what compiles the room's kernels, as (name, function)."""
    return [
        ("prize equities of few players", lambda: prize_equities([1], [1])),
        ("bounties", lambda: bounty_equities([1], Bounties(heads=(1,)))),
        ("prize equities of many", lambda: prize_equities([1] * (MOST_BY_SUBSETS + 1), [1])),
    ]
