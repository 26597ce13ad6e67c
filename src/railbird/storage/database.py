"""Databases for the server: opened at the newest version of their tables, never waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from typing import TypeVar

from filelock import FileLock, Timeout
from sqlalchemy import URL, create_engine
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session

from railbird.errors import BadInput
from railbird.storage.address import database_address
from railbird.storage.engines import WRITES, engine_options, make_file, prepare, told
from railbird.storage.migrate import upgrade
from railbird.storage.settings import READING_THREADS

T = TypeVar("T")


class Database:
    """An open database; `read` and `write` open transactions, `ask` answers a question in one."""

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
        self._questions = _Questions(engine.url) if engine.dialect.name == "sqlite" else None

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that changes nothing."""
        async with self._readers() as session:
            yield session

    async def ask(self, question: Callable[[Session], T]) -> T:
        """Return the answer to a question, in a transaction that changes nothing."""
        if self._questions is not None:
            return await self._questions.answer(question)
        async with self.read() as session:
            return await session.run_sync(question)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Open a transaction that is committed at the end of the block unless it raises."""
        async with self._turn, self._writers() as session, session.begin():
            yield session

    async def close(self) -> None:
        """Close all connections."""
        if self._questions is not None:
            self._questions.close()
        await self._engine.dispose()


class _Questions:
    """Answers of an SQLite file, each in one piece by a thread.

    An asynchronous transaction goes to its thread and back some ten times. Each time the answer
    waits for the event loop, which is slow to come round when a thousand players act at once, just
    when they all log in again.
    """

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(url.set(drivername="sqlite"), **engine_options(url))
        prepare(self._engine)
        self._threads = ThreadPoolExecutor(READING_THREADS, thread_name_prefix="reading")

    async def answer(self, question: Callable[[Session], T]) -> T:
        """Return the answer to a question."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._answer, question)

    def close(self) -> None:
        """Close all connections, after what is being answered."""
        self._threads.shutdown(cancel_futures=True)
        self._engine.dispose()

    def _answer(self, question: Callable[[Session], T]) -> T:
        with Session(self._engine, expire_on_commit=False) as session:
            return question(session)


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
