"""``railbird hand``: one hand, street by street, as it was played."""

from __future__ import annotations

from pathlib import Path

import click

from railbird import report
from railbird.cli._completion import OUTPUT_FILE, Whole
from railbird.cli._console import (
    errors,
    json_option,
    log_game_option,
    output,
    print_document,
    print_json,
    progress,
)
from railbird.cli._hand_files import check_ending, check_output, force_option, hand_at, is_log
from railbird.errors import BadInput


@click.command(name="hand")
@click.argument("hand", metavar="HAND|FILE|-")
@click.option(
    "--hand",
    "number",
    type=Whole(min=1),
    help="Position of the hand in a file, from 1, as lists of hands have it; the first by default.",
)
@log_game_option
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="Page to write, such as hand.html, or hand.md for Markdown.",
)
@force_option
@json_option
def command(
    *, hand: str, number: int | None, game: str | None, out: Path | None, force: bool, as_json: bool
) -> None:
    """Show one hand street by street: positions, stacks, what each action cost, the pot.

    HAND is the text of a hand in any format that logs are read in, the path of a log, or - for
    standard input. It judges nothing: `railbird score` values the decisions, and `railbird report`
    shows one person's hands.

    \b
    Examples:
      railbird hand session.txt
      railbird hand session.txt --hand 12
      railbird hand - --out hand.html < session.txt
    """
    inputs = [hand] if is_log(hand) else []
    if out is not None:
        check_output(out, inputs=inputs, force=force)
        check_ending(out, [".html", ".md"])
    if number is not None and not inputs:
        raise BadInput(f"--hand {number} needs a file; got the text of a hand, or no such file")
    with progress():
        record, place, has_more = hand_at(hand, number or 1, game, variants=True)
    document = report.street_document(record, place=place)
    if out is not None:
        report.html_page.write(document, out)
    if as_json:
        written = {} if out is None else {"report": str(out)}
        print_json({**report.street_json(record), **written})
        return
    print_document(document)
    if number is None and has_more:
        errors.print("the first hand of several; --hand 2 shows the next", soft_wrap=True)
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)
