"""Running a series in parts: here or in worker processes, into a log, resuming where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from railbird._display import ByPlayer
from railbird.arena._warm import compile_loops
from railbird.arena.fault_policy import FaultTally
from railbird.arena.guarded_player import ended
from railbird.arena.jobs.interruption_message import stopped
from railbird.arena.jobs.start_checks import check_workers, reporter
from railbird.arena.names import PlayerLike
from railbird.arena.result_hands import NOT_KEPT, KeptHands, logged_hands
from railbird.arena.series.log import SegmentT, SeriesFormat, hands_text, open_series_log
from railbird.errors import PlayerFault
from railbird.histories import HandRecord
from railbird.histories.columns import HandBatch, PackedHands, Piece, batch_of, pack
from railbird.jobs.scheduler import in_order
from railbird.progress import Progress

SegmentT_co = TypeVar("SegmentT_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesResult(ByPlayer, Generic[SegmentT]):
    """Results of a series, part by part."""

    parts: tuple[SegmentT, ...]
    """The parts, without their hands."""
    resumed: int
    """Parts that were already in the log."""
    seconds: float
    """Time taken by the others, including the start of workers and compilation."""
    kept: KeptHands = field(default=NOT_KEPT, repr=False, compare=False)

    def batches(self) -> Iterator[HandBatch]:
        """Return the hands as columns: those kept, or else those of the log; see `KeptHands`."""
        return self.kept.batches()

    @property
    def hands(self) -> int:
        """Hands in all parts."""
        return sum(part.hands for part in self.parts)

    @property
    def hands_per_s(self) -> float:
        """Hands played in this run per second."""
        played = sum(part.hands for part in self.parts[self.resumed :])
        return played / self.seconds if self.seconds > 0 else 0.0

    def faults(self, player: int) -> FaultTally:
        """Return a player's faults in all parts."""
        tally = FaultTally()
        for part in self.parts:
            tally.add(part.faults[player])
        return tally


def play_series(
    job: Callable[[], SegmentPlayer[SegmentT]],
    count: int,
    kind: SeriesFormat[SegmentT],
    *,
    players: Sequence[PlayerLike],
    log: Path | None,
    keep: bool,
    workers: int,
    on: str | None,
    progress: Progress | None,
) -> SeriesResult[SegmentT]:
    """Play a series, or the part that its log lacks; see `railbird.arena.play`.

    Raises `BadInput` for players or a log that cannot be used, `Interrupted` on Ctrl-C and
    `PlayerFault` at the first fault of a strict policy (what the log has by then stays),
    `RailbirdError` if workers keep dying.
    """
    check_workers(workers, on, players)
    player = job()
    started = time.perf_counter()
    with ExitStack() as stack:
        stack.enter_context(ended(player))
        writer, resumed = None, list[SegmentT]()
        if log is not None:
            writer, resumed = stack.enter_context(open_series_log(log, kind))
            del resumed[count:]
        todo = range(len(resumed), count)
        fresh = in_order(
            player,
            job,
            [todo],
            workers=max(1, min(workers, todo.stop - todo.start)),
            on=on if todo else None,
            prepare=compile_loops,
        )
        stack.enter_context(closing(fresh))
        parts: list[SegmentT] = []
        pieces: list[Piece] = []
        tell = reporter(count, f"playing {kind.part}s", progress)
        try:
            for part in chain(resumed, fresh):
                if writer is not None and part.index >= len(resumed):
                    writer.append(part)
                if part.kept is not None:
                    pieces.append(part.kept)
                parts.append(part.with_hands(b"", None))
                tell(len(parts))
        except (KeyboardInterrupt, PlayerFault) as problem:
            raise stopped(problem, len(parts), count, f"{kind.part}s", log) from None
    before = sum(part.hands for part in parts[: len(resumed)])
    if keep and log is not None and before:
        pieces[:0] = map(pack, logged_hands(log, before))
    kept = KeptHands(sum(part.hands for part in parts), log, PackedHands(pieces) if keep else None)
    seconds = time.perf_counter() - started
    return SeriesResult(parts=tuple(parts), resumed=len(resumed), seconds=seconds, kept=kept)


class SegmentTable(Protocol[SegmentT_co]):
    """Players who can play any segment of a series."""

    def play(self, index: int) -> tuple[SegmentT_co, list[HandRecord]]:
        """Play one segment; its hands in the order of play."""

    def rollback(self) -> None:
        """Let the players forget the segment that is not over."""

    def close(self) -> None:
        """Let the players end."""


class SegmentPlayer(Generic[SegmentT]):
    """Player of segments by number; created once in every process."""

    def __init__(self, table: SegmentTable[SegmentT], *, logged: bool, kept: bool) -> None:
        self._table = table
        self._logged = logged
        self._kept = kept

    def play(self, index: int) -> SegmentT:
        """Play one segment, with its hands where they are logged or kept."""
        segment, hands = self._table.play(index)
        text = hands_text(index, hands) if self._logged else b""
        return segment.with_hands(text, pack(batch_of(hands)) if self._kept else None)

    def rollback(self) -> None:
        """Let the players forget the segment that is not over."""
        self._table.rollback()

    def close(self) -> None:
        """Let the players end."""
        self._table.close()
