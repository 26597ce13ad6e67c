"""Playing and scoring an experiment's matches, with a scale, a seed and a folder for logs."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import polars as pl

from railbird.arena import Match, MatchResult, Seating, play
from railbird.arena.match_runner import logged_hands
from railbird.assessment import assess
from railbird.baseline import STANDARD
from railbird.errors import BadInput, DamagedFile
from railbird.extending import cache_folder, checked, replace_files
from railbird.game import HEADS_UP_LIMIT
from railbird.histories.columns import HandBatch
from railbird.progress import Progress

if TYPE_CHECKING:
    from railbird.assessment import PreflopValues
    from railbird.baseline import BaselineSettings

PartT = TypeVar("PartT")
"""The result of a part of an experiment: a value that survives JSON."""

COLUMNS = ("number", "seat", "money", "divat", "dcash", "position")
"""Columns of `railbird.assessment.Assessment.scores` that experiments keep."""

PIECE = 100_000
"""Hands scored at a time."""


def default_folder() -> Path:
    """Return the folder for logs that are deleted after their experiment."""
    return cache_folder() / "experiments"


def write_whole(path: Path, content: bytes | Callable[[BinaryIO], object]) -> None:
    """Write a file of results completely or not at all, and create its folder.

    Raises `BadInput` if it cannot be written.
    """
    replace_files({path: content})


@dataclass(frozen=True, slots=True)
class Work:
    """A part of an experiment and the time it took."""

    what: str
    hands: int
    seconds: float

    @property
    def hands_per_s(self) -> float:
        """Hands per second."""
        return self.hands / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A finished match and the path of its log."""

    match: Match
    log: Path
    result: MatchResult


class Workspace:
    """Plays matches into logs, from which an interrupted experiment resumes, and scores them.

    ``scale`` is the ratio of hands played to those of the source, ``workers`` the number of
    processes for playing and of threads for scoring, ``folder`` the folder of the logs, ``data``
    hands for the experiments that assess given ones. Raises `BadInput` for a scale that is not
    positive.
    """

    @checked
    def __init__(
        self,
        *,
        scale: float = 1.0,
        seed: int = 0,
        workers: int = 1,
        folder: Path | str | None = None,
        data: Path | str | None = None,
        progress: Progress | None = None,
    ) -> None:
        if not 0 < scale <= 1000:
            raise BadInput(f"scale {scale:g}; allowed: above 0, to 1000")
        self.scale, self.seed, self.workers = scale, seed, workers
        self.folder = default_folder() if folder is None else Path(folder)
        self.data = None if data is None else Path(data)
        self.progress = progress
        self._work: list[Work] = []
        self._logs: list[Path] = []

    @property
    def work(self) -> tuple[Work, ...]:
        """The parts done, in order."""
        return tuple(self._work)

    def record(self, work: Work) -> None:
        """Add a part of an experiment that was not done by this workspace."""
        self._work.append(work)

    def hands(self, published: int, *, least: int = 200) -> int:
        """Return the number of hands to play if the source played ``published``."""
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
        """Return a heads-up limit match; the same seed deals the same cards to any players."""
        return Match(
            players=(first, second),
            rules=HEADS_UP_LIMIT,
            deals=deals,
            seed=self.seed if seed is None else seed,
            seating=seating,
        )

    def play(self, match: Match) -> PlayedMatch:
        """Play a match, or the part that its log lacks."""
        log = self.results_file(log_name(match))
        result = play(match, log=log, workers=self.workers, progress=self.progress)
        self.record(Work("played", match.hands - result.resumed, result.seconds))
        return PlayedMatch(match=match, log=log, result=result)

    def scores(
        self,
        played: PlayedMatch,
        *,
        settings: BaselineSettings = STANDARD,
        values: Callable[[BaselineSettings], PreflopValues] | None = None,
        hands: int | None = None,
        piece: int = PIECE,
        more: Sequence[str] = (),
    ) -> pl.DataFrame:
        """Return `COLUMNS` of the first ``hands`` of a match, scored for its first player.

        Hands are scored ``piece`` at a time and only `COLUMNS` and ``more`` are kept, to save
        memory. Raises `DamagedFile` for a hand that cannot be scored.
        """
        match = played.match
        total = match.hands if hands is None else min(hands, match.hands)
        started = time.perf_counter()
        parts: list[pl.DataFrame] = []
        done = 0
        for some in pieces(played.log, total, piece):
            assessment = assess(
                [some],
                settings=settings,
                player=match.names[0],
                values=values,
                threads=self.workers,
                progress=self._after(done, total),
            )
            if assessment.skipped:
                skipped = sum(assessment.skipped.values())
                raise DamagedFile(f"{played.log}: {skipped} hands cannot be scored")
            parts.append(assessment.scores.select(*COLUMNS, *more))
            done += assessment.hands
        self.record(Work("scored", done, time.perf_counter() - started))
        return pl.concat(parts)

    def results_file(self, name: str) -> Path:
        """Return the path of a file of results, which is discarded as the logs are."""
        path = self.folder / name
        self._logs.append(path)
        return path

    def kept(self, key: str, compute: Callable[[], PartT]) -> PartT:
        """Return a part of an experiment's results, computed once and kept beside the logs.

        ``key`` names the part and everything on which it depends except the seed. The value must
        survive JSON: texts, numbers, truth values, lists, and mappings from texts. Raises
        `DamagedFile` for a file that holds something else.
        """
        path = self._part_file(key, "json")
        value: PartT
        if path.exists():
            try:
                value = json.loads(path.read_bytes())
            except (OSError, ValueError) as problem:
                raise DamagedFile(f"{path}: {problem}; delete it to compute it again") from None
            return value
        text = json.dumps(compute())
        write_whole(path, text.encode())
        value = json.loads(text)
        return value

    def kept_table(self, key: str, compute: Callable[[], pl.DataFrame]) -> pl.DataFrame:
        """Return a part that is a table, as `kept` does with values."""
        path = self._part_file(key, "parquet")
        if path.exists():
            try:
                return pl.read_parquet(path)
            except (OSError, pl.exceptions.PolarsError) as problem:
                raise DamagedFile(f"{path}: {problem}; delete it to compute it again") from None
        table = compute()
        write_whole(path, table.write_parquet)
        return table

    def _part_file(self, key: str, form: str) -> Path:
        name = re.sub(r"[^a-z0-9.]+", "-", key.lower()).strip("-")
        return self.results_file(f"{name}-seed-{self.seed}.{form}")

    @property
    def has_files(self) -> bool:
        """Whether a file has played hands, from which an experiment resumes."""
        return any(path.exists() for path in self._logs)

    def tell(self, done: int, total: int, what: str) -> None:
        """Report progress, if there is a callback."""
        if self.progress is not None:
            self.progress(done, total, what)

    def discard_logs(self) -> None:
        """Delete the logs of the matches played."""
        while self._logs:
            self._logs.pop().unlink(missing_ok=True)

    def _after(self, before: int, total: int) -> Progress:
        """Return a callback that continues earlier pieces' count and passes on that of tables."""

        def tell(done: int, of: int, what: str) -> None:
            if what == "hands":
                self.tell(before + done, total, "scoring")
            else:
                self.tell(done, of, what)

        return tell


def log_name(match: Match) -> str:
    """Return the file name of a match's log.

    >>> log_name(Workspace().match("random", "baseline:flop=tight-low", 50))
    'random-v-baseline-flop-tight-low-50-seed-0.log'
    """
    if match.rules.seats > 2:
        digest = hashlib.sha256("|".join(match.names).encode()).hexdigest()[:12]
        who = f"{match.rules.seats}-seats-{digest}-by-{match.chunk}"
    else:
        who = "-v-".join(re.sub(r"[^a-z0-9.]+", "-", name.lower()) for name in match.names)
    how = "" if match.seating is Seating.SINGLE else f"-{match.seating.value}"
    return f"{who}{how}-{match.deals}-seed-{match.seed}.log"


def pieces(log: Path, count: int, size: int) -> Iterator[HandBatch]:
    """Read the first hands of a log, at most ``size`` at a time."""
    for hands in logged_hands(log, count):
        for first in range(0, len(hands), size):
            yield hands.rows(range(first, min(first + size, len(hands))))
