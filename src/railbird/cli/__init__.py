"""The command line: ``railbird VERB ...``, one module for each verb.

`__all__` is what the verb of another package needs: types of arguments, options, how to print.

``railbird --help`` shows the first line of many a verb's help, so it imports them but nothing
heavy: a verb imports rooms, whose doors are lazy (``from railbird import odds``), and says
``odds.equity`` where it runs. Names stand alone at the top only if their modules are light.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from typing import Final

import click

from railbird import __version__
from railbird._extras import extra_of, needs
from railbird._files import FULL
from railbird._terminal_safe import visible
from railbird.cli._completion import (
    COMPLETE_VARIABLE,
    INPUT_FILE,
    OUTPUT_FOLDER,
    OneOf,
    Words,
    complete,
)
from railbird.cli._console import (
    EXIT_BAD_INPUT,
    EXIT_FINDING,
    EXIT_INTERRUPTED,
    errors,
    json_option,
    output,
    print_document,
    print_json,
    print_table,
    progress,
    seed_option,
    speak_plainly,
    workers_option,
)
from railbird.cli._former_options import wrong_option
from railbird.cli._hand_files import check_folder, check_inputs, force_option
from railbird.cli._signals import ending_in_order
from railbird.cli._verbs import Verbs, in_our_words
from railbird.errors import (
    DEBUG_VARIABLE,
    Interrupted,
    NothingUsable,
    PlayerFault,
    RailbirdError,
    WriteFailed,
    interruption_words,
    is_debugging,
    traceback_of,
)

__all__ = [
    "EXIT_FINDING",
    "INPUT_FILE",
    "OUTPUT_FOLDER",
    "OneOf",
    "Words",
    "check_folder",
    "check_inputs",
    "errors",
    "force_option",
    "json_option",
    "output",
    "print_document",
    "print_json",
    "print_table",
    "progress",
    "seed_option",
    "workers_option",
]

_TOO_MANY: Final = "Got unexpected extra argument"
"""How click begins what it says of arguments that no parameter takes."""

_EXAMPLE: Final = re.compile(r"^ *Examples?:\n +(.*)$", re.MULTILINE)
"""The first example in a command's help."""

COLLECTION: Final = (10_000, 20, 20)
"""When garbage is looked for: Python's own more frequent collections cost up to a twentieth."""


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    epilog="`railbird help VERB` explains a verb, `railbird help odds preflop` one below another.",
)
@click.version_option(__version__, prog_name="railbird")
@click.pass_context
def _railbird(context: click.Context) -> None:
    """A laboratory for computer poker: play, model, solve, and tell skill from luck."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 a finding, 2 bad input, 130 interrupted."""
    speak_plainly()
    gc.set_threshold(*COLLECTION)
    if COMPLETE_VARIABLE in os.environ:
        complete(_railbird)
    with ending_in_order():
        code = run(args)
    sys.exit(_flushed(code))


def _flushed(code: int) -> int:
    """Write what standard output still holds, and say in one line where it takes no more."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _give_up_output()
    except OSError as problem:
        _give_up_output()
        # A verb that failed has said why, so its code and its line stand; a second line about the
        # output would hide the first reason.
        return code or _fail(problem.strerror or str(problem), EXIT_FINDING)
    return code


def _give_up_output() -> None:
    """Point standard output elsewhere, so that the flush at exit does not fail."""
    # The descriptor is replaced, not `sys.stdout`: Python flushes the old object at exit, whatever
    # the name is bound to, and what is still in its buffer must go somewhere.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(args: list[str] | None = None) -> int:
    """Run the command line and return its exit code; an error is one line on standard error.

    A verb may ask for tracebacks of players' errors, which come before that line, or for quiet.
    """
    # The option writes a variable of the environment so that worker processes inherit it. It is put
    # back because tests and other programs run several verbs in one process.
    previous_debug = os.environ.get(DEBUG_VARIABLE)
    try:
        return _run(args)
    finally:
        errors.quiet = False
        os.environ.pop(DEBUG_VARIABLE, None)
        if previous_debug is not None:
            os.environ[DEBUG_VARIABLE] = previous_debug


def _run(args: list[str] | None) -> int:
    original_stdout = sys.stdout
    try:
        code = _railbird.main(
            args,
            prog_name="railbird",
            standalone_mode=False,
            obj=sys.argv[1:] if args is None else args,
        )
    except (click.exceptions.Abort, KeyboardInterrupt) as interruption:
        words = ["interrupted", interruption_words(interruption)]
        return _fail("; ".join(filter(None, words)), EXIT_INTERRUPTED)
    except click.UsageError as usage:
        where = usage.ctx.command_path if usage.ctx else "railbird"
        return _fail(_wrong_usage(usage), EXIT_BAD_INPUT, who=where)
    except click.ClickException as problem:
        return _fail(problem.format_message(), EXIT_BAD_INPUT)
    except RailbirdError as problem:
        return _refused(problem)
    except ModuleNotFoundError as problem:
        extra = extra_of(problem.name)
        if problem.name is None or extra is None:
            raise
        return _fail(needs(problem.name, extra), EXIT_BAD_INPUT)
    except SystemExit as ended:
        # How click and Rich end where the reader has gone (`| head`), which is no finding of ours:
        # click puts another standard output in the place of ours before, Rich ends for the error.
        if sys.stdout is original_stdout and not isinstance(ended.__context__, BrokenPipeError):
            raise
        _give_up_output()
        return 0
    except OSError as problem:
        what = problem.strerror or str(problem)
        code = EXIT_FINDING if problem.errno in FULL else EXIT_BAD_INPUT
        return _fail(f"{problem.filename}: {what}" if problem.filename else what, code)
    return code if isinstance(code, int) else 0


def _refused(problem: RailbirdError) -> int:
    """Say in one line what was refused, after the traceback of a player that failed."""
    cause = problem.__cause__
    # A player's fault carries its traceback as text, since it may come from another process, from
    # which no traceback can be sent.
    if isinstance(problem, PlayerFault):
        _show_traceback(problem.trace)
    elif is_debugging() and cause is not None and not isinstance(cause, RailbirdError):
        _show_traceback(traceback_of(cause))
    match problem:
        case Interrupted():
            code = EXIT_INTERRUPTED
        case PlayerFault() | NothingUsable() | WriteFailed():
            code = EXIT_FINDING
        case _:
            code = EXIT_BAD_INPUT
    return _fail(str(problem), code)


def _show_traceback(trace: str) -> None:
    click.echo("".join([f"{visible(line)}\n" for line in trace.splitlines()]), err=True, nl=False)


def _wrong_usage(usage: click.UsageError) -> str:
    """Say what was wrong; where a command is missing, also which there are.

    Of too few or too many arguments the first example of the command's help shows the form.
    """
    context = usage.ctx
    # Click's message here is the whole help of the group, which is no error in one line.
    if isinstance(usage, click.exceptions.NoArgsIsHelpError) and context is not None:
        command = context.command
        if isinstance(command, click.Group):
            return f"no command; allowed: {', '.join(command.list_commands(context))}"
    if isinstance(usage, click.NoSuchOption) and context is not None:
        return wrong_option(usage.option_name, context.command)
    if isinstance(usage, click.BadParameter) and isinstance(usage.param, click.Option):
        # An option by its long names, as the manual has it.
        usage.param_hint = [name for name in usage.param.opts if name.startswith("--")]
    message = in_our_words(usage.format_message())
    if context is not None and (
        isinstance(usage, click.MissingParameter) or message.startswith(_TOO_MANY)
    ):
        example = _EXAMPLE.search(context.command.help or "")
        if example is not None:
            return f"{message.rstrip('.')}; as in: {example[1]}"
    return message


def _fail(message: str, code: int, *, who: str = "railbird") -> int:
    click.echo(visible(f"{who}: {' '.join(message.split())}"), err=True)
    return code
