"""Storage in SQLite or PostgreSQL: databases by URL, and their tables in one line of migrations."""

from railbird.storage.address import database_address
from railbird.storage.base import Base
from railbird.storage.blocking_database import BlockingDatabase, open_blocking
from railbird.storage.database import Database, open_database
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
    "open_blocking",
    "open_database",
]
