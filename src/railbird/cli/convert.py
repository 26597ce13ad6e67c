"""``railbird convert``: rewrite a hand history in another format."""

from __future__ import annotations

from collections.abc import Sequence

import click

from railbird import histories
from railbird.cli._completion import FILE, FORMAT, WRITTEN_FORMAT
from railbird.cli._console import errors, json_option, log_game_option, print_json, progress
from railbird.cli._hand_files import (
    SkipList,
    check_inputs,
    check_output,
    force_option,
    nothing_written,
)
from railbird.errors import BadInput
from railbird.report.number_format import counted


@click.command(name="convert")
@click.argument("sources", metavar="IN...", nargs=-1, type=FILE)
@click.argument("target", metavar="OUT", type=FILE)
@click.option(
    "--from", "source_format", type=FORMAT, help="Format of IN, if its text does not show it."
)
@click.option(
    "--to",
    "target_format",
    type=WRITTEN_FORMAT,
    help=(
        "acpc, phh, ohh, pokerstars, poker-academy, irc or line, by default from the name of OUT."
    ),
)
@log_game_option
@click.option(
    "--rename", multiple=True, metavar="OLD=NEW", help="Rename a player; may be repeated."
)
@force_option
@json_option
def command(
    *,
    sources: Sequence[str],
    target: str,
    source_format: str | None,
    target_format: str | None,
    game: str | None,
    rename: Sequence[str],
    force: bool,
    as_json: bool,
) -> None:
    """Rewrite the logs IN in another format as OUT, one file; - is standard input or output.

    Every hand is replayed by the rules and compared with its payoff. Invalid hands are skipped,
    listed and counted; where all are, OUT is not written and the exit code is 1. OUT is compressed
    if its name ends in .gz.

    \b
    Examples:
      railbird convert match.log.gz match.txt
      railbird convert hands.txt - --to acpc --rename Alice=Bob2
      railbird convert monday.txt tuesday.txt week.phhs
    """
    if not sources:  # click would miss IN, where the one that is there is IN
        raise click.MissingParameter(
            ctx=click.get_current_context(), param_hint="'OUT'", param_type="argument"
        )
    if as_json and target == "-":
        raise BadInput("--json and OUT - both want standard output")
    renaming = dict(_renaming(item) for item in rename)
    check_inputs(sources)
    check_output(target, inputs=sources, force=force)

    histories.check_players(renaming, sources)

    skips = SkipList()
    with progress() as notify:
        done = histories.convert(
            sources,
            target,
            game=game,
            source_format=source_format,
            target_format=target_format,
            rename=renaming,
            progress=notify,
            on_skip=skips.add,
        )
    left = skips.counts.total()
    if as_json:
        print_json({"hands": done.hands, "skipped": skips.counts})
    else:
        skips.show()
    if skips.refused and not _format(target, target_format).keeps_refused:
        words = f"{target} has no place for that: statistics of it are without these hands"
        errors.print(words, soft_wrap=True)
    if not done.hands:
        raise nothing_written(target, target_format, skips.counts)
    if not as_json:
        errors.print(f"{counted(done.hands)} written" + (f", {left:,} skipped" if left else ""))


def _format(target: str, name: str | None) -> histories.Format:
    return histories.writable_format(target) if name is None else histories.format_named(name)


def _renaming(item: str) -> tuple[str, str]:
    old, equals, new = item.partition("=")
    if not (old and equals and new):
        raise BadInput(f"--rename {item!r}; allowed: OLD=NEW")
    return old, new
