"""Databases for the server: opened at the newest version of their tables, never waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)

from filelock import FileLock, Timeout
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from railbird.errors import BadInput
from railbird.storage.address import database_address
from railbird.storage.engines import WRITES, engine_options, make_file, prepare, told
from railbird.storage.migrate import upgrade


class Database:
    """An open database; `read` and `write` open transactions."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        writing = engine.execution_options(**{WRITES: True})
        self._readers = async_sessionmaker(engine, expire_on_commit=False)
        self._writers = async_sessionmaker(writing, expire_on_commit=False)
        # SQLite has one writer; those that wait here do not occupy a thread that asks again and
        # again.
        self._turn: AbstractAsyncContextManager[None] = (
            asyncio.Lock() if engine.dialect.name == "sqlite" else nullcontext()
        )

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that changes nothing."""
        async with self._readers() as session:
            yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that is committed at the end of the block unless it raises."""
        async with self._turn, self._writers() as session, session.begin():
            yield session

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()


async def open_database(address: str) -> Database:
    """Connect, and migrate the tables to their newest version.

    Raises `railbird.errors.BadInput` if the database cannot be used, without its password.
    """
    url = database_address(address)
    make_file(url)
    driver = "sqlite+aiosqlite" if url.get_backend_name() == "sqlite" else url.drivername
    engine = create_async_engine(url.set(drivername=driver), **engine_options(url))
    prepare(engine.sync_engine)
    try:
        with told(url):
            async with engine.execution_options(**{WRITES: True}).begin() as connection:
                await connection.run_sync(upgrade)
    except BaseException:
        await engine.dispose()
        raise
    return Database(engine)


@contextmanager
def only_server(address: str) -> Iterator[None]:
    """Hold an SQLite file for one server; the system lets go of it when the process ends.

    Raises `railbird.errors.BadInput` if another server has it. Several servers may share a
    PostgreSQL database.
    """
    url = database_address(address)
    if url.get_backend_name() != "sqlite":
        yield
        return
    lock = FileLock(f"{url.database}.server-lock", mode=0o600)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise BadInput(
            f"database {url.database}: another server uses it; allowed: one server for each SQLite"
            " file, several for a PostgreSQL database"
        ) from None
    except OSError as problem:
        raise BadInput(f"database {url.database}: {problem.strerror}") from None
    with ExitStack() as stack:
        stack.callback(lock.release)
        yield
