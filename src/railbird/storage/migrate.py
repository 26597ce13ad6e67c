"""Migration of a database's tables to their newest version when it is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

from railbird.errors import BadInput
from railbird.storage.address import shown

MIGRATIONS = Path(__file__).with_name("migrations")

_LOCK = 0x7261696C  # an arbitrary number that all our programs share


def upgrade(connection: Connection) -> None:
    """Run the migrations that a database lacks, inside the connection's transaction.

    Programs that start at the same time on one PostgreSQL wait for each other; SQLite's write
    transaction has the same effect. Raises `railbird.errors.BadInput` for a database of a newer
    version, and for an SQLite file of another program.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    scripts = ScriptDirectory(str(MIGRATIONS))
    newest = scripts.get_current_head()
    found = MigrationContext.configure(connection).get_current_revision()
    if found == newest:
        return
    if (
        found is None
        and connection.dialect.name == "sqlite"
        and inspect(connection).get_table_names()
    ):
        raise BadInput(f"database {shown(connection.engine.url)}: it has tables of another program")
    if found not in (None, *(script.revision for script in scripts.walk_revisions())):
        raise BadInput(
            f"database {shown(connection.engine.url)}: its tables are of version {found}, from a"
            f" newer Railbird; allowed: up to {newest}"
        )

    def steps(revision: Any, _context: Any) -> Any:
        # `alembic upgrade head` calls the same; done here, it needs no env.py and no alembic.ini.
        return scripts._upgrade_revs("head", revision)

    with EnvironmentContext(Config(), scripts, fn=steps) as environment:
        environment.configure(connection=connection)
        environment.run_migrations()
