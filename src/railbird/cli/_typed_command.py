"""What was typed, for the record that files have of what made them (`railbird._provenance`)."""

# A file that is passed on should say how it was made, and not who made it. Folders often have a
# person's name in them, so only the names of files stay; secrets are files whose contents, even as
# a digest, are nobody's business. Digests of inputs say which version of a file was read.
#
# The command is noted when it begins, not when it writes: functions deep in the library write the
# files, and know nothing of a command line.

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any, Final

import click

from railbird import _provenance
from railbird.cli._completion import OUTPUT_FILE, OUTPUT_FOLDER

_UNNAMED: Final = ("railbird serve", "railbird mcp")
"""What these write may be for the public, whom the server's arguments do not concern."""
_WRITTEN: Final = ("target", "archive")
"""Arguments that name what is written."""
_SECRETS: Final = ("password_file", "token_file", "key_file")
_URL: Final = re.compile(r"://\S+")
"""An address, in which there may be a password."""
_FOLDERS: Final = re.compile(r"(?<![\w.-])(?:/[^/\s,=:]+)+/(?=[^/\s])")
"""The folders of an absolute path, wherever it stands in an argument."""


class TypedContext(click.Context):
    """The context of a command whose files say what was typed."""

    def invoke(self, callback: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Run the command, and have records say what was typed until it ends."""
        if self.command_path in _UNNAMED:
            return super().invoke(callback, *args, **kwargs)
        before, _provenance.typed = _provenance.typed, _typed(self)
        try:
            return super().invoke(callback, *args, **kwargs)
        finally:
            _provenance.typed = before


def _typed(context: click.Context) -> _provenance.TypedCommand:
    """Return what was typed, without the folders of files, and which files it reads."""
    inputs, paths = [], set[str]()
    for parameter in context.command.params:
        values = [*_texts(context.params.get(parameter.name or ""))]
        if isinstance(parameter.type, click.Path):
            paths.update(values)
        elif "--out" not in parameter.opts:  # such as a player's file, equilibrium:FILE
            pieces = {piece for value in values for piece in re.split("[,=:]", value)}
            values = sorted(piece for piece in pieces if "." in piece and Path(piece).is_file())
            paths.update(values)
        if not (_is_output(parameter) or parameter.name in _SECRETS):
            inputs += [Path(value) for value in values]
    seed = context.params.get("seed")
    text = shlex.join(_without_folders(argument, paths) for argument in context.obj or ())
    return _provenance.TypedCommand(
        text, seed if isinstance(seed, int) else None, [*dict.fromkeys(inputs)]
    )


def _is_output(parameter: click.Parameter) -> bool:
    """Tell whether a parameter names what is written."""
    of_type = parameter.type in (OUTPUT_FILE, OUTPUT_FOLDER)
    return of_type or parameter.name in _WRITTEN or "--out" in parameter.opts


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str | PurePath):
        yield str(value)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _without_folders(argument: str, paths: Iterable[str]) -> str:
    for path in sorted(paths, key=len, reverse=True):
        if (name := PurePath(path).name) and name != path:
            argument = argument.replace(path, name)
    return _FOLDERS.sub("", _URL.sub("://…", argument))
