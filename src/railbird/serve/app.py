"""The application factory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from railbird.serve import middleware, pages
from railbird.serve.pushfold import routes as pushfold
from railbird.serve.pushfold.equilibrium import Equilibria
from railbird.serve.pushfold.hand import deal, showdown
from railbird.serve.settings import ServerSettings
from railbird.storage import open_database

_LOG = logging.getLogger(__name__)


class _Static(StaticFiles):
    """Static files that a browser may cache for a day; their URLs carry the version."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        answer = super().file_response(*args, **options)
        answer.headers["Cache-Control"] = "public, max-age=86400"
        return answer


def create_app(settings: ServerSettings) -> FastAPI:
    """Build the application; on start it opens the database and migrates it if needed."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.settings = settings
        app.state.equilibria = Equilibria(settings.solver)
        await app.state.equilibria.at(settings.stack)
        await asyncio.to_thread(showdown, deal(np.random.default_rng(0)))  # compiles it
        app.state.database = await open_database(settings.database)
        try:
            yield
        finally:
            await app.state.database.close()

    app = FastAPI(
        title="Railbird",
        lifespan=lifespan,
        openapi_url=None,
        middleware=_middleware(settings),
        exception_handlers={
            HTTPException: _refused,
            RequestValidationError: _not_valid,
            Exception: _failed,
        },
    )
    app.include_router(pushfold.router)
    app.mount("/static", _Static(directory=pages.STATIC), name="static")
    app.add_api_route("/", _home, include_in_schema=False)
    return app


def _middleware(settings: ServerSettings) -> list[Middleware]:
    """List the middleware, the outermost first."""
    return [
        Middleware(middleware.AnswerHeaders),
        Middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts), www_redirect=False),
        Middleware(
            middleware.RateLimit,
            per_second=settings.requests_per_second,
            burst=settings.burst,
            heavy=pushfold.HEAVY,
        ),
        Middleware(middleware.BodyLimit, limit=settings.body_limit),
        Middleware(middleware.SameOrigin),
        Middleware(
            SessionMiddleware,
            secret_key=settings.key,
            session_cookie="railbird",
            max_age=settings.cookie_age_s,
            same_site="lax",
            https_only=settings.secure_cookies,
        ),
    ]


async def _home() -> RedirectResponse:
    return RedirectResponse("/pushfold")


async def _refused(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    return pages.problem(request, problem.status_code, problem.detail)


async def _not_valid(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    where = str(first["loc"][-1]) if first["loc"] else "form"
    return pages.problem(request, 422, f"{where}: {first['msg']}.")


async def _failed(request: Request, problem: Exception) -> Response:
    """Hide the error from the client; the server's log has the traceback."""
    _LOG.error("%s %s failed", request.method, request.url.path)
    answer = pages.problem(request, 500, "Something went wrong on our side. It has been logged.")
    answer.headers.update(middleware.HEADERS)  # this response bypasses the middleware
    return answer
