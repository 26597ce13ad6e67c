"""What a server can be told."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import platformdirs

from railbird.errors import BadInput
from railbird.serve.pushfold.equilibrium import Equilibrium, checked_stack, solve
from railbird.serve.storage.address import database_address

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def data_folder() -> Path:
    """Where what cannot be made again is kept: the platform's folder for a user's data."""
    return Path(platformdirs.user_data_dir("railbird"))


def fresh_generator() -> np.random.Generator:
    """A generator that nobody can foretell: 256 bits of the operating system's entropy a hand."""
    return np.random.default_rng(secrets.randbits(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The settings of a server.

    Raises `railbird.errors.BadInput` for a database or a stack that cannot be used.
    """

    key: str
    """Signs the cookies; whoever knows it can be any player."""
    database: str = field(default_factory=lambda: f"sqlite:///{data_folder() / 'serve.sqlite3'}")
    """A SQLAlchemy URL: ``sqlite:///FILE`` or ``postgresql://USER@HOST/NAME``."""
    stack: float = 10.0
    """Big blinds with which a new player starts, 1 to 100 in tenths."""
    hosts: tuple[str, ...] = LOOPBACK
    """Names by which the server may be called (the Host header)."""
    secure_cookies: bool = False
    """True behind a proxy that speaks HTTPS."""
    minimum_decisions: int = 50
    """Decisions without a hint that a place on the leaderboard takes."""
    requests_per_second: float = 20.0
    """What one address may ask for in the long run."""
    burst: int = 120
    """What one address may ask for at once."""
    body_limit: int = 8192
    """Bytes of the largest body taken."""
    generator: Callable[[], np.random.Generator] = fresh_generator
    """Gives the generator that deals the next hand."""
    solver: Callable[[float], Equilibrium] = solve
    """Gives the equilibrium at a stack; called in a thread."""

    def __post_init__(self) -> None:
        if len(self.key) < 32:
            raise BadInput(f"a key of {len(self.key)} characters; allowed: 32 or more")
        checked_stack(self.stack)
        database_address(self.database)
