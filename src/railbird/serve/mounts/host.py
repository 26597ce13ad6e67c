"""The tournament server as a mount of the web application."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from fastapi import APIRouter, Depends, FastAPI, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.websockets import WebSocket

from railbird.errors import RailbirdError
from railbird.hosting.house_game import is_over, log, phh, published
from railbird.hosting.journal import SUFFIX, Opened, read_journal
from railbird.serve import admin
from railbird.serve.admin import from_operator, host_of
from railbird.serve.caller import PROBLEMS
from railbird.serve.connections import talk
from railbird.serve.host import Host, HostSettings, OtherServer
from railbird.serve.mounts import Mount
from railbird.storage import accounts
from railbird.storage.passwords import Busy

# Long work in threads beside the event loop, on which players wait.


T = TypeVar("T")

_SLICE_S: Final = 0.001
"""Work before a pause."""


def with_pauses(items: Iterable[T]) -> Iterator[T]:
    """Yield items, with pauses as long as the work, in which the event loop has the interpreter.

    A thread that computes gives it up only every five milliseconds, and each time a player would
    wait.
    """
    began = time.perf_counter()
    for item in items:
        yield item
        worked = time.perf_counter() - began
        if worked > _SLICE_S:
            time.sleep(worked)
            began = time.perf_counter()


# The lobby, and the proceedings of games: hands, a log for readers, and the journal itself.
#
# While a game is played, its proceedings end at the last finished hand and lack what was not shown,
# and its journal, which has the seed of the cards, is not given away.


download_router = APIRouter(prefix="/api", responses=PROBLEMS)

GameId = Annotated[str, Field(min_length=3, max_length=64, pattern=r"^[A-Za-z0-9_-]+\.[0-9]+$")]
Form = Literal["phh", "log", "journal"]
_MOST_BYTES: Final = 1 << 26
"""Bytes of a journal that is read for a download."""


def _playing(request: Request) -> Host:
    host = host_of(request)
    if host is None:
        raise HTTPException(404, "No tournament server runs here.")
    return host


Playing = Annotated[Host, Depends(_playing)]


@download_router.get("/lobby", response_class=JSONResponse)
async def lobby(host: Playing) -> Response:
    """Show queues, tables and the house's players: the message `lobby` of `/api/schemas/server`."""
    return Response(host.house.lobby.body(), media_type="application/json")


@download_router.get("/servers")
async def servers(host: Playing) -> list[OtherServer]:
    """Show the other servers on the same database, with their queues, as they told them lately."""
    return host.other_servers.all()


@download_router.get("/games/{game}/{form}", response_class=PlainTextResponse)
async def proceedings(game: GameId, form: Form, host: Playing) -> Response:
    """Download the hands of a game as PHH, a log for readers, or, once it is over, its journal."""
    async with host.downloads:
        return await asyncio.to_thread(_answer, host.settings.journal, game, form)


def journal_of_game(folder: Path, game: str) -> Path | None:
    """Return the journal of a game, in play or over, which is a file of this folder."""
    name = f"{game}{SUFFIX}"
    if Path(name).name != name:
        return None
    paths = (folder / name, folder / "done" / name)
    return next((path for path in paths if path.is_file() and not path.is_symlink()), None)


def _answer(folder: Path, game: str, form: Form) -> Response:
    path = journal_of_game(folder, game)
    if path is None:
        raise HTTPException(404, "There is no such game.")
    if path.stat().st_size > _MOST_BYTES:
        raise HTTPException(413, "This game is too long for a download.")
    try:
        return _made(path, game, form)
    except (RailbirdError, FileNotFoundError):
        pass  # it ended in this moment, and was put away
    path = journal_of_game(folder, game)
    try:
        if path is not None:
            return _made(path, game, form)
    except RailbirdError:
        pass
    raise HTTPException(404, "This game has no proceedings.")


def _made(path: Path, game: str, form: Form) -> Response:
    records = read_journal(path)
    opened = records[0]
    if isinstance(opened, Opened) and opened.kind == "practice":
        raise HTTPException(404, "There is no such game.")
    named: dict[str, Any] = {"Content-Disposition": f'attachment; filename="{game}.{form}"'}
    if form == "journal" and not is_over(records):
        raise HTTPException(403, "The journal has the cards to come; wait for the end.")
    making = {"journal": published, "log": log, "phh": phh}[form]
    text = ("\n" if form == "log" else "").join(with_pauses(making(records)))
    return PlainTextResponse(text, headers=named)


# The WebSocket of programs, the state of the server, and its metrics.


router = APIRouter()

_DATABASE_S: Final = 2.0
"""Time for the database to answer, which takes it milliseconds."""
_NO_METRICS: dict[int | str, dict[str, Any]] = {
    status: {"description": why, "content": {"text/plain": {}}}
    for status, why in {403: "Not from this machine", 404: "No tournament server"}.items()
}


@router.websocket("/ws")
async def programs(websocket: WebSocket) -> None:
    """Speak the protocol, a message in each frame."""
    host = host_of(websocket)
    if host is None:
        await websocket.close(1013)
    else:
        await talk(host.connections, websocket)


Status = Literal["ok", "draining", "failing"]


class Health(BaseModel):
    """Whether everything works."""

    status: Status
    problems: dict[str, str]
    """What is wrong, by the part that has the problem."""
    parked: int
    """Games that wait until their journals can be written again."""


@router.get("/health", responses={503: {"model": Health, "description": "Something is wrong"}})
async def health(request: Request, response: Response) -> Health:
    """Say whether everything works; 503 if not, with what is wrong."""
    host = host_of(request)
    problems = request.app.state.supervisor.problems()
    try:
        async with asyncio.timeout(_DATABASE_S):
            await request.app.state.directory.read(accounts.find_account, "nobody")
    except (Busy, TimeoutError):
        problems["database"] = "the database does not answer"
    parked = 0 if host is None else host.house.lobby.parked
    if parked:
        problems.setdefault("journals", "games are parked")
    if problems:
        response.status_code = 503
    draining = host is not None and host.house.is_draining
    status: Status = "failing" if problems else "draining" if draining else "ok"
    return Health(status=status, problems=problems, parked=parked)


@router.get("/metrics", response_class=PlainTextResponse, responses=_NO_METRICS)
async def metrics(request: Request) -> Response:
    """Return the metrics, to this machine and to operators."""
    host = host_of(request)
    if host is None:
        raise HTTPException(404, "No tournament server runs here.")
    if not from_operator(request, host, loopback_suffices=True):
        raise HTTPException(403, "Metrics are for this machine, or with the operator's token.")
    return Response(host.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def mount(settings: HostSettings | None = None) -> Mount:
    """Return the tournament server; without settings, it plays nothing."""
    of_all = APIRouter()
    of_all.include_router(router)
    of_all.include_router(admin.router)
    of_all.include_router(download_router)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.host = None
        if settings is None:
            yield
            return
        database = app.state.settings.database
        host = Host(settings, app.state.log_ins, database, app.state.supervisor)
        await host.start()
        app.state.host = host
        try:
            yield
        finally:
            await host.stop()

    return Mount(name="host", rank=0, router=of_all, heavy=("/api/games",), lifespan=lifespan)
