"""Checks before any work: inputs can be read, nothing is overwritten unasked."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from railbird.errors import BadInput

_STANDARD = "-"
_FILE_ENDINGS = frozenset(
    (".csv", ".htm", ".html", ".json", ".md", ".parquet", ".pdf", ".png", ".svg", ".txt")
)
"""Endings by which somebody means a file where a folder is asked for."""

force_option = click.option("--force", is_flag=True, help="Replace files that exist.")


def check_inputs(files: Iterable[str | Path]) -> None:
    """Raise `BadInput` for a file or folder that cannot be read; "-" is standard input."""
    for file in files:
        if str(file) == _STANDARD:
            continue
        try:
            if stat.S_ISREG(Path(file).stat().st_mode):
                with Path(file).open("rb"):
                    pass
        except OSError as error:
            raise BadInput(f"{file}: cannot be read: {error.strerror}") from None


def check_output(
    target: str | Path, *, inputs: Iterable[str | Path] = (), force: bool = False
) -> None:
    """Raise `BadInput` where a verb must not or cannot write.

    It must not write a file that it reads, nor into a folder that it reads, nor unless ``force`` a
    file that exists. What is no regular file, such as a pipe or /dev/null, is written through.
    """
    status = _output_status(target)
    check_kind(target, folder=False)
    if status is not None and not stat.S_ISREG(status.st_mode):
        return
    for source in inputs:
        _check_apart(source, target, status)
    if str(target) == _STANDARD:
        return
    if status is not None and not force:
        raise BadInput(f"{target} exists; --force replaces it")
    folder = next(parent for parent in Path(target).absolute().parents if parent.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadInput(f"{target}: cannot be written: {folder} is read-only")


def check_kind(target: str | Path, *, folder: bool) -> None:
    """Raise `BadInput` for a folder where a file is to be written, and the other way about."""
    status = _output_status(target)
    if status is not None and stat.S_ISDIR(status.st_mode) is not folder:
        is_, allowed = ("file", "folder") if folder else ("folder", "file")
        raise BadInput(f"{target} is a {is_}; allowed: a {allowed}")


def check_ending(target: Path, endings: Sequence[str]) -> None:
    """Raise `BadInput` for a file whose name promises another format than those written."""
    if target.suffix.lower() not in endings:
        got = target.suffix or "no ending"
        raise BadInput(f"{target}: {got}; allowed: {', '.join(endings)}")


def check_folder(
    folder: Path, files: Sequence[str], *, inputs: Iterable[str | Path] = (), force: bool = False
) -> None:
    """Check every file of a folder that a verb may write; ``files`` are patterns."""
    if folder.suffix.lower() in _FILE_ENDINGS and not folder.is_dir():
        ending = folder.suffix
        raise BadInput(f"{folder}: a folder for {files[0]}, not a file; allowed: no {ending}")
    check_kind(folder, folder=True)
    sources = list(inputs)
    for pattern in files:
        for target in sorted(folder.glob(pattern)):
            check_output(target, inputs=sources, force=force)


def _check_apart(source: str | Path, target: str | Path, written: os.stat_result | None) -> None:
    read = _descriptor_status(0) if str(source) == _STANDARD else Path(source).stat()
    if read is None:
        return
    if written is not None and os.path.samestat(read, written):
        raise BadInput(f"{source} and {target} are the same file; allowed: another one to write")
    if stat.S_ISDIR(read.st_mode) and str(target) != _STANDARD:
        whole = Path(os.path.realpath(target))
        if whole.is_relative_to(os.path.realpath(source)):
            raise BadInput(f"{target} is in {source}, which is read; allowed: a file elsewhere")


def _output_status(target: str | Path) -> os.stat_result | None:
    """The status of an output, of standard output for "-"; None where there is no file."""
    if str(target) == _STANDARD:
        return None if sys.stdout is None else _descriptor_status(1)
    try:
        return Path(target).stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"{target}: cannot be written: {error.strerror}") from None


def _descriptor_status(descriptor: int) -> os.stat_result | None:
    try:
        return os.fstat(descriptor)
    except OSError:  # closed
        return None
