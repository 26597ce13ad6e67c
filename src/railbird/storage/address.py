"""Database URLs, from what a person writes."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from railbird.errors import BadInput

_DRIVERS = {"sqlite": ("sqlite", "aiosqlite"), "postgresql": ("postgresql+psycopg", "psycopg")}
"""The name that SQLAlchemy is given, and the driver that a URL may name as well."""
_ALLOWED = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def database_address(text: str) -> URL:
    """Read a database's URL.

    Raises `railbird.errors.BadInput` for text that is not a URL, another kind of database or
    driver, or a driver that is not installed; the message shows no password.

    >>> database_address("postgresql://ann@example.org/poker").drivername
    'postgresql+psycopg'
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadInput(f"the database URL cannot be parsed; allowed: {_ALLOWED}") from None
    kind, _, driver = url.drivername.partition("+")
    name, allowed = _DRIVERS.get(kind, ("", ""))
    if not name or driver not in ("", allowed):
        raise BadInput(f"a database {url.drivername!r}; allowed: {_ALLOWED}")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadInput(f"an SQLite database without a file; allowed: {_ALLOWED}")
    if find_spec(allowed) is None:
        raise BadInput(
            f"a database {kind!r} needs the package {allowed}: pip install 'railbird[{kind}]'"
        )
    return url.set(drivername=name)


def sqlite_file(address: str) -> Path | None:
    """Return the file of an SQLite database's URL; None for another kind of database."""
    url = database_address(address)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def shown(url: URL) -> str:
    """Return a URL as messages show it, without its password."""
    return url.render_as_string(hide_password=True)
