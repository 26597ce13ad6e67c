"""Random clients at random tables: they are cut, come back, are late, and send rubbish."""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from helpers.hosted import KeptResults, ManualTime, Player, any_action
from railbird.hosting.formats import Clocks, Freeze, RingFormat, TournamentFormat
from railbird.hosting.game_task import GameTask
from railbird.hosting.house import House
from railbird.hosting.house_game import play_of
from railbird.hosting.journal import Opened, read_journal
from railbird.hosting.lobby import Listing
from railbird.hosting.ring_play import RingPlay
from railbird.hosting.tournament_play import TournamentPlay
from railbird.protocol import Identity, PlayerKind, body_of, told
from railbird.protocol.messages import (
    AskSnapshot,
    BuyChips,
    Sit,
    SitIn,
    SitOut,
    Snapshot,
    StandUp,
    Verb,
    Watch,
)

CLOCKS = Clocks(limit=20, bank=30)
BOTS = 5
RUBBISH = [
    b"\n",
    b"rubbish\n",
    b'{"type":"act","turn":"x","action":1,"verb":"call"}\n',
    b'{"type":"act","turn":"x","action":-1,"verb":"call"}\n',
    b'{"type":"act","turn":"x","action":1,"verb":"raise","to":1e999}\n',
    b'{"type":"hello","versions":[1],"log_in":{"by":"token","token":"t"}}\n',
    b'{"type":"enter_queue","queue":"six","more":1}\n',
    b"\xff\x00" * 50 + b"\n",
    b'{"type":"watch","table":"six.1-1"}\n',
    b'{"type":"leave_queue"}\n',
]
players = st.integers(0, BOTS - 1)


class TableMachine(RuleBasedStateMachine):
    """A house with a queue and a ring table, and its clients."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="railbird-"))
        self.loop = asyncio.new_event_loop()
        self.clock = ManualTime()
        self.results = KeptResults()
        self.clients: list[Player] = []
        # Known seeds, so that what fails once fails again.
        self.patch = pytest.MonkeyPatch()
        seeds = itertools.count(1)
        self.patch.setattr(
            "railbird.hosting.openings.new_seed", lambda: next(seeds).to_bytes(32, "big")
        )

    @initialize(
        seats=st.integers(2, 4), table_seats=st.integers(2, 4), freeze=st.sampled_from(Freeze)
    )
    def opens(self, seats: int, table_seats: int, freeze: Freeze) -> None:
        self.form = TournamentFormat(
            name="six",
            seats=seats,
            table_seats=table_seats,
            stack=400,
            clocks=CLOCKS,
            freeze=freeze,
            house_after=None,
        )
        self.ring = RingFormat(name="ring", seats=3, clocks=CLOCKS, freeze=freeze)
        self._open()
        self.clients = [
            self._in_loop(lambda n=n: Player(self.house, _identity(n), chooses=None))
            for n in range(BOTS)
        ]
        self.rail = self._in_loop(lambda: Player(self.house, Identity("rail"), chooses=None))
        for client in self.clients[:seats]:
            self._in_loop(lambda c=client: c.queue("six", again=True))
        for client in self.clients[seats:]:
            self._in_loop(lambda c=client: c.send(Sit(table="ring.1", buy_in=400)))
        self._settle()

    def _open(self) -> None:
        self.house = House(
            self.folder,
            tournaments=[self.form],
            rings=[self.ring],
            results=self.results,
            when=self.clock.time,
        )
        self.loop.run_until_complete(self.house.start())

    def _in_loop(self, call: Any) -> Any:
        async def run() -> Any:
            return call()

        return self.loop.run_until_complete(run())

    def _settle(self) -> None:
        async def rest() -> None:
            for _ in range(400):
                await asyncio.sleep(0)
                if not any(task.backlog for task in self.house.tasks.values()):
                    return

        for _ in range(5):
            self.loop.run_until_complete(rest())

    def _do(self, call: Any) -> None:
        self._in_loop(call)
        self._settle()

    @rule(who=players)
    def queues(self, who: int) -> None:
        self._do(lambda: self.clients[who].queue("six", again=bool(who % 2)))

    @rule(who=players, wish=st.sampled_from(["sit", "out", "in", "up", "buy"]))
    def at_the_ring(self, who: int, wish: str) -> None:
        table = next((name for name in self.house.tasks if name.startswith("ring")), "ring.1")
        message: Any = {
            "sit": Sit(table=table, buy_in=400),
            "out": SitOut(),
            "in": SitIn(),
            "up": StandUp(),
            "buy": BuyChips(amount=100),
        }[wish]
        self._do(lambda: self.clients[who].send(message))

    @rule(who=players, seed=st.integers(0, 1000))
    def acts(self, who: int, seed: int) -> None:
        client = self.clients[who]
        if client.turn is not None and client.connection.is_open:
            client.rng.seed(seed)
            turn, client.turn = client.turn, None
            verb, to = any_action(turn, client.rng)
            self._do(lambda: client.act(verb, to, turn=turn.turn))

    @rule(seed=st.integers(0, 1000), rounds=st.integers(1, 12))
    def everybody_is_here_and_acts_for_a_while(self, seed: int, rounds: int) -> None:
        for client in self.clients:
            if not client.connection.is_open:
                self._in_loop(client.connect)
        self._settle()
        for step in range(rounds):
            for who in range(BOTS):
                self.acts(who, seed + step)

    @rule(who=players, to=st.integers(0, 900))
    def acts_wrongly(self, who: int, to: int) -> None:
        client = self.clients[who]
        if client.turn is not None:
            turn = client.turn.turn
            self._do(lambda: client.act(Verb.BET, to, turn=turn))
            self._do(lambda: client.act(Verb.CALL, turn=turn))
            self._do(lambda: client.act(Verb.CALL, turn=turn))

    @rule(who=players, data=st.sampled_from(RUBBISH) | st.binary(max_size=30))
    def sends_rubbish(self, who: int, data: bytes) -> None:
        self._do(lambda: self.clients[who].connection.receive(data))

    @rule(who=players)
    def is_cut(self, who: int) -> None:
        self._do(self.clients[who].cut)

    @rule(who=players)
    def connects(self, who: int) -> None:
        self._do(self.clients[who].connect)

    @rule(seconds=st.sampled_from([0.5, 19, 25, 60, 400]))
    def time_passes(self, seconds: float) -> None:
        self.clock.now += seconds
        for task in list(self.house.tasks.values()):
            task.post(task.play.tick)
        self._settle()

    @rule()
    def somebody_watches(self) -> None:
        for task in list(self.house.tasks.values()):
            for table in task.play.tables:
                name = task.play.table_name(table)
                self._in_loop(lambda name=name: self.rail.send(Watch(table=name)))
        self._settle()

    @rule()
    def asks_for_a_snapshot(self) -> None:
        for client in self.clients:
            for name in list(client.hands):
                self._in_loop(lambda c=client, n=name: c.send(AskSnapshot(table=n)))
        self._settle()

    @rule()
    def the_server_restarts(self) -> None:
        self.loop.run_until_complete(self.house.stop())
        self._open()
        for client in (*self.clients, self.rail):
            client.house = self.house
            self._in_loop(client.connect)
        self._settle()

    @precondition(lambda self: bool(self.clients))
    @invariant()
    def the_chips_add_up(self) -> None:
        for task in list(self.house.tasks.values()):
            play = task.play
            at_stake = {p: s for hand in play.hands.values() for p, s in _in_hand(hand)}
            if isinstance(play, TournamentPlay) and play.stage:
                stacks = [at_stake.get(p, stack) for p, stack in enumerate(play.stacks)]
                pots = sum(hand.moment.state.pot for hand in play.hands.values())
                assert sum(stacks) + pots == 400 * len(play.players)
            elif isinstance(play, RingPlay):
                for number, session in play.sessions.items():
                    assert session.stack >= 0
                    assert at_stake.get(number, 0) >= 0

    @precondition(lambda self: bool(self.clients))
    @invariant()
    def every_viewer_has_the_fold_of_what_it_may_see(self) -> None:
        for client in self.clients:
            account = self.house.accounts.get(client.identity.name)
            task = None if account is None else account.task
            if account is None or account.connection is not client.connection or task is None:
                continue
            self._same(task, client, client.identity.name)
        for name in self.rail.hands:
            found = self.house.tasks.get(name.rpartition("-")[0]) or self.house.tasks.get(name)
            if found is not None and self.house.accounts["rail"].watching.get(name):
                self._same(found, self.rail, None)

    def _same(self, task: GameTask, client: Player, viewer: str | None) -> None:
        for table in task.play.tables:
            name = task.play.table_name(table)
            number = task.number_of(client.identity.name)
            if viewer is not None and number not in task.play.players_at(table):
                continue
            if viewer is None and name not in client.hands:
                continue
            snapshot = told(task.play.table_moment(table), viewer)
            assert isinstance(snapshot, Snapshot)
            assert client.hands.get(name) == snapshot.hand, (name, viewer)
            if viewer is not None:
                mine = None if snapshot.turn is None else snapshot.turn.turn
                assert mine is None or client.turn is None or client.turn.turn == mine

    @precondition(lambda self: bool(self.clients))
    @invariant()
    def the_journal_folds_to_the_game(self) -> None:
        for task in list(self.house.tasks.values()):
            opened, *records = read_journal(task.journal.path)
            assert isinstance(opened, Opened)
            play = play_of(opened)
            play.read(records)
            for table, hand in task.play.hands.items():
                again = play.hands[table]
                assert again.moment.state == hand.moment.state
                assert again.turn == hand.turn
                assert again.moment.history == hand.moment.history
            assert len(play.hands) == len(task.play.hands)
            assert [p.presence for p in play.players] == [p.presence for p in task.play.players]

    @precondition(lambda self: bool(self.clients))
    @invariant()
    def the_lobby_is_what_it_would_be_if_made_anew(self) -> None:
        fresh = Listing(self.house.queues, self.house.tasks, self.house.house_players)
        assert self.house.lobby.body() == fresh.body() == body_of(self.house.lobby.message())

    def teardown(self) -> None:
        if self.clients:
            self.loop.run_until_complete(self.house.stop())
            for client in self.clients:
                lines = [json.loads(x) for x in b"".join(client.stream).splitlines()]
                assert all("seq" in line for line in lines)
        self.patch.undo()
        self.loop.close()
        shutil.rmtree(self.folder)


def _identity(number: int) -> Identity:
    return Identity(f"bot{number}", PlayerKind.BOT, "1", f"owner{number}")


def _in_hand(hand: Any) -> list[tuple[int, int]]:
    return list(zip(hand.players, hand.moment.state.stacks, strict=True))


TestTableMachine = pytest.mark.slow(TableMachine.TestCase)
TestTableMachine.settings = settings(max_examples=15, stateful_step_count=25)
