"""Accounts that are here: where each of them waits, plays and watches."""

from __future__ import annotations

from dataclasses import dataclass, field

from railbird.hosting.connection import Connection
from railbird.hosting.game_task import GameTask
from railbird.hosting.records import Entrant
from railbird.protocol import Identity, PlayState


@dataclass(slots=True)
class Account:
    """An account that is connected, waits or plays."""

    identity: Identity
    connection: Connection | None = None
    arrived_at: int = 0
    """When the connection logged in, in milliseconds since 1970."""
    state: PlayState = PlayState.LOBBY
    queue: str = ""
    task: GameTask | None = None
    again: str = ""
    """Queue to wait in again after every tournament of this connection."""
    watching: dict[str, GameTask] = field(default_factory=dict)


def entrant_of(identity: Identity) -> Entrant:
    """Return an account as an entrant of a game."""
    return Entrant(
        name=identity.name, kind=identity.kind, version=identity.version, owner=identity.owner
    )
