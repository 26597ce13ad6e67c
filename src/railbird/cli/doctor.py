"""``railbird machine doctor``: what this machine has, what is missing, and what is wrong."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple

import click
from rich.table import Table as RichTable
from rich.text import Text

from railbird import odds, solve
from railbird._extras import EXTRAS, how_to_install, is_installed
from railbird.cli._compile_ahead import rooms
from railbird.cli._console import EXIT_FINDING, json_option, output, print_json
from railbird.cli.cache import folder_size
from railbird.errors import RailbirdError

_PACKAGES: Final = ("numpy", "numba", "llvmlite", "polars")
"""Those whose versions decide what is computed and how fast."""


class DoctorFinding(NamedTuple):
    """One thing that was looked at."""

    what: str
    state: str
    note: str = ""
    is_wrong: bool = False
    """Whether something does not work for it."""


@click.command(name="doctor")
@json_option
@click.pass_context
def command(context: click.Context, *, as_json: bool) -> None:
    """Say what this machine has and lacks, and what is wrong; the exit code is 1 if anything is.

    Include its output when you report a fault. It changes nothing.

    \b
    Example:
      railbird machine doctor
    """
    findings: list[DoctorFinding] = []
    for name, look in _LOOKS.items():
        try:
            findings += look()
        except (OSError, RailbirdError) as problem:
            findings.append(DoctorFinding(name, "cannot be looked at", str(problem), is_wrong=True))
    if as_json:
        print_json(
            {
                "findings": [
                    {"what": finding.what, "found": finding.state, "wrong": finding.is_wrong}
                    | ({"note": finding.note} if finding.note else {})
                    for finding in findings
                ],
                "wrong": sum(finding.is_wrong for finding in findings),
            }
        )
    else:
        _print(findings)
    if any(finding.is_wrong for finding in findings):
        context.exit(EXIT_FINDING)


def _print(findings: Sequence[DoctorFinding]) -> None:
    """Print what was found, each note below it, and at the end what is wrong."""
    table = RichTable.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        cell = Text(finding.state, style="bold" if finding.is_wrong else "")
        if finding.note:
            cell.append(f"\n{finding.note}", style="not bold dim")
        table.add_row(finding.what, cell)
    output.print(table)
    wrong = [finding.what for finding in findings if finding.is_wrong]
    output.print(f"wrong: {', '.join(wrong)}" if wrong else "nothing is wrong", soft_wrap=True)


def _versions() -> Iterator[DoctorFinding]:
    import railbird

    yield DoctorFinding("railbird", railbird.__version__, str(Path(railbird.__path__[0])))
    yield DoctorFinding("Python", platform.python_version(), sys.executable)
    for name in _PACKAGES:
        yield DoctorFinding(name, metadata.version(name))


def _machine() -> Iterator[DoctorFinding]:
    from llvmlite.binding import get_host_cpu_name

    from railbird._threads import thread_count

    yield DoctorFinding("system", f"{platform.system()} {platform.release()} {platform.machine()}")
    yield DoctorFinding("processor", get_host_cpu_name(), f"{thread_count()} threads are used")
    yield DoctorFinding(
        "free memory", f"{solve.spot.solution.megabytes(solve.spot.solution.free_memory_mb())} MB"
    )


def _kernels() -> Iterator[DoctorFinding]:
    from railbird import _jit
    from railbird._shared_cache import FOLDER, KERNELS, shared_code

    try:
        _jit.check_cache()
    except OSError as problem:
        why = f"cannot be written: {problem.strerror or problem}"
        note = "RAILBIRD_CACHE names another folder; until then all is compiled at each start"
        yield DoctorFinding("compiled code", str(_jit.CACHE), f"{why}; {note}", is_wrong=True)
        return
    all_rooms = rooms()
    done = sum(any(_jit.room_cache(room).rglob("*.nbi")) for room in all_rooms)
    note = (
        "" if done == len(all_rooms) else "compiled as needed; all at once: railbird machine warm"
    )
    if done < len(all_rooms) and (shared := shared_code(FOLDER / KERNELS)):
        note = f"the others came with the program, for any {shared.target[1]}"
    yield DoctorFinding("compiled code", f"{done} of {len(all_rooms)} parts", note)


def _tables() -> Iterator[DoctorFinding]:
    rows = odds.status()
    valid = sum(row.condition is odds.Condition.VALID for row in rows)
    damaged = [row.name for row in rows if row.condition is odds.Condition.DAMAGED]
    note = (
        "" if valid == len(rows) else "built as needed; all at once: railbird machine tables build"
    )
    if damaged:
        note = f"damaged: {', '.join(damaged)}; railbird machine tables build makes them anew"
    yield DoctorFinding("tables", f"{valid} of {len(rows)}", note, is_wrong=bool(damaged))


def _folders() -> Iterator[DoctorFinding]:
    from railbird._paths import cache_folder, data_folder, is_kept
    from railbird._shared_cache import FOLDER

    cache, data = cache_folder(), data_folder()
    note = "what can be computed again; delete it: railbird machine cache clear"
    if not is_kept():
        note = "lost at the end: the usual folder cannot be written; RAILBIRD_CACHE names another"
    usage = f"{folder_size(cache) / 1e6:,.0f} MB in {cache}"
    yield DoctorFinding("cache", usage, note, is_wrong=not is_kept())
    if FOLDER.is_dir():
        note = "compiled code and tables for all users; goes with: pip uninstall railbird"
        if not os.access(FOLDER, os.R_OK | os.X_OK):
            note = "cannot be read: everything is compiled and built anew for each user"
        yield DoctorFinding("shared", f"{folder_size(FOLDER) / 1e6:,.0f} MB in {FOLDER}", note)
    note = "accounts, results, what players remember; to lose it for good, delete this folder"
    yield DoctorFinding("data", f"{folder_size(data) / 1e6:,.0f} MB in {data}", note)


def _extras() -> Iterator[DoctorFinding]:
    for extra in EXTRAS:
        if is_installed(extra):
            yield DoctorFinding(extra, "installed")
        else:
            yield DoctorFinding(extra, "not installed", how_to_install(extra))


_LOOKS: Final[Mapping[str, Callable[[], Iterable[DoctorFinding]]]] = {
    "versions": _versions,
    "machine": _machine,
    "compiled code": _kernels,
    "tables": _tables,
    "folders": _folders,
    "extras": _extras,
}
