"""Operators: codes as RFC 6238 has them, and pages that nobody else gets into."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from helpers.hosted import PATIENCE_S, played_records
from helpers.web_person import HEADS_UP, ORIGIN, PASSWORD, Somebody, app_of
from railbird.errors import DamagedFile
from railbird.hosting.journal import record_line
from railbird.serve.formats_file import Games
from railbird.serve.host import HostSettings
from railbird.serve.mounts.host import mount as tournaments
from railbird.serve.operators import STEP_S, VISIT_S, Operators, code_at

ADMIN_TOKEN = "t" * 64


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_rfc_6238(seconds: int, code: str) -> None:
    """Appendix B, SHA-1: the last six of its eight digits."""
    assert code_at(b"12345678901234567890", seconds) == code


def test_a_code_is_taken_once_and_only_about_its_time(tmp_path: Path) -> None:
    now = 1_000_000.0
    operators = Operators(tmp_path, now=lambda: now)
    secret = operators.enrol(7).secret
    assert 7 not in operators
    assert not operators.takes(7, "000000x")
    assert not operators.takes(7, code_at(secret, now - 3 * STEP_S))
    assert operators.takes(7, code_at(secret, now - STEP_S))
    assert 7 in operators
    assert not operators.takes(7, code_at(secret, now - STEP_S))
    assert operators.takes(7, code_at(secret, now))
    assert not operators.takes(8, code_at(secret, now))
    again = Operators(tmp_path, now=lambda: now + STEP_S)
    assert again.takes(7, code_at(secret, now + STEP_S))
    again.begin_visit(7, "browser")
    assert again.is_visiting(7, "browser")
    assert not again.is_visiting(7, "another")
    assert (tmp_path / "operators.json").stat().st_mode & 0o077 == 0


def test_a_damaged_file_of_secrets_is_refused(tmp_path: Path) -> None:
    (tmp_path / "operators.json").write_text('{"7": "zz"}')
    with pytest.raises(DamagedFile, match="operators"):
        Operators(tmp_path)


def test_a_torn_line_of_the_record_is_left_out(tmp_path: Path) -> None:
    operators = Operators(tmp_path, now=lambda: 5.0)
    operators.note("ann", "drain")
    with (tmp_path / "operators.log").open("a") as file:
        file.write('{"at": 6, "oper\n7\n')
    operators.note("ann", "close", game="six.1")
    assert [act["act"] for act in operators.acts()] == ["close", "drain"]


@pytest.fixture
async def ann(tmp_path: Path) -> AsyncIterator[Somebody]:
    settings = HostSettings(
        journal=tmp_path / "journal", games=Games(tournaments=()), admin_token=ADMIN_TOKEN
    )
    app = app_of(f"sqlite:///{tmp_path / 'x.sqlite3'}", tournaments(settings))
    async with app.router.lifespan_context(app):
        headers = {"Origin": ORIGIN, "Accept": "text/html"}
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url=ORIGIN, headers=headers
        ) as client:
            somebody = Somebody(client, app)
            await somebody.get("/account")
            answer = await somebody.post("/account/sign-up", name="ann", password=PASSWORD)
            assert answer.status_code == 303
            yield somebody


async def enter(ann: Somebody) -> None:
    """Make somebody an operator, by the token and a code."""
    await ann.get("/operate")
    ann.page = (await ann.post("/operate/enrol", admin_token=ADMIN_TOKEN)).text
    operators = ann.app.state.operate
    (enrolment,) = operators._enrolling.values()
    code = code_at(enrolment.secret, operators._now())
    assert (await ann.post("/operate/code", code=code)).status_code == 303
    await ann.get("/operate")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fields", "status", "problem"),
    [
        ({"what": "ban", "name": "nobdy", "reason": "two accounts", "hours": "12"}, 404, "nobdy"),
        (
            {"what": "ban", "name": "ann", "reason": "chips", "hours": "soon"},
            422,
            "Hours must be 0 to",
        ),
        ({"what": "unban", "name": "nobdy"}, 404, "no account called nobdy"),
        ({"what": "rename", "name": "nobdy", "new": "bo"}, 404, "no account called nobdy"),
        ({"what": "rename", "name": "ann", "new": "a b"}, 422, "The new name must be"),
        ({"what": "announce", "reason": ""}, 422, "Text must have 1 to 200"),
    ],
)
async def test_a_form_that_is_refused_keeps_what_was_typed_and_says_why(
    ann: Somebody, fields: dict[str, str], status: int, problem: str
) -> None:
    await enter(ann)
    answer = await ann.post("/operate/act", **fields)
    assert answer.status_code == status
    form = re.search(rf'<form class="stack" id="{fields["what"]}".*?</form>', answer.text, re.S)
    assert form is not None
    assert problem in form[0]
    assert answer.text.count('role="alert"') == 1
    for name, value in fields.items():
        assert re.search(rf'name="{name}"[^>]* value="{value}"', form[0]), name
    record = (await ann.get("/operate")).text.partition("What operators did")[2]
    assert "was refused" in record.partition("</li>")[0]


@pytest.mark.anyio
async def test_what_was_done_is_said_once_in_a_sentence(ann: Somebody) -> None:
    await enter(ann)
    for fields, words in (
        ({"what": "announce", "reason": "We stop at ten."}, "Told 0 connections: We stop at ten."),
        (
            {"what": "ban", "name": "ann", "reason": "x", "hours": "1"},
            "ann is banned for 1 hour: x.",
        ),
    ):
        assert (await ann.post("/operate/act", **fields)).status_code == 303, fields
        if fields["what"] == "announce":
            assert f'role="status">{words}<' in (await ann.get("/operate")).text
            assert 'role="status"' not in (await ann.get("/operate")).text
    # Whoever bans the own account is out; the record has it.
    assert [act["act"] for act in ann.app.state.operate.acts()] == ["ban", "announce", "enter"]


@pytest.mark.anyio
async def test_a_form_outlives_the_half_hour_for_which_a_code_counts(ann: Somebody) -> None:
    await enter(ann)
    operators = ann.app.state.operate
    began = operators._now()
    operators._now = lambda: began + VISIT_S + STEP_S
    typed = {"what": "announce", "reason": "We stop at ten."}
    ann.page = (await ann.post("/operate/act", **typed)).text
    assert "What you have typed is kept." in ann.page
    kept = {name: ann.hidden(name) for name in typed}
    assert kept == typed
    ann.page = (await ann.post("/operate/code", code="no code", **kept)).text
    assert {name: ann.hidden(name) for name in typed} == typed
    (secret,) = operators._secrets.values()
    code = code_at(secret, operators._now())
    answer = await ann.post("/operate/code", code=code, **kept)
    assert answer.status_code == 200
    assert "Nothing has been done yet" in answer.text
    assert 'value="We stop at ten."' in answer.text
    assert [act["act"] for act in operators.acts()] == ["enter", "enter"]


@pytest.mark.anyio
async def test_an_operator_sets_up_a_second_factor_and_operates(ann: Somebody) -> None:
    assert "is no operator" in (await ann.get("/operate")).text
    answer = await ann.post("/operate/enrol", admin_token="wrong")
    assert answer.status_code == 403
    assert "This is not the operator’s token." in answer.text
    assert 'name="admin_token"' in answer.text, "the form is there again"
    ann.page = (await ann.post("/operate/enrol", admin_token=ADMIN_TOKEN)).text
    found = re.search(r'id="secret">([A-Z2-7 ]+)<', ann.page)
    assert found is not None
    operators = ann.app.state.operate
    secret = operators._enrolling[next(iter(operators._enrolling))].secret
    assert (await ann.post("/operate/act", what="drain")).status_code == 403
    answer = await ann.post("/operate/code", code="no code")
    assert answer.status_code == 403
    assert "This code does not fit." in answer.text
    assert 'name="code"' in answer.text, "the secret still counts, and is not told again"
    assert found[1] not in answer.text
    code = code_at(secret, operators._now())
    assert (await ann.post("/operate/code", code=code)).status_code == 303
    await ann.get("/operate")
    assert "What operators did" in ann.page
    assert "ann: Entered these pages." in ann.page
    no_origin = {"Origin": "https://elsewhere.example"}
    data = {"token": ann.hidden("token"), "what": "drain"}
    answer = await ann.client.post("/operate/act", data=data, headers=no_origin)
    assert answer.status_code == 403
    del ann.client.headers["Origin"]
    assert (await ann.client.post("/operate/act", data=data)).status_code == 403
    ann.client.headers["Origin"] = ORIGIN
    for fields, status in (
        ({"what": "ban", "name": "nobody", "reason": "x"}, 404),
        ({"what": "ban", "name": "no body", "reason": "x"}, 422),
        ({"what": "ban", "name": "ann", "reason": "x", "hours": "nan"}, 422),
        ({"what": "close", "game": "six.9", "reason": "x"}, 404),
        ({"what": "announce"}, 422),
        ({"what": "announce", "reason": "hello"}, 303),
        ({"what": "drain"}, 303),
    ):
        assert (await ann.post("/operate/act", **fields)).status_code == status, fields
    await ann.get("/operate")
    assert "draining" in ann.page
    assert "ann: Told everybody: hello." in ann.page
    await ann.post("/operate/leave")
    assert "Code of your authenticator" in (await ann.get("/operate")).text


@pytest.mark.anyio
async def test_codes_are_tried_five_times_and_strangers_log_in_first(ann: Somebody) -> None:
    await ann.get("/operate")
    answers = [await ann.post("/operate/code", code="123456") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [403] * 5 + [429]
    ann.client.cookies.clear()
    answer = await ann.client.get("/operate")
    assert answer.headers["location"] == "/account?next=/operate"
    assert (await ann.client.post("/operate/act", data={"what": "drain"})).status_code in (401, 422)


@pytest.mark.anyio
@pytest.mark.slow
async def test_pairs_of_players_are_measured_while_the_page_says_how_far_that_is(
    ann: Somebody, tmp_path: Path
) -> None:
    await enter(ann)
    host = ann.app.state.host
    done = tmp_path / "journal" / "done"
    done.mkdir(exist_ok=True)
    records = played_records(replace(HEADS_UP, name="two", stack=200), random.Random(0))
    lines = [record_line(record).decode() for record in records]
    (done / "two.1.journal").write_text("".join(lines))
    page = (await ann.get("/operate/partiality")).text
    assert "<progress" in page
    assert 'hx-trigger="every 1s"' in page
    await ann.post("/operate/partiality", what="give_up")
    async with asyncio.timeout(PATIENCE_S):
        while host.partialities.is_measuring:
            await asyncio.sleep(0.01)
    assert not host.partialities.latest
    heard: set[str] = set()
    async with asyncio.timeout(PATIENCE_S):
        while "<progress" in (await ann.get("/operate/partiality")).text:
            heard.add(host.partialities.progress)
    assert len(heard) > 1
    assert "of the newest 1 games" in ann.page
    assert "Measured on" in ann.page
    before = host.partialities.measured_at
    assert (await ann.post("/operate/partiality", what="anew")).status_code == 303
    assert "of the newest 1 games" in (await ann.get("/operate/partiality")).text
    async with asyncio.timeout(PATIENCE_S):
        while host.partialities.measured_at == before:
            await asyncio.sleep(0.01)
