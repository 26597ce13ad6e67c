"""The application factory."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from railbird.serve import middleware, pages
from railbird.serve.mounts import Mount, all_mounts
from railbird.serve.settings import ServerSettings
from railbird.storage import open_database
from railbird.storage.accounts import Busy, Directory

_LOG = logging.getLogger(__name__)


class _Static(StaticFiles):
    """Static files that a browser may cache for a day; their URLs carry the version."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        answer = super().file_response(*args, **options)
        answer.headers["Cache-Control"] = "public, max-age=86400"
        return answer


def create_app(settings: ServerSettings, *instead: Mount) -> FastAPI:
    """Build the application of all mounts, ``instead`` taking the places of those of their names.

    On start it opens the database, and migrates it if needed, before the mounts start.
    """
    mounts = all_mounts(instead)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.settings = settings
        async with AsyncExitStack() as stack:
            app.state.database = await open_database(settings.database)
            stack.push_async_callback(app.state.database.close)
            app.state.directory = Directory(app.state.database)
            stack.callback(app.state.directory.close)
            for mount in mounts:
                await stack.enter_async_context(mount.lifespan(app))
            yield

    app = FastAPI(
        title="Railbird",
        lifespan=lifespan,
        openapi_url=None,
        middleware=_middleware(settings, mounts),
        exception_handlers={
            HTTPException: _refused,
            RequestValidationError: _not_valid,
            Busy: _busy,
            Exception: _failed,
        },
    )
    for mount in mounts:
        app.include_router(mount.router)
    app.mount("/static", _Static(directory=pages.STATIC), name="static")
    return app


def _middleware(settings: ServerSettings, mounts: Sequence[Mount]) -> list[Middleware]:
    """List the middleware, the outermost first."""
    return [
        Middleware(middleware.AnswerHeaders),
        Middleware(TrustedHostMiddleware, allowed_hosts=list(settings.hosts), www_redirect=False),
        Middleware(
            middleware.RateLimit,
            per_second=settings.requests_per_second,
            burst=settings.burst,
            heavy=tuple(path for mount in mounts for path in mount.heavy),
        ),
        Middleware(
            middleware.BodyLimit,
            limit=settings.body_limit,
            larger={path: size for mount in mounts for path, size in mount.bodies.items()},
        ),
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


async def _refused(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    if 300 <= problem.status_code < 400 and problem.headers:
        return RedirectResponse(problem.headers["Location"], problem.status_code)
    return pages.problem(request, problem.status_code, problem.detail)


async def _not_valid(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    where = str(first["loc"][-1]) if first["loc"] else "form"
    return pages.problem(request, 422, f"{where}: {first['msg']}.")


async def _busy(request: Request, problem: Exception) -> Response:
    return pages.problem(request, 503, f"{problem}.")


async def _failed(request: Request, problem: Exception) -> Response:
    """Hide the error from the client; the server's log has the traceback."""
    _LOG.error("%s %s failed", request.method, request.url.path)
    answer = pages.problem(request, 500, "Something went wrong on our side. It has been logged.")
    answer.headers.update(middleware.HEADERS)  # this response bypasses the middleware
    return answer
