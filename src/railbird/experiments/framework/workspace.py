"""Where experiments play and score matches: how many hands, from which seed, into which folder."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING

import polars as pl

from railbird._paths import cache_folder
from railbird.arena import Match, MatchResult, Seating, play
from railbird.assessment import assess
from railbird.baseline import STANDARD
from railbird.errors import BadInput, DamagedFile
from railbird.game import HEADS_UP_LIMIT
from railbird.histories import HandRecord, Skipped, read
from railbird.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from railbird.assessment import PreflopValues
    from railbird.baseline import BaselineSettings


COLUMNS = ("number", "seat", "money", "divat")
"""Of `railbird.assessment.Assessment.scores`, what experiments keep of a hand."""

_PIECE = 100_000
"""Hands scored at a time; only `COLUMNS` of earlier ones are kept, so memory stays small."""


def default_folder() -> Path:
    """Where logs are kept that nobody asked for, until their experiment is done."""
    return cache_folder() / "experiments"


@dataclass(frozen=True, slots=True)
class Work:
    """A part of an experiment, for its speed."""

    what: str
    hands: int
    seconds: float

    @property
    def hands_per_s(self) -> float:
        """Hands a second."""
        return self.hands / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """Plays matches into logs, from which an interrupted experiment goes on, and scores them.

    Raises `BadInput` for a scale that is not above zero.
    """

    scale: float = 1.0
    """Hands played over those of the source."""
    seed: int = 0
    workers: int = 1
    """Processes that play, threads that score."""
    folder: Path = field(default_factory=default_folder)
    """Where the logs are."""
    progress: Progress | None = None
    work: list[Work] = field(default_factory=list)
    """What has been done, in order."""
    logs: list[Path] = field(default_factory=list)
    """Of the matches played."""

    def __post_init__(self) -> None:
        if not 0 < self.scale <= 1000:
            raise BadInput(f"scale {self.scale:g}; allowed: above 0, to 1000")

    def hands(self, published: int, *, least: int = 200) -> int:
        """The number of hands to play where the source played ``published``."""
        return max(least, round(published * self.scale))

    def match(
        self,
        first: str,
        second: str,
        deals: int,
        *,
        seating: Seating = Seating.SINGLE,
        seed: int | None = None,
    ) -> Match:
        """A match of heads-up limit; the same seed deals the same cards to any players."""
        return Match(
            players=(first, second),
            rules=HEADS_UP_LIMIT,
            deals=deals,
            seed=self.seed if seed is None else seed,
            seating=seating,
        )

    def play(self, match: Match) -> Path:
        """Play a match to its end, or what its log lacks of it; return the log."""
        self.results(match)
        return self.logs[-1]

    def results(self, match: Match) -> MatchResult:
        """Play a match as `play` does; return what its players won, its log is the last one."""
        log = self.folder / log_name(match)
        result = play(match, log=log, workers=self.workers, progress=self.progress)
        self.work.append(Work("played", match.hands - result.resumed, result.seconds))
        self.logs.append(log)
        return result

    def scores(
        self,
        log: Path,
        match: Match,
        *,
        settings: BaselineSettings = STANDARD,
        values: Callable[[BaselineSettings], PreflopValues] | None = None,
        hands: int | None = None,
    ) -> pl.DataFrame:
        """Score the first ``hands`` of a match from the side of its first player, `COLUMNS`."""
        total = match.hands if hands is None else min(hands, match.hands)
        started = time.perf_counter()
        records = islice(read(log), total)
        parts: list[pl.DataFrame] = []
        done = 0
        for piece in pieces(records, _PIECE):
            found = assess(
                piece,
                settings=settings,
                player=match.names[0],
                values=values,
                threads=self.workers,
                progress=self._after(done, total),
            )
            if found.skipped:
                raise DamagedFile(f"{log}: {sum(found.skipped.values())} hands cannot be scored")
            parts.append(found.scores.select(COLUMNS))
            done += found.hands
        self.work.append(Work("scored", done, time.perf_counter() - started))
        return pl.concat(parts)

    def tell(self, done: int, total: int, what: str) -> None:
        """Report progress, if anyone listens."""
        if self.progress is not None:
            self.progress(done, total, what)

    def discard_logs(self) -> None:
        """Delete the logs of the matches played."""
        while self.logs:
            self.logs.pop().unlink(missing_ok=True)

    def _after(self, before: int, total: int) -> Progress:
        """Count the hands of a piece on from those before it; pass on what tables report."""

        def tell(done: int, of: int, what: str) -> None:
            if what == "hands":
                self.tell(before + done, total, "scoring")
            else:
                self.tell(done, of, what)

        return tell


def log_name(match: Match) -> str:
    """File name of a match's log.

    >>> log_name(Workspace().match("random", "baseline:flop=tight-low", 50))
    'random-v-baseline-flop-tight-low-50-seed-0.log'
    """
    if match.rules.seats > 2:
        digest = hashlib.sha256("|".join(match.players).encode()).hexdigest()[:12]
        who = f"{match.rules.seats}-seats-{digest}-by-{match.chunk}"
    else:
        who = "-v-".join(re.sub(r"[^a-z0-9.]+", "-", name.lower()) for name in match.players)
    how = "" if match.seating is Seating.SINGLE else f"-{match.seating.value}"
    return f"{who}{how}-{match.deals}-seed-{match.seed}.log"


def pieces(
    records: Iterator[HandRecord | Skipped], size: int
) -> Iterator[Iterator[HandRecord | Skipped]]:
    """Cut a stream into pieces without holding any; each is to be used up before the next."""
    for first in records:
        yield chain([first], islice(records, size - 1))
