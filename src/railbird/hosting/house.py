"""The house: accounts, queues, tables, and the way from one to the other."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from railbird.errors import BadInput, RailbirdError
from railbird.hosting.connection import Connection
from railbird.hosting.formats import RingFormat, TournamentFormat
from railbird.hosting.game_task import GameTask
from railbird.hosting.games.house_players import HousePlayers, vexbots_in, why_off_tree
from railbird.hosting.games.house_seats import PREFIX, Threads
from railbird.hosting.games.outlet import Time
from railbird.hosting.games.ring_play import Refused, RingPlay
from railbird.hosting.games.tournament_play import TournamentPlay
from railbird.hosting.interfaces import Offence, Results, Winnings
from railbird.hosting.journal import Journal
from railbird.hosting.lobby.account import Account, entrant_of
from railbird.hosting.lobby.listing import Listing
from railbird.hosting.lobby.queue import Queue
from railbird.hosting.lobby.queues import Queues
from railbird.hosting.lobby.seats import act, change_seat, take_seat
from railbird.hosting.lobby.watching import Watching
from railbird.hosting.openings import Openings, person_among, practice_rules
from railbird.hosting.outbox import Outbox
from railbird.hosting.settings import DEEPEST, HOUSE_THREADS, MOST_VEXBOTS
from railbird.protocol import ErrorCode, Identity, Input, PlayState
from railbird.protocol.messages.client import (
    ActMessage,
    AskLobby,
    BuyChips,
    EnterQueue,
    GameRequest,
    LeaveQueue,
    Practise,
    Sit,
    SitIn,
    SitOut,
    StandUp,
)
from railbird.protocol.session.transitions import GAME_TRANSITIONS, Change

_LOG = logging.getLogger(__name__)

VISITOR = "visitor:"
"""Beginning of the names under which tables are watched without an account."""


class House:
    """All games of one process. Create it and call it in one event loop; it owns no socket.

    A connection tells it who comes and what they send (`railbird.hosting.connection.Listener`).
    """

    def __init__(
        self,
        folder: Path,
        *,
        tournaments: Sequence[TournamentFormat],
        rings: Sequence[RingFormat] = (),
        results: Results,
        winnings: Winnings | None = None,
        when: Time | None = None,
        arrived: Callable[[str, int], object] = lambda name, at: None,
        pace: float = 1.0,
        house_players: HousePlayers | None = None,
    ) -> None:
        self.house_players = house_players or HousePlayers()
        self.pace = pace
        """Factor of the pauses between hands where people play; 0 for none."""
        self.when = when or Time()
        self._arrived = arrived
        self.accounts: dict[str, Account] = {}
        self._waiting = Queues(tournaments, self.when, self.accounts, self._start, self._spawn)
        self.queues = self._waiting.by_name
        self.rings = {form.name: form for form in rings}
        if len({*self.queues, *self.rings}) < len(tournaments) + len(rings):
            raise BadInput("two formats of one name; allowed: a name for each")
        self.tasks: dict[str, GameTask] = {}
        self.lobby = Listing(self.queues, self.tasks, self.house_players)
        self._watching = Watching(self.tasks)
        self.outbox = Outbox(results)
        self.is_draining = False
        self.offences: Counter[tuple[str, str]] = Counter()
        """By account and kind, across connections."""
        self._winnings = winnings
        self._vexbots: Counter[str] = Counter()
        """By practice table that is open, from the moment on at which it is asked for."""
        self._threads = Threads(HOUSE_THREADS)
        self._openings = Openings(folder, self.when)
        self._running: set[asyncio.Task[None]] = set()

    # Start and end.

    async def start(self) -> None:
        """Play on what the journals have, open the ring tables, and take scheduled starts up.

        Raises `RailbirdError` for a folder that another process uses or that cannot be used.
        """
        self._openings.lock()
        self._spawn(self.outbox.run())
        for play, journal in self._openings.resumed():
            if play.closed is not None:
                journal.close()
                self._settle(play)
                continue
            task = self._add(play, journal)
            if play.opened.format in self.queues:
                self.queues[play.opened.format].running += 1
            for player in play.players:
                if not player.entrant.spec and task.number_of(player.entrant.name) is not None:
                    account = self._account(player.identity)
                    is_ring = isinstance(play, RingPlay)
                    account.state = PlayState.RING if is_ring else PlayState.TOURNAMENT
                    account.task = task
            task.start(play.resume)
        for name in self.rings:
            if not any(self._is_of(task, name) for task in self.tasks.values()):
                self._open_ring(name)
        for queue in self.queues.values():
            self._waiting.arm(queue)

    async def stop(self, text: str = "the server restarts; come back") -> None:
        """Park every game, tell everybody, and stop; the journals have everything that counts."""
        self.drain()
        self._waiting.stop()
        await asyncio.gather(*(task.stop() for task in list(self.tasks.values())))
        for account in list(self.accounts.values()):
            if account.connection is not None:
                account.connection.happens(Input.RESTART, text)
        for running in self._running:
            running.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._threads.close()
        self._openings.unlock()

    def drain(self) -> None:
        """Start nothing new; games in play go on."""
        self.is_draining = self._waiting.is_closed = True

    # Connections.

    def arrive(self, connection: Connection) -> None:
        """An account has logged in; its newest connection takes over."""
        account = self._account(connection.identity)
        before, account.connection = account.connection, connection
        account.arrived_at = self.when.unix_ms()
        if not connection.name.startswith(VISITOR):
            self._arrived(connection.name, account.arrived_at)
        if before is not None:
            self._watching.end(account)
            before.happens(Input.TAKEN_OVER, "this account has logged in elsewhere")
        if account.task is not None:
            number = account.task.number_of(connection.name)
            if number is not None:
                account.task.post(partial(account.task.came, number))
        elif account.queue:
            self._waiting.tell(self.queues[account.queue])

    def taken_over(self, name: str, at: int) -> None:
        """An account has logged in at another server, which takes over from earlier log-ins."""
        account = self.accounts.get(name)
        if account is not None and account.connection is not None and account.arrived_at < at:
            text = "this account has logged in at another server"
            account.connection.happens(Input.TAKEN_OVER, text)

    def leave(self, connection: Connection) -> None:
        """The connection of an account is gone."""
        account = self.accounts.get(connection.name)
        if account is None or account.connection is not connection:
            return
        account.connection = None
        account.again = ""
        self._watching.end(account)
        if account.state is PlayState.QUEUED:
            self._waiting.leave(account)
        if account.task is not None:
            number = account.task.number_of(connection.name)
            if number is not None:
                account.task.post(partial(account.task.went, number))
        self._forget(account)

    def deliver(self, connection: Connection, message: GameRequest) -> None:
        """Do what a client asks, or refuse it."""
        account = self.accounts.get(connection.name)
        if account is None or account.connection is not connection:
            return
        to = GAME_TRANSITIONS[account.state, message.type]
        if isinstance(to, ErrorCode):
            words = f"{message.type}: {to.value.replace('_', ' ')} ({account.state.value})"
            connection.refuse(to, words)
            return
        try:
            self._do(account, connection, message)
        except Refused as problem:
            connection.refuse(problem.code, str(problem))

    def offended(self, connection: Connection, what: Offence) -> None:
        """Count what an account did, whatever its connection."""
        self._count_offence(connection.name, what.value)

    def caught_up(self, connection: Connection, tables: frozenset[str]) -> None:
        """A spectator was behind, and gets fresh snapshots."""
        account = self.accounts.get(connection.name)
        if account is not None:
            self._watching.caught_up(account, connection, tables)

    def _do(self, account: Account, connection: Connection, message: GameRequest) -> None:
        match message:
            case ActMessage():
                act(_task_of(account), connection, message, self._count_offence)
            case AskLobby():
                connection.send(self.lobby.body())
            case EnterQueue(queue=name, again=again):
                self._waiting.enter(account, name, again=again)
            case LeaveQueue():
                self._waiting.leave(account)
            case Sit() | Practise():
                self._sit_down(account, message)
            case BuyChips() | SitOut() | SitIn() | StandUp():
                change_seat(_task_of(account), connection, message)
            case _:
                self._watching.look(account, connection, message)

    # Playing.

    def _sit_down(self, account: Account, message: Sit | Practise) -> None:
        if self.is_draining:
            raise Refused(ErrorCode.DRAINING, "the server is about to restart")
        if isinstance(message, Practise):
            self._practise(account, message)
            return
        task = self.tasks.get(message.table)
        if task is None or not isinstance(task.play, RingPlay) or task.play.opened.kind != "ring":
            raise Refused(ErrorCode.NO_SUCH_TABLE, f"no ring table {message.table!r}")
        self._spawn(self._sit(account, task, task.play, message.buy_in))
        self._place(account, "sit", task)

    async def _sit(self, account: Account, task: GameTask, play: RingPlay, chips: int) -> None:
        """Seat an account once its winnings are known."""
        name = account.identity.name
        try:
            if play.form.opened_by is not None:
                game, least = play.form.opened_by
                won = {} if self._winnings is None else await self._winnings.won(name)
                if won.get(game, 0) < least:
                    words = f"{least} chips won at {game} open this table"
                    raise Refused(ErrorCode.STAKES_LOCKED, f"{words}; you have {won.get(game, 0)}")
        except RailbirdError as problem:
            code = problem.code if isinstance(problem, Refused) else ErrorCode.BUSY
            self._unseat(account, task, code, str(problem))
            return

        def join() -> None:
            try:
                take_seat(task, play, account, chips)
            except Refused as problem:
                self._unseat(account, task, problem.code, str(problem))
            else:
                self._seat_house(play)
                play.advance()

        task.post(join)

    def _seat_house(self, play: RingPlay) -> None:
        """Let the house players of a ring table sit down, once somebody else sits there."""
        seated = [play.players[number].entrant for number in play.sessions]
        if any(entrant.spec for entrant in seated):
            return
        names = [entrant.name for entrant in seated]
        for entrant in self._openings.house_entrants(play.form.house, names):
            play.join(entrant, play.form.buy_ins[1])

    def _unseat(self, account: Account, task: GameTask, code: ErrorCode, text: str) -> None:
        """Take a place back that never became a seat."""
        if account.task is not task:
            return
        self._free(account, Change.UP)
        if account.connection is None:
            self._forget(account)
        else:
            account.connection.refuse(code, text)

    def _practise(self, account: Account, message: Practise) -> None:
        try:
            specs = [self.house_players.spec_of(name) for name in message.opponents]
        except BadInput as problem:
            raise Refused(ErrorCode.NO_SUCH_PLAYER, str(problem)) from None
        if not message.big_blind <= message.stack <= DEEPEST * message.big_blind:
            words = f"a stack of {message.stack} with a big blind of {message.big_blind}"
            raise Refused(ErrorCode.BUY_IN, f"{words}; allowed: 1 to {DEEPEST} big blinds")
        self._check_tree_players(message, specs)
        play, journal, house = self._openings.practice(message, specs)
        task = self._add(play, journal)
        self._vexbots[play.id] = sum(map(vexbots_in, specs))
        self._place(account, "practise", task)

        def begin() -> None:
            take_seat(task, play, account, message.stack)
            for entrant in house:
                play.join(entrant, message.stack)
            play.advance()

        task.start(begin)

    def _check_tree_players(self, message: Practise, specs: Sequence[str]) -> None:
        """Refuse players where they cannot play, and more Vexbots than there is room for."""
        rules = practice_rules(message)
        for spec in specs:
            if why := why_off_tree(spec, rules, top_up=message.top_up):
                raise Refused(ErrorCode.NO_SUCH_PLAYER, why)
        if more := sum(map(vexbots_in, specs)):
            playing = self._vexbots.total()
            if playing + more > MOST_VEXBOTS:
                words = f"{playing} Vexbots play here now, of {MOST_VEXBOTS} at most"
                raise Refused(ErrorCode.BUSY, f"{words}; try again later")

    def _start(
        self, queue: Queue, players: list[Identity], house: Sequence[tuple[str, str]] = ()
    ) -> None:
        entrants = [entrant_of(identity) for identity in players]
        entrants += [self._openings.house_entrant(name, spec) for name, spec in house]
        play, journal = self._openings.tournament(queue.form, entrants)
        task = self._add(play, journal)
        for identity in players:
            account = self.accounts[identity.name]
            account.queue = ""
            account.state, account.task = PlayState.TOURNAMENT, task
        queue.running += 1
        self._waiting.tell(queue)

        def begin() -> None:
            for number in range(len(players)):
                task.follow(number)
            play.advance()

        task.start(begin)

    # Games, as they tell the house.

    def connection_of(self, name: str) -> Connection | None:
        """Return the connection of an account; None while it has none."""
        account = self.accounts.get(name)
        return None if account is None else account.connection

    def freed(self, task: GameTask, name: str) -> None:
        """An account has left a game; it waits again if it wanted to."""
        account = self.accounts.get(name)
        if account is None or account.task is not task:
            return
        is_ring = account.state is PlayState.RING
        again = account.again
        self._free(account, Change.UP if is_ring else Change.OUT)
        if again and account.connection is not None and not self.is_draining:
            asyncio.get_running_loop().call_soon(self._queue_again, account, again)
        else:
            self._forget(account)

    def _queue_again(self, account: Account, name: str) -> None:
        if account.state is PlayState.LOBBY and account.connection is not None:
            try:
                self._waiting.enter(account, name, again=True)
            except Refused as problem:
                account.connection.refuse(problem.code, str(problem))

    def timed_out(self, name: str) -> None:
        """Count an action that did not come in time."""
        self._count_offence(name, Offence.TIME_OUT.value)

    def over(self, task: GameTask) -> None:
        """A game is over; its results go out."""
        self.tasks.pop(task.play.id, None)
        self._vexbots.pop(task.play.id, None)
        self._watching.over(task, self.accounts)
        for account in list(self.accounts.values()):
            if account.task is task and account.state is PlayState.RING:
                text = f"{task.play.id} has closed"  # while a chair was asked for
                self._unseat(account, task, ErrorCode.NO_SUCH_TABLE, text)
        if isinstance(task.play, TournamentPlay) and task.play.form.name in self.queues:
            self.queues[task.play.form.name].running -= 1
        self._settle(task.play)
        play = task.play
        is_ring = isinstance(play, RingPlay) and play.opened.kind == "ring"
        if is_ring and play.opened.format in self.rings and not self.is_draining:
            self._open_ring(play.opened.format)

    def _settle(self, play: TournamentPlay | RingPlay | object) -> None:
        """Send the results of a finished game to the database, then put its journal away."""
        match play:
            case TournamentPlay():
                journal = self._openings.file_name(play.id)
                self.outbox.add(play.outcome(journal), partial(self._openings.put_away, play.id))
            case RingPlay() if play.opened.kind == "ring":
                last = len(play.ended) - 1
                for place, outcome in enumerate(play.ended):
                    put_away = partial(self._openings.put_away, play.id)
                    self.outbox.add(outcome, put_away if place == last else lambda: None)
                if not play.ended:
                    self._openings.put_away(play.id)
            case RingPlay():
                played = play.is_kept and play.hands_begun.total() > 0
                person = person_among(player.entrant for player in play.players)
                self._openings.put_practice_away(play.id, person if played else None)

    def is_public(self, table: str) -> bool:
        """Return whether there is a table of this name that everybody may watch."""
        task = self._watching.task_of(table)
        if task is None or task.table_number(table) is None:
            return False
        return task.play.opened.kind != "practice"

    @property
    def in_play(self) -> int:
        """Games with players: a ring table at which nobody sits is none."""
        return sum(1 for task in self.tasks.values() if task.play.still_in)

    def journal_of(self, game: str) -> Path | None:
        """Return the journal of a game, in play or over, for its proceedings; None if none."""
        return self._openings.find(game)

    def practice_of(self, name: str) -> list[tuple[str, datetime]]:
        """Return the practice tables that are kept of an account, with their ends, latest first."""
        return self._openings.practice_of(name)

    def forget_practice(self, name: str) -> None:
        """Delete what is kept of an account's practice tables, one that is still open included."""
        account = self.accounts.get(name)
        play = None if account is None or account.task is None else account.task.play
        if isinstance(play, RingPlay):
            play.is_kept = False
        self._openings.forget_practice(name)

    # Accounts.

    def _account(self, identity: Identity) -> Account:
        if identity.name.startswith(PREFIX):
            raise BadInput(f"name {identity.name!r}: that is how house players are called")
        account = self.accounts.get(identity.name)
        if account is None:
            account = self.accounts[identity.name] = Account(identity)
        elif account.task is None:
            account.identity = identity
        return account

    def _forget(self, account: Account) -> None:
        if account.connection is None and account.state is PlayState.LOBBY:
            self.accounts.pop(account.identity.name, None)

    def _count_offence(self, name: str, code: str) -> None:
        self.offences[name, code] += 1

    def _place(self, account: Account, kind: str, task: GameTask) -> None:
        to = GAME_TRANSITIONS[account.state, kind]
        assert isinstance(to, PlayState)
        account.state, account.task = to, task

    def _free(self, account: Account, change: Change) -> None:
        to = GAME_TRANSITIONS[account.state, change.value]
        assert isinstance(to, PlayState)
        account.state, account.task = to, None

    def _add(self, play: TournamentPlay | RingPlay, journal: Journal) -> GameTask:
        play.pace = self.pace
        task = GameTask(play, journal, self, self._threads.one())
        self.tasks[play.id] = task
        return task

    def _open_ring(self, name: str) -> None:
        play, journal = self._openings.ring(self.rings[name])
        self._add(play, journal).start(lambda: None)

    def _is_of(self, task: GameTask, name: str) -> bool:
        return isinstance(task.play, RingPlay) and task.play.form.name == name

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)


def _task_of(account: Account) -> GameTask:
    """Return the game of an account whose state says that it has one."""
    assert account.task is not None
    return account.task
