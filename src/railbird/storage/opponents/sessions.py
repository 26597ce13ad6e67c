"""What a session recalls of opponents at its beginning, and adds at its end.

A session's observations are written as an increment, never as a new total, so sessions of several
processes add up in the order in which they end. All functions work on a plain `Session`; the server
calls them through ``AsyncSession.run_sync``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy.orm import Session

from railbird.errors import DamagedFile
from railbird.storage.base import now
from railbird.storage.opponent_tables import (
    NAME_LENGTH,
    MemoryScope,
    OpponentImportRow,
    OpponentRow,
    SessionFigures,
    loaded,
    rows_of,
    wait_for_others,
    whose,
)

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
    for row in session.scalars(rows_of(scope).where(OpponentRow.name.in_(names))):
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
    wait_for_others(session)
    stored = session.scalars(rows_of(scope).where(OpponentRow.name.in_(increments)))
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
    known = set(session.scalars(rows_of(scope).with_only_columns(OpponentRow.name)))
    for name, record in records.items():
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
    before = _usable(row, version)
    history = loaded(row, row.history)
    if not isinstance(history, list):
        raise DamagedFile(f"{whose(row)}: not a history")
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
            f"{whose(row)}: version {row.version}, from a newer Railbird; allowed: up to {version}"
        )
    return row.record
