"""Keep experiments' results, and make the manual's tables from them.

``python tests/results NAME …`` runs experiments at full size, or at ``--scale``, one after another,
and keeps what came out as ``papers/results/NAME.json``. It resumes from the logs in ``--logs``, and
passes over what is kept already at that size. Without names it runs nothing. Then it writes every
table anew that stands in the manual between lines of this form::

    <!-- results: NAME; published, ours, interval, verdict; rows=PATTERN -->
    <!-- end of results -->

The columns may be left out, and so may the pattern, a regular expression that the names of the rows
match; ``table=TITLE`` takes a table that the experiment prints after its rows. Between lines of the
form ``<!-- evaluations: PATTERN -->`` and ``<!-- end of evaluations -->`` stand the lines of the
ledger ``papers/results/evaluations.jsonl`` whose player matches, and whom that player beats;
`railbird evaluate papers/results/evaluations.toml` writes it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from railbird.arena.evaluations import read_evaluations
from railbird.errors import BadInput, DamagedFile, unknown_name
from railbird.extending import current_provenance, replace_files
from railbird.report.document import Table
from railbird.report.evaluations import evaluations_table, evaluations_words
from railbird.report.html_page import markdown_table
from railbird.report.number_format import counted
from railbird_papers import EXPERIMENTS, ExperimentRun, Workspace, run
from railbird_papers.framework.workspace import default_folder

ROOT: Final = Path(__file__).parents[2]
RESULTS: Final = ROOT / "papers" / "results"
MANUAL: Final = ROOT / "docs"
BLOCK: Final = re.compile(
    r"(?P<head><!-- results: (?P<name>[a-z0-9-]+)(?P<options>[^>]*?) -->\n)"
    r"(?P<body>.*?)(?P<end><!-- end of results -->)",
    re.DOTALL,
)
LEDGER: Final = RESULTS / "evaluations.jsonl"
LEDGER_BLOCK: Final = re.compile(
    r"(?P<head><!-- evaluations: (?P<pattern>\S+) -->\n)"
    r"(?P<body>.*?)(?P<end><!-- end of evaluations -->)",
    re.DOTALL,
)
COLUMNS: Final = {
    "published": "published",
    "ours": "ours",
    "interval": "95 % interval",
    "verdict": "verdict",
}


def digest(results: Mapping[str, Any]) -> str:
    """Return the hash of results: of what was played and found, whatever version found it."""
    text = json.dumps(results, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def results_of(done: ExperimentRun, data: Path | None = None) -> dict[str, Any]:
    """Return what is kept of a run: its command, its size, its rows as numbers and as shown."""
    options = {"scale": done.scale, "seed": done.seed}
    given = [
        f"--{name} {value:g}" for name, value in options.items() if value != int(name == "scale")
    ]
    given += [] if data is None else [f"--data {data.name}"]
    return {
        "experiment": done.experiment.name,
        "command": " ".join(["railbird experiment", done.experiment.name, *given]),
        "scale": done.scale,
        "seed": done.seed,
        "size": counted(done.result.hands, done.result.noun),
        "rows": [
            row.as_json()
            | {
                "published": "" if row.published is None else row.published.shown,
                "shown": row.shown,
                "interval": row.shown_interval,
            }
            for row in done.result.rows
        ],
        "tables": {
            title: {"columns": lines.columns, "rows": [list(map(str, row)) for row in lines.rows()]}
            for title, lines in done.result.printed.items()
        },
    }


def keep(results: Mapping[str, Any], folder: Path = RESULTS) -> Path:
    """Write results with their hash."""
    path = folder / f"{results['experiment']}.json"
    made = current_provenance().as_json()
    content = {"sha256": digest(results), "made": made, "results": results}
    replace_files({path: (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()})
    return path


def kept(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """Read an experiment's results. Raises `DamagedFile` if they are not those of their hash."""
    path = folder / f"{name}.json"
    content = json.loads(path.read_text())
    results: dict[str, Any] = content["results"]
    if content["sha256"] != digest(results) or results["experiment"] != name:
        raise DamagedFile(f"{path}: the hash is not that of the results")
    return results


def with_tables(page: str, folder: Path = RESULTS) -> str:
    """Return a page of the manual with every table made from the results."""
    page = BLOCK.sub(lambda found: f"{found['head']}{_body(found, folder)}{found['end']}", page)
    lines = read_evaluations(folder / LEDGER.name) if LEDGER_BLOCK.search(page) else ()

    def ledger(block: re.Match[str]) -> str:
        rows = [line for line in lines if re.search(block["pattern"], line.player)]
        if not rows:
            raise BadInput(f"{LEDGER.name}: no player is named {block['pattern']!r}")
        table, words = markdown_table(evaluations_table(rows)), evaluations_words(rows)
        points = "".join(
            f"- {fill(sentence, 110, break_on_hyphens=False, subsequent_indent='  ')}\n"
            for sentence in words
        )
        return f"{block['head']}{table}\n\n{points}{block['end']}"

    return LEDGER_BLOCK.sub(ledger, page)


def _body(found: re.Match[str], folder: Path) -> str:
    results = kept(found["name"], folder)
    columns, pattern, title = list(COLUMNS), "", ""
    for option in filter(None, map(str.strip, found["options"].split(";"))):
        if option.startswith("rows="):
            pattern = option.removeprefix("rows=")
        elif option.startswith("table="):
            title = option.removeprefix("table=")
        else:
            columns = [column.strip() for column in option.split(",")]
    table = _printed(results, title) if title else _rows(results, columns, pattern)
    return f"{results['size']}: `{results['command']}`\n\n{markdown_table(table)}\n"


def _printed(results: Mapping[str, Any], title: str) -> Table:
    table = results["tables"][title]
    return Table(table["columns"], table["rows"])


def _rows(results: Mapping[str, Any], columns: Sequence[str], pattern: str) -> Table:
    keys = ["shown" if column == "ours" else column for column in columns]
    rows = [
        [row["name"], *(row[key] for key in keys)]
        for row in results["rows"]
        if re.search(pattern, row["name"])
    ]
    if not rows:
        raise BadInput(f"{results['experiment']}: no row is named {pattern!r}")
    return Table(["", *(COLUMNS[column] for column in columns)], rows, is_right=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is named, keep it, and write the manual's tables."""
    parser = argparse.ArgumentParser(prog="tests/results", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--logs", type=Path, default=default_folder())
    parser.add_argument("--data", type=Path, help="hands for experiments that assess given ones")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in EXPERIMENTS:
            raise unknown_name("experiment", name, EXPERIMENTS)
    for name in options.names:
        path = RESULTS / f"{name}.json"
        if path.exists() and kept(name)["scale"] >= options.scale:
            continue
        start = time.monotonic()
        workspace = Workspace(
            scale=options.scale,
            seed=options.seed,
            workers=options.workers,
            folder=options.logs,
            data=options.data,
        )
        keep(results_of(run(name, workspace), options.data))
        print(f"{time.strftime('%H:%M')} {name}: {time.monotonic() - start:.0f} s", flush=True)
    for page in sorted(MANUAL.glob("*.md")):
        before = page.read_text()
        if (after := with_tables(before)) != before:
            page.write_text(after)


if __name__ == "__main__":
    main()
