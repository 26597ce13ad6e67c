"""The tournament server as a mount of the web application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from railbird.serve.host import admin, downloads, routes
from railbird.serve.host.host import Host, HostSettings
from railbird.serve.mounts import Mount


def mount(settings: HostSettings | None = None) -> Mount:
    """Return the tournament server; without settings, it plays nothing."""
    router = APIRouter()
    router.include_router(routes.router)
    router.include_router(admin.router)
    router.include_router(downloads.router)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.host = None
        if settings is None:
            yield
            return
        host = Host(settings, app.state.directory, app.state.settings.database)
        await host.start()
        app.state.host = host
        try:
            yield
        finally:
            await host.stop()

    return Mount(name="host", rank=0, router=router, heavy=("/api/games",), lifespan=lifespan)
