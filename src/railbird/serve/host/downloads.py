"""The lobby, and the proceedings of games: hands, a log for readers, and the journal itself.

While a game is played, its proceedings end at the last finished hand and lack what was not shown,
and its journal, which has the seed of the cards, is not given away.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from railbird.errors import RailbirdError
from railbird.hosting.journal import SUFFIX, read_journal
from railbird.hosting.proceedings import is_over, log, phh
from railbird.hosting.records import Opened
from railbird.protocol.messages.game import Lobby
from railbird.serve.api.caller import PROBLEMS
from railbird.serve.host.access import host_of
from railbird.serve.host.host import Host
from railbird.serve.host.other_servers import OtherServer
from railbird.serve.pauses import with_pauses

router = APIRouter(prefix="/api", responses=PROBLEMS)

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


@router.get("/lobby", response_model=Lobby)
async def lobby(host: Playing) -> Response:
    """Show queues, tables and the house's players."""
    return Response(host.house.lobby.body(), media_type="application/json")


@router.get("/servers")
async def servers(host: Playing) -> list[OtherServer]:
    """Show the other servers on the same database, with their queues, as they told them lately."""
    return host.other_servers.all()


@router.get("/games/{game}/{form}", response_class=PlainTextResponse)
async def proceedings(game: GameId, form: Form, host: Playing) -> Response:
    """Download the hands of a game as PHH, a log for readers, or, once it is over, its journal."""
    async with host.downloads:
        return await asyncio.to_thread(_answer, host.settings.journal, game, form)


def find(folder: Path, game: str) -> Path | None:
    """Return the journal of a game, in play or over, which is a file of this folder."""
    name = f"{game}{SUFFIX}"
    if Path(name).name != name:
        return None
    paths = (folder / name, folder / "done" / name)
    return next((path for path in paths if path.is_file() and not path.is_symlink()), None)


def _answer(folder: Path, game: str, form: Form) -> Response:
    path = find(folder, game)
    if path is None:
        raise HTTPException(404, "There is no such game.")
    if path.stat().st_size > _MOST_BYTES:
        raise HTTPException(413, "This game is too long for a download.")
    try:
        return _made(path, game, form)
    except (RailbirdError, FileNotFoundError):
        pass  # it ended in this moment, and was put away
    path = find(folder, game)
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
    if form == "journal":
        if not is_over(records):
            raise HTTPException(403, "The journal has the cards to come; wait for the end.")
        return PlainTextResponse(path.read_bytes(), headers=named)
    lines = with_pauses(log(records) if form == "log" else phh(records))
    text = "\n".join(lines) if form == "log" else "".join(lines)
    return PlainTextResponse(text, headers=named)
