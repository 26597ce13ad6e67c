"""The tables of accounts: people and programs, their secrets as hashes, offences and bans."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from railbird.storage.base import Base, UtcMoment, now
from railbird.storage.settings import NAME_WIDTH


class AccountRow(Base):
    """A person, a bot, or a bot of the house."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_WIDTH))
    """The name as its owner writes it."""
    key: Mapped[str] = mapped_column(String(NAME_WIDTH), unique=True)
    """The name in lower case: names that differ in their case only are one. The house's players
    have a prefix that no other name can have."""
    kind: Mapped[str] = mapped_column(String(8))
    """One of `railbird.storage.accounts.Kind`."""
    owner_id: Mapped[int | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), default=None, index=True
    )
    """The person whose bot it is; None for people and the house."""
    password_hash: Mapped[str | None] = mapped_column(String(255), default=None)
    """By Argon2; None for bots, which log in by tokens."""
    created_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class TokenRow(Base):
    """A random token that opens an account; only its hash is stored."""

    __tablename__ = "account_token"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), index=True
    )
    label: Mapped[str] = mapped_column(String(NAME_WIDTH), default="")
    """What its owner calls it."""
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class AccountSessionRow(Base):
    """A browser that has logged in; only the hash of its random key is stored."""

    __tablename__ = "account_session"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), index=True
    )
    created_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
    ends_at: Mapped[datetime] = mapped_column(UtcMoment)


class OffenceRow(Base):
    """Something that an account did and should not have."""

    __tablename__ = "account_offence"
    __table_args__ = (Index("ix_account_offence", "account_id", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    code: Mapped[str] = mapped_column(String(32))
    """The error code that the account was told."""
    detail: Mapped[str] = mapped_column(String(200), default="")
    at: Mapped[datetime] = mapped_column(UtcMoment, default=now)


class BanRow(Base):
    """An account that may not log in for a time."""

    __tablename__ = "account_ban"

    account_id: Mapped[int] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    reason: Mapped[str] = mapped_column(String(200), default="")
    banned_at: Mapped[datetime] = mapped_column(UtcMoment, default=now)
    ends_at: Mapped[datetime | None] = mapped_column(UtcMoment, default=None)
    """None for a ban without an end."""
