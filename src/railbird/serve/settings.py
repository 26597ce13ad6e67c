"""The settings of a server."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from railbird.errors import BadInput
from railbird.serve.pushfold.equilibrium import Equilibrium, checked_stack, solve
from railbird.storage import database_address, default_database

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def fresh_generator() -> np.random.Generator:
    """Create an unpredictable generator, from 256 bits of the operating system's entropy."""
    return np.random.default_rng(secrets.randbits(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The settings of a server.

    Raises `railbird.errors.BadInput` for a database or a stack that cannot be used.
    """

    key: str
    """Secret that signs the cookies; whoever knows it can play as anybody."""
    database: str = field(default_factory=default_database)
    """A SQLAlchemy URL: ``sqlite:///FILE`` or ``postgresql://USER@HOST/NAME``."""
    stack: float = 10.0
    """Stack of a new player in big blinds, 1 to 100 in tenths."""
    hosts: tuple[str, ...] = LOOPBACK
    """Host names that the server accepts (the Host header)."""
    secure_cookies: bool = False
    """Send cookies over HTTPS only; for a server behind a proxy that speaks it."""
    cookie_age_s: int = 365 * 24 * 3600
    """Seconds for which a browser keeps the cookie that makes it the same player."""
    minimum_decisions: int = 50
    """Decisions without a hint that a place on the leaderboard requires."""
    requests_per_second: float = 20.0
    """Requests a second that one address may make in the long run."""
    burst: int = 120
    """Requests that one address may make at once."""
    body_limit: int = 8192
    """Size in bytes of the largest body accepted."""
    generator: Callable[[], np.random.Generator] = fresh_generator
    """Returns the generator that deals the next hand."""
    solver: Callable[[float], Equilibrium] = solve
    """Returns the equilibrium at a stack; called in a thread."""

    def __post_init__(self) -> None:
        if len(self.key) < 32:
            raise BadInput(f"a key of {len(self.key)} characters; allowed: 32 or more")
        checked_stack(self.stack)
        database_address(self.database)
