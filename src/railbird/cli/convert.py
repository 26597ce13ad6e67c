"""``railbird convert``: rewrite a hand history in another format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from railbird.cli._shell import errors, json_option, log_game_option, print_json, progress
from railbird.errors import BadInput
from railbird.report.wording import counted

if TYPE_CHECKING:
    from railbird.histories import Skipped

_SHOWN = 10
"""Skipped hands that are listed; the rest are counted."""


@click.command(name="convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "source_format", help="Format of IN, if it cannot be told from the text.")
@click.option(
    "--to",
    "target_format",
    help="acpc, phh, pokerstars, poker-academy, irc or line, if the name of OUT does not tell.",
)
@log_game_option
@click.option("--rename", multiple=True, metavar="OLD=NEW", help="Give a player another name.")
@json_option
def command(
    *,
    source: str,
    target: str,
    source_format: str | None,
    target_format: str | None,
    game: str | None,
    rename: Sequence[str],
    as_json: bool,
) -> None:
    """Rewrite the hands of the log IN as OUT; - is standard input or output, .gz is compressed.

    Every hand is replayed by the rules and compared with its payoff. What is no good is left out,
    listed and counted.

    \b
    Examples:
      railbird convert match.log.gz match.txt
      railbird convert hands.txt - --to acpc --rename Alice=Bob2
    """
    if as_json and target == "-":
        raise BadInput("--json and OUT - both want standard output")
    from railbird.histories import convert

    listed: list[Skipped] = []

    def on_skip(skipped: Skipped) -> None:
        if len(listed) < _SHOWN:
            listed.append(skipped)

    with progress() as report:
        done = convert(
            source,
            target,
            game=game,
            source_format=source_format,
            target_format=target_format,
            rename=dict(_renaming(item) for item in rename),
            progress=report,
            on_skip=on_skip,
        )
    if as_json:
        counts = {reason.value: count for reason, count in done.skipped.items()}
        print_json({"hands": done.hands, "skipped": counts})
        return
    for skipped in listed:
        errors.print(f"line {skipped.line}: {skipped.reason.value}: {skipped.detail}")
    skips = sum(done.skipped.values())
    errors.print(f"{counted(done.hands)} written" + (f", {skips:,} skipped" if skips else ""))


def _renaming(item: str) -> tuple[str, str]:
    old, equals, new = item.partition("=")
    if not (old and equals and new):
        raise BadInput(f"--rename {item!r}; allowed: OLD=NEW")
    return old, new
