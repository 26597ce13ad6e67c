"""Databases by URL: opened at the newest version of their tables, for server and commands."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

from filelock import FileLock, Timeout
from sqlalchemy import (
    URL,
    Connection,
    DateTime,
    Dialect,
    Engine,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import DeclarativeBase, Session, sessionmaker
from sqlalchemy.types import TypeDecorator

from railbird._extras import extra_of, how_to_install
from railbird.errors import BadInput
from railbird.storage.settings import MIGRATION_S, PATIENCE_S, READING_THREADS

# Database URLs, from what a person writes.


_DRIVERS = {"sqlite": ("sqlite", "aiosqlite"), "postgresql": ("postgresql+psycopg", "psycopg")}
"""The name that SQLAlchemy is given, and the driver that a URL may name as well."""
_ALLOWED = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def database_address(text: str) -> URL:
    """Read a database's URL.

    Raises `railbird.errors.BadInput` for text that is not a URL, another kind of database or
    driver, or a driver that is not installed; the message shows no password.

    >>> database_address("postgresql://ann@example.org/poker").drivername
    'postgresql+psycopg'
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadInput(f"the database URL cannot be parsed; allowed: {_ALLOWED}") from None
    kind, _, driver = url.drivername.partition("+")
    name, allowed = _DRIVERS.get(kind, ("", ""))
    if not name or driver not in ("", allowed):
        raise BadInput(f"a database {url.drivername!r}; allowed: {_ALLOWED}")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadInput(f"an SQLite database without a file; allowed: {_ALLOWED}")
    if find_spec(allowed) is None:
        extra = extra_of(allowed) or kind
        raise BadInput(f"a database {kind!r} needs the package {allowed}: {how_to_install(extra)}")
    return url.set(drivername=name)


def sqlite_file(address: str) -> Path | None:
    """Return the file of an SQLite database's URL; None for another kind of database."""
    url = database_address(address)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def shown_url(url: URL) -> str:
    """Return a URL as messages show it, without its password."""
    return url.render_as_string(hide_password=True)


# The base of all tables, and times in UTC.


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class UtcMoment(TypeDecorator[datetime]):
    """A time in UTC. SQLite drops the time zone, which is restored here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Restore the time zone."""
        if value is None:
            return None
        assert isinstance(value, datetime)
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Base class of all tables."""


# Engines for both ways of waiting: what SQLite and PostgreSQL are told, and what fails to open.
#
# The server must not wait in its event loop; a player in the middle of a match has nothing else to
# do. Both use the same tables, the same migrations and the same functions over a plain `Session`:
# SQLAlchemy's asynchronous session runs those with ``run_sync``. So only what opens a database and
# begins its transactions exists twice, prepared here and done in `Database` and `BlockingDatabase`.


WRITES: Final = "railbird_writes"
"""Name of the option that marks connections whose transactions write."""

_OURS: Final = "SELECT count(*) = 0 OR max(name = 'alembic_version') FROM sqlite_master"
"""Question whether a file is empty or has our tables; the file of another program is not
changed."""


def engine_options(url: URL, patience_s: float = PATIENCE_S) -> dict[str, Any]:
    """Return the arguments for creating an engine; nothing that it does waits for ever."""
    if url.get_backend_name() == "sqlite":
        return {"connect_args": {"timeout": patience_s}}
    milliseconds = int(patience_s * 1000)
    limits: Mapping[str, Any] = {
        "connect_timeout": max(2, round(patience_s)),  # libpq takes whole seconds, two or more
        "options": f"-c lock_timeout={milliseconds} -c timezone=UTC",
    }
    return {"connect_args": limits, "pool_pre_ping": True}


def make_file(url: URL) -> None:
    """Create an SQLite file, and its folder, for its owner alone. Raises `BadInput`."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    path = Path(url.database)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # it contains hands that are yet to be played
    except FileExistsError:
        raise BadInput(f"database {path}: {path.parent} is no folder") from None
    except OSError as problem:
        raise BadInput(f"database {path}: {problem.strerror}") from None


def prepare(engine: Engine) -> None:
    """Make SQLite enforce foreign keys, let readers work beside a writer, and queue writers.

    A transaction that reads first and writes later fails at once if another wrote in between, so
    one that is going to write takes the lock when it begins. The driver's own way of beginning
    transactions is switched off for that.
    """
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def tame(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys=ON")
        with contextlib.suppress(sqlite3.OperationalError):  # another connection changes it
            cursor.execute(_OURS)
            if cursor.fetchone()[0]:
                cursor.execute("PRAGMA journal_mode=WAL")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def in_one_line(url: URL) -> Iterator[None]:
    """Turn what a database or its driver raises into `BadInput`: one line, without its password."""
    try:
        yield
    except SQLAlchemyError as problem:
        said = " ".join(str(getattr(problem, "orig", None) or problem).split())
        raise BadInput(f"database {shown_url(url)}: {said}") from None


# Migration of a database's tables to their newest version when it is opened.


MIGRATIONS = Path(__file__).with_name("migrations")

_LOCK = 0x7261696C  # an arbitrary number that all our programs share


def is_newest(connection: Connection) -> bool:
    """Tell whether a database has the newest tables, without a lock that anybody waits for."""
    return _revision(connection) == newest_revision()


def migrate(url: URL) -> None:
    """Bring a database's tables to their newest version, in one transaction.

    Another program that does the same takes longer than any other writer, so it is waited for with
    a patience of its own. Raises what `upgrade` does.
    """
    engine = create_engine(url, **engine_options(url, MIGRATION_S))
    prepare(engine)
    try:
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            upgrade(connection)
    finally:
        engine.dispose()


def upgrade(connection: Connection) -> None:
    """Run the migrations that a database lacks, inside the connection's transaction.

    Programs that start at the same time on one PostgreSQL wait for each other; SQLite's write
    transaction has the same effect. Raises `railbird.errors.BadInput` for a database of a newer
    version, and for an SQLite file of another program.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    newest = newest_revision()
    revision = _revision(connection)
    if revision == newest:
        return
    # Only a database that lacks something pays for Alembic, which takes ten megabytes to load.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS))
    if (
        revision is None
        and connection.dialect.name == "sqlite"
        and inspect(connection).get_table_names()
    ):
        raise BadInput(
            f"database {shown_url(connection.engine.url)}: it has tables of another program"
        )
    if revision not in (None, *(script.revision for script in scripts.walk_revisions())):
        raise BadInput(
            f"database {shown_url(connection.engine.url)}: its tables are of version"
            f" {revision}, from a newer Railbird; allowed: up to {newest}"
        )

    def steps(revision: Any, _context: Any) -> Any:
        # `alembic upgrade head` calls the same; done here, it needs no env.py and no alembic.ini.
        return scripts._upgrade_revs("head", revision)

    with EnvironmentContext(Config(), scripts, fn=steps) as environment:
        environment.configure(connection=connection)
        environment.run_migrations()


def newest_revision() -> str:
    """Return the revision of the newest migration, by which its file is named."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("v*_*.py"))[1:5]


def _revision(connection: Connection) -> str | None:
    """Return the revision of a database's tables; None where Alembic has made none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


# The server's database, whose transactions run beside the event loop.


T = TypeVar("T")


class Database:
    """A database open in an event loop: `read` and `write` open transactions, `ask` asks once."""

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
        self.is_shared = engine.dialect.name == "postgresql"
        """Whether there can be other servers on it."""

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
        """Close all connections, after the running queries."""
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
        with in_one_line(url):
            async with engine.connect() as connection:
                has_newest = await connection.run_sync(is_newest)
            if not has_newest:
                await asyncio.to_thread(migrate, url)
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


# Databases for players and commands, which wait: the same tables without an event loop.


class BlockingDatabase:
    """A database for code that may wait for it; `read` and `write` open transactions.

    What fails in one raises `railbird.errors.BadInput`, in one line without a password.
    """

    def __init__(self, engine: Engine, url: URL) -> None:
        self._engine = engine
        self._writing = engine.execution_options(**{WRITES: True})
        self._url = url

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a transaction that changes nothing."""
        with in_one_line(self._url), Session(self._engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a transaction that is committed at the end of the block unless it raises."""
        maker = sessionmaker(self._writing, expire_on_commit=False)
        with in_one_line(self._url), maker.begin() as session:
            yield session

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def open_blocking(address: str, *, patience_s: float = PATIENCE_S) -> BlockingDatabase:
    """Connect, and migrate the tables to their newest version.

    ``patience_s`` is the longest wait for a connection or a lock. Raises
    `railbird.errors.BadInput` if the database cannot be used, without its password.
    """
    url = database_address(address)
    make_file(url)
    engine = create_engine(url, **engine_options(url, patience_s))
    prepare(engine)
    try:
        with in_one_line(url):
            with engine.connect() as connection:
                has_newest = is_newest(connection)
            if not has_newest:
                migrate(url)
    except BaseException:
        engine.dispose()
        raise
    return BlockingDatabase(engine, url)
