"""The table for people as a mount of the web application."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from railbird import _jit
from railbird.serve.host.host import Host
from railbird.serve.mounts import Mount
from railbird.serve.table import lobby, routes
from railbird.serve.table.people import People
from railbird.serve.table.settings import TableSettings
from railbird.serve.view.words import made


def mount(settings: TableSettings | None = None) -> Mount:
    """Return the lobby and the tables; where no tournament server runs, they say so."""
    chosen = settings or TableSettings()
    router = APIRouter(include_in_schema=False)
    router.include_router(lobby.router)
    router.include_router(routes.router)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.table = None
        host = app.state.host  # mounts start in the order of their ranks
        if not isinstance(host, Host):
            yield
            return
        await asyncio.to_thread(made, ["As", "Ks"], ["Kd", "7c", "2h"])  # compiles it
        people = app.state.table = People(host, chosen)
        watching = asyncio.create_task(people.watch())
        try:
            with _jit.watched(people.compiling):
                yield
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching

    return Mount(
        name="table", title="Play", path=lobby.LOBBY, rank=10, router=router, lifespan=lifespan
    )
