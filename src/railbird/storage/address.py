"""Database URLs: from what a person writes to one with our asynchronous driver."""

from __future__ import annotations

from importlib.util import find_spec

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from railbird.errors import BadInput

_DRIVERS = {"sqlite": "aiosqlite", "postgresql": "psycopg"}
_ALLOWED = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def database_address(text: str) -> URL:
    """Read a database's URL.

    Raises `railbird.errors.BadInput` for text that is not a URL, another kind of database or
    driver, or a driver that is not installed; the message shows no password.

    >>> database_address("sqlite:////srv/game.sqlite3").drivername
    'sqlite+aiosqlite'
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadInput(f"the database URL cannot be parsed; allowed: {_ALLOWED}") from None
    kind, _, driver = url.drivername.partition("+")
    wanted = _DRIVERS.get(kind)
    if wanted is None or driver not in ("", wanted):
        raise BadInput(f"a database {url.drivername!r}; allowed: {_ALLOWED}")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadInput(f"an SQLite database without a file; allowed: {_ALLOWED}")
    if find_spec(wanted) is None:
        raise BadInput(
            f"a database {kind!r} needs the package {wanted}: pip install 'railbird[{kind}]'"
        )
    return url.set(drivername=f"{kind}+{wanted}")
