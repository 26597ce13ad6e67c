"""The examples of the README and of the manual are tests: Python blocks and ``$ railbird`` ones."""

from __future__ import annotations

import difflib
import doctest
import gc
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

from railbird._threads import BLAS_THREADS
from railbird.cli import COLLECTION

# Tests run beside each other, on fewer cores than there are workers. Polars' threads look for work
# in each other's queues, which takes a fifth of the time of small frames.
os.environ.setdefault(BLAS_THREADS, "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")
# Ray's workers give way by 15, which leaves them a tenth of a core beside other tests.
os.environ.setdefault("RAY_worker_niceness", "0")

# Nearly all that is imported and collected stays: to look for garbage would double the time.
gc.disable()

# A first call may compile a kernel, which no deadline for an example allows for.
settings.register_profile("railbird", deadline=None, print_blob=True)
settings.load_profile("railbird")

_titled = RawFencedCodeBlockLexer(
    re.compile(r'(?:python|ini|text) title="(?P<name>\w+\.\w+)"$\n', re.MULTILINE)
)


_SLOW = "<!-- slow -->"
"""Before a block of the manual that takes more than a few seconds."""

_FENCE = "```"
"""Before and after a block."""

_SLOW_PAGES = [
    "aivat",
    "any-holdem",
    "booker",
    "bots",
    "first",
    "gametheory",
    "learn-aivat",
    "learn-divat",
    "learn-pushfold",
    "referee",
    "report",
    "spots",
]
"""Pages whose examples take more than a few seconds together, and build on each other."""

pytest_plugins = ["helpers.tiers", "helpers.rewriting", "helpers.resuming"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the manual's long examples, by the comment before them."""
    for item in items:
        example = getattr(item, "example", None)
        if isinstance(example, Example) and (_is_marked(example) or _is_of_slow_page(item)):
            item.add_marker(pytest.mark.slow)


def _is_of_slow_page(item: pytest.Item) -> bool:
    return item.path.stem in _SLOW_PAGES


def _is_marked(example: Example) -> bool:
    """Whether the comment stands before its block, of which it may be one of several examples."""
    before = example.document.text[: example.start]
    if before.count(_FENCE) % 2:
        before = before[: before.rindex(_FENCE)]
    return before.rstrip().endswith(_SLOW)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the garbage collector pass over all that is imported and collected by now.

    What is garbage already stays: to look for it takes a second, and finds little. From here on it
    looks as often as it does in the program.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTION)
    gc.enable()


def _open_folder(namespace: dict[str, Any]) -> None:
    """Give a page a folder, where its files lie, its commands run and its Python reads."""
    namespace["_folder"] = TemporaryDirectory()
    namespace["_before"] = Path.cwd(), dict(os.environ)
    os.chdir(namespace["_folder"].name)


def _close_folder(namespace: dict[str, Any]) -> None:
    """Leave folder and environment as they were: what a page sets there is for its own examples."""
    folder, environment = namespace["_before"]
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    namespace["_folder"].cleanup()


def _files(document: Document) -> Iterator[Region]:
    """Blocks with a title are files."""
    for region in _titled(document):
        region.parsed, region.evaluator = region.lexemes["source"], _write_file
        yield region


def _write_file(example: Example) -> None:
    _write(example, example.region)


def _write(example: Example, region: Region) -> None:
    path = Path(example.namespace["_folder"].name, region.lexemes["name"])
    path.write_text(region.lexemes["source"], encoding="utf-8")


def _write_missing_files(example: Example) -> None:
    """Write the files before an example, where only some of the page's examples are run."""
    for region in _titled(example.document):
        there = Path(example.namespace["_folder"].name, region.lexemes["name"]).exists()
        if region.start < example.start and not there:
            _write(example, region)


def _run_console(example: Example) -> None:
    """Run each ``$ railbird ...`` line and compare what it prints; ``...`` stands for anything."""
    _write_missing_files(example)
    checker = doctest.OutputChecker()
    commands: list[tuple[str, list[str]]] = []
    for line in example.parsed.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line)
    for command, lines in commands:
        program, *arguments = shlex.split(command)
        assert program == "railbird", f"only `$ railbird` lines are run, not {program}"
        code, out, err = _run_railbird(Path(example.namespace["_folder"].name), arguments)
        # What goes well says nothing on standard error but how it gets on.
        got, want = _plain((err if code else out).splitlines()), _plain(lines)
        assert lines or code == 0, err
        if lines and not checker.check_output(
            want, got, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        ):
            raise AssertionError("\n".join(difflib.ndiff(want.splitlines(), got.splitlines())))


def _run_railbird(folder: Path, arguments: list[str]) -> tuple[int, str, str]:
    """Run a command here, or where the page has written a module, in a process that imports it.

    To start a process and load the compiled kernels takes longer than most commands.
    """
    from helpers.command_line import call_in  # not where pytest only hands out tests

    if not any(folder.glob("*.py")):
        return call_in(folder, *arguments)
    done = subprocess.run(
        [sys.executable, "-m", "railbird", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
    )
    return done.returncode, done.stdout, done.stderr


def _plain(lines: list[str]) -> str:
    """Return text with the spaces and the minus that output has where it goes to a program."""
    return "\n".join(line.translate(_SIGNS).rstrip() for line in lines) + "\n"


_SIGNS = str.maketrans("\u00a0\u2009\u202f\u2212", "   -")

# Modules that cannot be imported, so that their examples cannot be collected, without an extra.
collect_ignore = [
    f"src/railbird/adapters/{module}.py"
    for module, needed in (
        ("gymnasium", "gymnasium"),
        ("openspiel", "pyspiel"),
        ("pettingzoo", "pettingzoo"),
    )
    if find_spec(needed) is None
]

pytest_collect_file = Sybil(
    parsers=[
        SkipParser(),
        PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS),
        CodeBlockParser(language="console", evaluator=_run_console),
        _files,
    ],
    patterns=["README.md", "docs/*.md"],
    setup=_open_folder,
    teardown=_close_folder,
).pytest()
