"""The tables of the push/fold game: players, hands and decisions."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from railbird.storage.base import Base, UtcMoment, now


class PushFoldPlayerRow(Base):
    """A browser that plays; there are no accounts."""

    __tablename__ = "pushfold_player"

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(32), unique=True)
    """Token in the signed cookie."""
    nickname: Mapped[str] = mapped_column(String(24), default="")
    skill: Mapped[str] = mapped_column(String(12), default="")
    """Stated by the player: beginner, intermediate, advanced, expert or nothing."""
    stack: Mapped[float] = mapped_column(Float)
    """Big blinds, from the next hand on."""
    joined_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class PushFoldHandRow(Base):
    """A hand of push/fold, dealt to its end in advance; the page shows only what may be seen."""

    __tablename__ = "pushfold_hand"
    __table_args__ = (UniqueConstraint("player_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("pushfold_player.id", ondelete="CASCADE"))
    number: Mapped[int]
    """1, 2, ... for each player."""
    stack: Mapped[float] = mapped_column(Float)
    seat: Mapped[str] = mapped_column(String(2))
    own: Mapped[str] = mapped_column(String(4))
    opponent: Mapped[str] = mapped_column(String(4))
    board: Mapped[str] = mapped_column(String(10))
    opponent_choice: Mapped[str] = mapped_column(String(8))
    """Choice of the opponent, should it come to act."""
    hinted: Mapped[bool] = mapped_column(default=False)
    ending: Mapped[str | None] = mapped_column(String(16), default=None)
    """None while it is the player's turn."""
    winnings: Mapped[float] = mapped_column(Float, default=0.0)
    """The player's winnings in big blinds."""
    dealt_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class PushFoldDecisionRow(Base):
    """The player's choice with a hand, and its value against the equilibrium."""

    __tablename__ = "pushfold_decision"
    __table_args__ = (Index("ix_pushfold_decision_decided_at", "decided_at"),)

    hand_id: Mapped[int] = mapped_column(
        ForeignKey("pushfold_hand.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    choice: Mapped[str] = mapped_column(String(8))
    hand_class: Mapped[int]
    frequency: Mapped[float] = mapped_column(Float)
    """Frequency with which the equilibrium pushes or calls with this class."""
    ev_aggress: Mapped[float] = mapped_column(Float)
    ev_fold: Mapped[float] = mapped_column(Float)
    loss: Mapped[float] = mapped_column(Float)
    """Big blinds given up: EV of the better choice less EV of the chosen one."""
    decided_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
