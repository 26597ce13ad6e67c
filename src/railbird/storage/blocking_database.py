"""Databases for players and commands, which wait: the same tables without an event loop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import create_engine
from sqlalchemy.engine import URL, Engine
from sqlalchemy.orm import Session, sessionmaker

from railbird.storage.address import database_address
from railbird.storage.engines import WRITES, engine_options, make_file, prepare, told
from railbird.storage.migrate import upgrade
from railbird.storage.settings import PATIENCE_S


class BlockingDatabase:
    """An open database; `read` and `write` open transactions.

    What fails in one raises `railbird.errors.BadInput`, in one line without a password.
    """

    def __init__(self, engine: Engine, url: URL) -> None:
        self._engine = engine
        self._writing = engine.execution_options(**{WRITES: True})
        self._url = url

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a transaction that changes nothing."""
        with told(self._url), Session(self._engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a transaction that is committed at the end of the block unless it raises."""
        maker = sessionmaker(self._writing, expire_on_commit=False)
        with told(self._url), maker.begin() as session:
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
        with told(url), engine.execution_options(**{WRITES: True}).begin() as connection:
            upgrade(connection)
    except BaseException:
        engine.dispose()
        raise
    return BlockingDatabase(engine, url)
