"""Who plays, and under which name: ``SPEC``, ``NAME=SPEC``, or a player that somebody has made.

Logs and results know a named player by its name alone. So a match played over the network has the
log of the same match in one process, and another program may go on under a name; who it was is for
those to say who gave the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from railbird.errors import BadInput
from railbird.players import Player, check_player, make_player, parse_spec

_NAMED = re.compile(r"([^:,=]+)=(.*)")
"""No spec has an equals sign before its first colon or comma."""


PlayerLike: TypeAlias = str | Player | type[Player]
"""A spec, a player, or the class of one, which is made into a player for each seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player as it was entered."""

    spec: str
    """Of a player that somebody has made, its class."""
    name: str | None = None
    """None where it goes by its spec."""
    made: Player | type[Player] | None = None

    def as_json(self) -> str | dict[str, str]:
        """What decides whether a log is this player's."""
        return self.spec if self.name is None else {"name": self.name}

    def player(self) -> Player:
        """The player. Raises `BadInput` where a spec or a class does not make one."""
        if self.made is None:
            return make_player(self.spec)
        try:
            return self.made() if isinstance(self.made, type) else self.made
        except (Exception, SystemExit) as problem:
            raise BadInput(f"{self.spec}(): {type(problem).__name__}: {problem}") from problem


def parse_entrant(player: PlayerLike) -> Entrant:
    """Split a name from a spec; neither is looked at. A player goes by the name of its class.

    >>> parse_entrant("alice=loki:som,tightness=tight")
    Entrant(spec='loki:som,tightness=tight', name='alice', made=None)
    >>> parse_entrant("random:fold=0").name is None
    True
    """
    if isinstance(player, str):
        found = _NAMED.fullmatch(player)
        return Entrant(spec=player) if found is None else Entrant(spec=found[2], name=found[1])
    check_player(player)
    name = (player if isinstance(player, type) else type(player)).__name__
    return Entrant(spec=name, name=name, made=player)


def as_players(players: Iterable[PlayerLike]) -> tuple[PlayerLike, ...]:
    """Return players as they are kept in a match. Raises `BadInput` for a text by itself."""
    if isinstance(players, str):
        raise BadInput(f"players {players!r}; allowed: several, as in ('random', 'baseline')")
    return tuple(players)


def check_entrants(players: Sequence[PlayerLike]) -> None:
    """Raise `BadInput` for what cannot be a name or a spec, and for a name that comes twice.

    And for one player in two seats: it would take the one's cards for the other's.
    """
    for entrant in map(parse_entrant, players):
        parse_spec(entrant.spec)
        if entrant.name is not None:
            parse_spec(entrant.name)  # it has to survive a log as a spec does
    names = names_of(players)
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise BadInput(f"two players are named {twice[0]}; allowed: a name for each")
    made = [player for player in players if not isinstance(player, str | type)]
    if len({id(player) for player in made}) < len(made):
        raise BadInput("one player sits in two seats; allowed: a player for each, or its class")


def specs_of(players: Sequence[PlayerLike]) -> tuple[str, ...]:
    """What makes each player."""
    return tuple(parse_entrant(player).spec for player in players)


def names_of(players: Sequence[PlayerLike]) -> tuple[str, ...]:
    """The players' names in logs and results; the second copy of a spec ends in ``#2``.

    >>> names_of(["random", "baseline", "random", "bob=random"])
    ('random', 'baseline', 'random#2', 'bob')
    """
    entrants = [parse_entrant(player) for player in players]
    own = [e.spec if e.made or e.name is None else f"{e.name}={e.spec}" for e in entrants]
    names = []
    for place, entrant in enumerate(entrants):
        copy = own[: place + 1].count(own[place])
        numbered = entrant.spec if copy == 1 else f"{entrant.spec}#{copy}"
        names.append(entrant.name if entrant.name is not None and not entrant.made else numbered)
    return tuple(names)
