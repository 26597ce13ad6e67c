"""Databases of earlier versions are brought up to date; those of later ones are left alone."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import select, text

from railbird.errors import BadInput
from railbird.storage import (
    PushFoldDecisionRow,
    PushFoldHandRow,
    PushFoldPlayerRow,
    default_database,
    open_blocking,
    open_database,
)

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


def test_the_first_version_keeps_its_hands(database: str) -> None:
    first_version(database)
    opened = open_blocking(database)
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


async def _open_and_close(address: str) -> None:
    await (await open_database(address)).close()


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
