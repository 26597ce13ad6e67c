"""The charts before the flop that ship, for tables of two to six seats.

``python release/charts.py FOLDER [SEATS-STACK …]``, such as ``6-100``, solves those that FOLDER
lacks, by default those that ship, for both continuations (`railbird.solve.preflop_seats`); six
seats take some two minutes of a core each. Charts of other sizes or continuations have other names;
without a list, those that nothing asks for any more are deleted.
"""

from __future__ import annotations

import sys
from pathlib import Path

from railbird._files import write_arrays
from railbird.solve.preflop_seats import (
    CHART_DEALS,
    CHART_STACKS,
    blueprint_continuation,
    chart_game,
    charts_file,
    checked_down,
    solve_charts,
)

TABLES = tuple(f"{seats}-{stack}" for stack in CHART_STACKS for seats in (2, 3, 4, 5, 6))


def main(folder: str, *tables: str) -> None:
    """Solve the charts that a folder lacks."""
    wanted = set()
    for table in tables or TABLES:
        seats, stack = map(int, table.split("-"))
        for continuation in (blueprint_continuation(), checked_down()):
            game = chart_game(seats, stack, continuation)
            path = Path(folder) / charts_file(game)
            wanted.add(path.name)
            if path.exists():
                continue

            def progress(done: int, total: int, unit: str, name: str = path.name) -> None:
                sys.stderr.write(f"\r{name}: {done:,} of {total:,} {unit}")

            charts = solve_charts(game, CHART_DEALS, progress)
            write_arrays(path, {"table": charts, "deals": CHART_DEALS}, compressed=True)
            sys.stderr.write("\n")
    if not tables:
        for path in Path(folder).glob("*.npz"):
            if path.name not in wanted:
                path.unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
