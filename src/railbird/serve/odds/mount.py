"""The page of odds as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from railbird.serve.mounts import Mount
from railbird.serve.odds import routes
from railbird.serve.odds.question import Question
from railbird.serve.odds.view import view_of


def mount() -> Mount:
    """Return the page, compiled before the first request."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(view_of, Question.parse({"hole": "AsKs", "board": "Ts8d2c"}))
        await asyncio.to_thread(
            view_of, Question.parse({"hole": "AsKs", "board": "Ts8d2c", "n": "2", "o1f": "bet"})
        )
        yield

    return Mount(
        name="odds",
        title="Odds",
        path=routes.HOME,
        rank=60,
        router=routes.router,
        heavy=routes.HEAVY,
        lifespan=lifespan,
    )
