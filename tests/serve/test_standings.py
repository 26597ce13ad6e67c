"""Results, ratings, crosstables, and the hands of games as a visitor may see them."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from helpers.hosted import played_records
from helpers.web_person import ORIGIN, app_of
from railbird.hosting.formats import TournamentFormat
from railbird.hosting.house_game import hand_records
from railbird.hosting.journal import AnyRecord, record_line
from railbird.serve.formats_file import Games
from railbird.serve.host import HostSettings, server_name
from railbird.serve.mounts.host import mount as host
from railbird.serve.mounts.report import mount as report
from railbird.serve.mounts.standings import finish_crosstable
from railbird.serve.report_jobs import ReportSettings
from railbird.serve.results import LADDER, rated_anew, standings_of
from railbird.storage import accounts, open_database
from railbird.storage.accounts import AccountKind
from railbird.storage.directory import Directory
from railbird.storage.results import (
    ResultEntry,
    TournamentResult,
    frequent_pairs,
    record_result,
    results,
    standings,
)
from railbird.tournament import parse_payouts

pytestmark = pytest.mark.anyio

FORM = TournamentFormat(
    name="fast", seats=3, table_seats=3, stack=200, payouts=parse_payouts("100"), house_after=None
)


@pytest.fixture(scope="module")
def records() -> list[AnyRecord]:
    return played_records(FORM, random.Random(5), folds=4)


@asynccontextmanager
async def visiting(database: str, folder: Path) -> AsyncIterator[tuple[FastAPI, httpx.AsyncClient]]:
    settings = HostSettings(journal=folder, games=Games(tournaments=()))
    app = app_of(database, host(settings), report(ReportSettings(nice=0)))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Origin": ORIGIN, "Accept": "text/html"}
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers=headers
        ) as client:
            yield app, client


def put(folder: Path, name: str, records: list[AnyRecord]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = (record_line(record).decode() for record in records)
    (folder / f"{name}.journal").write_text("".join(lines))


async def store(app: FastAPI, number: int, places: dict[str, int], folder: Path) -> None:
    directory = app.state.directory
    for name in places:
        if await directory.read(accounts.find_account, name) is None:
            await directory.write(accounts.create_account, name, kind=AccountKind.PERSON)
    result = TournamentResult(
        id=f"{server_name(folder)}.fast.{number}",
        ladder="fast",
        rated=True,
        started_at=datetime(2026, 1, 1, 12, number, tzinfo=UTC),
        finished_at=datetime(2026, 1, 1, 13, number, tzinfo=UTC),
        entries=[
            ResultEntry(name=name, kind=AccountKind.PERSON, place=place, prize=100.0 * (place == 1))
            for name, place in places.items()
        ],
        details={"hands": 12},
    )
    await directory.write(record_result, result, LADDER)


@pytest.mark.slow
async def test_results_ratings_and_crosstable(sqlite: str, tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    async with visiting(sqlite, folder) as (app, client):
        for path in ("/results", "/ratings", "/crosstable"):
            empty = await client.get(path)
            assert empty.status_code == 200
            assert "yet" in empty.text
        await store(app, 1, {"ann": 1, "bob": 2, "cid": 3}, folder)
        await store(app, 2, {"ann": 2, "bob": 1}, folder)
        page = (await client.get("/results")).text
        assert page.index("fast.2</a>") < page.index("fast.1</a>")
        of_cid = (await client.get("/results?player=CID")).text
        assert "fast.1</a>" in of_cid
        assert "fast.2</a>" not in of_cid
        (one,) = re.findall(r'href="(/results/[^"]+fast\.1)"', of_cid)
        shown = (await client.get(one)).text
        assert "rated; 2026-01-01 12:01 to 13:01 UTC, 12 hands" in shown
        ratings = (await client.get("/ratings?ladder=fast")).text
        assert ratings.count("<small>provisional</small>") == 3
        assert re.search(r"<td class=\"n\">\d+\.\d ± \d+\.\d <small>", ratings)
        cross = (await client.get("/crosstable")).text
        assert "100\u202f% of 1" in cross
        assert "50\u202f% of 2" in cross
        for wrong in ("/ratings?ladder=x", "/crosstable?ladder=x", "/results/nothing"):
            assert (await client.get(wrong)).status_code == 404
        refused = await client.get("/results?player=<b>")
        assert refused.status_code == 422
        assert "the first a letter or a digit" in refused.text
        assert "pattern" not in refused.text
        missing = await client.get("/games/nosuch", headers={"accept": "text/html"})
        assert missing.status_code == 404
        assert "There is no such page." in missing.text
        assert "pattern" not in missing.text


async def test_new_accounts_that_lose_to_another_are_named_and_it_is_not_first(
    sqlite: str,
) -> None:
    """Twelve play each other; then nine new accounts lose 24 games to a tenth."""
    opened = await open_database(sqlite)
    directory = Directory(opened)
    players = [f"player{number:02}" for number in range(12)]
    losers = [f"loser{number}" for number in range(9)]
    for name in (*players, *losers, "tenth"):
        await directory.write(accounts.create_account, name, kind=AccountKind.PERSON)
    pairs = list(itertools.combinations(players, 2))
    pairs += [("tenth", losers[game % 9]) for game in range(24)]
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    for number, names in enumerate(pairs):
        result = TournamentResult(
            id=f"t{number}",
            ladder="fast",
            rated=True,
            started_at=noon,
            finished_at=noon + timedelta(minutes=number),
            entries=[
                ResultEntry(name=name, kind=AccountKind.PERSON, place=place)
                for place, name in enumerate(names, start=1)
            ],
        )
        await directory.write(record_result, result, LADDER)
    ladder = (await directory.read(standings))["fast"]
    means = {one.name: one.rating.mean for one in ladder}
    assert 26 < means["tenth"] < 26.6
    assert ladder[0].name.startswith("player")
    named = await directory.read(frequent_pairs, LADDER, at=noon)
    assert [sorted(one.owners) for one in named] == [[loser, "tenth"] for loser in losers]
    assert {one.weight for one in named} == {0.0}
    anew = rated_anew((await directory.read(results, most=1000))[::-1])
    assert {one.name: one.rating for one in standings_of(anew[::-1])["fast"]} == {
        one.name: one.rating for one in ladder
    }
    await opened.close()


async def test_a_crosstable_of_many_leaves_out_those_who_played_least() -> None:
    placings = [[(f"p{n}", 1), ("ann", 2)] for n in range(20)]
    table = finish_crosstable(placings)
    assert table.names[0] == "ann"
    assert (len(table.names), table.left_out) == (12, 9)
    assert table.cells[0][1] == "0\u202f% of 1"


@pytest.mark.slow
async def test_hands_of_a_finished_game_are_open(
    sqlite: str, tmp_path: Path, records: list[AnyRecord]
) -> None:
    folder = tmp_path / "journal"
    put(folder / "done", "fast.1", records)
    hands = list(hand_records(records))
    async with visiting(sqlite, folder) as (_, client):
        page = (await client.get("/games/fast.1")).text
        assert "All cards are open" in page
        assert page.count('href="/games/fast.1/hands/') == min(100, len(hands))
        shown = (await client.get("/games/fast.1/hands/0?sight=open")).text
        assert shown.count("Cards of ") == 3
        closed = (await client.get("/games/fast.1/hands/0")).text
        assert "Cards of " not in closed
        assert (await client.get(f"/games/fast.1/hands/{len(hands)}")).status_code == 404
        assert (await client.get("/games/fast.2")).status_code == 404
        assert (await client.get("/games/..%2fx.1")).status_code in (404, 422)
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token
        form = {"token": token[1], "player": "p1"}
        sent = await client.post("/games/fast.1/report", data=form)
        assert sent.status_code == 303
        assert "p1 in fast.1" in (await client.get(sent.headers["location"])).text
        other = await client.post("/games/fast.1/report", data={**form, "player": "eve"})
        assert other.status_code == 403


async def test_while_it_is_played_only_own_and_shown_cards_are_seen(
    records: list[AnyRecord],
) -> None:
    running = records[:-2]
    hidden, own = list(hand_records(running)), list(hand_records(running, own={"p1"}))
    over = list(hand_records(records))
    more = 0
    for without, mine, all_open in zip(hidden, own, over, strict=False):
        for seat, name in enumerate(without.players):
            if name == "p1":
                assert mine.holes[seat] == all_open.holes[seat]
                more += without.holes[seat] is None
            else:
                assert mine.holes[seat] == without.holes[seat]
    assert more
