"""Runs a match of any hold'em: here or in workers, with or without a log, resumable.

`series` runs ring games and tournaments.

Chunks are independent (see `Match`), so workers play them in any order (`railbird.jobs.scheduler`).
If a worker dies, another one replays its chunk.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird._display import ByPlayer
from railbird.arena._warm import compile_loops
from railbird.arena.guarded_player import FaultTally
from railbird.arena.job_log import LogEntry, LogFormat, open_part_log, plain
from railbird.arena.match import Match
from railbird.arena.match_chunks import Chunk, ChunkJob, ChunkPlayer, Loop
from railbird.arena.names import parse_entrant
from railbird.arena.run import Run
from railbird.cards import HOLDEM
from railbird.errors import BadInput, DamagedFile
from railbird.estimates.estimate import Estimate, ResultUnit, estimate
from railbird.game import Rules, acpc_rules
from railbird.histories import HandRecord, game_spec, read_columns
from railbird.histories.columns import HandBatch, PackedHands, Piece, batches_of, pack
from railbird.progress import Progress

# The hands of a result: kept as columns, or in its log.


@dataclass(frozen=True, slots=True, eq=False)
class KeptHands:
    """Hands of a result, in memory or at the beginning of a log."""

    count: int = 0
    log: Path | None = None
    packed: PackedHands | None = None

    def batches(self) -> Iterator[HandBatch]:
        """Return the hands as columns, in order.

        Raises `BadInput` if they are neither kept nor in a log, and `DamagedFile` if the log has
        changed.
        """
        if self.packed is not None:
            return self.packed.batches()
        if self.log is not None:
            return logged_hands(self.log, self.count)
        raise BadInput("the hands were not kept; allowed: keep=True in playing them, or a log")


NOT_KEPT: Final = KeptHands()


def logged_hands(log: Path, count: int) -> Iterator[HandBatch]:
    """Read the first hands of the arena's log. Raises `DamagedFile` if it has changed."""
    for batch, skipped in batches_of(read_columns(log)):
        if count and skipped:
            raise DamagedFile(f"{log} has changed since its hands were played")
        yield batch.rows(range(min(len(batch), count)))
        count -= min(len(batch), count)
        if not count:
            return
    raise DamagedFile(f"{log} has {count} hands fewer than were played")


# The result of a match: the chips won on each deal, and estimates from these.


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult(ByPlayer):
    """The payoffs and faults of a match."""

    match: Match
    payoffs: NDArray[np.float64]
    """Chips won, shape (directions, deals, players)."""
    faults: tuple[FaultTally, ...]
    """By player."""
    resumed: int
    """Hands that were already in the log."""
    seconds: float
    """Time taken by the other hands, including starting workers and compiling."""
    kept: KeptHands = field(default=NOT_KEPT, repr=False, compare=False)

    def batches(self) -> Iterator[HandBatch]:
        """Return the hands as columns, for `railbird.assessment.assess` and statistics.

        They were kept by `railbird.arena.play`, or else are read from the log. Raises the
        errors of `KeptHands.batches`, and `BadInput` in other games than hold'em.
        """
        self.match.rules.check_holdem("columns of hands")
        return self.kept.batches()

    @property
    def hands_per_s(self) -> float:
        """Hands played in this run per second; 0 if the log was complete."""
        return (self.match.hands - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    def per_deal(self, player: int) -> NDArray[np.float64]:
        """Return the chips won by a player on each deal, averaged over the directions.

        These are a match's independent values: in a duplicate match the hands of one deal are
        dependent, so a standard error computed from single hands would be wrong.
        """
        chips: NDArray[np.float64] = self.payoffs[:, :, player].mean(axis=0)
        return chips

    @property
    def unit(self) -> ResultUnit:
        """Unit of the winnings."""
        return self.match.rules.result_unit

    def money(self, player: int) -> Estimate:
        """Estimate a player's winnings per hand, in `unit`, from the deals."""
        return estimate(self.per_deal(player) / self.match.rules.chips_per_unit, unit=self.unit)

    @property
    def raked(self) -> float:
        """Return the rake of all hands, in `unit`."""
        return float(0 - self.payoffs.sum()) / self.match.rules.chips_per_unit

    def as_json(self, log: Path | None = None) -> dict[str, Any]:
        """Return the output of `railbird match --json`; ``log`` is the file of the hands."""
        rake, variant = self.match.rules.rake, self.match.rules.variant
        return {
            "hands": self.match.hands,
            "seed": self.match.seed,
            **({} if variant is HOLDEM else {"variant": variant.name}),
            "unit": self.unit,
            "rake": None if rake is None else str(rake),
            f"raked_{self.unit}": self.raked if rake is not None else 0.0,
            "hands_per_s": self.hands_per_s,
            "log": None if log is None else str(log),
            "players": {
                name: {
                    "spec": self.match.specs[player],
                    "money": self.money(player).as_json(),
                    "faults": self.faults[player].as_json(),
                }
                for player, name in enumerate(self.match.names)
            },
        }

    @classmethod
    def of(
        cls,
        match: Match,
        chunks: Iterable[Chunk],
        *,
        resumed: int,
        seconds: float,
        kept: KeptHands = NOT_KEPT,
    ) -> MatchResult:
        """Combine the chunks of a match into its result."""
        chunks = list(chunks)
        faults = tuple(FaultTally() for _ in match.players)
        for chunk in chunks:
            for total, tally in zip(faults, chunk.faults, strict=True):
                total.add(tally)
        return cls(
            match=match,
            payoffs=np.concatenate([chunk.payoffs for chunk in chunks], axis=1),
            faults=faults,
            resumed=resumed,
            seconds=seconds,
            kept=kept,
        )


# The log of a match is an ACPC log, written in whole chunks, with the comments of a `LogFormat`.
# Games that the ACPC format cannot express are written as PHHS.


VERSION = 1


def match_log(match: Match) -> LogFormat[Chunk]:
    """Return the format of this match's log.

    Raises `BadInput` for rules whose ACPC log could not be read back.
    """
    return LogFormat(
        title="match",
        job="match",
        part="chunk",
        first=0,
        names=match.names,
        identity=_identity(match),
        game=_game(match.rules, match.seed) if match.rules.variant is HOLDEM else b"",
        said=partial(_said, match),
        read=partial(_chunk, match),
    )


def _said(match: Match, chunk: Chunk) -> dict[str, Any]:
    deals = match.deals_of(chunk.index)
    return {"deals": [deals.start, deals.stop]}


def _chunk(match: Match, entry: LogEntry) -> Chunk:
    """Read a chunk back from a log."""
    first, end = entry.result["deals"]
    if end > match.deals:
        raise BadInput(
            f"{entry.where} has deals {first} to {end - 1}, beyond a match of {match.deals}; "
            "name another file, or begin it anew (--force)"
        )
    if end < match.deals_of(entry.index).stop:
        raise BadInput(
            f"{entry.where} ends with deal {end - 1}, within a chunk of {match.chunk:,}: a match "
            "of more deals cannot go on from there; name another file, or begin it anew (--force)"
        )
    return Chunk(entry.index, _payoffs(match, entry.index, entry.text), entry.faults)


def _payoffs(match: Match, index: int, text: bytes) -> NDArray[np.float64]:
    """Return the payoffs (directions, deals, players) in the text of a chunk."""
    deals, directions = match.deals_of(index), range(match.directions)
    shape = (match.directions, len(deals), match.rules.seats)
    if match.rules.variant is HOLDEM:
        # Only the payoffs are read, not the hands: resuming a long match would take as long as
        # playing it.
        fields = [line.split(b":", 5)[4].split(b"|") for line in text.splitlines()]
        by_seat = np.array(fields, np.float64).reshape(shape)
    else:
        starts, ends = (
            np.array([json.loads(row) for row in rows.findall(text)], np.float64)
            for rows in _STACKS
        )
        by_seat = (ends - starts).reshape(shape)
    seated = np.stack([match.seatings(deals, direction) for direction in directions])
    by_player = np.empty(shape)
    np.put_along_axis(by_player, seated, by_seat, axis=-1)
    return by_player


_STACKS: Final = tuple(
    re.compile(rb"^%s = (\[.*\])$" % name, re.MULTILINE)
    for name in (b"starting_stacks", b"finishing_stacks")
)
"""Lines of PHH with the stacks before and after a hand."""


def _identity(match: Match) -> dict[str, Any]:
    return {
        "version": VERSION,
        "players": [parse_entrant(player).as_json() for player in match.players],
        "rules": plain(match.rules.as_fields()),
        "seed": match.seed,
        "seating": match.seating.value,
        "dealing": match.dealing.value,
        "chunk": match.chunk,
        "faults": plain(match.faults.as_json()),
    }


def _game(rules: Rules, seed: int) -> bytes:
    """Return the comment that names the log's game for its readers."""
    if acpc_rules(rules) != rules:
        raise BadInput(
            "a log is played by the ACPC's rules: odd chips split, short all-ins reopen the betting"
        )
    return f"# name/game/hands/seed railbird {game_spec(rules)} - {seed}\n".encode()


# The run.


Until = Callable[[Chunk], bool]
"""A stopping rule: called with a match's chunks in order, it returns True to stop."""


class MatchRun:
    """A match in progress: its chunks so far."""

    def __init__(
        self,
        match: Match,
        *,
        log: Path | None,
        logged: int,
        until: Until | None,
        keep: bool = False,
    ) -> None:
        """Begin with a log that already has ``logged`` chunks."""
        self._match = match
        self._log = log
        self._logged = logged
        self._keep = keep
        self._until = until
        self._chunks: list[Chunk] = []
        self._started = time.perf_counter()

    @property
    def hands(self) -> int:
        """Hands so far."""
        chunks, match = len(self._chunks), self._match
        return min(chunks * match.chunk, match.deals) * match.directions

    def take(self, chunk: Chunk) -> bool:
        """Add the next chunk, logged or newly played; return whether the match is over."""
        self._chunks.append(chunk.without_text())
        stops = self._until is not None and self._until(chunk)
        return stops or len(self._chunks) == self._match.chunks

    def result(self) -> MatchResult:
        """Return the result; if the match was stopped, that of a correspondingly shorter match."""
        match = self._match
        played = replace(match, deals=match.deals_of(len(self._chunks) - 1).stop)
        resumed = min(self._logged * match.chunk, played.deals) * match.directions
        return MatchResult.of(
            played,
            self._chunks,
            resumed=resumed,
            seconds=time.perf_counter() - self._started,
            kept=KeptHands(
                played.hands,
                self._log,
                PackedHands(self._pieces(resumed)) if self._keep else None,
            ),
        )

    def _pieces(self, resumed: int) -> Iterator[Piece]:
        """Yield the hands of the match: first those from the log, then those just played."""
        if self._log is not None and resumed:
            yield from map(pack, logged_hands(self._log, resumed))
        # A chunk's first line in the log follows two header lines and the earlier chunks, each with
        # its footer.
        lines = self._match.chunk * self._match.directions + 1
        for chunk in self._chunks:
            if chunk.hands is not None:
                first = 3 + chunk.index * lines
                placed = self._log is not None
                yield chunk.hands.placed(str(self._log), first) if placed else chunk.hands


@checked
def play(
    match: Match,
    *,
    log: Path | str | None = None,
    workers: int = 1,
    on: str | None = None,
    loop: Loop = Loop.AUTO,
    until: Until | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match, or the part that its log lacks.

    The log and the results are the same for any number of workers and for either loop. With one
    worker everything is played in this process, unless ``on`` names a Ray cluster: its address, or
    ``ray`` for one on this machine. Workers import the script that starts them, so a script must
    make this call under ``if __name__ == "__main__":``.

    ``until`` is called with every chunk in order, beginning with those of the log; the match ends
    when it returns True. The result is then that of the shorter match that was played, and the log
    is a prefix of the full one.

    With ``keep`` the result has the hands as columns (`MatchResult.batches`), at some forty bytes a
    hand in heads-up limit; `railbird.assessment.assess` then takes the result.

    Raises `BadInput` for players or a log that cannot be used, `Interrupted` on Ctrl-C,
    `PlayerFault` at the first fault under a strict policy, and `RailbirdError` if workers keep
    dying or import an unguarded script. What has been logged stays in the log.
    """
    log = None if log is None else Path(log)
    run = Run(
        job=partial(ChunkPlayer, ChunkJob(match, loop, logged=log is not None, kept=keep)),
        players=match.players,
        numbers=range(match.chunks),
        title="playing",
        total=match.hands,
        unit="hands",
        log=partial(open_part_log, log, partial(match_log, match)),
        path=log,
        prepare=compile_loops,
    )
    with run.going(workers=workers, on=on, progress=progress) as going:
        match_run = MatchRun(match, log=log, logged=len(going.logged), until=until, keep=keep)
        for chunk in going.pieces:
            over = match_run.take(chunk)
            going.tell(match_run.hands)
            if over:
                break
    return match_run.result()


@checked
def hands(match: Match, *, loop: Loop = Loop.AUTO) -> Iterator[HandRecord]:
    """Yield the hands of a match as records, played on demand, the same as in its log.

    Nothing is kept: a match of any length needs only the memory of a chunk. Raises `BadInput` for
    unusable players.
    """
    table = ChunkPlayer(ChunkJob(match, loop, logged=False))
    return _hands(table, match.chunks)


def _hands(table: ChunkPlayer, chunks: int) -> Iterator[HandRecord]:
    with closing(table):
        yield from chain.from_iterable(map(table.records, range(chunks)))
