"""The HTTP interface as a mount of the web application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from railbird import __version__
from railbird.serve.api import accounts, results
from railbird.serve.api.caller import PROBLEMS, Limits, State
from railbird.serve.api.models import Problem
from railbird.serve.api.settings import ApiSettings
from railbird.serve.mounts import Mount

PREFIX = "/api"


def mount(settings: ApiSettings | None = None) -> Mount:
    """Return the interface."""
    chosen = settings or ApiSettings()
    router = APIRouter(prefix=PREFIX, responses=PROBLEMS)
    router.include_router(accounts.router)
    router.include_router(results.router)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.api = State(chosen, Limits(chosen))
        yield

    @router.get("/openapi.json", include_in_schema=False)
    async def openapi(request: Request) -> dict[str, Any]:
        """Return the description of this interface, and of what other mounts add to it."""
        return described(request.app.routes)

    return Mount(
        name="api",
        router=router,
        heavy=(f"{PREFIX}/ratings", f"{PREFIX}/account/export"),
        lifespan=lifespan,
    )


def described(routes: Sequence[BaseRoute], *beginnings: str) -> dict[str, Any]:
    """Return the OpenAPI description of the paths that begin so, by default this interface's."""
    schema = get_openapi(title="Railbird", version=__version__, routes=routes)
    chosen = beginnings or (f"{PREFIX}/",)
    paths = schema.get("paths", {})
    schema["paths"] = {path: of for path, of in paths.items() if path.startswith(chosen)}
    schema.setdefault("components", {}).setdefault("schemas", {})["Problem"] = (
        Problem.model_json_schema()
    )
    return schema
