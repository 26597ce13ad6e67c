from . import database, opponents, results
from .database import (
    BlockingDatabase,
    Database,
    database_address,
    only_server,
    open_blocking,
    open_database,
)
from .settings import default_database
from .tables import Base, PushFoldDecisionRow, PushFoldHandRow, PushFoldPlayerRow

__all__ = [
    "Base",
    "BlockingDatabase",
    "Database",
    "PushFoldDecisionRow",
    "PushFoldHandRow",
    "PushFoldPlayerRow",
    "database",
    "database_address",
    "default_database",
    "only_server",
    "open_blocking",
    "open_database",
    "opponents",
    "results",
]
