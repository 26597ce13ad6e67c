"""Partiality between accounts, for operators: favours of two players to each other.

It is computed in a process of its own, which compiles and calculates for as long as it needs while
the tables play on, and says how far it is.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from railbird.errors import RailbirdError
from railbird.hosting.house_game import is_over, phh
from railbird.hosting.journal import SUFFIX, read_journal
from railbird.hosting.supervisor import Supervisor
from railbird.serve.jobs import Process, ProcessGone
from railbird.serve.report_jobs import WORKER, ReportSettings, progress_words
from railbird.storage.database import now

MOST_GAMES: Final = 1000
NEWEST_GAMES: Final = 100
"""Games that are looked at unless an operator asks for another number."""
LEAST_HANDS: Final = 100
"""Hands that a pair must have been dealt together unless an operator asks for another number."""
_SECONDS: Final = 300.0
"""Longest calculation, the compilation at a first use included."""

READING: Final = (
    "A pair's value is what each gives the other by its decisions, less what it gives the others "
    "on average, both added, in big blinds a hand. It is no proof of anything: honest players of "
    "different styles give unequally too, and two who only play softly do not show."
)

FREQUENT: Final = (
    "Owners who meet each other so often, and others so seldom, that their next rated result "
    "counts for the part given as weight, or one of whom is a newcomer, who has met hardly anybody "
    "else, while the other meets newcomers that often. It is no proof of anything: two friends do "
    "so as well as two who trade wins."
)


class Partialities:
    """The newest finished games of a server, measured one time after another."""

    def __init__(self, journal: Path, supervisor: Supervisor) -> None:
        self._done = journal / "done"
        self._supervisor = supervisor
        self._task: asyncio.Task[None] | None = None
        self.is_measuring = False
        self.progress = ""
        """How far a measurement is, in words."""
        self.latest: dict[str, Any] = {}
        """What the last measurement for the pages has found; empty before the first."""
        self.measured_at: datetime | None = None

    def begin(self) -> None:
        """Measure for the pages, unless something is being measured."""
        if not self.is_measuring:
            self.is_measuring, self.progress = True, ""
            self._task = self._supervisor.run("partiality", self._keep())
            self._task.add_done_callback(self._ended)

    def give_up(self) -> None:
        """End what is being measured for the pages."""
        if self._task is not None:
            self._task.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():  # it may not have begun
            self.is_measuring = False

    async def _keep(self) -> None:
        self.latest = await self.measured(NEWEST_GAMES, LEAST_HANDS)
        self.measured_at = now()

    async def measured(self, games: int, least_hands: int) -> dict[str, Any]:
        """Return the pairs of the newest finished games, the largest first, or why there are none.

        Pairs that were dealt fewer than ``least_hands`` hands together are left out.
        """
        self.is_measuring, self.progress = True, "reading the newest games"
        count, nothing = 0, {"games": 0, "hands": 0, "pairs": []}
        try:
            with tempfile.TemporaryDirectory(prefix="railbird-partiality-") as temporary:
                log = Path(temporary) / "hands.phhs"
                count = await asyncio.to_thread(_write, self._done, games, log)
                if not log.stat().st_size:
                    return {**nothing, "problem": "no finished game."}
                async with asyncio.timeout(_SECONDS):
                    answer = await self._assessed(log)
        except TimeoutError:
            return {**nothing, "problem": f"{count} games took longer than {_SECONDS:g} s."}
        except ProcessGone:
            return {**nothing, "problem": f"{count} games took too much time or memory."}
        finally:
            self.is_measuring, self.progress = False, ""
        if "problem" in answer:
            return {**nothing, "problem": f"{answer['problem']}."}
        report = answer["report"]
        pairs = [pair for pair in report.get("partiality", []) if pair["n"] >= least_hands]
        return {"games": count, "hands": report.get("hands"), "pairs": pairs, "reading": READING}

    async def _assessed(self, log: Path) -> dict[str, Any]:
        """Return the last word of a process that assesses a log. Raises `ProcessGone`."""
        limits = ReportSettings()
        asked = {
            "path": str(log),
            "player": None,
            "known": {},
            "assess": {"game": None, "player": None, "league": False},
            "only_results": False,
            "night": False,
            "memory": limits.memory,
            "cpu_s": round(_SECONDS),
            "nice": limits.nice,
        }
        async with await Process.start(WORKER, asked, folder=log.parent) as worker:
            while "progress" in (heard := await worker.hear()):
                self.progress = progress_words(*heard["progress"])
            return heard


def _write(done: Path, games: int, log: Path) -> int:
    """Write the hands of the newest finished games to a file; return how many games there were."""
    paths = sorted(done.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    count = 0
    with log.open("w", encoding="utf-8") as file:
        for path in paths[:games]:
            with suppress(RailbirdError):
                records = read_journal(path)
                if is_over(records):
                    file.writelines(phh(records))
                    count += 1
    return count
