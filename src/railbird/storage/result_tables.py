"""The tables of finished tournaments and ring sessions, and of ratings."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Float, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from railbird.storage.base import Base, UtcMoment, now
from railbird.storage.settings import NAME_WIDTH


class TournamentRow(Base):
    """A finished or void tournament, once, whatever how often its result arrives."""

    __tablename__ = "tournament"
    __table_args__ = (Index("ix_tournament_finished_at", "finished_at"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The identifier that its journal has."""
    ladder: Mapped[str] = mapped_column(String(32))
    """The ladder that it counts in: the name of the game."""
    rated: Mapped[bool]
    """Whether it counted in that ladder."""
    void_reason: Mapped[str | None] = mapped_column(String(200), default=None)
    """None for a tournament that was played to its end."""
    details: Mapped[str] = mapped_column(Text, default="{}")
    """A JSON object with its rules, as the server announced them."""
    started_at: Mapped[datetime] = mapped_column(UtcMoment)
    finished_at: Mapped[datetime] = mapped_column(UtcMoment)
    recorded_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class EntryRow(Base):
    """One player's entry into a tournament, and its place in the end."""

    __tablename__ = "tournament_entry"
    __table_args__ = (Index("ix_tournament_entry_account", "account_id"),)

    tournament_id: Mapped[str] = mapped_column(
        ForeignKey("tournament.id", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Number of the entry, from 0."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="SET NULL"), default=None
    )
    """None where the account has been deleted since."""
    name: Mapped[str] = mapped_column(String(NAME_WIDTH))
    version: Mapped[str] = mapped_column(String(NAME_WIDTH), default="")
    kind: Mapped[str] = mapped_column(String(8))
    place: Mapped[int | None] = mapped_column(default=None)
    """From 1; equal places share a prize. None in a void tournament."""
    prize: Mapped[float] = mapped_column(Float, default=0.0)
    fee: Mapped[float] = mapped_column(Float, default=0.0)
    hands: Mapped[int] = mapped_column(default=0)
    service: Mapped[str] = mapped_column(Text, default="{}")
    """A JSON object: latencies, actions that came too late, actions that were refused."""
    mean_after: Mapped[float | None] = mapped_column(Float, default=None)
    """The ladder rating's mean after a rated tournament."""
    deviation_after: Mapped[float | None] = mapped_column(Float, default=None)


class RatingRow(Base):
    """An account's rating in one ladder; a bot has one in each of its versions."""

    __tablename__ = "rating"

    ladder: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    version: Mapped[str] = mapped_column(String(NAME_WIDTH), primary_key=True, default="")
    mean: Mapped[float] = mapped_column(Float)
    deviation: Mapped[float] = mapped_column(Float)
    tournaments: Mapped[int]
    rated_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class RingSessionRow(Base):
    """A player's session at a ring table, from the first buy-in to standing up."""

    __tablename__ = "ring_session"
    __table_args__ = (Index("ix_ring_session_account", "account_id"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The identifier that its journal has."""
    game: Mapped[str] = mapped_column(String(32))
    """Name of the ring game, and so of its stakes."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="SET NULL"), default=None
    )
    """None where the account has been deleted since."""
    name: Mapped[str] = mapped_column(String(NAME_WIDTH))
    version: Mapped[str] = mapped_column(String(NAME_WIDTH), default="")
    started_at: Mapped[datetime] = mapped_column(UtcMoment)
    finished_at: Mapped[datetime] = mapped_column(UtcMoment)
    hands: Mapped[int]
    won: Mapped[int] = mapped_column(BigInteger)
    """Chips, net of all buy-ins."""
    rake: Mapped[int] = mapped_column(BigInteger)
    """Chips of rake taken from pots that the player won."""
    big_blind: Mapped[int] = mapped_column(BigInteger)
    service: Mapped[str] = mapped_column(Text, default="{}")
    """A JSON object: latencies, actions that came too late, actions that were refused."""
