"""What an enemy tries: other sites' forms, forged cookies, floods, long bodies, odd hosts."""

from __future__ import annotations

import base64
import json
import re
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from itsdangerous import TimestampSigner
from starlette.types import Receive, Scope, Send

from helpers.made_up_match import made_up_equilibrium
from helpers.web_person import KEY, ORIGIN, Served, serving
from railbird.errors import BadInput, DamagedFile
from railbird.serve import ServerSettings
from railbird.serve.middleware import RateLimit
from railbird.serve.mounts.pushfold import PushFoldSettings
from railbird.serve.pushfold_game import Equilibrium
from railbird.serve.session import signing_key

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """One server for all that change nothing of it; each has a person of its own."""
    async with serving(f"sqlite:///{tmp_path_factory.mktemp('served')}/x.sqlite3") as one:
        yield one


async def test_headers_on_every_answer(served: Served) -> None:
    async with served.person() as person:
        for path in ("/pushfold", "/static/app.js", "/nothing", "/pushfold/chart?seat=x"):
            answer = await person.client.get(path)
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
        person.client.cookies.clear()
        cookie = (await person.client.get("/pushfold")).headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie


async def test_files_are_compressed_and_pages_that_have_secrets_are_not(served: Served) -> None:
    async with served.person() as person:
        file = await person.client.get("/static/app.css")
        assert file.headers["content-encoding"] == "gzip"
        assert "max-age" in file.headers["cache-control"]
        assert int(file.headers["content-length"]) < len(file.content) / 3
        assert "content-encoding" not in (await person.client.get("/pushfold")).headers
        plain = {"Accept-Encoding": "identity"}
        answer = await person.client.get("/static/app.css", headers=plain)
        assert "content-encoding" not in answer.headers
        assert answer.content == file.content


async def test_a_page_that_is_not_there_says_so_in_words(served: Served) -> None:
    async with served.person() as person:
        answer = await person.client.get("/nothing")
        assert answer.status_code == 404
        assert "There is no such page." in answer.text
        assert "Not Found" not in answer.text


async def test_pages_keep_the_policy_that_they_state(served: Served) -> None:
    async with served.person() as person:
        await person.until_to_act()
        for path in ("/pushfold", "/pushfold/chart", "/pushfold/leaders"):
            text = (await person.client.get(path)).text
            assert not re.search(r"<script(?![^>]* src=)", text)
            assert not re.search(r"<style|\sstyle=|\son\w+=|hx-on|javascript:|https?://", text)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": f"{ORIGIN}.evil.example"},
        {"Origin": f"{ORIGIN}:81"},
        {"Origin": "http://[::1"},
    ],
)
async def test_forms_of_other_sites(served: Served, headers: dict[str, str]) -> None:
    async with served.person() as person:
        form = {"token": person.hidden("token"), "after": "0"}
        answer = await person.client.post("/pushfold/next", data=form, headers=headers)
        assert answer.status_code == 403
        assert len(answer.text.splitlines()) == 1


async def test_a_form_without_origin_needs_the_site_and_the_token(served: Served) -> None:
    async with served.person() as person:
        del person.client.headers["origin"]
        form = {"token": person.hidden("token"), "after": "0"}
        crossing = {"Sec-Fetch-Site": "cross-site"}
        answer = await person.client.post("/pushfold/next", data=form, headers=crossing)
        assert answer.status_code == 403
        for token in ("", "guess", "ü" * 32, form["token"][:-1]):
            answer = await person.client.post("/pushfold/next", data={**form, "token": token})
            assert answer.status_code == (403 if token else 422)
        assert (await person.client.post("/pushfold/next", data=form)).status_code == 303


async def test_a_token_of_somebody_else(served: Served) -> None:
    async with served.person() as ann, served.person() as eve:
        eve.page = ann.page
        assert (await eve.send("next", after=0)).status_code == 403


async def test_a_cookie_that_we_have_not_signed(served: Served) -> None:
    async with served.person() as person:
        await person.until_to_act()
        session = {"player": "0" * 32, "form": "known"}
        payload = base64.b64encode(json.dumps(session).encode())
        forged = TimestampSigner("x" * 64).sign(payload).decode()
        async with served.person() as eve:
            eve.client.cookies.clear()
            eve.client.cookies.set("railbird", forged, domain="localhost.local")
            form = {"token": "known", "hand": "1", "choice": "fold"}
            assert (await eve.client.post("/pushfold/act", data=form)).status_code == 403


async def test_hosts(sqlite: str) -> None:
    hosts = ("localhost", "poker.example.org")
    async with serving(sqlite, hosts=hosts) as served, served.person() as person:
        for host, status in (
            ("poker.example.org", 200),
            ("localhost:8080", 200),
            ("evil.example", 400),
            ("", 400),
        ):
            answer = await person.client.get("/pushfold", headers={"Host": host})
            assert answer.status_code == status, host


async def test_long_bodies(served: Served) -> None:
    async with served.person() as person:
        answer = await person.send("next", after="0" * 10_000)
        assert answer.status_code == 413

        async def unannounced() -> AsyncIterator[bytes]:
            for _ in range(100):
                yield b"x" * 1000

        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = await person.client.post("/pushfold/next", content=unannounced(), headers=kind)
        assert answer.status_code == 413
        assert "at most 8192 bytes" in answer.text


@pytest.mark.parametrize("announced", [True, False])
async def test_a_browser_is_told_on_a_page_that_a_file_is_too_long(
    served: Served, announced: bool
) -> None:
    async def unannounced() -> AsyncIterator[bytes]:
        yield b"x" * 10_000

    async with served.person() as person:
        answer = await person.client.post(
            "/pushfold/next",
            content=b"x" * 10_000 if announced else unannounced(),
            headers={"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"},
        )
        assert answer.status_code == 413
        assert answer.headers["content-type"].startswith("text/html")
        assert "<h1>Sorry</h1>" in answer.text
        assert "Content-Security-Policy" in answer.headers


async def test_floods(sqlite: str) -> None:
    slow = {"burst": 5, "requests_per_second": 0.001}
    async with serving(sqlite, **slow) as served, served.person() as person:
        codes = [(await person.client.get("/pushfold")).status_code for _ in range(6)]
    assert codes == [200] * 4 + [429] * 2


async def test_what_reads_everything_costs_more(sqlite: str) -> None:
    slow = {"burst": 45, "requests_per_second": 0.001}
    async with serving(sqlite, **slow) as served, served.person() as person:
        codes = [(await person.client.get("/pushfold/data.csv")).status_code for _ in range(3)]
        assert codes == [200, 200, 429]
        assert (await person.client.get("/pushfold")).status_code == 200


async def test_a_bucket_fills_again_and_addresses_have_their_own() -> None:
    now = 0.0

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    limited = RateLimit(app, per_second=2, burst=2, clock=lambda: now)

    async def ask(address: str) -> int:
        transport = httpx.ASGITransport(limited, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            return (await client.get("/")).status_code

    assert [await ask("a") for _ in range(3)] == [200, 200, 429]
    assert await ask("b") == 200
    now = 0.5
    assert [await ask("a") for _ in range(2)] == [200, 429]


async def test_a_failure_tells_the_client_nothing(sqlite: str) -> None:
    def broken(stack: float) -> Equilibrium:
        if stack == 10:
            return made_up_equilibrium(stack)
        raise RuntimeError("the secret of the house")

    async with serving(sqlite, solver=broken) as served, served.person() as person:
        answer = await person.send("settings", stack=11, nickname="", skill="")
        assert answer.status_code == 500
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert "content-security-policy" in answer.headers


@pytest.mark.parametrize(
    "form",
    [
        {"hand": "1"},
        {"hand": "1", "choice": "raise"},
        {"hand": "-1", "choice": "fold"},
        {"hand": "99999999999999999999", "choice": "fold"},
        {"hand": "1'; DROP TABLE player; --", "choice": "fold"},
        {"hand": "1", "choice": "fold", "winnings": "100"},
    ],
)
async def test_forms_that_are_not_ours(served: Served, form: dict[str, str]) -> None:
    async with served.person() as person:
        await person.until_to_act()
        answer = await person.send("act", **form)
        assert answer.status_code == 422
        assert "Traceback" not in answer.text
        partial = await person.client.post(
            "/pushfold/act",
            data={"token": person.hidden("token"), **form},
            headers={"HX-Request": "true"},
        )
        assert len(partial.text.splitlines()) == 1
        assert partial.headers["hx-retarget"] == "#notice"


def test_the_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "serve.key"
    key = signing_key(path)
    assert len(key) == 64
    assert signing_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["serve.key"]
    path.chmod(0o644)
    with pytest.raises(BadInput, match="0600"):
        signing_key(path)
    path.chmod(0o600)
    path.write_text("short")
    with pytest.raises(DamagedFile):
        signing_key(path)


@pytest.mark.parametrize(
    "options",
    [
        {"key": "short"},
        {"database": "mysql://localhost/x"},
        {"database": "sqlite://"},
        {"database": "postgresql+asyncpg://localhost/x"},
        {"database": "not a url"},
    ],
)
def test_settings_that_cannot_be(options: dict[str, object]) -> None:
    with pytest.raises(BadInput) as refused:
        ServerSettings(**{"key": KEY, "database": "sqlite:///x", **options})  # type: ignore[arg-type]
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("stack", [0.5, float("nan")])
def test_stacks_that_cannot_be(stack: float) -> None:
    with pytest.raises(BadInput, match="allowed: 1 to 100"):
        PushFoldSettings(stack=stack)
