"""Pages of results, ratings and crosstables, and of the hands of games."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Query, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from railbird.histories import Skipped
from railbird.histories.format import WriteOptions
from railbird.histories.phh.write import write as write_phh
from railbird.report.one_player.summary import hand_name
from railbird.serve import pages
from railbird.serve.api.caller import Accounts
from railbird.serve.api.models import Name
from railbird.serve.api.results import Ladder, TournamentId
from railbird.serve.host.access import host_of
from railbird.serve.host.downloads import GameId
from railbird.serve.host.host import server_name
from railbird.serve.pauses import with_pauses
from railbird.serve.report.routes import PlayerForm, begin, replay_page
from railbird.serve.report.view import PAGE
from railbird.serve.session import Caller
from railbird.serve.standings.games import Game, Games
from railbird.serve.standings.view import crosstable_of, rating_rows
from railbird.serve.view.replay import Sight, replay_of
from railbird.storage import results as stored

RESULTS: Final = "/results"
RATINGS: Final = "/ratings"
CROSSTABLE: Final = "/crosstable"
GAMES: Final = "/games"
_LISTED: Final = 30
"""Tournaments on a page."""

router = APIRouter(include_in_schema=False)

PageNumber = Annotated[int, Query(ge=1, le=10**5)]


def _games(request: Request) -> Games:
    games = request.app.state.standings
    assert isinstance(games, Games)
    return games


@router.get(RESULTS)
async def results(
    request: Request,
    directory: Accounts,
    player: Annotated[Name | None, Query()] = None,
    page: PageNumber = 1,
) -> Response:
    """List finished tournaments, the newest first."""
    first = (page - 1) * _LISTED
    found = await directory.read(stored.results, name=player, most=_LISTED + 1, after=first)
    return pages.page(
        "standings/results.html.jinja",
        results=[(one, _game_of(request, one)) for one in found[:_LISTED]],
        player=player or "",
        page=page,
        more=len(found) > _LISTED,
        section="results",
    )


@router.get(RESULTS + "/{tournament}")
async def result(tournament: TournamentId, request: Request, directory: Accounts) -> Response:
    """Show how one tournament ended."""
    found = await directory.read(stored.result_of, tournament)
    if found is None:
        raise HTTPException(404, "There is no such result.")
    return pages.page(
        "standings/result.html.jinja",
        result=found,
        game=_game_of(request, found),
        section="results",
    )


@router.get(RATINGS)
async def ratings(
    directory: Accounts, ladder: Annotated[Ladder | None, Query()] = None
) -> Response:
    """Show a ladder."""
    found = await directory.read(stored.standings)
    chosen = ladder or min(found, default="")
    if ladder is not None and ladder not in found:
        raise HTTPException(404, "There is no such ladder.")
    return pages.page(
        "standings/ratings.html.jinja",
        ladders=sorted(found),
        ladder=chosen,
        rows=rating_rows(found.get(chosen, [])),
        section="ratings",
    )


@router.get(CROSSTABLE)
async def crosstable(
    directory: Accounts, ladder: Annotated[Ladder | None, Query()] = None
) -> Response:
    """Show who finished ahead of whom in a ladder."""
    ladders = sorted(await directory.read(stored.standings))
    if ladder is not None and ladder not in ladders:
        raise HTTPException(404, "There is no such ladder.")
    chosen = ladder or next(iter(ladders), "")
    placings = await directory.read(stored.finished_places, chosen) if chosen else []
    return pages.page(
        "standings/crosstable.html.jinja",
        ladders=ladders,
        ladder=chosen,
        table=await asyncio.to_thread(crosstable_of, placings),
        section="crosstable",
    )


@router.get(GAMES + "/{game}")
async def game(game: GameId, request: Request, visitor: Caller, page: PageNumber = 1) -> Response:
    """List the finished hands of a game."""
    found = await _games(request).of(request, game)
    first = (page - 1) * PAGE
    if page > 1 and first >= len(found.hands):
        raise HTTPException(404, "There is no such page.")
    hands = list(enumerate(found.hands))[first : first + PAGE]
    return pages.page(
        "standings/game.html.jinja",
        game=found,
        hands=[
            {
                "row": row,
                "name": hand_name(hand, row),
                "table": hand.table,
                "pot": int(sum(won for won in hand.payoffs if won > 0)),
                "winners": [
                    name for name, won in zip(hand.players, hand.payoffs, strict=True) if won > 0
                ],
            }
            for row, hand in hands
        ],
        page=page,
        last=max(1, -(-len(found.hands) // PAGE)),
        reportable=_reportable(found),
        token=visitor.form_token,
        section="results",
    )


@router.get(GAMES + "/{game}/phh")
async def download(game: GameId, request: Request) -> Response:
    """Download the finished hands as PHH, with the cards that the visitor may see."""
    found = await _games(request).of(request, game)
    named = {"Content-Disposition": f'attachment; filename="{game}.phhs"'}
    return PlainTextResponse(await asyncio.to_thread(_phh, found), headers=named)


@router.get(GAMES + "/{game}/hands/{row}")
async def hand(
    game: GameId,
    row: Annotated[int, Field(ge=0, le=10**7)],
    request: Request,
    step: Annotated[int | None, Query(ge=0, le=10**4)] = None,
    sight: Sight = Sight.OWN,
) -> Response:
    """Replay a finished hand."""
    found = await _games(request).of(request, game)
    if row >= len(found.hands):
        raise HTTPException(404, "There is no such hand.")
    record = found.hands[row]
    viewer = next((name for name in found.own if name in record.players), None)
    where = f"{GAMES}/{game}/hands"
    values: dict[str, Any] = {
        "replay": replay_of(record, viewer=viewer, step=step or 0, sight=sight),
        "sight": sight,
        "Sight": Sight,
        "address": f"{where}/{row}",
        "title": f"Hand {hand_name(record, row)} of {game}",
        "decisions": (),
        "back": (f"{GAMES}/{game}", "the game"),
        "previous": f"{where}/{row - 1}" if row else "",
        "next": f"{where}/{row + 1}" if row + 1 < len(found.hands) else "",
    }
    return replay_page(request, values)


@router.post(GAMES + "/{game}/report")
async def report(
    game: GameId, form: Annotated[PlayerForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Report on one's play in a game, or, once it is over, on anybody's."""
    visitor.check(form.token)
    found = await _games(request).of(request, game)
    if form.player not in _reportable(found):
        raise HTTPException(403, "Others’ play is open once the game is over.")
    source = await asyncio.to_thread(_phh, found)
    if not source:
        raise HTTPException(409, "No hand of this game is finished yet.")
    return RedirectResponse(
        begin(request, visitor, f"{form.player} in {game}", source, form.player, found.known), 303
    )


def _reportable(found: Game) -> tuple[str, ...]:
    """Name those whose play this visitor may have a report on; oneself first."""
    others = [name for name in found.players if name not in found.own] if found.is_open else []
    return (*found.own, *others)


def _phh(found: Game) -> bytes:
    texts = with_pauses(write_phh(found.hands, WriteOptions()))
    return "".join(text for text in texts if not isinstance(text, Skipped)).encode()


def _game_of(request: Request, result: stored.TournamentResult) -> str:
    """Return the game behind a result, if its journal may be here; else nothing."""
    host = host_of(request)
    if host is None:
        return ""
    prefix = f"{server_name(host.settings.journal)}."
    return result.id.removeprefix(prefix) if result.id.startswith(prefix) else ""
