"""A process that makes one person's report, or an assessment, within limits, and ends.

`railbird.serve.spots_worker` is the process that solves spots.

It reads one line of JSON from standard input, ``{"path", "player", "known", "assess", "memory",
"cpu_s", "nice"}``, and writes lines of JSON: ``progress``, and at last ``report``, ``whose`` or
``problem``. With ``assess``, the arguments of `railbird.report.play_data.assessed`, the report is
its answer.
Uploads are parsed here, so no upload can take the server's memory or time.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from railbird._programs import limit_process

_PAUSE_S = 0.3
"""Least time between two lines of progress."""


def main() -> None:
    """Make the report that standard input asks for."""
    asked = json.loads(sys.stdin.readline())
    os.nice(asked["nice"])
    limit_process(memory=asked["memory"], cpu_s=asked["cpu_s"])
    lines = _LinesOfJson()
    try:
        from railbird.errors import RailbirdError
        from railbird.report.play_data import WhoseLog, assessed, made_report

        try:
            path, player, known = asked["path"], asked["player"], asked["known"]
            if asked["assess"] is None:
                lines.say(report=made_report(path, player, lines.progress, known=known))
            else:
                lines.say(report=assessed(path, lines.progress, **asked["assess"]))
        except WhoseLog as unknown:
            lines.say(whose=unknown.names)
        except RailbirdError as problem:
            lines.say(problem=str(problem).replace(asked["path"], "the file"))
    except MemoryError:
        lines.say(problem="this takes more memory than a report may have; upload fewer hands")


class _LinesOfJson:
    """Lines of JSON for the server."""

    def __init__(self) -> None:
        self._next = 0.0

    def say(self, **line: Any) -> None:
        """Write a line."""
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    def progress(self, done: int, total: int, what: str) -> None:
        """Write how far it is, not too often."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PAUSE_S
            self.say(progress=[done, total, what if "/" not in what else "reading"])


if __name__ == "__main__":
    main()
