"""A player's memory of its opponents from session to session, in a database.

A session begins with the first hand after a reset and ends with the next reset, or when the player
is closed. At its end its observations are written in one transaction, so a process that is killed
loses at most one session. Sessions that run at the same time add up, because each writes only what
it observed itself. A part of a game may hold several sessions, and an unfinished part is played
again. To count nothing twice, the sessions of a part are written together when it is finished
(`OpponentMemory.commit`).

Play goes on whatever happens to the database. If it cannot be opened, one line says so and the
player does without a memory. If it fails later, the player keeps in memory what it learns, and
tries to write it after a while and when it is closed.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from railbird._terminal_safe import visible
from railbird.errors import DamagedFile, RailbirdError
from railbird.modelling.settings import RETRY_S

if TYPE_CHECKING:
    from pathlib import Path

    from railbird.storage.database import BlockingDatabase
    from railbird.storage.opponents import MemoryPlace
    from railbird.storage.tables import MemoryScope


_LOG = logging.getLogger(__name__)

T = TypeVar("T")


class RecordForm(Protocol[T]):
    """How a kind of player stores what it remembers about an opponent."""

    @property
    def kind(self) -> str:
        """Name of the form, stored with each record."""

    @property
    def version(self) -> int:
        """Version of the records that `written` returns."""

    def read(self, record: dict[str, Any]) -> T:
        """Read a record. Raises `railbird.errors.DamagedFile`."""

    def written(self, learned: T) -> dict[str, Any]:
        """Return the record from which `read` restores this."""

    def after(self, earlier: T, later: T) -> T:
        """Return what both together have taught, ``earlier`` having been observed first."""

    def former(self, file: Path) -> Mapping[str, T]:
        """Read the file of an earlier version, by name of opponent. Raises `RailbirdError`."""


@dataclass(frozen=True, slots=True)
class Learned(Generic[T]):
    """What one session taught about one opponent."""

    observations: T
    hands: int
    bets: int
    """Number of bets and raises among the actions."""
    actions: int
    sessions: int = 1


class OpponentMemory(Generic[T]):
    """The memory of one player.

    ``patience_s`` is the longest wait for a connection or a lock in seconds, None for the default.
    """

    def __init__(
        self, place: MemoryPlace, form: RecordForm[T], *, patience_s: float | None = None
    ) -> None:
        self._place = place
        self._form = form
        self._patience_s = patience_s
        self._database: BlockingDatabase | None = None
        self._scope: MemoryScope | None = None
        self._known: dict[str, T] = {}
        self._asked: set[str] = set()
        self._read: dict[str, tuple[str, T]] = {}
        """Records read for the last session, as text and parsed. A text that is unchanged in the
        database is not parsed again."""
        self._unwritten: dict[MemoryScope, dict[str, Learned[T]]] = {}
        self._part: list[tuple[MemoryScope, dict[str, Learned[T]]]] | None = None
        """Finished sessions of the unfinished part of a game; None if the game has no parts."""
        self._is_off = False
        """Whether the database could not be opened; it is not tried again."""
        self._tried_again_at = 0.0
        """Monotonic time before which a database that failed after opening is left alone."""
        self._told: set[str] = set()

    def begin(self, names: Collection[str], *, observer: str, game: str, seats: int) -> None:
        """Begin a session unless one is running, and recall those of ``names`` that are new in it.

        ``observer`` is the player itself, ``game`` the betting structure, and ``seats`` the number
        of seats at the beginning. Memories of different games and table sizes are kept apart.
        """
        if self._scope is None:
            self._scope = self._scope_of(observer, game, seats)
        fresh = [name for name in names if name not in self._asked and name != observer]
        if not fresh:
            return
        # Marked before the database is asked: while it rests or is off, nobody should ask about the
        # same people again in every hand.
        self._asked.update(fresh)
        if self._is_off or self._rests:
            return
        try:
            self._recall(fresh, self._scope)
        except RailbirdError as problem:
            # A database that could not even be opened is not tried again; one that fails later is
            # left alone for a while.
            self._is_off = self._database is None
            self._rest()
            self._tell(f"{problem}; playing on without memory")

    def recall(self, name: str) -> T | None:
        """Return what earlier sessions taught about somebody; None if nothing.

        The caller must not change it: it is shared with later sessions.
        """
        return self._known.get(name)

    def end(self, learned: Mapping[str, Learned[T]]) -> None:
        """End the session, and write what it taught unless it belongs to an unfinished part."""
        self._end(learned)
        if self._part is None:
            self._write_or_rest()

    def commit(self, learned: Mapping[str, Learned[T]]) -> None:
        """End the session and its part of the game, write both, and begin another part."""
        self._end(learned)
        self._end_part()
        self._part = []
        self._write_or_rest()

    def rollback(self) -> None:
        """Forget the sessions of the unfinished part of the game, which will be played again."""
        self._part = None if self._part is None else []
        self._forget()

    def _write_or_rest(self) -> None:
        if self._unwritten and not self._rests:
            try:
                self._write()
            except RailbirdError as problem:
                self._rest()
                self._tell(f"{problem}; playing on without memory, to be written later")

    def close(self, learned: Mapping[str, Learned[T]]) -> None:
        """End the last session, write what is not written yet, and close the database."""
        self._end(learned)
        self._end_part()
        try:
            self._write()
        except RailbirdError as problem:
            self._tell(f"{problem}; what was learned of opponents is lost")
        if self._database is not None:
            self._database.close()
            self._database = None

    def _end(self, learned: Mapping[str, Learned[T]]) -> None:
        if self._scope is None:
            return
        if not self._is_off and not self._place.is_read_only:
            new = {
                name: learned_of
                for name, learned_of in learned.items()
                if name in self._asked and learned_of.hands
            }
            if self._part is None:
                self._add(self._scope, new)
            else:
                self._part.append((self._scope, new))
        # Texts of opponents of the last session are kept for the next one, which often has the same
        # people; keeping all would never end.
        self._read = {name: read for name, read in self._read.items() if name in self._asked}
        self._forget()

    def _end_part(self) -> None:
        for scope, learned in self._part or ():
            self._add(scope, learned)
        self._part = None

    def _add(self, scope: MemoryScope, learned: Mapping[str, Learned[T]]) -> None:
        unwritten = self._unwritten.setdefault(scope, {})
        for name, fresh in learned.items():
            unwritten[name] = self._together(unwritten.get(name), fresh)

    def _forget(self) -> None:
        self._scope = None
        self._known.clear()
        self._asked.clear()

    @property
    def _rests(self) -> bool:
        return time.monotonic() < self._tried_again_at

    def _rest(self) -> None:
        self._tried_again_at = time.monotonic() + RETRY_S

    def _scope_of(self, observer: str, game: str, seats: int) -> MemoryScope:
        from railbird.storage.opponents import observer_name
        from railbird.storage.tables import MemoryScope

        name = observer_name(observer, self._place)
        return MemoryScope(observer=name, kind=self._form.kind, game=game, seats=seats)

    def _together(self, earlier: Learned[T] | None, later: Learned[T]) -> Learned[T]:
        """Join what could not be written earlier with what was learned since."""
        if earlier is None:
            return later
        return Learned(
            self._form.after(earlier.observations, later.observations),
            hands=earlier.hands + later.hands,
            bets=earlier.bets + later.bets,
            actions=earlier.actions + later.actions,
            sessions=earlier.sessions + later.sessions,
        )

    def _observations(self, scope: MemoryScope, name: str, record: str) -> T:
        """Read a record. Raises `DamagedFile`."""
        text, known = self._read.get(name, ("", None))
        if known is None or text != record:
            where = f"what {scope.observer} remembers of {name}"
            try:
                loaded = json.loads(record)
                if not isinstance(loaded, dict):
                    raise DamagedFile("not a record")
                known = self._form.read(loaded)
            except DamagedFile as problem:
                raise DamagedFile(f"{where}: {problem}") from None
            except (ValueError, RecursionError):
                raise DamagedFile(f"{where}: not JSON") from None
            self._read[name] = record, known
        return known

    def _record(self, name: str, known: T) -> str:
        record = json.dumps(
            self._form.written(known), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        self._read[name] = record, known
        return record

    def _recall(self, names: Collection[str], scope: MemoryScope) -> None:
        from railbird.storage.opponents import recalled, unstorable

        if odd := unstorable([scope.observer, *names]):
            for name in odd:
                self._tell(f"a name of {len(name)} characters; playing on without memory of it")
            names = [name for name in names if name not in odd]
        # Opening would create a file, which a reader must not do.
        if self._place.is_read_only and self._place.is_missing:
            return
        database = self._open()
        if not self._place.is_read_only:
            self._take_over(database, scope)
        with database.read() as session:
            known, problems = recalled(session, scope, names, version=self._form.version)
        # One damaged record must not cost the memory of the others, so each is read by itself.
        for name, record in known.items():
            try:
                self._known[name] = self._observations(scope, name, record)
            except DamagedFile as problem:
                problems.append(str(problem))
        for problem_text in problems:
            self._tell(f"{problem_text}; playing on without it")

    def _take_over(self, database: BlockingDatabase, scope: MemoryScope) -> None:
        """Import the file of an earlier version, once."""
        from railbird.storage.opponents import import_once, is_imported

        file = self._place.former
        if file is None or not file.exists():
            return
        with database.read() as session:
            if is_imported(session, file.name):
                return
        try:
            former = self._form.former(file)
        except RailbirdError as problem:
            self._tell(f"{problem}; playing on without it")
            return
        records = {name: self._record(name, observations) for name, observations in former.items()}
        with database.write() as session:
            fresh = import_once(session, file.name, scope, records, version=self._form.version)
        if fresh:
            self._tell(
                f"{file}: {len(records)} opponents taken over into {self._place.database}, as"
                f" {scope.observer}'s of {scope.game} with {scope.seats} seats"
            )

    def _write(self) -> None:
        from railbird.storage.opponents import Increment, add_up, unstorable

        # A list, because entries are removed on the way.
        for scope, learned in list(self._unwritten.items()):
            for name in unstorable(learned):
                del learned[name]
            problems: list[str] = []
            if learned and not unstorable([scope.observer]):
                increments = {
                    name: Increment(
                        hands=increment.hands,
                        sessions=increment.sessions,
                        bets=increment.bets,
                        actions=increment.actions,
                    )
                    for name, increment in learned.items()
                }
                # The stored record is read and replaced in one transaction. Another process may
                # have written since it was recalled, and both sessions have to count.
                with self._open().write() as session:
                    problems = add_up(
                        session,
                        scope,
                        increments,
                        version=self._form.version,
                        merged=partial(self._merged, scope, learned),
                    )
            # Only now: if the transaction failed, the session stays here and is written at the next
            # try.
            del self._unwritten[scope]
            for problem in problems:
                self._tell(f"{problem}; left as it is")

    def _merged(
        self,
        scope: MemoryScope,
        learned: Mapping[str, Learned[T]],
        name: str,
        stored: str | None,
    ) -> str:
        """Return the record that joins the stored one with what a session taught."""
        new = learned[name].observations
        if stored is not None:
            new = self._form.after(self._observations(scope, name, stored), new)
        return self._record(name, new)

    def _open(self) -> BlockingDatabase:
        from railbird.storage.database import open_blocking
        from railbird.storage.settings import PATIENCE_S

        if self._database is None:
            patience = PATIENCE_S if self._patience_s is None else self._patience_s
            self._database = open_blocking(self._place.database, patience_s=patience)
        return self._database

    def _tell(self, words: str) -> None:
        """Say something once, in one line even if a name contains line breaks."""
        words = visible(words, layout="")
        if words not in self._told:
            self._told.add(words)
            _LOG.warning("memory: %s", words)
