"""Engines for both ways of waiting: what SQLite and PostgreSQL are told, and what fails to open.

The server must not wait in its event loop; a player in the middle of a match has nothing else to
do. Both use the same tables, the same migrations and the same functions over a plain `Session`:
SQLAlchemy's asynchronous session runs those with ``run_sync``. So only what opens a database and
begins its transactions exists twice, here prepared and in `database` and `blocking_database` done.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import SQLAlchemyError

from railbird.errors import BadInput
from railbird.storage.address import shown
from railbird.storage.settings import PATIENCE_S

WRITES: Final = "railbird_writes"
"""Execution option of connections whose transactions write."""

_OURS: Final = "SELECT count(*) = 0 OR max(name = 'alembic_version') FROM sqlite_master"
"""Whether a file is empty or has our tables: what is another program's is not changed."""


def engine_options(url: URL, patience_s: float = PATIENCE_S) -> dict[str, Any]:
    """Return the arguments for creating an engine; nothing that it does waits for ever."""
    if url.get_backend_name() == "sqlite":
        return {"connect_args": {"timeout": patience_s}}
    milliseconds = int(patience_s * 1000)
    limits: Mapping[str, Any] = {
        "connect_timeout": max(2, round(patience_s)),  # libpq takes whole seconds, two or more
        "options": f"-c lock_timeout={milliseconds} -c timezone=UTC",
    }
    return {"connect_args": limits, "pool_pre_ping": True}


def make_file(url: URL) -> None:
    """Create an SQLite file, and its folder, for its owner alone. Raises `BadInput`."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    path = Path(url.database)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # it contains hands that are yet to be played
    except FileExistsError:
        raise BadInput(f"database {path}: {path.parent} is no folder") from None
    except OSError as problem:
        raise BadInput(f"database {path}: {problem.strerror}") from None


def prepare(engine: Engine) -> None:
    """Make SQLite enforce foreign keys, let readers work beside a writer, and queue writers.

    A transaction that reads first and writes later fails at once if another wrote in between, so
    one that is going to write takes the lock when it begins. The driver's own way of beginning
    transactions is switched off for that.
    """
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def tame(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys=ON")
        with contextlib.suppress(sqlite3.OperationalError):  # another connection changes it
            cursor.execute(_OURS)
            if cursor.fetchone()[0]:
                cursor.execute("PRAGMA journal_mode=WAL")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def told(url: URL) -> Iterator[None]:
    """Turn what a database or its driver raises into `BadInput`: one line, without its password."""
    try:
        yield
    except SQLAlchemyError as problem:
        said = " ".join(str(getattr(problem, "orig", None) or problem).split())
        raise BadInput(f"database {shown(url)}: {said}") from None
