"""Ring tables open and close by demand; a full table has a waiting list."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.hosted import PATIENCE_S, ManualTime, Player, bots, hosting
from railbird.histories import HandRecord
from railbird.hosting.formats import RingFormat
from railbird.hosting.house import House
from railbird.hosting.house_game import hand_records
from railbird.hosting.journal import read_journal
from railbird.hosting.ring_play import RingPlay
from railbird.hosting.settings import RING_BUY_BACK_SECONDS
from railbird.protocol import Identity, PlayerKind, PlayState
from railbird.protocol.messages import EnterQueue, LeaveQueue, Sit, StandUp, Turn, Verb

pytestmark = pytest.mark.anyio

RING = RingFormat(name="small", seats=3, blinds=(10, 20), buy_ins=(400, 2000))


def calls(turn: Turn, rng: random.Random) -> tuple[Verb, None]:
    del rng
    return (Verb.CALL if turn.legal.to_call else Verb.CHECK), None


async def settled(house: House) -> None:
    """Let everything happen that waits for nobody."""
    for _ in range(50):
        await asyncio.sleep(0)
    while any(task.backlog for task in house.tasks.values()):
        await asyncio.sleep(0)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for a table whose journal a thread still puts on the disk."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.001)


def seats(house: House) -> dict[str, list[str]]:
    """Who sits where."""
    plays = [task.play for task in house.tasks.values()]
    return {
        play.id: sorted(play.players[number].entrant.name for number in play.sessions)
        for play in plays
        if isinstance(play, RingPlay)
    }


async def sit(player: Player, table: str = "small.1", chips: int = 2000) -> None:
    player.send(Sit(table=table, buy_in=chips))
    await settled(player.house)


async def test_the_next_after_the_last_chair_waits_for_one_to_play_with(tmp_path: Path) -> None:
    async with hosting(tmp_path, rings=(RING,)) as house:
        players = bots(house, 5, chooses=None)
        for player in players[:4]:
            await sit(player)
        assert seats(house) == {"small.1": ["bot0", "bot1", "bot2"]}
        queued = players[3].of("queued")[-1]
        assert (queued.queue, queued.waiting, queued.seats) == ("small", 1, 2)
        assert not players[3].of("error")
        await sit(players[4])
        assert seats(house) == {"small.1": ["bot0", "bot1", "bot2"], "small.2": ["bot3", "bot4"]}
        hand = await players[4].until("hand")
        assert (hand.table, len(hand.hand.seats)) == ("small.2", 2)
        assert house.accounts["bot3"].state is PlayState.RING


async def test_a_chair_that_becomes_free_is_for_the_first_who_waits(tmp_path: Path) -> None:
    async with hosting(tmp_path, rings=(RING,)) as house:
        players = bots(house, 4, chooses=calls)
        for player in players:
            await sit(player)
        players[0].send(StandUp())
        await players[3].until("seated")
        await settled(house)
        assert seats(house) == {"small.1": ["bot1", "bot2", "bot3"]}
        assert house.accounts["bot0"].state is PlayState.LOBBY


@pytest.mark.parametrize("ends", ["leaves", "goes"])
async def test_whoever_waits_no_longer_gets_no_chair(tmp_path: Path, ends: str) -> None:
    async with hosting(tmp_path, rings=(RING,)) as house:
        players = bots(house, 4, chooses=calls)
        for player in players:
            await sit(player)
        if ends == "leaves":
            players[3].send(LeaveQueue())
            assert players[3].of("unqueued") or await players[3].until("unqueued")
            players[3].send(LeaveQueue())
            assert (await players[3].until("error")).code == "not_queued"
        else:
            players[3].cut()
            assert "bot3" not in house.accounts
        players[0].send(StandUp())
        await players[0].until("left")
        await settled(house)
        assert seats(house) == {"small.1": ["bot1", "bot2"]}


async def test_whoever_waits_and_logs_in_again_is_told_so_and_keeps_the_place(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path, rings=(RING,)) as house:
        players = bots(house, 4, chooses=None)
        for player in players:
            await sit(player)
        again = Player(house, players[3].identity, chooses=None)
        await again.until("queued")
        again.send(EnterQueue(queue="small"))
        assert (await again.until("error")).code == "queued"
        assert house.accounts["bot3"].state is PlayState.QUEUED


async def test_by_the_name_of_a_game_one_sits_where_most_play(tmp_path: Path) -> None:
    async with hosting(tmp_path, rings=(RING,)) as house:
        players = bots(house, 8, chooses=None)
        for player in players[:5]:
            await sit(player, "small")
        assert sorted(map(len, seats(house).values())) == [2, 3]
        await sit(players[5], "small")
        assert sorted(map(len, seats(house).values())) == [3, 3]
        await sit(players[6], "small.2")
        await sit(players[7], "nowhere")
        assert players[7].of("error")[0].code == "no_such_table"


async def test_bots_of_one_owner_wait_for_others_rather_than_for_each_other(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path, rings=(RING,)) as house:
        for player in bots(house, 3, chooses=None):
            await sit(player)
        of_ann = [
            Player(house, Identity(f"ann{n}", PlayerKind.BOT, "1", "ann"), chooses=None)
            for n in range(2)
        ]
        for player in of_ann:
            await sit(player)
        assert len(seats(house)) == 1
        (other,) = bots(house, 1, first=9, chooses=None)
        await sit(other)
        assert seats(house)["small.2"] == ["ann0", "bot9"]
        assert house.accounts["ann1"].state is PlayState.QUEUED


async def test_a_person_s_seats_are_at_different_tables_and_bring_back_what_one_of_them_took(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path, rings=(RING,)) as house:
        first = Player(house, Identity("ann", account=7), chooses=None)
        second = Player(house, Identity("ann", account=7).further(2), chooses=None)
        bob, cid = bots(house, 2, chooses=None)
        for player in (first, bob, second):
            await sit(player, "small", 1000)
        assert seats(house) == {"small.1": ["ann", "bot0"]}
        assert house.accounts["ann+2"].state is PlayState.QUEUED
        await sit(second, "small.1")
        assert second.of("error"), "not beside oneself"
        await sit(cid, "small.2" if "small.2" in seats(house) else "small", 1000)
        await settled(house)
        assert not any({"ann", "ann+2"} <= set(names) for names in seats(house).values())
        first.send(StandUp())
        await first.until("left")
        await settled(house)
        assert house.room.least("small", "ann+2", house.when.unix_ms()) == house.room.least(
            "small", "ann", house.when.unix_ms()
        )
        assert house.room.least("small", "ann", house.when.unix_ms()) > 0


async def test_an_unused_table_closes_once_another_has_players(tmp_path: Path) -> None:
    async with hosting(tmp_path, rings=(RING,)) as house:
        players = bots(house, 5, chooses=calls)
        for player in players:
            await sit(player)
        assert set(seats(house)) == {"small.1", "small.2"}
        for player in players[3:]:
            player.send(StandUp())
            await player.until("left")
        await until(lambda: set(seats(house)) == {"small.1"})
        for player in players[:3]:
            player.send(StandUp())
            await player.until("left")
        await until(lambda: seats(house) == {"small.3": []})


async def test_a_hundred_come_and_go_and_nobody_is_lost(tmp_path: Path) -> None:
    rng = random.Random(4)
    async with hosting(tmp_path, rings=(RING,)) as house:
        players = bots(house, 24, chooses=calls)
        for _ in range(300):
            player = rng.choice(players)
            account = house.accounts[player.identity.name]
            match account.state:
                case PlayState.LOBBY:
                    player.send(Sit(table="small", buy_in=rng.randint(400, 2000)))
                case PlayState.QUEUED:
                    player.send(LeaveQueue())
                case _:
                    player.send(StandUp())
            for _ in range(rng.randint(0, 20)):
                await asyncio.sleep(0)
        await settled(house)
        for player in players:
            account = house.accounts[player.identity.name]
            sitting = [
                table for table, names in seats(house).items() if account.identity.name in names
            ]
            assert len(sitting) == (account.state is PlayState.RING), account
        waiting = sum(house.accounts[p.identity.name].state is PlayState.QUEUED for p in players)
        assert waiting <= 1  # two would have a table
        assert all(len(names) <= RING.seats for names in seats(house).values())


async def test_whoever_comes_back_brings_what_was_taken_away(tmp_path: Path) -> None:
    clock = ManualTime()
    async with hosting(tmp_path, rings=(RING,), when=clock.time) as house:
        ann, bob = bots(house, 2, chooses=None)
        for player in (ann, bob):
            await sit(player)
        while not any(4000 in over.stacks for over in ann.of("hand_over")):  # or pots are split
            for player in (ann, bob):
                if player.turn is not None:
                    player.act(Verb.ALL_IN)
            await settled(house)
        (last,) = (over for over in ann.of("hand_over") if 4000 in over.stacks)
        holders = next(h.hand.seats for h in ann.of("hand") if h.hand.hand == last.hand)
        name = holders[last.stacks.index(4000)].name
        winner = ann if name == ann.identity.name else bob
        winner.send(StandUp())
        await winner.until("left")
        await settled(house)
        await sit(winner, "small", 2000)
        refused = winner.of("error")[-1]
        assert refused.code == "buy_in"
        assert refused.text == "2000 chips; allowed: 4000 to 4000, since you left with 4000"
        await sit(winner, "small", 4000)
        assert winner.identity.name in [name for names in seats(house).values() for name in names]
        winner.send(StandUp())
        await winner.until("left", 2)
        clock.now += RING_BUY_BACK_SECONDS + 1
        await settled(house)
        await sit(winner, "small", 400)
        assert len(winner.of("error")) == 1


async def test_hands_of_a_person_s_further_seat_are_the_person_s(tmp_path: Path) -> None:
    """Whoever adds hands up, for a lifetime or for pairs that favour each other, has one ann."""
    async with hosting(tmp_path, rings=(RING,)) as house:
        second = Player(house, Identity("ann", account=7).further(2), chooses=calls)
        (bob,) = bots(house, 1, chooses=calls)
        for player in (second, bob):
            await sit(player)

        def hands() -> list[HandRecord]:
            return list(hand_records(read_journal(tmp_path / "small.1.journal"), own=["ann+2"]))

        await until(lambda: len(hands()) > 0)
        assert set(hands()[0].players) == {"ann", "bot0"}
        assert hands()[0].holes[hands()[0].players.index("ann")] is not None
