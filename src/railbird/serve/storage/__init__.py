"""Storage in SQLite or PostgreSQL."""

from railbird.serve.storage.address import database_address
from railbird.serve.storage.database import Database, open_database
from railbird.serve.storage.models import Base, Decision, Hand, Player

__all__ = [
    "Base",
    "Database",
    "Decision",
    "Hand",
    "Player",
    "database_address",
    "open_database",
]
