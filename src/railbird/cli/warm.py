"""``railbird machine warm``: compile every kernel and build every table once."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from railbird import odds
from railbird._files import errors_named
from railbird.cli._compile_ahead import compiling_ahead, module_of, room_steps, rooms
from railbird.cli._console import errors, json_option, print_json, progress

_WARM: Final = "warm.json"
"""Beside the compiled code: what was compiled for which steps, so that it need not be loaded."""


@click.command(name="warm")
@click.option(
    "--shared",
    is_flag=True,
    help="Also put code and tables beside the program, for all users of this machine.",
)
@json_option
def command(*, shared: bool, as_json: bool) -> None:
    """Compile all kernels, build the cached tables, and delete files of older versions.

    The code is compiled for this processor, and is used instead of the code that came with the
    program.

    \b
    Examples:
      railbird machine warm
      sudo railbird machine warm --shared
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
        steps = {}
        if not is_warm():
            steps = {name: step for room in rooms() for name, step in room_steps(room).items()}
        start([*steps][::-1])
        for done, step in enumerate(steps.values()):
            notify(done, len(steps), "compiling")
            step()
        notify(len(steps), len(steps), "compiling")
    current = {_jit.room_cache(room) for room in rooms()}
    stale = [
        folder for folder in _jit.CACHE.iterdir() if folder not in current and folder.name != _WARM
    ]
    for folder in stale:
        shutil.rmtree(folder, ignore_errors=True)
    if shared:
        with errors_named(_shared_cache.FOLDER):
            kernels = _shared_cache.FOLDER / _shared_cache.KERNELS
            _shared_cache.share(sorted(current), _jit.target(), kernels)
            odds.share_tables(_shared_cache.FOLDER / _shared_cache.TABLES)
    with errors_named(_jit.CACHE):
        note_warm()
    removed = len(stale) + odds.rank_tables.remove_unknown()
    seconds = time.perf_counter() - begun
    if as_json:
        print_json({"steps": len(steps), "removed": removed, "took_s": seconds})
    else:
        place = _shared_cache.FOLDER if shared else _jit.CACHE
        taken = f"{len(steps)} steps" if steps else "all was compiled before; looked at"
        errors.print(f"{taken} in {seconds:.1f} s; kernels in {place}")


def is_warm() -> bool:
    """Tell whether all steps were taken for this processor, and all that they compiled is there.

    Loading it to see takes a quarter of a minute.
    """
    from railbird import _jit

    try:
        kept = json.loads((_jit.CACHE / _WARM).read_text(encoding="utf-8"))
        return bool(kept["steps"] == _digest_of_steps()) and all(
            (_jit.CACHE / file).is_file() for file in kept["files"]
        )
    except (OSError, ValueError, TypeError, KeyError):  # none yet, or damaged
        return False


def note_warm() -> None:
    """Keep which files the steps of all rooms have compiled."""
    from railbird import _jit
    from railbird._files import replace_files

    files = sorted(
        str(file.relative_to(_jit.CACHE))
        for room in rooms()
        for file in _jit.room_cache(room).rglob("*.nb?")
    )
    kept = {"steps": _digest_of_steps(), "files": files}
    replace_files({_jit.CACHE / _WARM: json.dumps(kept).encode()})


def _digest_of_steps() -> str:
    """Digest the processor, the kernels (by their folders' names) and the steps' sources."""
    from railbird import _jit

    digest = hashlib.sha256(repr(_jit.target()).encode())
    for room in rooms():
        module_spec = find_spec(module_of(room))
        assert module_spec is not None
        assert module_spec.origin is not None
        digest.update(_jit.room_cache(room).name.encode())
        digest.update(Path(module_spec.origin).read_bytes())
    return digest.hexdigest()
