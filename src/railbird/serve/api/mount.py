"""The HTTP interface as a mount of the web application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi

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
    async def openapi() -> dict[str, Any]:
        """Return the description of this interface."""
        return described(router)

    return Mount(
        name="api",
        router=router,
        heavy=(f"{PREFIX}/ratings", f"{PREFIX}/account/export"),
        lifespan=lifespan,
    )


def described(router: APIRouter) -> dict[str, Any]:
    """Return the OpenAPI description of a router."""
    schema = get_openapi(title="Railbird", version=__version__, routes=router.routes)
    schema.setdefault("components", {}).setdefault("schemas", {})["Problem"] = (
        Problem.model_json_schema()
    )
    return schema
