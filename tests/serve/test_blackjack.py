"""Blackjack over HTTP: one round at a time, scored, and nothing that is not the player's turn."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from helpers.web_person import KEY, ORIGIN
from railbird.serve import ServerSettings, create_app
from railbird.serve.mounts.blackjack import MOST_PEOPLE, BlackjackSettings, BlackjackVisitors, mount


@asynccontextmanager
async def _client(folder: Path, seed: int = 3) -> AsyncIterator[httpx.AsyncClient]:
    database = f"sqlite:///{folder / 'serve.sqlite3'}"
    settings = ServerSettings(key=KEY, database=database, burst=100_000)
    app = create_app(settings, mount(BlackjackSettings(seed=seed)))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ORIGIN) as client,
    ):
        yield client


def _hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found
    return found[1]


def _choices(page: str) -> list[str]:
    return re.findall(r'name="choice" value="([^"]*)"', page)


async def _send(client: httpx.AsyncClient, page: str, action: str, **more: str) -> httpx.Response:
    data = {"token": _hidden(page, "token"), "step": _hidden(page, "step"), **more}
    return await client.post(f"/blackjack/{action}", data=data, follow_redirects=True)


@pytest.mark.slow
@pytest.mark.anyio
async def test_rounds_are_played_and_every_decision_is_scored(tmp_path: Path) -> None:
    async with _client(tmp_path) as client:
        page = (await client.get("/blackjack")).text
        costs = 0
        for _ in range(60):
            choices = _choices(page)
            if choices:
                answer = await _send(client, page, "choose", choice=choices[-1])
            else:
                answer = await _send(client, page, "deal")
            assert answer.status_code == 200, answer.text
            page = answer.text
            costs += "costs" in page
        assert costs > 5
        rounds = re.search(r"<dt>Rounds</dt><dd>(\d+)", page)
        assert rounds
        assert int(rounds[1]) > 10


@pytest.mark.anyio
async def test_a_form_counts_once_and_only_in_turn(tmp_path: Path) -> None:
    async with _client(tmp_path) as client:
        start = (await client.get("/blackjack")).text
        page = (await _send(client, start, "deal")).text
        assert (await _send(client, start, "deal")).status_code == 409
        while not _choices(page):
            page = (await _send(client, page, "deal")).text
        assert (await _send(client, page, "deal")).status_code == 409
        assert (await _send(client, page, "choose", choice="fold")).status_code == 409
        assert (await _send(client, page, "choose", choice="x" * 30)).status_code == 422
        assert (await _send(client, page, "choose", choice="stand", more="1")).status_code == 422
        assert (await _send(client, page, "choose", choice=_choices(page)[0])).status_code == 200
        assert (await _send(client, page, "choose", choice=_choices(page)[0])).status_code == 409


@pytest.mark.slow
@pytest.mark.anyio
async def test_the_hole_card_is_not_in_the_page_before_it_is_turned_up(tmp_path: Path) -> None:
    async with _client(tmp_path) as client:
        page = (await client.get("/blackjack")).text
        for _ in range(20):
            page = (await _send(client, page, "deal")).text
            if _choices(page):
                dealer = page.partition("The dealer's cards")[2].partition('class="hands"')[0]
                assert dealer.count('role="img"') == 1
                assert dealer.count("card back") == 1
            while _choices(page):
                page = (await _send(client, page, "choose", choice=_choices(page)[0])).text


@pytest.mark.slow
@pytest.mark.anyio
async def test_forms_of_others_are_refused(tmp_path: Path) -> None:
    async with _client(tmp_path) as client:
        await client.get("/blackjack")
        answer = await client.post("/blackjack/deal", data={"token": "x" * 32, "step": "0"})
        assert answer.status_code == 403
        answer = await client.post(
            "/blackjack/deal", data={"token": "x", "step": "0"}, headers={"Origin": "http://evil"}
        )
        assert answer.status_code == 403


def test_only_so_many_visitors_are_remembered() -> None:
    people = BlackjackVisitors(BlackjackSettings(seed=1))
    first = people.remember("first")
    for number in range(MOST_PEOPLE):
        people.remember(str(number))
    assert people.of("first") is not first
    assert people.of("7") is people.of("7")
