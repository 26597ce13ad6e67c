"""Accounts in transactions: signing up, bots, log-ins, deletion and export."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Select, delete, func, or_, select, update
from sqlalchemy import text as sql
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from railbird.errors import BadInput
from railbird.storage.database import now
from railbird.storage.lifetime import life_hands
from railbird.storage.nights import export_nights
from railbird.storage.opponents import forget_opponent, opponents
from railbird.storage.passwords import fast_hash, random_token
from railbird.storage.settings import (
    FLOOD,
    LONGEST_NAME,
    MOST_BOTS,
    MOST_TOKENS,
    NAME_KEPT,
    OFFENCES_KEPT,
    SESSION_S,
)
from railbird.storage.tables import (
    AccountRow,
    AccountSessionRow,
    BanRow,
    DrillAnswerRow,
    EntryRow,
    FormerNameRow,
    OffenceRow,
    PuzzleRow,
    RatingRow,
    RingSessionRow,
    TokenRow,
)
from railbird.storage.training import export_training

_NAME: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")
"""Names are ASCII: what looks alike at a table must be alike."""
NAME_ALLOWED: Final = (
    f"1 to {LONGEST_NAME} letters A-Z, digits, dots, hyphens and underscores, the first a letter or"
    " a digit"
)

_HOUSE: Final = "@"


class AccountKind(StrEnum):
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
    kind: AccountKind
    owner: str | None
    """Name of the person whose bot it is."""
    created_at: datetime


def checked_account_name(name: str) -> str:
    """Return a name that can be used. Raises `railbird.errors.BadInput`.

    >>> checked_account_name("Deep.Fold-2")
    'Deep.Fold-2'
    """
    if not _NAME.fullmatch(name):
        raise BadInput(f"a name of {name[:40]!r}; allowed: {NAME_ALLOWED}")
    return name


def create_account(
    session: Session,
    name: str,
    *,
    kind: AccountKind,
    password_hash: str | None = None,
    owner_id: int | None = None,
) -> Account:
    """Create an account; a player of the house may have any name.

    Raises `NameTaken`, `railbird.errors.BadInput` for a name that cannot be used, and `Forbidden`
    for an owner with too many bots.
    """
    key = _key(name, kind)
    if _is_taken(session, key):
        raise NameTaken(f"the name {name!r} is taken")
    if owner_id is not None:
        _lock(session, owner_id)
        own = select(func.count()).select_from(AccountRow).where(AccountRow.owner_id == owner_id)
        if (session.scalar(own) or 0) >= MOST_BOTS:
            raise Forbidden(f"{MOST_BOTS} bots already; allowed: {MOST_BOTS}, delete one first")
    row = AccountRow(
        id=_next_id(session),
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


def find_account(session: Session, name: str, *, house: bool = False) -> Account | None:
    """Find an account by name, whatever its case: of a person or a bot, or of the house."""
    key = f"{_HOUSE}{name}".lower() if house else name.lower()
    row = session.execute(_accounts().where(AccountRow.key == key)).first()
    return _account(row) if row else None


def of_player(session: Session, name: str, number: int, *, house: bool = False) -> Account | None:
    """Find the account of a player of a game: by its number, or by name where none is known.

    A journal of an older version has no numbers, and house players have none.
    """
    return by_id(session, number) if number else find_account(session, name, house=house)


def by_id(session: Session, account_id: int) -> Account | None:
    """Find an account by its number."""
    row = session.execute(_accounts().where(AccountRow.id == account_id)).first()
    return _account(row) if row else None


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
    """Give an account another name, which past results show as well; house players forget it.

    Raises `railbird.errors.BadInput` for a name that cannot be used or is taken.
    """
    checked_account_name(name)
    if _is_taken(session, name.lower(), account_id):
        raise NameTaken(f"the name {name!r} is taken")
    before = _one(session, AccountRow.id == account_id).name
    if before.lower() != name.lower():
        _keep_name(session, before, account_id)
    forget_opponent(session, before)  # house players know names
    session.execute(
        update(AccountRow).where(AccountRow.id == account_id).values(name=name, key=name.lower())
    )
    for table in (EntryRow, RingSessionRow):
        session.execute(update(table).where(table.account_id == account_id).values(name=name))
    return _one(session, AccountRow.id == account_id)


def delete_account(session: Session, account_id: int) -> None:
    """Delete an account and its bots, with everything but the results of others.

    Its entries in tournaments stay, since the others' results would make no sense without them,
    each account's under a name that tells nothing. Nobody gets its own names for `NAME_KEPT`.
    """
    doomed = or_(AccountRow.id == account_id, AccountRow.owner_id == account_id)
    names = select(AccountRow.id, AccountRow.name).where(doomed)
    # The names are kept before the rows are deleted, since a former name holds the number of its
    # account.
    for doomed_id, name in session.execute(names).all():
        forget_opponent(session, name)
        _keep_name(session, name, doomed_id)
        for table in (EntryRow, RingSessionRow):
            session.execute(
                update(table)
                .where(table.account_id == doomed_id)
                .values(name=nobody(), version="", account_id=None)
            )
    session.execute(delete(AccountRow).where(AccountRow.owner_id == account_id))
    session.execute(delete(AccountRow).where(AccountRow.id == account_id))


def _is_taken(session: Session, key: str, account_id: int | None = None) -> bool:
    """Whether an account has a name, or another one than ``account_id`` had it until lately."""
    has = select(AccountRow.id).where(AccountRow.key == key)
    had = select(FormerNameRow.account_id).where(
        FormerNameRow.hash == fast_hash(key), FormerNameRow.ended_at > now() - NAME_KEPT
    )
    # The account itself may have its own name again; anybody else's use of it, present or recent,
    # is taken.
    return {session.scalar(has), session.scalar(had)} - {None, account_id} != set()


def _keep_name(session: Session, name: str, account_id: int) -> None:
    """Let nobody else have a name for a while."""
    row = FormerNameRow(hash=fast_hash(name.lower()), account_id=account_id, ended_at=now())
    session.merge(row)


def _next_id(session: Session) -> int | None:
    """Return a number that no account has had; None where the database sees to that itself.

    SQLite gives the number of the newest account anew once that is deleted.
    """
    if session.get_bind().dialect.name != "sqlite":
        return None
    latest = (
        session.scalar(func.max(column)) for column in (AccountRow.id, FormerNameRow.account_id)
    )
    return 1 + max(number or 0 for number in latest)


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
    answers = session.scalars(
        select(DrillAnswerRow)
        .where(DrillAnswerRow.account_id == account_id)
        .order_by(DrillAnswerRow.id)
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
        "nights": export_nights(session, account_id),
        "lifetime": [asdict(hand) for hand in life_hands(session, account_id)],
        "drills": [
            {
                "kind": row.kind,
                "question": row.question,
                "answer": row.answer,
                "cost": row.cost,
                "error": row.error,
                "answered_at": row.answered_at.isoformat(),
            }
            for row in answers
        ],
        "training": export_training(session, account_id),
        "tokens": [
            {"id": token.id, "label": token.label, "created_at": token.created_at.isoformat()}
            for token in tokens
        ],
        "offences": [
            {"code": row.code, "detail": row.detail, "at": row.at.isoformat()} for row in offences
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
        "remembered": [
            {
                "by": opponent.scope.observer,
                "game": opponent.scope.game,
                "hands": opponent.hands,
                "sessions": opponent.sessions,
                "first_met_at": opponent.first_met_at.isoformat(),
                "last_met_at": opponent.last_met_at.isoformat(),
                "record": opponent.record,
            }
            for opponent in opponents(session, name=account.name)[0]
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
    bans = session.scalars(
        select(BanRow).where(or_(BanRow.account_id == account_id, BanRow.account_id == owner))
    )
    return next((_words(row) for row in bans if row.ends_at is None or row.ends_at > now()), None)


def banned_names(session: Session) -> dict[str, str]:
    """Return the accounts that may not log in now, the bots of banned owners included, and why."""
    own, of_owner = BanRow.account_id == AccountRow.id, BanRow.account_id == AccountRow.owner_id
    query = (
        select(AccountRow.name, BanRow)
        .join(BanRow, or_(own, of_owner))
        .where(or_(BanRow.ends_at.is_(None), BanRow.ends_at > now()))
    )
    return {name: _words(row) for name, row in session.execute(query)}


def _lock(session: Session, account_id: int) -> None:
    """Keep others from counting what an account has before this transaction has added to it.

    Of PostgreSQL's transactions each sees the count before; SQLite has one at a time.
    """
    session.execute(select(AccountRow.id).where(AccountRow.id == account_id).with_for_update())


def _words(row: BanRow) -> str:
    until = "" if row.ends_at is None else f" until {row.ends_at:%Y-%m-%d %H:%M} UTC"
    return f"banned{until}{f': {row.reason}' if row.reason else ''}"


def _key(name: str, kind: AccountKind) -> str:
    if kind is AccountKind.HOUSE:
        return f"{_HOUSE}{name}".lower()
    return checked_account_name(name).lower()


def _accounts() -> Select[Any]:
    owner = AccountRow.__table__.alias("owner")
    return select(AccountRow, owner.c.name).outerjoin(owner, owner.c.id == AccountRow.owner_id)


def _one(session: Session, condition: Any) -> Account:
    row = session.execute(_accounts().where(condition)).first()
    if row is None:
        raise BadInput("there is no such account")
    return _account(row)


def _account(row_and_owner: Any) -> Account:
    row, owner = row_and_owner
    return Account(
        id=row.id,
        name=row.name,
        kind=AccountKind(row.kind),
        owner=owner,
        created_at=row.created_at,
    )


# Tokens of programs and sessions of browsers in transactions.


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
    _lock(session, account_id)
    count = select(func.count()).select_from(TokenRow).where(TokenRow.account_id == account_id)
    if (session.scalar(count) or 0) >= MOST_TOKENS:
        raise Forbidden(f"{MOST_TOKENS} tokens already; allowed: {MOST_TOKENS}, revoke one first")
    text = random_token()
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
    account_id = session.scalar(select(TokenRow.account_id).where(TokenRow.hash == fast_hash(text)))
    return None if account_id is None else by_id(session, account_id)


def delete_token(session: Session, account_id: int, token_id: int) -> bool:
    """Delete one token of an account; return False if it has no such token."""
    chosen = (TokenRow.id == token_id, TokenRow.account_id == account_id)
    return session.scalar(delete(TokenRow).where(*chosen).returning(TokenRow.id)) is not None


def start_session(session: Session, account_id: int) -> str:
    """Note that a browser has logged in; return its key. Sessions that have ended are forgotten."""
    # Ended sessions are removed whenever one begins, so that the table needs no task of its own.
    session.execute(delete(AccountSessionRow).where(AccountSessionRow.ends_at <= now()))
    key = secrets.token_urlsafe(32)
    ends_at = now() + timedelta(seconds=SESSION_S)
    session.add(AccountSessionRow(hash=fast_hash(key), account_id=account_id, ends_at=ends_at))
    return key


def by_session(session: Session, key: str) -> Account | None:
    """Find the account that a browser has logged in to; a banned one is found no more."""
    row = session.get(AccountSessionRow, fast_hash(key))
    if row is None or row.ends_at <= now() or ban_of(session, row.account_id) is not None:
        return None
    return by_id(session, row.account_id)


def end_session(session: Session, key: str) -> None:
    """Log one browser out."""
    session.execute(delete(AccountSessionRow).where(AccountSessionRow.hash == fast_hash(key)))


def end_sessions(session: Session, account_id: int, *, but: str | None = None) -> None:
    """Log all browsers of an account out, with the exception of one."""
    chosen = [AccountSessionRow.account_id == account_id]
    if but is not None:
        chosen.append(AccountSessionRow.hash != fast_hash(but))
    session.execute(delete(AccountSessionRow).where(*chosen))


# What accounts did and should not have, in transactions.


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
    account = find_account(session, name)
    if account is None:
        return
    _lock(session, account.id)
    add_offence(session, account.id, FLOOD)
    # The count below must see the offence that was just added.
    session.flush()
    floods = count_offences(session, account.id, now() - within)[FLOOD]
    if floods >= most and ban_of(session, account.id) is None:
        ban(session, account.id, reason=f"{floods} floods", ends_at=now() + within)


# Guesses at passwords, of servers that share a PostgreSQL database: at SQLite there is but one.


_TAKE: Final = sql("""
    INSERT INTO guess AS kept (hash, full_at)
    VALUES (:hash, extract(epoch FROM clock_timestamp()) + :seconds)
    ON CONFLICT (hash) DO UPDATE
    SET full_at = greatest(kept.full_at, extract(epoch FROM clock_timestamp())) + :seconds
    WHERE kept.full_at <= extract(epoch FROM clock_timestamp()) + (:most - 1) * :seconds
    RETURNING hash
""")
_GIVE_BACK: Final = sql("UPDATE guess SET full_at = full_at - :seconds WHERE hash = :hash")
_FORGET: Final = sql("""
    DELETE FROM guess WHERE hash IN (
        SELECT hash FROM guess WHERE full_at <= extract(epoch FROM clock_timestamp())
        LIMIT 100 FOR UPDATE SKIP LOCKED
    )
""")


def take_guess(session: Session, key: str, *, most: float, seconds: float) -> bool:
    """Count a guess of ``most`` at once; False if there were as many, and none is counted.

    One comes back in ``seconds``, by the database's clock. Names whose guesses have all come back
    are forgotten.
    """
    session.execute(_FORGET)
    parameters = {"hash": fast_hash(key), "most": most, "seconds": seconds}
    return session.execute(_TAKE, parameters).first() is not None


def give_guess_back(session: Session, key: str, *, seconds: float) -> None:
    """Give a counted guess back."""
    session.execute(_GIVE_BACK, {"hash": fast_hash(key), "seconds": seconds})
