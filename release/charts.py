"""The charts before the flop that ship, for tables of two to six seats with 100 big blinds.

``python release/charts.py FOLDER [SEATS …]`` solves those that FOLDER lacks, for both continuations
(`railbird.solve.preflop_seats`); six seats take some two minutes of a core each. Charts of other
sizes or continuations have other names; without SEATS, those that nothing asks for any more are
deleted.
"""

from __future__ import annotations

import sys
from pathlib import Path

from railbird._files import write_arrays
from railbird.solve.preflop_seats import (
    CHART_OPENS,
    SHIPPED_DEALS,
    SeatsGame,
    blueprint_continuation,
    charts_file,
    checked_down,
    solve_charts,
)

STACK = 100.0
SEATS = (2, 3, 4, 5, 6)


def main(folder: str, *seats: str) -> None:
    """Solve the charts that a folder lacks."""
    wanted = set()
    for number in map(int, seats) if seats else SEATS:
        for continuation in (blueprint_continuation(), checked_down()):
            game = SeatsGame(
                seats=number, stack=STACK, opens=CHART_OPENS, continuation=continuation
            )
            path = Path(folder) / charts_file(game)
            wanted.add(path.name)
            if path.exists():
                continue

            def progress(done: int, total: int, unit: str, name: str = path.name) -> None:
                sys.stderr.write(f"\r{name}: {done:,} of {total:,} {unit}")

            table = solve_charts(game, SHIPPED_DEALS, progress)
            write_arrays(path, {"table": table, "deals": SHIPPED_DEALS}, compressed=True)
            sys.stderr.write("\n")
    if not seats:
        for path in Path(folder).glob("*.npz"):
            if path.name not in wanted:
                path.unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
