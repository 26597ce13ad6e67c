"""Stored records of opponents: read, added to, listed, shown and deleted."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from railbird.errors import BadInput, DamagedFile
from railbird.storage.database import database_address, now, sqlite_file
from railbird.storage.settings import default_database
from railbird.storage.tables import (
    NAME_LENGTH,
    MemoryScope,
    OpponentImportRow,
    OpponentRow,
    SessionFigures,
    loaded,
    rows_in_scope,
    wait_for_others,
    whose,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredOpponent:
    """The stored record of an opponent."""

    scope: MemoryScope
    name: str
    version: int
    record: dict[str, Any]
    """A JSON object of numbers and lists."""
    history: tuple[SessionFigures, ...]
    """The latest sessions, the last one last."""
    sessions: int
    hands: int
    first_met_at: datetime
    last_met_at: datetime


def opponents(
    session: Session, *, name: str | None = None, observer: str | None = None
) -> tuple[list[StoredOpponent], list[str]]:
    """Return all that is stored, by name, and a line for each row that does not read."""
    query = select(OpponentRow).order_by(
        OpponentRow.name,
        OpponentRow.observer,
        OpponentRow.game,
        OpponentRow.seats,
        OpponentRow.kind,
    )
    if name is not None:
        query = query.where(OpponentRow.name == name)
    if observer is not None:
        query = query.where(OpponentRow.observer == observer)
    stored, problems = [], []
    for row in session.scalars(query):
        try:
            stored.append(_read(row))
        except DamagedFile as problem:
            problems.append(str(problem))
    return stored, problems


def opponent_names(session: Session, *, observer: str | None = None) -> list[str]:
    """Return the names of all whom anybody, or one observer, remembers, in order."""
    query = select(OpponentRow.name).distinct().order_by(OpponentRow.name)
    if observer is not None:
        query = query.where(OpponentRow.observer == observer)
    return list(session.scalars(query))


def observer_names(session: Session, *, name: str | None = None) -> list[str]:
    """Return the names of all who remember anybody, or one opponent, in order."""
    query = select(OpponentRow.observer).distinct().order_by(OpponentRow.observer)
    if name is not None:
        query = query.where(OpponentRow.name == name)
    return list(session.scalars(query))


def forget_opponent(session: Session, name: str, *, observer: str | None = None) -> int:
    """Delete the records of an opponent, by one observer or all; return the number of rows."""
    wait_for_others(session)
    chosen = [OpponentRow.name == name]
    if observer is not None:
        chosen.append(OpponentRow.observer == observer)
    count = session.scalar(select(func.count()).select_from(OpponentRow).where(*chosen))
    session.execute(delete(OpponentRow).where(*chosen))
    return count or 0


def _read(row: OpponentRow) -> StoredOpponent:
    record = loaded(row, row.record)
    try:
        history = tuple(SessionFigures(*figures) for figures in loaded(row, row.history))
    except TypeError:
        raise DamagedFile(f"{whose(row)}: not a history") from None
    if not isinstance(record, dict):
        raise DamagedFile(f"{whose(row)}: not a record")
    if not all(map(_is_sound, history)):
        raise DamagedFile(f"{whose(row)}: not a history")
    return StoredOpponent(
        scope=MemoryScope(observer=row.observer, kind=row.kind, game=row.game, seats=row.seats),
        name=row.name,
        version=row.version,
        record=record,
        history=history,
        sessions=row.sessions,
        hands=row.hands,
        first_met_at=row.first_met_at,
        last_met_at=row.last_met_at,
    )


def _is_sound(figures: SessionFigures) -> bool:
    ended_at, *numbers = astuple(figures)
    return isinstance(ended_at, str) and all(isinstance(n, int) for n in numbers)


# What a session recalls of opponents at its beginning, and adds at its end.
#
# A session's observations are written as an increment, never as a new total, so sessions of several
# processes add up in the order in which they end. All functions work on a plain `Session`; the
# server calls them through ``AsyncSession.run_sync``.


HISTORY: Final = 200
"""Sessions of an opponent's history; earlier ones count in the totals only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Increment:
    """What one session, or several, adds to an opponent's figures."""

    hands: int = 0
    sessions: int = 1
    bets: int = 0
    actions: int = 0


def recalled(
    session: Session, scope: MemoryScope, names: Collection[str], *, version: int
) -> tuple[dict[str, str], list[str]]:
    """Return the records of those of ``names`` that are known, and a line for each unusable one.

    A record is JSON text. Those above ``version`` cannot be used: a newer Railbird wrote them.
    """
    known, problems = {}, []
    for row in session.scalars(rows_in_scope(scope).where(OpponentRow.name.in_(names))):
        try:
            known[row.name] = _usable(row, version)
        except DamagedFile as problem:
            problems.append(str(problem))
    return known, problems


def add_up(
    session: Session,
    scope: MemoryScope,
    increments: Mapping[str, Increment],
    *,
    version: int,
    merged: Callable[[str, str | None], str],
) -> list[str]:
    """Add increments to the records; return a line for each record that could not be changed.

    ``merged`` returns the record after an increment, given the name and the record before, None
    for a new opponent. It raises `railbird.errors.DamagedFile` for a record that it cannot add to,
    which then stays as it is.
    """
    wait_for_others(session)
    stored = session.scalars(rows_in_scope(scope).where(OpponentRow.name.in_(increments)))
    rows = {row.name: row for row in stored}
    problems = []
    for name, increment in increments.items():
        row = rows.get(name)
        try:
            if row is None:
                session.add(_new_row(scope, name, merged(name, None), increment, version))
            else:
                _add(row, increment, version, merged)
        except DamagedFile as problem:
            problems.append(str(problem))
    return problems


def is_imported(session: Session, file: str) -> bool:
    """Return whether the opponents of an earlier version's file have been taken over."""
    return session.get(OpponentImportRow, file) is not None


def import_once(
    session: Session, file: str, scope: MemoryScope, records: Mapping[str, str], *, version: int
) -> bool:
    """Take over the opponents of a file; return False where that has been done before."""
    wait_for_others(session)
    if is_imported(session, file):
        return False
    session.add(OpponentImportRow(file=file))
    known = set(session.scalars(rows_in_scope(scope).with_only_columns(OpponentRow.name)))
    for name, record in records.items():
        # What the database knows is newer than any file.
        if name not in known and not unstorable([name]):
            session.add(_new_row(scope, name, record, Increment(sessions=0), version))
    return True


def unstorable(names: Iterable[str]) -> list[str]:
    """Return the names that a database cannot store, which are those of absurd length."""
    return [name for name in names if len(name) > NAME_LENGTH or "\x00" in name]


def _new_row(
    scope: MemoryScope, name: str, record: str, increment: Increment, version: int
) -> OpponentRow:
    moment = now()
    return OpponentRow(
        observer=scope.observer,
        kind=scope.kind,
        game=scope.game,
        seats=scope.seats,
        name=name,
        version=version,
        record=record,
        history=json.dumps([_figures(increment, moment)] if increment.sessions else []),
        sessions=increment.sessions,
        hands=increment.hands,
        first_met_at=moment,
        last_met_at=moment,
    )


def _add(
    row: OpponentRow,
    increment: Increment,
    version: int,
    merged: Callable[[str, str | None], str],
) -> None:
    # Everything that may fail comes before the row is changed, so a damaged record stays as it is.
    earlier = _usable(row, version)
    history = loaded(row, row.history)
    if not isinstance(history, list):
        raise DamagedFile(f"{whose(row)}: not a history")
    moment = now()
    row.record = merged(row.name, earlier)
    row.history = json.dumps([*history, _figures(increment, moment)][-HISTORY:])
    row.version = version
    row.hands += increment.hands
    row.sessions += increment.sessions
    row.last_met_at = moment


def _figures(increment: Increment, moment: datetime) -> list[Any]:
    at = moment.astimezone(UTC).isoformat(timespec="seconds")
    return [*astuple(SessionFigures(at, increment.hands, increment.bets, increment.actions))]


def _usable(row: OpponentRow, version: int) -> str:
    if row.version > version:
        raise DamagedFile(
            f"{whose(row)}: version {row.version}, from a newer Railbird; allowed: up to {version}"
        )
    return row.record


# The database in which a player keeps its memory, from the text of the option ``database=``.


DEFAULT: Final = "default"
SERVER: Final = "server"
_SERVER_VARIABLE: Final = "RAILBIRD_SERVER_DATABASE"
"""Set by the server for itself and the processes of its house players, never by people."""
"""The text that stands for the user's own database."""

_FORMER_ENDING: Final = ".json"
_HEAD: Final = 64


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """Where a player's memory is."""

    text: str
    """The text that named it."""
    database: str
    """The URL."""
    former: Path | None = None
    """A file of an earlier version, which kept memories outside databases."""
    is_read_only: bool = False
    """True where nothing is to be added, nor a database made."""

    @property
    def is_missing(self) -> bool:
        """Whether it is a file that does not exist."""
        path = sqlite_file(self.database)
        return path is not None and not path.exists()


def serve_memory(database: str) -> None:
    """Set the database that ``server`` names, in this process and those that it starts."""
    os.environ[_SERVER_VARIABLE] = database


def memory_place(text: str) -> MemoryPlace:
    """Return the place that a text names: ``default``, a URL, or the file of an SQLite database.

    ``server`` is the database of the server in whose process this is, so that no journal has its
    address; elsewhere it is the default.

    A file of an earlier version, in JSON, is taken over into a database beside it whose name ends
    in ``.sqlite3``. Raises `railbird.errors.BadInput` for a URL that cannot be used, and for one
    with a password: a player's spec stands in logs and reports.

    >>> memory_place("notes.json").database
    'sqlite:///notes.sqlite3'
    """
    if text == DEFAULT:
        return MemoryPlace(text, default_database())
    if text == SERVER:
        return MemoryPlace(text, os.environ.get(_SERVER_VARIABLE) or default_database())
    if "://" in text:
        if database_address(text).password is not None:
            raise BadInput(
                "a password in a player's spec, which logs and reports show; allowed: a URL without"
                " one, and the password in PGPASSWORD or ~/.pgpass"
            )
        return MemoryPlace(text, text)
    path = Path(text)
    if path.suffix.lower() == _FORMER_ENDING or _begins_as_json(path):
        return MemoryPlace(text, f"sqlite:///{path.with_suffix('.sqlite3')}", path)
    return MemoryPlace(text, f"sqlite:///{path}")


def observer_name(name: str, memory: MemoryPlace) -> str:
    """Return a player's name without its memory, which may move and is no part of who it is.

    >>> observer_name("loki:som,database=a.json,decay=0.9", memory_place("a.json"))
    'loki:som,decay=0.9'
    """
    return re.sub(rf",[\w-]+={re.escape(memory.text)}(?=[,#]|$)", "", name)


def _begins_as_json(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).lstrip()[:1] == b"{"
    except OSError:
        return False  # whatever it is, opening the database tells
