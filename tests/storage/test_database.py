"""The databases: migrations against the models, refusals, and many writers at once."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, func, select, text
from sqlalchemy.exc import IntegrityError

from railbird.errors import BadInput
from railbird.storage import (
    Base,
    PushFoldHandRow,
    PushFoldPlayerRow,
    database_address,
    open_blocking,
    open_database,
)
from railbird.storage.migrate import MIGRATIONS

pytestmark = pytest.mark.anyio

NEWEST = ScriptDirectory(str(MIGRATIONS)).get_current_head()


def _player(name: str) -> PushFoldPlayerRow:
    return PushFoldPlayerRow(token=name, stack=10.0, nickname="", skill="")


def _hand(player_id: int) -> PushFoldHandRow:
    return PushFoldHandRow(
        player_id=player_id,
        number=1,
        stack=10.0,
        seat="sb",
        own="AsKd",
        opponent="2c2d",
        board="3c3d3h3s4c",
        opponent_choice="fold",
        hinted=False,
        winnings=0.0,
    )


async def test_the_migrations_make_what_the_models_say(database: str) -> None:
    opened = await open_database(database)

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))

    async with opened.read() as session:
        found = await (await session.connection()).run_sync(differences)
    await opened.close()
    assert found == []


async def test_opening_again_changes_nothing(database: str) -> None:
    first = await open_database(database)
    async with first.write() as session:
        session.add(_player("a"))
    await first.close()
    second = await open_database(database)
    async with second.read() as session:
        assert await session.scalar(select(func.count()).select_from(PushFoldPlayerRow)) == 1
        assert await session.scalar(text("SELECT version_num FROM alembic_version")) == NEWEST
    await second.close()


async def test_servers_that_start_together(database: str) -> None:
    opened = await asyncio.gather(*(open_database(database) for _ in range(4)))
    for one in opened:
        async with one.read() as session:
            versions = await session.scalars(text("SELECT version_num FROM alembic_version"))
            assert versions.all() == [NEWEST], "the tables are made once"
    await asyncio.gather(*(one.close() for one in opened))


async def test_a_transaction_that_fails_leaves_nothing(database: str) -> None:
    opened = await open_database(database)

    async def fails() -> None:
        async with opened.write() as session:
            session.add(_player("a"))
            await session.flush()
            raise RuntimeError

    async def has_no_player() -> None:
        async with opened.write() as session:
            session.add(_hand(player_id=99))

    with pytest.raises(RuntimeError):
        await fails()
    with pytest.raises(IntegrityError):
        await has_no_player()
    async with opened.read() as session:
        assert await session.scalar(select(func.count()).select_from(PushFoldPlayerRow)) == 0
    await opened.close()


async def test_many_writers(database: str) -> None:
    opened = await open_database(database)

    async def join(name: str) -> None:
        async with opened.write() as session:
            assert (
                await session.scalar(
                    select(PushFoldPlayerRow).where(PushFoldPlayerRow.token == name)
                )
                is None
            )
            session.add(_player(name))

    await asyncio.gather(*(join(f"player {i}") for i in range(40)))
    async with opened.read() as session:
        assert await session.scalar(select(func.count()).select_from(PushFoldPlayerRow)) == 40
    await opened.close()


def test_writers_that_wait_and_one_that_may_not(sqlite: str) -> None:
    impatient = open_blocking(sqlite, patience_s=0.2)
    other = open_blocking(sqlite)

    def refused() -> None:
        with impatient.write() as session:
            session.add(_player("late"))

    with other.write() as session:
        session.add(_player("first"))
        session.flush()
        with pytest.raises(BadInput, match="database is locked") as locked:
            refused()
        with impatient.read() as reading:
            assert reading.scalar(select(func.count()).select_from(PushFoldPlayerRow)) == 0
    assert "\n" not in str(locked.value)
    with impatient.read() as reading:
        assert reading.scalars(select(PushFoldPlayerRow.token)).all() == ["first"]
    impatient.close()
    other.close()


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("nothing here is a database, " * 100)
    with pytest.raises(BadInput, match="not a database"):
        await open_database(f"sqlite:///{path}")


async def test_a_server_that_is_not_there_keeps_the_password() -> None:
    with pytest.raises(BadInput) as refused:
        await open_database("postgresql://ann:swordfish@127.0.0.1:1/nothing")
    assert "swordfish" not in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_addresses() -> None:
    assert database_address("postgresql://a@b/c").drivername == "postgresql+psycopg"
    assert database_address("sqlite:///x.db").drivername == "sqlite"
    assert database_address("sqlite+aiosqlite:///x.db").drivername == "sqlite"
    with pytest.raises(BadInput, match="'mysql'"):
        database_address("mysql://ann@example.org/x")


def test_a_new_file_is_for_its_owner_and_lets_readers_go_on(tmp_path: Path) -> None:
    asyncio.run(_open_and_close(f"sqlite:///{tmp_path / 'x.sqlite3'}"))
    engine = create_engine(f"sqlite:///{tmp_path / 'x.sqlite3'}")
    with engine.connect() as connection:
        mode = connection.execute(text("PRAGMA journal_mode")).scalar()
    engine.dispose()
    assert mode == "wal"
    assert stat.S_IMODE((tmp_path / "x.sqlite3").stat().st_mode) == 0o600


async def _open_and_close(address: str) -> None:
    await (await open_database(address)).close()
