"""Results, ratings and crosstables as a mount of the web application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from railbird.serve.mounts import Mount
from railbird.serve.standings import routes
from railbird.serve.standings.games import Games


def mount() -> Mount:
    """Return the pages."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.standings = Games()
        yield

    return Mount(
        name="standings",
        title="Results",
        path=routes.RESULTS,
        rank=58,
        router=routes.router,
        heavy=(routes.RATINGS, routes.CROSSTABLE),
        lifespan=lifespan,
    )
