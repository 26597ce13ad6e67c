"""Accounts in transactions: signing up, bots, log-ins, deletion and export."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Select, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from railbird.errors import BadInput
from railbird.storage.account_tables import AccountRow, BanRow, OffenceRow, TokenRow
from railbird.storage.base import now
from railbird.storage.puzzle_tables import PuzzleRow
from railbird.storage.result_tables import EntryRow, RatingRow, RingSessionRow
from railbird.storage.settings import LONGEST_NAME, MOST_BOTS

_NAME: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")
"""Names are ASCII: what looks alike at a table must be alike."""
_NAME_ALLOWED: Final = (
    f"1 to {LONGEST_NAME} letters A-Z, digits, dots, hyphens and underscores, the first a letter or"
    " a digit"
)

_HOUSE: Final = "@"


class Kind(StrEnum):
    """What plays under an account."""

    PERSON = "person"
    BOT = "bot"
    HOUSE = "house"


class Forbidden(BadInput):
    """Something that this account may not do."""


class NameTaken(BadInput):
    """A name that somebody has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account as others may know it."""

    id: int
    name: str
    kind: Kind
    owner: str | None
    """Name of the person whose bot it is."""
    created_at: datetime


def checked_name(name: str) -> str:
    """Return a name that can be used. Raises `railbird.errors.BadInput`.

    >>> checked_name("Deep.Fold-2")
    'Deep.Fold-2'
    """
    if not _NAME.fullmatch(name):
        raise BadInput(f"a name of {name[:40]!r}; allowed: {_NAME_ALLOWED}")
    return name


def sign_up(
    session: Session,
    name: str,
    *,
    kind: Kind,
    password_hash: str | None = None,
    owner_id: int | None = None,
) -> Account:
    """Create an account; a player of the house may have any name.

    Raises `NameTaken`, `railbird.errors.BadInput` for a name that cannot be used, and `Forbidden`
    for an owner with too many bots.
    """
    key = _key(name, kind)
    if session.scalar(select(AccountRow.id).where(AccountRow.key == key)) is not None:
        raise NameTaken(f"the name {name!r} is taken")
    if owner_id is not None:
        own = select(func.count()).select_from(AccountRow).where(AccountRow.owner_id == owner_id)
        if (session.scalar(own) or 0) >= MOST_BOTS:
            raise Forbidden(f"{MOST_BOTS} bots already; allowed: {MOST_BOTS}, delete one first")
    row = AccountRow(
        name=name,
        key=key,
        kind=str(kind),
        owner_id=owner_id,
        password_hash=password_hash,
    )
    session.add(row)
    try:
        session.flush()
    except IntegrityError:  # PostgreSQL, where another has taken it in the same moment
        raise NameTaken(f"the name {name!r} is taken") from None
    return _one(session, AccountRow.id == row.id)


def find(session: Session, name: str, *, house: bool = False) -> Account | None:
    """Find an account by name, whatever its case: of a person or a bot, or of the house."""
    key = f"{_HOUSE}{name}".lower() if house else name.lower()
    found = session.execute(_accounts().where(AccountRow.key == key)).first()
    return _account(found) if found else None


def by_id(session: Session, account_id: int) -> Account | None:
    """Find an account by its number."""
    found = session.execute(_accounts().where(AccountRow.id == account_id)).first()
    return _account(found) if found else None


def bots_of(session: Session, owner_id: int) -> list[Account]:
    """Return a person's bots by name."""
    query = _accounts().where(AccountRow.owner_id == owner_id)
    return [_account(row) for row in session.execute(query.order_by(AccountRow.key))]


def password_hash(session: Session, account_id: int) -> str | None:
    """Return the hash of an account's password."""
    return session.scalar(select(AccountRow.password_hash).where(AccountRow.id == account_id))


def set_password_hash(session: Session, account_id: int, new: str) -> None:
    """Replace the hash of an account's password."""
    session.execute(update(AccountRow).where(AccountRow.id == account_id).values(password_hash=new))


def rename(session: Session, account_id: int, name: str) -> Account:
    """Give an account another name, which past results show as well.

    Raises `railbird.errors.BadInput` for a name that cannot be used or is taken.
    """
    checked_name(name)
    other = session.scalar(
        select(AccountRow.id).where(AccountRow.key == name.lower(), AccountRow.id != account_id)
    )
    if other is not None:
        raise NameTaken(f"the name {name!r} is taken")
    session.execute(
        update(AccountRow).where(AccountRow.id == account_id).values(name=name, key=name.lower())
    )
    for table in (EntryRow, RingSessionRow):
        session.execute(update(table).where(table.account_id == account_id).values(name=name))
    return _one(session, AccountRow.id == account_id)


def delete_account(session: Session, account_id: int) -> None:
    """Delete an account and its bots, with everything but the results of others.

    Its entries in tournaments stay, since the others' results would make no sense without them,
    each account's under a name that tells nothing.
    """
    doomed = or_(AccountRow.id == account_id, AccountRow.owner_id == account_id)
    for (doomed_id,) in session.execute(select(AccountRow.id).where(doomed)).all():
        for table in (EntryRow, RingSessionRow):
            session.execute(
                update(table)
                .where(table.account_id == doomed_id)
                .values(name=nobody(), version="", account_id=None)
            )
    session.execute(delete(AccountRow).where(AccountRow.owner_id == account_id))
    session.execute(delete(AccountRow).where(AccountRow.id == account_id))


def nobody() -> str:
    """Return a name for the entries of an account that no longer exists."""
    return f"deleted-{secrets.token_hex(6)}"


def export_account(session: Session, account_id: int) -> dict[str, Any]:
    """Return everything that is stored of an account and its bots but hashes, as JSON objects."""
    account = _one(session, AccountRow.id == account_id)
    tokens = session.scalars(
        select(TokenRow).where(TokenRow.account_id == account_id).order_by(TokenRow.id)
    )
    offences = session.scalars(
        select(OffenceRow).where(OffenceRow.account_id == account_id).order_by(OffenceRow.id)
    )
    entries = session.scalars(
        select(EntryRow)
        .where(EntryRow.account_id == account_id)
        .order_by(EntryRow.tournament_id, EntryRow.seat)
    )
    ratings = session.scalars(
        select(RatingRow).where(RatingRow.account_id == account_id).order_by(RatingRow.ladder)
    )
    ring_sessions = session.scalars(
        select(RingSessionRow)
        .where(RingSessionRow.account_id == account_id)
        .order_by(RingSessionRow.started_at, RingSessionRow.id)
    )
    puzzles = session.scalars(
        select(PuzzleRow).where(PuzzleRow.account_id == account_id).order_by(PuzzleRow.id)
    )
    ban = session.get(BanRow, account_id)
    return {
        "name": account.name,
        "kind": str(account.kind),
        "owner": account.owner,
        "created_at": account.created_at.isoformat(),
        "puzzles": [
            {
                "puzzle": json.loads(row.puzzle),
                "taken_at": row.taken_at.isoformat(),
                "asked": row.asked,
                "right": row.right,
            }
            for row in puzzles
        ],
        "tokens": [
            {"id": token.id, "label": token.label, "created_at": token.created_at.isoformat()}
            for token in tokens
        ],
        "offences": [
            {"code": each.code, "detail": each.detail, "at": each.at.isoformat()}
            for each in offences
        ],
        "ban": ban and {"reason": ban.reason, "ends_at": ban.ends_at and ban.ends_at.isoformat()},
        "tournaments": [
            {
                "tournament": entry.tournament_id,
                "version": entry.version,
                "place": entry.place,
                "prize": entry.prize,
                "fee": entry.fee,
                "hands": entry.hands,
            }
            for entry in entries
        ],
        "ring_sessions": [
            {
                "session": played.id,
                "game": played.game,
                "version": played.version,
                "started_at": played.started_at.isoformat(),
                "finished_at": played.finished_at.isoformat(),
                "hands": played.hands,
                "won": played.won,
            }
            for played in ring_sessions
        ],
        "ratings": [
            {
                "ladder": rating.ladder,
                "version": rating.version,
                "mean": rating.mean,
                "deviation": rating.deviation,
                "tournaments": rating.tournaments,
            }
            for rating in ratings
        ],
        "bots": [export_account(session, bot.id) for bot in bots_of(session, account_id)],
    }


def ban(session: Session, account_id: int, *, reason: str, ends_at: datetime | None = None) -> None:
    """Keep an account, and with it its bots, from logging in."""
    session.merge(BanRow(account_id=account_id, reason=reason, banned_at=now(), ends_at=ends_at))


def unban(session: Session, account_id: int) -> None:
    """Let an account log in again."""
    session.execute(delete(BanRow).where(BanRow.account_id == account_id))


def ban_of(session: Session, account_id: int) -> str | None:
    """Return why an account, or its owner, may not log in now; None if it may."""
    owner = select(AccountRow.owner_id).where(AccountRow.id == account_id).scalar_subquery()
    found = session.scalars(
        select(BanRow).where(or_(BanRow.account_id == account_id, BanRow.account_id == owner))
    )
    for row in found:
        if row.ends_at is None or row.ends_at > now():
            until = "" if row.ends_at is None else f" until {row.ends_at:%Y-%m-%d %H:%M} UTC"
            return f"banned{until}{f': {row.reason}' if row.reason else ''}"
    return None


def _key(name: str, kind: Kind) -> str:
    if kind is Kind.HOUSE:
        return f"{_HOUSE}{name}".lower()
    return checked_name(name).lower()


def _accounts() -> Select[Any]:
    owner = AccountRow.__table__.alias("owner")
    return select(AccountRow, owner.c.name).outerjoin(owner, owner.c.id == AccountRow.owner_id)


def _one(session: Session, condition: Any) -> Account:
    found = session.execute(_accounts().where(condition)).first()
    if found is None:
        raise BadInput("there is no such account")
    return _account(found)


def _account(found: Any) -> Account:
    row, owner = found
    return Account(
        id=row.id,
        name=row.name,
        kind=Kind(row.kind),
        owner=owner,
        created_at=row.created_at,
    )
