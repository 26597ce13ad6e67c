"""The databases: migrations against the models, refusals, and many writers at once."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, func, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from helpers.postgres_cluster import Postgres
from railbird.errors import BadInput
from railbird.storage import (
    Base,
    PushFoldDecisionRow,
    PushFoldHandRow,
    PushFoldPlayerRow,
    database_address,
    default_database,
    open_blocking,
    open_database,
)
from railbird.storage.database import _LOCK, MIGRATIONS, newest_revision
from railbird.storage.puzzles import Owner, add_puzzles, count_puzzles, next_puzzle
from railbird.storage.tables import AccountRow, EntryRow, TournamentRow

pytestmark = pytest.mark.anyio

NEWEST = ScriptDirectory(str(MIGRATIONS)).get_current_head()


def test_the_newest_migration_is_the_one_that_its_file_is_named_by() -> None:
    assert newest_revision() == NEWEST


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


async def test_the_migrations_make_what_the_models_say(new_database: str) -> None:
    opened = await open_database(new_database)

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))

    async with opened.read() as session:
        found = await (await session.connection()).run_sync(differences)
    await opened.close()
    assert found == []


async def test_opening_again_changes_nothing(new_database: str) -> None:
    first = await open_database(new_database)
    async with first.write() as session:
        session.add(_player("a"))
    await first.close()
    second = await open_database(new_database)
    async with second.read() as session:
        assert await session.scalar(select(func.count()).select_from(PushFoldPlayerRow)) == 1
        assert await session.scalar(text("SELECT version_num FROM alembic_version")) == NEWEST
    await second.close()


async def test_servers_that_start_together(new_database: str) -> None:
    opened = await asyncio.gather(*(open_database(new_database) for _ in range(4)))
    for one in opened:
        async with one.read() as session:
            versions = await session.scalars(text("SELECT version_num FROM alembic_version"))
            assert versions.all() == [NEWEST], "the tables are made once"
    await asyncio.gather(*(one.close() for one in opened))


def test_another_program_s_migration_is_waited_for_longer_than_a_lock(postgres: Postgres) -> None:
    address = postgres.create("railbird")
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with ThreadPoolExecutor(1) as thread, psycopg.connect(address, autocommit=True) as migrating:
        migrating.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        opening = thread.submit(open_blocking, address, patience_s=0.001)
        while not opening.done() and migrating.execute(waiting).fetchone() == (0,):
            pass
        migrating.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])
        opening.result().close()


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


# Databases of earlier versions are brought up to date; those of later ones are left alone.


FIRST = """
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES ('0001');
CREATE TABLE player (
    id {serial} NOT NULL,
    token VARCHAR(32) NOT NULL,
    nickname VARCHAR(24) NOT NULL,
    skill VARCHAR(12) NOT NULL,
    stack FLOAT NOT NULL,
    joined_at {moment} NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (token)
);
INSERT INTO player (token, nickname, skill, stack, joined_at)
    VALUES ('aaaa', 'ann', 'expert', 10.0, '2026-11-22 01:34:15.194086');
CREATE TABLE pushfold_hand (
    id {serial} NOT NULL,
    player_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    stack FLOAT NOT NULL,
    seat VARCHAR(2) NOT NULL,
    own VARCHAR(4) NOT NULL,
    opponent VARCHAR(4) NOT NULL,
    board VARCHAR(10) NOT NULL,
    opponent_choice VARCHAR(8) NOT NULL,
    hinted BOOLEAN NOT NULL,
    ending VARCHAR(16),
    winnings FLOAT NOT NULL,
    dealt_at {moment} NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (player_id, number),
    FOREIGN KEY(player_id) REFERENCES player (id) ON DELETE CASCADE
);
INSERT INTO pushfold_hand (player_id, number, stack, seat, own, opponent, board,
    opponent_choice, hinted, ending, winnings, dealt_at) VALUES (1, 1, 10.0, 'sb', 'AsKd', '2c2d',
    '3c3d3h3s4c', 'fold', false, 'folded', 1.0, '2026-11-22 01:34:15.195450');
CREATE TABLE pushfold_decision (
    hand_id INTEGER NOT NULL,
    choice VARCHAR(8) NOT NULL,
    hand_class INTEGER NOT NULL,
    frequency FLOAT NOT NULL,
    ev_aggress FLOAT NOT NULL,
    ev_fold FLOAT NOT NULL,
    loss FLOAT NOT NULL,
    decided_at {moment} NOT NULL,
    PRIMARY KEY (hand_id),
    FOREIGN KEY(hand_id) REFERENCES pushfold_hand (id) ON DELETE CASCADE
);
INSERT INTO pushfold_decision
    VALUES (1, 'push', 3, 1.0, 1.2, -0.5, 0.0, '2026-11-22 01:34:15.196536');
CREATE INDEX ix_pushfold_decision_decided_at ON pushfold_decision (decided_at);
"""
"""A database of version 0.1 with a row in each table, as that version's server wrote it."""


def first_version(address: str) -> None:
    if address.startswith("sqlite"):
        with sqlite3.connect(address.removeprefix("sqlite:///")) as connection:
            connection.executescript(FIRST.format(serial="INTEGER", moment="DATETIME"))
        connection.close()
        return
    with psycopg.connect(address) as server:
        server.execute(FIRST.format(serial="SERIAL", moment="TIMESTAMP WITH TIME ZONE").encode())


def test_the_first_version_keeps_its_hands(new_database: str) -> None:
    first_version(new_database)
    opened = open_blocking(new_database)
    with opened.write() as session:
        player = session.scalars(select(PushFoldPlayerRow)).one()
        hand = session.scalars(select(PushFoldHandRow)).one()
        decision = session.scalars(select(PushFoldDecisionRow)).one()
        assert (player.nickname, hand.player_id, hand.own) == ("ann", player.id, "AsKd")
        assert (decision.hand_id, decision.ev_aggress) == (hand.id, 1.2)
        session.delete(player)  # and what refers to it, by the renamed table's keys
    with opened.write() as session:
        assert session.scalars(select(PushFoldHandRow)).all() == []
        assert session.scalars(select(PushFoldDecisionRow)).all() == []
        session.add(PushFoldPlayerRow(token="b", nickname="", skill="", stack=10.0))
        # Whatever a later version calls a player finds the name and its index free.
        session.execute(text("CREATE TABLE player (id INTEGER PRIMARY KEY, token TEXT UNIQUE)"))
    opened.close()


def undo_later_versions(session: Session) -> None:
    """Drop the tables that versions after 0007 have added."""
    tables = (
        *(
            "shared_night",
            "trained_card",
            "trained_decision",
            "life_hand",
            "drill_rating",
            "drill_answer",
        ),
        *("rating_pair", "guess", "former_name"),
    )
    for table in tables:
        session.execute(text(f"DROP TABLE {table}"))


def test_puzzles_that_hindsight_answered_are_retired(database: str) -> None:
    opened = open_blocking(database)
    owner = Owner(None, "token")
    kinds = ("baseline", "equilibrium", "house", "baseline")
    with opened.write() as session:
        kept = [
            {"hand": f"h{n}", "player": "ann", "act": n, "by": by} for n, by in enumerate(kinds)
        ]
        add_puzzles(session, owner, kept)
        undo_later_versions(session)
        session.execute(text("UPDATE alembic_version SET version_num = '0006'"))
    opened.close()
    opened = open_blocking(database)
    with opened.read() as session:
        assert count_puzzles(session, owner) == (1, 0, 0)
        left = next_puzzle(session, owner)
        assert left is not None
        assert left.puzzle["by"] == "equilibrium"
    opened.close()


def test_names_of_the_house_no_longer_say_where_its_database_is(database: str) -> None:
    opened = open_blocking(database)
    names = ("booker:4", "booker:4,database=/srv/a.sqlite3", "booker:4,memory=9,ms=3")
    moment = datetime(2026, 11, 22, tzinfo=UTC)
    with opened.write() as session:
        for name in (*names, "loki:som,memory=/srv/b.json,decay=0.9"):
            session.add(AccountRow(name=name, key=f"@{name}", kind="house"))
        row = TournamentRow(
            id="t", ladder="six", rated=False, started_at=moment, finished_at=moment
        )
        session.add(row)
        session.flush()
        session.add(EntryRow(tournament_id="t", seat=0, name=names[1], kind="house"))
        undo_later_versions(session)
        session.execute(text("UPDATE alembic_version SET version_num = '0007'"))
    opened.close()
    opened = open_blocking(database)
    with opened.read() as session:
        found = session.execute(select(AccountRow.name, AccountRow.key).order_by(AccountRow.id))
        shown = ["booker:4", "booker:4#2", "booker:4,memory=9,ms=3", "loki:som,decay=0.9"]
        assert [tuple(row) for row in found] == [(name, f"@{name}") for name in shown]
        assert session.scalar(select(EntryRow.name)) == "booker:4"
    opened.close()


def test_a_newer_version_is_refused_and_left_alone(database: str) -> None:
    opened = open_blocking(database)
    with opened.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadInput, match="of version 9999, from a newer Railbird") as refused:
        open_blocking(database)
    with pytest.raises(BadInput, match="of version 9999"):
        asyncio.run(_open_and_close(database))
    assert "\n" not in str(refused.value)
    with opened.read() as session:
        assert session.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
    opened.close()


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite3"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE bookmark (id INTEGER PRIMARY KEY)")
    before = path.read_bytes()
    with pytest.raises(BadInput, match="it has tables of another program"):
        open_blocking(f"sqlite:///{path}")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_users_database_may_have_its_former_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "railbird"
    assert default_database() == f"sqlite:///{folder / 'railbird.sqlite3'}"
    folder.mkdir()
    (folder / "serve.sqlite3").touch()
    assert default_database() == f"sqlite:///{folder / 'serve.sqlite3'}"
    (folder / "railbird.sqlite3").touch()
    assert default_database() == f"sqlite:///{folder / 'railbird.sqlite3'}"
