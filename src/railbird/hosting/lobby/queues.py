"""All queues: who enters and leaves them, and the moments at which their tournaments start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence

from railbird.hosting.formats import TournamentFormat
from railbird.hosting.games.house_seats import house_specs
from railbird.hosting.games.outlet import Time
from railbird.hosting.games.ring_play import Refused
from railbird.hosting.lobby.account import Account
from railbird.hosting.lobby.queue import Queue
from railbird.protocol import ErrorCode, Identity, PlayState, body_of
from railbird.protocol.messages.game import Queued, Unqueued

Start = Callable[[Queue, list[Identity], Sequence[tuple[str, str]]], None]
"""Begins a tournament of a queue, with its entrants and the names and specs of house players."""


class Queues:
    """The queues of a house, in one event loop."""

    def __init__(
        self,
        forms: Sequence[TournamentFormat],
        when: Time,
        accounts: Mapping[str, Account],
        start: Start,
        spawn: Callable[[Coroutine[None, None, None]], None],
    ) -> None:
        self.by_name = {form.name: Queue(form, when) for form in forms}
        self.is_closed = False
        """True once nothing new starts."""
        self._accounts = accounts
        self._start = start
        self._spawn = spawn
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def enter(self, account: Account, name: str, *, again: bool) -> None:
        """Let an account wait; the tournament starts once there are enough. Raises `Refused`."""
        queue = self.by_name.get(name)
        if queue is None:
            raise Refused(ErrorCode.NO_SUCH_QUEUE, f"no queue {name!r}")
        if queue.is_over:
            raise Refused(ErrorCode.NO_SUCH_QUEUE, f"{name} has started")
        if self.is_closed:
            raise Refused(ErrorCode.DRAINING, "the server is about to restart")
        queue.add(account.identity)
        account.state, account.queue = PlayState.QUEUED, name
        account.again = name if again else ""
        self.tell(queue)
        if queue.form.starts_at is None:
            players = queue.take_full()
            if players is not None:
                self._start(queue, players, ())
        self.arm(queue)

    def leave(self, account: Account) -> None:
        """Let an account wait no longer."""
        queue = self.by_name[account.queue]
        queue.remove(account.identity.name)
        _send(account, Unqueued(queue=account.queue))
        account.state, account.queue, account.again = PlayState.LOBBY, "", ""
        self.tell(queue)
        self.arm(queue)

    def tell(self, queue: Queue) -> None:
        """Tell those who wait how many they are."""
        message = queue.message()
        for name in queue.names:
            _send(self._accounts[name], message)

    def arm(self, queue: Queue) -> None:
        """Set the clock for the moment at which a queue is due."""
        name = queue.form.name
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        delay = queue.starts_in()
        if delay is not None and not self.is_closed:
            loop = asyncio.get_running_loop()
            self._timers[name] = loop.call_later(delay, self._due, queue)

    def stop(self) -> None:
        """Stop all clocks."""
        for timer in self._timers.values():
            timer.cancel()

    def _due(self, queue: Queue) -> None:
        self._spawn(self._start_due(queue))

    async def _start_due(self, queue: Queue) -> None:
        """Let house players take the empty seats, and play."""
        specs = await _specs_for(queue.form)
        delay = queue.starts_in()
        if delay is not None and delay <= 0 and not self.is_closed:  # nobody left meanwhile
            players, house = queue.take_due(specs)
            if players:
                self._start(queue, players, house)
        self.arm(queue)


async def _specs_for(form: TournamentFormat) -> tuple[str, ...]:
    """Ask the registry in a thread: some players load large tables to answer."""
    if form.house or form.house_after is None:
        return form.house
    seats = min(form.seats, form.table_seats)
    rules = form.rules(form.schedule.level(0), [form.stack] * seats)
    return await asyncio.to_thread(house_specs, rules)


def _send(account: Account, message: Queued | Unqueued) -> None:
    if account.connection is not None:
        account.connection.send(body_of(message))
