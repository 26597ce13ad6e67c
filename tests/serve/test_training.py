"""Training in the browser: decisions count once, drills, hard ones that come back, progress."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from helpers.web_person import ORIGIN, PASSWORD, Somebody, app_of
from railbird.serve.mounts.spots import mount
from railbird.serve.spots_jobs import SpotSettings
from railbird.serve.spots_worker import _SpotWorker
from railbird.serve.training_page import HARD, TEXTURE_WORDS, drill_menus, due_words, recall
from railbird.solve.spot import Spot, SpotSolver, begun, resume, save_solution
from railbird.solve.spot.drills import TEXTURES
from railbird.storage.database import open_blocking
from railbird.storage.puzzles import Owner
from railbird.storage.tables import TrainedCardRow, TrainedDecisionRow
from railbird.storage.training import (
    TrainedAnswer,
    due_trained_card,
    record_trained,
    trained_progress,
)

QUICK = SpotSettings(nice=0, answer_s=300.0)
RIVER = """oop = AA,QQ,JTs
ip = KK,A5s
board = 2c3d7h9sJs
pot = 20
stack = 30
river_bets = 50%, a
river_raises = a
"""


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("solved") / "x.solution"
    solved = resume(begun(SpotSolver(Spot.parse(RIVER), threads=1)), gap_percent=1)
    save_solution(solved, path)
    return path.read_bytes()


@asynccontextmanager
async def at_solution(database: str, content: bytes) -> AsyncIterator[tuple[Somebody, str]]:
    """Somebody who has opened a solution, and where one trains against it."""
    app = app_of(database, mount(QUICK))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Origin": ORIGIN, "Accept": "text/html"}
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers=headers
        ) as client:
            somebody = Somebody(client, app)
            await somebody.get("/spots")
            opened = await client.post(
                "/spots/open",
                data={"token": somebody.hidden("token")},
                files={"file": ("x", content)},
            )
            assert opened.status_code == 303, opened.text
            yield somebody, f"{opened.headers['location']}/train"


async def decide(somebody: Somebody, where: str, answer: str = "0") -> httpx.Response:
    fields = {name: somebody.hidden(name) for name in ("line", "seat", "drill", "seed", "answers")}
    sent = await somebody.post(where, **fields, answer=answer)
    if sent.status_code == 303:
        await somebody.get(sent.headers["location"])
    return sent


@pytest.mark.anyio
async def test_decisions_are_recorded_once_and_shown(sqlite: str, solution: bytes) -> None:
    async with at_solution(sqlite, solution) as (somebody, where):
        first = await somebody.client.get(where)
        assert (first.status_code, "seed=" in first.headers["location"]) == (303, True)
        await somebody.get(f"{where}?seed=7&seat=oop")
        assert "Hand 1: first to act with" in somebody.page
        sent = None
        for _ in range(4):
            sent = await decide(somebody, where)
            assert sent.status_code == 303
            assert "chips lost" in somebody.page
            assert "costs" in somebody.page
        assert sent is not None
        again = await somebody.get(sent.headers["location"])
        assert "4 decisions" in again.text
        await somebody.get(f"{where}?seed=7&seat=oop")
        await decide(somebody, where)  # the first hand once more
        progress = (await somebody.get("/train")).text
        assert "4 decisions, " in progress
        assert "of the pot lost in each" in progress
        assert 'scope="row">river' in progress
        async with somebody.app.state.database.read() as session:
            count = select(func.count()).select_from(TrainedDecisionRow)
            assert await session.scalar(count) == 4


@pytest.mark.anyio
async def test_hard_ones_come_back_and_go_with_the_account(sqlite: str, solution: bytes) -> None:
    async with at_solution(sqlite, solution) as (somebody, where):
        assert "Nothing has been decided yet" in (await somebody.get("/train")).text
        assert "Nothing has been hard yet" in (await somebody.get("/train/hard")).text
        await somebody.get(f"{where}?seed=7&seat=oop&drill=overpair")
        count, lost = 0, 0.0
        while lost < 100 * HARD:  # check, and fold aces to a bet
            assert count < 60
            await decide(somebody, where)
            count += 1
            cost = re.search(r"costs <b>[\d.]+</b>, ([\d.]+)", somebody.page)
            lost = 0.0 if cost is None else float(cost[1])
        await somebody.get("/train/hard")
        assert "Nothing is due. The next of 1 comes in" in somebody.page
        await somebody.get("/account")
        await somebody.post("/account/sign-up", name="ann", password=PASSWORD)
        decisions = f"{count} decision"
        assert decisions in (await somebody.get("/train")).text
        async with somebody.app.state.database.write() as session:
            await session.execute(
                update(TrainedCardRow).values(due_at=datetime(2026, 1, 1, tzinfo=UTC))
            )
        assert "to answer again" in (await somebody.get("/train")).text
        due = (await somebody.get("/train/hard")).text
        assert " due." in due
        card, place = somebody.hidden("card"), somebody.hidden("place")
        for fields, status in (
            ({"card": card, "place": place, "answer": "77"}, 422),
            ({"card": "999999", "place": place, "answer": "0"}, 404),
            ({"card": "x", "place": place, "answer": "0"}, 422),
            ({"card": str(10**30), "place": place, "answer": "0"}, 422),
            ({"card": card, "place": place, "answer": "0", "more": "1"}, 422),
        ):
            assert (await somebody.post("/train/hard", **fields)).status_code == status, fields
        twice = [
            await somebody.post("/train/hard", card=card, place=place, answer="0") for _ in range(2)
        ]
        assert [sent.status_code for sent in twice] == [303, 303], "it counts once"
        answered = (await somebody.get(twice[1].headers["location"])).text
        assert "Your last decision" in answered
        assert f"{count + 1} decisions" in (await somebody.get("/train")).text
        everything = (await somebody.client.get("/api/account/export")).json()["training"]
        assert len(everything["decisions"]) == count + 1
        assert [hard["answers"] for hard in everything["hard"]] == [2]
        for graded in ("0", "999999", str(2**31 - 1)):
            assert "Your last" not in (await somebody.get(f"/train/hard?graded={graded}")).text
        assert (await somebody.get(f"/train/hard?graded={10**30}")).status_code == 422


@pytest.mark.anyio
async def test_what_is_no_drill_and_no_answer_is_refused(sqlite: str, solution: bytes) -> None:
    async with at_solution(sqlite, solution) as (somebody, where):
        for query, words in (
            ("drill=turn", "a drill of the turn; here follows river"),
            ("drill=flush", "no hand of this drill comes there: flush"),
            ("drill=monotone", "no hand of this drill comes there: monotone"),
            ("drill=%3Cb%3E", "no such button"),
            ("drill=flush&drill=set", "no such button"),
            ("drill=" + "x" * 500, "no such button"),
            ("answers=99", "allowed: 0 to"),
            ("answers=0..0", "no such button"),
            ("answers=x", "no such button"),
            ("seat=x", "no such button"),
            ("line=bet+7", "bet 7"),
            ("seed=-1", ""),
        ):
            answer = await somebody.get(f"{where}?seed=7&{query}")
            assert answer.status_code == 422, query
            assert words.lower() in answer.text.lower(), query
        await somebody.get(f"{where}?seed=7&drill=one+street&drill=connected")
        assert "Drill: connected, one street" in somebody.page
        assert (await decide(somebody, where, "98")).status_code == 422
        sent = await somebody.client.post(where, data={"token": "x", "seed": "7", "answer": "0"})
        assert sent.status_code == 403


NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def test_hands_without_a_decision_are_not_counted(solution: bytes, tmp_path: Path) -> None:
    """After a bet only one seat acts, if it does not raise; seats go by turns."""
    path = tmp_path / "x.solution"
    path.write_bytes(solution)
    fold: dict[str, Any] = {
        "path": str(path),
        "line": "bet 10",
        "drill": "",
        "seed": 1,
        "seat": None,
    }
    for count in range(4):
        at = _SpotWorker(1000.0).do_train(**fold, answers=[0] * count)
        assert at["hand"] == count + 1, "each fold ends one"


def test_the_better_a_decision_is_known_the_later_it_comes_back() -> None:
    assert recall(None, HARD / 2, NOW) is None, "what was not hard does not come back"
    assert recall(None, 2 * HARD, NOW, unsure=3 * HARD) is None, "nor what nobody can tell"
    known, at, waits = None, NOW, []
    for cost in (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0):
        changed = recall(known, cost, at)
        assert changed is not None
        known, due = changed
        waits.append(due - at)
        at = due
    assert waits[0] == timedelta(minutes=1)
    assert waits[1] < waits[2] < waits[3] < waits[4]
    assert waits[5] == timedelta(minutes=10), "and anew from there"
    assert waits[6] < waits[4]
    half = recall(known, HARD / 2, at)
    right = recall(known, 0.0, at)
    assert half is not None
    assert right is not None
    assert half[1] < right[1]


def test_sums_and_bounds(database: str) -> None:
    opened = open_blocking(database)
    owner, other = Owner(None, "a"), Owner(None, "b")
    with opened.write() as session:
        for place, loss in enumerate((0.0, 1.0, 2.0)):
            answer = TrainedAnswer(
                run="r", place=place, spot="x", street="river", made="flush", loss=loss, pot=20.0
            )
            for who in (owner, other):
                assert record_trained(session, who, answer, {"q": place}, f"d{place}", recall)
            assert not record_trained(session, owner, answer, {}, "d", recall)
        progress = trained_progress(session, owner)
        total = progress.sums["all"][""]
        assert total.count == 3
        assert total.mean == pytest.approx(0.05)
        assert total.variance == pytest.approx(0.0025)
        for key, name in (("street", "river"), ("made", "flush"), ("spot", "x")):
            assert progress.sums[key][name].mean == pytest.approx(total.mean)
        (day,) = progress.sums["day"].values()
        assert day.count == 3
        assert (progress.cards, progress.due) == (2, 0)
        assert due_trained_card(session, owner) is None
    opened.close()


def test_menus_and_words() -> None:
    assert TEXTURE_WORDS.keys() == TEXTURES.keys()
    assert [menu["title"] for menu in drill_menus(3, "")["menus"]] == ["Street", "Board", "Hand"]
    assert [menu["title"] for menu in drill_menus(5, "")["menus"]] == ["Board", "Hand"]
    assert due_words(-5) == "a few seconds"
