"""Print every benchmark's rows, ours beside the peers that are installed: ``python tests/bench``.

Below a topic's rows a bar shows how far each ratio to a peer is from its goal (`bench.goals`).

Name topics to run only these: ``python tests/bench strength odds``. The figures of one run belong
together; between runs the machine may be busy with other things.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from railbird.cli import COLLECTION

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]

from bench import goals  # noqa: E402


def main() -> None:
    """Run the topics named on the command line, or all of them."""
    gc.set_threshold(*COLLECTION)  # as the program does
    topics = sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))
    wanted = sys.argv[1:] or topics
    if unknown := sorted(set(wanted) - set(topics)):
        sys.exit(f"no benchmark {', '.join(unknown)}; there are {', '.join(topics)}")
    console = Console()
    for topic in wanted:
        table = Table(title=topic, title_justify="left", title_style="bold")
        table.add_column("what")
        table.add_column("figure", justify="right")
        table.add_column("unit")
        module = importlib.import_module(f"bench_{topic}")
        rows = list(module.rows())
        for label, value, unit in rows:
            table.add_row(label, f"{value:,.4g}" if value < 1000 else f"{value:,.0f}", unit)
        console.print(table)
        if lines := goals.compared(getattr(module, "GOALS", ()), rows):
            console.print(_goals(lines))


def _goals(lines: Iterable[Sequence[str]]) -> Table:
    table = Table(title="beside the goals", title_justify="left")
    table.add_column("ours / peer")
    table.add_column("ratio", justify="right")
    table.add_column("goal", justify="right")
    table.add_column(
        f"1/{2**goals.DOUBLINGS} of the goal to {2**goals.DOUBLINGS} times", no_wrap=True
    )
    table.add_column("")
    for line in lines:
        table.add_row(*(escape(cell) for cell in line))
    return table


if __name__ == "__main__":
    main()
