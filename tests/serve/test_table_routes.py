"""The table's pages and forms as a browser without script sends them, and as forgers do."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from helpers.hosted import PATIENCE_S
from helpers.web_person import ORIGIN, PASSWORD, Somebody, table_app
from railbird._token_buckets import TokenBuckets
from railbird.game import HEADS_UP_LIMIT
from railbird.hosting.house_workers import HouseWorkers
from railbird.serve.person import CompilingNotice
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import betting_tree, write_strategy
from railbird.solve.limit.strategy import uniform_strategy
from railbird.storage.accounts import find_account
from railbird.storage.opponents import Increment, add_up, opponent_names
from railbird.storage.results import ring_sessions_of
from railbird.storage.tables import MemoryScope

pytestmark = pytest.mark.anyio


@pytest.fixture
async def somebody(tmp_path: Path) -> AsyncIterator[Somebody]:
    async with _served(tmp_path) as somebody:
        yield somebody


@asynccontextmanager
async def _served(
    folder: Path, house: tuple[str, ...] = (), *, pace: float = 0.0
) -> AsyncIterator[Somebody]:
    app = table_app(folder, house=house, pace=pace)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        headers = {"Origin": ORIGIN, "Accept": "text/html"}
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers=headers
        ) as client:
            yield Somebody(client, app)


async def test_an_account_from_sign_up_to_a_new_password(somebody: Somebody) -> None:
    await somebody.get("/play")
    assert "Log in or sign up" in somebody.page
    answer = await somebody.client.get("/table")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account?next=/table")
    await somebody.get("/account")
    answer = await somebody.post("/account/sign-up", name="an n", password=PASSWORD)
    assert answer.status_code == 422
    assert "A name has 1 to 32 letters" in answer.text
    answer = await somebody.post("/account/sign-up", name="ann", password="short")
    assert "A password has 8 to 256 characters" in answer.text
    assert 'value="ann"' in answer.text
    await somebody.sign_up("ann")
    assert "ann" in somebody.page
    await somebody.get("/account")
    answer = await somebody.post("/account/password", old="wrong one", new="another horse battery")
    assert "The password is wrong." in answer.text
    answer = await somebody.post("/account/password", old=PASSWORD, new="another horse battery")
    assert answer.headers["location"] == "/account?said=password"
    await somebody.get("/account?said=password")
    assert "The password is changed" in somebody.page
    answer = await somebody.post("/account/log-in", name="ann", password=PASSWORD)
    assert answer.status_code == 401
    answer = await somebody.post(
        "/account/log-in",
        name="ann",
        password="another horse battery",
        next="//evil.example/table",
    )
    assert answer.headers["location"] == "/play"
    await somebody.get("/account")
    answer = await somebody.post("/account/log-out")
    await somebody.get("/account")
    assert "Sign up" in somebody.page
    for asked in ({}, {"HX-Request": "true"}):  # a form of a page that is still open
        somebody.client.headers.update(asked)
        answer = await somebody.post("/play/queue", queue="heads-up")
        assert answer.status_code == 401
        assert '<a href="/account?next=/play">' in answer.text.replace(' class="button"', "")
    assert answer.headers["HX-Retarget"] == "#notice"


async def test_house_players_forget_whoever_asks(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    await somebody.get("/account")
    assert "remember" not in somebody.page
    scope = MemoryScope(observer="booker:4", kind="statistics", game="nolimit", seats=2)
    for name in ("ann", "bob"):
        await somebody.app.state.directory.write(
            add_up, scope, {name: Increment(hands=3)}, version=1, merged=lambda *_: "{}"
        )
    await somebody.get("/account")
    assert "booker:4 remembers how you have played" in somebody.page
    export = (await somebody.client.get("/api/account/export")).json()
    assert [(each["by"], each["hands"]) for each in export["remembered"]] == [("booker:4", 3)]
    answer = await somebody.post("/account/forget")
    assert answer.headers["location"] == "/account?said=forgotten"
    await somebody.get("/account?said=forgotten")
    assert "House players have forgotten you." in somebody.page
    assert "booker:4" not in somebody.page
    assert await somebody.app.state.directory.read(opponent_names) == ["bob"]


@pytest.mark.slow
async def test_forms_that_are_forged_late_or_doubled_move_no_chips(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    assert (await somebody.post("/play/queue", queue="heads-up")).status_code == 303
    await somebody.until_turn()
    act = {"turn": somebody.hidden("turn"), "action": somebody.hidden("action"), "verb": "call"}
    client, token = somebody.client, somebody.hidden("token")
    forged = await client.post("/table/act", data={**act, "token": "forged"})
    assert forged.status_code == 403
    foreign = await client.post(
        "/table/act", data={**act, "token": token}, headers={"Origin": "http://evil.example"}
    )
    assert foreign.status_code == 403
    odd = await somebody.post("/table/act", **act, extra="1")
    assert odd.status_code == 422
    small = await somebody.post("/table/act", **{**act, "verb": "raise", "to": "1"})
    assert small.status_code == 303
    await somebody.get("/table")
    assert "cannot raise to 1" in somebody.page
    assert act["turn"] in somebody.page
    assert (await somebody.post("/table/act", **act)).status_code == 303
    await somebody.until_turn()
    assert somebody.hidden("turn") != act["turn"]
    second = somebody.hidden("turn")
    partial = {"HX-Request": "true"}
    doubled = await client.post("/table/act", data={**act, "token": token}, headers=partial)
    assert doubled.status_code == 200
    assert f'value="{second}"' in doubled.text
    assert "is over" not in doubled.text  # a double click is no fault
    # Another action for the turn that is over, by a page that was left behind, is refused.
    stale = await client.post(
        "/table/act", data={**act, "verb": "fold", "sure": "1", "token": token}, headers=partial
    )
    assert f'value="{second}"' in stale.text
    assert "That turn is over already." in stale.text
    late = await client.post(
        "/table/act", data={**act, "turn": "heads-up.1-1.0.1", "token": token}, headers=partial
    )
    assert f'value="{second}"' in late.text
    assert "That turn is over already." in late.text
    assert (await somebody.post("/table/hint")).status_code == 409
    assert (await client.get("/watch/nothing.1-1")).status_code == 404


@pytest.mark.slow
async def test_a_check_that_is_not_free_is_refused(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    await somebody.post("/play/queue", queue="heads-up")
    while True:
        await somebody.until_turn()
        act = {"turn": somebody.hidden("turn"), "action": somebody.hidden("action")}
        is_free = 'value="check" id="do-call"' in somebody.page
        assert (await somebody.post("/table/act", **act, verb="check")).status_code == 303
        if not is_free:
            break
    await somebody.get("/table")
    assert re.search(r"Seat \d cannot check: \d+ to call", somebody.page)
    assert somebody.hidden("turn") == act["turn"]
    assert 'value="call" id="do-call"' in somebody.page


@pytest.mark.slow
async def test_what_was_chosen_ahead_is_taken_back(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    await somebody.post("/play/queue", queue="heads-up")
    await somebody.until_turn()
    for what in ("check_fold", "call", "nothing"):
        assert (await somebody.post("/table/ahead", what=what)).status_code == 303
    assert (await somebody.post("/table/ahead", what="")).status_code == 422


async def test_a_seat_that_was_lost_while_away_is_not_shown(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    await somebody.post("/play/queue", queue="heads-up")
    await somebody.until_turn()
    state = somebody.app.state
    person, task = state.table._people["ann"], state.host.house.accounts["ann"].task
    person.disconnect()
    task.post(lambda: task.play.close(void=True, why="a test"))
    async with asyncio.timeout(PATIENCE_S):
        while state.table.plays(person):
            await asyncio.sleep(0.01)
    assert not person.seat.truth.is_over  # nobody told it
    answer = await somebody.client.get("/table")
    assert (answer.status_code, answer.headers["location"]) == (303, "/play")
    answer = await somebody.client.get("/table/parts")
    assert "You have no seat here any more" in answer.text


async def test_the_lobby_names_the_house_players_of_a_ring_table(somebody: Somebody) -> None:
    lobby = (await somebody.get("/play")).text
    words = "0 of 3 seats taken; the first person to sit down is joined by always-call of the house"
    assert words in lobby
    assert lobby.count("of the house") == 1


async def test_the_lobby_refuses_what_cannot_be_played(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    form: dict[str, str | list[str]] = {"betting": "limit", "stack": "2000", "big_blind": "20"}
    for opponents, stack, words in (
        ([""], "2000", "Choose one to eight opponents."),
        (["acpc"], "2000", "no house player"),
        (["loki:memory=/etc/passwd"], "2000", "no house player"),
        (["always-call"], "10", "at least a big blind"),
    ):
        answer = await somebody.post(
            "/play/practise", **{**form, "opponent": opponents, "stack": stack}
        )
        assert answer.status_code == 422
        assert words in answer.text
    await somebody.post("/play/queue", queue="none")
    await somebody.get("/play")
    assert "No queue" in somebody.page
    answer = await somebody.post("/play/practise", **form, opponent=["always-call"] * 3)
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    await somebody.until_turn()
    assert "Practice" in somebody.page
    assert (await somebody.post("/table/seat", what="stand_up")).status_code == 303
    await somebody.until_shown("To the lobby")


async def test_cards_that_nobody_has_seen_are_shown_by_a_button(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.hosting.ring_play.SHARE_SECONDS", 0.0)  # a page without script
    async with _served(tmp_path, pace=20.0) as ann:  # the next hand waits
        await ann.sign_up("ann")
        await ann.post("/play/sit", table="with-house.1", buy_in="2000")
        await ann.until_turn()
        assert 'id="b-show"' not in ann.page
        turn = {"turn": ann.hidden("turn"), "action": ann.hidden("action")}
        await ann.post("/table/act", **turn, verb="fold", sure="1")
        await ann.until_shown('id="b-show"')
        assert (await ann.post("/table/show")).status_code == 303
        await ann.until_shown("by choice")
        assert 'id="b-show"' not in ann.page, "once"


async def test_a_person_sits_at_several_ring_tables_and_each_page_shows_where_a_turn_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.hosting.ring_play.SHARE_SECONDS", 0.0)  # pages without script
    async with _served(tmp_path) as ann:
        await ann.sign_up("ann")
        answer = await ann.post("/play/sit", table="ring-10-20.1", buy_in="2000")
        assert answer.headers["location"] == "/table"
        await ann.get("/play")
        assert 'hx-get="/table/parts"' in ann.page, "the lobby leads to the table once"
        await ann.get("/play")
        assert 'name="table" value="ring-10-20"' in ann.page, "another table of the stake"
        answer = await ann.post("/play/sit", table="with-house.1", buy_in="2000")
        assert answer.headers["location"] == "/table?seat=2"
        await ann.until_shown('id="do-call"', "/table?seat=2")
        assert "ann+2" in ann.app.state.host.house.accounts
        assert 'href="/table"' in ann.page
        turn = {"turn": ann.hidden("turn"), "action": ann.hidden("action")}
        await ann.get("/table")
        assert 'id="do-call"' not in ann.page
        assert 'href="/table?seat=2" class="asked" aria-label="Table 2, your turn"' in ann.page
        await ann.get("/play")
        assert 'id="to-table2" href="/table?seat=2">Back to with-house.1: your turn' in ann.page
        assert 'id="to-table" href="/table">Back to ring-10-20.1</a>' in ann.page

        answer = await ann.post("/table/act?seat=2", **turn, verb="fold", sure="1")
        assert answer.headers["location"] == "/table?seat=2"
        await ann.get("/table?seat=9")
        assert "ring-10-20" in ann.page, "there is no ninth"
        await ann.get("/play")
        await ann.post("/play/queue", queue="six")
        await ann.get("/play")
        assert "You are waiting for" not in ann.page

        assert (await ann.post("/table/seat?seat=2", what="stand_up")).status_code == 303
        await ann.until_shown("To the lobby", "/table?seat=2")
        directory = ann.app.state.directory
        account = await directory.read(find_account, "ann")
        await ann.app.state.host.house.outbox.flushed()
        sessions = await directory.read(ring_sessions_of, account.id)
        assert [session.game for session in sessions] == ["with-house"]
        assert (await ann.get("/games/with-house.1/hands/0")).status_code == 200


async def test_a_guest_plays_at_once_and_keeps_the_hands_with_an_account(
    somebody: Somebody,
) -> None:
    await somebody.get("/")
    assert 'id="play-now"' in somebody.page
    answer = await somebody.post("/play/now", seats="6")
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    await somebody.until_turn()
    assert all(name in somebody.page for name in ("Cal", "Tess", "Sol", "Lena", "Hart"))
    answer = await somebody.post("/play/now", seats="2")  # pressed twice: the same table
    await somebody.post("/table/act", turn=somebody.hidden("turn"), action="1", verb="fold")
    await somebody.until_shown("The hand is over")
    assert (await somebody.get("/games/practice.1/hands/0")).status_code == 200
    await somebody.get("/play")
    assert "to keep the hands that you play" in somebody.page
    await somebody.get("/")
    for path, fields in (
        ("/play/queue", {"queue": "six"}),
        ("/play/sit", {"table": "ring-10-20.1", "buy_in": "400"}),
    ):
        assert (await somebody.post(path, **fields)).status_code == 401
    await somebody.sign_up("ann")
    await somebody.until_shown("Your practice tables", "/play")
    assert 'href="/games/practice.1"' in somebody.page
    assert (await somebody.get("/games/practice.1/hands/0")).status_code == 200
    other = Somebody(httpx.AsyncClient(transport=httpx.ASGITransport(somebody.app)), somebody.app)
    async with other.client:
        answer = await other.client.get(f"{ORIGIN}/games/practice.1")
    assert answer.status_code == 404


async def test_one_address_has_so_many_guests_and_no_more(
    somebody: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = somebody.app.state.table
    monkeypatch.setattr(people, "_guests", TokenBuckets(per_second=1e-9, burst=1))
    await somebody.get("/")
    assert (await somebody.post("/play/now", seats="2")).status_code == 303
    somebody.client.cookies.clear()
    await somebody.get("/")
    answer = await somebody.post("/play/now", seats="2")
    assert answer.status_code == 429
    assert "Too many guests" in answer.text


def opponents_of(page: str) -> dict[str, set[str]]:
    """Whom the first chair of a practice table offers, by the headings of its list."""
    (chair, *_) = re.findall(r'<select name="opponent">(.*?)</select>', page, re.DOTALL)
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', chair, re.DOTALL)
    return {name: set(re.findall(r"<option[^>]*>([^<]*)", group)) for name, group in groups}


async def test_who_plays_badly_with_such_stacks_is_no_opponent_among_the_others(
    somebody: Somebody,
) -> None:
    await somebody.sign_up("ann")
    await somebody.get("/play")
    deep = opponents_of(somebody.page)
    assert [*deep] == ["Opponents", "Weak with such stacks", "Drills"]
    assert {"killer", "tight"} <= deep["Opponents"]
    assert {"booker", "baseline", "rollout"} <= deep["Weak with such stacks"]
    assert deep["Drills"] == {"always-call", "always-fold", "always-raise", "random", "sensible"}
    form = {"betting": "no-limit", "stack": "200", "big_blind": "20"}
    await somebody.post("/play/practise", **form, opponent=["always-call"])
    await somebody.until_turn()
    await somebody.post("/table/seat", what="stand_up")
    await somebody.until_shown("To the lobby")
    await somebody.get("/play")
    short = opponents_of(somebody.page)
    assert {"booker", "baseline", "pushfold"} <= short["Opponents"]
    assert short["Drills"] == deep["Drills"]


async def test_another_game_is_practised_by_its_usual_betting(somebody: Somebody) -> None:
    """The form sends an empty field where nothing is chosen."""
    await somebody.sign_up("ann")
    form = {"opponent": "sensible", "copies": "1", "stack": "200", "big_blind": "2"}
    answer = await somebody.post("/play/practise", **form, variant="omaha-hilo", betting="")
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    await somebody.until_turn()


@pytest.mark.slow
async def test_practice_against_a_known_strategy(tmp_path: Path) -> None:
    """From the form, by the hands that are kept, to a report for which the strategy is known."""
    path = tmp_path / "mine.strategy"
    write_strategy(path, uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind()))
    name, spec = "equilibrium:mine.strategy", f"equilibrium:{path}"
    async with _served(tmp_path, (spec,)) as ann:
        await ann.sign_up("ann")
        assert re.search(rf"<option( selected)?>{name}</option>", ann.page)
        assert str(tmp_path) not in ann.page
        form: dict[str, str | list[str]] = {"betting": "limit", "stack": "480", "big_blind": "20"}
        form |= {"opponent": name, "top_up": "1"}
        for changed, words in (
            ({"opponent": "equilibrium:/etc/passwd"}, "is no house player"),
            ({"betting": "no-limit"}, "plays limit against one opponent"),
            ({"top_up": ""}, "plays limit against one opponent"),
            ({"stack": "400"}, "stacks of 24 of them or more"),
        ):
            answer = await ann.post("/play/practise", **{**form, **changed})
            assert (answer.status_code, words in answer.text) == (422, True)
        await ann.post("/play/practise", **form)
        for _ in range(2):
            await ann.until_shown('id="bar-head"')
            while "You have neither" not in ann.page and "You have lost" not in ann.page:
                if "You have won" in ann.page:
                    break
                if 'id="do-call"' in ann.page:
                    turn = {"turn": ann.hidden("turn"), "action": ann.hidden("action")}
                    await ann.post("/table/act", **turn, verb="call")
                await ann.until_shown('id="bar-head"')
            await ann.post("/table/next")
        await ann.post("/table/seat", what="stand_up")
        await ann.until_shown('id="b-again"')
        await ann.until_shown("/games/practice.1/hands/1", "/games/practice.1")
        hands = (await ann.client.get("/games/practice.1/phh")).text
        assert hands.count("variant = 'FT'") >= 2
        assert "????" not in hands  # all cards
        await ann.post("/games/practice.1/report", player="ann")
        (job,) = ann.app.state.report._jobs.values()
        assert dict(job.known) == {f"house:{name}": spec}
        ann.app.state.report.forget(job)
        other = httpx.AsyncClient(
            transport=httpx.ASGITransport(ann.app), base_url=ORIGIN, headers={"Origin": ORIGIN}
        )
        async with other:
            assert (await other.get("/games/practice.1/phh")).status_code == 404


@pytest.mark.slow
async def test_practice_is_kept_and_played_again(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    form: dict[str, str | list[str]] = {"betting": "limit", "stack": "400", "big_blind": "20"}
    await somebody.post("/play/practise", **form, opponent=["always-call"])
    for hand in (1, 2):
        while 'id="b-next"' not in somebody.page:
            await somebody.until_shown('id="bar-head"')
            if 'id="do-call"' in somebody.page:
                fields = {"turn": somebody.hidden("turn"), "action": somebody.hidden("action")}
                await somebody.post("/table/act", **fields, verb="call")
        assert "The hand is over" in somebody.page
        assert f"hand {hand}" in somebody.page
        assert (await somebody.post("/table/next")).status_code == 303
        await somebody.until_shown(f"hand {hand + 1}")
    while 'id="b-next"' not in somebody.page:
        await somebody.until_shown('id="bar-head"')
        if 'id="do-call"' in somebody.page:
            fields = {"turn": somebody.hidden("turn"), "action": somebody.hidden("action")}
            await somebody.post("/table/act", **fields, verb="call")
    # Who was away finds the table between two hands, and goes on.
    somebody.app.state.table._people["ann"].disconnect()
    await somebody.until_shown("Between two hands")
    await somebody.post("/table/next")
    await somebody.until_shown("hand 4")
    await somebody.post("/table/seat", what="stand_up")
    await somebody.until_shown('id="b-again"')
    (game,) = set(re.findall(r'href="/games/([^"]*)"', somebody.page))
    hands = f'href="/games/{game}/hands/'
    await somebody.until_shown(hands, f"/games/{game}")  # the table is closed soon after
    assert somebody.page.count(hands) == 4
    await somebody.get("/table")
    for _ in range(2):  # pressed twice
        again = await somebody.post("/play/again")
        assert (again.status_code, again.headers["location"]) == (303, "/table")
    await somebody.until_turn()
    assert "Practice · 10/20 · hand 1" in somebody.page
    await somebody.post("/table/seat", what="stand_up")
    await somebody.until_shown('id="b-again"')
    await somebody.until_shown('href="/games/practice.2"', "/play")
    assert re.findall(r'href="/games/([^"]*)"', somebody.page) == ["practice.2", game]
    assert "<option selected>limit</option>" in somebody.page
    assert re.search(r'name="stack"[^>]* value="400"', somebody.page)
    other = httpx.AsyncClient(
        transport=httpx.ASGITransport(somebody.app), base_url=ORIGIN, headers={"Origin": ORIGIN}
    )
    async with other:
        assert (await other.get(f"/games/{game}")).status_code == 404
    deleted = await somebody.client.request(
        "DELETE",
        "/api/account",
        json={"password": PASSWORD},
        headers={"X-CSRF-Token": somebody.hidden("token")},
    )
    assert deleted.status_code == 204
    assert somebody.app.state.host.house.practice_of("ann") == []


@pytest.mark.slow
async def test_public_tables_are_watched_without_an_account(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    await somebody.post("/play/queue", queue="heads-up")
    await somebody.until_turn()
    cards = re.search(r'aria-label="Your cards">(.*?)</div>', somebody.page, re.DOTALL)
    assert cards
    held = re.findall(r'aria-label="(\w+ of \w+)"', cards[1])
    assert len(held) == 2
    transport = httpx.ASGITransport(somebody.app)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        lobby = (await client.get("/play")).text
        (path,) = re.findall(r'href="(/watch/heads-up[^"]*)"', lobby)
        assert path in (await client.get("/play/parts")).text
        shown = await client.get(path)
        assert "You are watching" in shown.text
        assert "ann" in shown.text
        parts = (await client.get(f"{path}/parts")).text
        for card in held:
            assert card not in shown.text
            assert card not in parts
        for unknown in ("/watch/heads-up.99-1", f"{path}0", "/watch/x", "/watch/visitor:x"):
            assert (await client.get(unknown)).status_code == 404
    somebody.app.state.table.sweep(time.monotonic() + 60)
    assert [name for name in somebody.app.state.table._people if ":" in name] == []
    assert "visitor:heads-up.1-1" not in somebody.app.state.host.house.accounts


async def test_practice_is_nobodys_to_watch_without_an_account(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    form: dict[str, str | list[str]] = {"betting": "limit", "stack": "400", "big_blind": "20"}
    await somebody.post("/play/practise", **form, opponent=["always-call"])
    await somebody.until_turn()
    transport = httpx.ASGITransport(somebody.app)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        assert (await client.get("/watch/practice.1")).status_code == 404


async def test_the_page_says_that_code_is_compiled(somebody: Somebody) -> None:
    await somebody.sign_up("ann")
    form: dict[str, str | list[str]] = {"betting": "limit", "stack": "400", "big_blind": "20"}
    await somebody.post("/play/practise", **form, opponent=["always-call"])
    await somebody.until_turn()
    people = somebody.app.state.table
    words = "Getting the house players ready, this once"
    now = [time.monotonic() + 1000]
    people.compiling = CompilingNotice(lambda: now[0])
    people.compiling.begins("players", "rank_boards")
    people.sweep(time.monotonic())
    await somebody.get("/table")
    assert words not in somebody.page  # at one's own turn nobody waits for it
    person = people._people["ann"]
    person.seat.truth = person.seat.shown = replace(person.seat.truth, turn=None)
    assert words in (await somebody.get("/table/parts")).text
    people.compiling.ends()
    now[0] += 10
    people.sweep(time.monotonic())
    assert words not in (await somebody.get("/table/parts")).text


async def test_a_visitor_finds_house_players_loaded(
    somebody: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(HouseWorkers, "prepare", lambda self: asked.append("prepare"))
    await somebody.client.get("/")
    await somebody.client.get("/play")
    assert asked == ["prepare"] * 2


async def test_the_front_page_leads_everywhere(somebody: Somebody) -> None:
    await somebody.get("/")
    for path in ("/play", "/pushfold", "/blackjack", "/odds", "/account"):
        assert f'<li><a href="{path}">' in somebody.page
