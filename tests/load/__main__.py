"""Measure a tournament server and print the table beside its goals: ``python -m load [ROW …]``."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from load.cpu_time import cpu_time
from load.rows import (
    FULL,
    LONG,
    SHORT,
    Row,
    Scale,
    at_once,
    database_away,
    enemies,
    newcomer,
    parked,
    practice,
    re_entry,
    spectators,
    thinking,
)

ROWS: Mapping[str, Callable[[Path, Scale], Coroutine[None, None, list[Row]]]] = {
    "thinking": thinking,
    "at-once": at_once,
    "re-entry": re_entry,
    "parked": parked,
    "database-away": database_away,
    "enemies": enemies,
    "practice": practice,
    "spectators": spectators,
    "newcomer": newcomer,
}


def main(arguments: list[str]) -> int:
    """Measure the rows that are named, or all of them; ``--short`` takes a minute."""
    scale = SHORT if "--short" in arguments else FULL
    names = [name for name in arguments if not name.startswith("-")]
    every = ["cpu-time", *ROWS, *LONG]
    if unknown := set(names) - set(every):
        print(f"{', '.join(sorted(unknown))}: allowed: {', '.join(every)}")
        return 2
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    table = Table(
        "what", "goal", "measured", "met", title=f"load {os.getloadavg()[0]:.1f} at the start"
    )
    met = True
    for name in names or every:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="railbird-load-") as folder:
            rows = _measured(name, Path(folder), scale)
        seconds, load = time.monotonic() - began, os.getloadavg()[0]
        print(f"{name}: {seconds:.0f} s, load {load:.1f}", file=sys.stderr)
        for row in rows:
            table.add_row(
                row.what, row.goal, row.found, "yes" if row.is_met else "no", end_section=True
            )
            met = met and row.is_met
    Console(width=140 if not sys.stdout.isatty() else None).print(table)
    return 0 if met else 1


def _measured(name: str, folder: Path, scale: Scale) -> list[Row]:
    if name in LONG:
        return LONG[name](folder)
    if name == "cpu-time":
        return cpu_time(folder, scale)
    return asyncio.run(ROWS[name](folder, scale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
