"""Databases at the newest version of their tables, with transactions to read and to write."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from railbird.errors import BadInput
from railbird.storage.address import database_address
from railbird.storage.migrate import upgrade

_WRITES = "railbird_writes"


class Database:
    """An open database; `read` and `write` open transactions."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        writing = engine.execution_options(**{_WRITES: True})
        self._readers = async_sessionmaker(engine, expire_on_commit=False)
        self._writers = async_sessionmaker(writing, expire_on_commit=False)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that changes nothing."""
        async with self._readers() as session:
            yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that is committed at the end of the block unless it raises."""
        async with self._writers() as session, session.begin():
            yield session

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()


async def open_database(address: str) -> Database:
    """Connect, and migrate the tables to their newest version.

    Raises `railbird.errors.BadInput` if the database cannot be used, without its password.
    """
    url = database_address(address)
    is_sqlite = url.get_backend_name() == "sqlite"
    if is_sqlite and url.database:
        path = Path(url.database)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # it contains hands that are yet to be played
    engine = create_async_engine(url, pool_pre_ping=not is_sqlite)
    if is_sqlite:
        _tame_sqlite(engine)
    try:
        async with engine.execution_options(**{_WRITES: True}).begin() as connection:
            await connection.run_sync(upgrade)
    except DBAPIError as problem:
        await engine.dispose()
        said = " ".join(str(problem.orig).split())
        raise BadInput(f"database {url.render_as_string(hide_password=True)}: {said}") from None
    except BaseException:
        await engine.dispose()
        raise
    return Database(engine)


def _tame_sqlite(engine: AsyncEngine) -> None:
    """Make SQLite enforce foreign keys, let readers work beside a writer, and queue writers.

    A transaction that reads first and writes later fails at once if another wrote in between, so
    one that is going to write takes the lock when it begins. The driver's own way of beginning
    transactions is switched off for that.
    """

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout=10000")
        cursor.execute("PRAGMA foreign_keys=ON")
        with contextlib.suppress(sqlite3.OperationalError):  # another connection changes it
            cursor.execute("PRAGMA journal_mode=WAL")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


__all__ = ["Database", "open_database"]
