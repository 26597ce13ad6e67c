"""Results of the house, taken to the database, and ratings with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from railbird.hosting.interfaces import (
    Finish,
    Latency,
    Offence,
    Outcome,
    SessionOutcome,
    TournamentOutcome,
    Unavailable,
)
from railbird.storage.accounts import Busy, Directory, Kind
from railbird.storage.results import (
    Entry,
    LadderRating,
    RingSession,
    TournamentResult,
    record_result,
    record_ring_session,
    won_by_game,
)
from railbird.tournament.ladder import Rating, rated


class StoredResults:
    """Keeps what the house tells, once however often it is told.

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
                    await self._directory.write(record_result, result, rate)
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


def rate(before: Sequence[LadderRating | None], places: Sequence[int]) -> list[LadderRating]:
    """Rate a tournament for the storage, which knows nothing of ladders."""
    known = [
        None if one is None else Rating(one.mean, one.deviation, one.tournaments) for one in before
    ]
    return [LadderRating(one.mean, one.deviation, one.tournaments) for one in rated(known, places)]


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


def ring_session(outcome: SessionOutcome, server: str) -> RingSession:
    """Return a session at a ring table as it is stored."""
    return RingSession(
        id=f"{server}.{outcome.session}",
        game=outcome.game,
        name=outcome.player.name,
        version=outcome.player.version,
        started_at=outcome.began,
        finished_at=outcome.ended,
        hands=outcome.hands,
        won=outcome.won,
        rake=outcome.rake,
        big_blind=outcome.big_blind,
        service=_service(outcome.latency, outcome.offences),
    )


def _entry(outcome: TournamentOutcome, finish: Finish) -> Entry:
    return Entry(
        name=finish.player.name,
        version=finish.player.version,
        kind=Kind(finish.player.kind.value),
        place=None if outcome.void else finish.place,
        prize=float(finish.prize),
        fee=0.0 if outcome.void else float(outcome.fee),
        hands=outcome.hands,
        service=_service(finish.latency, finish.offences),
    )


def _service(latency: Latency, offences: Mapping[Offence, int]) -> dict[str, Any]:
    times = {f"{name}_ms": value for name, value in asdict(latency).items() if name != "decisions"}
    return {
        "decisions": latency.decisions,
        **times,
        **{str(offence): count for offence, count in offences.items()},
    }
