"""The tables of what players remember of their opponents."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Index, Select, String, Text, UniqueConstraint, select, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from railbird.errors import DamagedFile
from railbird.storage.base import Base, UtcMoment, now

NAME_LENGTH: Final = 255
"""Characters of a name, PostgreSQL's index having its bounds."""

_LOCK: Final = 0x6F70706F  # an arbitrary number that all our programs share


class OpponentRow(Base):
    """What one observer remembers of one opponent in one kind of game."""

    __tablename__ = "opponent"
    __table_args__ = (
        UniqueConstraint("observer", "kind", "game", "seats", "name", name="uq_opponent"),
        Index("ix_opponent_name", "name"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    observer: Mapped[str] = mapped_column(String(NAME_LENGTH))
    """The player that remembers."""
    kind: Mapped[str] = mapped_column(String(32))
    """What the record contains, which depends on the kind of player that keeps it."""
    game: Mapped[str] = mapped_column(String(32))
    """The betting structure."""
    seats: Mapped[int]
    """Seats at the start of the session; a tournament stays with it as players bust."""
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    """The opponent."""
    version: Mapped[int]
    """Version of the record's form."""
    record: Mapped[str] = mapped_column(Text)
    """The statistics, a JSON object of numbers and lists."""
    history: Mapped[str] = mapped_column(Text)
    """The latest sessions, a JSON list of `SessionFigures` as lists."""
    sessions: Mapped[int]
    hands: Mapped[int]
    first_met_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
    last_met_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class OpponentImportRow(Base):
    """A file of an earlier version whose opponents have been taken over."""

    __tablename__ = "opponent_import"

    file: Mapped[str] = mapped_column(String(NAME_LENGTH), primary_key=True)
    """Name of the file, which lies beside the database."""
    imported_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


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


def rows_of(scope: MemoryScope) -> Select[Any]:
    """Select everybody in a scope."""
    return select(OpponentRow).where(
        OpponentRow.observer == scope.observer,
        OpponentRow.kind == scope.kind,
        OpponentRow.game == scope.game,
        OpponentRow.seats == scope.seats,
    )


def wait_for_others(session: Session) -> None:
    """Let one transaction at a time add up. SQLite's writers have the lock from the beginning."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def loaded(row: OpponentRow, value: str) -> Any:
    """Read a column of JSON. Raises `railbird.errors.DamagedFile`."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise DamagedFile(f"{whose(row)}: not JSON") from None


def whose(row: OpponentRow) -> str:
    """Say in messages which row it is."""
    return f"what {row.observer} remembers of {row.name}"
