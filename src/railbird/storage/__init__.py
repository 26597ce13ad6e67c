"""Storage in SQLite or PostgreSQL: databases by URL, and their tables in one line of migrations."""

# `Base` knows the tables of all subjects only once they are imported.
import railbird.storage.tables  # noqa: F401
from railbird.storage.database import (
    Base,
    BlockingDatabase,
    Database,
    database_address,
    only_server,
    open_blocking,
    open_database,
)
from railbird.storage.settings import default_database
from railbird.storage.tables import PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow

__all__ = [
    "Base",
    "BlockingDatabase",
    "Database",
    "PushFoldDecisionRow",
    "PushFoldHandRow",
    "PushFoldPlayerRow",
    "database_address",
    "default_database",
    "only_server",
    "open_blocking",
    "open_database",
]
