"""House players: whom they know again, and what they are told."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from numpy.random import Generator

from helpers.hosted import Player, hosting
from railbird.game import Action, Call, Event, View
from railbird.hosting.formats import TournamentFormat
from railbird.protocol import Identity
from railbird.protocol.messages.client import Practise, Verb
from railbird.protocol.messages.game import Turn

pytestmark = pytest.mark.anyio

DUEL = TournamentFormat(name="duel", seats=2, house_after=0.0, house=("always-call",))


class Told:
    """Keeps what it is told, and calls."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.people: list[tuple[int, ...]] = []
        self.heard: list[str] = []
        self.begun = 0
        self.actions = 0

    def reset(self, rng: Generator) -> None:
        del rng

    def introduce(self, names: tuple[str, ...]) -> None:
        self.names = names

    def meet(self, people: tuple[int, ...]) -> None:
        self.people.append(people)

    def begin(self, view: View) -> None:
        self.begun += 1
        self.heard.append("begin")

    def observe(self, view: View, event: Event) -> None:
        assert self.begun
        self.heard.append(type(event).__name__)

    def end(self, view: View) -> None:
        self.heard.append("end")

    def act(self, view: View) -> Action:
        assert self.begun, "asked about a hand that it was not told of"
        self.actions += 1
        return Call()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Told]:
    found: list[Told] = []

    def make(spec: str) -> Told:
        found.append(Told())
        return found[-1]

    monkeypatch.setattr("railbird.hosting.games.house_seats.make_player", make)
    return found


def passive(turn: Turn, rng: Random) -> tuple[Verb, None]:
    return Verb.CALL, None


async def test_house_players_know_people_by_their_names(tmp_path: Path, made: list[Told]) -> None:
    async with hosting(tmp_path) as house:
        ann = Player(house, Identity("ann"), chooses=passive)
        ann.send(Practise(opponents=["always-call"], stack=4000, big_blind=20))
        await ann.until("hand", 4, seconds=60)
    (player,) = [one for one in made if one.begun]
    assert sorted(player.names) == ["ann", "house:always-call"]
    assert len(player.people) >= 4
    ours = player.names.index("ann")
    assert {people.index(ours) for people in player.people} == {0, 1}  # in either seat
    assert player.heard.count("begin") == player.heard.count("end") + 1


async def test_a_house_player_sees_a_hand_that_was_in_play_before_a_restart(
    tmp_path: Path, made: list[Told]
) -> None:
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann"), chooses=None)
        ann.queue("duel")
        await ann.until("turn", seconds=60)
    made.clear()
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann"), chooses=passive)
        await ann.until("hand_over", 2, seconds=60)
    (player,) = [one for one in made if one.begun]
    assert player.actions >= 2
    assert player.heard[0] == "begin"
    assert "ann" in player.names
