"""Somebody at a browser: what the house is asked for, and what is said of an action in advance."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from helpers.hosted import PATIENCE_S
from helpers.told_table import hand_of, info_of, state_of, turn_of
from railbird.protocol import AnyClient, AnyServer, ErrorCode, Identity, body_of, parse_client
from railbird.protocol.messages import (
    Acted,
    ActionEntry,
    ActMessage,
    Announcement,
    AskSnapshot,
    BoardDealt,
    BoardEntry,
    CardsRevealed,
    ErrorMessage,
    Explained,
    HandBegins,
    HandOver,
    PlayerInfo,
    Presence,
    Seated,
    Snapshot,
    ToAct,
    Verb,
)
from railbird.serve.person import SHOW_OR_MUCK_S, Person, Screen, TableSettings
from railbird.serve.table_routes import TAKEN_OVER, PageSocket, joined_parts, own_parts
from railbird.table.choices import Plan
from railbird.table.state import after

pytestmark = pytest.mark.anyio


class House:
    """Connections and a link that keep what they are sent."""

    def __init__(self) -> None:
        self.asked: list[AnyClient] = []
        self.ear: Any = None

    def opened(self, ear: Any) -> House:
        self.ear = ear
        return self

    def enter(self, identity: Identity) -> None:
        assert identity.name == "ann"

    def receive_message(self, line: bytes) -> None:
        self.asked.append(parse_client(line))

    def tells(self, *messages: AnyServer) -> None:
        for message in messages:
            self.ear.send(body_of(message) + b"\n")


def seated() -> tuple[Person, House]:
    house: Any = House()
    person = Person(Identity("ann"), house, TableSettings(pace=0), address="")
    person.connect()
    house.tells(Seated(table=info_of()), HandBegins(table="six.1-1", hand=hand_of()))
    return person, house


async def test_news_that_do_not_fit_ask_for_one_snapshot() -> None:
    person, house = seated()
    entry = BoardEntry(cards=["2c", "3c", "4c"])
    house.tells(BoardDealt(table="six.1-1", hand=7, entry=entry, street="flop", pots=[]))
    house.tells(ToAct(table="six.1-1", hand=1, seat=2, ms=1, bank_ms=1))
    await asyncio.sleep(0)
    assert house.asked == [AskSnapshot(table="six.1-1")]
    house.tells(Snapshot(table=info_of(), hand=hand_of((10, 20, 60))))
    assert person.seat is not None
    assert person.seat.shown.hand == hand_of((10, 20, 60))


async def test_what_an_operator_says_is_news_and_what_is_refused_is_none() -> None:
    person, house = seated()
    house.tells(Announcement(text="We stop at ten."))
    shown = '<span class="news">We stop at ten.</span>'
    assert shown in joined_parts(own_parts(person, ""))
    house.tells(ErrorMessage(code=ErrorCode.STALE, text="a turn of before"))
    assert ">That turn is over already.<" in joined_parts(own_parts(person, ""))
    house.tells(Announcement(text="We stop at ten."))
    person.send(AskSnapshot(table="six.1-1"))
    assert "We stop" not in joined_parts(own_parts(person, ""))


async def test_an_action_in_advance_is_done_or_its_end_is_told() -> None:
    person, house = seated()
    person.choose_ahead(Plan.CALL)
    raised = ActionEntry(seat=2, verb="raise", to=60, paid=60)
    house.tells(Acted(table="six.1-1", hand=1, entry=raised, stack=940, pot=90))
    assert person.ahead is None
    assert person.notice == "Your call 10 in advance is given up: a call costs 50 now"
    assert person.is_news
    person.choose_ahead(Plan.CALL)
    house.tells(turn_of(hand_of((10, 20, 60)), 50))
    await asyncio.sleep(0)
    (act,) = house.asked
    assert isinstance(act, ActMessage)
    assert (act.turn, act.verb) == ("six.1-1.1.1", Verb.CALL)
    assert (person.ahead, person.notice) == (None, "")


# The pace at which a page shows what has happened.


async def test_a_page_is_behind_only_as_long_as_people_need() -> None:
    shown: list[str] = []
    state = after(state_of(), HandBegins(table="six.1-1", hand=hand_of()), 0.0)
    screen = Screen(state, lambda: shown.append(screen.shown.news), pace=0.2)
    for entry in (
        ActionEntry(seat=2, verb="call", paid=20),
        ActionEntry(seat=1, verb="check", paid=0),
    ):
        acted = Acted(table="six.1-1", hand=1, entry=entry, stack=980, pot=50)
        screen.update(after(screen.truth, acted, 0.0))
    assert screen.is_behind
    assert shown == ["acted"]
    async with asyncio.timeout(PATIENCE_S):
        while screen.is_behind:
            await asyncio.sleep(0.01)
    assert shown == ["acted", "acted"]
    screen.update(after(screen.truth, turn_of(hand_of((10, 20, 20)), 10), 0.0))
    async with asyncio.timeout(PATIENCE_S):
        while screen.shown.turn is None:
            await asyncio.sleep(0.01)
    screen.stop()


async def test_who_may_show_cards_has_two_seconds_however_far_the_page_is_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, delays = asyncio.get_running_loop(), list[float]()
    call_later = loop.call_later

    def counted(delay: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        delays.append(delay)
        return call_later(3600.0, call)

    monkeypatch.setattr(loop, "call_later", counted)
    hand = hand_of(you=0)
    state = after(state_of(), HandBegins(table="six.1-1", hand=hand), 0.0)
    screen = Screen(state, lambda: None, pace=1.0)
    over = HandOver(
        table="six.1-1",
        hand=1,
        pots=[],
        won=[0] * 3,
        stacks=[1000] * 3,
        rake=0,
        show_ms=30_000,
    )
    screen.update(after(screen.truth, over, 0.0))
    for number in range(2, 40):
        begins = HandBegins(table="six.1-1", hand=hand_of(hand=number))
        screen.update(after(screen.truth, begins, 0.0))
    screen.update(after(screen.truth, turn_of(hand_of((10, 20, 20)), 10), 0.0))
    assert screen.shown.may_show
    assert len(delays) == 2  # and anew with the turn, whose clock runs
    assert min(delays) >= SHOW_OR_MUCK_S
    screen.stop()


async def test_reasons_come_with_the_cards_of_a_practice_hand() -> None:
    practice = replace(state_of(), info=info_of("practice"))
    state = after(practice, HandBegins(table="six.1-1", hand=hand_of()), 0.0)
    screen = Screen(state, lambda: None, pace=0.01)
    over = HandOver(
        table="six.1-1", hand=1, pots=[], won=[0, 0, 0], stacks=[1000, 1000, 1000], rake=0
    )
    cards = [["As", "Kd"], ["2c", "2d"], ["7h", "8h"]]
    why = Explained(table="six.1-1", hand=1, seat=1, action=0, text="It is the favourite.")
    revealed = CardsRevealed(table="six.1-1", hand=1, cards=cards)
    for message in (over, revealed, why, why):
        screen.update(after(screen.truth, message, 0.0))
    assert not screen.is_behind
    assert screen.shown.revealed[1] == ("2c", "2d")
    assert len(screen.shown.reasons) == 2
    assert screen.shown.fresh[0].text == "tight: It is the favourite."
    screen.update(after(screen.truth, HandBegins(table="six.1-1", hand=hand_of(hand=2)), 0.0))
    assert screen.shown.revealed == ()
    screen.stop()


async def test_a_table_that_is_not_told_yet_after_a_restart_is_not_said_to_be_gone() -> None:
    house: Any = House()
    person = Person(Identity("ann"), house, TableSettings(pace=0), address="")
    person.connect()
    person.is_expected = True
    assert "Your table is coming" in joined_parts(own_parts(person, "token"))
    person.is_expected = False
    assert "You have no seat here any more" in joined_parts(own_parts(person, "token"))
    house.tells(Seated(table=info_of()), HandBegins(table="six.1-1", hand=hand_of()))
    assert 'data-bar="ahead"' in joined_parts(own_parts(person, "token"))


class Socket:
    """A browser's socket, open until it is closed."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.ended = asyncio.Event()

    async def send_text(self, text: str) -> None:
        self.texts.append(text)

    async def receive(self) -> dict[str, str]:
        await self.ended.wait()
        return {"type": "websocket.disconnect"}

    async def close(self, code: int) -> None:
        assert code == TAKEN_OVER
        self.ended.set()


async def test_a_page_that_was_left_takes_nothing_over_however_late_its_socket_comes() -> None:
    person, _ = seated()
    sockets: dict[int, Any] = {loaded: Socket() for loaded in (2_000, 1_000, 3_000)}
    pages = [
        asyncio.create_task(
            PageSocket(socket, person, "", loaded=loaded).serve(
                lambda: own_parts(person, ""), lambda: "elsewhere"
            )
        )
        for loaded, socket in sockets.items()
    ]
    async with asyncio.timeout(PATIENCE_S):
        await sockets[1_000].ended.wait()
        await sockets[2_000].ended.wait()
    assert sockets[1_000].texts == ["elsewhere"], "of what is loaded first"
    assert sockets[2_000].texts[-1] == "elsewhere", "of what is loaded again"
    assert not sockets[3_000].ended.is_set()
    assert person.pages[""].loaded == 3_000
    sockets[3_000].ended.set()
    await asyncio.gather(*pages)
    assert not person.pages


async def test_a_page_whose_table_is_gone_says_no_longer_that_it_is_ones_turn() -> None:
    person, house = seated()
    house.tells(turn_of(hand_of((10, 20, 60)), 50))
    assert 'data-turn="six.1-1.1.1"' in own_parts(person, "")["say"].html
    person.lose_seat()
    parts = own_parts(person, "")
    assert 'data-turn=""' in parts["say"].html
    assert 'data-timed="0"' in parts["clock"].html
    assert "Your turn" not in joined_parts(parts)
    assert "You have no seat here any more" in parts["bar"].html


async def test_who_waits_at_a_ring_table_is_told_for_whom_and_who_has_no_chips_buys_some() -> None:
    ann, tight, bob = info_of("ring").players
    broke = structs.replace(tight, stack=0)
    out = structs.replace(bob, presence=Presence.SITTING_OUT)

    def bar(*players: PlayerInfo) -> str:
        person, house = seated()
        info = structs.replace(info_of("ring"), players=list(players))
        house.tells(Snapshot(table=info))
        return own_parts(person, "")["bar"].html

    alone = bar(ann)
    assert "Nobody else is here yet" in alone
    assert "Play begins when a second player sits down." in alone
    lonely = bar(ann, broke, out)
    assert "Waiting for another player" in lonely
    assert "tight has no chips left, bob sits out. Play goes on once" in lonely
    assert 'id="b-rebuy"' not in lonely
    without = bar(structs.replace(ann, stack=0), tight, bob)
    assert "You have no chips left" in without
    assert "Buy 1,000 chips" in without
    assert "second player" not in bar(ann, tight, bob)
