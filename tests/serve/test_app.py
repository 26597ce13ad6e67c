"""The application takes mounts: found by folder, linked in order, each with its own lifespan."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import APIRouter, FastAPI

from helpers.web_person import KEY, ORIGIN
from railbird.serve import ServerSettings, create_app
from railbird.serve.mounts import Mount, all_mounts, links, mount_names

pytestmark = pytest.mark.anyio


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
