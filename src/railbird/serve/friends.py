"""Private tables: who came by a link, who may pause them, and the messages there.

The table itself is a ring table of the house that no list shows. The player who has sat there
longest owns it. Messages are kept in memory, and only while the table is open.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from starlette.exceptions import HTTPException

from railbird._terminal_safe import visible
from railbird._token_buckets import TokenBuckets
from railbird.errors import BadInput
from railbird.game import Betting
from railbird.hosting.formats import PRIVATE, Clocks, RingFormat
from railbird.hosting.game_task import GameTask
from railbird.hosting.ladder import EVERYWHERE
from railbird.hosting.ring_play import Refused, RingPlay
from railbird.serve.middleware import network_of
from railbird.serve.person import People, Person

SEATS: Final = 6
MOST_TABLES: Final = 20.0
"""Private tables that one address may open at once; they refill in an hour."""
MOST_SAID: Final = 40
"""Lines that a table keeps."""
LONGEST: Final = 120
"""Characters of a line."""
SAYINGS: Final = 5.0
"""Lines that somebody may say at once; one more comes every two seconds."""
_JOINERS: Final = "\u200c\u200d"
"""They join and part letters in some scripts, and make one emoji of several."""
REACTIONS: Final = ("Nice hand", "Well played", "Wow", "Ouch", "Ha!", "Thanks")
"""In words, which every screen and every reader has."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A line that somebody said."""

    name: str
    text: str


@dataclass(slots=True)
class Talk:
    """The messages at a table."""

    lines: deque[Saying] = field(default_factory=lambda: deque(maxlen=MOST_SAID))
    guests_write: bool = False
    """Whether those without an account may write; all may react."""


class Friends:
    """The private tables of a server."""

    def __init__(self, people: People, *, now: Callable[[], float] = time.monotonic) -> None:
        self._people = people
        self._talks: dict[str, Talk] = {}
        self._opened = TokenBuckets(per_second=MOST_TABLES / 3600, burst=MOST_TABLES)
        self._sayings = TokenBuckets(per_second=0.5, burst=SAYINGS)

    def task_of(self, table: str) -> GameTask | None:
        """Return the game of a private table, or None if no table has this name."""
        task = self._people.host.house.tasks.get(table)
        if task is None or not (isinstance(task.play, RingPlay) and task.play.form.is_private):
            return None
        return task

    def open(
        self, betting: str, big_blind: int, stack: int, house: int, *, address: str
    ) -> tuple[str, int]:
        """Open a table with so many house players; return its name and the chips to sit down with.

        ``stack`` is in big blinds. Raises `BadInput` for what cannot be played.
        """
        if not self._opened.take(network_of(address)):
            raise HTTPException(429, "Too many private tables were opened from here.")
        self._forget_closed()
        strongest = [who.spec for who in EVERYWHERE][::-1]
        chips = stack * big_blind
        form = RingFormat(
            name=f"{PRIVATE}{secrets.token_hex(8)}",
            betting=Betting(betting),
            seats=SEATS,
            blinds=(big_blind // 2, big_blind),
            buy_ins=(big_blind, chips),
            clocks=Clocks(limit=60.0, bank=120.0),
            house=tuple(strongest[-house:] if house else ()),
        )
        try:
            return self._people.host.house.open_private(form), chips
        except Refused as problem:
            raise BadInput(str(problem)) from None

    def owner_of(self, table: str) -> str:
        """Return the name of the person who has sat at a table for longest; empty for nobody."""
        task = self.task_of(table)
        if task is None:
            return ""
        play = task.play
        seated = (play.players[number].entrant for number in sorted(play.players_at(1)))
        return next((entrant.name for entrant in seated if not entrant.spec), "")

    def talk_of(self, table: str) -> Talk | None:
        """Return the messages at a table, or None if it is not private."""
        return None if self.task_of(table) is None else self._talks.setdefault(table, Talk())

    def say(self, person: Person, table: str, text: str) -> str:
        """Send a message at the person's table; return why it was refused, or nothing."""
        talk = self.talk_of(table)
        text = " ".join(visible(text, layout="\n\t" + _JOINERS).split())[:LONGEST].strip(_JOINERS)
        if talk is None or not text:
            return ""
        may_write = (
            talk.guests_write or not person.is_guest or self.owner_of(table) == person.identity.name
        )
        if not may_write and text not in REACTIONS:
            return "Guests may only react here, unless the owner lets them write."
        if not self._sayings.take(person.identity.name):
            return "Wait a moment before you write again."
        talk.lines.append(Saying(person.identity.name, text))
        self._changed(table)
        return ""

    def own(self, table: str, what: str) -> None:
        """Do what an owner asks for: pause, go on, start again, or let guests write or not."""
        task, talk = self.task_of(table), self.talk_of(table)
        if task is None or talk is None:
            return
        play = task.play
        assert isinstance(play, RingPlay)
        match what:
            case "pause" | "go_on":
                task.post(partial(play.pause, what == "pause"))
            case "anew":
                play.begins_anew = True
            case "guests":
                talk.guests_write = not talk.guests_write
        self._changed(table)

    def _changed(self, table: str) -> None:
        for person in self._people.everybody():
            if person.seat is not None and person.seat.truth.info.table == table:
                person.changed()

    def _forget_closed(self) -> None:
        for table in [table for table in self._talks if self.task_of(table) is None]:
            del self._talks[table]
