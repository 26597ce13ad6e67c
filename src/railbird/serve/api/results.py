"""Results, ratings and the protocol's schemas, for everybody."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.exceptions import HTTPException

from railbird.protocol.encoding import schemas
from railbird.serve.api.caller import Accounts, Kept
from railbird.serve.api.models import EntryAnswer, Name, RatingAnswer, ResultAnswer
from railbird.storage import results as stored
from railbird.tournament.ladder import Rating

router = APIRouter()

Ladder = Annotated[str, Field(min_length=1, max_length=32, pattern=r"^[!-~]+$")]
TournamentId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._-]+$")]


@router.get("/ratings")
async def ratings(
    directory: Accounts, ladder: Annotated[Ladder | None, Query()] = None
) -> dict[str, list[RatingAnswer]]:
    """List the ladders, the best first."""
    found = await directory.read(stored.standings, ladder=ladder)
    return {name: [_rating(one) for one in standings] for name, standings in found.items()}


@router.get("/results")
async def results(
    directory: Accounts,
    kept: Kept,
    player: Annotated[Name | None, Query()] = None,
    after: Annotated[int, Query(ge=0, le=10**6)] = 0,
) -> list[ResultAnswer]:
    """List finished tournaments, the newest first, a page at a time."""
    most = kept.settings.most_results
    found = await directory.read(stored.results, name=player, most=most, after=after)
    return [_result(one) for one in found]


@router.get("/results/{tournament}")
async def result(tournament: TournamentId, directory: Accounts) -> ResultAnswer:
    """Show how one tournament ended."""
    found = await directory.read(stored.result_of, tournament)
    if found is None:
        raise HTTPException(404, "There is no such result.")
    return _result(found)


@router.get("/schemas/{side}")
async def schema(side: Literal["client", "server"]) -> dict[str, Any]:
    """Return the JSON Schema of the messages that one side of the protocol sends."""
    return schemas()[side]


def _rating(one: stored.Standing) -> RatingAnswer:
    rating = Rating(one.rating.mean, one.rating.deviation, one.rating.tournaments)
    return RatingAnswer(
        player=one.title,
        kind=str(one.kind),
        mean=rating.mean,
        deviation=rating.deviation,
        low=rating.low,
        high=rating.high,
        provisional=rating.provisional,
        tournaments=rating.tournaments,
    )


def _result(one: stored.TournamentResult) -> ResultAnswer:
    return ResultAnswer(
        tournament=one.id,
        ladder=one.ladder,
        rated=one.rated,
        void=one.void_reason,
        started_at=one.started_at,
        finished_at=one.finished_at,
        entries=[
            EntryAnswer(
                player=entry.title,
                kind=str(entry.kind),
                place=entry.place,
                prize=entry.prize,
                fee=entry.fee,
                hands=entry.hands,
                service=dict(entry.service),
            )
            for entry in one.entries
        ],
        details=dict(one.details),
    )
