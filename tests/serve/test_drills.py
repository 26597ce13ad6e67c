"""Puzzles and drills: what the file says against the solver, grades, answers that count once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import httpx
import numpy as np
import pytest
from sqlalchemy import func, select

from helpers.web_person import PASSWORD, Served, Somebody, serving
from railbird.cards import Range
from railbird.errors import BadInput, DamagedFile
from railbird.serve.mounts.drills import drill_verdict
from railbird.solve.drill_store import (
    CLEAR,
    DrillAction,
    DrillDecision,
    DrillGrade,
    DrillStore,
    drill_action_words,
    spot_line_words,
)
from railbird.solve.spot import Spot, solve_spot
from railbird.storage.tables import DrillAnswerRow

STORE = DrillStore()
ALL = [
    f"{river}.{point}.{holding}"
    for river, counts in STORE.counts().items()
    for point, count in enumerate(counts)
    for holding in range(count)
]


def an_action(cost: float, error: float, name: str = "check") -> DrillAction:
    return DrillAction(name, name.capitalize(), 5 - cost, cost, error, 0.5)


def a_decision(*actions: DrillAction) -> DrillDecision:
    seats, other = ("Big blind", "Button"), (0.0,) * 169
    return DrillDecision(
        "0-0.0.0", seats, (), "2c3d7h9sJs", 100, (50, 50), (0, 0), 0, "AcAd", actions, other
    )


def test_what_is_asked_is_of_the_size_that_the_manual_says() -> None:
    assert STORE.rivers == len(STORE.index()["rivers"])
    assert STORE.rivers >= 1_000
    assert STORE.turns >= 100
    assert STORE.decisions == len(ALL) > 100_000
    assert len(STORE.puzzles(daily=True)) > 365
    assert len(STORE.puzzles(daily=False)) > 2_000
    path = Path("src/railbird/solve/data/rivers.zip")
    assert path.stat().st_size < 20 << 20


def test_every_decision_can_be_shown_and_no_puzzle_is_within_its_error() -> None:
    puzzles = {*STORE.puzzles(daily=True), *STORE.puzzles(daily=False)}
    rng = np.random.default_rng(1)
    for name in {*rng.choice(ALL, 400).tolist(), *rng.choice(sorted(puzzles), 100).tolist()}:
        decision = STORE.decision(name)
        assert decision.is_puzzle or name not in puzzles
        assert STORE.is_puzzle(name) is (name in puzzles)
        assert min(action.cost for action in decision.actions) == 0
        assert all(action.error > 0 for action in decision.actions)
        for action in decision.actions:
            graded_down = decision.grade(action) is DrillGrade.LOSS
            assert graded_down is (action.cost >= CLEAR * action.error)
            assert drill_verdict(decision, action).words
        shares = sum(action.share for action in decision.actions)
        assert shares == pytest.approx(1, abs=0.03)
        if decision.is_puzzle:
            assert decision.grade(decision.best) is DrillGrade.BEST
            others = [action for action in decision.actions if action is not decision.best]
            assert all(action.low > 0 for action in others)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("street", "gap"), [("rivers", 0.005), ("turns", 0.02)])
def test_a_finer_solution_says_the_same_within_the_errors(
    seed: int, street: str, gap: float
) -> None:
    rng = np.random.default_rng(seed)
    name = str(rng.choice(list(STORE.index()[street])))
    river = STORE.river(name)
    solution = solve_spot(Spot.parse(river["spot"]), gap_percent=gap, iterations=8_000)
    inside = total = 0
    for number, point in enumerate(river["points"]):
        node = solution.node(point["line"])
        assert [str(action) for action in node.actions] == point["actions"]
        for place, (cards, *_) in enumerate(point["decisions"]):
            decision = STORE.decision(f"{name}.{number}.{place}")
            holding = int(Range.parse(cards).weights.argmax())
            for action, loss in zip(decision.actions, node.losses[:, holding], strict=True):
                inside += action.low - 0.002 <= loss / 10 <= action.high + 0.002
                total += 1
                if action.is_loss:
                    assert loss > 0
    assert inside >= 0.9 * total


def test_a_grade_is_never_within_its_own_error() -> None:
    best = an_action(0, 0.1)
    clear, unclear, even = an_action(0.31, 0.1), an_action(0.29, 0.1), an_action(0.1, 0.1)
    assert a_decision(best, clear).grade(best) is DrillGrade.BEST
    assert a_decision(best, unclear).grade(best) is DrillGrade.EVEN
    assert [a_decision(best, one).grade(one) for one in (clear, unclear, even)] == [
        DrillGrade.LOSS,
        DrillGrade.UNCLEAR,
        DrillGrade.EVEN,
    ]
    words = drill_verdict(a_decision(best, unclear), unclear).words
    assert words.startswith("Not clear: this costs between 0.19")


def test_a_turn_s_story_ends_on_the_turn() -> None:
    name = next(iter(STORE.index()["turns"]))
    first, later = (STORE.decision(f"{name}.{point}.0") for point in (0, 1))
    assert len(first.board) == 8
    assert first.story[-1] == "Both check the flop."
    assert later.story[-1] == "On the turn, the big blind checks."


def test_words() -> None:
    seats = ("Big blind", "Button")
    assert drill_action_words("all-in 90", 0, 0) == "All-in, 9 bb"
    assert spot_line_words("check bet 41 raise 120 fold", seats) == (
        "the big blind checks, the button bets 4.1 bb, the big blind raises to 12 bb, "
        "the button folds"
    )
    assert spot_line_words("", seats) == ""


@pytest.mark.parametrize(
    "name", ["", "x", "0000-0", "9999-0.0.0", "0000-0.99.0", "0000-0.0.999", "0000-0.-1.0", "index"]
)
def test_names_of_no_decision_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="there is no decision"):
        STORE.decision(name)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rivers.zip"
    path.write_bytes(b"nothing")
    with pytest.raises(DamagedFile, match=r"rivers\.zip"):
        DrillStore(path).index()


def test_days_have_puzzles_of_their_own_and_everybody_another_order() -> None:
    today = date(2026, 11, 29)
    days = [STORE.of_day(today + timedelta(days=day)) for day in range(30)]
    assert len(set(days)) == 30
    assert not set(days) & set(STORE.puzzles(daily=False))
    first = [STORE.puzzle_for(f"account:{number}", ()) for number in range(20)]
    assert len(set(first)) > 10
    assert STORE.puzzle_for("account:1", STORE.puzzles(daily=False)) is None
    drills = {STORE.drill_at(number) for number in (0, 1, 2**64 - 1, 10**15 + 7)}
    assert len(drills) == 4
    boards = Counter(len(STORE.decision(STORE.drill_at(number)).board) for number in range(40))
    assert boards == {8: 10, 10: 30}, "a turn in four"
    assert not drills & set(STORE.index()["puzzles"])


# At the pages.


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(f"sqlite:///{tmp_path / 'x.sqlite3'}") as server:
        yield server


def browser_of(served: Served, client: httpx.AsyncClient) -> Somebody:
    return Somebody(client, served.app)


async def answer(somebody: Somebody, kind: str, *, right: bool) -> str:
    """Answer what is asked; return the question."""
    await somebody.get(f"/drills/{kind}")
    question = somebody.hidden("question")
    decision = STORE.decision(question)
    others = [action for action in decision.actions if action is not decision.best]
    name = (decision.best if right else others[0]).name
    sent = await somebody.post("/drills/answer", kind=kind, question=question, answer=name)
    assert (sent.status_code, sent.headers["location"]) == (303, f"/drills/answered/{question}")
    await somebody.get(sent.headers["location"])
    return question


@pytest.mark.anyio
async def test_an_answer_counts_once_and_sees_what_every_action_costs(served: Served) -> None:
    async with served.person() as person:
        somebody = browser_of(served, person.client)
        question = await answer(somebody, "daily", right=True)
        assert "Right: anything else costs" in somebody.page
        assert "1 of 1 right, 1 in a row, 1 day running; your rating is 26" in somebody.page
        decision = STORE.decision(question)
        wrong = max(decision.actions, key=lambda action: action.cost).name
        again = {"kind": "daily", "question": question, "answer": wrong}
        await somebody.get("/drills/puzzle")
        assert (await somebody.post("/drills/answer", **again)).status_code == 303
        assert "1 of 1 right" in (await somebody.get("/drills")).text
        await answer(somebody, "puzzle", right=False)
        assert "This costs" in somebody.page
        assert "1 of 2 right, 0 in a row" in somebody.page
        await answer(somebody, "puzzle", right=True)
        assert "2 of 3 right, 1 in a row" in somebody.page


@pytest.mark.anyio
async def test_drills_add_up_what_was_given_up(served: Served) -> None:
    async with served.person() as person:
        somebody = browser_of(served, person.client)
        lost = []
        for number in range(6):
            decision = STORE.decision(await answer(somebody, "drill", right=number % 2 == 0))
            others = [action for action in decision.actions if action is not decision.best]
            lost.append(0.0 if number % 2 == 0 else others[0].cost)
        said = re.search(r"6 decisions, ([\d.]+) ± [\d.]+ bb given up in each", somebody.page)
        assert said is not None
        assert float(said[1]) == pytest.approx(np.mean(lost), abs=0.006)


@pytest.mark.anyio
async def test_what_was_not_asked_is_refused(served: Served) -> None:
    async with served.person() as person:
        somebody = browser_of(served, person.client)
        await somebody.get("/drills/puzzle")
        asked = somebody.hidden("question")
        other = next(name for name in STORE.puzzles(daily=False) if name != asked)
        action = STORE.decision(other).best.name
        for fields, status in (
            ({"kind": "puzzle", "question": other, "answer": action}, 409),
            ({"kind": "daily", "question": other, "answer": action}, 409),
            ({"kind": "drill", "question": other, "answer": action}, 409),
            ({"kind": "puzzle", "question": asked, "answer": "bet 10000000"}, 422),
            ({"kind": "puzzle", "question": "<b>", "answer": "fold"}, 404),
            ({"kind": "other", "question": asked, "answer": "fold"}, 422),
            ({"kind": "puzzle", "question": "x" * 100, "answer": "fold"}, 422),
        ):
            sent = await somebody.post("/drills/answer", **fields)
            assert sent.status_code == status, fields
        assert (await somebody.get(f"/drills/answered/{asked}")).status_code == 404
        assert (await somebody.get("/drills/nothing")).status_code in (404, 422)
        sent = await somebody.client.post(
            "/drills/answer",
            data={"token": "x", "kind": "puzzle", "question": asked, "answer": action},
        )
        assert sent.status_code == 403


@pytest.mark.anyio
async def test_an_account_takes_over_what_its_browser_answered(served: Served) -> None:
    async with served.person() as person:
        somebody = browser_of(served, person.client)
        await answer(somebody, "puzzle", right=True)
        await somebody.get("/account")
        await somebody.post("/account/sign-up", name="ann", password=PASSWORD)
        assert "1 of 1 right" in (await somebody.get("/drills/puzzle")).text
        await answer(somebody, "puzzle", right=True)
        assert "2 of 2 right" in somebody.page
        everything = (await person.client.get("/api/account/export")).json()
        assert [drill["kind"] for drill in everything["drills"]] == ["puzzle", "puzzle"]
        async with served.app.state.database.read() as session:
            count = select(func.count()).select_from(DrillAnswerRow)
            nobodys = count.where(DrillAnswerRow.account_id.is_(None))
            assert await session.scalar(nobodys) == 0
