"""Private tables: nobody finds one without its link, and only its owner pauses it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from helpers.hosted import PATIENCE_S
from helpers.web_person import ORIGIN, Somebody, table_app
from railbird._token_buckets import TokenBuckets
from railbird.errors import BadInput
from railbird.hosting.formats import RingFormat
from railbird.serve.friends import LONGEST, MOST_SAID
from railbird.table.words import short_name

pytestmark = pytest.mark.anyio


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[tuple[Somebody, Somebody]]:
    app = table_app(tmp_path)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.router.lifespan_context(app))
        browsers = []
        for _ in range(2):
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app),
                base_url=ORIGIN,
                headers={"Origin": ORIGIN, "Accept": "text/html"},
            )
            browsers.append(Somebody(await stack.enter_async_context(client), app))
        yield browsers[0], browsers[1]


async def _opened(owner: Somebody, *, house: str = "1", **fields: str) -> str:
    await owner.get("/play")
    answer = await owner.post("/friends", nick="Ann", house=house, **fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")
    (table,) = [
        str(name) for name in owner.app.state.host.house.tasks if name.startswith("friends-")
    ]
    return table


async def _seated(friend: Somebody, table: str, nick: str) -> None:
    assert "Sit down" in (await friend.get(f"/friends/{table}")).text
    answer = await friend.post(f"/friends/{table}/sit", nick=nick)
    assert (answer.status_code, answer.headers["location"]) == (303, "/table")


async def test_a_friend_sits_down_by_the_link_and_strangers_do_not_see_the_table(
    two: tuple[Somebody, Somebody],
) -> None:
    owner, friend = two
    table = await _opened(owner, big_blind="50", stack="40")
    assert table not in (await friend.get("/play")).text
    lobby = owner.app.state.host.house.lobby.message()
    assert table not in str(lobby)
    await _seated(friend, table, "Bo")
    await friend.get("/table")
    assert ">Ann</b>" in friend.page
    assert "Ann-" not in friend.page
    assert table not in friend.page.split("</title>")[0]
    assert ">A table among friends</li>" in friend.page
    assert "2,000" in friend.page
    assert "own-1" not in friend.page
    await owner.get("/table")
    assert ">Bo</b>" in owner.page
    assert f"/friends/{table}" in owner.page
    assert 'id="own-1"' in owner.page


async def test_a_full_table_says_so_before_anybody_tries_to_sit_down(
    two: tuple[Somebody, Somebody],
) -> None:
    owner, friend = two
    table = await _opened(owner, house="4")
    await _seated(friend, table, "Bo")
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(owner.app), base_url=ORIGIN, headers={"Origin": ORIGIN}
    ) as client:
        page = (await Somebody(client, owner.app).get(f"/friends/{table}")).text
    assert "0 of 6 seats are free" in page
    assert "Every seat is taken" in page
    assert "Sit down" not in page


async def test_who_has_another_players_name_gets_a_number(two: tuple[Somebody, Somebody]) -> None:
    owner, friend = two
    table = await _opened(owner)
    await _seated(friend, table, "ANN")
    await owner.get("/table")
    assert ">ANN2</b>" in owner.page
    people = owner.app.state.table
    for nick, name in (("You", "You2"), ("Tess", "Tess2"), ("ann", "ann3"), ("", "guest-")):
        assert short_name(people.new_guest("192.0.2.1", nick).identity.name).startswith(name)


async def test_who_opens_a_table_is_shown_its_link_before_anything_else_until_somebody_comes(
    two: tuple[Somebody, Somebody],
) -> None:
    owner, friend = two
    table = await _opened(owner, house="0")
    copies = f'id="b-copy" data-copies="/friends/{table}"'
    assert copies in (await owner.get("/table")).text
    assert "Nobody else is here yet" in owner.page
    await _seated(friend, table, "Bo")
    await friend.get("/table")
    assert copies not in (await owner.get("/table")).text
    assert 'id="copy-link"' in owner.page


async def test_who_has_no_account_sees_how_to_enter(two: tuple[Somebody, Somebody]) -> None:
    page = (await two[0].get("/play")).text
    lobby = two[0].app.state.host.house.lobby.message()
    assert page.count("Log in to enter") == len(lobby.queues)
    assert "Log in to sit" in page


async def test_what_is_said_is_bounded_and_guests_write_once_they_may(
    two: tuple[Somebody, Somebody],
) -> None:
    owner, friend = two
    table = await _opened(owner)
    await _seated(friend, table, "Bo")
    friends = owner.app.state.friends
    friends._sayings = TokenBuckets(per_second=1e-9, burst=1000)
    await friend.get("/table")
    await friend.post("/friends/talk/say", text="hello")
    assert "unless the owner lets them" in (await friend.get("/table")).text
    await friend.post("/friends/talk/say", text="Wow")
    await owner.get("/table")
    await owner.post("/friends/talk/own", what="guests")
    await friend.get("/table")
    await friend.post("/friends/talk/say", text="<b>\u202ehi</b>  \n " + "x" * 300)
    last = friends.talk_of(table).lines[-1]
    assert len(last.text) == LONGEST
    assert "\u202e" not in last.text
    assert "&lt;b&gt;" in (await owner.get("/table")).text
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    await friend.post("/friends/talk/say", text=f"{family}\u200d\u200d")
    assert friends.talk_of(table).lines[-1].text == family
    await friend.post("/friends/talk/say", text="\u200c\u200d")  # nothing to see
    assert friends.talk_of(table).lines[-1].text == family
    assert f"<bdi>{family}</bdi>" in (await owner.get("/table")).text
    for number in range(MOST_SAID + 5):
        await friend.post("/friends/talk/say", text=str(number))
    assert len(friends.talk_of(table).lines) == MOST_SAID
    friends._sayings = TokenBuckets(per_second=1e-9, burst=1)
    for _ in range(2):
        await friend.post("/friends/talk/say", text="again")
    assert [said.text for said in friends.talk_of(table).lines].count("again") == 1


async def test_only_the_owner_pauses_and_gives_new_stacks(two: tuple[Somebody, Somebody]) -> None:
    owner, friend = two
    table = await _opened(owner)
    await _seated(friend, table, "Bo")
    await friend.get("/table")
    assert (await friend.post("/friends/talk/own", what="pause")).status_code == 403
    await owner.get("/table")
    task = owner.app.state.friends.task_of(table)
    await owner.post("/friends/talk/own", what="pause")
    async with asyncio.timeout(PATIENCE_S):
        while not task.play.paused:
            await asyncio.sleep(0.01)
    # It stands where the buttons are, and nothing can be chosen in advance meanwhile.
    assert "The table is paused" in (await owner.get("/table")).text
    assert 'id="b-go_on"' in owner.page
    assert "The table is paused" in (await friend.get("/table")).text
    assert "Ann can let it go on." in friend.page
    assert 'id="b-go_on"' not in friend.page
    assert 'id="ahead"' not in owner.page + friend.page
    await owner.post("/friends/talk/own", what="anew")
    assert task.play.begins_anew
    await owner.post("/friends/talk/own", what="go_on")
    async with asyncio.timeout(PATIENCE_S):
        while task.play.paused:
            await asyncio.sleep(0.01)


async def test_an_all_in_is_run_twice_if_both_press_the_button(
    two: tuple[Somebody, Somebody],
) -> None:
    owner, friend = two
    await owner.get("/play")
    await owner.post("/friends", nick="Ann", house="0")
    (table,) = [
        str(name) for name in owner.app.state.host.house.tasks if name.startswith("friends-")
    ]
    await _seated(friend, table, "Bo")
    for guest in two:
        await guest.get("/table")
        await guest.post("/table/seat", what="twice")
    await owner.until_shown("agrees, too")
    assert 'name="what" value="once"' in owner.page
    async with asyncio.timeout(60):
        while "The second board" not in (await owner.get("/table")).text:
            for guest in two:
                if 'id="do-call"' not in (await guest.get("/table")).text:
                    continue
                most = re.search(r'id="amount".* max="(\d+)"', guest.page)
                names = {name: guest.hidden(name) for name in ("turn", "action")}
                verb = {"verb": "raise", "to": most[1]} if most else {"verb": "call"}
                await guest.post("/table/act", **names, **verb)
    assert "Second board" in owner.page, "in the log"
    await owner.post("/table/seat", what="once")
    await friend.until_shown("Nobody else has agreed yet")


@pytest.mark.parametrize(
    "fields",
    [
        {"big_blind": "3"},
        {"big_blind": "nan"},
        {"stack": "10000"},
        {"house": "9"},
        {"nick": "<b>"},
        {"betting": "spread"},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_what_cannot_be_played_opens_no_table(
    two: tuple[Somebody, Somebody], fields: dict[str, str]
) -> None:
    owner, _ = two
    await owner.get("/play")
    assert (await owner.post("/friends", **fields)).status_code == 422
    assert not [name for name in owner.app.state.host.house.tasks if name.startswith("friends-")]
    assert (await owner.get("/friends/friends-0.1")).status_code == 404
    assert (await owner.get("/friends/six")).status_code == 404


def test_only_private_tables_have_house_players_whose_stacks_change() -> None:
    assert RingFormat(name="friends-1", house=("tight",)).is_private
    with pytest.raises(BadInput, match="stacks are filled up"):
        RingFormat(name="other", house=("tight",))
