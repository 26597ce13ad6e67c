"""A house in one process: queues, absence, re-entry, take-over, results."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from helpers.hosted import (
    PATIENCE_S,
    KeptResults,
    ManualTime,
    Player,
    any_action,
    bots,
    hosting,
    result_of,
)
from railbird.errors import RailbirdError
from railbird.game import Betting
from railbird.hosting import lobby
from railbird.hosting.formats import Clocks, Freeze, TournamentFormat
from railbird.hosting.house import House
from railbird.hosting.house_seats import house_specs
from railbird.hosting.journal import Took, read_journal
from railbird.hosting.lobby import Queue, specs_for
from railbird.hosting.play import Time
from railbird.hosting.settings import MOST_LAG_SECONDS, PLAYER_BYTES
from railbird.players.registry import REGISTRY, why_unfit
from railbird.protocol import CloseCode, ErrorCode, Identity, PlayerKind
from railbird.protocol.messages import (
    AskLobby,
    AskSnapshot,
    LeaveQueue,
    PossibleAction,
    Practise,
    Sit,
    SitOut,
    StrategyMessage,
    Unwatch,
    Verb,
    Watch,
)
from railbird.serve.formats_file import DEFAULT_GAMES
from railbird.tournament.schedule import hand_rules

pytestmark = pytest.mark.anyio

SIX = TournamentFormat(name="six", seats=6, house_after=None)
DUEL = TournamentFormat(name="duel", seats=2, house_after=None)
QUICK = Clocks(limit=0.15, bank=0.0, refill=None)
LATE_S = QUICK.limit + MOST_LAG_SECONDS + 0.1


def passive(turn: object, rng: object) -> tuple[Verb, None]:
    del turn, rng
    return Verb.CALL, None


async def settled(house: House) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while house.tasks:
            await asyncio.sleep(0.005)
        await house.outbox.flushed()


async def test_a_tournament_from_the_queue_to_its_result(tmp_path: Path) -> None:
    results = KeptResults()
    async with hosting(tmp_path, SIX, results=results) as house:
        players = bots(house, 6)
        for player in players[:5]:
            player.queue("six")
        await players[0].until("queued", 5)
        assert players[0].of("queued")[-1].waiting == 5
        assert not players[0].of("seated")
        players[5].queue("six")
        for player in players:
            await player.until("result")
        await settled(house)
        (outcome,) = results.tournaments
        assert {finish.player for finish in outcome.finishes} == {p.identity for p in players}
        assert sum(finish.prize for finish in outcome.finishes) == 60
        assert next(finish.place for finish in outcome.finishes) == 1
        assert outcome.rated
        assert not outcome.void
        for player in players:
            result = result_of(player)
            assert result.you is not None
            assert result.you.decisions == player.acted
            assert result.commitment == player.of("seated")[0].commitment == outcome.commitment
        winner = next(p for p in players if p.identity == outcome.finishes[0].player)
        kinds = [message.type for message in winner.messages]
        assert kinds.index("seated") < kinds.index("hand") < kinds.index("turn")
        assert kinds[-1] == "result"
        assert (tmp_path / "done" / "six.1.journal").exists()
        assert not house.accounts or all(a.task is None for a in house.accounts.values())


async def test_a_seat_belongs_to_an_account_whoever_has_its_name(tmp_path: Path) -> None:
    """Ann's account is deleted in the middle of a tournament; another one gets her name."""
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann", account=7), chooses=None)
        bob = Player(house, Identity("bob", account=8), chooses=None)
        for player in (ann, bob):
            player.queue("duel")
        await ann.until("hand")
        ann.cut()
        stranger = Player(house, Identity("ann", account=9), chooses=None)
        await stranger.until("close")
        (closing,) = stranger.of("close")
        assert (closing.code, closing.reconnect) == (CloseCode.BANNED, False)
        assert not {"snapshot", "hand", "turn"} & {message.type for message in stranger.messages}
        again = Player(house, Identity("ann", account=7), chooses=None)
        await again.until("snapshot")
    async with hosting(tmp_path, DUEL) as house:  # from the journal
        stranger = Player(house, Identity("ann", account=9), chooses=None)
        await stranger.until("close")
        again = Player(house, Identity("ann", account=7), chooses=None)
        await again.until("snapshot")


async def test_who_is_knocked_out_may_wait_for_another_tournament_at_once(tmp_path: Path) -> None:
    results = KeptResults()
    async with hosting(tmp_path, SIX, results=results) as house:
        players = bots(house, 12)
        for player in players:
            player.queue("six", again=True)
        async with asyncio.timeout(PATIENCE_S):
            while len(results.kept) < 6:
                await asyncio.sleep(0.01)
        again = [p for p in players if len(p.of("seated")) > 1]
        assert len(again) > 6
        for player in again:
            kinds = [m.type for m in player.messages]
            assert kinds.index("left") < kinds.index("queued", kinds.index("left"))


@pytest.mark.slow
async def test_a_late_player_is_frozen_closed_and_returns_to_the_seat(tmp_path: Path) -> None:
    slow, clock = replace(SIX, name="slow", seats=3, clocks=QUICK), ManualTime()
    async with hosting(tmp_path, slow, when=clock.time) as house:
        players = bots(house, 3, chooses=passive)
        ann = players[0]
        ann.chooses = None
        for player in players:
            player.queue("slow")
        await ann.until("turn")
        clock.now += LATE_S  # in her turn alone: nobody else is late
        async with asyncio.timeout(PATIENCE_S):
            while ann.closed_by is None:
                await asyncio.sleep(0.01)
        assert ann.closed_by is CloseCode.FROZEN
        assert not ann.of("close")[0].reconnect
        other = players[1]
        frozen = await other.until("presence")
        assert (frozen.name, frozen.presence.value) == (ann.identity.name, "frozen")
        by_clock = [m for m in other.of("acted") if m.by == "clock"]
        assert next(m.entry.verb for m in by_clock) in ("fold", "check")
        async with asyncio.timeout(PATIENCE_S):
            while not [m for m in other.of("acted") if m.by == "absence"]:
                await asyncio.sleep(0.005)
        ann.messages.clear()
        ann.chooses = passive
        ann.connect()
        snapshot = await ann.until("snapshot")
        seats = {one.name: one.presence.value for one in snapshot.table.players}
        assert seats[ann.identity.name] == "here"
        await ann.until("turn")


async def test_a_check_that_is_not_free_is_refused_and_the_turn_goes_on(tmp_path: Path) -> None:
    async with hosting(tmp_path, DUEL) as house:
        ann, bob = bots(house, 2, chooses=None)
        for player in (ann, bob):
            player.queue("duel")
        await ann.until("hand")
        asked = ann if ann.of("hand")[0].hand.you == 1 else bob
        turn = await asked.until("turn")
        asked.act(Verb.CHECK)
        error = await asked.until("error")
        assert (error.code, error.turn) == ("illegal_action", turn.turn)
        assert error.text == "seat 1 cannot check: 10 to call (preflop)"
        records = read_journal(tmp_path / "duel.1.journal")
        assert not any(isinstance(record, Took) for record in records)
        asked.act(Verb.CALL, turn=turn.turn)
        assert (await asked.until("acted")).entry.paid == 10


@pytest.mark.slow(but=["Freeze.FOLD"])
@pytest.mark.parametrize("freeze", Freeze)
async def test_a_frozen_seat_checks_or_folds_by_the_format(tmp_path: Path, freeze: Freeze) -> None:
    form = TournamentFormat(
        name="t", seats=2, house_after=None, clocks=QUICK, freeze=freeze, stack=200
    )
    clock = ManualTime()
    async with hosting(tmp_path, form, when=clock.time) as house:
        one, two = bots(house, 2, chooses=None)
        two.chooses = passive
        for player in (one, two):
            player.queue("t")
        await one.until("turn")
        clock.now += LATE_S
        await two.until("result")
        verbs = {
            message.entry.verb
            for message in two.of("acted")
            if message.by in ("clock", "absence") and message.entry.paid == 0
        }
        assert verbs == ({"fold"} if freeze is Freeze.FOLD else {"fold", "check"})
        assert one.closed_by is CloseCode.FROZEN


async def test_a_stale_a_doubled_and_an_illegal_action_move_no_chips(tmp_path: Path) -> None:
    async with hosting(tmp_path, DUEL) as house:
        players = bots(house, 2, chooses=None)
        for player in players:
            player.queue("duel")
        await asyncio.wait(
            [asyncio.ensure_future(p.until("turn")) for p in players],
            return_when=asyncio.FIRST_COMPLETED,
        )
        actor = next(p for p in players if p.turn)
        other = next(p for p in players if p is not actor)
        turn = actor.turn
        assert turn is not None
        actor.act(Verb.RAISE, 1, turn=turn.turn)
        error = await actor.until("error")
        assert (error.code, error.turn, error.action) == ("illegal_action", turn.turn, 1)
        assert 0 < error.ms_left <= 100_000
        assert json.loads(error.sent)["to"] == 1
        other.act(Verb.CALL, turn=turn.turn)
        assert (await other.until("error")).code == "stale"
        actor.act(Verb.CALL, turn=turn.turn)
        actor.act(Verb.CALL, turn=turn.turn)
        actor.act(Verb.ALL_IN, turn=turn.turn)
        await actor.until("error", 3)
        assert [e.code for e in actor.of("error")[1:]] == ["stale", "stale"]
        assert len(actor.of("acted")) == 1
        assert house.offences["bot0", "stale"] + house.offences["bot1", "stale"] == 3


async def test_a_new_connection_takes_over_and_gets_one_snapshot(tmp_path: Path) -> None:
    clock = ManualTime()
    async with hosting(tmp_path, DUEL, when=clock.time) as house:
        players = bots(house, 2, chooses=None)
        for player in players:
            player.queue("duel")
        await asyncio.wait(
            [asyncio.ensure_future(p.until("turn")) for p in players],
            return_when=asyncio.FIRST_COMPLETED,
        )
        actor = next(p for p in players if p.turn)
        before, turn, hand = actor.connection, actor.turn, actor.hands["duel.1-1"]
        assert turn is not None
        clock.now += 0.05
        actor.messages.clear()
        actor.connect()
        snapshot = await actor.until("snapshot")
        assert before.closing is CloseCode.TAKEN_OVER
        assert [m.type for m in actor.messages] == ["welcome", "snapshot"]
        assert snapshot.hand == hand
        assert snapshot.turn.turn == turn.turn
        assert snapshot.turn.ms == turn.ms - 50
        actor.act(Verb.CALL)
        await actor.until("acted")


async def test_an_absent_player_is_shown_as_away(tmp_path: Path) -> None:
    async with hosting(tmp_path, SIX) as house:
        players = bots(house, 6, chooses=None)
        for player in players:
            player.queue("six")
        await players[0].until("hand")
        players[3].cut()
        shown = await players[0].until("presence")
        assert (shown.name, shown.presence.value) == ("bot3", "away")
        players[3].connect()
        shown = await players[0].until("presence", 2)
        assert (shown.name, shown.presence.value) == ("bot3", "here")


async def test_house_players_take_the_empty_seats_after_a_wait(tmp_path: Path) -> None:
    results = KeptResults()
    house_specs = ("always-call", "random", "always-fold")
    form = TournamentFormat(name="filled", seats=5, house_after=0.1, house=house_specs, stack=300)
    clock = ManualTime()
    async with hosting(tmp_path, form, results=results, when=clock.time) as house:
        (ann,) = bots(house, 1)
        ann.queue("filled")
        assert (await ann.until("queued")).starts_in_ms == 100
        clock.now += 0.1
        await ann.until("result")
        await settled(house)
        (outcome,) = results.tournaments
        kinds = [finish.player.kind for finish in outcome.finishes]
        assert kinds.count(PlayerKind.HOUSE) == 4
        names = {f.player.name for f in outcome.finishes if f.player.kind is PlayerKind.HOUSE}
        assert {name.split("#")[0] for name in names} == {f"house:{s}" for s in house_specs}


@pytest.mark.parametrize("betting", [Betting.NO_LIMIT, Betting.POT_LIMIT, Betting.LIMIT])
@pytest.mark.parametrize("seats", [2, 6, 23])
@pytest.mark.parametrize("stack", [60, 200, 1500, 20_000])
async def test_no_queue_is_filled_with_players_for_drills(
    betting: Betting, seats: int, stack: int
) -> None:
    form = TournamentFormat(
        name="fill", betting=betting, seats=seats, table_seats=seats, stack=stack, house_after=0.0
    )
    queue = Queue(form, Time())
    queue.add(Identity("ann"))
    _, house = queue.due(await specs_for(form))
    assert len(house) == seats - 1
    drills = {name for name, entry in REGISTRY.items() if entry.fit.is_drill}
    assert drills == {"always-call", "always-fold", "always-raise", "random", "sensible"}
    assert not {spec for _, spec in house} & drills


async def test_the_servers_own_queues_are_filled_with_players_that_are_fit() -> None:
    for form in DEFAULT_GAMES.tournaments:
        specs = await specs_for(form)
        assert {"killer", "tight:nolimit"} <= set(specs), "the middle of the ladder"
        rules = form.rules(form.schedule.level(0), [form.stack] * form.seats)
        assert not [why for spec in specs if (why := why_unfit(spec, rules))]


def test_a_player_is_fit_for_the_stacks_at_which_it_was_measured() -> None:
    def fit(stack: int) -> set[str]:
        rules = hand_rules(Betting.NO_LIMIT, blinds=(10, 20), ante=0, stacks=[stack, stack])
        return set(house_specs(rules))

    assert {"booker", "pushfold", "baseline"} <= fit(200)
    assert not {"booker", "rollout", "baseline"} & fit(4000)
    deep = hand_rules(Betting.NO_LIMIT, blinds=(10, 20), ante=0, stacks=[4000, 4000])
    short = hand_rules(Betting.NO_LIMIT, blinds=(10, 20), ante=0, stacks=[4000, 200])
    assert why_unfit("booker:4", deep) == (
        "booker:4 is beaten with stacks over 10 big blinds by more than folding would lose"
    )
    assert why_unfit("booker:4", short) is None, "nobody can play for more than 10"
    for version in ("booker:1", "booker:1,multiple=1.2", "booker:1n"):
        assert "more than folding would lose" in str(why_unfit(version, short))
    assert "drills" in str(why_unfit("random,fold=2", deep))
    assert why_unfit("random,fold=2", deep, drills=True) is None


async def test_bots_of_one_owner_never_share_a_rated_tournament(tmp_path: Path) -> None:
    results = KeptResults()
    free = replace(DUEL, name="free", rated=False)
    async with hosting(tmp_path, DUEL, free, results=results) as house:
        mine = [Identity(f"mine{n}", PlayerKind.BOT, "1", "ann") for n in range(2)]
        ann, other = Identity("ann"), Identity("bob")
        players = [Player(house, who) for who in (*mine, ann)]
        for player in players:
            player.queue("duel")
        # Whoever hears that it waits has not been seated: a full table begins before.
        assert (await players[-1].until("queued")).waiting == 3
        assert not house.tasks
        bob = Player(house, other)
        bob.queue("duel")
        await bob.until("result")
        await settled(house)
        (outcome,) = results.tournaments
        assert {f.player.name for f in outcome.finishes} == {"mine0", "bob"}
        for player in players[1:]:
            player.send(LeaveQueue())
            player.queue("free")
        await players[1].until("result")


async def test_a_scheduled_tournament_starts_with_whoever_waits(tmp_path: Path) -> None:
    clock = ManualTime()
    at = datetime.fromtimestamp(clock.now + 0.3, UTC)
    form = TournamentFormat(name="noon", seats=50, starts_at=at, house_after=None, table_seats=3)
    async with hosting(tmp_path, form, when=clock.time) as house:
        players = bots(house, 7)
        for player in players:
            player.queue("noon")
        lobby = house.lobby.message()
        assert lobby.queues[0].starts_in_ms == 300
        clock.now += 0.3
        results = [await p.until("result") for p in players]
        assert len(results[0].places) == 7
        players[0].queue("noon")
        assert (await players[0].until("error")).code == "no_such_queue"


async def test_a_wait_in_vain_for_house_players_begins_anew(tmp_path: Path) -> None:
    form = replace(DUEL, name="vain", house_after=0.05, house=("no-such-player",))
    clock = ManualTime()
    async with hosting(tmp_path, form, when=clock.time) as house:
        (ann,) = bots(house, 1)
        queue = house.queues["vain"]
        asked = asyncio.Event()

        def due(specs: Sequence[str]) -> tuple[list[Identity], list[tuple[str, str]]]:
            del specs
            asked.set()
            return real([])

        real, queue.due = queue.due, due  # type: ignore[method-assign]
        ann.queue("vain")
        await ann.until("queued")
        for _ in range(3):
            assert queue.starts_in() == pytest.approx(0.05)
            clock.now += 0.06  # more, against rounding
            async with asyncio.timeout(PATIENCE_S):
                await asked.wait()
            asked.clear()
        assert queue.starts_in() == pytest.approx(0.05)
        assert not house.tasks


async def test_results_wait_for_a_database_that_is_away(tmp_path: Path) -> None:
    results = KeptResults()
    results.is_away = True
    async with hosting(tmp_path, DUEL, results=results) as house:
        players = bots(house, 2)
        for round_ in range(1, 3):
            for player in players:
                player.queue("duel")
            await players[0].until("result", round_)
            await players[1].until("result", round_)
        async with asyncio.timeout(PATIENCE_S):
            while len(house.outbox) < 2:
                await asyncio.sleep(0.01)
        assert not results.kept
        assert (tmp_path / "duel.1.journal").exists()
        results.is_away = False
        async with asyncio.timeout(PATIENCE_S):
            await house.outbox.flushed()
        assert sorted(results.kept) == ["duel.1", "duel.2"] == sorted(results.offered)
        assert not (tmp_path / "duel.1.journal").exists()


async def test_results_of_a_server_that_ended_come_at_the_next_start(tmp_path: Path) -> None:
    results = KeptResults()
    results.is_away = True
    async with hosting(tmp_path, DUEL, results=results) as house:
        players = bots(house, 2)
        for player in players:
            player.queue("duel")
        await players[0].until("result")
        while house.tasks:
            await asyncio.sleep(0.01)
    assert not results.kept
    results.is_away = False
    async with hosting(tmp_path, DUEL, results=results) as house:
        async with asyncio.timeout(PATIENCE_S):
            while not results.kept:
                await asyncio.sleep(0.01)
        await house.outbox.flushed()
        assert list(results.kept) == ["duel.1"]
        for player in (again := bots(house, 2)):
            player.queue("duel")
        await again[0].until("result")
        assert result_of(again[0]).tournament == "duel.2"


async def test_a_stopped_server_parks_its_tables_and_plays_on(tmp_path: Path) -> None:
    results = KeptResults()
    async with hosting(tmp_path, SIX, results=results) as house:
        players = bots(house, 6, chooses=passive)
        for player in players:
            player.queue("six")
        await players[0].until("hand", 4)
        for player in players:
            player.chooses = None
    assert {p.connection.closing for p in players} == {CloseCode.RESTART}
    assert all(p.of("close")[0].reconnect for p in players if p.of("close"))
    assert not results.kept
    async with hosting(tmp_path, SIX, results=results) as house:
        for player in players:
            player.house, player.chooses = house, any_action
            player.connect()
        snapshot = await players[0].until("snapshot")
        assert snapshot.table.hand >= 4
        for player in players:
            await player.until("result")
        await settled(house)
        (outcome,) = results.tournaments
        assert sum(finish.prize for finish in outcome.finishes) == 60


async def test_two_servers_never_play_in_one_folder(tmp_path: Path) -> None:
    async with hosting(tmp_path, SIX):
        with pytest.raises(RailbirdError, match="another server plays"):
            async with hosting(tmp_path, SIX):
                pass


async def test_a_damaged_journal_is_set_aside_and_the_others_play_on(tmp_path: Path) -> None:
    async with hosting(tmp_path, DUEL) as house:
        players = bots(house, 4, chooses=None)
        for player in players:
            player.queue("duel")
        await players[3].until("hand")
    path = tmp_path / "duel.1.journal"
    data = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(data[0] + data[2])
    async with hosting(tmp_path, DUEL) as house:
        assert list(house.tasks) == ["duel.2"]
        assert (tmp_path / "duel.1.journal.damaged").exists()


async def test_a_fault_of_the_server_voids_one_tournament_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = KeptResults()
    async with hosting(tmp_path, DUEL, results=results) as house:
        players = bots(house, 4, chooses=None)
        for player in players:
            player.queue("duel")
        await players[3].until("hand")
        # One bad pot: a chip too many in the hand of the first tournament.
        (hand,) = house.tasks["duel.1"].play.hands.values()
        monkeypatch.setattr(hand, "_chips", 3001)
        for player in players:
            player.chooses = any_action
            if player.turn is not None:
                turn, player.turn = player.turn, None
                player.act(Verb.CALL, turn=turn.turn)
        for player in players:
            await player.until("result")
        await settled(house)
        voids = {outcome.tournament: outcome.void for outcome in results.tournaments}
        assert voids == {"duel.1": True, "duel.2": False}
        assert players[0].of("hand_void")
        assert not result_of(players[0]).rated
        for player in players[:2]:
            player.queue("duel")
        assert (await players[0].until("result", 2)).rated


async def test_a_spectator_sees_no_cards_and_a_slow_one_gets_a_snapshot(tmp_path: Path) -> None:
    async with hosting(tmp_path, SIX) as house:
        players = bots(house, 6, chooses=passive)
        watcher = Player(house, Identity("rail"), chooses=None)
        for player in players:
            player.queue("six")
        await players[0].until("hand")
        watcher.send(Watch(table="six.1-1"))
        snapshot = await watcher.until("snapshot")
        assert all(seat.cards is None for seat in snapshot.hand.seats)
        assert snapshot.turn is None
        watcher.send(AskSnapshot(table="six.1-1"))
        await watcher.until("snapshot", 2)
        watcher.reads = False
        while watcher.connection.waiting < 100_000 and house.tasks:
            await asyncio.sleep(0.01)
        assert watcher.connection.waiting <= PLAYER_BYTES
        assert watcher.connection.is_open
        watcher.reads = True
        watcher.pump()
        if house.tasks:
            watcher.send(Unwatch(table="six.1-1"))
            assert (await watcher.until("left")).reason == "unwatched"
        for message in watcher.of("hand"):
            assert all(seat.cards is None for seat in message.hand.seats)


async def test_the_other_tables_of_a_tournament_are_still_watched(tmp_path: Path) -> None:
    form = replace(SIX, name="two", seats=4, table_seats=2)
    async with hosting(tmp_path, form) as house:
        players = bots(house, 4, chooses=passive)
        watcher = Player(house, Identity("rail"), chooses=None)
        for player in players:
            player.queue("two")
        await players[0].until("hand")
        for table in ("two.1-1", "two.1-2"):
            watcher.send(Watch(table=table))
        await watcher.until("snapshot", 2)
        watcher.send(Unwatch(table="two.1-1"))
        await watcher.until("left")
        before = len(watcher.of("acted"))
        await watcher.until("acted", before + 5)
        assert {message.table for message in watcher.of("acted")[before:]} == {"two.1-2"}


async def test_only_so_many_tables_are_watched_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MOST_WATCHED", 2)
    form = replace(SIX, name="three", seats=6, table_seats=2)
    async with hosting(tmp_path, form) as house:
        players = bots(house, 6, chooses=passive)
        watcher = Player(house, Identity("rail"), chooses=None)
        for player in players:
            player.queue("three")
        await players[0].until("hand")
        for table in ("three.1-1", "three.1-2", "three.1-1"):  # the same again is no third table
            watcher.send(Watch(table=table))
        await watcher.until("snapshot", 3)
        watcher.send(Watch(table="three.1-3"))
        refused = await watcher.until("error")
        assert (refused.code, refused.text) == (
            ErrorCode.RATE_LIMITED,
            "2 tables are watched already",
        )
        watcher.send(Unwatch(table="three.1-2"))
        watcher.send(Watch(table="three.1-3"))
        assert (await watcher.until("snapshot", 4)).table.table == "three.1-3"


async def test_a_player_who_does_not_read_is_closed(tmp_path: Path) -> None:
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann"), chooses=None)
        await ann.until("welcome")
        ann.reads = False
        for _ in range(2_000):
            ann.send(AskLobby())
            if ann.connection.closing is not None:
                break
        assert ann.connection.closing is CloseCode.TOO_SLOW
        assert house.connection_of("ann") is None


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"ping","n":1}\n',
        b'{"type":"sit_out"}\n',
        b'{"type":"bad"}\n{"type":"pong","n":0}\n',
    ],
    ids=["pongs", "refusals", "errors"],
)
async def test_whoever_asks_without_reading_the_answers_is_closed(
    tmp_path: Path, line: bytes
) -> None:
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann"), chooses=None)
        await ann.until("welcome")
        ann.reads = False
        most = 0
        for _ in range(PLAYER_BYTES // 20):
            ann.connection.receive(line)
            most = max(most, ann.connection.waiting)
            if ann.connection.closing is not None:
                break
        assert ann.connection.closing is CloseCode.TOO_SLOW
        assert most < PLAYER_BYTES + 10_000
        assert house.connection_of("ann") is None


async def test_wrong_wishes_are_refused_with_a_code(tmp_path: Path) -> None:
    async with hosting(tmp_path, SIX) as house:
        ann = Player(house, Identity("ann"), chooses=None)
        ann.queue("none")
        ann.send(Watch(table="six.9-1"))
        ann.send(AskSnapshot(table="x"))
        ann.send(Sit(table="six.1", buy_in=100))
        ann.send(SitOut())
        ann.send(LeaveQueue())
        ann.send(Practise(opponents=["acpc"]))
        ann.send(Practise(opponents=["python:os:system"]))
        ann.act(Verb.CALL, turn="x")
        said = PossibleAction(verb=Verb.CALL)
        ann.send(StrategyMessage(ask="q", hash="h", actions=[said], probabilities=[[1.0]]))
        ann.queue("six")
        ann.queue("six")
        await ann.until("error", 11)
        assert [error.code.value for error in ann.of("error")] == [
            "no_such_queue",
            "no_such_table",
            "no_such_table",
            "no_such_table",
            "not_seated",
            "not_queued",
            "no_such_player",
            "no_such_player",
            "not_seated",
            "unexpected",
            "queued",
        ]
        assert len(house.queues["six"]) == 1
        ann.cut()
        assert len(house.queues["six"]) == 0
        assert not house.accounts


async def test_a_tournament_that_ended_before_its_seats_were_drawn_waits_for_its_players(
    tmp_path: Path,
) -> None:
    async with hosting(tmp_path, DUEL) as house:
        players = bots(house, 2)
        for player in players:
            player.queue("duel")
        await players[0].until("hand")
    path = tmp_path / "duel.1.journal"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    async with hosting(tmp_path, DUEL) as house:
        for player in players:
            player.house = house
            player.connect()
        await players[0].until("result")
