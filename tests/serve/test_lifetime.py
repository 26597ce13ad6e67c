"""The page of a lifetime: hands counted once, sums against a slow sum, what enemies send."""

from __future__ import annotations

import asyncio
import csv
import io
import random
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import numpy as np
import pytest
from fastapi import FastAPI

from helpers.hosted import played_records
from helpers.web_person import ORIGIN, PASSWORD, Somebody, app_of
from railbird.estimates import Moments
from railbird.histories import Skipped, read_hand
from railbird.histories.format import WriteOptions
from railbird.histories.phh import write as write_phh
from railbird.hosting.formats import TournamentFormat
from railbird.hosting.house_game import hand_records
from railbird.hosting.journal import AnyRecord, Joined, Opened, record_line
from railbird.report.hand_digest import digest_of, stakes_in_words
from railbird.serve.formats_file import Games
from railbird.serve.host import HostSettings, server_name
from railbird.serve.mounts.host import mount as host
from railbird.serve.mounts.lifetime import (
    OwnGame,
    hands_of_game,
    life_chart,
    life_sentences,
    sum_interval,
)
from railbird.serve.mounts.report import mount as report
from railbird.serve.report_jobs import ReportSettings
from railbird.serve.results import LADDER
from railbird.storage import lifetime, open_blocking
from railbird.storage.accounts import AccountKind, create_account
from railbird.storage.lifetime import LifeHand, LifeSums
from railbird.storage.results import ResultEntry, TournamentResult, record_result
from railbird.tournament import parse_payouts

pytestmark = pytest.mark.anyio

FORM = TournamentFormat(
    name="fast", seats=3, table_seats=3, stack=200, payouts=parse_payouts("100"), house_after=None
)


@pytest.fixture(scope="module")
def records() -> list[AnyRecord]:
    return played_records(FORM, random.Random(5), folds=4)


def names_in(records: list[AnyRecord]) -> list[str]:
    opened = records[0]
    assert isinstance(opened, Opened)
    joined = [record.entrant.name for record in records if isinstance(record, Joined)]
    return [*(entrant.name for entrant in opened.entrants), *joined]


@pytest.fixture
async def served(sqlite: str, tmp_path: Path) -> AsyncIterator[FastAPI]:
    settings = HostSettings(journal=tmp_path / "journal", games=Games(tournaments=()))
    app = app_of(sqlite, host(settings), report(ReportSettings(nice=0)))
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def somebody(served: FastAPI) -> AsyncIterator[Somebody]:
    transport = httpx.ASGITransport(served, raise_app_exceptions=False)
    headers = {"Origin": ORIGIN, "Accept": "text/html"}
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as client:
        yield Somebody(client, served)


async def until_counted(somebody: Somebody) -> str:
    for _ in range(2400):
        page = (await somebody.get("/lifetime")).text
        if "hx-get" not in page:
            return page
        await asyncio.sleep(0.1)
    raise AssertionError("nothing was counted")


@pytest.mark.slow
async def test_games_here_and_an_uploaded_log_of_them_count_once(
    served: FastAPI, somebody: Somebody, tmp_path: Path, records: list[AnyRecord]
) -> None:
    me, *others = names_in(records)
    await somebody.get("/account")
    await somebody.post("/account/sign-up", name=me, password=PASSWORD)
    assert "No hands have been counted yet" in (await somebody.get("/lifetime")).text
    folder = tmp_path / "journal"
    lines = (record_line(record).decode() for record in records)
    (folder / "fast.1.journal").write_text("".join(lines))
    entries = [
        ResultEntry(name=name, kind=AccountKind.PERSON, place=place, prize=100.0 * (place == 1))
        for place, name in enumerate([me, *others], 1)
    ]
    for name in others:
        await served.state.directory.write(create_account, name, kind=AccountKind.PERSON)
    result = TournamentResult(
        id=f"{server_name(folder)}.fast.1",
        ladder="fast",
        rated=True,
        started_at=datetime(2026, 1, 1, 12, tzinfo=UTC),
        finished_at=datetime(2026, 1, 1, 13, tzinfo=UTC),
        entries=entries,
    )
    await served.state.directory.write(record_result, result, LADDER)
    page = (await somebody.get("/lifetime")).text
    assert "Count 1 game played here" in page
    assert "1 tournament: 1 won, 100.0 in prizes" in page
    assert (await somebody.post("/lifetime/count")).status_code == 303
    page = await until_counted(somebody)
    mine = hands_of_game(OwnGame("fast.1", "fast", folder / "fast.1.journal"), me)
    assert f"in {len(mine)} hands" in page
    assert "played here" not in page
    sheet = (await somebody.client.get("/lifetime/hands.csv")).text
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert {row["source"] for row in rows} == {"fast.1"}
    assert [row["hand"] for row in rows] == [digest_of(hand) for hand in mine]
    for row, hand in zip(rows, mine, strict=True):
        won = float(hand.payoffs[hand.players.index(me)]) / max(hand.rules.blinds)
        assert float(row["won_bb"]) == pytest.approx(won, abs=1e-3)
    # The same hands, downloaded and sent in as a log, are known.
    log = (await somebody.client.get("/games/fast.1/phh")).content
    await somebody.get("/report")
    fields = {"token": somebody.hidden("token"), "player": me}
    sent = await somebody.client.post(
        "/report/upload", data=fields, files={"file": ("mine.phhs", log)}
    )
    where = sent.headers["location"]
    for _ in range(2400):
        if "Add to your lifetime" in (await somebody.get(where)).text:
            break
        await asyncio.sleep(0.1)
    added = await somebody.post("/lifetime/add", report=where.split("/")[-1])
    assert added.headers["location"] == "/lifetime?added=0"
    export = (await somebody.client.get("/api/account/export")).json()
    assert len(export["lifetime"]) == len(mine)
    await somebody.get("/lifetime")
    assert (await somebody.post("/lifetime/forget")).status_code == 303
    assert "No hands have been counted yet" in (await somebody.get("/lifetime")).text


async def test_who_has_not_logged_in_is_asked_to(somebody: Somebody) -> None:
    answer = await somebody.client.get("/lifetime")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account?next=/lifetime")
    await somebody.get("/account")
    for path in ("count", "forget", "add"):
        fields = {"report": "x"} if path == "add" else {}
        assert (await somebody.post(f"/lifetime/{path}", **fields)).status_code == 401


async def test_what_makes_no_sense_is_refused(somebody: Somebody) -> None:
    await somebody.get("/account")
    await somebody.post("/account/sign-up", name="ann", password=PASSWORD)
    await somebody.get("/report")
    assert (await somebody.post("/lifetime/add", report="nothing")).status_code == 404
    assert (await somebody.post("/lifetime/add", report="x" * 1000)).status_code == 422
    nothing = await somebody.post("/lifetime/count")
    assert "nothing new" in (await somebody.get(nothing.headers["location"])).text
    for query in ("added=-1", "added=nan", f"added={10**30}", "none=2"):
        assert (await somebody.client.get(f"/lifetime?{query}")).status_code == 422


def test_the_same_hand_has_one_digest_however_it_was_written(records: list[AnyRecord]) -> None:
    everybody = names_in(records)
    hands = list(hand_records(records, own=everybody))
    for hand, hidden in zip(hands, hand_records(records), strict=True):
        (text,) = write_phh([hand], WriteOptions())
        assert not isinstance(text, Skipped)
        assert digest_of(read_hand(text)) == digest_of(hand) == digest_of(hidden)
    assert len({digest_of(hand) for hand in hands}) == len(hands)
    assert stakes_in_words(hands[0]).startswith("no-limit")


def test_a_game_that_is_not_over_has_no_hands_to_count(
    tmp_path: Path, records: list[AnyRecord]
) -> None:
    path = tmp_path / "fast.1.journal"
    path.write_text(
        "".join(record_line(record).decode() for record in records[: len(records) // 2])
    )
    assert hands_of_game(OwnGame("fast.1", "fast", path), names_in(records)[0]) == []


def test_sums_and_intervals_are_those_of_the_hands(sqlite: str) -> None:
    rng = np.random.default_rng(3)
    money = rng.normal(0.1, 5, 200)
    hands = [
        LifeHand(f"{number}", "log", "no-limit", "button", value, value / 2 if number % 2 else None)
        for number, value in enumerate(money.tolist())
    ]
    opened = open_blocking(sqlite)
    with opened.write() as session:
        account = create_account(session, "ann", kind=AccountKind.PERSON)
        assert lifetime.add_life_hands(session, account.id, hands) == 200
        assert lifetime.add_life_hands(session, account.id, hands) == 0
        (sums,) = lifetime.life_sums(session, account.id)
        (by_game,) = lifetime.life_sums(session, account.id, "game")
        results = lifetime.life_results(session, account.id)
    opened.close()
    assert (by_game.name, by_game.money) == ("no-limit", sums.money)
    assert (sums.hands, sums.known) == (200, 100)
    assert sums.money == pytest.approx(money.sum())
    assert sums.skill == pytest.approx(money[1::2].sum() / 2)
    interval = sum_interval(sums.money, sums.money_squares, sums.hands)
    assert interval is not None
    mean = Moments.of(money.tolist()).estimate("bb")
    half = 1.959964 * mean.stderr * 200
    assert interval == pytest.approx((money.sum() - half, money.sum() + half), rel=1e-5)
    chart = life_chart(results)
    assert chart["hands"][-1] == 200
    assert chart["sums"]["with luck"][-1] == pytest.approx(money.sum(), abs=0.01)
    unknown = life_chart([(won, None) for won, _ in results])
    assert list(unknown["sums"]) == ["with luck"]


@pytest.mark.parametrize(
    ("sums", "said"),
    [
        (LifeSums("", 0, 0, 0, 0, 0, 0, 0), ""),
        (LifeSums("", 5, 1.0, 9, 0, 0, 0, 0), "cannot be told"),
        (LifeSums("", 5, 1.0, 9, 5, 1.0, 2.0, 9), "From 30 hands on"),
        (LifeSums("", 1000, 50, 9e3, 1000, 50, 900.0, 2e3), "you win, beyond chance"),
        (LifeSums("", 1000, 50, 9e3, 1000, 50, -900.0, 2e3), "you lose, beyond chance"),
        (LifeSums("", 1000, 50, 9e4, 900, 40, 3.0, 2e5), "not yet certain"),
        (LifeSums("", 1000, 0, 0, 900, 0, 0, 0), "neither won nor lost"),
    ],
    ids=["none", "unknown", "few", "wins", "loses", "uncertain", "even"],
)
def test_sentences(sums: LifeSums, said: str) -> None:
    assert said in " ".join(life_sentences(sums))


async def test_a_title_is_no_formula_in_a_spreadsheet(served: FastAPI, somebody: Somebody) -> None:
    await somebody.get("/account")
    await somebody.post("/account/sign-up", name="ann", password=PASSWORD)
    hand = LifeHand("=1+1", "=cmd()", "no-limit <b>", "button", 1.0, None)
    account = await served.state.directory.read(_account_named, "ann")
    await served.state.directory.write(lifetime.add_life_hands, account, [hand])
    assert "'=cmd()" in (await somebody.client.get("/lifetime/hands.csv")).text
    page = (await somebody.get("/lifetime")).text
    assert "no-limit &lt;b&gt;" in page
    assert re.search(r"You won 1\.0 big blinds in 1 hand\.", page)


def _account_named(session: object, name: str) -> int:
    from railbird.storage.accounts import find_account

    account = find_account(session, name)  # type: ignore[arg-type]
    assert account is not None
    return account.id
