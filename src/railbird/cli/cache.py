"""``railbird machine cache``: what this machine keeps because it took time, and deleting it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from railbird.cli._completion import Words
from railbird.cli._console import EXIT_FINDING, errors, json_option, print_json, print_table
from railbird.cli._hand_files import deleting_option
from railbird.cli._verbs import Commands
from railbird.errors import BadInput, unknown_name
from railbird.report.document import Table

PARTS: Final = {
    "kernels": "machine code: minutes to compile again",
    "tables": "ranks and equities of hands: a minute",
    "preflop": "roll-out equities before the flop, for other settings than the standard: hours",
    "preflop_values": "flops of `railbird odds preflop`: seconds",
    "flop_book": "flops of the player `killer:flops`: ten to twenty seconds a page",
    "exploitability": "flops of `railbird exploit`: minutes to hours",
    "abstractions": "buckets of `railbird machine abstraction build`: minutes to hours",
    "strategies": "equilibria of `railbird solve limit`: minutes to hours",
    "decisions": "values of decisions that `railbird report` solved: seconds to hours",
    "counts": "what `railbird stats` counted of archives: minutes for a million hands",
    "evaluations": "what `railbird evaluate` has played, from which it resumes: minutes to hours",
    "experiments": "what experiments have played, from which they resume: minutes to days",
}
"""Folders in the cache folder, and what they cost."""


@click.group(name="cache", cls=Commands)
def command() -> None:
    """List or delete what was computed and kept; whatever is missing is computed again."""


@command.command()
@json_option
def status(*, as_json: bool) -> None:
    """List the kept results and code, with their sizes.

    \b
    Example:
      railbird machine cache status
    """
    from railbird._paths import cache_folder

    folder = cache_folder()
    sizes = {part: folder_size(folder / part) for part in PARTS}
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "parts": {part: {"bytes": size} for part, size in sizes.items()},
            }
        )
        return
    rows = [(part, f"{size / 1e6:,.2f}", PARTS[part]) for part, size in sizes.items()]
    heads = ("part", "MB", "what it is, and the time to make it again")
    print_table(Table(heads, rows, title=str(folder)))


@command.command()
@click.argument("parts", nargs=-1, metavar="[PART]...", type=Words("part", lambda: PARTS))
@deleting_option
@json_option
def clear(*, parts: Sequence[str], force: bool, as_json: bool) -> None:
    """Delete the named parts, as `machine cache status` lists them; all of them without a name.

    Nothing else is deleted. Logs stay, and so do players' memories, which are in the user's data
    folder.

    \b
    Examples:
      railbird machine cache clear kernels tables
      railbird machine cache clear --force
    """
    from railbird._paths import cache_folder

    for name in parts:
        if name not in PARTS:
            raise unknown_name("part of the cache", name, [*PARTS])
    folder = cache_folder()
    wanted = {
        name: folder_size(folder / name) for name in parts or PARTS if (folder / name).exists()
    }
    freed = sum(wanted.values())
    if wanted and not force:
        if not sys.stdin.isatty():
            raise BadInput("nobody to ask; --force deletes without asking")
        what = f"{', '.join(wanted)}, {freed / 1e6:,.2f} MB in {folder}"
        if not click.confirm(f"Delete {what}?", err=True):
            errors.print("nothing deleted")
            click.get_current_context().exit(EXIT_FINDING)
    for name in wanted:
        _delete(folder / name)
    if as_json:
        print_json({"folder": str(folder), "deleted": list(wanted), "bytes": freed})
    elif wanted:
        errors.print(f"{freed / 1e6:,.2f} MB deleted")
    else:
        errors.print("nothing to delete")


def folder_size(folder: Path) -> int:
    """Return the bytes of a folder's files."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def _delete(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except OSError as problem:
        raise BadInput(f"{folder}: cannot be deleted: {problem.strerror or problem}") from None
