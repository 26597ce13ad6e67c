"""The game of push/fold as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
from fastapi import FastAPI

from railbird.serve.mounts import Mount
from railbird.serve.pushfold import routes
from railbird.serve.pushfold.equilibrium import Equilibria
from railbird.serve.pushfold.hand import deal, showdown
from railbird.serve.pushfold.settings import PushFoldSettings


def mount(settings: PushFoldSettings | None = None) -> Mount:
    """Return the game, with its first equilibrium solved before the first request."""
    chosen = settings or PushFoldSettings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        equilibria = Equilibria(chosen.solver)
        await equilibria.at(chosen.stack)
        await asyncio.to_thread(showdown, deal(np.random.default_rng(0)))  # compiles it
        app.state.pushfold = routes.State(chosen, equilibria)
        yield

    return Mount(
        name="pushfold",
        title="Push/fold",
        path=routes.HOME,
        rank=50,
        router=routes.router,
        heavy=routes.HEAVY,
        lifespan=lifespan,
    )
