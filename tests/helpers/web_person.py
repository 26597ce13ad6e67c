"""Somebody at a browser without a screen, and the server that it speaks to."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from typing import Any

import httpx
import numpy as np
from fastapi import FastAPI

from helpers.made_up_equilibrium import made_up_equilibrium
from railbird.serve import ServerSettings, create_app
from railbird.serve.mounts import Mount
from railbird.serve.pushfold.mount import mount as pushfold
from railbird.serve.pushfold.settings import PushFoldSettings

KEY = "k" * 64
ORIGIN = "http://localhost"
_OF_GAME = {field.name for field in fields(PushFoldSettings)}


def app_of(database: str, *instead: Mount, **options: Any) -> FastAPI:
    """A server whose deals are the same every time; ``options`` are its and the game's."""
    rng = np.random.default_rng(2026)
    game: dict[str, Any] = {"generator": lambda: rng, "solver": made_up_equilibrium}
    game |= {name: options.pop(name) for name in _OF_GAME & options.keys()}
    chosen = ServerSettings(key=KEY, database=database, **{"burst": 100_000, **options})
    return create_app(chosen, pushfold(PushFoldSettings(**game)), *instead)


@dataclass
class Person:
    """Somebody at a browser; the forms are found in the page, as a browser finds them."""

    client: httpx.AsyncClient
    page: str = ""

    async def look(self) -> str:
        answer = await self.client.get("/pushfold")
        assert answer.status_code == 200, answer.text
        self.page = answer.text
        return self.page

    def hidden(self, name: str) -> str:
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page)
        assert found, f"no field {name} in the page"
        return found[1]

    @property
    def is_to_act(self) -> bool:
        return 'name="choice"' in self.page

    async def send(self, action: str, **fields: object) -> httpx.Response:
        data = {"token": self.hidden("token"), **{key: str(v) for key, v in fields.items()}}
        return await self.client.post(f"/pushfold/{action}", data=data)

    async def next(self) -> None:
        answer = await self.send("next", after=self.hidden("after"))
        assert answer.status_code == 303, answer.text
        await self.look()

    async def act(self, choice: str) -> None:
        answer = await self.send("act", hand=self.hidden("hand"), choice=choice)
        assert answer.status_code == 303, answer.text
        await self.look()

    async def until_to_act(self) -> None:
        while not self.is_to_act:
            await self.next()


@dataclass
class Served:
    """A running application."""

    app: FastAPI

    @asynccontextmanager
    async def person(self, **options: Any) -> AsyncIterator[Person]:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        headers = {"Origin": ORIGIN, "Accept": "text/html"}
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers=headers, **options
        ) as client:
            person = Person(client)
            await person.look()
            yield person


@asynccontextmanager
async def serving(database: str, **options: Any) -> AsyncIterator[Served]:
    app = app_of(database, **options)
    async with app.router.lifespan_context(app):
        yield Served(app)
