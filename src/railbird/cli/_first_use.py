"""What verbs compile when nothing is compiled yet, so that it can be said before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

WORTH_SAYING: Final = 2.0
"""Seconds of compiling from which on it is said."""


class FirstUse(NamedTuple):
    """What a verb compiles in one case."""

    seconds: int
    """On an idle core."""
    megabytes: int
    """Written to the cache."""
    begins_with: str = ""
    """The kernel by which the case is known; any if none is named."""


FIRST_USE: Final[Mapping[str, tuple[FirstUse, ...]]] = {
    "assess": (FirstUse(28, 18),),
    "demo": (FirstUse(30, 20),),
    "equity": (FirstUse(3, 2, "play_random_deals"),),
    "explain": (FirstUse(14, 12),),
    "match": (FirstUse(15, 15, "rank_all"), FirstUse(10, 6)),
    "odds": (FirstUse(3, 4),),
    "score": (FirstUse(18, 17),),
    "solve": (FirstUse(3, 1),),
    "stats": (FirstUse(10, 6),),
}
"""By verb, as ``python tests/bench first_use`` measures it; the first case that fits."""


def cost_of(verb: str, kernel: str) -> FirstUse | None:
    """What a verb compiles that begins with a kernel, if it is known to take long."""
    cases = FIRST_USE.get(verb, ())
    return next((case for case in cases if case.begins_with in ("", kernel)), None)
