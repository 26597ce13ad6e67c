"""Opponents in a database: recalled when a session begins, added to when it ends.

A session's observations are written as an increment, never as a new total, so sessions of several
processes add up in the order in which they end. All functions work on a plain `Session`; the server
calls them through ``AsyncSession.run_sync``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import delete, func, select, text
from sqlalchemy.orm import Session

from railbird.errors import DamagedFile
from railbird.storage.base import now
from railbird.storage.opponent_tables import NAME_LENGTH, OpponentImportRow, OpponentRow

Record: TypeAlias = dict[str, Any]
"""A JSON object of numbers and lists."""

HISTORY: Final = 200
"""Sessions of an opponent's history; earlier ones count in the totals only."""

_LOCK: Final = 0x6F70706F  # an arbitrary number that all our programs share


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryScope:
    """Whose memory it is, and of which games: numbers of different games must not mix."""

    observer: str
    kind: str
    """Kind of the records."""
    game: str
    """The betting structure."""
    seats: int


@dataclass(frozen=True, slots=True)
class SessionFigures:
    """One session in an opponent's history."""

    ended_at: str
    """Time in UTC, as ISO 8601."""
    hands: int
    bets: int
    """Bets and raises."""
    actions: int
    """All actions, folds included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Increment:
    """What one session, or several, adds to an opponent's figures."""

    hands: int = 0
    sessions: int = 1
    bets: int = 0
    actions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """What is stored of an opponent."""

    scope: MemoryScope
    name: str
    version: int
    record: Record
    history: tuple[SessionFigures, ...]
    """The latest sessions, the last one last."""
    sessions: int
    hands: int
    first_met_at: datetime
    last_met_at: datetime


def recalled(
    session: Session, scope: MemoryScope, names: Collection[str], *, version: int
) -> tuple[dict[str, str], list[str]]:
    """Return the records of those of ``names`` that are known, and a line for each unusable one.

    A record is JSON text. Those above ``version`` cannot be used: a newer Railbird wrote them.
    """
    known, problems = {}, []
    for row in session.scalars(_rows(scope).where(OpponentRow.name.in_(names))):
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
    """Add increments to what is stored; return a line for each opponent that is left alone.

    ``merged`` returns the record after an increment, given the name and the record before, None
    for a new opponent. It raises `railbird.errors.DamagedFile` for a record that it cannot add to,
    which then stays as it is.
    """
    _wait_for_others(session)
    stored = session.scalars(_rows(scope).where(OpponentRow.name.in_(increments)))
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


def opponents(
    session: Session, *, name: str | None = None, observer: str | None = None
) -> tuple[list[Opponent], list[str]]:
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
    found, problems = [], []
    for row in session.scalars(query):
        try:
            found.append(_read(row))
        except DamagedFile as problem:
            problems.append(str(problem))
    return found, problems


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


def forget(session: Session, name: str, *, observer: str | None = None) -> int:
    """Delete what is stored of an opponent, by one observer or all; return the number of rows."""
    _wait_for_others(session)
    chosen = [OpponentRow.name == name]
    if observer is not None:
        chosen.append(OpponentRow.observer == observer)
    count = session.scalar(select(func.count()).select_from(OpponentRow).where(*chosen))
    session.execute(delete(OpponentRow).where(*chosen))
    return count or 0


def is_imported(session: Session, file: str) -> bool:
    """Return whether the opponents of an earlier version's file have been taken over."""
    return session.get(OpponentImportRow, file) is not None


def import_once(
    session: Session, file: str, scope: MemoryScope, records: Mapping[str, str], *, version: int
) -> bool:
    """Take over the opponents of a file; return False where that has been done before."""
    _wait_for_others(session)
    if is_imported(session, file):
        return False
    session.add(OpponentImportRow(file=file))
    known = set(session.scalars(_rows(scope).with_only_columns(OpponentRow.name)))
    for name, record in records.items():
        if name not in known and not unstorable([name]):
            session.add(_new_row(scope, name, record, Increment(sessions=0), version))
    return True


def unstorable(names: Iterable[str]) -> list[str]:
    """Return the names that a database cannot store, which are those of absurd length."""
    return [name for name in names if len(name) > NAME_LENGTH or "\x00" in name]


def _rows(scope: MemoryScope) -> Any:
    return select(OpponentRow).where(
        OpponentRow.observer == scope.observer,
        OpponentRow.kind == scope.kind,
        OpponentRow.game == scope.game,
        OpponentRow.seats == scope.seats,
    )


def _wait_for_others(session: Session) -> None:
    """Let one transaction at a time add up. SQLite's writers have the lock from the beginning."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


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
    before = _usable(row, version)
    history = _loaded(row, row.history)
    if not isinstance(history, list):
        raise DamagedFile(f"{_where(row)}: not a history")
    moment = now()
    row.record = merged(row.name, before)
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
            f"{_where(row)}: version {row.version}, from a newer Railbird; allowed: up to {version}"
        )
    return row.record


def _loaded(row: OpponentRow, value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise DamagedFile(f"{_where(row)}: not JSON") from None


def _read(row: OpponentRow) -> Opponent:
    record = _loaded(row, row.record)
    try:
        history = tuple(SessionFigures(*each) for each in _loaded(row, row.history))
    except TypeError:
        raise DamagedFile(f"{_where(row)}: not a history") from None
    if not isinstance(record, dict):
        raise DamagedFile(f"{_where(row)}: not a record")
    if not all(map(_is_sound, history)):
        raise DamagedFile(f"{_where(row)}: not a history")
    return Opponent(
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


def _where(row: OpponentRow) -> str:
    return f"what {row.observer} remembers of {row.name}"


__all__ = [
    "HISTORY",
    "Increment",
    "MemoryScope",
    "Opponent",
    "Record",
    "SessionFigures",
    "add_up",
    "forget",
    "import_once",
    "is_imported",
    "observer_names",
    "opponent_names",
    "opponents",
    "recalled",
    "unstorable",
]
