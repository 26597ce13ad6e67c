"""Results of the house, stored in the database, and the ratings from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from railbird.errors import NothingUsable, RailbirdError
from railbird.hosting.house_game import is_over, play_of
from railbird.hosting.interfaces import (
    Finish,
    Latency,
    Offence,
    Outcome,
    SessionOutcome,
    TournamentOutcome,
    Unavailable,
)
from railbird.hosting.journal import SUFFIX, Opened, read_journal
from railbird.hosting.tournament_play import TournamentPlay
from railbird.storage.accounts import AccountKind
from railbird.storage.directory import Directory
from railbird.storage.passwords import Busy
from railbird.storage.results import (
    LadderRating,
    Met,
    ResultEntry,
    Standing,
    StoredSession,
    TournamentResult,
    record_result,
    record_ring_session,
    won_by_game,
)
from railbird.tournament.ratings import (
    Rating,
    faded,
    new_version,
    newcomer_weight,
    newcomers,
    newly_established,
    pair_weight,
    rated_pairwise,
)


class StoredResults:
    """Stores the house's results, each once however often it is reported.

    ``server`` names the folder of journals, whose numbers other servers have as well.
    """

    def __init__(self, directory: Directory, server: str) -> None:
        self._directory = directory
        self._server = server

    async def record(self, outcome: Outcome) -> None:
        """Keep an outcome. Raises `railbird.hosting.interfaces.Unavailable`."""
        try:
            match outcome:
                case TournamentOutcome():
                    result = tournament_result(outcome, self._server)
                    await self._directory.write(record_result, result, LADDER)
                case SessionOutcome():
                    played = ring_session(outcome, self._server)
                    await self._directory.write(record_ring_session, played)
        except Busy as problem:
            raise Unavailable(str(problem)) from None

    async def won(self, name: str) -> Mapping[str, int]:
        """Return an account's net chips by ring game. Raises `Unavailable`."""
        try:
            return await self._directory.read(won_by_game, name)
        except Busy as problem:
            raise Unavailable(str(problem)) from None


class Ladder:
    """The ladder's arithmetic for the storage, which knows nothing of it."""

    def rate(
        self,
        ratings: Sequence[LadderRating | None],
        places: Sequence[int],
        owners: Sequence[str],
        met: Met,
        established: Collection[str],
    ) -> tuple[list[LadderRating] | None, Met]:
        """Return ratings after a tournament, and meetings; see `rated_pairwise`."""
        known = [None if rating is None else _rating(rating) for rating in ratings]
        after, now_met = rated_pairwise(known, places, owners, met, established)
        return None if after is None else list(map(_stored, after)), now_met

    def new_version(self, latest: LadderRating) -> LadderRating:
        """Return the rating from which a bot's new version goes on."""
        return _stored(new_version(_rating(latest)))

    def faded(self, met: float, elapsed: timedelta) -> float:
        """Return a number of meetings, faded after a time."""
        return faded(met, elapsed)

    def newly_established(
        self, owners: Collection[str], met: Met, established: Collection[str]
    ) -> set[str]:
        """Return those of a field's owners who are established by whom they have met."""
        return newly_established(owners, met, established)

    def newcomers(self, owners: Collection[str], established: Collection[str]) -> set[str]:
        """Return the newcomers among owners."""
        return newcomers(owners, established)

    def weight(self, met: float, first_met: float, second_met: float) -> float:
        """Return what the next result of two counts."""
        return pair_weight(
            {("a", "b"): met, ("a", "a"): first_met, ("b", "b"): second_met}, "a", "b"
        )

    def newcomer_weight(self, met_new: float, met_all: float) -> float:
        """Return what an owner's next result against a newcomer counts."""
        return newcomer_weight(met_new, met_all)


LADDER: Final = Ladder()


def _rating(stored_rating: LadderRating) -> Rating:
    return Rating(stored_rating.mean, stored_rating.deviation, stored_rating.tournaments)


def _stored(rating: Rating) -> LadderRating:
    return LadderRating(rating.mean, rating.deviation, rating.tournaments)


def tournament_result(outcome: TournamentOutcome, server: str) -> TournamentResult:
    """Return a tournament as it is stored, with the server's name before its own."""
    return TournamentResult(
        id=f"{server}.{outcome.tournament}",
        ladder=outcome.queue,
        rated=outcome.rated,
        void_reason="void" if outcome.void else None,
        started_at=outcome.began,
        finished_at=outcome.ended,
        entries=[_entry(outcome, finish) for finish in outcome.finishes],
        details={
            "hands": outcome.hands,
            "fee": outcome.fee,
            "commitment": outcome.commitment,
            "seed": outcome.seed,
            "journal": outcome.journal,
        },
    )


def ring_session(outcome: SessionOutcome, server: str) -> StoredSession:
    """Return a session at a ring table as it is stored."""
    return StoredSession(
        id=f"{server}.{outcome.session}",
        game=outcome.game,
        name=outcome.player.name,
        account=outcome.player.account,
        version=outcome.player.version,
        started_at=outcome.began,
        finished_at=outcome.ended,
        hands=outcome.hands,
        won=outcome.won,
        rake=outcome.rake,
        big_blind=outcome.big_blind,
        service=_service(outcome.latency, outcome.offences),
    )


def _entry(outcome: TournamentOutcome, finish: Finish) -> ResultEntry:
    return ResultEntry(
        name=finish.player.name,
        account=finish.player.account,
        version=finish.player.version,
        kind=AccountKind(finish.player.kind.value),
        place=None if outcome.void else finish.place,
        prize=float(finish.prize),
        fee=0.0 if outcome.void else float(outcome.fee),
        hands=outcome.hands,
        owner=finish.player.owner,
        service=_service(finish.latency, finish.offences),
    )


def _service(latency: Latency, offences: Mapping[Offence, int]) -> dict[str, Any]:
    times = {f"{name}_ms": value for name, value in asdict(latency).items() if name != "decisions"}
    return {
        "decisions": latency.decisions,
        **times,
        **{str(offence): count for offence, count in offences.items()},
    }


# Results and ratings from journals alone, without a database.


_SERVER_FILE = "server"


def journal_results(source: Path) -> tuple[list[TournamentResult], list[str]]:
    """Read the finished tournaments of a journal, or of a server's folder, the newest first.

    Ratings are computed again, in the order in which the tournaments ended. A line is returned for
    each journal that cannot be read. Raises `railbird.errors.NothingUsable` if no tournament is
    over.
    """
    is_folder = source.is_dir()
    folder = source if is_folder else source.parent
    paths = [*folder.glob(f"*{SUFFIX}"), *folder.glob(f"done/*{SUFFIX}")] if is_folder else [source]
    server = _server_of(folder) or _server_of(folder.parent)
    results, problems = [], []
    for path in sorted(paths):
        try:
            result = _result(path, server)
        except RailbirdError as problem:
            problems.append(str(problem))
            continue
        if result is not None:
            results.append(result)
    if not results:
        raise NothingUsable("; ".join(problems) or f"no finished tournament in {source}")
    results.sort(key=lambda result: (result.finished_at, result.id))
    return rated_anew(results)[::-1], problems


def standings_of(results: list[TournamentResult]) -> dict[str, list[Standing]]:
    """Return the ladders after results whose entries have ratings, the newest first.

    Of each player there is the latest version.
    """
    latest: dict[tuple[str, str], Standing] = {}
    for result in results:
        for entry in result.entries:
            if entry.rating is not None:
                latest.setdefault(
                    (result.ladder, entry.name),
                    Standing(
                        name=entry.name,
                        version=entry.version,
                        kind=entry.kind,
                        rating=entry.rating,
                        rated_at=result.finished_at,
                    ),
                )
    ladders: dict[str, list[Standing]] = {}
    for (ladder, _), standing in sorted(
        latest.items(), key=lambda item: (-item[1].rating.mean, item[0])
    ):
        ladders.setdefault(ladder, []).append(standing)
    return ladders


def rated_anew(results: Iterable[TournamentResult]) -> list[TournamentResult]:
    """Rate tournaments in this order, as the database does when they end."""
    ladders: dict[str, _Ladder] = {}
    return [
        ladders.setdefault(tournament.ladder, _Ladder()).rated(tournament) for tournament in results
    ]


class _Ladder:
    """Ratings by player, those of versions included, and when owners met how often."""

    def __init__(self) -> None:
        self._latest: dict[str, tuple[str, LadderRating]] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        """Tournaments by player and version."""
        self._met: dict[tuple[str, str], tuple[float, datetime]] = {}
        self._established: set[str] = set()

    def rated(self, result: TournamentResult) -> TournamentResult:
        places = [entry.place for entry in result.entries if entry.place is not None]
        is_rated = result.rated and len(places) == len(result.entries) > 1
        after: Sequence[LadderRating] | None = None
        if is_rated:
            at = result.finished_at
            met = {pair: LADDER.faded(n, at - since) for pair, (n, since) in self._met.items()}
            before = [self._before(entry) for entry in result.entries]
            owners = [_owner(entry) for entry in result.entries]
            after, now_met = LADDER.rate(before, places, owners, met, self._established)
            for pair, count in now_met.items():
                since = self._met.get(pair, (0.0, at))[1]
                self._met[pair] = (count, max(since, at))
            self._established |= LADDER.newly_established(owners, met | now_met, self._established)
        ratings: Sequence[LadderRating | None] = after or [None] * len(result.entries)
        entries: list[ResultEntry] = []
        for entry, rating in zip(result.entries, ratings, strict=True):
            if rating is not None:
                self._latest[entry.name] = (entry.version, rating)
                self._counts[entry.name, entry.version] = rating.tournaments
            entries.append(replace(entry, rating=rating))
        return replace(result, rated=is_rated, entries=entries)

    def _before(self, entry: ResultEntry) -> LadderRating | None:
        version, rating = self._latest.get(entry.name, (entry.version, None))
        if rating is None or version == entry.version:
            return rating
        played = self._counts[entry.name, entry.version]
        return replace(LADDER.new_version(rating), tournaments=played)


def _owner(entry: ResultEntry) -> str:
    """Return the account that gains if a player does; None for a player of the house."""
    return "" if entry.kind is AccountKind.HOUSE else (entry.owner or entry.name).lower()


def _result(path: Path, server: str) -> TournamentResult | None:
    records = read_journal(path)
    opened = records[0]
    assert isinstance(opened, Opened)
    if opened.kind != "tournament" or not is_over(records):
        return None
    play = play_of(opened)
    assert isinstance(play, TournamentPlay)
    play.read(records[1:])
    return tournament_result(play.outcome(path.name), server)


def _server_of(folder: Path) -> str:
    try:
        return (folder / _SERVER_FILE).read_text(encoding="ascii").strip()[:16]
    except (OSError, UnicodeError):
        return ""
