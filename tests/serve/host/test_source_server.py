"""Booker's (2004) server's behaviour, played through over real sockets, as the manual shows."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.line_client import LineClient
from helpers.web_person import app_of
from railbird.hosting.formats import Clocks, Freeze, TournamentFormat
from railbird.serve.connections.settings import ConnectionSettings
from railbird.serve.host.formats import Games
from railbird.serve.host.host import HostSettings
from railbird.serve.host.mount import mount
from railbird.tournament import parse_payouts, parse_schedule

pytestmark = pytest.mark.anyio

MANUAL = Path(__file__).resolve().parents[3] / "docs" / "server.md"
GAMES = Games(
    tournaments=(
        TournamentFormat(
            name="three",
            seats=3,
            table_seats=3,
            stack=2000,
            schedule=parse_schedule("10/20x1000"),
            payouts=parse_payouts("70/30"),
            freeze=Freeze.FOLD,
            house_after=None,
            clocks=Clocks(limit=3.0, bank=0.0, refill=None),
        ),
    )
)
SHOWN: dict[str, Callable[[dict[str, Any]], str]] = {
    "welcome": lambda m: f"welcome {m['name']}",
    "queued": lambda m: f"queued: {m['waiting']} of {m['seats']} wait",
    "seated": lambda m: (
        f"seated in {m['table']['tournament']} with "
        + ", ".join(sorted(player["name"] for player in m["table"]["players"]))
    ),
    "presence": lambda m: f"presence: {m['name']} is {m['presence']}",
    "close": lambda m: f"close {m['code']}: {m['text']}",
    "snapshot": lambda m: f"snapshot of {m['table']['tournament']}",
    "knocked_out": lambda m: f"knocked out: {m['name']}, place {m['place']}",
    "left": lambda m: f"left the table: {m['reason'].replace('_', ' ')}",
    "result": lambda m: (
        f"result of {m['tournament']}: places " + ", ".join(str(p["place"]) for p in m["places"])
    ),
}


class Story:
    """Players, and what was said between them and the server, in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.lines: list[str] = []

    async def enters(self, name: str, by: str = "sign_up") -> Player:
        client = await LineClient.open(self.port)
        player = Player(self, name, client)
        log_in = {"by": by, "name": name, "password": "correct horse"}
        words = {"sign_up": "sign up", "password": "log in"}[by]
        self.lines.append(f"{name} > hello: {words} by name and password")
        await client.send({"type": "hello", "versions": [1], "log_in": log_in})
        await player.hears("welcome")
        return player


class Player:
    """A client whose play is scripted; a task reads on, so that nothing is missed."""

    def __init__(self, story: Story, name: str, client: LineClient) -> None:
        self.name = name
        self.client = client
        self.chooses: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda turn: None
        self._story = story
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._actions = 0
        self._task = asyncio.create_task(self._read())

    async def hears(self, kind: str) -> dict[str, Any]:
        """Wait for a message of this type, and write it down."""
        async with asyncio.timeout(60):
            while (message := await self._inbox.get())["type"] != kind:
                pass
        self._story.lines.append(f"{self.name} < {SHOWN[kind](message)}")
        return message

    async def says(self, message: dict[str, Any]) -> None:
        words = " ".join(str(value) for key, value in message.items() if key != "again")
        self._story.lines.append(f"{self.name} > {words}")
        await self.client.send(message)

    async def goes(self) -> None:
        self._task.cancel()
        await self.client.close()

    async def _read(self) -> None:
        while True:
            try:
                message = await self.client.next(60)
            except (EOFError, ConnectionError):
                return
            self._inbox.put_nowait(message)
            turn = message.get("turn") if message["type"] == "snapshot" else message
            if turn and turn["type"] == "turn" and (chosen := self.chooses(turn)):
                self._actions += 1
                await asyncio.sleep(0.05)  # or hundreds of hands are played meanwhile
                act = {"type": "act", "turn": turn["turn"], "action": self._actions, **chosen}
                await self.client.send(act)


def folds(turn: dict[str, Any]) -> dict[str, Any]:
    return {"verb": "fold" if turn["legal"]["to_call"] else "check"}


def shoves(turn: dict[str, Any]) -> dict[str, Any]:
    return {"verb": "all_in"}


def shoves_at_the_end(turn: dict[str, Any]) -> dict[str, Any]:
    """Fold while three are in, so that no two are knocked out by one hand."""
    return shoves(turn) if len(turn["hand"]["seats"]) == 2 else folds(turn)


def gives_away(turn: dict[str, Any]) -> dict[str, Any]:
    """Raise all but a chip of one's own or Ann's, and fold to the raise that follows.

    So no showdown decides who is knocked out: she can always raise by that chip.
    """
    legal = turn["legal"]
    if legal["to_call"] == 1:
        return {"verb": "fold"}
    (hers,) = (s["stack"] + s["bet"] for s in turn["hand"]["seats"] if s["name"] == "ann")
    to = min(legal.get("max_to", 0), hers) - 1
    if to >= legal.get("min_to", hers):
        return {"verb": "raise", "to": to}
    return {"verb": "call"}


def takes(turn: dict[str, Any]) -> dict[str, Any]:
    """Raise what is given away, and call what is small."""
    return {"verb": "all_in" if turn["legal"]["to_call"] > 20 else "call"}


async def played(database: str, journal: Path) -> list[str]:
    """Play the story; return its lines."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        settings = HostSettings(
            journal=journal,
            games=GAMES,
            pace=0.0,  # nobody reads how hands end
            tcp=listening,
            connections=ConnectionSettings(sign_ups_per_address=100),
        )
        app = app_of(database, mount(settings))
        async with app.router.lifespan_context(app):
            story = Story(listening.getsockname()[1])
            await tell(story)
            return story.lines


async def tell(story: Story) -> None:
    waits = {"type": "enter_queue", "queue": "three", "again": True}
    ann = await story.enters("ann")
    await ann.says(waits)
    await ann.hears("queued")
    bob, cid = await story.enters("bob"), await story.enters("cid")
    bob.chooses = cid.chooses = folds
    await bob.says(waits)
    await bob.hears("queued")
    await cid.says(waits)
    for player in (ann, bob, cid):
        await player.hears("seated")
    # Ann does not act: frozen, cut off, and her blinds are posted while the others play on.
    presence = await bob.hears("presence")
    assert (presence["name"], presence["presence"]) == ("ann", "frozen")
    await ann.hears("close")
    await ann.goes()
    ann = await story.enters("ann", by="password")
    ann.chooses = folds
    await ann.hears("snapshot")
    presence = await bob.hears("presence")
    assert presence["presence"] == "here"
    # Cid gives his chips away, is knocked out, and waits for the next tournament at once.
    ann.chooses, cid.chooses = takes, gives_away
    gone = await cid.hears("knocked_out")
    assert gone["name"] == "cid"
    await cid.hears("left")
    await cid.hears("queued")
    dan, eve = await story.enters("dan"), await story.enters("eve")
    cid.chooses = dan.chooses = shoves  # before their first turns
    eve.chooses = shoves_at_the_end
    for player in (dan, eve):
        await player.says(waits)
    await cid.hears("seated")
    # Two tournaments at once; both are played to their ends.
    ann.chooses = bob.chooses = shoves
    await ann.hears("result")
    await eve.hears("result")
    for player in (ann, bob, cid, dan, eve):
        await player.goes()


async def test_the_source_played_through(sqlite: str, tmp_path: Path) -> None:
    lines = await played(sqlite, tmp_path / "journal")
    found = re.search(r"<!-- transcript -->\n```text\n(.*?)```", MANUAL.read_text(), re.DOTALL)
    assert found, "the manual has no transcript"
    assert "\n".join(lines) + "\n" == found[1]
