"""Ring and practice tables: chairs, buy-ins, sitting out, rake, reasons."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from helpers.hosted import (
    PATIENCE_S,
    KeptResults,
    ManualTime,
    Player,
    any_action,
    bots,
    hosting,
)
from railbird.game import parse_rake
from railbird.hosting.formats import Clocks, RingFormat, TournamentFormat
from railbird.hosting.game_task import GameTask
from railbird.hosting.house import House
from railbird.hosting.house_game import hand_records, is_over
from railbird.hosting.journal import read_journal
from railbird.hosting.ring_play import RingPlay
from railbird.hosting.settings import REST_SHOWN_SECONDS, STUDY_SECONDS
from railbird.protocol import CloseCode, Identity, PlayerKind
from railbird.protocol.messages import BuyChips, Practise, Sit, SitIn, SitOut, StandUp, Turn, Verb

pytestmark = pytest.mark.anyio

SMALL = RingFormat(name="small", seats=4)
DUEL = TournamentFormat(name="duel", seats=2, house_after=None)


def passive(turn: Turn, rng: Random) -> tuple[Verb, None]:
    del turn, rng
    return Verb.CALL, None


def careful(turn: Turn, rng: Random) -> tuple[Verb, None]:
    """Check or fold: nobody loses all of it in three hands, whatever the others bet."""
    del rng
    return (Verb.FOLD if turn.legal.to_call else Verb.CALL), None


def ring(house: House, name: str = "small.1") -> RingPlay:
    play = house.tasks[name].play
    assert isinstance(play, RingPlay)
    return play


async def until_away(play: RingPlay) -> None:
    """Wait until a table counts the time that somebody is away."""
    async with asyncio.timeout(PATIENCE_S):
        while not play._away_since:
            await asyncio.sleep(0.005)


async def until_over(house: House, name: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while name in house.tasks:
            await asyncio.sleep(0.005)


async def test_players_sit_play_stand_up_and_the_chips_add_up(tmp_path: Path) -> None:
    results = KeptResults()
    rake = parse_rake("5%,cap=15")
    form = replace(SMALL, rake=rake)
    async with hosting(tmp_path, rings=(form,), results=results) as house:
        players = bots(house, 3, chooses=passive)
        for player in players:
            player.send(Sit(table="small.1", buy_in=1000))
        for player in players:
            await player.until("hand_over", 20)
        raked = sum(message.rake for message in players[0].of("hand_over"))
        assert raked
        for player in players:
            player.send(StandUp())
            report = await player.until("session_report")
            assert report.hands >= 20
            assert (await player.until("left")).reason == "stood_up"
        await until_over(house, "small.1")
        await house.outbox.flushed()
        assert {s.player for s in results.sessions} == {p.identity for p in players}
        assert -sum(s.won for s in results.sessions) == sum(s.rake for s in results.sessions) > 0
        assert "small.2" in house.tasks  # with a new seed
        assert (tmp_path / "done" / "small.1.journal").exists()
        (own,) = (s for s in results.sessions if s.player == players[0].identity)
        chips = max(400, own.stack)  # what was taken away a moment ago comes back
        players[0].send(Sit(table="small.2", buy_in=chips))
        assert (await players[0].until("snapshot", 2)).table.players[0].stack == chips


async def test_buy_ins_are_bounded_and_come_between_hands(tmp_path: Path) -> None:
    async with hosting(tmp_path, rings=(SMALL,)) as house:
        ann, bob = bots(house, 2, chooses=None)
        for count, chips in enumerate((399, 2001), 1):
            ann.send(Sit(table="small.1", buy_in=chips))
            await ann.until("error", count)
        assert [e.code for e in ann.of("error")] == ["buy_in", "buy_in"]
        ann.send(Sit(table="small.1", buy_in=500))
        bob.send(Sit(table="small.1", buy_in=500))
        await bob.until("hand")
        ann.send(BuyChips(amount=1501))
        assert (await ann.until("error", 3)).code == "buy_in"
        ann.send(BuyChips(amount=300))
        number = house.tasks["small.1"].number_of("bot0")
        assert number is not None
        session = ring(house).sessions[number]
        async with asyncio.timeout(PATIENCE_S):
            while not session.asked:
                await asyncio.sleep(0.005)
        assert (session.stack, session.asked) == (500, 300)
        for player in (ann, bob):
            player.chooses = passive
            if player.turn is not None:
                turn, player.turn = player.turn, None
                player.act(Verb.FOLD, turn=turn.turn)
        second = await bob.until("hand", 2)
        stacks = {seat.name: seat.stack + seat.spent for seat in second.hand.seats}
        assert stacks["bot0"] in (790, 800, 810, 780, 820)
        assert sum(stacks.values()) == 1300


async def test_whoever_sits_out_is_dealt_no_cards_until_sitting_in(tmp_path: Path) -> None:
    async with hosting(tmp_path, rings=(SMALL,)) as house:
        players = bots(house, 3, chooses=passive)
        for player in players:
            player.send(Sit(table="small.1", buy_in=2000))
        await players[2].until("hand", 2)
        players[2].send(SitOut())
        shown = await players[0].until("presence")
        assert shown.presence.value == "sitting_out"
        seen = len(players[0].of("hand"))
        later = await players[0].until("hand", seen + 3)
        assert "bot2" not in {seat.name for seat in later.hand.seats}
        players[2].send(SitIn())
        seen = len(players[0].of("hand"))
        later = await players[0].until("hand", seen + 3)
        assert "bot2" in {seat.name for seat in later.hand.seats}


async def test_whoever_stands_up_in_a_hand_is_leaving_and_not_frozen(tmp_path: Path) -> None:
    async with hosting(tmp_path, rings=(SMALL,)) as house:
        ann, bob = bots(house, 2, chooses=None)
        for player in (ann, bob):
            player.send(Sit(table="small.1", buy_in=1000))
        await bob.until("hand")
        ann.send(StandUp())
        assert (await bob.until("presence")).presence.value == "leaving"
        assert (await bob.until("player_left")).name == ann.identity.name


@pytest.mark.slow
async def test_a_frozen_player_sits_out_and_leaves_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.hosting.ring_play.RING_AWAY_SECONDS", 0.2)
    results = KeptResults()
    form = replace(SMALL, clocks=Clocks(limit=0.5, bank=0, refill=None, lag=0))
    clock = ManualTime()
    async with hosting(tmp_path, rings=(form,), results=results, when=clock.time) as house:
        players = bots(house, 3, chooses=passive)
        players[0].chooses = None
        for player in players:
            player.send(Sit(table="small.1", buy_in=2000))
        await players[0].until("turn")
        clock.now += 0.6  # in that turn alone: nobody else is late
        await until_away(ring(house))
        clock.now += 0.2  # within the others' limit
        left = await players[1].until("player_left")
        assert left.name == "bot0"
        assert players[0].closed_by is CloseCode.FROZEN
        await players[1].until("hand", len(players[1].of("hand")) + 3)
        await house.outbox.flushed()
        hands = players[1].of("hand")[-1].hand.seats
        assert {seat.name for seat in hands} == {"bot1", "bot2"}


async def test_higher_stakes_are_opened_by_winnings(tmp_path: Path) -> None:
    big = RingFormat(name="big", blinds=(50, 100), buy_ins=(2000, 10_000), opened_by=("small", 500))
    async with hosting(tmp_path, rings=(SMALL, big), winnings={"small": 499}) as house:
        ann = Player(house, Identity("ann"), chooses=None)
        ann.send(Sit(table="big.1", buy_in=5000))
        assert (await ann.until("error")).code == "stakes_locked"
        ann.send(Sit(table="small.1", buy_in=2000))
        await ann.until("seated")
    async with hosting(tmp_path / "2", rings=(SMALL, big), winnings={"small": 500}) as house:
        ann = Player(house, Identity("ann"), chooses=None)
        ann.send(Sit(table="big.1", buy_in=5000))
        await ann.until("seated")


async def test_an_owners_players_do_not_share_a_ring_table(tmp_path: Path) -> None:
    async with hosting(tmp_path, rings=(SMALL,)) as house:
        first, second = (
            Player(house, Identity(name, PlayerKind.BOT, "1", "Ann"), chooses=None)
            for name in ("shark", "whale")
        )
        ann, bob = (Player(house, Identity(name), chooses=None) for name in ("ann", "bob"))
        first.send(Sit(table="small.1", buy_in=500))
        await first.until("snapshot")
        for player in (second, ann):
            player.send(Sit(table="small.1", buy_in=500))
            assert (await player.until("error")).code == "same_owner"
        bob.send(Sit(table="small.1", buy_in=500))
        await bob.until("hand")
        assert len(ring(house).sessions) == 2
        first.send(StandUp())
        await first.until("left")
        second.send(Sit(table="small.1", buy_in=500))
        await second.until("snapshot")


async def test_who_sits_down_in_a_tables_last_moment_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end, may_end = GameTask._end, asyncio.Event()

    async def ends_later(task: GameTask) -> None:
        await may_end.wait()
        await end(task)

    async with hosting(tmp_path, rings=(SMALL,)) as house:
        ann, bob, cid = bots(house, 3, chooses=passive)
        for player in (ann, bob):
            player.send(Sit(table="small.1", buy_in=1000))
        for player in (ann, bob):
            await player.until("hand_over")
        assert house.in_play == 1
        monkeypatch.setattr(GameTask, "_end", ends_later)
        for player in (ann, bob):
            player.send(StandUp())
            await player.until("left")
        cid.send(Sit(table="small.1", buy_in=1000))
        may_end.set()
        assert (await cid.until("error")).code == "no_such_table"
        await until_over(house, "small.1")
        assert house.in_play == 0
        cid.send(Sit(table="small.2", buy_in=1000))
        await cid.until("seated")
        assert house.in_play == 1


async def test_a_ring_table_plays_on_after_a_restart(tmp_path: Path) -> None:
    results = KeptResults()
    async with hosting(tmp_path, rings=(SMALL,), results=results) as house:
        players = bots(house, 3, chooses=passive)
        for player in players:
            player.send(Sit(table="small.1", buy_in=1000))
        await players[0].until("hand", 5)
    async with hosting(tmp_path, rings=(SMALL,), results=results) as house:
        assert list(house.tasks) == ["small.1"]
        for player in players:
            player.house = house
            player.connect()
        snapshot = await players[0].until("snapshot", 2)
        stacks = sum(p.stack for p in snapshot.table.players)
        assert stacks + (snapshot.hand.pot if snapshot.hand else 0) >= 3000
        await players[0].until("hand_over", len(players[0].of("hand_over")) + 5)
        for player in players:
            player.send(StandUp())
            await player.until("session_report")
        await until_over(house, "small.1")
        await house.outbox.flushed()
        assert sum(session.won for session in results.sessions) == 0


@pytest.mark.parametrize("is_away", [False, True], ids=["database-there", "database-away"])
async def test_each_session_is_kept_as_it_ends_and_once_across_a_restart(
    tmp_path: Path, is_away: bool
) -> None:
    results = KeptResults()
    results.is_away = is_away
    async with hosting(tmp_path, rings=(SMALL,), results=results) as house:
        players = bots(house, 3, chooses=passive)
        for player in players:
            player.send(Sit(table="small.1", buy_in=1000))
        await players[0].until("hand_over", 2)
        players[2].send(StandUp())
        await players[2].until("left")
        if not is_away:
            await house.outbox.flushed()
            assert [session.player.name for session in results.sessions] == ["bot2"]
        assert len(ring(house).sessions) == 2, "the others play on"
    before = [session.session for session in results.sessions]
    results.is_away = False
    async with hosting(tmp_path, rings=(SMALL,), results=results) as house:
        await house.outbox.flushed()
        assert [session.player.name for session in results.sessions] == ["bot2"]
        assert before == ([] if is_away else list(results.kept))
        for player in players[:2]:
            player.house = house
            player.connect()  # both first: a hand waits for the one whose turn it is
        for player in players[:2]:
            player.send(StandUp())
            await player.until("session_report")
        await until_over(house, "small.1")
        await house.outbox.flushed()
        assert {session.player for session in results.sessions} == {p.identity for p in players}
        assert sum(session.won for session in results.sessions) == 0
        assert (tmp_path / "done" / "small.1.journal").exists()


@pytest.mark.slow(but=["False"])
@pytest.mark.parametrize("comes_back", [False, True])
async def test_a_practice_table_waits_a_while_for_its_person_and_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comes_back: bool
) -> None:
    monkeypatch.setattr("railbird.hosting.ring_play.PRACTICE_AWAY_SECONDS", 1.0)
    clock = ManualTime()
    async with hosting(tmp_path, DUEL, when=clock.time) as house:
        ann = Player(house, Identity("ann"), chooses=None)
        ann.send(Practise(opponents=["always-call", "always-call"], stack=4000, big_blind=20))
        await ann.until("turn")
        ann.cut()
        play = ring(house, "practice.1")
        await until_away(play)
        if comes_back:
            ann.connect()
            assert (await ann.until("snapshot", 2)).turn is not None
            clock.now += 1.2
            house.tasks["practice.1"].post(play.tick)
            ann.chooses = passive
            ann.act(Verb.CALL)
            await ann.until("hand", len(ann.of("hand")) + 2)  # she is dealt in again
            assert "practice.1" in house.tasks
            return
        clock.now += 1.0
        await until_over(house, "practice.1")
        ann.connect()
        ann.queue("duel")
        assert (await ann.until("queued")).queue == "duel"


async def test_house_players_do_not_practise_alone(tmp_path: Path) -> None:
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann"), chooses=passive)
        ann.send(Practise(opponents=["always-call", "always-call"], stack=4000, big_blind=20))
        await ann.until("hand")
        ann.send(SitOut())
        await until_over(house, "practice.1")
        assert (await ann.until("session_report")).hands < 4


async def test_practice_shows_all_cards_and_reasons_afterwards(tmp_path: Path) -> None:
    results = KeptResults()
    async with hosting(tmp_path, DUEL, results=results) as house:
        ann = Player(house, Identity("ann"), chooses=careful)
        ann.send(Practise(opponents=["booker", "always-call"], stack=4000, big_blind=20))
        cards = await ann.until("cards", 3)
        assert len(cards.cards) == 3
        kinds = [message.type for message in ann.messages]
        for place, kind in enumerate(kinds):
            if kind == "cards":  # never while the hand can still be played
                assert "hand_over" in kinds[:place]
                last = max(i for i, k in enumerate(kinds[:place]) if k in ("hand", "hand_over"))
                assert kinds[last] == "hand_over"
        reasons = await ann.until("explained")
        hand = next(m for m in ann.of("hand") if m.hand.hand == reasons.hand)
        assert hand.hand.seats[reasons.seat].name == "house:booker"
        assert reasons.text
        assert not house.lobby.message().tables
        ann.send(StandUp())
        await ann.until("left")
        async with asyncio.timeout(PATIENCE_S):
            while house.tasks:
                await asyncio.sleep(0.01)
        assert not results.kept
        assert not list(tmp_path.glob("practice*.journal"))
        ((game, ended),) = house.practice_of("Ann")
        assert game == "practice.1"
        assert ended.tzinfo is not None
        journal = house.journal_of(game)
        assert journal is not None
        assert is_over(read_journal(journal))
        assert len(list(hand_records(read_journal(journal)))) >= 3
        house.forget_practice("ann")
        assert house.practice_of("ann") == []
        assert house.journal_of(game) is None
        ann.queue("duel")
        await ann.until("queued")


async def test_a_practice_table_that_was_cut_off_is_kept_and_the_oldest_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.hosting.openings.MOST_PRACTICE_KEPT", 2)
    for hands in (2, 0, 2, 2):
        async with hosting(tmp_path) as house:
            ann = Player(house, Identity("ann"), chooses=passive if hands else None)
            ann.send(Practise(opponents=["always-call"], stack=4000, big_blind=20))
            await ann.until("hand", hands + 1)
    async with hosting(tmp_path) as house:
        games = [game for game, _ in house.practice_of("ann")]
        assert games == ["practice.4", "practice.3"]  # of that without a finished hand, nothing
        assert not list(tmp_path.glob("*.journal"))
        ann = Player(house, Identity("ann"), chooses=None)
        ann.send(Practise(opponents=["always-call"], stack=4000, big_blind=20))
        assert (await ann.until("seated")).table.table == "practice.5"


async def test_house_players_buy_in_again_at_practice_tables(tmp_path: Path) -> None:
    async with hosting(tmp_path) as house:
        ann = Player(house, Identity("ann"), chooses=lambda turn, rng: (Verb.ALL_IN, None))
        while True:
            seen = len(ann.of("hand"))
            ann.send(Practise(opponents=["always-call"], stack=2000, big_blind=20))
            hand = await ann.until("hand", seen + 1)
            stacks = [seat.stack + seat.spent for seat in hand.hand.seats]
            assert sum(stacks) == 4000
            over = await ann.until("hand_over", len(ann.of("hand")))
            if over.won[hand.hand.you or 0] > 0:
                break
            await until_over(house, hand.table)
        again = await ann.until("hand", seen + 2)
        assert sorted(seat.stack + seat.spent for seat in again.hand.seats) == [2000, 4000]


async def test_a_practice_table_waits_for_its_person_where_that_is_wanted(tmp_path: Path) -> None:
    clock = ManualTime()
    async with hosting(tmp_path, when=clock.time) as house:
        ann = Player(house, Identity("ann"), chooses=passive)
        ann.send(Practise(opponents=["always-call"], stack=2000, big_blind=20, waits=True))
        for hand in (1, 2):
            await ann.until("cards", hand)
            task = house.tasks["practice.1"]
            # Once it has nothing more to do, only its clock can let it go on.
            async with asyncio.timeout(PATIENCE_S):
                while task.play.hands or task.backlog:
                    await asyncio.sleep(0.005)
            assert len(ann.of("hand")) == hand
            assert task.play.deadline == clock.now + STUDY_SECONDS
            ann.send(SitIn())
        await ann.until("hand", 3)
        ann.send(StandUp())
        assert (await ann.until("left")).reason in ("over", "stood_up")


async def test_people_have_time_between_hands_and_bots_need_none(tmp_path: Path) -> None:
    pace = 0.04
    least = pace * REST_SHOWN_SECONDS
    for kind in PlayerKind.PERSON, PlayerKind.BOT:
        async with hosting(tmp_path / kind, rings=(SMALL,), pace=pace) as house:
            players = [
                Player(house, Identity(name, kind), chooses=passive) for name in ("ann", "bob")
            ]
            for player in players:
                player.send(Sit(table="small.1", buy_in=1000))
            began = asyncio.get_running_loop().time()
            await players[0].until("hand", 4)
            took = asyncio.get_running_loop().time() - began
            play = ring(house)
            assert play.pace == pace
            if kind is PlayerKind.PERSON:
                assert took >= 3 * least
            else:
                assert not play.is_resting


async def test_a_practice_table_ends_with_its_player(tmp_path: Path) -> None:
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann"), chooses=any_action)
        ann.send(Practise(opponents=["always-raise"], stack=40, big_blind=20))
        assert (await ann.until("left")).reason in ("over", "stood_up")
        async with asyncio.timeout(PATIENCE_S):
            while house.tasks:
                await asyncio.sleep(0.01)
        assert ann.of("session_report")
