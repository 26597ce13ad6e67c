"""Journals and their records: written before any client learns of them, read back after a crash."""

# A journal is the only copy of a game that counts. A record is written before it is applied and
# before anybody is told, so whatever a client has seen can be read back; what was decided and not
# written has never happened. One record is one line of JSON with the type in ``r``: a person can
# read it, and a line is whole exactly if it ends.
#
# `write` returns once the operating system has the line, which survives the death of the process,
# but not a loss of power; `sync` asks for the disk and is called from another thread, since it can
# take longer than a player should wait. A line that was written in part is cut off again, so a full
# disk leaves whole lines. A torn last line can only stem from a crash, and `mend` removes it;
# anything else that cannot be read is damage and is said to be.
#
# Old journals have to stay readable for as long as games last. New fields need a default and new
# kinds of records a name of their own; a field never changes its meaning (``journal`` is the
# version, should it come to that). The file has the seed of the cards and is created for its owner
# alone.
#
# Who would notice: tests/hosting/test_journal.py, which cuts journals everywhere and damages them;
# tests/hosting/test_kill.py.

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, dataclass_transform, get_args

import msgspec
from msgspec import Struct

from railbird.errors import BadInput, DamagedFile, WriteFailed, placed
from railbird.hosting.settings import MOST_JOURNAL_LINE
from railbird.protocol.encoding import UNREADABLE
from railbird.protocol.identity import PlayerKind

# Records of a journal: the accepted events of one game, from which its state is folded.


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a journal; it is checked where it is read, not where it is built."""

    at: int
    """Milliseconds since 1970, UTC."""


class Entrant(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player of a game; records name it by the number of its entry."""

    name: str
    kind: PlayerKind
    version: str = ""
    owner: str = ""
    spec: str = ""
    """Spec in the registry of players if it is a house player; empty for everybody else."""
    account: int = 0
    """Number of the account, to which the seat belongs; 0 for house players, and in journals of
    older versions."""


class Opened(Record, kw_only=True):
    """A tournament, a ring table or a practice table begins."""

    r: Literal["opened"] = "opened"
    journal: Literal[1] = 1
    """Version of the journal's form."""
    kind: Literal["tournament", "ring", "practice"]
    id: str
    format: str
    """Name of the format."""
    settings: str
    """The format as JSON: a resumed game keeps its own, whatever the server offers now."""
    commitment: str
    seed: str
    entrants: tuple[Entrant, ...] = ()
    house_seed: str = ""
    """What house players' draws follow from where the seed is revealed while they play; empty where
    that is `seed`."""
    has_shares: bool = False
    """Whether players' shares are mixed into the seed; not so in journals of older versions."""


class SharedSeed(Record, kw_only=True):
    """A player gives a share of the seed, which counts from the next hand on."""

    r: Literal["shared"] = "shared"
    player: int
    share: str


class Drawn(Record, kw_only=True):
    """The seats of a stage are drawn: tables by number, players clockwise from the button."""

    r: Literal["drawn"] = "drawn"
    stage: int
    first_table: int
    tables: tuple[tuple[int, ...], ...]


class HandDealt(Record, kw_only=True):
    """A hand begins; its cards follow from the seed."""

    r: Literal["dealt"] = "dealt"
    table: int
    hand: int
    seats: tuple[int, ...]
    """Players by seat, the button last."""
    stacks: tuple[int, ...]
    """By seat."""
    small: int
    big: int
    ante: int
    big_blind_ante: int = 0
    blinds: tuple[int, ...] = ()
    """Live posts by seat where there are others than a small and a big blind; else empty."""
    dead: tuple[int, ...] = ()
    """Dead posts by seat for small blinds that were missed; empty where there are none."""


DecidedBy = Literal["player", "clock", "absence"]


class Took(Record, kw_only=True):
    """A seat's action was accepted."""

    r: Literal["took"] = "took"
    table: int
    hand: int
    turn: int
    """Turns of the hand, from 1."""
    action: int
    """-1 fold, 0 call or check, otherwise the total that is bet or raised to; below -2 cards thrown
    away (`railbird.game.code_of_any`)."""
    by: DecidedBy
    ms: int
    """Time that is charged to the player."""
    lag: int = 0
    """Milliseconds of lag that were taken off."""


class Paid(Record, kw_only=True):
    """A hand is over and its chips are paid out."""

    r: Literal["paid"] = "paid"
    table: int
    hand: int
    stacks: tuple[int, ...]
    """By seat, afterwards."""
    cards: tuple[int, ...]
    """All cards of the deal, so that the journal can be checked by itself."""


class CardsShown(Record, kw_only=True):
    """A player shows cards of a hand that is over, by choice."""

    r: Literal["showed"] = "showed"
    table: int
    hand: int
    player: int


class Annulled(Record, kw_only=True):
    """A hand is void: the stacks from before it stand."""

    r: Literal["annulled"] = "annulled"
    table: int
    hand: int
    why: str


class Placed(Record, kw_only=True):
    """Players are knocked out, or the tournament is decided."""

    r: Literal["placed"] = "placed"
    places: tuple[tuple[int, int], ...]
    """Pairs of a player's number and its place."""


class RoundBegun(Record, kw_only=True):
    """All tables have finished a hand and are balanced for the next."""

    r: Literal["round"] = "round"
    tables: tuple[tuple[int, ...], ...]
    """Players clockwise from the next button, by table; empty for a table that was broken."""


class Present(Record, kw_only=True):
    """A player is frozen, sits out, or plays again."""

    r: Literal["present"] = "present"
    player: int
    presence: Literal["here", "frozen", "sitting_out"]
    waits: bool = False
    """Whether whoever is here again waits for the big blind rather than post what is owed."""


class WantsRuns(Record, kw_only=True):
    """A player at a private table would run all-ins twice, or would not any more."""

    r: Literal["runs"] = "runs"
    player: int
    wants: bool


class Joined(Record, kw_only=True):
    """A player takes a chair at a ring table."""

    r: Literal["joined"] = "joined"
    player: int
    entrant: Entrant
    chair: int
    chips: int
    waits: bool = False
    """Whether the player waits for the big blind rather than post one."""


class Bought(Record, kw_only=True):
    """Chips come before a player's next hand; where stacks are filled up, some may go."""

    r: Literal["bought"] = "bought"
    player: int
    chips: int


class StoodUp(Record, kw_only=True):
    """A player has left a ring table."""

    r: Literal["stood_up"] = "stood_up"
    player: int


class Reseeded(Record, kw_only=True):
    """The cards of the next hands come from a new seed, and the one before is revealed."""

    r: Literal["reseeded"] = "reseeded"
    commitment: str
    seed: str


class Resumed(Record, kw_only=True):
    """The server has started again and goes on with this game."""

    r: Literal["resumed"] = "resumed"


class PauseSet(Record, kw_only=True):
    """The operator pauses the game, or lets it go on."""

    r: Literal["pause"] = "pause"
    paused: bool


class Closed(Record, kw_only=True):
    """The game is over."""

    r: Literal["closed"] = "closed"
    void: bool = False
    why: str = ""


AnyRecord = (
    Opened
    | SharedSeed
    | Drawn
    | HandDealt
    | Took
    | Paid
    | CardsShown
    | Annulled
    | Placed
    | RoundBegun
    | Present
    | WantsRuns
    | Joined
    | Bought
    | StoodUp
    | Reseeded
    | Resumed
    | PauseSet
    | Closed
)

# The kind is a field and not the tag of a union: msgspec would write a tag before the time.
_DECODERS = {
    kind.__struct_defaults__[0]: msgspec.json.Decoder(kind, strict=False)
    for kind in get_args(AnyRecord)
}
_ENCODER = msgspec.json.Encoder()


class _Kind(Struct):
    """What every record has."""

    r: str


_KIND = msgspec.json.Decoder(_Kind)


def record_line(record: AnyRecord) -> bytes:
    r"""Return a record as a line.

    >>> record_line(Resumed(at=5))
    b'{"at":5,"r":"resumed"}\n'
    """
    return _ENCODER.encode(record) + b"\n"


def parse_record(line: bytes) -> AnyRecord:
    """Parse a line of a journal. Raises `BadInput` in one sentence for anything else."""
    try:
        kind = _KIND.decode(line).r
        if kind not in _DECODERS:
            raise BadInput(f"r: no record {kind[:40]!r}; allowed: {', '.join(_DECODERS)}")
        record: AnyRecord = _DECODERS[kind].decode(line)
    except UNREADABLE as problem:
        raise BadInput(placed(problem)) from None
    return record


# The journal's file.


SUFFIX = ".journal"


class Journal:
    """One game's records, a JSON object in a line.

    `write` hands a record to the operating system before it returns, so that it survives the end of
    the process; `sync` puts everything on the disk. The file contains the seed of the cards:
    nobody but its owner may read it.
    """

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        self.path = path
        flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC
        try:
            if resume:
                self._file = os.open(path, flags)
            else:
                self._file = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as problem:
            raise WriteFailed(f"{path}: {problem.strerror}") from problem
        self.needs_sync = False
        self.size = os.fstat(self._file).st_size

    def write(self, record: AnyRecord) -> None:
        """Write a record. Raises `WriteFailed`; then none of it counts."""
        line = record_line(record)
        try:
            written = os.write(self._file, line)
            if written < len(line):
                os.ftruncate(self._file, self.size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as problem:
            raise WriteFailed(f"{self.path}: {problem.strerror}") from problem
        self.size += written
        self.needs_sync = True

    def sync(self) -> None:
        """Put everything on the disk. Raises `WriteFailed`."""
        self.needs_sync = False
        try:
            os.fdatasync(self._file)
        except OSError as problem:
            raise WriteFailed(f"{self.path}: {problem.strerror}") from problem

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class JournalTail:
    """The records of a journal that another process writes, as they come."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")

    def read(self, size: int) -> list[AnyRecord]:
        """Return the records since the last call, of a journal that has ``size`` bytes now."""
        lines = self._file.read(max(0, size - self._file.tell())).splitlines()
        return list(map(parse_record, lines))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_journal(path: Path) -> list[AnyRecord]:
    """Read a journal. A torn last line is left out.

    Raises `DamagedFile` for anything else that is no record, `BadInput` if it cannot be read.
    """
    records = [record for record, _ in _records(path)]
    if not records or not isinstance(records[0], Opened):
        raise DamagedFile(f"{path} is no journal: its first line is not that of a game")
    return records


def mend(path: Path) -> list[AnyRecord]:
    """Read a journal and cut a torn last line off, so that records can be appended.

    Returns nothing if even the first line is incomplete: no client knows of that game.
    """
    records, end = [], 0
    for record, after in _records(path):
        records.append(record)
        end = after
    if records and not isinstance(records[0], Opened):
        raise DamagedFile(f"{path} is no journal: its first line is not that of a game")
    with path.open("r+b") as file:
        file.truncate(end)
        os.fsync(file.fileno())
    return records


def _records(path: Path) -> Iterator[tuple[AnyRecord, int]]:
    """Yield the records, each with the offset after its line."""
    try:
        file = path.open("rb")
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem
    with file:
        number, end = 0, 0
        while line := file.readline(MOST_JOURNAL_LINE):
            number += 1
            if not line.endswith(b"\n"):
                if len(line) == MOST_JOURNAL_LINE:
                    raise DamagedFile(
                        f"{path}, line {number}: longer than {MOST_JOURNAL_LINE} bytes"
                    )
                return
            end += len(line)
            try:
                yield parse_record(line), end
            except BadInput as problem:
                raise DamagedFile(f"{path}, line {number}: {problem}") from None
