"""The application factory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from railbird.errors import BadInput
from railbird.hosting.supervisor import Supervisor
from railbird.serve import middleware, pages
from railbird.serve.caller import NAME_PATTERN
from railbird.serve.log_ins import LogIns, LogInSettings
from railbird.serve.mounts import Mount, all_mounts
from railbird.storage import database_address, default_database, open_database
from railbird.storage.accounts import NAME_ALLOWED
from railbird.storage.directory import Directory
from railbird.storage.passwords import Busy

# The settings of a server.


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The settings of a server.

    Each mount has the settings of its game. Raises `railbird.errors.BadInput` for a key or a
    database that cannot be used.
    """

    key: str
    """Secret that signs the cookies: its holder can play as anybody."""
    database: str = field(default_factory=default_database)
    """A SQLAlchemy URL: ``sqlite:///FILE`` or ``postgresql://USER@HOST/NAME``."""
    hosts: tuple[str, ...] = LOOPBACK
    """Host names that the server accepts (the Host header)."""
    secure_cookies: bool = False
    """Send cookies over HTTPS only; for a server behind a proxy that speaks it."""
    cookie_age_s: int = 365 * 24 * 3600
    """Seconds for which a browser keeps the cookie that makes it the same player."""
    requests_per_second: float = 20.0
    """Requests a second that one address may make in the long run."""
    burst: int = 120
    """Requests that one address may make at once."""
    log_ins: LogInSettings = field(default_factory=LogInSettings)
    """Log-ins and sign-ups that one address may try."""
    body_limit: int = 8192
    """Size in bytes of the largest body accepted."""

    def __post_init__(self) -> None:
        if len(self.key) < 32:
            raise BadInput(f"a key of {len(self.key)} characters; allowed: 32 or more")
        database_address(self.database)


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
            app.state.log_ins = LogIns(app.state.directory, settings.log_ins)
            supervisor = app.state.supervisor = Supervisor()
            asyncio.get_running_loop().set_exception_handler(supervisor.unhandled)
            stack.push_async_callback(supervisor.stop)
            for mount in mounts:
                await stack.enter_async_context(mount.lifespan(app))
            if app.state.host is not None:
                await app.state.host.listen()
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
    # Pages are not compressed: beside what a stranger sent, their size would tell their secrets.
    static = GZipMiddleware(_Static(directory=pages.STATIC), minimum_size=1024, compresslevel=6)
    app.mount("/static", static, name="static")
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
            paced=tuple(path for mount in mounts for path in mount.paced),
        ),
        Middleware(
            middleware.BodyLimit,
            limit=settings.body_limit,
            answer=pages.problem,
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
    is_page = not request.url.path.startswith(middleware.FOR_PROGRAMS)
    if is_page and first["loc"][:1] == ("path",):
        return pages.problem(request, 404, "There is no such page.")
    said = first["msg"]
    if first["type"] == "string_pattern_mismatch":
        is_name = first["ctx"]["pattern"] == NAME_PATTERN
        said = f"allowed: {NAME_ALLOWED}" if is_name else "some characters are not allowed in it"
    return pages.problem(request, 422, f"{where}: {said}.")


async def _busy(request: Request, problem: Exception) -> Response:
    return pages.problem(request, 503, f"{problem}.")


async def _failed(request: Request, problem: Exception) -> Response:
    """Hide the error from the client; the server's log has the traceback."""
    _LOG.error("%s %s failed", request.method, request.url.path)
    answer = pages.problem(request, 500, "Something went wrong on our side. It has been logged.")
    answer.headers.update(middleware.HEADERS)  # this response bypasses the middleware
    return answer
