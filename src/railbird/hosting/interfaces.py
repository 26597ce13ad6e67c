"""The interfaces of accounts and results, which live in a database elsewhere.

These protocols are all that `railbird.hosting` knows of a database, so it runs in tests without
one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import Protocol

from railbird.hosting.supervisor import PublicFault
from railbird.protocol.identity import Identity


class Unavailable(PublicFault):
    """The database cannot be reached now; ask again later."""


class Offence(StrEnum):
    """Offences of an account, counted across its connections."""

    MALFORMED = "malformed"
    ILLEGAL = "illegal"
    STALE = "stale"
    TIME_OUT = "time_out"
    FLOOD = "flood"


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Times of a player's decisions in milliseconds, from the turn written to the action read."""

    decisions: int
    p50: float | None = None
    p95: float | None = None
    worst: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """A player's end of a tournament."""

    player: Identity
    place: int
    """From 1; players knocked out in equal circumstances share one."""
    prize: Fraction
    """In the currency of the entry fee."""
    latency: Latency
    offences: Mapping[Offence, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOutcome:
    """A finished tournament, for the database."""

    tournament: str
    """Unique for ever; recording the same one again changes nothing."""
    queue: str
    began: datetime
    ended: datetime
    rated: bool
    void: bool
    """It does not count: never rated, fees go back."""
    hands: int
    fee: int
    finishes: tuple[Finish, ...]
    """In the order of places."""
    commitment: str
    """SHA-256 of the seed, in hexadecimal."""
    seed: str
    journal: str
    """File name of the journal, without a folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOutcome:
    """A player's session at a ring table, from the first buy-in to standing up."""

    session: str
    """Unique for ever; recording the same one again changes nothing."""
    game: str
    """Name of the ring game, and so of its stakes."""
    player: Identity
    began: datetime
    ended: datetime
    hands: int
    won: int
    """Chips, net of all buy-ins."""
    rake: int
    """Chips of rake taken from pots that the player won."""
    big_blind: int
    latency: Latency
    offences: Mapping[Offence, int] = field(default_factory=dict)
    stack: int = 0
    """Chips that the player took away."""


Outcome = TournamentOutcome | SessionOutcome


class Results(Protocol):
    """Keeper of outcomes."""

    async def record(self, outcome: Outcome) -> None:
        """Keep an outcome; one with the same identifier is already kept, and stays as it is.

        Raises `Unavailable` if it cannot be kept now; the house tries again.
        """


class Winnings(Protocol):
    """Winnings of accounts at the ring tables, which open higher stakes."""

    async def won(self, name: str) -> Mapping[str, int]:
        """Return an account's net chips by ring game. Raises `Unavailable`."""
