"""Storage in SQLite or PostgreSQL."""

from railbird.storage.address import database_address
from railbird.storage.base import Base
from railbird.storage.database import Database, open_database
from railbird.storage.pushfold_tables import PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow

__all__ = [
    "Base",
    "Database",
    "PushFoldDecisionRow",
    "PushFoldHandRow",
    "PushFoldPlayerRow",
    "database_address",
    "open_database",
]
