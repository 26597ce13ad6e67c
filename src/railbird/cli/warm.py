"""``railbird warm``: compile every kernel and build every table once."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from typing import Final

import click

from railbird import odds
from railbird._files import errors_named
from railbird.cli._compile_ahead import compiling_ahead, rooms, steps_of
from railbird.cli._console import errors, json_option, print_json, progress
from railbird.cli._verbs import HelpSection

SECTION: Final = HelpSection.MACHINE


@click.command(name="warm")
@click.option(
    "--shared",
    is_flag=True,
    help="Put both beside the program as well, for all users of this machine.",
)
@json_option
def command(*, shared: bool, as_json: bool) -> None:
    """Compile all kernels, build the cached tables, delete what older versions left.

    What is compiled is for this very processor, and goes before what came with the program.

    \b
    Examples:
      railbird warm
      sudo railbird warm --shared
    """
    os.environ["RAILBIRD_OWN_CODE"] = "1"  # of the processes that help, too
    from railbird import _jit, _shared_cache

    begun = time.perf_counter()
    with errors_named(_jit.CACHE):
        _jit.check_cache()
    if shared:
        with errors_named(_shared_cache.FOLDER):
            _shared_cache.FOLDER.mkdir(exist_ok=True)
            tempfile.TemporaryFile(dir=_shared_cache.FOLDER).close()
    with progress() as notify, compiling_ahead() as start:
        odds.open_tables(progress=notify)
        steps = {name: step for room in rooms() for name, step in steps_of(room).items()}
        start([*steps][::-1])
        for done, step in enumerate(steps.values()):
            notify(done, len(steps), "compiling")
            step()
        notify(len(steps), len(steps), "compiling")
    current = {_jit.room_cache(room) for room in rooms()}
    stale = [folder for folder in _jit.CACHE.iterdir() if folder not in current]
    for folder in stale:
        shutil.rmtree(folder, ignore_errors=True)
    if shared:
        with errors_named(_shared_cache.FOLDER):
            kernels = _shared_cache.FOLDER / _shared_cache.KERNELS
            _shared_cache.share(sorted(current), _jit.target(), kernels)
            odds.share_tables(_shared_cache.FOLDER / _shared_cache.TABLES)
    removed = len(stale) + odds.rank_tables.remove_unknown()
    seconds = time.perf_counter() - begun
    if as_json:
        print_json({"steps": len(steps), "removed": removed, "took_s": seconds})
    else:
        place = _shared_cache.FOLDER if shared else _jit.CACHE
        errors.print(f"{len(steps)} steps in {seconds:.1f} s; kernels in {place}")
