"""Shared by the verbs: JSON on standard output, progress on standard error."""

from __future__ import annotations

import codecs
import io
import json
import logging
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, TypeVar

import click
from rich import progress as rich_progress
from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType
from rich.progress import TaskID
from rich.segment import Segment
from rich.text import Text

from railbird import report
from railbird._provenance import Provenance
from railbird._terminal_safe import visible, visible_json
from railbird.cli._compile_ahead import (
    SLOWEST,
    WORTH_SAYING,
    FirstUse,
    compiling_ahead,
    first_use_of,
)
from railbird.cli._completion import GameText, Whole
from railbird.errors import Interrupted
from railbird.progress import Progress

_ROWS = 4
"""Jobs that are shown at a time."""
_OTHER_COLUMNS = 15 + 7 + 7 + 4
"""The widest count, two times, and the blanks between the columns."""
_LEAST_DESCRIPTION = 12

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _silence(_: click.Context, __: click.Parameter, quiet: bool) -> None:
    """Print no notes and no progress from here on; `railbird.cli.run` ends it."""
    errors.quiet = quiet


@contextmanager
def said_though_quiet() -> Iterator[None]:
    """Print on standard error though --quiet was given."""
    quiet, errors.quiet = errors.quiet, False
    try:
        yield
    finally:
        errors.quiet = quiet


_quiet_option = click.option(
    "-q",
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=_silence,
    help="Print no progress and no notes on standard error.",
)

_json_option = click.option(
    "-j", "--json", "as_json", is_flag=True, help="Print one JSON object with unrounded numbers."
)


def json_option(command: _Command) -> _Command:
    """Add ``--json``, which the command gets as ``as_json``, and ``--quiet``, which it need not."""
    return _json_option(_quiet_option(command))


seed_option = click.option(
    "-s",
    "--seed",
    type=Whole(min=0),
    default=0,
    help="Seed of all random numbers; the same seed gives the same result.",
)

workers_option = click.option(
    "--workers",
    type=Whole(min=1),
    default=1,
    help="Number of processes; the result does not depend on it.",
)

cluster_option = click.option(
    "--on",
    metavar="ADDRESS",
    help="Compute on a Ray cluster: ray for this machine, or ray://HOST:PORT.",
)

log_game_option = click.option(
    "--game",
    type=GameText(),
    metavar="FILE|NAME",
    help="Game of logs that do not name it: a .game file or a standard name such as nolimit.6p.",
)


_NO_WIDTH: Final = 10_000
_FOR_PROGRAMS: Final = str.maketrans(
    {
        "\N{MINUS SIGN}": "-",
        "\N{THIN SPACE}": " ",
        "\N{NO-BREAK SPACE}": " ",
        "\N{NARROW NO-BREAK SPACE}": " ",
        "\N{VARIATION SELECTOR-15}": "",
    }
)


class SafeConsole(Console):
    """A console that shows names as they are, brackets and colons included, and nothing hidden.

    Control characters in names are replaced before widths are measured, and again on printing, for
    texts that were made elsewhere.
    What goes to a file or a pipe, where programs read it, has ASCII's minus and space, no sign for
    terminals behind suits, and each row and each sentence on one line unless the variable
    ``COLUMNS`` sets a width.
    """

    def __init__(self, **options: Any) -> None:
        # Rich would take brackets in a player's name for markup and words between colons for emoji.
        super().__init__(**options, markup=False, emoji=False)

    @property
    def size(self) -> ConsoleDimensions:
        """Width and height; a file or a pipe has no width unless one is set."""
        if self.is_terminal or self._width is not None or "COLUMNS" in os.environ:
            return super().size
        return ConsoleDimensions(_NO_WIDTH, super().size.height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(visible(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        # Programs that read the output expect the minus and the blank of ASCII in numbers; people
        # see the typographic signs, which do not break lines.
        signs = {} if self.is_terminal else _FOR_PROGRAMS
        for segment in super().render(renderable, options):
            if not segment.control:
                segment = segment._replace(text=visible(segment.text).translate(signs))
            yield segment


errors = SafeConsole(stderr=True)
output = SafeConsole()


def print_json(value: object) -> None:
    """Print one JSON object; NaN and infinity become null."""
    click.echo(json_text(value, ascii_only=not shows_unicode()))


def shows_unicode() -> bool:
    """Return whether standard output takes all characters; it is None where it was closed."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    return encoding.lower().startswith("utf")


def json_text(value: object, *, ascii_only: bool = False) -> str:
    """Write one JSON object; NaN and infinity become null."""
    # JSON has no word for NaN and infinity; Python would write one that other readers refuse.
    text = json.dumps(_finite(value), ensure_ascii=ascii_only, default=_plain, allow_nan=False)
    return visible_json(text)


def print_document(document: report.Document, *, titled: bool = True) -> None:
    """Print a document, its verdict last; without its title if it is not ``titled``."""
    output.print(report.document.terminal(document, titled=titled))


def print_made(made: Provenance | None) -> None:
    """Say what made a file that is shown, as far as that is known."""
    if made is not None:
        output.print(f"Made by {made}", soft_wrap=True)


def print_table(table: report.Table) -> None:
    """Print a table; in a narrow terminal its columns continue below."""
    output.print(report.terminal_table(table))


def _finite(value: object) -> object:
    match value:
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {str(key): _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case _:
            return value


def _plain(value: object) -> object:
    if hasattr(value, "as_json"):
        return _finite(value.as_json())
    if hasattr(value, "item"):  # a NumPy scalar
        return _finite(value.item())
    return str(value)


@contextmanager
def progress() -> Iterator[Progress]:
    """Show progress bars on standard error for jobs that call it; nothing without a terminal.

    The words up to the first comma identify a job; the rest may change. Notices of the
    library, and of kernels that are being compiled, the usual reason for a slow first run, are
    printed above the bars.
    """
    bar = rich_progress.Progress(
        _Description(),
        rich_progress.BarColumn(bar_width=_bar_width()),
        _Count(),
        rich_progress.TimeElapsedColumn(),
        rich_progress.TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=errors.quiet or not errors.is_terminal,
    )
    tasks: dict[str, TaskID] = {}

    def report(done: int, total: int, description: str) -> None:
        job = description.partition(", ")[0]
        if job not in tasks:
            # A verb of many files or matches would push the bars off the screen.
            if len(tasks) == _ROWS:
                bar.remove_task(tasks.pop(_least_needed(tasks, bar)))
            tasks[job] = bar.add_task(description, total=None)
        bar.update(tasks[job], completed=done, total=total or None, description=description)

    from railbird import _jit

    with (
        bar,
        compiling_ahead() as start,
        _jit.watched(_Compiling(bar, start)),
        _notices_printed(),
    ):
        yield report


@contextmanager
def resumable_progress() -> Iterator[Progress]:
    """Show progress as `progress` does; on Ctrl-C say that what was done is kept."""
    try:
        with progress() as report:
            yield report
    except KeyboardInterrupt:
        raise Interrupted("interrupted; the same command goes on where it stopped") from None


def _least_needed(tasks: Mapping[str, TaskID], bar: rich_progress.Progress) -> str:
    """The job whose row makes room for another: the first one that is done, else the first."""
    done = {task.id for task in bar.tasks if task.finished}
    return next((job for job, task in tasks.items() if task in done), next(iter(tasks)))


def _bar_width() -> int:
    return 40 if errors.width >= 100 else 12


class _Description(rich_progress.ProgressColumn):
    """The job's description; where it does not fit, as a long path, its end."""

    def render(self, task: rich_progress.Task) -> Text:
        room = max(errors.width - _bar_width() - _OTHER_COLUMNS, _LEAST_DESCRIPTION)
        text = visible(task.description, layout="")
        # The end of a path tells files apart, its beginning rarely.
        return Text(text if len(text) <= room else "…" + text[len(text) + 1 - room :])


class _Count(rich_progress.ProgressColumn):
    """The amount done, and the total where it is known."""

    def render(self, task: rich_progress.Task) -> Text:
        done = _short(task.completed)
        if task.total is None:
            return Text(done if task.completed else "")
        return Text(f"{done}/{_short(task.total)}")


def _short(count: float) -> str:
    """A number in at most seven characters.

    >>> _short(999_999), _short(1_250_000), _short(2_345_678_901)
    ('999,999', '1.25 M', '2.35 G')
    """
    for size, unit in ((1e9, "G"), (1e6, "M")):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:,.0f}"


@contextmanager
def _notices_printed() -> Iterator[None]:
    """Print what the library logs, each once, where it does not disturb the bars."""
    logger, printer = logging.getLogger("railbird"), _Printer()
    logger.addHandler(printer)
    try:
        yield
    finally:
        logger.removeHandler(printer)


class _Printer(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        errors.print(record.getMessage(), soft_wrap=True)


class _Compiling:
    """Reports kernels being compiled, if they take long: each room once, each kernel in a bar."""

    _told: ClassVar[set[str]] = set()

    def __init__(
        self, bar: rich_progress.Progress, start_ahead: Callable[[Sequence[str]], None]
    ) -> None:
        self._bar = bar
        self._start_ahead = start_ahead
        self._task: TaskID | None = None
        self._depth = 0
        self._verb, self._options = _verb()
        self._begun = self._spent = 0.0

    def begins(self, room: str, kernel: str) -> None:
        # Compiling one kernel compiles those that it calls, so these notices nest; only the
        # outermost one is timed, or the time of inner ones would count twice.
        self._depth += 1
        if self._depth == 1:
            self._begun = time.perf_counter()
        if not self._told:
            cost = first_use_of(self._verb, kernel, self._options)
            # Kernels that compile within a moment are not worth a line, but their sum may be.
            if cost is not None or self._passed() > WORTH_SAYING:
                errors.print(_why_compiling(cost), soft_wrap=True)
                self._told.add("")
                self._start_ahead(() if cost is None else cost.ahead)
        # Without bars, as in the log of a server, one line a room is the only sign of life.
        if self._told and self._bar.disable and room not in self._told:
            errors.print(f"compiling {room}")
            self._told.add(room)
        if self._task is None:
            self._task = self._bar.add_task("", total=None)
        self._bar.update(self._task, description=f"compiling {room}: {kernel}", visible=True)

    def _passed(self) -> float:
        """Seconds of compiling so far."""
        return self._spent + time.perf_counter() - self._begun

    def ends(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._spent = self._passed()
        if self._task is not None and self._depth == 0:
            self._bar.update(self._task, visible=False)


def _verb() -> tuple[str, Mapping[str, Any]]:
    """The verb that runs, without the commands below it, and the options of what runs."""
    context = running = click.get_current_context(silent=True)
    while context is not None and context.parent is not None and context.parent.parent is not None:
        context = context.parent
    if context is None or running is None:
        return "", {}
    return str(context.info_name), running.params


def _why_compiling(cost: FirstUse | None) -> str:
    from railbird import _jit
    from railbird._threads import thread_count

    try:
        # Where the cache cannot be written the kernels compile anew in each run, so a promise that
        # it happens once would be false.
        _jit.check_cache()
    except OSError as problem:
        return f"compiling kernels for this run alone: {_jit.CACHE}: {problem.strerror}"
    amount = "kept"
    if cost is not None:
        seconds = cost.alone if thread_count() == 1 else cost.seconds
        amount = f"{seconds} to {SLOWEST * seconds} s, {cost.megabytes} MB"
    return (
        f"compiling kernels for this machine, once: {amount} in"
        f" {_jit.CACHE} (`railbird machine warm` compiles them all)"
    )


# Exit codes of all commands; 0 is success.


EXIT_FINDING: Final = 1
"""Input was read but nothing came of it, or a check found something."""
EXIT_BAD_INPUT: Final = 2
"""The command or its arguments are wrong, and nothing was read."""
EXIT_INTERRUPTED: Final = 130
"""Stopped by Ctrl-C or SIGTERM; the shells' number."""


# Terminals without Unicode: ASCII replaces signs, so that no minus is lost.


_HANDLER = "railbird.plain"
_PLAIN = {chr(sign): text for sign, text in _FOR_PROGRAMS.items()} | {
    "\N{EN DASH}": "-",
    "\N{PLUS-MINUS SIGN}": "+/-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{DIVISION SIGN}": "/",
    "\N{MIDDLE DOT}": "*",
    "\N{BLACK CLUB SUIT}": "c",
    "\N{BLACK DIAMOND SUIT}": "d",
    "\N{BLACK HEART SUIT}": "h",
    "\N{BLACK SPADE SUIT}": "s",
}


def speak_plainly() -> None:
    """Let standard output and error replace what their encoding lacks by ASCII."""
    codecs.register_error(_HANDLER, _in_plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # An error in printing a sign must not lose a result that took an hour.
            stream.reconfigure(errors=_HANDLER)


def _in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN.get(letter, "?") for letter in lost), error.end
