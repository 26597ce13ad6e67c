"""The fifteen rolling arrays of win probabilities (Booker 2004, section 7.6.4), and their kin."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum

from railbird.game import Street
from railbird.modelling.opponent_statistics.public_hand import PlayedAction

LEARNED = (PlayedAction.CHECK, PlayedAction.CALL, PlayedAction.RAISE)
"""Actions that have an array; a folded hand is not shown."""


class Stage(IntEnum):
    """Part of a hand that has arrays of its own."""

    ON_BLIND = 0
    """Before the flop, having posted a blind."""
    PREFLOP = 1
    """Before the flop, without a blind."""
    FLOP = 2
    TURN = 3
    RIVER = 4


def stage_of(street: Street, *, on_blind: bool) -> Stage:
    """Return the stage of an action."""
    if street is Street.PREFLOP:
        return Stage.ON_BLIND if on_blind else Stage.PREFLOP
    return Stage(street + 1)


Entry = tuple[float, ...]
"""What one action with shown cards adds."""

Pending = Callable[[], Entry]
"""An entry that is not computed yet."""


class RollingArray:
    """The last entries of a kind, and how many there ever were.

    An entry may be a function of no arguments, which is called when the entry is asked for: most
    players ask for few of the arrays, and an exact probability or rating takes a while.
    """

    __slots__ = ("_given", "_mean", "_memory", "total")

    def __init__(
        self, memory: int, entries: Iterable[Entry | Pending] = (), total: int = 0
    ) -> None:
        self._memory = memory
        self._given: deque[Entry | Pending] = deque(entries, maxlen=memory)
        self.total = max(total, len(self._given))
        self._mean: Entry | None = None

    def __len__(self) -> int:
        return len(self._given)

    @property
    def entries(self) -> list[Entry]:
        """The entries, oldest first."""
        known = [entry if isinstance(entry, tuple) else entry() for entry in self._given]
        self._given = deque(known, maxlen=self._memory)
        return known

    def add(self, entry: Entry | Pending) -> None:
        """Add an entry; the oldest goes if there are too many."""
        self._given.append(entry)
        self.total += 1
        self._mean = None

    def mean(self) -> Entry | None:
        """Return the mean of each number of the entries; None without entries."""
        if self._mean is None and self._given:
            columns = zip(*self.entries, strict=True)
            self._mean = tuple([sum(column) / len(self._given) for column in columns])
        return self._mean

    def as_record(self) -> list[object]:
        """Return the number of entries ever and those that are kept, oldest first."""
        return [self.total, [list(entry) for entry in self.entries]]

    def followed_by(self, later: RollingArray) -> RollingArray:
        """Return the array after the entries of both, this one's first."""
        return RollingArray(self._memory, [*self._given, *later._given], self.total + later.total)

    def since(self, earlier: RollingArray) -> RollingArray:
        """Return what was added after a former state of this array."""
        added = self.total - earlier.total
        kept = list(self._given)[-added:] if added > 0 else []
        return RollingArray(self._memory, kept, max(added, 0))


def read_array(record: Sequence[object], *, width: int, memory: int) -> RollingArray:
    """Return the array of a record. Raises `ValueError` for what cannot be one."""
    total, entries = record
    if not isinstance(total, int) or not isinstance(entries, list) or len(entries) > total:
        raise ValueError(f"array of {total} entries")
    read = [tuple([float(number) for number in entry]) for entry in entries]
    if any(len(entry) != width or not all(abs(n) < _MOST for n in entry) for entry in read):
        raise ValueError(f"entries that are not {width} finite numbers")
    return RollingArray(memory, read, total)


_MOST = 1e18
