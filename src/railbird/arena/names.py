"""Players of any game and their names: ``SPEC``, ``NAME=SPEC``, a player object or a class.

Logs and results contain only the name of a named player. So a match over the network has the same
log as one in a single process, and another program may continue under a name. The user who chooses
a name must keep track of what it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from railbird.errors import BadInput
from railbird.players import Player, check_methods, make_player, parse_spec

_NAMED = re.compile(r"([^:,=]+)=(.*)")
"""A name before an equals sign; no spec has one before its first colon or comma."""


PlayerLike: TypeAlias = str | Player | type[Player]
"""A spec, a player, or a player class, which is instantiated for each seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player as it was entered."""

    spec: str
    """The spec; for a player object, the name of its class."""
    name: str | None = None
    """The name; None if the player goes by its spec."""
    made: Player | type[Player] | None = None

    def as_json(self) -> str | dict[str, str]:
        """Return the fields that must match for a log to be of this player."""
        return self.spec if self.name is None else {"name": self.name}

    @property
    def is_made_here(self) -> bool:
        """Whether Railbird made the player; if not, its maker closes it."""
        return self.made is None or isinstance(self.made, type)

    def player(self) -> Player:
        """Return the player. Raises `BadInput` for an unusable spec or class."""
        if self.made is None:
            return make_player(self.spec)
        try:
            return self.made() if isinstance(self.made, type) else self.made
        except (Exception, SystemExit) as problem:
            raise BadInput(f"{self.spec}(): {type(problem).__name__}: {problem}") from problem


def parse_entrant(player: PlayerLike) -> Entrant:
    """Split a name from a spec without checking either. A player goes by the name of its class.

    >>> parse_entrant("alice=loki:som,tightness=tight")
    Entrant(spec='loki:som,tightness=tight', name='alice', made=None)
    >>> parse_entrant("random:fold=0").name is None
    True
    """
    if isinstance(player, str):
        parsed = _NAMED.fullmatch(player)
        return Entrant(spec=player) if parsed is None else Entrant(spec=parsed[2], name=parsed[1])
    check_methods(player)
    name = (player if isinstance(player, type) else type(player)).__name__
    return Entrant(spec=name, name=name, made=player)


def as_players(players: Iterable[PlayerLike]) -> tuple[PlayerLike, ...]:
    """Return players as a tuple. Raises `BadInput` for a single string."""
    if isinstance(players, str):
        raise BadInput(f"players {players!r}; allowed: several, as in ('random', 'baseline')")
    return tuple(players)


def check_entrants(players: Sequence[PlayerLike]) -> None:
    """Raise `BadInput` for invalid names and specs, and for duplicate names.

    Also for one player object in two seats: it would confuse their cards.
    """
    for entrant in map(parse_entrant, players):
        parse_spec(entrant.spec)
        if entrant.name is not None:
            parse_spec(entrant.name)  # a log can store only names that are like specs
    names = names_of(players)
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise BadInput(f"two players are named {twice[0]}; allowed: a name for each")
    made = [player for player in players if not isinstance(player, str | type)]
    if len({id(player) for player in made}) < len(made):
        raise BadInput("one player sits in two seats; allowed: a player for each, or its class")


def specs_of(players: Sequence[PlayerLike]) -> tuple[str, ...]:
    """Return the players' specs."""
    return tuple(parse_entrant(player).spec for player in players)


def names_of(players: Sequence[PlayerLike]) -> tuple[str, ...]:
    """Return the players' names in logs and results; the second copy of a spec ends in ``#2``.

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
