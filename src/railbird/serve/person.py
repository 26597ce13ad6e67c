"""A person at a browser, as a client of the tournament server like any other.

The person's messages go to the house and the house's come back through the same session that
programs have. A page shows the fold of the messages received, and nothing else reaches it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from secrets import token_hex
from typing import Final, Protocol, TypeVar, cast

from starlette.exceptions import HTTPException

from railbird._token_buckets import TokenBuckets
from railbird.hosting.house import VISITOR
from railbird.hosting.ladder import BY_NAME
from railbird.hosting.supervisor import Well
from railbird.protocol import (
    AnyServer,
    CloseCode,
    ErrorCode,
    Identity,
    PlayState,
    client_line,
    parse_server,
)
from railbird.protocol.messages import (
    ActMessage,
    Announcement,
    AskShare,
    AskSnapshot,
    ClientPong,
    Closing,
    ErrorMessage,
    GameRequest,
    Left,
    Practise,
    Queued,
    Seated,
    SeedShare,
    ServerPing,
    Snapshot,
    StandUp,
    Unqueued,
    Verb,
    Watch,
)
from railbird.serve.caller import GUEST
from railbird.serve.connections import Link, OpenConnections, identity_of
from railbird.serve.host import Host
from railbird.serve.middleware import network_of
from railbird.storage.accounts import Account
from railbird.table.choices import Plan, PreAction, planned
from railbird.table.state import TableState, after, first_state, is_of
from railbird.table.words import YOU, made, short_name

# Whether code is compiled at this moment, which a first hand waits for.


_LINGERS_S: Final = 3.0
"""Time after the last kernel for which it counts as going on: the next one may follow."""


class CompilingNotice:
    """Listens to `railbird._jit.watched`, which calls it from any thread.

    ``elsewhere`` says when other processes compiled something last.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        elsewhere: Callable[[], float] = lambda: float("-inf"),
    ) -> None:
        self._clock = clock
        self._elsewhere = elsewhere
        self._last = float("-inf")

    def begins(self, room: str, kernel: str) -> None:
        """Note that a kernel is being compiled."""
        del room, kernel
        self._last = self._clock()

    def ends(self) -> None:
        """Note that the kernel is there."""
        self._last = self._clock()

    @property
    def goes_on(self) -> bool:
        """Whether something is compiled, or was a moment ago."""
        return self._clock() - max(self._last, self._elsewhere()) < _LINGERS_S


# Times and sizes of the table for people.


PAUSES: Final = {
    "hand": 0.5,
    "acted": 0.45,
    "board": 0.7,
    "shown": 0.6,
    "mucked": 0.2,
    "hand_over": 1.0,
}
"""Seconds for which a page shows each kind of news before the next: house players act in no time,
and nobody could follow them otherwise. The table itself rests between two hands."""

SHOW_OR_MUCK_S: Final = 2.0
"""Least time for which a page shows the end of a hand whose cards its viewer may show; the button
stays there in the next hand until it is the viewer's turn."""

MOST_BEHIND: Final = 4.0
"""Seconds that a page may be behind the table while its viewer's clock runs."""

MOST_SHOWN_LATE: Final = 8.0
"""Seconds that it may be behind at any other time."""

AWAY_SECONDS: Final = 12.0
"""Time without an open page or a request after which a person counts as away."""

LOBBY_SECONDS: Final = 15.0
"""The same for the lobby, which asks every three seconds."""

WITHOUT_SCRIPT_SECONDS: Final = 45.0
"""The same for pages without script, which reload by themselves except on the viewer's turn."""

FORGET_SECONDS: Final = 3600.0
"""Time after which what a page showed of a finished game is forgotten."""

MOST_PEOPLE: Final = 5000
"""People at once in one process."""

MOST_GUESTS: Final = 200.0
"""Guests of one address at once; they refill in an hour. A class of students is behind one
router."""

FURTHER_SEATS: Final = range(2, 5)
"""Numbers of the further seats that an account may have, each at a ring table."""

ANSWER_SECONDS: Final = 2.0
"""Longest wait of a form for the table's answer."""

READY_SECONDS: Final = 30.0
"""Longest wait of a page for a table that goes on after a restart, while code is compiled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What the operator, or a test, chooses."""

    pace: float = 1.0
    """Factor of `PAUSES`; 0 shows everything at once."""
    away_s: float = AWAY_SECONDS


# What a page shows of a table: the truth, but no faster than a person can follow.


class Screen:
    """The states of a table in the order in which a page shows them, each for a while.

    ``truth`` is what the viewer has been told; ``shown`` is behind by some seconds at most, and by
    less when it is the viewer's turn. ``changed`` is called whenever ``shown`` has changed.
    """

    def __init__(self, state: TableState, changed: Callable[[], None], *, pace: float) -> None:
        self.truth = self.shown = state
        self.pace = pace
        self._changed = changed
        self._waiting: deque[TableState] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_behind(self) -> bool:
        """Whether something has happened that is not shown yet."""
        return bool(self._waiting)

    def update(self, state: TableState) -> None:
        """Take a new state, to be shown in its turn."""
        self.truth = state
        self._waiting.append(state)
        if self._timer is None:
            self._next()
        elif state.turn is not None:
            self._arm(self._pause(self.shown))  # hurry

    def flush(self) -> None:
        """Skip the pauses and show the table as it is."""
        self.stop()
        self._waiting.clear()
        self.shown = self.truth
        self._changed()

    def hurry(self) -> None:
        """Show everything at once from now on, to somebody who leaves."""
        self.pace = 0.0
        self.flush()

    def stop(self) -> None:
        """Show nothing more by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _next(self) -> None:
        self._timer = None
        while self._waiting:
            self.shown = self._waiting.popleft()
            pause = self._pause(self.shown)
            if pause > 0:
                self._arm(pause)
                break
        self._changed()

    def _arm(self, pause: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        least = self.pace * least_after(self.shown)
        self._timer = loop.call_later(max(pause * self._haste(), least), self._next)

    def _pause(self, state: TableState) -> float:
        return self.pace * max(pause_after(state), least_after(state))

    def _haste(self) -> float:
        """Return a factor of all pauses, so that the page is not too far behind."""
        behind = sum(self._pause(state) for state in (self.shown, *self._waiting))
        most = MOST_BEHIND if self.truth.turn is not None else MOST_SHOWN_LATE
        return min(1.0, most / behind) if behind else 1.0


def least_after(state: TableState) -> float:
    """Return the seconds for which a page shows this state, however far it is behind."""
    may_show = state.news == "hand_over" and state.may_show and not state.is_practice
    return SHOW_OR_MUCK_S if may_show else 0.0


def pause_after(state: TableState) -> float:
    """Return the seconds for which a page shows this state before the next one."""
    if state.is_practice and state.news == "hand_over":
        return 0.0  # the table waits for its person
    hand = state.hand
    if state.news == "acted" and hand is not None and hand.history:
        last = hand.history[-1]
        if getattr(last, "seat", None) == hand.you:
            return 0.15  # one's own action is no news
    return PAUSES.get(state.news, 0.0)


# The person at the page.


_ELSEWHERE: Final = (CloseCode.TAKEN_OVER, CloseCode.FROZEN)


class OpenPage(Protocol):
    """An open page of a person, which ends when another one takes over."""

    loaded: int
    """When it was loaded, in milliseconds; 0 where no page comes after another."""

    def taken_over(self) -> None:
        """Another page shows this table from now on."""


class _Transport:
    """Takes what the house sends, where a connection would have a transport."""

    is_full = False

    def __init__(self, address: str, person: Person) -> None:
        self.address = address
        self._person = person

    def send(self, data: bytes) -> None:
        self._person.heard(self, data)

    def close(self, code: CloseCode) -> None:
        self._person.closed(self, code)

    def abort(self) -> None:
        self._person.closed(self, None)


class Person:
    """A logged-in account at a browser, or its seat at a further ring table.

    To the house each seat is a different player; the pages know that they belong to one person.
    """

    def __init__(
        self,
        identity: Identity,
        connections: OpenConnections,
        settings: TableSettings,
        *,
        address: str,
        number: int = 1,
    ) -> None:
        self.identity = identity
        self.number = number
        """Of this seat among the person's."""
        self.seats: list[Person] = [self]
        """All of the person's, the first one first; each has the same list."""
        self.settings = settings
        self.address = address
        self.queued: Queued | None = None
        self.seat: Screen | None = None
        """The own table."""
        self.is_expected = False
        """Whether the house has a seat whose table it had not told when the page was opened."""
        self.watched: dict[str, Screen] = {}
        self.ended: CloseCode | None = None
        """Why the connection ended, where the person must come back on purpose."""
        self.notice = ""
        """What the server has to say: why it refused something, or news."""
        self.is_news = False
        """Whether the notice is news, and nothing was refused."""
        self.ahead: PreAction | None = None
        self.acted_on = "", ""
        """The turn and the verb of the last action that a form sent."""
        self.asks_fold = ""
        """The turn whose fold with a free check waits for a second word."""
        self.hint: tuple[str, tuple[str, ...]] | None = None
        """A turn, and the hint given for it."""
        self.pages: dict[str, OpenPage] = {}
        """The newest open page of each watched table; the one with an empty name is the person's
        own."""
        self.seen = time.monotonic()
        self.patience = settings.away_s
        self.waits_for_code = False
        """Whether code is compiled at this moment."""
        self.practised: Practise | None = None
        """The latest practice table that was asked for."""
        self.is_called = False
        """Whether a seat waits that no page has shown yet."""
        self.actions = 0
        self._connections = connections
        self._asked_by = ""
        """The game that has asked last for a share of its seed."""
        self._link: Link | None = None
        self._ear: _Transport | None = None
        self._listeners: set[Callable[[], None]] = set()
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._seat_known = asyncio.Event()
        self._asked: dict[str, asyncio.Event] = {}
        """Tables that are to be watched, until their snapshots come."""

    @property
    def is_guest(self) -> bool:
        """Whether the person has no account."""
        return self.identity.name.startswith(GUEST)

    @property
    def query(self) -> str:
        """What addresses of this seat's pages end with."""
        return "" if self.number == 1 else f"?seat={self.number}"

    @property
    def own_table(self) -> TableState | None:
        """The own table as it is, unless it is over."""
        return None if self.seat is None or self.seat.truth.is_over else self.seat.truth

    @property
    def is_asked(self) -> bool:
        """Whether the own table waits for the person."""
        return self.own_table is not None and self.own_table.turn is not None

    # The connection.

    @property
    def is_connected(self) -> bool:
        """Whether the house knows that the person is here."""
        return self._link is not None

    def connect(self) -> None:
        """Log in to the house, unless the seat was taken over or frozen meanwhile."""
        if self._link is None and self.ended is None:
            self._ear = _Transport(self.address, self)
            self._link = self._connections.opened(self._ear)
            if self._link is not None:
                self._link.enter(self.identity)

    def come_back(self) -> None:
        """Log in again, on purpose."""
        self.ended = None
        self.connect()

    def disconnect(self) -> None:
        """Leave the house, as a client does whose connection ends."""
        link, self._link, self._ear = self._link, None, None
        if link is not None:
            link.cut()
        self.queued = None
        for screen in self.watched.values():
            screen.stop()
        self.watched.clear()

    def send(self, message: GameRequest) -> None:
        """Send a message to the house."""
        self.put_notice("")
        if self._link is not None:
            self._link.receive_message(client_line(message))

    def heard(self, ear: _Transport, data: bytes) -> None:
        """Read what the house sent."""
        if ear is not self._ear:
            return
        for line in data.splitlines():
            self._hear(line)
        self.changed()

    def closed(self, ear: _Transport, code: CloseCode | None) -> None:
        """Take note that the house has closed the connection."""
        if ear is not self._ear:
            return
        link, self._link, self._ear = self._link, None, None
        if link is not None:
            self._connections.forget(link)
        self.queued = None
        if code is not None and not code.comes_back:
            self.ended = code
            if code not in _ELSEWHERE:
                self.put_notice(f"The server has closed the connection ({code.value}).")
        self.changed()

    @property
    def asks_share(self) -> str:
        """The game of the own table while its seed is to have a share from this browser."""
        info = None if self.seat is None or self.seat.truth.is_over else self.seat.truth.info
        is_own = info is not None and self._asked_by in (info.tournament, info.table)
        return self._asked_by if is_own else ""

    def give_share(self, game: str, share: str) -> None:
        """Give the browser's share of a seed, which only the browser may draw."""
        if game and game == self.asks_share:
            self._asked_by = ""
            self.send(SeedShare(game=game, share=share))

    # News.

    def put_notice(self, text: str, *, is_news: bool = False) -> None:
        """Show a line on the pages of this seat until the person does something; "" for none."""
        self.notice, self.is_news = text, is_news

    def listen(self, listener: Callable[[], None]) -> None:
        """Have something called after every change."""
        self._listeners.add(listener)

    def unlisten(self, listener: Callable[[], None]) -> None:
        """Stop calling it."""
        self._listeners.discard(listener)

    def changed(self) -> None:
        """Call everybody who listens, mostly open pages; each says which seats are asked."""
        for seat in self.seats:
            for listener in tuple(seat._listeners):
                listener()

    def _hear(self, line: bytes) -> None:
        message = parse_server(line)
        now = time.monotonic()
        match message:
            case None:
                pass
            case ServerPing(n=n):
                if self._link is not None:
                    self._link.receive_message(client_line(ClientPong(n=n)))
            case ErrorMessage(action=action):
                self.put_notice(_refusal(message))
                self._answered(action)
            case Announcement(text=text):
                self.put_notice(text, is_news=True)
            case Closing():
                pass
            case Queued():
                self.queued = message
            case Unqueued():
                self.queued = None
            case Left(table=table, reason="unwatched"):
                self._stop_watching(table)
            case _:
                self._of_table(message, now)

    def _of_table(self, message: AnyServer, now: float) -> None:
        if isinstance(message, AskShare):
            self._asked_by = message.game
            return
        if isinstance(message, Seated | Snapshot):
            self._of_whole_table(message, now)
            return
        table = getattr(message, "table", "")
        if table in self.watched:
            self._show(self.watched[table], message, now)
        elif self.seat is not None and is_of(message, self.seat.truth):
            self._show(self.seat, message, now)
            self._turn_came()

    def _of_whole_table(self, message: Seated | Snapshot, now: float) -> None:
        name, seat = message.table.table, self.seat
        if name in self._asked or name in self.watched:
            if name in self.watched:
                self._show(self.watched[name], message, now)
            else:
                self.watched[name] = self._screen(first_state(message, None, now))
                self._asked[name].set()
            return
        self.queued = None
        if seat is not None and seat.truth.info.table == name:
            self._show(seat, message, now)
            if isinstance(message, Snapshot):
                seat.flush()
        else:
            if seat is not None:
                seat.stop()
            self.seat = self._screen(first_state(message, self.identity.name, now))
            self.is_called = True
        self._seat_known.set()
        self._turn_came()

    def _show(self, screen: Screen, message: AnyServer, now: float) -> None:
        state = after(screen.truth, message, now)
        if state.needs_snapshot:
            state = replace(state, needs_snapshot=False)
            self._send_soon(AskSnapshot(table=state.info.table))
        screen.update(state)
        hand, acted = screen.truth.hand, getattr(message, "entry", None)
        if hand is not None and getattr(acted, "seat", None) == hand.you:
            self._answered(None)

    def _screen(self, state: TableState) -> Screen:
        return Screen(state, self.changed, pace=self.settings.pace)

    def _turn_came(self) -> None:
        """Play the action chosen in advance, unless a raise has cancelled it."""
        ahead, truth = self.ahead, None if self.seat is None else self.seat.truth
        if truth is None or ahead is None:
            return
        why = ahead.given_up(truth)
        if why is not None:
            self.ahead = None
            if why:
                self.put_notice(why, is_news=True)
        elif truth.turn is not None:
            self.ahead, verb = None, ahead.verb(truth)
            if verb is not None:
                self._send_soon(self.action(truth.turn.turn, verb, None))

    def _send_soon(self, message: GameRequest) -> None:
        # What is answered is being read within the house's own call.
        asyncio.get_running_loop().call_soon(self.send, message)

    # What the person does.

    def action(self, turn: str, verb: Verb, to: int | None) -> ActMessage:
        """Return an action with a new number."""
        self.actions += 1
        return ActMessage(turn=turn, action=self.actions, verb=verb, to=to)

    async def act(self, message: ActMessage, *, patience_s: float) -> None:
        """Send an action and wait until the house has taken or refused it."""
        done = asyncio.get_running_loop().create_future()
        self._answers[message.action] = done
        self.asks_fold = ""
        self.send(message)
        try:
            await asyncio.wait([done], timeout=patience_s)
        finally:
            self._answers.pop(message.action, None)

    def _answered(self, action: int | None) -> None:
        for number in tuple(self._answers):
            if action is None or number == action:
                done = self._answers.pop(number)
                if not done.done():
                    done.set_result(None)

    def choose_ahead(self, what: Plan | None) -> None:
        """Choose an action for the next turn, or none; at once if that turn has come."""
        seat = self.seat
        if seat is None:
            return
        self.ahead = None if what is None else planned(what, seat.shown)
        self._turn_came()
        self.changed()

    async def watch(self, table: str, *, patience_s: float) -> Screen | None:
        """See a table as a spectator; return None, and say why, if that is refused."""
        if table not in self.watched:
            known = self._asked.setdefault(table, asyncio.Event())
            self.send(Watch(table=table))
            with suppress(TimeoutError):
                async with asyncio.timeout(patience_s):
                    await known.wait()
            self._asked.pop(table, None)
        return self.watched.get(table)

    def _stop_watching(self, table: str) -> None:
        screen = self.watched.pop(table, None)
        if screen is not None:
            screen.stop()

    async def until_seated(self, patience_s: float) -> None:
        """Wait until the own table is known."""
        if self.seat is None or self.seat.truth.is_over:
            self._seat_known.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(patience_s):
                    await self._seat_known.wait()

    def lose_seat(self) -> None:
        """Show a table no longer whose game ended while the person was away."""
        if self.seat is not None and not self.seat.truth.is_over:
            self.seat.stop()
            self.seat = None

    def happened(self) -> None:
        """Take note that the person asked for something."""
        self.seen = time.monotonic()

    def is_here(self, now: float) -> bool:
        """Whether a page of any seat is open, or was a moment ago."""
        return any(seat.pages or now - seat.seen < seat.patience for seat in self.seats)


def _refusal(message: ErrorMessage) -> str:
    """Say to a person why the house refused something."""
    if message.code is ErrorCode.STALE:  # without the turn's name
        is_show = '"show"' in (message.sent or "")
        return "It is too late to show those cards." if is_show else "That turn is over already."
    return f"{message.text[:1].upper()}{message.text[1:]}."


# Everybody who plays in a browser, and when they count as away.


_SWEEP_S: Final = 1.0
_NEWS_S: Final = 0.05
"""Time for news that the house has sent to be read."""


PersonT = TypeVar("PersonT", bound=Person)


class People:
    """People by the names of their accounts."""

    def __init__(self, host: Host, settings: TableSettings) -> None:
        self.host = host
        self.settings = settings
        house_workers = host.house.house_workers
        self.compiling = CompilingNotice(elsewhere=lambda: house_workers.compiled_at)
        self._people: dict[str, Person] = {}
        self._is_prepared = False
        """Whether the code that names hands is loaded; an idle server does without its memory."""
        self._guests = TokenBuckets(per_second=MOST_GUESTS / 3600, burst=MOST_GUESTS)
        self._shows_compiling = False

    def of(self, account: Account, address: str) -> Person:
        """Return the person of an account; the first page makes one."""
        identity, connections = identity_of(account), self.host.connections
        before = self._people.get(identity.name)
        if before is not None and before.identity.account != account.id:
            self.forget(identity.name)  # somebody else had this name
        person = self.known(
            identity.name,
            lambda: Person(identity, connections, self.settings, address=address),
        )
        for number in FURTHER_SEATS:  # that were taken before a restart
            if identity.further(number).name in self.host.house.accounts:
                self.further(person, number)
        return person

    def further(self, person: Person, number: int) -> Person:
        """Return a person at a further ring table."""
        identity, connections = person.identity.further(number), self.host.connections
        seat = self.known(
            identity.name,
            lambda: Person(
                identity, connections, self.settings, address=person.address, number=number
            ),
        )
        if seat not in person.seats:
            person.seats.append(seat)
            person.seats.sort(key=lambda one: one.number)
            seat.seats = person.seats
        return seat

    def free_seat(self, person: Person) -> int | None:
        """Return the number of a person's seat that can be taken at a ring table; None for none.

        Only who sits at ring tables alone can have several seats.
        """
        number: int
        for number in (1, *FURTHER_SEATS):
            name = person.identity.name if number == 1 else person.identity.further(number).name
            account = self.host.house.accounts.get(name)
            if account is None or account.state is PlayState.LOBBY:
                return number
            if account.state is not PlayState.RING:
                break
        return None

    def taken_seats(self, person: Person) -> list[Person]:
        """Return the seats at which a person plays."""
        return [seat for seat in person.seats if self.plays(seat)]

    def guest(self, name: str, address: str) -> Person:
        """Return somebody without an account, who may practise."""
        identity, connections = Identity(name), self.host.connections
        return self.known(
            name, lambda: Person(identity, connections, self.settings, address=address)
        )

    def new_guest(self, address: str, nick: str = "") -> Person:
        """Return a guest called ``nick``; refuse too many of one address.

        A nick that somebody has already gets a number, and so do those of house players.
        """
        if not self._guests.take(network_of(address)):
            raise HTTPException(429, "Too many guests play from here; log in, or try again later.")
        known = map(short_name, (*self._people, *self.host.house.accounts))
        taken = {name.lower() for name in (YOU, *BY_NAME, *known)}
        nicks = (f"{nick}{number}" if number > 1 else nick for number in count(1))
        nick = next(name for name in nicks if name.lower() not in taken)
        names = (f"{GUEST}{nick or 'guest'}-{token_hex(3)}" for _ in count())
        name = next(name for name in names if name not in self._people)
        return self.guest(name, address)

    def adopt(self, guest: str, name: str) -> None:
        """Give the hands that a guest has played to an account; the guest's table closes."""
        person = self._people.get(guest)
        if person is not None and self.plays(person):
            person.connect()
            person.send(StandUp())
        self.forget(guest)
        self.host.house.adopt_practice(guest, name)

    def known(self, name: str, new: Callable[[], PersonT]) -> PersonT:
        """Return the person of a name, a ``new`` one at first."""
        person = self._people.get(name)
        if not self._is_prepared:
            self._is_prepared = True
            loop = asyncio.get_running_loop()
            loop.run_in_executor(None, made, ["As", "Ks"], ["Kd", "7c", "2h"])
        if person is None:
            if len(self._people) >= MOST_PEOPLE:
                raise HTTPException(503, "Too many people play here now; try again later.")
            person = self._people[name] = new()
            person.waits_for_code = self._shows_compiling
        person.happened()
        return cast("PersonT", person)

    def everybody(self) -> list[Person]:
        """Return everybody who is known."""
        return list(self._people.values())

    def __contains__(self, name: str) -> bool:
        """Whether somebody has a name."""
        return name in self._people

    def plays(self, person: Person) -> bool:
        """Whether the house has a seat of this person."""
        account = self.host.house.accounts.get(person.identity.name)
        return account is not None and account.task is not None

    def specs_at(self, person: Person) -> tuple[str, ...]:
        """Return the specs of the house players in the game of a person."""
        account = self.host.house.accounts.get(person.identity.name)
        players = () if account is None or account.task is None else account.task.play.players
        return tuple(player.entrant.spec for player in players if player.entrant.spec)

    async def settle(self, person: Person) -> None:
        """Connect a person, and learn whether the seat is still there that was known before."""
        for seat in person.seats:
            seat.connect()
        person.is_expected = self.plays(person)
        if person.is_expected:
            await person.until_seated(ANSWER_SECONDS)
        elif person.seat is not None and not person.seat.truth.is_over:
            await asyncio.sleep(_NEWS_S)  # its end may be on the way
            if not self.plays(person):
                person.lose_seat()

    async def watch(self, well: Well) -> None:
        """Let those be away who have no page open, until cancelled."""
        while True:
            await asyncio.sleep(min(_SWEEP_S, self.settings.away_s / 3))
            self.sweep(time.monotonic())
            well()

    def sweep(self, now: float) -> None:
        """Disconnect those who are not here, and forget those who are long gone.

        Everybody's page says whether code is compiled.
        """
        if self.compiling.goes_on is not self._shows_compiling:
            self._shows_compiling = not self._shows_compiling
            for person in self._people.values():
                person.waits_for_code = self._shows_compiling
                person.changed()
        for name, person in list(self._people.items()):
            if person.is_connected and not person.is_here(now):
                person.disconnect()
                person.changed()
            patience = 0.0 if name.startswith(VISITOR) else FORGET_SECONDS
            if not person.is_here(now) and now - person.seen > patience:
                person.disconnect()
                del self._people[name]
                person.seats.remove(person)

    def forget(self, name: str) -> None:
        """Let somebody go who has logged out."""
        person = self._people.get(name)
        seats = [] if person is None else list(person.seats)
        for seat in seats:
            self._people.pop(seat.identity.name, None)
            seat.disconnect()
            for page in list(seat.pages.values()):
                page.taken_over()
