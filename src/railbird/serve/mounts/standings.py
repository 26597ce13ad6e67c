"""Results, ratings and crosstables as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Form, Query, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from railbird.cards import HOLDEM
from railbird.errors import RailbirdError
from railbird.histories import HandRecord, Skipped
from railbird.histories.format import WriteOptions
from railbird.histories.phh import write as write_phh
from railbird.hosting.formats import ring_format
from railbird.hosting.house_game import hand_records, is_over
from railbird.hosting.journal import AnyRecord, Joined, Opened, read_journal
from railbird.hosting.openings import person_among
from railbird.players.known_strategy import is_known
from railbird.protocol.identity import account_name
from railbird.report.number_format import number, percent
from railbird.serve import pages
from railbird.serve.admin import host_of
from railbird.serve.caller import Accounts, Name, account_of, directory_of, guest_of
from railbird.serve.host import server_name
from railbird.serve.mounts import Mount
from railbird.serve.mounts.api import Ladder, TournamentId
from railbird.serve.mounts.host import GameId, with_pauses
from railbird.serve.mounts.report import PAGE, PlayerForm, begin_report, replay_page
from railbird.serve.pages import Sight, replay_of
from railbird.serve.session import Caller
from railbird.storage import accounts
from railbird.storage import results as stored
from railbird.storage.results import Standing
from railbird.tournament.ratings import Rating

# The finished hands of the server's games, as a visitor may see them.
#
# Once a game is over everything is open; before, those who play see their own cards and what was
# shown. Practice tables, whose cards are told after every hand, are open to those who play there,
# as long as they are there.


MOST_JOURNAL = 1 << 25
"""Bytes of a journal that is read for a page."""
_KEPT = 4
"""Games whose hands are kept in memory, as one visitor sees them."""


@dataclass(frozen=True, slots=True)
class ViewedGame:
    """A game's finished hands for one visitor."""

    id: str
    kind: str
    is_over: bool
    is_open: bool
    """Whether the visitor may see all cards."""
    players: tuple[str, ...]
    own: tuple[str, ...]
    """The visitor's own players: the visitor, and the visitor's bots."""
    hands: tuple[HandRecord, ...]
    known: Mapping[str, str]
    """Specs of house players whose strategies are known, by name, where stacks were filled up."""


class ViewedGames:
    """Games that were looked at lately, as each visitor may see them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], ViewedGame] = OrderedDict()
        self._lock = asyncio.Lock()

    async def of(self, request: Request, game: str) -> ViewedGame:
        """Return a game; refuse one that is not there, or that is not this visitor's to see."""
        host = host_of(request)
        path = None if host is None else host.house.journal_of(game)
        if host is None or path is None:
            raise HTTPException(404, "There is no such game.")
        size = path.stat().st_size
        if size > MOST_JOURNAL:
            raise HTTPException(413, "This game is too long for a page; download its hands.")
        names = await own_names(request)
        key = (game, size, names)
        async with self._lock:
            if key not in self._kept:
                async with host.downloads:
                    viewed = await asyncio.to_thread(_read, path, game, frozenset(names))
                self._kept[key] = viewed
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]


async def own_names(request: Request) -> tuple[str, ...]:
    """Return the names of a visitor's account and its bots; none who is not logged in."""
    account = await account_of(request)
    if account is None:
        guest = guest_of(request)
        return () if guest is None else (guest,)
    bots = await directory_of(request).read(accounts.bots_of, account.id)
    return (account.name, *(bot.name for bot in bots))


def _read(path: Path, game: str, names: frozenset[str]) -> ViewedGame:
    try:
        records = read_journal(path)
        opened = records[0]
        assert isinstance(opened, Opened)
        entrants = [*opened.entrants]
        entrants += [record.entrant for record in records if isinstance(record, Joined)]
        players = tuple(dict.fromkeys(account_name(entrant.name) for entrant in entrants))
        own = tuple(name for name in players if name in names)
        if not own and path.parent.name in {name.lower() for name in names}:
            guest = person_among(r.entrant for r in records if isinstance(r, Joined))
            own = () if guest is None else (guest,)  # whose account this is now
        if opened.kind == "practice" and not own:
            raise HTTPException(404, "There is no such game.")
        over, practice = is_over(records), opened.kind == "practice"
        hands = tuple(with_pauses(hand_records(records, own=players if practice else own)))
    except RailbirdError:
        raise HTTPException(404, "This game has no proceedings.") from None
    return ViewedGame(
        game, opened.kind, over, over or practice, players, own, hands, _known(records)
    )


def _known(records: Sequence[AnyRecord]) -> dict[str, str]:
    opened = records[0]
    assert isinstance(opened, Opened)
    if opened.kind == "tournament" or not ring_format(opened.settings).top_up:
        return {}
    entrants = [record.entrant for record in records if isinstance(record, Joined)]
    return {
        entrant.name: entrant.spec
        for entrant in entrants
        if entrant.spec and is_known(entrant.spec)
    }


# Results and ratings as their pages show them.


MOST_IN_CROSSTABLE = 12
"""Players of a crosstable: those with most tournaments."""


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A line of a ladder."""

    place: int
    name: str
    kind: str
    mean: str
    within: str
    """Two deviations of the rating."""
    provisional: bool
    tournaments: int


def rating_rows(standings: Iterable[Standing]) -> list[LadderLine]:
    """Return a ladder, the best first."""
    rows = []
    for rank, standing in enumerate(standings, 1):
        rating = Rating(
            standing.rating.mean, standing.rating.deviation, standing.rating.tournaments
        )
        rows.append(
            LadderLine(
                place=rank,
                name=standing.title,
                kind=str(standing.kind),
                mean=number(rating.mean, 1),
                within=number(2 * rating.deviation, 1),
                provisional=rating.provisional,
                tournaments=rating.tournaments,
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class FinishCrosstable:
    """How often players with most tournaments finished ahead of each other."""

    names: tuple[str, ...]
    tournaments: tuple[int, ...]
    cells: tuple[tuple[str, ...], ...]
    """How often the row finished ahead of the column, of how many; empty where they never met."""
    left_out: int
    """Players who have no line."""


def finish_crosstable(placings: Iterable[Sequence[tuple[str, int]]]) -> FinishCrosstable:
    r"""Count over tournaments, each as players with their places; equal places count half.

    >>> found = finish_crosstable([[("ann", 1), ("bob", 2)], [("bob", 1), ("ann", 1)]])
    >>> found.names, [ascii(cell) for cell in found.cells[0]]
    (('ann', 'bob'), ["''", "'75\\u202f% of 2'"])
    """
    ahead, met, played = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    for placing in placings:
        played.update(name for name, _ in placing)
        for row, first in placing:
            for column, second in placing:
                if row != column:
                    met[row, column] += 1
                    ahead[row, column] += 2 * (first < second) + (first == second)
    names = sorted(played, key=lambda name: (-played[name], name))[:MOST_IN_CROSSTABLE]
    cells = tuple(
        tuple(
            f"{percent(ahead[row, column] / (2 * met[row, column]), 0)} of {met[row, column]:,}"
            if met[row, column]
            else ""
            for column in names
        )
        for row in names
    )
    counts = tuple(played[name] for name in names)
    return FinishCrosstable(tuple(names), counts, cells, len(played) - len(names))


# Pages of results, ratings and crosstables, and of the hands of games.


RESULTS: Final = "/results"
RATINGS: Final = "/ratings"
CROSSTABLE: Final = "/crosstable"
GAMES: Final = "/games"
_LISTED: Final = 30
"""Tournaments on a page."""

router = APIRouter(include_in_schema=False)

PageNumber = Annotated[int, Query(ge=1, le=10**5)]


def _games(request: Request) -> ViewedGames:
    games = request.app.state.standings
    assert isinstance(games, ViewedGames)
    return games


@router.get(RESULTS)
async def list_results(
    request: Request,
    directory: Accounts,
    player: Annotated[Name | None, Query()] = None,
    page: PageNumber = 1,
) -> Response:
    """List finished tournaments, the newest first."""
    first = (page - 1) * _LISTED
    finished = await directory.read(stored.results, name=player, most=_LISTED + 1, after=first)
    return pages.page_response(
        "standings/results.html.jinja",
        results=[(tournament, _game_of(request, tournament)) for tournament in finished[:_LISTED]],
        player=player or "",
        page=page,
        more=len(finished) > _LISTED,
        section="results",
    )


@router.get(RESULTS + "/{tournament}")
async def show_result(tournament: TournamentId, request: Request, directory: Accounts) -> Response:
    """Show how one tournament ended."""
    finished = await directory.read(stored.result_of, tournament)
    if finished is None:
        raise HTTPException(404, "There is no such result.")
    return pages.page_response(
        "standings/result.html.jinja",
        result=finished,
        game=_game_of(request, finished),
        section="results",
    )


@router.get(RATINGS)
async def show_ratings(
    directory: Accounts, ladder: Annotated[Ladder | None, Query()] = None
) -> Response:
    """Show a ladder."""
    ladders = await directory.read(stored.standings)
    chosen = ladder or min(ladders, default="")
    if ladder is not None and ladder not in ladders:
        raise HTTPException(404, "There is no such ladder.")
    return pages.page_response(
        "standings/ratings.html.jinja",
        ladders=sorted(ladders),
        ladder=chosen,
        rows=rating_rows(ladders.get(chosen, [])),
        section="ratings",
    )


@router.get(CROSSTABLE)
async def show_crosstable(
    directory: Accounts, ladder: Annotated[Ladder | None, Query()] = None
) -> Response:
    """Show who finished ahead of whom in a ladder."""
    ladders = sorted(await directory.read(stored.standings))
    if ladder is not None and ladder not in ladders:
        raise HTTPException(404, "There is no such ladder.")
    chosen = ladder or next(iter(ladders), "")
    placings = await directory.read(stored.finished_places, chosen) if chosen else []
    return pages.page_response(
        "standings/crosstable.html.jinja",
        ladders=ladders,
        ladder=chosen,
        table=await asyncio.to_thread(finish_crosstable, placings),
        section="crosstable",
    )


@router.get(GAMES + "/{game}")
async def show_game(
    game: GameId, request: Request, visitor: Caller, page: PageNumber = 1
) -> Response:
    """List the finished hands of a game."""
    viewed = await _games(request).of(request, game)
    first = (page - 1) * PAGE
    if page > 1 and first >= len(viewed.hands):
        raise HTTPException(404, "There is no such page.")
    hands = list(enumerate(viewed.hands))[first : first + PAGE]
    return pages.page_response(
        "standings/game.html.jinja",
        game=viewed,
        hands=[
            {
                "row": row,
                "name": row + 1 if hand.number is None else hand.number,
                "table": hand.table,
                "pot": int(sum(won for won in hand.payoffs if won > 0)),
                "winners": [
                    name for name, won in zip(hand.players, hand.payoffs, strict=True) if won > 0
                ],
            }
            for row, hand in hands
        ],
        page=page,
        last=max(1, -(-len(viewed.hands) // PAGE)),
        reportable=_reportable(viewed),
        token=visitor.form_token,
        section="results",
    )


@router.get(GAMES + "/{game}/phh")
async def download_hands(game: GameId, request: Request) -> Response:
    """Download the finished hands as PHH, with the cards that the visitor may see."""
    viewed = await _games(request).of(request, game)
    named = {"Content-Disposition": f'attachment; filename="{game}.phhs"'}
    return PlainTextResponse(await asyncio.to_thread(_phh, viewed), headers=named)


@router.get(GAMES + "/{game}/hands/{row}")
async def replay_game_hand(
    game: GameId,
    row: Annotated[int, Field(ge=0, le=10**7)],
    request: Request,
    step: Annotated[int | None, Query(ge=0, le=10**4)] = None,
    sight: Sight = Sight.OWN,
) -> Response:
    """Replay a finished hand."""
    viewed = await _games(request).of(request, game)
    if row >= len(viewed.hands):
        raise HTTPException(404, "There is no such hand.")
    record = viewed.hands[row]
    viewer = next((name for name in viewed.own if name in record.players), None)
    where = f"{GAMES}/{game}/hands"
    values: dict[str, Any] = {
        "replay": replay_of(record, viewer=viewer, step=step or 0, sight=sight),
        "sight": sight,
        "Sight": Sight,
        "address": f"{where}/{row}",
        "title": f"Hand {row + 1 if record.number is None else record.number} of {game}",
        "decisions": (),
        "back": (f"{GAMES}/{game}", "the game"),
        "previous": f"{where}/{row - 1}" if row else "",
        "next": f"{where}/{row + 1}" if row + 1 < len(viewed.hands) else "",
    }
    return replay_page(request, values)


@router.post(GAMES + "/{game}/report")
async def report_on_game(
    game: GameId, form: Annotated[PlayerForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Report on one's play in a game, or, once it is over, on anybody's."""
    visitor.check(form.token)
    viewed = await _games(request).of(request, game)
    if form.player not in _reportable(viewed):
        raise HTTPException(403, "Other players’ hands can be read once the game is over.")
    source = await asyncio.to_thread(_phh, viewed)
    if not source:
        raise HTTPException(409, "No hand of this game is finished yet.")
    return RedirectResponse(
        begin_report(
            request, visitor, f"{form.player} in {game}", source, form.player, viewed.known
        ),
        303,
    )


def _reportable(viewed: ViewedGame) -> tuple[str, ...]:
    """Name those whose play this visitor may have a report on; oneself first, in hold'em alone."""
    if any(hand.rules.variant is not HOLDEM for hand in viewed.hands[:1]):
        return ()
    others = [name for name in viewed.players if name not in viewed.own] if viewed.is_open else []
    return (*viewed.own, *others)


def _phh(viewed: ViewedGame) -> bytes:
    texts = with_pauses(write_phh(viewed.hands, WriteOptions()))
    return "".join(text for text in texts if not isinstance(text, Skipped)).encode()


def _game_of(request: Request, result: stored.TournamentResult) -> str:
    """Return the game behind a result, if its journal may be here; else nothing."""
    host = host_of(request)
    if host is None:
        return ""
    prefix = f"{server_name(host.settings.journal)}."
    return result.id.removeprefix(prefix) if result.id.startswith(prefix) else ""


def mount() -> Mount:
    """Return the pages."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.standings = ViewedGames()
        yield

    return Mount(
        name="standings",
        title="Results",
        path=RESULTS,
        rank=58,
        router=router,
        heavy=(RATINGS, CROSSTABLE),
        lifespan=lifespan,
    )
