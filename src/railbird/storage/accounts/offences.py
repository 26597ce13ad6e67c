"""What accounts did and should not have, in transactions."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from railbird.storage.account_tables import OffenceRow
from railbird.storage.accounts.accounts import ban, ban_of, find
from railbird.storage.base import now
from railbird.storage.settings import FLOOD, OFFENCES_KEPT


def add_offence(session: Session, account_id: int, code: str, detail: str = "") -> None:
    """Note that an account did something that it should not have; old ones are forgotten."""
    chosen = (OffenceRow.account_id == account_id, OffenceRow.at < now() - OFFENCES_KEPT)
    session.execute(delete(OffenceRow).where(*chosen))
    session.add(OffenceRow(account_id=account_id, code=code[:32], detail=detail[:200]))


def count_offences(session: Session, account_id: int, since: datetime) -> dict[str, int]:
    """Count an account's offences since a time, by code."""
    query = (
        select(OffenceRow.code, func.count())
        .where(OffenceRow.account_id == account_id, OffenceRow.at >= since)
        .group_by(OffenceRow.code)
        .order_by(OffenceRow.code)
    )
    counts: dict[str, int] = {}
    for code, count in session.execute(query):
        counts[code] = count
    return counts


def note_flood(session: Session, name: str, *, most: int, within: timedelta) -> None:
    """Note that an account has flooded; after ``most`` floods within a time it is banned for it."""
    account = find(session, name)
    if account is None:
        return
    add_offence(session, account.id, FLOOD)
    session.flush()
    floods = count_offences(session, account.id, now() - within)[FLOOD]
    if floods >= most and ban_of(session, account.id) is None:
        ban(session, account.id, reason=f"{floods} floods", ends_at=now() + within)
