"""All that is stored of opponents, to be listed, shown and forgotten."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from railbird.errors import DamagedFile
from railbird.storage.opponent_tables import (
    MemoryScope,
    OpponentRow,
    SessionFigures,
    loaded,
    wait_for_others,
    whose,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """What is stored of an opponent."""

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
    wait_for_others(session)
    chosen = [OpponentRow.name == name]
    if observer is not None:
        chosen.append(OpponentRow.observer == observer)
    count = session.scalar(select(func.count()).select_from(OpponentRow).where(*chosen))
    session.execute(delete(OpponentRow).where(*chosen))
    return count or 0


def _read(row: OpponentRow) -> Opponent:
    record = loaded(row, row.record)
    try:
        history = tuple(SessionFigures(*each) for each in loaded(row, row.history))
    except TypeError:
        raise DamagedFile(f"{whose(row)}: not a history") from None
    if not isinstance(record, dict):
        raise DamagedFile(f"{whose(row)}: not a record")
    if not all(map(_is_sound, history)):
        raise DamagedFile(f"{whose(row)}: not a history")
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
