"""Storage in SQLite or PostgreSQL."""

from railbird.storage.address import database_address
from railbird.storage.database import Database, open_database
from railbird.storage.pushfold_tables import Base, Decision, Hand, Player

__all__ = [
    "Base",
    "Database",
    "Decision",
    "Hand",
    "Player",
    "database_address",
    "open_database",
]
