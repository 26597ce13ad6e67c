"""Playing, on both databases."""

from __future__ import annotations

import asyncio
import csv
import html
import io
import itertools
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select, update

from helpers.web_person import Person, Served, serving
from railbird.assessment.pushfold import PushFoldDecision, read_decisions
from railbird.cards import class_name, class_of, parse_holding
from railbird.serve.pushfold_game import (
    Choice,
    Ending,
    all_decisions,
    ending,
    leaders,
    loss_per_decision,
)
from railbird.solve import Seat
from railbird.storage import (
    Database,
    PushFoldDecisionRow,
    PushFoldHandRow,
    PushFoldPlayerRow,
    open_database,
)

pytestmark = pytest.mark.anyio

CARD_NAMES = re.compile(r'aria-label="(\w+ of \w+)"')


async def _hands(served: Served) -> Sequence[PushFoldHandRow]:
    database = served.app.state.database
    assert isinstance(database, Database)
    async with database.read() as session:
        return (await session.scalars(select(PushFoldHandRow).order_by(PushFoldHandRow.id))).all()


async def _decisions(served: Served) -> int:
    async with served.app.state.database.read() as session:
        count: int = await session.scalar(select(func.count()).select_from(PushFoldDecisionRow))
    return count


async def _play(person: Person, decisions: int) -> None:
    for turn in range(decisions):
        await person.until_to_act()
        await person.act("aggress" if turn % 3 else "fold")


@pytest.mark.slow
async def test_twenty_hands(database: str) -> None:
    async with serving(database) as served, served.person() as person:
        assert "Deal me in" in person.page
        await _play(person, 20)
        hands = await _hands(served)
        async with served.app.state.database.read() as session:
            decisions = {d.hand_id: d for d in await session.scalars(select(PushFoldDecisionRow))}
    assert [hand.number for hand in hands] == list(range(1, len(hands) + 1))
    seats = [hand.seat for hand in hands]
    assert all(seat != following for seat, following in itertools.pairwise(seats))
    assert len(decisions) == 20
    for hand in hands:
        decided = decisions.get(hand.id)
        if decided is None:
            assert (hand.seat, hand.opponent_choice) == ("bb", "fold")
            assert (hand.ending, hand.winnings) == (Ending.OPPONENT_FOLDED, 0.5)
            continue
        how = ending(Seat(hand.seat), Choice(decided.choice), Choice(hand.opponent_choice))
        assert hand.ending == how
        allowed = {
            Ending.SHOWDOWN: {-10.0, 0.0, 10.0},
            Ending.PLAYER_FOLDED: {-0.5 if hand.seat == "sb" else -1.0},
            Ending.OPPONENT_FOLDED: {1.0},
        }
        assert hand.winnings in allowed[how]
        assert decided.loss >= 0
        chosen = decided.ev_aggress if decided.choice == "aggress" else decided.ev_fold
        assert decided.loss == max(decided.ev_aggress, decided.ev_fold) - chosen
    total = sum(hand.winnings for hand in hands)
    shown = html.unescape(person.page).replace("−", "-")
    score = re.search(r"Winnings</dt>.*?</dd>", shown, re.DOTALL)
    assert score
    # After a showdown what was won before it comes first, for as long as the board is dealt.
    *before, now = (
        float(text.replace(",", "")) for text in re.findall(r">([+-]?[\d.,]+)<", score[0])
    )
    assert now == pytest.approx(total)
    assert before == ([total - hands[-1].winnings] if hands[-1].ending == Ending.SHOWDOWN else [])


@pytest.mark.slow
async def test_the_same_seed_deals_the_same_hands(tmp_path: object) -> None:
    dealt = []
    for name in ("a", "b"):
        async with serving(f"sqlite:///{tmp_path}/{name}") as served, served.person() as person:
            await _play(person, 4)
            dealt.append([(h.seat, h.own, h.opponent, h.board) for h in await _hands(served)])
    assert dealt[0] == dealt[1]


@pytest.mark.slow
async def test_no_card_of_the_opponent_before_the_showdown(sqlite: str) -> None:
    async with serving(sqlite) as served, served.person() as person:
        for _ in range(8):
            await person.until_to_act()
            assert len(CARD_NAMES.findall(person.page)) == 2
            choice = "aggress"
            await person.act(choice)
            last = (await _hands(served))[-1]
            seen = len(CARD_NAMES.findall(person.page))
            assert seen == (9 if last.ending == Ending.SHOWDOWN else 2)
            assert "railbird" in person.client.cookies
            for hidden in (last.opponent, last.board):
                assert hidden not in person.client.cookies["railbird"]


@pytest.mark.slow(but=["postgresql"])
async def test_a_double_click_decides_once(database: str) -> None:
    async with serving(database) as served, served.person() as person:
        await person.until_to_act()
        hand = person.hidden("hand")
        answers = await asyncio.gather(
            *(person.send("act", hand=hand, choice="aggress") for _ in range(8))
        )
        assert {answer.status_code for answer in answers} == {303}
        assert await _decisions(served) == 1
        otherwise = await person.send("act", hand=hand, choice="fold")
        assert otherwise.status_code == 409
        assert "cannot be played again" in otherwise.text
        assert await _decisions(served) == 1


@pytest.mark.slow(but=["sqlite"])
async def test_opposite_decisions_at_once_leave_one(database: str) -> None:
    async with serving(database) as served, served.person() as person:
        for _ in range(5):
            await person.until_to_act()
            hand = person.hidden("hand")
            answers = await asyncio.gather(
                *(person.send("act", hand=hand, choice=c) for c in ("fold", "aggress") * 3)
            )
            codes = sorted(answer.status_code for answer in answers)
            assert codes == [303] * 3 + [409] * 3
            await person.look()
        assert await _decisions(served) == 5


@pytest.mark.slow(but=["postgresql"])
async def test_a_double_click_deals_once(database: str) -> None:
    async with serving(database) as served, served.person() as person:
        await person.until_to_act()
        await person.act("fold")
        before = len(await _hands(served))
        after = person.hidden("after")
        answers = await asyncio.gather(*(person.send("next", after=after) for _ in range(8)))
        assert {answer.status_code for answer in answers} <= {303, 409}
        assert len(await _hands(served)) == before + 1


@pytest.mark.slow
async def test_out_of_turn(sqlite: str) -> None:
    async with serving(sqlite) as served, served.person() as person:
        early = await person.send("act", hand=1, choice="fold")
        assert early.status_code == 409
        assert "not been dealt a hand" in early.text
        await person.until_to_act()
        number = int(person.hidden("hand"))
        for action, fields in (
            ("next", {"after": number}),
            ("next", {"after": number + 5}),
            ("act", {"hand": number + 1, "choice": "fold"}),
            ("hint", {"hand": number + 1}),
        ):
            answer = await person.send(action, **fields)
            assert answer.status_code == 409
        assert (await person.send("next", after=number - 1)).status_code == 303
        await person.look()
        assert int(person.hidden("hand")) == number
        assert len(await _hands(served)) == number


async def test_nobody_plays_anothers_hand(sqlite: str) -> None:
    async with serving(sqlite) as served, served.person() as ann, served.person() as bob:
        await ann.until_to_act()
        answer = await bob.send("act", hand=ann.hidden("hand"), choice="fold")
        assert answer.status_code == 409
        assert await _decisions(served) == 0


async def test_a_hint_is_noted_and_does_not_count(database: str) -> None:
    async with serving(database) as served, served.person() as person:
        await person.until_to_act()
        assert "the equilibrium" not in person.page.split("</section>")[0]
        assert (await person.send("hint", hand=person.hidden("hand"))).status_code == 303
        assert "the equilibrium" in (await person.look()).split("</section>")[0]
        await person.act("fold")
        assert "after a hint" in person.page
        assert re.search(r"Mean given up</dt><dd>–", person.page)
        assert (await _hands(served))[-1].hinted
        late = await person.send("hint", hand=(await _hands(served))[-1].number)
        assert late.status_code == 409


@pytest.mark.slow(but=["postgresql"])
async def test_the_stack_changes_with_the_next_hand(database: str) -> None:
    async with serving(database) as served, served.person() as person:
        await person.until_to_act()
        answer = await person.send("settings", stack="7.5", nickname="Ann", skill="expert")
        assert answer.status_code == 303
        await person.look()
        await person.act("fold")
        await person.next()
        assert [hand.stack for hand in await _hands(served)][-2:] == [10.0, 7.5]
        for wrong in ("0.9", "100.1", "nan", "inf", "7.55", "ten", ""):
            answer = await person.send("settings", stack=wrong, nickname="", skill="")
            assert answer.status_code == 422, wrong
            assert "Stack" in answer.text
        assert (await person.send("settings", stack=9, skill="god")).status_code == 422
        assert (await person.send("settings", stack=9, nickname="x" * 25)).status_code == 422
        assert (await person.send("settings", stack=9, nickname="a\u202eb")).status_code == 422


@pytest.mark.slow
async def test_a_nickname_is_only_text(sqlite: str) -> None:
    name = "<script>alert(1)"
    async with serving(sqlite, minimum_decisions=1) as served, served.person() as person:
        await person.send("settings", stack=10, nickname=name, skill="")
        await person.look()
        await _play(person, 2)
        leaders = (await person.client.get("/pushfold/leaders")).text
        assert html.escape(name) in leaders
        assert name not in leaders + person.page


@pytest.mark.slow
async def test_export_reads_back(database: str) -> None:
    async with serving(database) as served, served.person() as person:
        assert (await person.client.get("/pushfold/data.json")).json() == []
        await person.send("settings", stack=10, nickname="Secret Name", skill="advanced")
        await person.look()
        await _play(person, 20)
        await person.until_to_act()
        as_csv = (await person.client.get("/pushfold/data.csv")).text
        as_json = (await person.client.get("/pushfold/data.json")).json()
        hands = {hand.own: hand for hand in await _hands(served)}
        async with served.app.state.database.read() as session:
            token = await session.scalar(select(PushFoldPlayerRow.token))
    rows = list(csv.DictReader(io.StringIO(as_csv)))
    first = ("card1", "card2", "position", "skill", "decision", "played_at")
    assert tuple(rows[0])[:6] == first
    assert len(rows) == len(as_json) == 20
    assert "Secret" not in as_csv
    assert token not in as_csv
    for row, same in zip(rows, as_json, strict=True):
        hand = hands[row["card1"] + row["card2"]]
        assert row["position"] == hand.seat
        assert row["skill"] == "advanced"
        assert row["decision"] in ("aggress", "fold")
        assert float(row["loss_bb"]) == same["loss_bb"]
        shown = hand.ending == Ending.SHOWDOWN
        assert row["opponent1"] + row["opponent2"] == (hand.opponent if shown else "")
        assert row["board"] == (hand.board if shown else "")


@pytest.mark.slow
async def test_whoever_takes_the_export_slowly_keeps_nothing_from_the_others(
    database: str,
) -> None:
    """More readers than the pool has connections, all in the middle of it."""
    async with serving(database) as served, served.person() as person:
        await _play(person, 10)
        store: Database = served.app.state.database
        async with store.write() as session:  # some at the same moment
            first = await session.scalar(select(func.min(PushFoldDecisionRow.decided_at)))
            await session.execute(
                update(PushFoldDecisionRow)
                .where(PushFoldDecisionRow.hand_id % 3 == 0)
                .values(decided_at=first)
            )
        whole = [decision.hand_id async for decision, _, _ in all_decisions(store)]
        readers = [all_decisions(store, batch=2) for _ in range(30)]
        begun = [(await anext(reader))[0].hand_id for reader in readers]
        async with asyncio.timeout(60):
            assert len(await _hands(served)) >= 10
        rest = [[decision.hand_id async for decision, _, _ in reader] for reader in readers]
    assert len(whole) == 10
    assert begun == [whole[0]] * 30
    assert rest == [whole[1:]] * 30


@pytest.mark.slow
async def test_the_export_reads_as_a_population(sqlite: str, tmp_path: Path) -> None:
    async with serving(sqlite) as served, served.person() as person:
        await _play(person, 15)
        path = tmp_path / "pushfold.csv"
        path.write_text((await person.client.get("/pushfold/data.csv")).text)
        async with served.app.state.database.read() as session:
            query = select(
                PushFoldHandRow.seat, PushFoldHandRow.own, PushFoldDecisionRow.choice
            ).join(PushFoldDecisionRow)
            stored = [
                (seat, parse_holding(own), choice == "aggress")
                for seat, own, choice in await session.execute(query)
            ]
    rows = list(read_decisions(path))
    read = [
        (row.seat.value, row.holding, row.aggressive)
        for row in rows
        if isinstance(row, PushFoldDecision)
    ]
    assert len(read) == len(rows) == 15
    assert sorted(read) == sorted(stored)


@pytest.mark.slow
async def test_the_chart_counts_the_players_own(sqlite: str) -> None:
    async with serving(sqlite) as served, served.person() as person:
        await _play(person, 10)
        hands = [hand for hand in await _hands(served) if hand.seat == "sb"]
        chart = (await person.client.get("/pushfold/chart?seat=sb")).text
        assert chart.count("<g") == 169
        told = re.findall(r"you (\d+)\u202f% of (\d+)", chart)
        assert sum(int(count) for _, count in told) == sum(
            hand.ending is not None for hand in hands
        )
        partial = await person.client.get("/pushfold/chart", headers={"HX-Request": "true"})
        assert "<html" not in partial.text


@pytest.mark.slow
async def test_the_chart_is_no_hint(sqlite: str) -> None:
    async with serving(sqlite) as served, served.person() as person:
        for _ in range(10):
            await person.until_to_act()
            hand = (await _hands(served))[-1]
            chart = (await person.client.get(f"/pushfold/chart?seat={hand.seat}")).text
            name = class_name(class_of(parse_holding(hand.own)))
            told = dict(re.findall(r"<title>(\w+): (.*?)</title>", chart))
            assert len(told) == 169
            assert "equilibrium" not in told[name]
            assert all("you" in text for text in told.values() if "equilibrium" in text)
            await person.act("fold")
            chart = (await person.client.get(f"/pushfold/chart?seat={hand.seat}")).text
            assert f"{name}: equilibrium" in chart


# The leaderboard: by EV given up, with intervals that are wide enough, on both databases.


async def _add(
    database: Database, name: str, losses: list[float], *, stack: float = 10.0, hinted: bool = False
) -> None:
    async with database.write() as session:
        player = PushFoldPlayerRow(token=name, nickname=name, skill="", stack=stack)
        session.add(player)
        await session.flush()
        for number, loss in enumerate(losses, 1):
            hand = PushFoldHandRow(
                player_id=player.id,
                number=number,
                stack=stack,
                seat="sb",
                own="AsKd",
                opponent="2c2d",
                board="3c3d3h3s4c",
                opponent_choice="fold",
                hinted=hinted,
                ending="opponent folded",
                winnings=1000.0 * loss,
            )
            session.add(hand)
            await session.flush()
            session.add(
                PushFoldDecisionRow(
                    hand_id=hand.id,
                    choice=str(Choice.AGGRESS),
                    hand_class=1,
                    frequency=1.0,
                    ev_aggress=0.0,
                    ev_fold=0.0,
                    loss=loss,
                )
            )


async def test_ranks_by_what_is_given_up(database: str) -> None:
    opened = await open_database(database)
    await _add(opened, "lucky", [0.5] * 10 + [0.0] * 10)
    await _add(opened, "good", [0.1] + [0.0] * 19)
    await _add(opened, "short", [0.0] * 5)
    await _add(opened, "hinted", [0.0] * 20, hinted=True)
    await _add(opened, "deep", [0.0] * 20, stack=20.0)
    async with opened.read() as session:
        places = await leaders(session, stack=10.0, minimum=20)
        elsewhere = await leaders(session, stack=20.0, minimum=20)
        nowhere = await leaders(session, stack=33.0, minimum=20)
    await opened.close()
    assert [place.nickname for place in places] == ["good", "lucky"]
    assert places[0].loss.value == pytest.approx(0.005)
    assert places[0].loss.n == 20
    assert [place.nickname for place in elsewhere] == ["deep"]
    assert elsewhere[0].loss.high > 0
    assert nowhere == ()


def test_the_interval_is_the_usual_one_for_many_decisions() -> None:
    losses = np.random.default_rng(1).exponential(0.1, 10_000)
    found = loss_per_decision(len(losses), losses.sum(), np.square(losses).sum(), 0.2)
    assert found.stderr == pytest.approx(losses.std() / 100, rel=1e-3)


def test_intervals_cover_the_truth() -> None:
    """A player who errs in 5 % of 50 decisions, where the normal intervals alone cover 92 %."""
    rng, n, rate, cost = np.random.default_rng(2), 50, 0.05, 0.2
    mistakes = rng.binomial(n, rate, 4000)
    covered = [
        found.low <= rate * cost <= found.high
        for m in mistakes.tolist()
        for found in [loss_per_decision(n, m * cost, m * cost * cost, cost)]
    ]
    assert np.mean(covered) > 0.95
