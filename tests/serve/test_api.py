"""The HTTP interface: accounts and bots, and what an enemy tries with cookies, tokens and rates."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from helpers.web_person import ORIGIN, app_of, threaded_server
from railbird.serve.host import HostSettings
from railbird.serve.log_ins import LogIns, LogInSettings
from railbird.serve.mounts.api import described
from railbird.serve.mounts.host import mount as host_mount
from railbird.serve.results import Ladder
from railbird.storage import accounts
from railbird.storage.accounts import AccountKind
from railbird.storage.directory import Directory
from railbird.storage.results import LadderRating, Met, ResultEntry, TournamentResult, record_result
from railbird.storage.settings import MOST_GUESSES

pytestmark = pytest.mark.anyio

PASSWORD = "correct horse"


@dataclass
class Browser:
    """A browser with cookies that sends back the token it was given."""

    client: httpx.AsyncClient
    csrf: str = ""

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        sent = {"X-CSRF-Token": self.csrf, **headers}
        answer = await self.client.request(method, f"/api{path}", json=body, headers=sent)
        if path in ("/session", "/accounts") and answer.status_code in (200, 201):
            self.csrf = answer.json()["csrf_token"]
        return answer

    async def sign_up(self, name: str) -> None:
        answer = await self.ask("POST", "/accounts", {"name": name, "password": PASSWORD})
        assert answer.status_code == 201, answer.text

    async def log_in(self, name: str, password: str = PASSWORD) -> int:
        answer = await self.ask("POST", "/session", {"name": name, "password": password})
        return answer.status_code


@asynccontextmanager
async def browser(app: FastAPI, address: str = "127.0.0.1") -> AsyncIterator[Browser]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 4000))
    async with httpx.AsyncClient(
        transport=transport, base_url=ORIGIN, headers={"Origin": ORIGIN}
    ) as client:
        yield Browser(client)


@asynccontextmanager
async def serving(database: str, **options: Any) -> AsyncIterator[FastAPI]:
    app = app_of(database, **options)
    async with app.router.lifespan_context(app):
        yield app


@pytest.mark.slow(but=["sqlite"])
async def test_an_account_from_sign_up_to_deletion(database: str) -> None:
    async with serving(database) as app, browser(app) as ann:
        assert (await ann.ask("GET", "/session")).json()["account"] is None
        assert (await ann.ask("GET", "/account")).status_code == 401
        await ann.sign_up("Ann")
        assert (await ann.ask("GET", "/account")).json()["name"] == "Ann"
        assert (await ann.ask("DELETE", "/session")).status_code == 204
        assert (await ann.ask("GET", "/account")).status_code == 401
        assert await ann.log_in("ann", "wrong horse") == 401
        assert await ann.log_in("ann") == 200
        change = {"old": PASSWORD, "new": "battery staple"}
        assert (await ann.ask("PUT", "/account/password", change)).status_code == 204
        assert (await ann.ask("GET", "/account")).status_code == 401
        assert await ann.log_in("ann", "battery staple") == 200
        exported = await ann.ask("GET", "/account/export")
        assert "attachment" in exported.headers["content-disposition"]
        assert exported.json()["name"] == "Ann"
        wrong = await ann.ask("DELETE", "/account", {"password": PASSWORD})
        assert wrong.status_code == 403
        gone = await ann.ask("DELETE", "/account", {"password": "battery staple"})
        assert gone.status_code == 204
        assert (await ann.ask("GET", "/account")).status_code == 401
        assert await ann.log_in("ann", "battery staple") == 401


@pytest.mark.slow
async def test_bots_and_their_tokens(sqlite: str) -> None:
    async with serving(sqlite) as app, browser(app) as ann, browser(app) as bob:
        await ann.sign_up("ann")
        await bob.sign_up("bob")
        directory: Directory = app.state.directory
        assert (await ann.ask("POST", "/bots", {"name": "Shark"})).status_code == 201
        assert (await bob.ask("POST", "/bots", {"name": "shark"})).status_code == 409
        assert (await ann.ask("GET", "/bots")).json()[0]["owner"] == "ann"
        made = (await ann.ask("POST", "/bots/shark/tokens", {"label": "laptop"})).json()
        assert (await directory.log_in_by_token(made["token"])).name == "Shark"
        (listed,) = (await ann.ask("GET", "/bots/shark/tokens")).json()
        assert listed == {key: value for key, value in made.items() if key != "token"}
        path = f"/bots/shark/tokens/{made['id']}"
        for method, other in [
            ("GET", "/bots/shark/tokens"),
            ("DELETE", path),
            ("DELETE", "/bots/shark"),
        ]:
            assert (await bob.ask(method, other)).status_code == 404, "somebody else's"
        assert (await bob.ask("POST", "/bots/shark/tokens", {})).status_code == 404
        assert (await ann.ask("DELETE", path)).status_code == 204
        assert (await ann.ask("DELETE", path)).status_code == 404
        assert (await ann.ask("GET", "/bots/shark/tokens")).json() == []
        assert (await ann.ask("DELETE", "/bots/shark")).status_code == 204
        assert (await ann.ask("GET", "/bots")).json() == []


@pytest.mark.slow
async def test_changes_need_the_token_of_the_session(sqlite: str) -> None:
    async with serving(sqlite) as app, browser(app) as ann, browser(app) as eve:
        await ann.sign_up("ann")
        await eve.sign_up("eve")
        changes: list[tuple[str, str, Any]] = [
            ("DELETE", "/session", None),
            ("PUT", "/account/password", {"old": PASSWORD, "new": "battery staple"}),
            ("DELETE", "/account", {"password": PASSWORD}),
            ("POST", "/bots", {"name": "x"}),
            ("DELETE", "/bots/x", None),
            ("POST", "/bots/x/tokens", {}),
            ("DELETE", "/bots/x/tokens/1", None),
        ]
        for method, path, body in changes:
            for csrf in ("", "guess", eve.csrf, "ü" * 9):
                sent = {"X-CSRF-Token": csrf} if csrf.isascii() else {}
                answer = await ann.client.request(method, f"/api{path}", json=body, headers=sent)
                assert answer.status_code == 403, (method, path, csrf, answer.text)
            crossing = await ann.ask(method, path, body, Origin="https://evil.example")
            assert crossing.status_code == 403
            assert crossing.json() == {"problem": "This form was sent from another site."}
        assert (await ann.ask("GET", "/account")).json()["name"] == "ann"


async def test_a_session_before_log_in_is_not_the_one_after(sqlite: str) -> None:
    async with serving(sqlite) as app, browser(app) as ann:
        await ann.ask("GET", "/session")
        before, csrf = ann.client.cookies["railbird"], ann.csrf
        await ann.sign_up("ann")
        assert ann.csrf != csrf
        after = ann.client.cookies["railbird"]
        ann.client.cookies.set("railbird", before)
        assert (await ann.ask("GET", "/account")).status_code == 401
        ann.client.cookies.clear()
        ann.client.cookies.set("railbird", after)
        assert (await ann.ask("GET", "/account")).status_code == 200
        await ann.ask("GET", "/session")
        await ann.ask("DELETE", "/session")
        ann.client.cookies.clear()
        ann.client.cookies.set("railbird", after)
        assert (await ann.ask("GET", "/account")).status_code == 401, "a stolen cookie, logged out"


@pytest.mark.slow
async def test_cookies_are_not_for_scripts_and_hold_no_password(sqlite: str) -> None:
    async with serving(sqlite) as app, browser(app) as ann:
        body = {"name": "ann", "password": PASSWORD}
        answer = await ann.client.post("/api/accounts", json=body)
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert PASSWORD not in answer.text
        assert answer.headers["cache-control"] == "no-store"
    async with serving(f"{sqlite}2", secure_cookies=True) as app, browser(app) as ann:
        answer = await ann.client.post("/api/accounts", json=body)
        assert "secure" in answer.headers["set-cookie"].lower()


def stop_the_clock(app: FastAPI) -> None:
    """Let nothing refill, however busy the machine is."""
    log_ins: LogIns = app.state.log_ins
    guesses = log_ins.directory.guesses
    for buckets in (log_ins.attempts, log_ins.failures, log_ins.sign_ups, guesses):
        buckets.clock = lambda: 0.0


@pytest.mark.slow
async def test_wrong_passwords_are_slowed_by_account_and_by_address(sqlite: str) -> None:
    most = MOST_GUESSES
    async with serving(sqlite) as app, browser(app) as ann:
        stop_the_clock(app)
        await ann.sign_up("ann")
        for number in range(most):
            async with browser(app, f"10.0.0.{number}") as eve:
                assert await eve.log_in("ANN", "wrong horse") == 401
        async with browser(app, "10.0.1.1") as eve:
            assert await eve.log_in("ann", "wrong horse") == 429, "one account, many addresses"
            assert await eve.log_in("ann") == 429, "even the right one, or guessing would go on"
        assert (await ann.ask("GET", "/account")).status_code == 200, "who is logged in stays so"
        assert (await ann.ask("DELETE", "/session")).status_code == 204
        assert await ann.log_in("ann") == 200, "and may come back where she was before"
        most = int(LogInSettings().failures_per_address)
        told = []
        for number in range(most + 1):
            async with browser(app, f"2001:db8::{number:x}") as eve:
                told.append(await eve.log_in(f"name{number}", "wrong horse"))
        assert told == [401] * most + [429], "many accounts, one /64"


@pytest.mark.slow
async def test_a_browser_that_was_logged_in_has_ten_guesses_of_its_own(sqlite: str) -> None:
    async with serving(sqlite) as app, browser(app) as ann:
        stop_the_clock(app)
        await ann.sign_up("ann")
        for _ in range(MOST_GUESSES):
            body = {"password": "wrong horse"}
            assert (await ann.ask("DELETE", "/account", body)).status_code == 403
        assert (await ann.ask("DELETE", "/account", {"password": PASSWORD})).status_code == 429
        change = {"old": PASSWORD, "new": "battery staple"}
        assert (await ann.ask("PUT", "/account/password", change)).status_code == 429
        async with browser(app) as elsewhere:
            assert await elsewhere.log_in("ann") == 200


@pytest.mark.slow
async def test_sign_ups_are_slowed_by_address(sqlite: str) -> None:
    most = int(LogInSettings().sign_ups_per_address)
    async with serving(sqlite) as app, browser(app) as eve:
        stop_the_clock(app)
        told = []
        for number in range(most + 1):
            body = {"name": f"name{number}", "password": PASSWORD}
            told.append((await eve.ask("POST", "/accounts", body)).status_code)
        assert told == [201] * most + [429]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"name": "ann", "password": "short"}, 422),
        ({"name": "../ann", "password": PASSWORD}, 422),
        ({"name": "ann\n", "password": PASSWORD}, 422),
        ({"name": "ann", "password": PASSWORD, "admin": True}, 422),
        ({"name": "ann"}, 422),
        ([], 422),
        ({"name": "ann", "password": "x" * 9000}, 413),
    ],
)
async def test_sign_ups_that_are_refused(sqlite: str, body: Any, status: int) -> None:
    async with serving(sqlite) as app, browser(app) as eve:
        answer = await eve.ask("POST", "/accounts", body)
        assert answer.status_code == status
        assert len(answer.text.splitlines()) == 1
        assert PASSWORD not in answer.text
        assert "^[" not in answer.text, "no regular expression"


async def test_busy_is_told_while_the_database_is_away(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(sqlite) as app, browser(app) as ann:
        from sqlalchemy.exc import OperationalError

        def away(*_: Any, **__: Any) -> Any:
            raise OperationalError("SELECT", {}, OSError("gone"))

        monkeypatch.setattr(accounts, "find_account", away)
        answer = await ann.ask("POST", "/session", {"name": "ann", "password": PASSWORD})
        assert answer.status_code == 503
        assert "database does not answer" in answer.json()["problem"]


class Fixed(Ladder):
    """Gives everybody the same rating."""

    def rate(self, *_: Any) -> tuple[list[LadderRating], Met]:
        return [LadderRating(26, 2, 1)] * 2, {}


async def with_results(app: FastAPI) -> None:
    directory: Directory = app.state.directory
    for name in ("ann", "bob"):
        await directory.write(accounts.create_account, name, kind=AccountKind.PERSON)
    now = datetime.now(UTC)
    entries = [
        ResultEntry(name=name, place=place, prize=1) for place, name in enumerate(("ann", "bob"), 1)
    ]
    result = TournamentResult(
        id="t1", ladder="nolimit", rated=True, started_at=now, finished_at=now, entries=entries
    )
    await directory.write(record_result, result, Fixed())


@pytest.mark.slow
async def test_results_ratings_and_schemas_are_for_everybody(sqlite: str) -> None:
    async with serving(sqlite) as app, browser(app) as eve:
        await with_results(app)
        (rating, _) = (await eve.ask("GET", "/ratings")).json()["nolimit"]
        assert (rating["player"], rating["low"], rating["provisional"]) == ("ann", 22, True)
        (result,) = (await eve.ask("GET", "/results?player=ANN")).json()
        assert [one["player"] for one in result["entries"]] == ["ann", "bob"]
        assert (await eve.ask("GET", "/results/t1")).json() == result
        assert (await eve.ask("GET", "/results?player=zoe")).json() == []
        assert (await eve.ask("GET", "/results/t2")).status_code == 404
        for side in ("client", "server"):
            assert "$defs" in (await eve.ask("GET", f"/schemas/{side}")).json()
        assert (await eve.ask("GET", "/schemas/..%2fsecret")).status_code in (404, 422)


async def test_the_description_names_every_problem(sqlite: str) -> None:
    async with serving(sqlite) as app, browser(app) as eve:
        described = (await eve.ask("GET", "/openapi.json")).json()
        assert "/api/bots/{name}/tokens" in described["paths"]
        assert "429" in described["paths"]["/api/session"]["post"]["responses"]
        assert "/pushfold" not in described["paths"]


# The HTTP interface keeps to its own description, whatever is sent (schemathesis).


ASSESS = "POST /api/assess"
"""Which starts a process each time."""
OPERATIONS = (
    *("GET /api/session", "POST /api/session", "DELETE /api/session", "POST /api/accounts"),
    *("GET /api/account", "GET /api/account/export", "DELETE /api/account"),
    *("PUT /api/account/password", "GET /api/bots", "POST /api/bots", "DELETE /api/bots/{name}"),
    *("GET /api/bots/{name}/tokens", "POST /api/bots/{name}/tokens"),
    *("DELETE /api/bots/{name}/tokens/{token}", "GET /api/ratings", "GET /api/results"),
    *("GET /api/results/{tournament}", "GET /api/schemas/{side}"),
    *("GET /api/lobby", "GET /api/servers", "GET /api/games/{game}/{form}"),
    ASSESS,
)
OPERATORS = (
    *("GET /health", "GET /metrics", "GET /admin/state", "GET /admin/partiality"),
    *("POST /admin/drain", "POST /admin/pause", "POST /admin/close", "POST /admin/announce"),
    *("POST /admin/ban", "POST /admin/rename"),
)
TOKEN = "the operator's"
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


def application(folder: Path) -> FastAPI:
    """A server without limits on rates, which would answer most of what is sent."""
    many = LogInSettings(
        log_ins_per_address=1e9, failures_per_address=1e9, sign_ups_per_address=1e9
    )
    playing = host_mount(HostSettings(journal=folder / "journal", admin_token=TOKEN))
    rates = {"requests_per_second": 1e9, "burst": 10**9, "log_ins": many}
    return app_of(f"sqlite:///{folder / 'x.sqlite3'}", playing, **rates)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with threaded_server(application(tmp_path_factory.mktemp("api"))) as at:
        yield at


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The operators' operations at another server, which is drained and bans whoever it likes."""
    app = application(tmp_path_factory.mktemp("admin"))
    description = described(app.routes, "/admin/", "/health", "/metrics")
    with threaded_server(app) as at:
        schema = schemathesis.openapi.from_dict(description)
        schema.config.update(base_url=at)
        yield by_label(schema)


@pytest.fixture(scope="module")
def logged_in(address: str) -> Iterator[dict[str, str]]:
    """Headers of a browser that has logged in."""
    with httpx.Client(base_url=address) as client:
        body = {"name": "ann", "password": "correct horse"}
        answer = client.post("/api/accounts", json=body)
        assert answer.status_code == 201
        csrf = {"X-CSRF-Token": answer.json()["csrf_token"]}
        for name in ("shark", "0"):
            assert client.post("/api/bots", json={"name": name}, headers=csrf).status_code == 201
        yield {"Cookie": f"railbird={client.cookies['railbird']}", **csrf}


@pytest.fixture(scope="module")
def operations(address: str) -> dict[str, Any]:
    """What the server says of its operations, by their labels."""
    return by_label(schemathesis.openapi.from_url(f"{address}/api/openapi.json"))


def by_label(schema: Any) -> dict[str, Any]:
    found = (result.ok() for result in schema.get_all_operations())
    return {operation.label: operation for operation in found}


def fuzz(operation: Any, callers: tuple[dict[str, str], ...], *, examples: int) -> None:
    @given(case=operation.as_strategy())
    @settings(
        max_examples=examples,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    def sent(case: Any) -> None:
        for headers in callers:
            # A first upload waits for the process that assesses it.
            answer = case.call(headers=headers, timeout=60)
            case.validate_response(answer, checks=list(CHECKS))

    sent()


def test_every_operation_is_fuzzed(operations: dict[str, Any], operated: dict[str, Any]) -> None:
    assert set(operations) == set(OPERATIONS)
    assert set(operated) == set(OPERATORS)


@pytest.mark.slow(
    only=[
        "False-POST /api/session",
        "False-POST /api/assess",
        "True-POST /api/session",
        "True-DELETE /api/session",
        "True-POST /api/accounts",
        "True-DELETE /api/account",
        "True-PUT /api/account/password",
        "True-POST /api/bots",
        "True-DELETE /api/bots/{name}",
        "True-GET /api/bots/{name}/tokens",
        "True-POST /api/bots/{name}/tokens",
        "True-DELETE /api/bots/{name}/tokens/{token}",
        "True-GET /api/ratings",
        "True-GET /api/results",
        "True-GET /api/results/{tournament}",
        "True-GET /api/games/{game}/{form}",
        "True-POST /api/assess",
    ]
)
@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("many", [False, True])
def test_answers_are_as_described(
    operations: dict[str, Any], logged_in: dict[str, str], label: str, many: bool
) -> None:
    examples = 2 if label == ASSESS else 200 if many else 8
    fuzz(operations[label], ({}, logged_in), examples=examples)


@pytest.mark.slow(
    only=[
        "True-GET /health",
        "True-POST /admin/pause",
        "True-POST /admin/close",
        "True-POST /admin/announce",
        "True-POST /admin/ban",
        "True-POST /admin/rename",
    ]
)
@pytest.mark.parametrize("label", OPERATORS)
@pytest.mark.parametrize("many", [False, True])
def test_operators_are_answered_as_described(
    operated: dict[str, Any], label: str, many: bool
) -> None:
    token = {"Authorization": f"Bearer {TOKEN}"}
    few = label == "GET /admin/partiality"  # which starts a process each time
    fuzz(operated[label], ({}, token), examples=8 if few or not many else 200)
