"""Results of tournaments and the ratings that they change, in one transaction each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from railbird.storage.account_tables import AccountRow
from railbird.storage.accounts.accounts import Kind, find, nobody, sign_up
from railbird.storage.base import now
from railbird.storage.result_tables import EntryRow, RatingRow, TournamentRow

_LOCK: Final = 0x72617465  # an arbitrary number that all our programs share


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A player's part in the result of a tournament."""

    name: str
    version: str = ""
    kind: Kind = Kind.BOT
    place: int | None = None
    prize: float = 0.0
    fee: float = 0.0
    hands: int = 0
    service: Mapping[str, Any] = field(default_factory=dict)
    """Latencies, actions that came too late, actions that were refused."""
    rating: LadderRating | None = None
    """Rating after the tournament; set by the storage."""

    @property
    def title(self) -> str:
        """Name, and a bot's version behind it."""
        return f"{self.name}/{self.version}" if self.version else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentResult:
    """How a tournament ended."""

    id: str
    ladder: str
    rated: bool
    started_at: datetime
    finished_at: datetime
    entries: Sequence[Entry]
    void_reason: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LadderRating:
    """A rating as the ladder's arithmetic has it."""

    mean: float
    deviation: float
    tournaments: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An account's place in a ladder."""

    name: str
    version: str
    kind: Kind
    rating: LadderRating
    rated_at: datetime

    @property
    def title(self) -> str:
        """Name, and a bot's version behind it."""
        return f"{self.name}/{self.version}" if self.version else self.name


Rate = Callable[[Sequence[LadderRating | None], Sequence[int]], Sequence[LadderRating]]
"""Ratings before a tournament (None for newcomers) and places, to the ratings after it."""


def record_result(session: Session, result: TournamentResult, rate: Rate) -> bool:
    """Store a result and what it does to the ratings; return False if it was stored before.

    A tournament that is void, not to be rated, or has a place unknown, or has fewer than two
    players whose accounts still exist, changes no rating.
    """
    if session.get_bind().dialect.name == "postgresql":  # SQLite's writers wait for each other
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    if session.get(TournamentRow, result.id) is not None:
        return False
    ids = [_account_id(session, entry) for entry in result.entries]
    after = _rated(session, result, ids, rate)
    session.add(
        TournamentRow(
            id=result.id,
            ladder=result.ladder,
            rated=bool(after),
            void_reason=result.void_reason,
            details=json.dumps(dict(result.details), sort_keys=True),
            started_at=result.started_at,
            finished_at=result.finished_at,
        )
    )
    session.flush()
    for seat, (entry, account_id) in enumerate(zip(result.entries, ids, strict=True)):
        rating = after.get(seat)
        session.add(
            EntryRow(
                tournament_id=result.id,
                seat=seat,
                account_id=account_id,
                name=entry.name if account_id is not None else nobody(),
                version=entry.version if account_id is not None else "",
                kind=str(entry.kind),
                place=entry.place,
                prize=entry.prize,
                fee=entry.fee,
                hands=entry.hands,
                service=json.dumps(dict(entry.service), sort_keys=True),
                mean_after=rating and rating.mean,
                deviation_after=rating and rating.deviation,
            )
        )
    return True


def results(
    session: Session, *, name: str | None = None, most: int = 100, after: int = 0
) -> list[TournamentResult]:
    """Return the latest results, of everybody or of one name, the newest first."""
    query = select(TournamentRow)
    if name is not None:
        entered = (
            select(EntryRow.tournament_id)
            .join(AccountRow, AccountRow.id == EntryRow.account_id)
            .where(AccountRow.key == name.lower())
        )
        query = query.where(TournamentRow.id.in_(entered))
    query = query.order_by(TournamentRow.finished_at.desc(), TournamentRow.id.desc())
    rows = session.scalars(query.limit(most).offset(after)).all()
    entries: dict[str, list[EntryRow]] = {row.id: [] for row in rows}
    for entry in session.scalars(
        select(EntryRow)
        .where(EntryRow.tournament_id.in_(entries))
        .order_by(EntryRow.tournament_id, EntryRow.place, EntryRow.seat)
    ):
        entries[entry.tournament_id].append(entry)
    return [_result(row, entries[row.id]) for row in rows]


def result_of(session: Session, tournament_id: str) -> TournamentResult | None:
    """Return one result."""
    row = session.get(TournamentRow, tournament_id)
    if row is None:
        return None
    entries = session.scalars(
        select(EntryRow)
        .where(EntryRow.tournament_id == tournament_id)
        .order_by(EntryRow.place, EntryRow.seat)
    )
    return _result(row, list(entries))


def standings(session: Session, *, ladder: str | None = None) -> dict[str, list[Standing]]:
    """Return the ladders, the highest mean first."""
    query = (
        select(RatingRow, AccountRow)
        .join(AccountRow, AccountRow.id == RatingRow.account_id)
        .order_by(RatingRow.ladder, RatingRow.mean.desc(), AccountRow.key, RatingRow.version)
    )
    if ladder is not None:
        query = query.where(RatingRow.ladder == ladder)
    ladders: dict[str, list[Standing]] = {}
    for rating, account in session.execute(query):
        ladders.setdefault(rating.ladder, []).append(
            Standing(
                name=account.name,
                version=rating.version,
                kind=Kind(account.kind),
                rating=LadderRating(rating.mean, rating.deviation, rating.tournaments),
                rated_at=rating.rated_at,
            )
        )
    return ladders


def finished_places(session: Session, ladder: str) -> list[list[tuple[str, int]]]:
    """Return players and places of every rated tournament of a ladder, the oldest first."""
    query = (
        select(EntryRow.tournament_id, EntryRow.name, EntryRow.version, EntryRow.place)
        .join(TournamentRow, TournamentRow.id == EntryRow.tournament_id)
        .where(TournamentRow.ladder == ladder, TournamentRow.rated.is_(True))
        .order_by(TournamentRow.finished_at, TournamentRow.id, EntryRow.seat)
    )
    found: dict[str, list[tuple[str, int]]] = {}
    for tournament, name, version, place in session.execute(query):
        if place is not None:
            title = f"{name}/{version}" if version else name
            found.setdefault(tournament, []).append((title, place))
    return list(found.values())


def count_results(session: Session) -> int:
    """Count the tournaments that are stored."""
    return session.scalar(select(func.count()).select_from(TournamentRow)) or 0


def _account_id(session: Session, entry: Entry) -> int | None:
    of_house = entry.kind is Kind.HOUSE
    found = find(session, entry.name, house=of_house)
    if found is None and of_house:
        found = sign_up(session, entry.name, kind=Kind.HOUSE)
    return None if found is None else found.id


def _rated(
    session: Session, result: TournamentResult, ids: Sequence[int | None], rate: Rate
) -> dict[int, LadderRating]:
    """Change the ratings; return those after the tournament by the number of the entry."""
    seats = [seat for seat, account_id in enumerate(ids) if account_id is not None]
    places = [result.entries[seat].place for seat in seats]
    if not result.rated or result.void_reason is not None or len(seats) < 2 or None in places:
        return {}
    keys = [(result.ladder, ids[seat], result.entries[seat].version) for seat in seats]
    rows = [session.get(RatingRow, key) for key in keys]
    before = [
        None if row is None else LadderRating(row.mean, row.deviation, row.tournaments)
        for row in rows
    ]
    after = rate(before, [place for place in places if place is not None])
    for (ladder, account_id, version), row, rating in zip(keys, rows, after, strict=True):
        kept = row or RatingRow(ladder=ladder, account_id=account_id, version=version)
        kept.mean, kept.deviation = rating.mean, rating.deviation
        kept.tournaments, kept.rated_at = rating.tournaments, now()
        session.add(kept)
    return dict(zip(seats, after, strict=True))


def _result(row: TournamentRow, entries: Sequence[EntryRow]) -> TournamentResult:
    return TournamentResult(
        id=row.id,
        ladder=row.ladder,
        rated=row.rated,
        void_reason=row.void_reason,
        details=json.loads(row.details),
        started_at=row.started_at,
        finished_at=row.finished_at,
        entries=[
            Entry(
                name=entry.name,
                version=entry.version,
                kind=Kind(entry.kind),
                place=entry.place,
                prize=entry.prize,
                fee=entry.fee,
                hands=entry.hands,
                service=json.loads(entry.service),
                rating=None
                if entry.mean_after is None or entry.deviation_after is None
                else LadderRating(entry.mean_after, entry.deviation_after),
            )
            for entry in entries
        ],
    )
