"""The table of puzzles: decisions that somebody asked to be asked again."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from railbird.storage.base import Base, UtcMoment, now


class PuzzleRow(Base):
    """A decision, of an account or of a browser that is not logged in."""

    __tablename__ = "puzzle"
    __table_args__ = (
        Index("ix_puzzle_account", "account_id"),
        UniqueConstraint("owner", "digest"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    """``account:ID``, or ``visitor:`` and a hash of the browser's token."""
    account_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), default=None
    )
    digest: Mapped[str] = mapped_column(String(64))
    """Of the hand and the decision, so that none is kept twice."""
    puzzle: Mapped[str] = mapped_column(Text)
    """A JSON object: the hand as PHH, the decision, the answers and what they cost."""
    taken_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
    answered_at: Mapped[datetime | None] = mapped_column(UtcMoment, default=None)
    asked: Mapped[int] = mapped_column(default=0)
    right: Mapped[int] = mapped_column(default=0)
