"""Print every benchmark's rows, ours beside the peers that are installed: ``python tests/bench``.

Name topics to run only these: ``python tests/bench strength odds``. The figures of one run belong
together; between runs the machine may be busy with other things.
"""

from __future__ import annotations

import gc
import importlib
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from railbird.cli import COLLECTION

FOLDER = Path(__file__).parent


def main() -> None:
    """Run the topics named on the command line, or all of them."""
    sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
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
        for label, value, unit in importlib.import_module(f"bench_{topic}").rows():
            table.add_row(label, f"{value:,.4g}" if value < 1000 else f"{value:,.0f}", unit)
        console.print(table)


if __name__ == "__main__":
    main()
