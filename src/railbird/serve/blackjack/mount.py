"""Blackjack as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from railbird.blackjack import hand_values
from railbird.serve.blackjack import routes
from railbird.serve.blackjack.people import People
from railbird.serve.blackjack.settings import BlackjackSettings
from railbird.serve.mounts import Mount


def mount(settings: BlackjackSettings | None = None) -> Mount:
    """Return the game, with the values of a hand computed before the first request."""
    chosen = settings or BlackjackSettings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(hand_values, (9, 5), 9, chosen.rules)  # compiles it
        app.state.blackjack = People(chosen)
        yield

    return Mount(
        name="blackjack",
        title="Blackjack",
        path=routes.HOME,
        rank=60,
        router=routes.router,
        lifespan=lifespan,
    )
