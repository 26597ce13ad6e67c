"""Nights among friends on the server: upload, link, who may delete, and what enemies send."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy.orm import Session

from helpers.web_person import ORIGIN, app_of
from railbird.serve.mounts.report import mount
from railbird.serve.report_jobs import ReportSettings
from railbird.storage import nights
from railbird.storage.accounts import AccountKind, create_account, export_account
from railbird.storage.database import now, open_blocking
from railbird.storage.nights import (
    adopt_nights,
    forget_night,
    night_page,
    nights_of,
    share_night,
)
from railbird.storage.puzzles import Owner
from railbird.storage.tables import SharedNightRow

GOLDEN = Path(__file__).parents[1] / "golden"
LOG = (GOLDEN / "histories" / "pokernow.csv").read_bytes()
HOSTILE = "<img src=x onerror=alert(1)>"


@asynccontextmanager
async def browsers(database: str, number: int) -> AsyncIterator[list[httpx.AsyncClient]]:
    app = app_of(database, mount(ReportSettings(nice=0)))
    async with app.router.lifespan_context(app):
        clients = [
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app, raise_app_exceptions=False),
                base_url=ORIGIN,
                headers={"Origin": ORIGIN, "Accept": "text/html"},
            )
            for _ in range(number)
        ]
        try:
            yield clients
        finally:
            for client in clients:
                await client.aclose()


async def token_of(client: httpx.AsyncClient) -> str:
    match = re.search(r'name="token" value="([^"]+)"', (await client.get("/night")).text)
    assert match
    return match[1]


async def upload(client: httpx.AsyncClient, content: bytes, name: str = "x.csv") -> str:
    sent = await client.post(
        "/night/upload", data={"token": await token_of(client)}, files={"file": (name, content)}
    )
    assert sent.status_code == 303, sent.text
    return sent.headers["location"]


async def settled(client: httpx.AsyncClient, where: str) -> httpx.Response:
    for _ in range(2400):
        answer = await client.get(where)
        if "http-equiv" not in answer.text:
            return answer
        await asyncio.sleep(0.1)
    raise AssertionError("the page is not made")


@pytest.mark.anyio
@pytest.mark.slow
async def test_a_page_is_read_by_whoever_has_its_link_and_deleted_by_its_owner(sqlite: str) -> None:
    named = LOG.replace(b"Bo @", f"{HOSTILE} @".encode())
    assert named != LOG
    async with browsers(sqlite, 2) as (ann, eve):
        where = await upload(ann, named)
        assert (await eve.get(where)).status_code == 404, "what is made is its owner's"
        job = where.rsplit("/", 1)[1]
        assert (await ann.get(f"/report/{job}")).status_code == 404, "a night is no report"
        made = await settled(ann, where)
        assert made.headers["location"] == "/night"
        home = (await ann.get("/night")).text
        (link,) = set(re.findall(r'href="(/night/[A-Za-z0-9_-]{20,})"', home))
        assert f"{ORIGIN}{link}" in home
        assert link not in (await eve.get("/night")).text

        page = await eve.get(link)
        assert page.status_code == 200
        assert "Who owes whom" in page.text
        assert HOSTILE not in page.text
        policy = page.headers["Content-Security-Policy"]
        assert policy.startswith("sandbox allow-scripts; default-src 'none'")
        assert page.headers["X-Robots-Tag"] == "noindex"

        stolen = await eve.post(f"{link}/delete", data={"token": await token_of(eve)})
        assert stolen.status_code == 404
        assert (await ann.post(f"{link}/delete", data={"token": "no"})).status_code == 403
        assert (await eve.get(link)).status_code == 200
        deleted = await ann.post(f"{link}/delete", data={"token": await token_of(ann)})
        assert deleted.status_code == 303
        assert (await eve.get(link)).status_code == 404
        assert link not in (await ann.get("/night")).text


@pytest.mark.anyio
@pytest.mark.slow
async def test_what_is_no_night_says_why(sqlite: str) -> None:
    alone = b"not a hand in it\n"
    async with browsers(sqlite, 1) as (ann,):
        answer = await settled(ann, await upload(ann, alone, "<b>.txt"))
        assert "No page" in answer.text
        assert "&lt;b&gt;.txt" in answer.text
        assert "no known format" in answer.text
        empty = await ann.post(
            "/night/upload", data={"token": await token_of(ann)}, files={"file": ("x", b"")}
        )
        assert empty.status_code == 422


@pytest.mark.anyio
async def test_links_that_are_none(sqlite: str) -> None:
    async with browsers(sqlite, 1) as (ann,):
        for link in ("A" * 32, "short", "../etc", "x" * 80, "%00" * 30):
            assert (await ann.get(f"/night/{link}")).status_code == 404


def shared(session: Session, owner: Owner) -> list[str]:
    return [night.title for night in nights_of(session, owner)]


def test_pages_are_their_owners_and_go_with_the_account(database: str) -> None:
    opened = open_blocking(database)
    browser = Owner(None, "token")
    with opened.write() as session:
        link = share_night(session, browser, "Friday", "<p>ä</p>")
        assert len(link) == 32
        assert night_page(session, link) == "<p>ä</p>"
        assert not forget_night(session, Owner(None, "another"), link)
        account = create_account(session, "ann", kind=AccountKind.PERSON).id
        adopt_nights(session, browser, Owner(account, ""))
        assert shared(session, browser) == []
        assert shared(session, Owner(account, "")) == ["Friday"]
        (exported,) = export_account(session, account)["nights"]
        assert (exported["title"], exported["page"]) == ("Friday", "<p>ä</p>")
        assert forget_night(session, Owner(account, ""), link)
        assert night_page(session, link) is None
    opened.close()


def test_old_pages_and_those_of_an_owner_beyond_the_limit_go(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_blocking(database)
    owner, moment = Owner(None, "token"), now()
    monkeypatch.setattr(nights, "MOST_NIGHTS", 2)
    with opened.write() as session:
        links = []
        for number in range(3):
            links.append(share_night(session, owner, f"{number}", "page"))
            session.get_one(SharedNightRow, links[-1]).made_at = moment - timedelta(days=3 - number)
            session.flush()
        assert shared(session, owner) == ["2", "1"]
        assert night_page(session, links[0]) is None
        monkeypatch.setattr(nights, "now", lambda: moment + timedelta(days=nights.NIGHT_DAYS))
        assert shared(session, owner) == []
        assert night_page(session, links[2]) is None, "also before anybody deletes it"
        monkeypatch.setattr(nights, "now", lambda: moment)
        monkeypatch.setattr(nights, "MOST_BYTES", 1)
        share_night(session, Owner(None, "another"), "large", "page")
        assert shared(session, owner) == []
    opened.close()
