"""The ring tables of a house: opened and closed by demand, with a waiting list for each stake."""

# A ring game has one table as long as nobody plays. Whoever asks for a full table, or for the game
# by its name, gets a chair at the fullest table that has one; where none has, the account waits.
# The first who waits gets the next chair that becomes free, and as soon as enough wait to play
# among themselves another table is opened for them. A table that everybody has left closes by
# itself; one that nobody has played at closes once the game has another.
#
# A chair is taken from the moment at which it is asked for (`ConnectedAccount.task`), since the
# table itself learns of it later.
#
# Who would notice: tests/hosting/test_ring_room.py.

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from railbird.hosting.formats import RingFormat
from railbird.hosting.game_task import GameTask
from railbird.hosting.interfaces import SessionOutcome
from railbird.hosting.lobby import ConnectedAccount
from railbird.hosting.ring_play import Refused, RingPlay
from railbird.hosting.settings import MOST_RING_TABLES, RING_BUY_BACK_SECONDS
from railbird.protocol import ErrorCode, Identity, body_of
from railbird.protocol.identity import account_name
from railbird.protocol.messages import Queued, Sit, Unqueued


@dataclass(frozen=True, slots=True)
class _Left:
    """The chips with which somebody left a stake, and when, in milliseconds since 1970."""

    chips: int
    at: int


class RingRoom:
    """All ring tables of a house, which has their tasks and accounts, in one event loop."""

    def __init__(
        self,
        rings: Mapping[str, RingFormat],
        tasks: Mapping[str, GameTask],
        accounts: Mapping[str, ConnectedAccount],
        open_table: Callable[[RingFormat], GameTask],
        seat: Callable[[ConnectedAccount, GameTask, Sit], None],
    ) -> None:
        self._rings = rings
        self._tasks = tasks
        self._accounts = accounts
        self._open_table = open_table
        self._seat = seat
        self._waiting: dict[str, dict[str, Sit]] = {name: {} for name in rings}
        """By game: who waits for a chair, the first one first."""
        self._left: dict[tuple[str, str], _Left] = {}
        """By game and account, in small letters."""

    # Tables.

    def game_of(self, table: str) -> str:
        """Return the ring game of a table, or of a name that is a game's. Raises `Refused`."""
        task = self._tasks.get(table)
        if task is not None and task.play.opened.kind == "ring":
            return task.play.opened.format
        if table in self._rings:
            return table
        raise Refused(ErrorCode.NO_SUCH_TABLE, f"no ring table {table!r}")

    def has_chair(self, task: GameTask) -> bool:
        """Whether somebody may come to a table."""
        play = task.play
        assert isinstance(play, RingPlay)
        return self._people(task) < play.form.seats - len(play.form.house)

    def find(self, game: str, identity: Identity) -> GameTask | None:
        """Return the table for a newcomer: the fullest with a chair; an empty one if all are."""
        tables = {
            task: self._people(task) for task in self._open(game) if self._takes(task, identity)
        }
        played = {task: people for task, people in tables.items() if people}
        if played:
            return max(played, key=played.__getitem__)
        is_first = not any(map(self._people, self._open(game)))
        return next(iter(tables), None) if is_first else None

    def open_and_close(self, *, is_draining: bool) -> None:
        """Open and close tables by demand, and give chairs to those who wait.

        Raises `WriteFailed` where a table cannot be opened.
        """
        for game, form in self._rings.items():
            tables = list(self._open(game, parked=True))
            if not tables and not is_draining:
                self._open_table(form).start(lambda: None)
            if any(map(self._people, tables)):
                for task in tables:
                    if not self._people(task) and not task.is_parked:
                        self._close_unused(task)
            if not is_draining:
                self._give_chairs(game, form)

    def _close_unused(self, task: GameTask) -> None:
        def close() -> None:
            if not self._people(task):
                task.play.close(void=False, why="")

        task.post(close)

    def _give_chairs(self, game: str, form: RingFormat) -> None:
        waiting = self._waiting[game]
        for name in list(waiting):
            table = self.find(game, self._accounts[name].identity)
            if table is not None:
                self._seat_waiting(game, name, table)
        together = self._together(game)[: form.seats - len(form.house)]
        tables = list(self._open(game, parked=True))
        if len(together) >= (1 if form.house else 2) and len(tables) < MOST_RING_TABLES:
            table = next((task for task in self._open(game) if not self._people(task)), None)
            if table is None:
                table = self._open_table(form)
                table.start(lambda: None)
            for name in together:
                self._seat_waiting(game, name, table)

    def _seat_waiting(self, game: str, name: str, table: GameTask) -> None:
        message = self._waiting[game].pop(name)
        self._seat(self._accounts[name], table, message)
        self._tell(game)

    def _together(self, game: str) -> list[str]:
        """Return those who wait and may play with each other."""
        interests: dict[str, str] = {}
        for name in self._waiting[game]:
            interests.setdefault(self._accounts[name].identity.interest.lower(), name)
        return list(interests.values())

    def _open(self, game: str, *, parked: bool = False) -> Iterator[GameTask]:
        for task in self._tasks.values():
            play = task.play
            is_ours = play.opened.kind == "ring" and play.opened.format == game
            if is_ours and play.closed is None and (parked or not task.is_parked):
                yield task

    def _people(self, task: GameTask) -> int:
        return sum(account.task is task for account in self._accounts.values())

    def _takes(self, task: GameTask, identity: Identity) -> bool:
        own = identity.interest.lower()
        return self.has_chair(task) and not any(
            account.task is task and account.identity.interest.lower() == own
            for account in self._accounts.values()
        )

    # Those who wait.

    def wait(self, account: ConnectedAccount, game: str, message: Sit) -> None:
        """Let an account wait for a chair, behind all others."""
        self._waiting[game][account.identity.name] = message
        self._tell(game)

    def wait_no_longer(self, account: ConnectedAccount) -> bool:
        """Take an account off the list; return whether it was on one."""
        game, name = account.queue, account.identity.name
        if game not in self._waiting or name not in self._waiting[game]:
            return False
        del self._waiting[game][name]
        if account.connection is not None:
            account.connection.send(body_of(Unqueued(queue=game)))
        self._tell(game)
        return True

    def tell(self, account: ConnectedAccount) -> None:
        """Tell an account that waits how many do."""
        form, waiting = self._rings[account.queue], self._waiting[account.queue]
        message = Queued(queue=account.queue, waiting=len(waiting), seats=1 if form.house else 2)
        if account.connection is not None:
            account.connection.send(body_of(message))

    def _tell(self, game: str) -> None:
        for name in self._waiting[game]:
            if self._accounts[name].queue == game:
                self.tell(self._accounts[name])

    # The least to come back with.

    def has_left(self, outcome: SessionOutcome) -> None:
        """Note with how many chips somebody has left."""
        at = round(1000 * outcome.ended.timestamp())
        key = outcome.game, account_name(outcome.player.name).lower()
        if key not in self._left or self._left[key].at <= at:
            self._left[key] = _Left(outcome.stack, at)

    def least(self, game: str, name: str, now_ms: int) -> int:
        """Return the chips with which somebody has to come back; 0 for no bound."""
        since = now_ms - round(1000 * RING_BUY_BACK_SECONDS)
        self._left = {key: left for key, left in self._left.items() if left.at > since}
        left = self._left.get((game, account_name(name).lower()))
        form = self._rings.get(game)
        return 0 if left is None or form is None or form.top_up else left.chips
