"""Who plays, and under which name: ``SPEC``, or ``NAME=SPEC``.

Logs and results know a named player by its name alone. So a match played over the network has the
log of the same match in one process, and another program may go on under a name; who it was is for
those to say who gave the name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from railbird.errors import BadInput
from railbird.players import parse_spec

_NAMED = re.compile(r"([^:,=]+)=(.*)")
"""No spec has an equals sign before its first colon or comma."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player as it was entered."""

    spec: str
    name: str | None = None
    """None where it goes by its spec."""

    def as_json(self) -> str | dict[str, str]:
        """What decides whether a log is this player's."""
        return self.spec if self.name is None else {"name": self.name}


def parse_entrant(text: str) -> Entrant:
    """Split a name from a spec; neither is looked at.

    >>> parse_entrant("alice=loki:som,tightness=tight")
    Entrant(spec='loki:som,tightness=tight', name='alice')
    >>> parse_entrant("random:fold=0").name is None
    True
    """
    found = _NAMED.fullmatch(text)
    return Entrant(spec=text) if found is None else Entrant(spec=found[2], name=found[1])


def check_entrants(players: Sequence[str]) -> None:
    """Raise `BadInput` for what cannot be a name or a spec, and for a name that comes twice."""
    for entrant in map(parse_entrant, players):
        parse_spec(entrant.spec)
        if entrant.name is not None:
            parse_spec(entrant.name)  # it has to survive a log as a spec does
    names = names_of(players)
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise BadInput(f"two players are named {twice[0]}; allowed: a name for each")


def specs_of(players: Sequence[str]) -> tuple[str, ...]:
    """What makes each player."""
    return tuple(parse_entrant(player).spec for player in players)


def names_of(players: Sequence[str]) -> tuple[str, ...]:
    """The players' names in logs and results; the second copy of a spec ends in ``#2``.

    >>> names_of(["random", "baseline", "random", "bob=random"])
    ('random', 'baseline', 'random#2', 'bob')
    """
    names = []
    for place, player in enumerate(players):
        copy = players[: place + 1].count(player)
        entrant = parse_entrant(player)
        numbered = entrant.spec if copy == 1 else f"{entrant.spec}#{copy}"
        names.append(numbered if entrant.name is None else entrant.name)
    return tuple(names)
