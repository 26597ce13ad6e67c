"""Storage in SQLite or PostgreSQL: databases by URL, and their tables in one line of migrations."""

# `Base` knows the tables of all subjects only once they are imported.
import railbird.storage.account_tables
import railbird.storage.opponent_tables
import railbird.storage.puzzle_tables
import railbird.storage.result_tables  # noqa: F401
from railbird.storage.address import database_address
from railbird.storage.base import Base
from railbird.storage.blocking_database import BlockingDatabase, open_blocking
from railbird.storage.database import Database, only_server, open_database
from railbird.storage.pushfold_tables import PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow
from railbird.storage.settings import data_folder, default_database

__all__ = [
    "Base",
    "BlockingDatabase",
    "Database",
    "PushFoldDecisionRow",
    "PushFoldHandRow",
    "PushFoldPlayerRow",
    "data_folder",
    "database_address",
    "default_database",
    "only_server",
    "open_blocking",
    "open_database",
]
