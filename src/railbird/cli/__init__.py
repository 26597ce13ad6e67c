"""The command line: ``railbird VERB ...``, one module for each verb.

A verb's module is imported when the verb runs, so that ``railbird --help`` loads none of the
rooms. The first line of each summary below is what ``railbird --help`` shows.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from railbird import __version__
from railbird._visible import visible
from railbird.cli._interrupts import ending_in_order
from railbird.cli._plain import speak_plainly
from railbird.errors import Interrupted, NothingUsable, RailbirdError, WriteFailed

VERBS = {
    "demo": "Play a duplicate match, assess it and write the report.",
    "assess": "Tell skill from luck in a finished match log.",
    "score": "The table of one hand: ranks, actions, baseline, equity by round.",
    "odds": "Rank, strength, potential and odds of one hand.",
    "explain": "Why a modelling player decides as it does.",
    "equity": "All-in equity of hands and ranges.",
    "solve": "Equilibria: push/fold at any stack.",
    "pushfold": "Judge people's push/fold decisions.",
    "match": "Play two players against each other.",
    "league": "Let everybody play everybody.",
    "ring": "Play ring games: stacks carry over, busted players buy in again.",
    "tournament": "Play knock-out tournaments for prizes.",
    "players": "List the players, and what may be said about each.",
    "acpc-client": "Let a player of ours play at an ACPC dealer.",
    "experiment": "The sources' experiments, their numbers beside ours.",
    "convert": "Rewrite a hand history in another format.",
    "archive": "Collect hands in one folder and find them again.",
    "serve": "Serve the push/fold game to browsers.",
    "tables": "Build or list the cached tables.",
    "warm": "Compile everything once.",
    "bench": "Measure the speeds of this machine.",
}

EXIT_FINDING = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


class _Verbs(click.Group):
    """A group whose commands are imported only when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"railbird.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            raise click.UsageError(f"no verb {args[0]!r}; allowed: {', '.join(VERBS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.group(
    cls=_Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
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
    with ending_in_order():
        code = run(args)
    sys.exit(code)


def run(args: list[str] | None = None) -> int:
    """Run the command line and return its exit code; an error is one line on standard error."""
    try:
        code = _railbird.main(args, prog_name="railbird", standalone_mode=False)
    except click.exceptions.Abort:
        return _fail("interrupted", EXIT_INTERRUPTED)
    except KeyboardInterrupt:
        return _fail("interrupted", EXIT_INTERRUPTED)
    except Interrupted as stop:
        return _fail(str(stop), EXIT_INTERRUPTED)
    except click.UsageError as usage:
        where = usage.ctx.command_path if usage.ctx else "railbird"
        return _fail(_wrong_usage(usage), EXIT_BAD_INPUT, who=where)
    except click.ClickException as problem:
        return _fail(problem.format_message(), EXIT_BAD_INPUT)
    except (NothingUsable, WriteFailed) as problem:
        return _fail(str(problem), EXIT_FINDING)
    except RailbirdError as problem:
        return _fail(str(problem), EXIT_BAD_INPUT)
    except SystemExit:
        # How click ends where the reader has gone (`| head`), which is no finding of ours.
        # Standard output is pointed elsewhere for the flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        what = problem.strerror or str(problem)
        return _fail(f"{problem.filename}: {what}" if problem.filename else what, EXIT_BAD_INPUT)
    return code if isinstance(code, int) else 0


def _wrong_usage(usage: click.UsageError) -> str:
    """Say what was wrong; where a command is missing or unknown, also which there are."""
    context = usage.ctx
    if context is None or not isinstance(context.command, click.Group):
        return usage.format_message()
    if isinstance(usage, click.NoSuchOption):
        return usage.format_message()
    nothing = isinstance(usage, click.exceptions.NoArgsIsHelpError)
    said = "no command" if nothing else usage.format_message().rstrip(".")
    return f"{said}; allowed: {', '.join(context.command.list_commands(context))}"


def _fail(message: str, code: int, *, who: str = "railbird") -> int:
    click.echo(visible(f"{who}: {' '.join(message.split())}"), err=True)
    return code
