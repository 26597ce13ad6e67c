"""``railbird warm``: compile every kernel and build every table once."""

from __future__ import annotations

import importlib
import shutil
import time
from pathlib import Path
from typing import Final

import click

import railbird
from railbird.cli._console import errors, json_option, print_json, progress
from railbird.cli._verbs import Section

SECTION: Final = Section.MACHINE


def rooms() -> list[str]:
    """Name the rooms that have something to compile: those with a module ``_warm``."""
    package = Path(railbird.__path__[0])
    return sorted(module.parent.name for module in package.glob("*/_warm.py"))


@click.command(name="warm")
@json_option
def command(*, as_json: bool) -> None:
    """Compile all kernels, build the cached tables, delete what older versions left.

    \b
    Example:
      railbird warm
    """
    from railbird import _jit
    from railbird._files import errors_named
    from railbird.odds import open_tables
    from railbird.odds.tables.rank_tables import remove_unknown

    start = time.perf_counter()
    with errors_named(_jit.CACHE):
        _jit.check_cache()
    with progress() as report:
        open_tables(progress=report)
        steps = [
            (f"{room}: {what}", step)
            for room in rooms()
            for what, step in importlib.import_module(f"railbird.{room}._warm").warm_up_steps()
        ]
        for done, (_, step) in enumerate(steps):
            report(done, len(steps), "compiling")
            step()
        report(len(steps), len(steps), "compiling")
    current = {_jit.room_cache(room) for room in rooms()}
    stale = [folder for folder in _jit.CACHE.iterdir() if folder not in current]
    for folder in stale:
        shutil.rmtree(folder, ignore_errors=True)
    removed = len(stale) + remove_unknown()
    seconds = time.perf_counter() - start
    if as_json:
        print_json({"steps": len(steps), "removed": removed, "took_s": seconds})
    else:
        errors.print(f"{len(steps)} steps in {seconds:.1f} s; kernels in {_jit.CACHE}")
