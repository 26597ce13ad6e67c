"""The tables of what players remember of their opponents."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from railbird.storage.base import Base, UtcMoment, now

NAME_LENGTH = 255
"""Characters of a name, PostgreSQL's index having its bounds."""


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
    """The latest sessions, a JSON list of `Session` as lists."""
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
