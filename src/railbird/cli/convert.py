"""``railbird convert``: rewrite a hand history in another format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import histories, report
from railbird.cli._completion import FILE, FORMAT, OUTPUT_FILE, WRITTEN_FORMAT
from railbird.cli._console import (
    errors,
    json_option,
    log_game_option,
    print_document,
    print_json,
    progress,
)
from railbird.cli._hand_files import (
    SkipList,
    check_inputs,
    check_output,
    force_option,
    nothing_written,
)
from railbird.cli._keyed_options import show_option
from railbird.errors import BadInput
from railbird.report.number_format import counted, percent

if TYPE_CHECKING:
    _Hand = histories.HandRecord | histories.Skipped

_KINDS: Final = 40
"""Most kinds of refused hands that a terminal lists; --json has all."""


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
@click.option(
    "--anonymous",
    is_flag=True,
    help="Replace names by pseudonyms, shift times, change numbers, drop comments and chat.",
)
@click.option(
    "--key-file",
    type=OUTPUT_FILE,
    help="Key of --anonymous, created if it does not exist. One key gives the same pseudonyms "
    "in several logs; without this option the key is thrown away.",
)
@show_option(lint="what the logs lack, and what was refused by kind")
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
    anonymous: bool,
    key_file: Path | None,
    lint: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Rewrite the logs IN in another format as OUT, one file; - is standard input or output.

    Every hand is replayed by the rules and compared with its payoff. Invalid hands are skipped,
    listed and counted. If all are invalid, OUT is not written and the exit code is 1. OUT is
    compressed if its name ends in .gz.

    \b
    Examples:
      railbird convert match.log.gz match.txt
      railbird convert hands.txt - --to acpc --rename Alice=Bob2
      railbird convert monday.txt tuesday.txt week.phhs
      railbird convert sessions/ shared.phhs --anonymous
      railbird convert hands.txt /dev/null --to phh --show lint

    Formats of sites that are read: pokerstars, ggpoker, winamax, partypoker, pacific (888poker),
    ipoker, full-tilt, bovada (Ignition, Bodog), winning, pokernow, pokertracker, ongame, pkr,
    betonline, everleaf, absolute (UltimateBet), poker-mavens, kingsclub, entraction, cake, unibet,
    big-game, merge, everest, boss, microgaming, irc.

    Formats of programs that are read: acpc, transcript, phh, ohh, poker-academy, kaggle, line.
    """
    _check(sources, target, anonymous=anonymous, key_file=key_file, force=force, as_json=as_json)
    renaming = dict(_renaming(item) for item in rename)
    histories.check_players(renaming, sources)

    key = histories.new_key() if key_file is None else histories.key_from(key_file)
    anonymiser, log_lint = histories.Anonymiser(key), histories.LogLint()
    skips = SkipList()

    def changed(hands: Iterator[_Hand]) -> Iterator[_Hand]:
        passing = log_lint.pass_by(hands) if lint else hands
        return anonymiser.hands(passing) if anonymous else passing

    with progress() as notify:
        done = histories.convert(
            sources,
            target,
            game=game,
            source_format=source_format,
            target_format=target_format,
            rename=renaming,
            change=changed,
            progress=notify,
            on_skip=skips.add,
        )
    if as_json:
        lint_json = {"lint": log_lint.as_json()} if lint else {}
        lost_json = {"lost": done.lost} if done.lost else {}
        print_json({"hands": done.hands, "skipped": skips.counts, **lost_json, **lint_json})
    elif lint:
        print_document(_lint_document(log_lint))
    if not as_json:
        skips.show()
    if skips.refused and not _format(target, target_format).keeps_refused:
        words = f"{target} has no place for that: statistics of it are without these hands"
        errors.print(words, soft_wrap=True)
    if not done.hands:
        raise nothing_written(target, target_format, skips.counts)
    if done.lost and not as_json:
        parts = [f"{words} ({counted(hands)})" for words, hands in done.lost.items()]
        errors.print(f"{target} has no place for {', '.join(parts)}", soft_wrap=True)
    if not as_json:
        left = skips.counts.total()
        errors.print(f"{counted(done.hands)} written" + (f", {left:,} skipped" if left else ""))
    if anonymous and not as_json:
        key_words = "the key is thrown away" if key_file is None else f"the key is in {key_file}"
        errors.print(f"no name is left; {key_words}", soft_wrap=True)


def _check(
    sources: Sequence[str],
    target: str,
    *,
    anonymous: bool,
    key_file: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Refuse options that do not go together, and files that are not there or in the way."""
    if not sources:  # click would miss IN, where the one that is there is IN
        raise click.MissingParameter(
            ctx=click.get_current_context(), param_hint="'OUT'", param_type="argument"
        )
    if as_json and target == "-":
        raise BadInput("--json and OUT - both want standard output")
    check_inputs(sources)
    resolved = [Path(source).resolve() for source in sources]
    for place, source in enumerate(sources):
        if resolved[place] in resolved[:place]:
            raise BadInput(f"{source} is given twice, and its hands would be; allowed: once")
    check_output(target, inputs=sources, force=force)
    if key_file is None:
        return
    if not anonymous:
        raise BadInput("--key-file without --anonymous; allowed: both")
    if any(key_file == Path(file) for file in (*sources, target)):
        raise BadInput(f"--key-file {key_file} is IN or OUT; allowed: a file of its own")


def _lint_document(lint: histories.LogLint) -> report.Document:
    """Say what the hands lack, and what could not be used."""
    rows = [
        (name, f"{lint.lacking[name]:,}", percent(lint.lacking[name] / lint.hands), effect)
        for name, (effect, _) in histories.LACKS.items()
        if lint.lacking[name]
    ]
    refused = [
        (reason, kind, f"{count:,}") for (reason, kind), count in lint.refused.most_common(_KINDS)
    ]
    sections = [
        report.Section(
            words=f"{counted(lint.hands)} read; {'these lack' if rows else 'none lacks anything.'}",
            table=report.Table(("what", "hands", "share", "so"), rows),
        ),
    ]
    if refused:
        table = report.Table(("refused as", "text", "count"), refused)
        sections.append(report.Section(words="Could not be used:", table=table))
    return report.Document(title="What the logs lack", sections=sections)


def _format(target: str, name: str | None) -> histories.Format:
    return histories.writable_format(target) if name is None else histories.format_named(name)


def _renaming(item: str) -> tuple[str, str]:
    old, equals, new = item.partition("=")
    if not (old and equals and new):
        raise BadInput(f"--rename {item!r}; allowed: OLD=NEW")
    return old, new
