"""Results of tournaments and ring games, and the ratings that they change, a transaction each."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, Select, func, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from railbird.storage.accounts import AccountKind, create_account, nobody, of_player
from railbird.storage.database import now
from railbird.storage.tables import (
    AccountRow,
    EntryRow,
    RatingPairRow,
    RatingRow,
    RingSessionRow,
    TournamentRow,
)

_LOCK: Final = 0x72617465  # an arbitrary number that all our programs share
_MOST_PAIRS: Final = 10_000
"""Pairs that are looked through for the operator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntry:
    """A player's part in the result of a tournament."""

    name: str
    version: str = ""
    kind: AccountKind = AccountKind.BOT
    place: int | None = None
    prize: float = 0.0
    fee: float = 0.0
    hands: int = 0
    owner: str = ""
    """The person whose bot it is; empty for all others."""
    account: int = field(default=0, compare=False)
    """Number of the account that it is stored for; 0 for house players, in journals of older
    versions, and in what was stored."""
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
    """Whether it is to be rated; entries have no rating where its players met too often."""
    started_at: datetime
    finished_at: datetime
    entries: Sequence[ResultEntry]
    void_reason: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        """Whether it has changed the ladder."""
        return self.rated and any(entry.rating is not None for entry in self.entries)


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
    kind: AccountKind
    rating: LadderRating
    rated_at: datetime

    @property
    def title(self) -> str:
        """Name, and a bot's version behind it."""
        return f"{self.name}/{self.version}" if self.version else self.name


Met = dict[tuple[str, str], float]
"""How often two owners have met, in the order of their keys; one twice for all of its meetings."""


class Rule(Protocol):
    """The ladder's arithmetic."""

    def rate(
        self,
        ratings: Sequence[LadderRating | None],
        places: Sequence[int],
        owners: Sequence[str],
        met: Met,
        established: Collection[str],
    ) -> tuple[Sequence[LadderRating] | None, Met]:
        """Return the ratings after a tournament, and how often the pairs of its field have met.

        Who is rated for the first time has no rating before, players of the house no owner. None is
        returned where the result is not to be rated.
        """

    def new_version(self, latest: LadderRating) -> LadderRating:
        """Return the rating from which a bot's new version goes on."""

    def faded(self, met: float, elapsed: timedelta) -> float:
        """Return the remaining weight of a number of meetings after a time."""

    def newly_established(
        self, owners: Collection[str], met: Met, established: Collection[str]
    ) -> set[str]:
        """Return those of a field's owners who are established by whom they have met."""

    def newcomers(self, owners: Collection[str], established: Collection[str]) -> set[str]:
        """Return the newcomers among owners."""

    def weight(self, met: float, first_met: float, second_met: float) -> float:
        """Return what the next result of two counts, given how often they and each have met."""

    def newcomer_weight(self, met_new: float, met_all: float) -> float:
        """Return what a result against a newcomer counts, given how often one has met any."""


def record_result(session: Session, result: TournamentResult, rule: Rule) -> bool:
    """Store a result and what it does to the ratings; return False if it was stored before.

    A tournament that is void, not to be rated, or has a place unknown, or has fewer than two
    players whose accounts still exist, changes no rating. Nor does one whose players have met too
    often, by the rule; its pairs have met again.
    """
    if session.get_bind().dialect.name == "postgresql":  # SQLite's writers wait for each other
        session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    if session.get(TournamentRow, result.id) is not None:
        return False
    ids = [_account_id(session, entry) for entry in result.entries]
    after = _rated(session, result, ids, rule)
    session.add(
        TournamentRow(
            id=result.id,
            ladder=result.ladder,
            rated=after is not None,
            void_reason=result.void_reason,
            details=json.dumps(dict(result.details), sort_keys=True),
            started_at=result.started_at,
            finished_at=result.finished_at,
        )
    )
    # Entries refer to the tournament, whose row must be there first.
    session.flush()
    for seat, (entry, account_id) in enumerate(zip(result.entries, ids, strict=True)):
        rating = None if after is None else after.get(seat)
        session.add(
            EntryRow(
                tournament_id=result.id,
                seat=seat,
                account_id=account_id,
                # Of an account that has been deleted since, nothing may be stored that names it.
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
    entries: dict[str, list[tuple[EntryRow, str | None]]] = {row.id: [] for row in rows}
    for entry, owner in session.execute(_entries(EntryRow.tournament_id.in_(entries))):
        entries[entry.tournament_id].append((entry, owner))
    return [_result(row, entries[row.id]) for row in rows]


def result_of(session: Session, tournament_id: str) -> TournamentResult | None:
    """Return the result of one tournament."""
    row = session.get(TournamentRow, tournament_id)
    if row is None:
        return None
    entries = session.execute(_entries(EntryRow.tournament_id == tournament_id))
    return _result(row, [(entry, owner) for entry, owner in entries])


def _entries(chosen: ColumnElement[bool]) -> Select[EntryRow, str]:
    """Select entries by tournament and place, each with the name of its account's owner."""
    account, owner = aliased(AccountRow), aliased(AccountRow)
    return (
        select(EntryRow, owner.name)
        .outerjoin(account, account.id == EntryRow.account_id)
        .outerjoin(owner, owner.id == account.owner_id)
        .where(chosen)
        .order_by(EntryRow.tournament_id, EntryRow.place, EntryRow.seat)
    )


def standings(session: Session, *, ladder: str | None = None) -> dict[str, list[Standing]]:
    """Return the ladders, the highest mean first: of each account the latest version."""
    query = (
        select(RatingRow, AccountRow)
        .join(AccountRow, AccountRow.id == RatingRow.account_id)
        .order_by(RatingRow.ladder, RatingRow.mean.desc(), AccountRow.key, RatingRow.version)
    )
    if ladder is not None:
        query = query.where(RatingRow.ladder == ladder)
    versions = [(rating, account) for rating, account in session.execute(query)]
    latest: dict[tuple[str, int], RatingRow] = {}
    for rating, account in versions:
        before = latest.setdefault((rating.ladder, account.id), rating)
        if rating.rated_at > before.rated_at:
            latest[rating.ladder, account.id] = rating
    ladders: dict[str, list[Standing]] = {}
    for rating, account in versions:
        if latest[rating.ladder, account.id] is not rating:
            continue
        ladders.setdefault(rating.ladder, []).append(
            Standing(
                name=account.name,
                version=rating.version,
                kind=AccountKind(account.kind),
                rating=LadderRating(rating.mean, rating.deviation, rating.tournaments),
                rated_at=rating.rated_at,
            )
        )
    return ladders


def finished_places(session: Session, ladder: str) -> list[list[tuple[str, int]]]:
    """Return players and places of every tournament that changed a ladder, the oldest first."""
    query = (
        select(EntryRow.tournament_id, EntryRow.name, EntryRow.version, EntryRow.place)
        .join(TournamentRow, TournamentRow.id == EntryRow.tournament_id)
        .where(
            TournamentRow.ladder == ladder,
            TournamentRow.rated.is_(True),
            EntryRow.mean_after.is_not(None),  # where players met too often, or have no account
        )
        .order_by(TournamentRow.finished_at, TournamentRow.id, EntryRow.seat)
    )
    placings: dict[str, list[tuple[str, int]]] = {}
    for tournament, name, version, place in session.execute(query):
        if place is not None:
            title = f"{name}/{version}" if version else name
            placings.setdefault(tournament, []).append((title, place))
    return list(placings.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Meetings:
    """Two owners whose next result counts less, or not at all.

    They meet each other too often, or one is a newcomer and the other meets newcomers too often.
    """

    ladder: str
    owners: tuple[str, str]
    tournaments: int
    ahead: tuple[int, int]
    """Number of tournaments in which each of them finished ahead of the other."""
    share: tuple[float, float]
    """Part of the rated play of each, the older the less, that was with the other."""
    weight: float
    """What their next result counts, from 0 to 1."""


def frequent_pairs(
    session: Session, rule: Rule, *, at: datetime | None = None, most: int = 100
) -> list[Meetings]:
    """Return the pairs whose next result counts less, now or ``at`` a time, the least first.

    A result of a newcomer counts for the opponent for whom it counts less.
    """
    at = at or now()
    first_owner, second_owner = aliased(AccountRow), aliased(AccountRow)
    # The row of an owner with itself counts all meetings of that owner on a ladder.
    alone = {
        (row.ladder, row.one_id): row
        for row in session.scalars(
            select(RatingPairRow).where(RatingPairRow.one_id == RatingPairRow.other_id)
        )
    }
    new = {
        (ladder, int(owner))
        for ladder in {ladder for ladder, _ in alone}
        for owner in rule.newcomers(
            [_name(owner) for of_ladder, owner in alone if of_ladder == ladder],
            {_name(key[1]) for key, row in alone.items() if key[0] == ladder and row.established},
        )
    }
    first, second = aliased(RatingPairRow), aliased(RatingPairRow)
    query = select(RatingPairRow, first_owner.name, second_owner.name)
    for account, own, owner_id in (
        (first_owner, first, RatingPairRow.one_id),
        (second_owner, second, RatingPairRow.other_id),
    ):
        query = query.join(account, account.id == owner_id).join(
            own,
            (own.ladder == RatingPairRow.ladder)
            & (own.one_id == owner_id)
            & (own.other_id == owner_id),
        )
    query = (
        query.where(RatingPairRow.one_id != RatingPairRow.other_id)
        .order_by(
            first.established & second.established,  # newcomers' pairs first
            RatingPairRow.tournaments.desc(),
            RatingPairRow.ladder,
            RatingPairRow.one_id,
        )
        .limit(_MOST_PAIRS)
    )
    rows = [
        (row, rule.faded(row.met, at - row.met_at), names) for row, *names in session.execute(query)
    ]
    # All newcomers count as one opponent, so their meetings are added up before a pair is judged.
    met_new: defaultdict[tuple[str, int], float] = defaultdict(float)
    for row, met, _ in rows:
        keys = [(row.ladder, owner) for owner in (row.one_id, row.other_id)]
        for key, opponent in zip(keys, keys[::-1], strict=True):
            if opponent in new:
                met_new[key] += met
    frequent = []
    for row, met, names in rows:
        keys = [(row.ladder, owner) for owner in (row.one_id, row.other_id)]
        all_met = [rule.faded(alone[key].met, at - alone[key].met_at) for key in keys]
        weight = rule.weight(met, all_met[0], all_met[1])
        for key, opponent, count in zip(keys, keys[::-1], all_met, strict=True):
            if opponent in new and met_new[key] > met:
                weight = min(weight, rule.newcomer_weight(met_new[key], count))
        if weight < 1:
            meetings = Meetings(
                ladder=row.ladder,
                owners=(names[0], names[1]),
                tournaments=row.tournaments,
                ahead=(row.ahead, row.behind),
                share=(met / all_met[0], met / all_met[1]),
                weight=weight,
            )
            frequent.append(meetings)
    frequent.sort(key=lambda meetings: meetings.weight)
    return frequent[:most]


def _account_id(session: Session, entry: ResultEntry) -> int | None:
    of_house = entry.kind is AccountKind.HOUSE
    account = of_player(session, entry.name, entry.account, house=of_house)
    if account is None and of_house:
        account = create_account(session, entry.name, kind=AccountKind.HOUSE)
    return None if account is None else account.id


def _rated(
    session: Session, result: TournamentResult, ids: Sequence[int | None], rule: Rule
) -> dict[int, LadderRating] | None:
    """Change the ratings; return those after the tournament by the number of the entry.

    There are none where its players have met too often, and None if it is not to be rated anyway.
    """
    known = [(seat, account_id) for seat, account_id in enumerate(ids) if account_id is not None]
    entries = [result.entries[seat] for seat, _ in known]
    places = [entry.place for entry in entries if entry.place is not None]
    if not result.rated or result.void_reason is not None or not 2 <= len(known) == len(places):
        return None
    versions = [
        _version(session, result.ladder, account_id, entry.version, rule)
        for (_, account_id), entry in zip(known, entries, strict=True)
    ]
    owners = [_owner_id(session, account_id) for _, account_id in known]
    ids_of_owners = {owner for owner in owners if owner is not None}
    pairs = _pairs(session, result.ladder, ids_of_owners)
    established = {_name(owner) for (owner, _), row in pairs.items() if row.established}
    # Most fields have no newcomer, and then the pairs of the field itself are enough. Only
    # otherwise the whole ladder is read.
    if len(established) < len(ids_of_owners):
        pairs = _pairs(session, result.ladder, ids_of_owners, with_all=True)
        established = _established(session, result.ladder)
    met = {
        _names(pair): rule.faded(row.met, result.finished_at - row.met_at)
        for pair, row in pairs.items()
    }
    before = [rating for _, rating in versions]
    names = ["" if owner is None else _name(owner) for owner in owners]
    after, now_met = rule.rate(before, places, names, met, established)
    for (first, second), count in now_met.items():
        pair = (int(first), int(second))
        row = pairs.setdefault(pair, _new_pair(result, pair))
        # A long tournament may be stored after later ones; the time must not run back, or meetings
        # would fade twice.
        row.met, row.met_at = count, max(row.met_at, result.finished_at)
        row.tournaments += 1
        first_place, second_place = _best_places(pair, owners, places)
        row.ahead += first_place < second_place
        row.behind += first_place > second_place
        session.add(row)
    for name in rule.newly_established(names, met | now_met, established):
        pairs[int(name), int(name)].established = True
    if after is None:
        return {}
    for (rating_row, _), rating in zip(versions, after, strict=True):
        rating_row.mean, rating_row.deviation = rating.mean, rating.deviation
        rating_row.tournaments, rating_row.rated_at = rating.tournaments, now()
        session.add(rating_row)
    return {seat: rating for (seat, _), rating in zip(known, after, strict=True)}


def _version(
    session: Session, ladder: str, account_id: int, version: str, rule: Rule
) -> tuple[RatingRow, LadderRating | None]:
    """Return the row of a version and its rating; any but the latest goes on from the latest."""
    query = select(RatingRow).where(RatingRow.ladder == ladder, RatingRow.account_id == account_id)
    latest = session.scalars(query.order_by(RatingRow.rated_at.desc()).limit(1)).first()
    if latest is None:
        return RatingRow(ladder=ladder, account_id=account_id, version=version), None
    known = LadderRating(latest.mean, latest.deviation, latest.tournaments)
    if latest.version == version:
        return latest, known
    # A version that played before goes on from the account's latest rating as well, or an owner
    # could choose the version with the best one.
    own = session.get(RatingRow, (ladder, account_id, version))
    row = own or RatingRow(ladder=ladder, account_id=account_id, version=version)
    return row, replace(rule.new_version(known), tournaments=0 if own is None else own.tournaments)


def _owner_id(session: Session, account_id: int) -> int | None:
    """Return the owner that gains if an account does; None for a player of the house."""
    row = session.get_one(AccountRow, account_id)
    return None if row.kind == AccountKind.HOUSE else row.owner_id or row.id


_Pair = tuple[int, int]


def _pairs(
    session: Session, ladder: str, owners: Collection[int], *, with_all: bool = False
) -> dict[_Pair, RatingPairRow]:
    """Return the pairs of owners, those with all others included if ``with_all``."""
    of_first, of_second = RatingPairRow.one_id.in_(owners), RatingPairRow.other_id.in_(owners)
    query = select(RatingPairRow).where(
        RatingPairRow.ladder == ladder, of_first | of_second if with_all else of_first & of_second
    )
    return {(row.one_id, row.other_id): row for row in session.scalars(query)}


def _established(session: Session, ladder: str) -> set[str]:
    query = select(RatingPairRow.one_id).where(
        RatingPairRow.ladder == ladder, RatingPairRow.established
    )
    return set(map(_name, session.scalars(query)))


def _new_pair(result: TournamentResult, pair: _Pair) -> RatingPairRow:
    first, second = pair
    return RatingPairRow(
        ladder=result.ladder,
        one_id=first,
        other_id=second,
        met=0.0,
        met_at=result.finished_at,
        tournaments=0,
        ahead=0,
        behind=0,
        established=False,
    )


def _best_places(
    pair: _Pair, owners: Sequence[int | None], places: Sequence[int]
) -> tuple[int, ...]:
    """Return the best place of each of two owners."""
    return tuple(
        min(
            place
            for owner_at_place, place in zip(owners, places, strict=True)
            if owner_at_place == owner
        )
        for owner in pair
    )


def _name(owner: int) -> str:
    return f"{owner:010}"  # so that their order as texts is that of the numbers


def _names(pair: _Pair) -> tuple[str, str]:
    return _name(pair[0]), _name(pair[1])


def _result(row: TournamentRow, entries: Sequence[tuple[EntryRow, str | None]]) -> TournamentResult:
    return TournamentResult(
        id=row.id,
        ladder=row.ladder,
        rated=row.rated,
        void_reason=row.void_reason,
        details=json.loads(row.details),
        started_at=row.started_at,
        finished_at=row.finished_at,
        entries=[
            ResultEntry(
                name=entry.name,
                version=entry.version,
                kind=AccountKind(entry.kind),
                place=entry.place,
                prize=entry.prize,
                fee=entry.fee,
                hands=entry.hands,
                owner=owner or "",
                service=json.loads(entry.service),
                rating=None
                if entry.mean_after is None or entry.deviation_after is None
                else LadderRating(entry.mean_after, entry.deviation_after),
            )
            for entry, owner in entries
        ],
    )


# Sessions at ring tables, and what an account won there.


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """A player's session at a ring table."""

    id: str
    game: str
    name: str
    started_at: datetime
    finished_at: datetime
    hands: int
    won: int
    """Chips, net of all buy-ins."""
    rake: int
    big_blind: int
    account: int = 0
    """Number of the account; 0 where a journal of an older version does not have it."""
    version: str = ""
    service: Mapping[str, Any] = field(default_factory=dict)


def record_ring_session(session: Session, played: StoredSession) -> bool:
    """Store a session; return False if it was stored before."""
    if session.get(RingSessionRow, played.id) is not None:
        return False
    account = of_player(session, played.name, played.account)
    row = RingSessionRow(
        id=played.id,
        game=played.game,
        account_id=None if account is None else account.id,
        name=nobody() if account is None else account.name,
        version="" if account is None else played.version,
        started_at=played.started_at,
        finished_at=played.finished_at,
        hands=played.hands,
        won=played.won,
        rake=played.rake,
        big_blind=played.big_blind,
        service=json.dumps(dict(played.service), sort_keys=True),
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:  # PostgreSQL, where another has stored it in the same moment
        return False
    return True


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session at a ring table that an account has ended."""

    id: str
    game: str
    hands: int
    won: int
    """Chips, net of all buy-ins."""
    big_blind: int


def ring_sessions_of(session: Session, account_id: int) -> list[EndedSession]:
    """Return an account's sessions at ring tables, the oldest first."""
    query = (
        select(RingSessionRow)
        .where(RingSessionRow.account_id == account_id)
        .order_by(RingSessionRow.started_at, RingSessionRow.id)
    )
    return [
        EndedSession(row.id, row.game, row.hands, row.won, row.big_blind)
        for row in session.scalars(query)
    ]


def won_by_game(session: Session, name: str) -> dict[str, int]:
    """Return an account's net chips by ring game."""
    query = (
        select(RingSessionRow.game, func.sum(RingSessionRow.won))
        .join(AccountRow, AccountRow.id == RingSessionRow.account_id)
        .where(AccountRow.key == name.lower())
        .group_by(RingSessionRow.game)
    )
    return {game: int(won) for game, won in session.execute(query)}
