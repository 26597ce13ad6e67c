"""Tokens of programs and sessions of browsers in transactions."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from railbird.storage.account_tables import AccountSessionRow, TokenRow
from railbird.storage.accounts.accounts import Account, Forbidden, by_id
from railbird.storage.accounts.random_secrets import fast_hash, new_token
from railbird.storage.base import now
from railbird.storage.settings import LONGEST_NAME, MOST_TOKENS, SESSION_S


@dataclass(frozen=True, slots=True)
class Token:
    """A token as its owner may see it again."""

    id: int
    label: str
    created_at: datetime


def add_token(session: Session, account_id: int, label: str = "") -> tuple[Token, str]:
    """Create a token; return it with its text, which is not stored.

    Raises `Forbidden` for an account with too many.
    """
    count = select(func.count()).select_from(TokenRow).where(TokenRow.account_id == account_id)
    if (session.scalar(count) or 0) >= MOST_TOKENS:
        raise Forbidden(f"{MOST_TOKENS} tokens already; allowed: {MOST_TOKENS}, revoke one first")
    text = new_token()
    row = TokenRow(account_id=account_id, label=label[:LONGEST_NAME], hash=fast_hash(text))
    session.add(row)
    session.flush()
    return Token(row.id, row.label, row.created_at), text


def tokens_of(session: Session, account_id: int) -> list[Token]:
    """Return an account's tokens, the oldest first."""
    rows = session.scalars(
        select(TokenRow).where(TokenRow.account_id == account_id).order_by(TokenRow.id)
    )
    return [Token(row.id, row.label, row.created_at) for row in rows]


def by_token(session: Session, text: str) -> Account | None:
    """Find the account that a token opens."""
    found = session.scalar(select(TokenRow.account_id).where(TokenRow.hash == fast_hash(text)))
    return None if found is None else by_id(session, found)


def revoke_token(session: Session, account_id: int, token_id: int) -> bool:
    """Delete one token of an account; return False if it has no such token."""
    chosen = (TokenRow.id == token_id, TokenRow.account_id == account_id)
    return session.scalar(delete(TokenRow).where(*chosen).returning(TokenRow.id)) is not None


def start_session(session: Session, account_id: int) -> str:
    """Note that a browser has logged in; return its key. Sessions that have ended are forgotten."""
    session.execute(delete(AccountSessionRow).where(AccountSessionRow.ends_at <= now()))
    key = secrets.token_urlsafe(32)
    ends_at = now() + timedelta(seconds=SESSION_S)
    session.add(AccountSessionRow(hash=fast_hash(key), account_id=account_id, ends_at=ends_at))
    return key


def by_session(session: Session, key: str) -> Account | None:
    """Find the account that a browser has logged in to."""
    row = session.get(AccountSessionRow, fast_hash(key))
    return None if row is None or row.ends_at <= now() else by_id(session, row.account_id)


def end_session(session: Session, key: str) -> None:
    """Log one browser out."""
    session.execute(delete(AccountSessionRow).where(AccountSessionRow.hash == fast_hash(key)))


def end_sessions(session: Session, account_id: int, *, but: str | None = None) -> None:
    """Log all browsers of an account out, with the exception of one."""
    chosen = [AccountSessionRow.account_id == account_id]
    if but is not None:
        chosen.append(AccountSessionRow.hash != fast_hash(but))
    session.execute(delete(AccountSessionRow).where(*chosen))
