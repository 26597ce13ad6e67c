"""The application takes mounts: found by folder, linked in order, each with its own lifespan."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import APIRouter, FastAPI

from helpers.web_person import KEY, ORIGIN
from railbird.serve import ServerSettings, create_app
from railbird.serve.mounts import Mount, all_mounts, links, mount_names

pytestmark = pytest.mark.anyio


START = """
import asyncio, sys
from railbird.serve import ServerSettings, create_app

async def start(key, database):
    app = create_app(ServerSettings(key=key, database=database))
    async with app.router.lifespan_context(app):
        loaded = ("numba.np.arraymath", "alembic", "polars", "railbird.blackjack.tables")
        print(*(name for name in ("railbird.serve", *loaded) if name in sys.modules))

asyncio.run(start(*sys.argv[1:]))
"""
"""A server that starts on a database that is up to date, and says which of these it has loaded;
Numba's library of array functions comes with the first machine code."""


def test_every_module_with_a_mount_is_found() -> None:
    assert "pushfold" in mount_names()
    assert {mount.name for mount in all_mounts()} == set(mount_names())
    assert [mount.rank for mount in links()] == sorted(mount.rank for mount in links())


async def test_a_mount_has_its_routes_and_its_lifespan(sqlite: str) -> None:
    happened: list[str] = []
    router = APIRouter(prefix="/pushfold")

    @router.get("")
    async def answer() -> dict[str, list[str]]:
        return {"so_far": happened}

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        assert app.state.database is not None
        happened.append("opened")
        yield
        happened.append("closed")

    other = Mount(name="pushfold", title="X", path="/pushfold", router=router, lifespan=lifespan)
    app = create_app(ServerSettings(key=KEY, database=sqlite), other)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN) as client,
    ):
        assert (await client.get("/pushfold")).json() == {"so_far": ["opened"]}
        assert (await client.get("/pushfold/next")).status_code == 404
    assert happened == ["opened", "closed"]


@pytest.mark.slow
def test_a_server_that_nobody_asks_has_not_loaded_what_takes_much_memory(sqlite: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", START, KEY, sqlite], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["railbird.serve"], ran.stdout
