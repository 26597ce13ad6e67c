"""The report on one's own play as a mount of the web application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from railbird.serve.mounts import Mount
from railbird.serve.report import puzzles, routes
from railbird.serve.report.jobs import Jobs
from railbird.serve.report.settings import ReportSettings


def mount(settings: ReportSettings | None = None) -> Mount:
    """Return the pages; reports are made by worker processes."""
    chosen = settings or ReportSettings()
    router = APIRouter()
    router.include_router(routes.router)
    router.include_router(puzzles.router)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.report = Jobs(chosen)
        try:
            yield
        finally:
            await app.state.report.close()

    return Mount(
        name="report",
        title="Report",
        path=routes.HOME,
        rank=55,
        router=router,
        heavy=(routes.UPLOAD,),
        bodies={routes.UPLOAD: chosen.most_bytes + routes.FORM_BYTES},
        lifespan=lifespan,
    )
