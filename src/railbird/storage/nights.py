"""Pages of nights among friends in transactions: kept for a while, until their owner deletes them.

Whoever has a page's link reads it; only its owner can delete it.
"""

from __future__ import annotations

import secrets
import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from railbird.storage.database import now
from railbird.storage.puzzles import Owner
from railbird.storage.tables import SharedNightRow

MOST_NIGHTS: Final = 50
"""Pages of one owner; the oldest make room."""
MOST_BYTES: Final = 1 << 29
"""Compressed bytes of all pages; the oldest make room."""
NIGHT_DAYS: Final = 365
"""Days after which a page is deleted."""
_LINK_BYTES: Final = 24
"""Random bytes of a link, which nobody tries out."""
_LONGEST_TITLE: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedNight:
    """What the list of an owner's pages says of one."""

    link: str
    title: str
    made_at: datetime


def share_night(session: Session, owner: Owner, title: str, page: str) -> str:
    """Keep a page, and return its link."""
    compressed = zlib.compress(page.encode())
    row = SharedNightRow(
        link=secrets.token_urlsafe(_LINK_BYTES),
        owner=owner.key,
        account_id=owner.account_id,
        title=title[:_LONGEST_TITLE],
        page=compressed,
        size=len(compressed),
    )
    session.add(row)
    session.flush()
    _delete_old(session, owner)
    return row.link


def night_page(session: Session, link: str) -> str | None:
    """Return the page of a link; None if there is none, or no more."""
    condition = SharedNightRow.link == link, SharedNightRow.made_at >= _oldest()
    page = session.scalar(select(SharedNightRow.page).where(*condition))
    return None if page is None else zlib.decompress(page).decode()


def nights_of(session: Session, owner: Owner) -> list[SharedNight]:
    """Return an owner's pages, the latest first."""
    columns = SharedNightRow.link, SharedNightRow.title, SharedNightRow.made_at
    condition = SharedNightRow.owner == owner.key, SharedNightRow.made_at >= _oldest()
    rows = session.execute(
        select(*columns).where(*condition).order_by(SharedNightRow.made_at.desc())
    )
    return [SharedNight(link=link, title=title, made_at=made) for link, title, made in rows]


def forget_night(session: Session, owner: Owner, link: str) -> bool:
    """Delete a page of an owner; return whether there was one."""
    condition = SharedNightRow.owner == owner.key, SharedNightRow.link == link
    deleted = session.execute(
        delete(SharedNightRow).where(*condition).returning(SharedNightRow.link)
    )
    return deleted.first() is not None


def export_nights(session: Session, account_id: int) -> list[dict[str, str]]:
    """Return an account's pages as they are."""
    rows = session.scalars(
        select(SharedNightRow)
        .where(SharedNightRow.account_id == account_id)
        .order_by(SharedNightRow.made_at, SharedNightRow.link)
    )
    return [
        {
            "link": row.link,
            "title": row.title,
            "made_at": row.made_at.isoformat(),
            "page": zlib.decompress(row.page).decode(),
        }
        for row in rows
    ]


def adopt_nights(session: Session, visitor: Owner, account: Owner) -> None:
    """Let an account have the pages of a browser."""
    values = {"owner": account.key, "account_id": account.account_id}
    theirs = SharedNightRow.owner == visitor.key
    session.execute(update(SharedNightRow).where(theirs).values(values))


def _oldest() -> datetime:
    return now() - timedelta(days=NIGHT_DAYS)


def _delete_old(session: Session, owner: Owner) -> None:
    """Delete pages after their time, and the oldest beyond what is kept."""
    latest = SharedNightRow.made_at.desc(), SharedNightRow.link
    session.execute(delete(SharedNightRow).where(SharedNightRow.made_at < _oldest()))
    newest = (
        select(SharedNightRow.link)
        .where(SharedNightRow.owner == owner.key)
        .order_by(*latest)
        .limit(MOST_NIGHTS)
    )
    session.execute(
        delete(SharedNightRow).where(
            SharedNightRow.owner == owner.key,
            SharedNightRow.link.not_in(newest.scalar_subquery()),
        )
    )
    total = int(session.scalar(select(func.sum(SharedNightRow.size))) or 0)
    while total > MOST_BYTES:
        oldest = select(SharedNightRow).order_by(SharedNightRow.made_at, SharedNightRow.link)
        row = session.scalars(oldest.limit(1)).one()
        total -= row.size
        session.delete(row)
        session.flush()
