"""Bringing a database's tables to their newest version, when a server starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.engine import Connection

MIGRATIONS = Path(__file__).with_name("migrations")

_LOCK = 0x7261696C  # any number that all our servers agree on


def upgrade(connection: Connection) -> None:
    """Run the migrations that a database has not seen, inside the connection's transaction.

    Servers that start together on one PostgreSQL wait for each other; SQLite's transaction, which
    is for writing, does the same.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    scripts = ScriptDirectory(str(MIGRATIONS))

    def steps(revision: Any, _context: Any) -> Any:
        # What `alembic upgrade head` calls; calling it here spares an env.py and an alembic.ini.
        return scripts._upgrade_revs("head", revision)

    with EnvironmentContext(Config(), scripts, fn=steps) as environment:
        environment.configure(connection=connection)
        environment.run_migrations()
