"""The house: accounts, queues and tables, and the way between them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from railbird.errors import BadInput, DamagedFile, RailbirdError, WriteFailed
from railbird.hosting.connection import Connection
from railbird.hosting.formats import RingFormat, TournamentFormat
from railbird.hosting.game_task import GameTask
from railbird.hosting.house_seats import (
    PREFIX,
    HousePlayers,
    vexbots_in,
    why_off_tree,
    why_other_game,
)
from railbird.hosting.house_workers import HouseWorkers
from railbird.hosting.interfaces import (
    Offence,
    Outcome,
    Results,
    SessionOutcome,
    Unavailable,
    Winnings,
)
from railbird.hosting.journal import Journal
from railbird.hosting.lobby import (
    ConnectedAccount,
    Listing,
    Queue,
    Queues,
    Watching,
    act_in_turn,
    change_seat,
    entrant_of,
    show_or_share,
    take_seat,
)
from railbird.hosting.openings import Openings, person_among, practice_rules
from railbird.hosting.play import HostedPlay, Time
from railbird.hosting.ring_play import Refused, RingPlay
from railbird.hosting.ring_room import RingRoom
from railbird.hosting.settings import AGAIN_SECONDS, DEEPEST, MOST_VEXBOTS
from railbird.hosting.supervisor import Supervisor, Well, until_set
from railbird.hosting.tournament_play import TournamentPlay
from railbird.protocol import ErrorCode, Identity, Input, PlayState
from railbird.protocol.identity import account_name
from railbird.protocol.messages import (
    ActMessage,
    AskLobby,
    AskSnapshot,
    BuyChips,
    EnterQueue,
    GameRequest,
    LeaveQueue,
    Practise,
    RunTwice,
    SeedShare,
    ShowCards,
    Sit,
    SitIn,
    SitOut,
    StandUp,
    Unwatch,
    Watch,
)
from railbird.protocol.session import GAME_TRANSITIONS, Change

# Results on their way to the database, which may be away for a while.


class Outbox:
    """Offers the outcomes of games to the database, one after the other, until each is kept.

    Nothing is lost while the database is away, nor when the process ends: the journals have it,
    and results are offered again at the next start. `Results.record` keeps each only once.
    """

    def __init__(self, results: Results) -> None:
        self._results = results
        self._waiting: deque[tuple[Outcome, Callable[[], object]]] = deque()
        self._has_some = asyncio.Event()
        self._is_empty = asyncio.Event()
        self._is_empty.set()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, outcome: Outcome, kept: Callable[[], object]) -> None:
        """Add an outcome; ``kept`` is called once it is kept."""
        self._waiting.append((outcome, kept))
        self._is_empty.clear()
        self._has_some.set()

    async def run(self, well: Well) -> None:
        """Offer outcomes until cancelled.

        Raises the error that stops it: then call it again. An outcome that is refused for itself
        waits behind the others, which do not wait for it.
        """
        while True:
            while self._waiting:
                outcome, on_kept = self._waiting[0]
                try:
                    await self._results.record(outcome)
                except Unavailable:
                    raise
                except Exception:
                    self._waiting.rotate(-1)
                    raise
                self._waiting.popleft()
                well()
                on_kept()
            self._has_some.clear()
            self._is_empty.set()
            await until_set(self._has_some, well)

    async def flushed(self) -> None:
        """Wait until every outcome has been kept."""
        await self._is_empty.wait()


# The house ties together what is elsewhere: connections (`connection`), queues and what is watched
# (`lobby`), files (`openings`), results (`Outbox`), and for each game a `GameTask`, which alone
# calls the game's `Play`. It runs in one event loop, and its methods do not wait, so nobody else
# sees an account half-way between two places. Whatever does wait has to expect that the account has
# gone elsewhere meanwhile: `_sit` and `_unseat` look again whether it still has the task that it
# had.
#
# An account is in one place at a time, and `GAME_TRANSITIONS` of `railbird.protocol.session` is the
# only table of what leads where. A place is taken at once, even if the seat comes later: who sits
# down is `RING` from the request on, while the winnings are looked up, so that a second request is
# refused.
#
# The order of steps is what a crash or a full disk would find. A journal is opened before anybody
# leaves a queue (`_start`), results are offered to the database before the journal is put away
# (`_settle`), and both are done again at the next start. What the disk hinders is not an error of
# whoever triggered it: `_now_or_later` notes it, and one background task (`_catch_up`) tries
# everything again, each thing whether or not another failed. A game whose journal cannot be written
# is parked: its players keep their seats and are told so, and `_unpark` replaces the task by one
# that goes on from the journal.
#
# Who would notice: tests/hosting/test_house.py (places, absence, take-over, results),
# tests/hosting/test_disk_and_database_faults.py, tests/hosting/test_table_machine.py with random
# clients, and tests/hosting/test_kill.py, which kills the server at random moments.


_LOG = logging.getLogger(__name__)

_NOT_OPENED = "the server cannot write the table's journal now; try again later"

VISITOR = "visitor:"
"""Beginning of the names under which tables are watched without an account."""


class House:
    """All games of one process. Create it and call it in one event loop; it owns no socket.

    Connections report log-ins and messages to it (`railbird.hosting.connection.Listener`).
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
        supervisor: Supervisor | None = None,
        house_processes: int = 0,
    ) -> None:
        self.supervisor = supervisor or Supervisor()
        self.house_players = house_players or HousePlayers()
        self.pace = pace
        """Factor of the pauses between hands where people play; 0 for none."""
        self.when = when or Time()
        self._arrived = arrived
        self.accounts: dict[str, ConnectedAccount] = {}
        self._waiting = Queues(
            tournaments, self.when, self.accounts, self._start, self._is_behind, self.supervisor
        )
        self.queues = self._waiting.by_name
        self.rings = {form.name: form for form in rings}
        if len({*self.queues, *self.rings}) < len(tournaments) + len(rings):
            raise BadInput("two formats of one name; allowed: a name for each")
        self.tasks: dict[str, GameTask] = {}
        self.room = RingRoom(
            self.rings, self.tasks, self.accounts, self._open_ring, self._give_chair
        )
        self.lobby = Listing(self.queues, self.tasks, self.house_players)
        self._watching = Watching(self.tasks)
        self.outbox = Outbox(results)
        self.is_draining = False
        self.offences: Counter[tuple[str, str]] = Counter()
        """By account and kind, across connections."""
        self._winnings = winnings
        self._vexbots: Counter[str] = Counter()
        """By practice table that is open, from the moment on at which it is asked for."""
        self.house_workers = HouseWorkers(house_processes, self.supervisor)
        self._openings = Openings(folder, self.when)
        self._adopted: dict[str, str] = {}
        """Accounts that get the hands of tables at which guests still sit, by guest."""
        self._unfiled: set[str] = set()
        """Games that are over and whose journals are still to be put away."""
        self._has_more = asyncio.Event()
        """Set once there is something to catch up on."""
        self._catching_up: asyncio.Task[None] | None = None

    # Start and end.

    async def start(self) -> None:
        """Play on what the journals have, open the ring tables, and take scheduled starts up.

        Raises `RailbirdError` for a folder that another process uses or that cannot be used.
        """
        self._openings.lock()
        self.supervisor.keep("results", self.outbox.run, has_beat=True)
        for play, journal in self._openings.resumed():
            self._offer_sessions(play)
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
        self._now_or_later(self._open_rings)
        for queue in self.queues.values():
            self._waiting.arm(queue)
        self._catching_up = self.supervisor.keep("journals", self._catch_up, has_beat=True)

    async def stop(self, text: str = "the server restarts; come back", *, but: str = "") -> None:
        """Park every game, tell everybody, and stop; the journals have everything that counts.

        Background tasks of the name ``but`` go on: they are not the house's.
        """
        self.drain()
        self._waiting.stop()
        if self._catching_up is not None:
            self._catching_up.cancel()
            await asyncio.wait([self._catching_up])
        await asyncio.gather(*(task.stop() for task in list(self.tasks.values())))
        for account in list(self.accounts.values()):
            if account.connection is not None:
                account.connection.happens(Input.RESTART, text)
        await self.house_workers.stop()
        await self.supervisor.stop(but=but)
        self._openings.unlock()

    def drain(self) -> None:
        """Start nothing new; games in play go on."""
        self.is_draining = self._waiting.is_closed = True

    # A disk that is full, or fails for a while.

    def _now_or_later(self, act: Callable[[], object]) -> None:
        """Do what needs the disk; `_catch_up` does it again where that fails."""
        try:
            act()
        except (RailbirdError, OSError) as problem:
            self._is_behind(problem)

    def _is_behind(self, problem: Exception) -> None:
        self.supervisor.failed("journals", problem)
        self._has_more.set()

    async def _catch_up(self, well: Well) -> None:
        """Do what the disk has hindered, whenever there is something, until cancelled.

        Raises the first thing that still hinders it, after it has done all that it could.
        """
        while True:
            self._has_more.clear()
            problems: list[Exception] = []
            acts: tuple[Callable[[], Awaitable[None] | None], ...] = (
                self._file_away,
                self._unpark,
                self._open_rings,
                self._waiting.try_again,
            )
            for attempt in acts:
                try:
                    if (going_on := attempt()) is not None:
                        await going_on
                except (RailbirdError, OSError) as problem:
                    problems.append(problem)
            if problems:
                raise problems[0]
            well()
            await until_set(self._has_more, well)
            await asyncio.sleep(AGAIN_SECONDS)  # a disk that takes one line and refuses the next

    def _put_away(self, game: str) -> None:
        self._unfiled.add(game)
        self._now_or_later(self._file_away)

    def _file_away(self) -> None:
        for game in list(self._unfiled):
            self._openings.put_away(game)
            self._unfiled.discard(game)

    async def _unpark(self) -> None:
        for task in [
            parked for parked in self.tasks.values() if parked.is_parked and parked.can_go_on
        ]:
            try:
                play, journal = await asyncio.to_thread(self._openings.again, task.play)
            except DamagedFile as problem:
                self._openings.set_aside(task.play.id, problem)
                task.dismiss()
                self._dismiss(task)
                continue
            self._offer_sessions(play)
            self._go_on(task, self._add(play, journal))

    def _go_on(self, former: GameTask, task: GameTask) -> None:
        """Let a game go on in a new task, for everybody who was in the one before."""
        self._watching.move(former, task, self.accounts)
        task.start(task.play.resume)
        for account in self.accounts.values():
            if account.task is former:
                account.task = task
                number = task.number_of(account.identity.name)
                if account.connection is not None and number is not None:
                    task.post(partial(task.came, number))

    def parked(self, task: GameTask) -> None:
        """The journal of a game cannot be written; its players keep their seats."""
        self._refuse_chairs(task, ErrorCode.BUSY, _NOT_OPENED)
        self._has_more.set()

    def _refuse_chairs(self, task: GameTask, code: ErrorCode, text: str) -> None:
        """Free those who have asked for a chair of a ring table that has none any more."""
        for account in list(self.accounts.values()):
            is_asking = account.task is task and account.state is PlayState.RING
            if is_asking and task.number_of(account.identity.name) is None:
                self._unseat(account, task, code, text)

    # Connections.

    def arrive(self, connection: Connection) -> None:
        """An account has logged in; its newest connection takes over."""
        account = self._account(connection.identity)
        if _belong_to_others(account.identity, connection.identity):
            text = "somebody else plays under this name, who had it before; wait until that is over"
            connection.happens(Input.BANNED, text)
            return
        previous, account.connection = account.connection, connection
        account.arrived_at = self.when.unix_ms()
        if not connection.name.startswith(VISITOR):
            self._arrived(connection.name, account.arrived_at)
        if previous is not None:
            self._watching.end(account)
            previous.happens(Input.TAKEN_OVER, "this account has logged in elsewhere")
        if account.task is not None:
            number = account.task.number_of(connection.name)
            if number is not None and account.task.is_parked:
                account.task.came(number)
            elif number is not None:
                account.task.post(partial(account.task.came, number))
        elif account.queue in self.rings:
            self.room.tell(account)
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
            self._wait_no_longer(account)
        if account.task is not None:
            number = account.task.number_of(connection.name)
            if number is not None:
                account.task.post(partial(account.task.went, number))
        self._forget(account)

    def deliver(self, connection: Connection, message: GameRequest) -> None:
        """Carry out a client's request, or refuse it."""
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
        """Count an account's offence, whatever its connection."""
        self._count_offence(connection.name, what.value)

    def caught_up(self, connection: Connection, tables: frozenset[str]) -> None:
        """A spectator was behind, and gets fresh snapshots."""
        account = self.accounts.get(connection.name)
        if account is not None:
            self._watching.caught_up(account, connection, tables)

    def _do(self, account: ConnectedAccount, connection: Connection, message: GameRequest) -> None:
        match message:
            case ActMessage():
                act_in_turn(_task_of(account), connection, message, self._count_offence)
            case AskLobby():
                connection.send(self.lobby.body())
            case EnterQueue(queue=name, again=again):
                self._waiting.enter(account, name, again=again)
            case LeaveQueue():
                self._wait_no_longer(account)
            case Sit() | Practise():
                self._sit_down(account, message)
            case ShowCards() | SeedShare():
                show_or_share(_task_of(account), connection, message)
            case BuyChips() | SitOut() | SitIn() | StandUp() | RunTwice():
                change_seat(_task_of(account), connection, message)
            case Watch() | Unwatch() | AskSnapshot():
                self._watching.look(account, connection, message)

    def _wait_no_longer(self, account: ConnectedAccount) -> None:
        if self.room.wait_no_longer(account):
            account.state, account.queue = PlayState.LOBBY, ""
        else:
            self._waiting.leave(account)

    # Playing.

    def _sit_down(self, account: ConnectedAccount, message: Sit | Practise) -> None:
        if self.is_draining:
            raise Refused(ErrorCode.DRAINING, "the server is about to restart")
        if isinstance(message, Practise):
            self._practise(account, message)
            return
        game = self.room.game_of(message.table)
        task = self.tasks.get(message.table)
        if task is not None:
            _refuse_if_parked(task)
        if task is None or not self.room.has_chair(task):
            task = self.room.find(game, account.identity)
        if task is not None:
            self._place(account, "sit", task)
            self._begin_to_sit(account, task, message)
        else:
            account.state, account.queue = PlayState.QUEUED, game
            self.room.wait(account, game, message)
            self._now_or_later(self._open_rings)

    def _give_chair(self, account: ConnectedAccount, task: GameTask, message: Sit) -> None:
        """Seat an account that has waited for a chair."""
        account.queue = ""
        self._place(account, Change.CHAIR.value, task)
        self._begin_to_sit(account, task, message)

    def _begin_to_sit(self, account: ConnectedAccount, task: GameTask, message: Sit) -> None:
        assert isinstance(task.play, RingPlay)
        self.supervisor.run("seats", self._sit(account, task, task.play, message))

    async def _sit(
        self, account: ConnectedAccount, task: GameTask, play: RingPlay, message: Sit
    ) -> None:
        """Seat an account once its winnings are known."""
        name = account.identity.name
        try:
            if play.form.opened_by is not None:
                game, least = play.form.opened_by
                won = {} if self._winnings is None else await self._winnings.won(account_name(name))
                if won.get(game, 0) < least:
                    words = f"{least} chips won at {game} open this table"
                    raise Refused(ErrorCode.STAKES_LOCKED, f"{words}; you have {won.get(game, 0)}")
        except RailbirdError as problem:
            code = problem.code if isinstance(problem, Refused) else ErrorCode.BUSY
            self._unseat(account, task, code, str(problem))
            return

        def join() -> None:
            least = self.room.least(play.form.name, name, self.when.unix_ms())
            try:
                take_seat(task, play, account, message.buy_in, waits=message.waits, least=least)
            except Refused as problem:
                self._unseat(account, task, problem.code, str(problem))
            except WriteFailed:
                self._unseat(account, task, ErrorCode.BUSY, _NOT_OPENED)
                raise
            else:
                self._seat_house(play)
                play.advance()

        task.post(join)

    def open_private(self, form: RingFormat) -> str:
        """Open a ring table that only who knows its name finds; return the name.

        Raises `Refused` where nothing new starts, or its journal cannot be opened.
        """
        if self.is_draining:
            raise Refused(ErrorCode.DRAINING, "the server is about to restart")
        try:
            play, journal = self._openings.ring(form)
        except WriteFailed as problem:
            self.supervisor.failed("journals", problem)
            raise Refused(ErrorCode.BUSY, _NOT_OPENED) from None
        task = self._add(play, journal)
        task.start(lambda: None)
        return play.id

    def _seat_house(self, play: RingPlay) -> None:
        """Let the house players of a ring table sit down, once somebody else sits there."""
        seated = [play.players[number].entrant for number in play.sessions]
        if any(entrant.spec for entrant in seated):
            return
        names = [entrant.name for entrant in seated]
        for entrant in self._openings.house_entrants(play.form.house, names):
            play.join(entrant, play.form.buy_ins[1])

    def _unseat(
        self, account: ConnectedAccount, task: GameTask, code: ErrorCode, text: str
    ) -> None:
        """Take a place back that never became a seat."""
        if account.task is not task:
            return
        self._free(account, Change.UP)
        asyncio.get_running_loop().call_soon(self._now_or_later, self._open_rings)
        if account.connection is None:
            self._forget(account)
        else:
            account.connection.refuse(code, text)

    def _practise(self, account: ConnectedAccount, message: Practise) -> None:
        try:
            specs = [self.house_players.spec_of(name) for name in message.opponents]
        except BadInput as problem:
            raise Refused(ErrorCode.NO_SUCH_PLAYER, str(problem)) from None
        if not message.big_blind <= message.stack <= DEEPEST * message.big_blind:
            words = f"a stack of {message.stack} with a big blind of {message.big_blind}"
            raise Refused(ErrorCode.BUY_IN, f"{words}; allowed: 1 to {DEEPEST} big blinds")
        self._check_tree_players(message, specs)
        self.house_workers.prepare()
        try:
            play, journal, house = self._openings.practice(message, specs)
        except WriteFailed as problem:
            self.supervisor.failed("journals", problem)
            raise Refused(ErrorCode.BUSY, _NOT_OPENED) from None
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
        try:
            rules = practice_rules(message)
        except BadInput as problem:
            raise Refused(ErrorCode.UNEXPECTED, str(problem)) from None
        for spec in specs:
            if why := why_other_game(spec, rules) or why_off_tree(
                spec, rules, top_up=message.top_up
            ):
                raise Refused(ErrorCode.NO_SUCH_PLAYER, why)
        if more := sum(map(vexbots_in, specs)):
            playing = self._vexbots.total()
            if playing + more > MOST_VEXBOTS:
                words = f"{playing} Vexbots play here now, of {MOST_VEXBOTS} at most"
                raise Refused(ErrorCode.BUSY, f"{words}; try again later")

    def _start(
        self, queue: Queue, players: list[Identity], house: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Let those who wait play. Raises `WriteFailed`; then they wait as before."""
        entrants = [entrant_of(identity) for identity in players]
        entrants += [self._openings.house_entrant(name, spec) for name, spec in house]
        play, journal = self._openings.tournament(queue.form, entrants)  # before anybody leaves
        task = self._add(play, journal)
        for identity in players:
            queue.remove(identity.name)
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
        """An account has left a game; it re-enters a queue if it asked for that."""
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
        if is_ring and not self.is_draining:
            asyncio.get_running_loop().call_soon(self._now_or_later, self._open_rings)

    def _queue_again(self, account: ConnectedAccount, name: str) -> None:
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
        self._dismiss(task)
        self._settle(task.play)
        self._now_or_later(self._open_rings)

    def _dismiss(self, task: GameTask) -> None:
        """Remove a game that is over, or given up, from the house."""
        self.tasks.pop(task.play.id, None)
        self._vexbots.pop(task.play.id, None)
        self._watching.over(task, self.accounts)
        self._refuse_chairs(task, ErrorCode.NO_SUCH_TABLE, f"{task.play.id} has closed")
        if isinstance(task.play, TournamentPlay) and task.play.form.name in self.queues:
            self.queues[task.play.form.name].running -= 1

    def _settle(self, play: TournamentPlay | RingPlay | object) -> None:
        """Send the results of a finished game to the database, then put its journal away."""
        match play:
            case TournamentPlay():
                journal = self._openings.file_name(play.id)
                self.outbox.add(play.outcome(journal), partial(self._put_away, play.id))
            case RingPlay() if play.opened.kind == "ring":
                if not play.ended:
                    self._put_away(play.id)
            case RingPlay():
                played = play.is_kept and play.hands_begun.total() > 0
                person = person_among(player.entrant for player in play.players)
                keeper = None if person is None else self._adopted.pop(person, person)
                self._openings.put_practice_away(play.id, keeper if played else None)

    def session_over(self, play: HostedPlay, outcome: SessionOutcome) -> None:
        """Send a session's result to the database; the table's last also puts its journal away."""
        assert isinstance(play, RingPlay)
        self.room.has_left(outcome)

        def kept() -> None:
            play.ended.remove(outcome)
            if play.closed is not None and play.id not in self.tasks:
                self._settle(play)

        self.outbox.add(outcome, kept)

    def _offer_sessions(self, play: HostedPlay) -> None:
        """Offer what a journal has of sessions; those that are kept already stay as they are."""
        if isinstance(play, RingPlay):
            for outcome in play.ended:
                self.session_over(play, outcome)

    def is_public(self, table: str) -> bool:
        """Return whether a table of this name is open to spectators."""
        task = self._watching.task_of(table)
        if task is None or task.table_number(table) is None:
            return False
        return task.play.opened.kind != "practice"

    @property
    def in_play(self) -> int:
        """Number of games with players: a ring table at which nobody sits is none."""
        return sum(1 for task in self.tasks.values() if task.play.still_in)

    def journal_of(self, game: str) -> Path | None:
        """Return the journal of a game, in play or over, for its proceedings; None if none."""
        return self._openings.find(game)

    def practice_of(self, name: str) -> list[tuple[str, datetime]]:
        """Return the practice tables that are kept of an account, with their ends, latest first."""
        return self._openings.practice_of(name)

    def adopt_practice(self, guest: str, name: str) -> None:
        """Give the records of a guest's practice tables, an open one included, to an account."""
        account = self.accounts.get(guest)
        if account is not None and account.task is not None:
            self._adopted[guest] = name
        self._openings.adopt_practice(guest, name)

    def forget_practice(self, name: str) -> None:
        """Delete the records of an account's practice tables, one that is still open included."""
        account = self.accounts.get(name)
        play = None if account is None or account.task is None else account.task.play
        if isinstance(play, RingPlay):
            play.is_kept = False
        self._openings.forget_practice(name)

    # Accounts.

    def _account(self, identity: Identity) -> ConnectedAccount:
        if identity.name.startswith(PREFIX):
            raise BadInput(f"name {identity.name!r}: names like this are kept for house players")
        account = self.accounts.get(identity.name)
        if account is None:
            account = self.accounts[identity.name] = ConnectedAccount(identity)
        elif account.task is None:
            account.identity = identity
        return account

    def _forget(self, account: ConnectedAccount) -> None:
        if account.connection is None and account.state is PlayState.LOBBY:
            self.accounts.pop(account.identity.name, None)

    def _count_offence(self, name: str, code: str) -> None:
        self.offences[name, code] += 1

    def _place(self, account: ConnectedAccount, kind: str, task: GameTask) -> None:
        to = GAME_TRANSITIONS[account.state, kind]
        assert isinstance(to, PlayState)
        account.state, account.task = to, task

    def _free(self, account: ConnectedAccount, change: Change) -> None:
        to = GAME_TRANSITIONS[account.state, change.value]
        assert isinstance(to, PlayState)
        account.state, account.task = to, None

    def _add(self, play: TournamentPlay | RingPlay, journal: Journal) -> GameTask:
        play.pace = self.pace
        task = GameTask(play, journal, self, self.house_workers, self.supervisor)
        self.tasks[play.id] = task
        return task

    def _open_rings(self) -> None:
        """Open and close ring tables by demand. Raises `WriteFailed`."""
        self.room.open_and_close(is_draining=self.is_draining)

    def _open_ring(self, form: RingFormat) -> GameTask:
        return self._add(*self._openings.ring(form))


def _belong_to_others(seat: Identity, identity: Identity) -> bool:
    """Whether a place belongs to another account than this one of the same name.

    A journal of an older version does not know its accounts' numbers.
    """
    return bool(seat.account and identity.account) and seat.account != identity.account


def _task_of(account: ConnectedAccount) -> GameTask:
    """Return the game of an account whose state says that it has one. Raises `Refused`."""
    assert account.task is not None
    _refuse_if_parked(account.task)
    return account.task


def _refuse_if_parked(task: GameTask) -> None:
    if task.is_parked:
        words = f"{task.play.id} is parked: it goes on as soon as the server can write its journal"
        raise Refused(ErrorCode.BUSY, words)
