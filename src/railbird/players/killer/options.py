"""What may be said about the player in a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from railbird.players.killer.player import KillerPlayer
from railbird.players.killer.settings import Memory, Reflection
from railbird.players.spec import Option, changes, choice_option, switch_option

OPTIONS: Final[tuple[Option, ...]] = (
    choice_option("model", Memory, "how long opponents' actions are remembered"),
    choice_option("reflect", Reflection, "how an opponent's actions filter his holdings"),
    switch_option("bluff", "bluffs on the river, as often as makes calls worth nothing"),
)


def make_killer(values: Mapping[str, Any]) -> KillerPlayer:
    """Make a player of the values of `OPTIONS`."""
    given = changes(OPTIONS, values)
    names = {"model": "memory", "reflect": "reflection", "bluff": "bluffs"}
    return KillerPlayer(**{names[key]: value for key, value in given.items()})
