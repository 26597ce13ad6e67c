"""Reports in the browser: upload, worker, hands, puzzles; and what enemies upload."""

from __future__ import annotations

import asyncio
import bz2
import gzip
import io
import json
import re
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from helpers.hosted import PATIENCE_S
from helpers.web_person import ORIGIN, app_of
from railbird.errors import RailbirdError
from railbird.histories import HandRecord, read
from railbird.report import play_data as page_data
from railbird.report.play_data import assessed, hand_of, made_report
from railbird.serve.jobs import Full
from railbird.serve.mounts.report import (
    mount,
    opening_of,
    puzzle_choices,
    puzzle_verdict,
    replay_page,
)
from railbird.serve.pages import Sight, replay_of
from railbird.serve.report_jobs import ReportJobs, ReportSettings, ReportStage
from railbird.storage import accounts
from railbird.storage.accounts import AccountKind
from railbird.storage.puzzles import (
    Owner,
    add_puzzles,
    answer_puzzle,
    count_puzzles,
    next_puzzle,
    puzzle_of,
)

pytestmark = pytest.mark.anyio

HAND = "Ts6s,Jd5d,Td5hTh/2d/{river}h SlCk/kBrC/bRrC/bC # {number}:An<b>&|Bob\n"
FOLDED = "TsTc,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/kBf # 5:An<b>&|Bob\n"
"""A fold of four tens: a puzzle whose answer is certain."""
LOG = ("".join(HAND.format(number=n, river="?23478"[n]) for n in range(1, 5)) + FOLDED).encode()
QUICK = ReportSettings(nice=0)


class Browser:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    async def get(self, path: str, **options: Any) -> str:
        answer = await self.client.get(path, **options)
        assert answer.status_code == 200, (path, answer.text)
        return answer.text

    async def post(self, path: str, **data: Any) -> httpx.Response:
        token = await self.token()
        return await self.client.post(path, data={"token": token, **data})

    async def token(self) -> str:
        found = re.search(r'name="token" value="([^"]+)"', await self.get("/report"))
        assert found
        return found[1]

    async def upload(self, content: bytes, player: str = "", name: str = "x.txt") -> httpx.Response:
        fields = {"token": await self.token(), "player": player}
        return await self.client.post(
            "/report/upload", data=fields, files={"file": (name, content)}
        )


@asynccontextmanager
async def browsing(database: str, settings: ReportSettings = QUICK) -> AsyncIterator[Any]:
    app = app_of(database, mount(settings))
    async with app.router.lifespan_context(app):

        @asynccontextmanager
        async def browser() -> AsyncIterator[Browser]:
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            headers = {"Origin": ORIGIN, "Accept": "text/html"}
            async with httpx.AsyncClient(
                transport=transport, base_url=ORIGIN, headers=headers
            ) as client:
                yield Browser(client)

        browser.app = app  # type: ignore[attr-defined]
        yield browser


async def until(browser: Browser, where: str, text: str) -> str:
    for _ in range(2400):
        page = await browser.get(where)
        if "hx-get" not in page.partition("<main")[2].partition('id="replay"')[0]:
            assert text in page
            return page
        await asyncio.sleep(0.1)
    raise AssertionError("the report is not made")


@pytest.mark.parametrize("spot", [{}, {"spot": {"hand": "x", "acts": {0}, "token": "t"}}])
def test_a_replay_opens_whether_or_not_a_decision_can_be_solved(spot: dict[str, Any]) -> None:
    (record,) = read(io.BytesIO(FOLDED.encode()))
    assert isinstance(record, HandRecord)
    values: dict[str, Any] = {
        "replay": replay_of(record, viewer="Bob", step=1, sight=Sight.OWN),
        "sight": Sight.OWN,
        "Sight": Sight,
        "address": "/report/x/hands/0",
        "title": "Hand 5",
        "decisions": [
            SimpleNamespace(step=1, did="calls", house="", grade="", cost="", act=0, why="")
        ],
        "adviser": "",
        "unit": "",
        "back": ("/report/x", "the report"),
        "previous": "",
        "next": "",
    }
    for headers in ([], [(b"hx-request", b"true")]):  # the page, and what changes in it
        request = Request({"type": "http", "headers": headers})
        text = bytes(replay_page(request, values | spot).body).decode()
        assert "step 1 of" in text
        assert ('id="to-spot"' in text) is bool(spot)


@pytest.mark.slow
async def test_from_the_upload_to_the_puzzles(sqlite: str) -> None:
    async with browsing(sqlite) as person, person() as ann, person() as eve:
        sent = await ann.upload(LOG, name="<i>log.txt")
        assert sent.status_code == 303
        where = sent.headers["location"]
        assert "&lt;i&gt;log" in await ann.get(where)
        page = await until(ann, where, "Whose play is it?")
        assert '<button class="quiet" name="player" value="An&lt;b&gt;&amp;">' in page
        assert (await ann.post(f"{where}/player", player="nobody")).status_code == 422
        assert (await ann.post(f"{where}/player", player="An<b>&")).status_code == 303
        page = await until(ann, where, "An&lt;b&gt;&amp;, 5 hands")
        assert "<b>" not in re.sub(r"<b>\w*</b>", "", page.partition("<main")[2])
        assert "Calls and folds that ended the betting" in page
        assert "In hindsight: what the cards were" in page
        assert "ostliest" not in page
        assert page.count("<polyline") == 2
        part = await ann.client.get(where, headers={"HX-Request": "true"})
        assert part.text.startswith('<div id="report"')

        for path in (where, f"{where}/hands", f"{where}/hands/0"):
            assert (await eve.client.get(path)).status_code == 404
        assert "An&lt;b&gt;&amp;, 5 hands" in await ann.get("/report")
        assert "An&lt;b&gt;" not in await eve.get("/report")

        listed = await ann.get(f"{where}/hands")
        assert listed.count(f'href="{where}/hands/') == 5
        assert (await ann.client.get(f"{where}/hands?page=2")).status_code == 404
        (link, *_) = re.findall(rf'href="({where}/hands/\d+\?act=\d+)"', page)
        replay = await ann.get(link)
        assert "You</b>" in replay
        assert "is to act" in replay
        assert re.search("would (do the same|bet|raise|call|check)", replay)
        assert replay.count('<th scope="row"><a') == 7, "each of one's decisions"
        pages = [(await ann.client.get(f"{where}/hands/{row}")) for row in range(6)]
        assert [page.status_code for page in pages] == [200] * 5 + [404]
        assert not any('id="to-spot"' in page.text for page in pages), "it solves no spots"
        step = await ann.client.get(f"{where}/hands/0?step=3", headers={"HX-Request": "true"})
        assert step.text.startswith('<section id="replay"')
        assert "HX-Request" in step.headers["vary"]

        assert (await ann.post("/puzzles/take", report=where.split("/")[-1])).status_code == 303
        question = await ann.get("/puzzles")
        assert "What would you do?" in question
        assert "no puzzles yet" in await eve.get("/puzzles")
        assert "1 puzzle" in question
        found = re.search(r'name="puzzle" value="(\d+)"', question)
        assert found
        choices = re.findall(r'name="answer" value="([^"]+)"', question)
        wrong = await ann.post("/puzzles/answer", puzzle=found[1], answer="resign")
        assert wrong.status_code == 422
        theirs = await eve.post("/puzzles/answer", puzzle=found[1], answer=choices[0])
        assert theirs.status_code == 404
        told = await ann.post("/puzzles/answer", puzzle=found[1], answer=choices[0])
        assert "Your answer" in told.text
        assert "0 of 1 right" in told.text, "folding"
        assert "against the hands that bet like this you win" in told.text
        assert (await ann.post("/puzzles/forget")).status_code == 303
        assert "no puzzles yet" in await ann.get("/puzzles")

        assert (await ann.post(f"{where}/forget")).status_code == 303
        assert (await ann.client.get(where)).status_code == 404


@pytest.mark.slow
async def test_a_program_has_its_log_assessed_by_a_worker(sqlite: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(LOG)
    async with browsing(sqlite) as person, person() as ann:
        sent = await ann.client.post("/api/assess", content=LOG)
        assert sent.status_code == 200, sent.text
        told = sent.json()
        one = assessed(str(path), lambda *_: None, game=None, player=None, league=False)
        assert told == json.loads(json.dumps(one))
        assert (told["hands"], told["cut"]) == (5, False)
        league = await ann.client.post("/api/assess", params={"league": "true"}, content=LOG)
        assert league.json()["hands"] == 5
        assert "pairs" in league.json()
        for content, query, status, words in (
            (b"", "", 422, "allowed: a log"),
            (b"nonsense", "", 422, ""),
            (LOG, "?player=Cid", 422, "Cid"),
            (LOG, "?league=perhaps", 422, ""),
        ):
            refused = await ann.client.post(f"/api/assess{query}", content=content)
            assert refused.status_code == status, refused.text
            assert words in refused.json()["problem"]
            assert str(tmp_path) not in refused.text
        assert person.app.state.report.all_of(None) == [], "nothing is kept"


async def test_assessments_are_bounded_in_number_and_size_and_given_up(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    working = asyncio.Event()

    async def work(_self: ReportJobs, _job: Any) -> tuple[dict[str, Any], int]:
        working.set()
        await asyncio.sleep(3600)
        raise AssertionError

    monkeypatch.setattr(ReportJobs, "_work", work)
    few = ReportSettings(nice=0, most_bytes=1000, most_of_address=1)
    async with browsing(sqlite, few) as person, person() as ann:
        long = await ann.client.post("/api/assess", content=b"x" * 1001)
        assert long.status_code == 413
        waiting = asyncio.create_task(ann.client.post("/api/assess", content=LOG))
        async with asyncio.timeout(PATIENCE_S):
            await working.wait()
        full = await ann.client.post("/api/assess", content=LOG)
        assert full.status_code == 503
        elsewhere = httpx.Headers({"Origin": "http://elsewhere"})
        forged = await ann.client.post("/api/assess", content=LOG, headers=elsewhere)
        assert forged.status_code == 403
        waiting.cancel()
        with suppress(asyncio.CancelledError):
            await waiting
        jobs = person.app.state.report
        with pytest.raises(RailbirdError, match="nobody waits"):
            await jobs.assessed(LOG, {}, address="b", is_gone=_true)
        assert not jobs._jobs


async def _true() -> bool:
    return True


@pytest.mark.slow
async def test_what_is_no_upload_is_refused_in_a_line(sqlite: str) -> None:
    small = ReportSettings(nice=0, most_bytes=1000)
    async with browsing(sqlite, small) as person, person() as ann:
        await ann.get("/report")
        for answer, status in (
            (await ann.client.post("/report/upload", data={"token": "x"}), 403),
            (await ann.post("/report/upload"), 422),
            (await ann.upload(b""), 422),
            (await ann.upload(b"x" * 1001), 413),
            (await ann.upload(b"x" * 100_000), 413),
            (await ann.client.get("/report/nothing"), 404),
        ):
            assert answer.status_code == status, answer.text
        others = httpx.Headers({"Origin": "http://elsewhere"})
        forged = await ann.client.post("/report/upload", data={"token": "x"}, headers=others)
        assert forged.status_code == 403
        assert person.app.state.report.all_of(None) == []


@pytest.mark.slow
async def test_a_worker_without_memory_ends_in_a_line(sqlite: str) -> None:
    poor = ReportSettings(nice=0, memory=40 << 20)
    async with browsing(sqlite, poor) as person, person() as ann:
        sent = await ann.upload(LOG, "Bob")
        page = await until(ann, sent.headers["location"], "No report")
        assert "upload fewer hands" in page


async def test_only_some_reports_wait_and_old_ones_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    release = asyncio.Event()

    async def work(_self: ReportJobs, job: Any) -> tuple[dict[str, Any], int]:
        await release.wait()
        return {"report": {"title": job.title}}, 600

    monkeypatch.setattr(ReportJobs, "_work", work)
    alone = ReportJobs(ReportSettings(most_of_address=1))
    alone.add("ann", "1", b"x", address="a")
    with pytest.raises(Full):
        alone.add("bob", "2", b"x", address="a")
    alone.add("bob", "2", b"x", address="b")
    await alone.close()
    settings = ReportSettings(most_waiting=1, kept_s=60.0, most_kept=1000)
    jobs = ReportJobs(settings, clock=lambda: clock[0])
    first = jobs.add("ann", "1", b"x")
    assert jobs.add("ann", "2", b"x").id != first.id
    assert jobs.of("ann", first.id) is None, "one at a time for each visitor"
    jobs.add("bob", "3", b"x")
    with pytest.raises(Full):
        jobs.add("cid", "4", b"x")
    release.set()
    async with asyncio.timeout(PATIENCE_S):
        while any(job.is_moving for job in jobs.all_of("bob")):
            await asyncio.sleep(0.005)
    assert jobs.all_of("ann") == [], "the oldest makes room"
    (job,) = jobs.all_of("bob")
    assert (job.stage, job.source) == (ReportStage.DONE, b"")
    clock[0] = 61.0
    assert jobs.of("bob", job.id) is None
    await jobs.close()


def _made(tmp_path: Path, content: bytes, player: str | None = "Bob") -> dict[str, Any]:
    path = tmp_path / "log"
    path.write_bytes(content)
    return made_report(str(path), player, lambda *_: None)


ENEMIES: dict[str, Callable[[], bytes]] = {
    "binary": lambda: bytes(range(256)) * 100,
    "empty lines": lambda: b"\n" * 10_000,
    "one long line": lambda: b"x" * 1_000_000,
    "bomb": lambda: gzip.compress(bz2.compress(b"\0" * 50_000_000)),  # takes most of a second
    "nulls": lambda: b"\0" * 100_000,
    "html": lambda: b"<html><script>alert(1)</script></html>\n" * 100,
    "zip of nothing": lambda: b"PK\x03\x04" + b"\0" * 200,
}


@pytest.mark.parametrize("content", ENEMIES.values(), ids=ENEMIES)
async def test_what_is_no_log_is_a_line(tmp_path: Path, content: Callable[[], bytes]) -> None:
    with pytest.raises(RailbirdError) as problem:
        _made(tmp_path, content())
    assert len(str(problem.value).splitlines()) == 1


@pytest.mark.slow
async def test_a_torn_log_loses_nothing_that_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = gzip.compress(LOG, mtime=0)
    for content, hands in ((LOG[:-30], 4), (packed, 5)):
        report = _made(tmp_path, content)
        assert len(report["hands"]) == hands
        assert not report["cut"]
        restored = hand_of(report["phh"], hands - 1)
        assert restored is not None
        assert restored.number == hands
        assert hand_of(report["phh"], hands) is None
        assert hand_of(report["phh"], 10**6) is None
    monkeypatch.setattr(page_data, "MOST_HANDS", 3)
    report = _made(tmp_path, LOG)
    assert (len(report["hands"]), report["cut"]) == (3, True)


@pytest.mark.slow
async def test_puzzles_of_a_browser_go_to_the_account_that_it_logs_in_to(sqlite: str) -> None:
    puzzles = [{"hand": f"h{n}", "player": "ann", "act": n} for n in range(4)]
    password = "a long password"
    async with browsing(sqlite) as person, person() as ann:
        directory = person.app.state.directory
        await ann.upload(b"no log")  # which gives the browser a token
        (cookie,) = ann.client.cookies.values()
        token = json.loads(b64decode(cookie.partition(".")[0] + "=="))["player"]
        form = {"token": await ann.token(), "name": "ann", "password": password}
        mine = Owner(1, "")
        for log_in, found in (("sign-up", puzzles[:2]), ("log-in", puzzles[1:])):
            await directory.write(add_puzzles, Owner(None, token), found)
            form["token"] = await ann.token()
            answer = await ann.client.post(f"/account/{log_in}", data=form)
            assert answer.status_code == 303, answer.text
            assert (await directory.read(count_puzzles, Owner(None, token)))[0] == 0
            if log_in == "sign-up":
                first = await directory.read(next_puzzle, mine)
                await directory.write(answer_puzzle, mine, first.id, right=True)
        assert await directory.read(count_puzzles, mine) == (4, 1, 1)


async def test_puzzles_are_kept_by_account_and_deleted_with_it(sqlite: str) -> None:
    async with browsing(sqlite) as person:
        directory = person.app.state.directory
        account = await directory.write(accounts.create_account, "ann", kind=AccountKind.PERSON)
        mine, other = Owner(account.id, "t"), Owner(None, "t")
        puzzles = [{"hand": f"h{n}", "player": "ann", "act": n} for n in range(3)]
        assert await directory.write(add_puzzles, mine, puzzles) == 3
        assert await directory.write(add_puzzles, mine, puzzles) == 0
        assert await directory.write(add_puzzles, other, puzzles[:1]) == 1
        first = await directory.read(next_puzzle, mine)
        assert await directory.read(puzzle_of, other, first.id) is None
        await directory.write(answer_puzzle, other, first.id, right=True)
        assert await directory.read(count_puzzles, mine) == (3, 0, 0)
        await directory.write(answer_puzzle, mine, first.id, right=True)
        assert await directory.read(count_puzzles, mine) == (3, 1, 1)
        second = await directory.read(next_puzzle, mine)
        await directory.write(answer_puzzle, mine, second.id, right=False)
        third = await directory.read(next_puzzle, mine)
        await directory.write(answer_puzzle, mine, third.id, right=False)
        assert (await directory.read(next_puzzle, mine)).id == first.id
        exported = await directory.read(accounts.export_account, account.id)
        assert [one["puzzle"]["act"] for one in exported["puzzles"]] == [0, 1, 2]
        many = [{"hand": "x", "player": "ann", "act": n} for n in range(150)]
        await directory.write(add_puzzles, mine, many)
        assert (await directory.read(count_puzzles, mine))[0] == 100
        await directory.write(accounts.delete_account, account.id)
        assert await directory.read(count_puzzles, mine) == (0, 0, 0)
        assert (await directory.read(count_puzzles, other))[0] == 1


PUZZLE: dict[str, Any] = {
    "by": "equity",
    "unit": "bb",
    "played": "fold",
    "house": "fold",
    "adviser": "tight:nolimit",
    "why": "",
    "best": "call",
    "frequency": None,
    "cost": 2.0,
    "required": 0.47,
    "equity": [0.52, 0.6],
    "call": [2.0, 5.0],
}


async def test_answers_are_judged_by_what_could_be_seen() -> None:
    assert puzzle_choices(PUZZLE) == ["fold", "call"]
    right = puzzle_verdict(PUZZLE, "call")
    assert (right.right, right.words) == (True, "Right")
    assert right.rows == (
        ("fold", "0.0", "you, then, tight:nolimit"),
        ("call", "+2.0 to +5.0", "you, now"),
    )
    assert "A call needs 47\u202f% of the pot here" in right.how
    assert "you win 52 to 60\u202f%" in right.how
    wrong = puzzle_verdict(PUZZLE, "fold")
    assert (wrong.right, wrong.words) == (False, "This gives up 2.0 to 5.0 bb")
    folded = PUZZLE | {"best": "fold", "call": [-5.0, -2.0], "equity": [0.3, 0.31]}
    assert puzzle_verdict(folded, "fold").right
    assert not puzzle_verdict(folded, "call").right

    short = PUZZLE | {
        "by": "equilibrium",
        "best": "all-in",
        "played": "fold",
        "house": "raise to 1000",
        "frequency": 1.0,
        "cost": 0.25,
    }
    assert puzzle_choices(short) == ["fold", "all-in"]
    assert not puzzle_verdict(short, "fold").right
    right = puzzle_verdict(short, "all-in")
    assert right.rows == (
        ("fold", "−0.250", "you, then"),
        ("all-in", "0.000", "you, now, tight:nolimit"),
    )
    facing = short | {"best": "fold", "played": "call 900", "house": "fold"}
    assert puzzle_choices(facing) == ["fold", "call"]


@pytest.mark.parametrize(
    ("sums", "costs", "words"),
    [
        ({"Money": [0, -30.0], "Skill": [0, -10.0]}, [], "You lost 30.0 bb in 200 hands, 15.0 in"),
        ({"Money": [0, -30.0], "Skill": [0, -10.0]}, [], "Luck cost you about 20.0 of that: with"),
        ({"Money": [0, 5.0], "Skill": [0, -1.0]}, [], "you would have lost about 1.0 bb."),
        ({"Money": [0, 5.0]}, [], "How much of that was luck cannot be told from this log."),
        ({"Money": [0, 5.0]}, [], "No decision that could be judged was clearly wrong."),
        (
            {"Money": [0, 5.0]},
            ["1.2 to 3.4"],
            "1 decision was clearly wrong; it gave up 1.2 to 3.4 bb.",
        ),
        (
            {"Money": [0, 5.0]},
            ["1.2", "4.5"],
            "2 decisions were clearly wrong; the costliest gave up 4",
        ),
    ],
    ids=["money", "luck", "would", "no-luck", "none", "one", "two"],
)
def test_a_report_opens_with_three_sentences(
    sums: dict[str, list[float]], costs: list[str], words: str
) -> None:
    decisions = {
        str(row): [
            [2, "call", "fold", "", "mistake", cost, None],
            [3, "call", "", "", "", "", None],
        ]
        for row, cost in enumerate(costs)
    }
    lines = {"hands": [0, 200], "sums": sums}
    report = {"unit": "bb", "lines": lines, "luck": None, "decisions": decisions}
    opening = opening_of(report)
    assert len(opening.sentences) == 3
    assert words in " ".join(opening.sentences)
    assert opening.dearest == (f"{len(costs) - 1}?act=2" if costs else "")
    if len(sums) == 1:  # no line without luck where all hands are alike
        _, luck, _ = opening_of(report | {"luck": 20.0}).sentences
        assert luck.startswith(
            "Luck brought you about 20.0 of that: without it you would have lost"
        )
