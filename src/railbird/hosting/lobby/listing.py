"""The lobby as clients are sent it, each part made and encoded once per change.

Clients ask for it on and on, and with many tables it is the longest message of all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from railbird.hosting.game_task import GameTask
from railbird.hosting.games.house_players import HousePlayers, follows_tree
from railbird.hosting.lobby.queue import Queue
from railbird.hosting.settings import MOST_LISTED
from railbird.players.registry import REGISTRY
from railbird.players.spec import parse_spec
from railbird.protocol import body_of
from railbird.protocol.messages.base import Part
from railbird.protocol.messages.game import HousePlayer, Lobby, QueueInfo, TableInfo

K = TypeVar("K")
P = TypeVar("P", bound=Part)


@dataclass(frozen=True, slots=True)
class _Made(Generic[P]):
    """What was made of something as it was then."""

    then: Hashable
    parts: tuple[P, ...]
    encoded: tuple[bytes, ...]


class Listing:
    """Queues, tables and house players, as they are now."""

    def __init__(
        self, queues: Mapping[str, Queue], tasks: Mapping[str, GameTask], house: HousePlayers
    ) -> None:
        self._queues = queues
        self._tasks = tasks
        self._house = house
        self._offered: Mapping[str, str] | None = None
        self._described: tuple[tuple[HousePlayer, ...], bytes] = ((), b"")
        self._of_queues: WeakKeyDictionary[Queue, _Made[QueueInfo]] = WeakKeyDictionary()
        self._of_tables: WeakKeyDictionary[GameTask, _Made[TableInfo]] = WeakKeyDictionary()

    def message(self) -> Lobby:
        """Return the lobby."""
        tables = (info for made in self._tables() for info in made.parts)
        return Lobby.model_construct(
            queues=[info for made in self._waiting() for info in made.parts],
            tables=list(islice(tables, MOST_LISTED)),
            house=list(self._house_players()[0]),
        )

    def body(self) -> bytes:
        """Return the body of the message."""
        queues = b",".join(text for made in self._waiting() for text in made.encoded)
        tables = (text for made in self._tables() for text in made.encoded)
        listed = b",".join(islice(tables, MOST_LISTED))
        house = self._house_players()[1]
        return b'{"type":"lobby","queues":[%b],"tables":[%b],"house":[%b]}' % (
            queues,
            listed,
            house,
        )

    def _house_players(self) -> tuple[tuple[HousePlayer, ...], bytes]:
        offered = self._house.offered()
        if offered is not self._offered:
            self._offered, self._described = offered, _described(offered)
        return self._described

    def _waiting(self) -> Iterator[_Made[QueueInfo]]:
        for queue in self._queues.values():
            now = (len(queue), queue.running, queue.starts_in_ms)
            yield _kept(self._of_queues, queue, now, partial(_queue, queue))

    def _tables(self) -> Iterator[_Made[TableInfo]]:
        for task in self._tasks.values():
            if task.play.opened.kind != "practice":
                yield _kept(self._of_tables, task, task.play.version, partial(_tables_of, task))


def _kept(
    made: WeakKeyDictionary[K, _Made[P]], key: K, now: Hashable, make: Callable[[], tuple[P, ...]]
) -> _Made[P]:
    """Return what was made if it still holds, else make it anew."""
    found = made.get(key)
    if found is None or found.then != now:
        parts = make()
        found = made[key] = _Made(now, parts, tuple(map(body_of, parts)))
    return found


def _queue(queue: Queue) -> tuple[QueueInfo, ...]:
    return (queue.info(),)


def _tables_of(task: GameTask) -> tuple[TableInfo, ...]:
    return tuple(map(task.play.table_info, task.play.tables))


def _described(house: Mapping[str, str]) -> tuple[tuple[HousePlayer, ...], bytes]:
    """Return house players, given their specs by name, and their JSON texts."""
    players = tuple(
        HousePlayer(
            name=name,
            # Without the forms of the specs, which clients may not choose freely.
            summary=REGISTRY[parse_spec(spec).name].summary.partition(": ")[0],
            needs_top_up=follows_tree(spec),
        )
        for name, spec in house.items()
    )
    return players, b",".join(map(body_of, players))
