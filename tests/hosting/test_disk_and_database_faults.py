"""Disks that are full or fail, and databases that come and go: nobody loses a seat or a game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from helpers.faulty_disk import FaultyDisk
from helpers.hosted import KeptResults, Player, any_action, bots, hosting, result_of
from railbird.hosting.formats import RingFormat, TournamentFormat
from railbird.hosting.house import House
from railbird.hosting.interfaces import Outcome, TournamentOutcome
from railbird.hosting.supervisor import Supervisor
from railbird.hosting.verify import verify
from railbird.protocol import Identity
from railbird.protocol.messages import LeaveQueue, Practise, Sit, StandUp, Verb, Watch

pytestmark = pytest.mark.anyio

DUEL = TournamentFormat(name="duel", seats=2, house_after=None)
RING = RingFormat(name="ring", seats=3, practice=False)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What the disk refuses just now."""
    refused: set[str] = set()
    FaultyDisk(lambda what: what in refused).install(monkeypatch)
    monkeypatch.setattr("railbird.hosting.house.AGAIN_SECONDS", 0.01)
    return refused


@asynccontextmanager
async def house_of(
    folder: Path, *tournaments: TournamentFormat, **options: Any
) -> AsyncIterator[House]:
    supervisor = Supervisor(pauses=(0.005, 0.02), least_s=0.0)
    async with hosting(folder, *tournaments, supervisor=supervisor, **options) as house:
        yield house
        assert house.supervisor.problems() == {}, "it is well again"


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.002)


async def until_well(house: House) -> None:
    await until(lambda: not house.supervisor.problems() and not house.lobby.parked)


def is_held(player: Player) -> bool:
    return any(message.held for message in player.of("queued")[-1:])


def errors(player: Player) -> list[str]:
    return [error.code.value for error in player.of("error")]


async def play_on(house: House, players: list[Player], results: KeptResults) -> None:
    """Let the bots act by themselves until everything is over."""
    for player in players:
        player.chooses = any_action
        if player.turn is not None:
            turn, player.turn = player.turn, None
            player.act(*any_action(turn, player.rng), turn=turn.turn)
    for player in players:
        await player.until("result")
    await until(lambda: not house.tasks)
    await house.outbox.flushed()
    assert len(results.kept) == len(results.offered) == 1


@pytest.mark.parametrize("fault", ["write", "tear", "sync"])
async def test_a_game_whose_journal_cannot_be_written_is_parked_and_goes_on(
    tmp_path: Path, broken: set[str], fault: str
) -> None:
    results = KeptResults()
    async with house_of(tmp_path, DUEL, results=results) as house:
        players = bots(house, 2, chooses=None)
        watcher = Player(house, Identity("rail"), chooses=None)
        for player in players:
            player.queue("duel")
        await until(lambda: any(player.turn for player in players))
        watcher.send(Watch(table="duel.1-1"))
        before = len((tmp_path / "duel.1.journal").read_bytes().splitlines())
        broken |= {fault, "copy"}
        while not house.lobby.parked:
            for player in players:
                if player.turn is not None:
                    turn, player.turn = player.turn, None
                    player.act(Verb.CALL, turn=turn.turn)
            await asyncio.sleep(0.002)
        for one in (*players, watcher):
            told = await one.until("paused")
            assert (told.paused, told.parked) == (True, True)
        assert house.lobby.message().parked == 1
        assert house.lobby.message().tables[0].parked
        await until(lambda: "journals" in house.supervisor.problems())
        assert house.supervisor.failures["journals"]
        players[0].act(Verb.CALL, turn="duel.1-1.1.1")
        assert (await players[0].until("error")).code == "busy"
        players[1].messages.clear()
        players[1].connect()
        again = await players[1].until("snapshot")
        assert again.table.parked
        assert again.turn is None
        late = Player(house, Identity("late"), chooses=None)
        late.send(Watch(table="duel.1-1"))
        assert (await late.until("snapshot")).table.parked
        broken.clear()
        await until_well(house)
        for one, count in ((players[0], 1), (players[1], 2), (watcher, 2), (late, 2)):
            snapshot = await one.until("snapshot", count)
            assert not snapshot.table.paused
            assert not snapshot.table.parked
            seats = {seat.name: seat.presence.value for seat in snapshot.table.players}
            assert set(seats) == {"bot0", "bot1"}
        journal = (tmp_path / "duel.1.journal").read_bytes()
        assert len(journal.splitlines()) > before
        await play_on(house, players, results)
        for watching in (watcher, late):
            assert (await watching.until("left")).reason == "over"
        assert not result_of(players[0]).void
    (checked,) = verify((tmp_path / "done" / "duel.1.journal").read_bytes().splitlines())
    assert not checked.problems
    assert sorted(path.name for path in tmp_path.glob(".*")) == []


async def test_who_is_away_while_a_game_is_parked_comes_back_to_it(
    tmp_path: Path, broken: set[str]
) -> None:
    results = KeptResults()
    async with house_of(tmp_path, DUEL, results=results) as house:
        players = bots(house, 2, chooses=None)
        for player in players:
            player.queue("duel")
        await until(lambda: any(player.turn for player in players))
        broken |= {"write", "copy"}
        actor = next(player for player in players if player.turn)
        actor.act(Verb.CALL)
        await until(lambda: house.lobby.parked)
        for player in players:
            player.cut()
        broken.clear()
        await until_well(house)
        for player in players:
            player.connect()
        await play_on(house, players, results)


async def test_a_parked_game_goes_on_after_a_restart_too(tmp_path: Path, broken: set[str]) -> None:
    results = KeptResults()
    supervisor = Supervisor(pauses=(0.005, 0.02))
    async with hosting(tmp_path, DUEL, results=results, supervisor=supervisor) as house:
        players = bots(house, 2, chooses=None)
        for player in players:
            player.queue("duel")
        await until(lambda: any(player.turn for player in players))
        broken |= {"write", "copy"}
        next(player for player in players if player.turn).act(Verb.CALL)
        await until(lambda: house.lobby.parked)
    broken.clear()
    async with house_of(tmp_path, DUEL, results=results) as house:
        for player in players:
            player.house = house
            player.connect()
        await play_on(house, players, results)


@pytest.mark.parametrize("fault", ["open", "write", "tear"])
async def test_who_would_play_stays_in_the_queue_until_the_journal_opens(
    tmp_path: Path, broken: set[str], fault: str
) -> None:
    results = KeptResults()
    async with house_of(tmp_path, DUEL, results=results) as house:
        broken.add(fault)
        players = bots(house, 2)
        for player in players:
            player.queue("duel")
        for player in players:
            await until(partial(is_held, player))
            assert player.of("queued")[-1].waiting == 2
        assert house.queues["duel"].names == ("bot0", "bot1")
        await until(lambda: "journals" in house.supervisor.problems())
        players[0].send(LeaveQueue())
        await players[0].until("unqueued")
        players[0].queue("duel")
        failures = house.supervisor.failures["journals"]
        await until(lambda: house.supervisor.failures["journals"] > failures + 2)
        assert not house.tasks
        assert not list(tmp_path.glob("*.journal"))
        broken.clear()
        await play_on(house, players, results)
        assert house.queues["duel"].running == 0
        assert list(results.kept) == ["duel.1"], "what was never played uses no number up"


async def test_house_players_wait_for_the_journal_too(tmp_path: Path, broken: set[str]) -> None:
    results = KeptResults()
    form = replace(DUEL, name="filled", house_after=0.01, house=("always-call",), stack=100)
    async with house_of(tmp_path, form, results=results) as house:
        broken.add("open")
        (ann,) = bots(house, 1)
        ann.queue("filled")
        await until(partial(is_held, ann))
        assert house.queues["filled"].names == ("bot0",)
        broken.clear()
        await play_on(house, [ann], results)


async def test_ring_and_practice_tables_without_room_for_a_journal(
    tmp_path: Path, broken: set[str]
) -> None:
    broken.add("open")
    async with house_of(tmp_path, rings=(RING,)) as house:
        ann, bob = bots(house, 2)
        ann.send(Practise(opponents=["always-call"]))
        await ann.until("error")
        ann.send(Sit(table="ring.1", buy_in=400))
        await ann.until("error", 2)
        assert errors(ann) == ["busy", "no_such_table"]
        broken.clear()
        await until(lambda: house.tasks)
        (ring,) = house.tasks
        await until_well(house)
        broken |= {"write", "copy"}
        ann.send(Sit(table=ring, buy_in=400))
        assert (await ann.until("error", 3)).code == "busy"
        await until(lambda: house.lobby.parked)
        assert house.accounts["bot0"].task is None
        bob.send(Sit(table=ring, buy_in=400))
        assert (await bob.until("error")).code == "busy"
        broken.clear()
        await until_well(house)
        for player in (ann, bob):
            player.send(Sit(table=ring, buy_in=400))
        await ann.until("hand_over")
        for player in (ann, bob):
            player.send(StandUp())
        await ann.until("session_report")
        await bob.until("session_report")


async def test_a_practice_table_goes_on_as_it_was(tmp_path: Path, broken: set[str]) -> None:
    async with house_of(tmp_path) as house:
        (ann,) = bots(house, 1, chooses=None)
        ann.send(Practise(opponents=["always-call"], waits=True))
        await until(lambda: ann.turn)
        broken |= {"write", "copy"}
        ann.act(Verb.CALL)
        await ann.until("paused")
        broken.clear()
        await until_well(house)
        await ann.until("snapshot", 2)
        await until(lambda: ann.turn)
        (task,) = house.tasks.values()
        assert getattr(task.play, "waits") is True  # noqa: B009
        ann.chooses = any_action
        turn, ann.turn = ann.turn, None
        assert turn is not None
        ann.act(Verb.FOLD, turn=turn.turn)
        await ann.until("hand_over")
        ann.send(StandUp())
        await ann.until("session_report")


@pytest.mark.slow
async def test_a_journal_that_cannot_be_put_away_holds_no_result_up(tmp_path: Path) -> None:
    results = KeptResults()
    async with house_of(tmp_path, DUEL, results=results) as house:
        (tmp_path / "done").rmdir()
        (tmp_path / "done").touch()  # a real fault: nothing can be moved into it
        players = bots(house, 2)
        for number in (1, 2, 3):
            for player in players:
                player.queue("duel")
            for player in players:
                await player.until("result", number)
            await until(lambda: len(results.kept) == len(results.offered) == number)  # noqa: B023
        await until(lambda: "journals" in house.supervisor.problems())
        assert house.supervisor.failures["results"] == 0
        assert len(list(tmp_path.glob("duel.*.journal"))) == 3
        (tmp_path / "done").unlink()
        (tmp_path / "done").mkdir()
        await until(lambda: len(list((tmp_path / "done").glob("*.journal"))) == 3)
        await until_well(house)
        assert results.offered == ["duel.1", "duel.2", "duel.3"]


async def test_a_result_that_is_refused_is_told_and_holds_no_other_up(tmp_path: Path) -> None:
    class Refusing(KeptResults):
        refuses = "duel.1"

        async def record(self, outcome: Outcome) -> None:
            assert isinstance(outcome, TournamentOutcome)
            if outcome.tournament == self.refuses:
                raise KeyError(outcome.tournament)
            await super().record(outcome)

    results = Refusing()
    async with house_of(tmp_path, DUEL, results=results) as house:
        players = bots(house, 2)
        for number in (1, 2):
            for player in players:
                player.queue("duel")
            for player in players:
                await player.until("result", number)
        await until(lambda: list(results.kept) == ["duel.2"])
        failures = house.supervisor.failures["results"]
        await until(lambda: house.supervisor.failures["results"] > failures)
        assert "KeyError" in house.supervisor.problems()["results"]
        assert len(house.outbox) == 1
        results.refuses = ""
        await until(lambda: list(results.kept) == ["duel.2", "duel.1"])
        await until_well(house)


async def test_a_database_that_goes_and_comes_back_is_told(tmp_path: Path) -> None:
    results = KeptResults()
    async with house_of(tmp_path, DUEL, results=results) as house:
        results.is_away = True
        players = bots(house, 2)
        for player in players:
            player.queue("duel")
        await players[0].until("result")
        await until(lambda: house.supervisor.problems())
        assert house.supervisor.problems() == {"results": "the database is away"}
        results.is_away = False
        await house.outbox.flushed()
        await until_well(house)


async def test_a_database_that_never_answers_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hanging(KeptResults):
        goes_on = asyncio.Event()

        async def record(self, outcome: Outcome) -> None:
            await self.goes_on.wait()
            await super().record(outcome)

    monkeypatch.setattr("railbird.hosting.supervisor.BEAT_SECONDS", 0.5)
    results = Hanging()
    async with house_of(tmp_path, DUEL, results=results) as house:
        players = bots(house, 2)
        for player in players:
            player.queue("duel")
        await players[0].until("result")
        await until(lambda: house.supervisor.problems().get("results"))
        assert house.supervisor.problems()["results"] == "it has not been heard of for 0.5 s"
        assert house.supervisor.silences()["results"] >= 0.5
        results.goes_on.set()
        await house.outbox.flushed()
        await until_well(house)
