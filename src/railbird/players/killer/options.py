"""What may be said about the player in a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from railbird.players.killer.player import KillerPlayer
from railbird.players.killer.settings import (
    LEARN,
    LEAST_LOOSENESS,
    MOST_LOOSENESS,
    Memory,
    Reflection,
)
from railbird.players.spec import (
    Option,
    changed_option,
    changes,
    choice_option,
    number_between,
    switch_option,
)

_number = number_between(LEAST_LOOSENESS, MOST_LOOSENESS)


def _looseness(text: str) -> float | str:
    return LEARN if text == LEARN else _number(text)


OPTIONS: Final[tuple[Option, ...]] = (
    choice_option("model", Memory, "how long opponents' actions are remembered"),
    changed_option(
        "looseness",
        _looseness,
        f"{LEARN}, {LEAST_LOOSENESS:g} to {MOST_LOOSENESS:g}",
        "starting hands that opponents play, as a multiple of the usual; by default it is learnt",
    ),
    choice_option("reflect", Reflection, "how an opponent's actions filter his holdings"),
    switch_option("bluff", "bluffs, as often as makes calls worth nothing; default on"),
)


def make_killer(values: Mapping[str, Any]) -> KillerPlayer:
    """Make a player of the values of `OPTIONS`."""
    given = changes(OPTIONS, values)
    names = {"model": "memory", "reflect": "reflection", "bluff": "bluffs"}
    return KillerPlayer(**{names.get(key, key): value for key, value in given.items()})
