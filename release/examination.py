"""The all-in bets of `railbird.arena.exam_decisions`: solved once, in one file.

``python release/examination.py FILE`` solves push/fold heads-up, and at tables of three and four
that play for prizes, and writes a row for each all-in bet that the big blind may have to answer:
stacks in big blinds and prizes, in the order of acting, who is all-in, and for each class of hands
how many thousandths of a big blind a call is worth more than a fold. What is worth prizes is
written as the big blinds that are worth as much on the average of all chips. At tables with prizes
no more than two are all-in, which for the big blind, who acts last, leaves nothing out.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from railbird._arrays import Floats
from railbird._files import replace_files
from railbird.cards import CLASS_NAMES
from railbird.solve import PushFoldTable, pushfold_ev, solve_pushfold, solve_pushfold_table

HEADS_UP: Final = (3, 4, 5, 6, 7, 8, 9, 10, 12, 15)
"""Stacks in big blinds."""
PRIZES: Final[dict[tuple[float, ...], tuple[tuple[float, ...], ...]]] = {
    (50, 30, 20): (
        *((10, 10, 10), (5, 10, 15), (15, 5, 10), (8, 20, 6), (20, 8, 12), (6, 6, 18)),
        *((10, 10, 10, 10), (5, 10, 15, 20), (20, 15, 10, 5)),
        *((12, 4, 9, 15), (6, 20, 8, 10), (15, 15, 6, 6)),
    ),
    (65, 35): ((10, 10, 10), (6, 12, 18), (14, 8, 5), (20, 10, 10)),
}
"""Stacks by prizes."""
TOLERANCE: Final = 1e-7

Row = tuple[str, str, int, Floats]


def heads_up() -> Iterator[Row]:
    """Yield what a call is worth, heads-up."""
    for stack in HEADS_UP:
        solution = solve_pushfold(stack, tolerance=TOLERANCE)
        values = pushfold_ev(solution.push, solution.call, stack=stack)
        yield f"{stack} {stack}", "", 0, values.call_ev - values.fold_ev_bb


def with_prizes() -> Iterator[Row]:
    """Yield what a call is worth at tables that play for prizes."""
    for payouts, tables in PRIZES.items():
        for stacks in tables:
            table = PushFoldTable(stacks=stacks, payouts=payouts, most_in=2)
            values = solve_pushfold_table(table, tolerance=1e-6).values
            chips = sum(stacks) / table.whole
            big_blind = len(stacks) - 1
            for seat in range(big_blind):
                node = (big_blind, (seat,))
                gain = (values.push[node] - values.fold[node]) * chips
                yield " ".join(map(str, stacks)), " ".join(map(str, payouts)), seat, gain


def main(path: Path) -> None:
    """Write the file."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["stacks", "prizes", "all_in", *CLASS_NAMES])
    for solved in (heads_up(), with_prizes()):
        for stacks, prizes, seat, gain in solved:
            rows.writerow([stacks, prizes, seat, *(round(1000 * float(worth)) for worth in gain)])
            sys.stdout.write(f"{stacks} {prizes} {seat}\n")
            sys.stdout.flush()
    replace_files({path: text.getvalue().encode("ascii")})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
