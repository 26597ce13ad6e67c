"""``railbird warm``: compile every kernel and build every table once."""

from __future__ import annotations

import shutil
import time
from typing import Final

import click

from railbird.cli._compile_ahead import compiling_ahead, rooms, steps_of
from railbird.cli._console import errors, json_option, print_json, progress
from railbird.cli._verbs import Section

SECTION: Final = Section.MACHINE


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

    begun = time.perf_counter()
    with errors_named(_jit.CACHE):
        _jit.check_cache()
    with progress() as report, compiling_ahead() as start:
        open_tables(progress=report)
        steps = {name: step for room in rooms() for name, step in steps_of(room).items()}
        start([*steps][::-1])
        for done, step in enumerate(steps.values()):
            report(done, len(steps), "compiling")
            step()
        report(len(steps), len(steps), "compiling")
    current = {_jit.room_cache(room) for room in rooms()}
    stale = [folder for folder in _jit.CACHE.iterdir() if folder not in current]
    for folder in stale:
        shutil.rmtree(folder, ignore_errors=True)
    removed = len(stale) + remove_unknown()
    seconds = time.perf_counter() - begun
    if as_json:
        print_json({"steps": len(steps), "removed": removed, "took_s": seconds})
    else:
        errors.print(f"{len(steps)} steps in {seconds:.1f} s; kernels in {_jit.CACHE}")
