"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass, field

from railbird.errors import BadInput
from railbird.storage import database_address, default_database

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The settings of a server.

    Those of a game are its mount's. Raises `railbird.errors.BadInput` for a key or a database that
    cannot be used.
    """

    key: str
    """Secret that signs the cookies; whoever knows it can play as anybody."""
    database: str = field(default_factory=default_database)
    """A SQLAlchemy URL: ``sqlite:///FILE`` or ``postgresql://USER@HOST/NAME``."""
    hosts: tuple[str, ...] = LOOPBACK
    """Host names that the server accepts (the Host header)."""
    secure_cookies: bool = False
    """Send cookies over HTTPS only; for a server behind a proxy that speaks it."""
    cookie_age_s: int = 365 * 24 * 3600
    """Seconds for which a browser keeps the cookie that makes it the same player."""
    requests_per_second: float = 20.0
    """Requests a second that one address may make in the long run."""
    burst: int = 120
    """Requests that one address may make at once."""
    body_limit: int = 8192
    """Size in bytes of the largest body accepted."""

    def __post_init__(self) -> None:
        if len(self.key) < 32:
            raise BadInput(f"a key of {len(self.key)} characters; allowed: 32 or more")
        database_address(self.database)
