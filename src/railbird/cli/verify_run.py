"""``railbird verify-run``: whether the card of a match or ring game is that of its log."""

from __future__ import annotations

from pathlib import Path

import click

from railbird import report
from railbird.cli._completion import INPUT_FILE
from railbird.cli._console import EXIT_FINDING, json_option, output, print_json, progress
from railbird.cli._hand_files import check_inputs
from railbird.cli._model_usage import record_option


@click.command(name="verify-run")
@click.argument("card", type=INPUT_FILE)
@click.argument("log", type=INPUT_FILE)
@record_option
@json_option
def command(*, card: Path, log: Path, record: Path | None, as_json: bool) -> None:
    """Check a run's card against its log: digests, cards from the seed, errors, the verdict.

    CARD is the output of `railbird run-card`, LOG the log that it names. The card is made again,
    and every difference is listed. This needs no network. It does not show that a program of this
    name really played.

    \b
    Examples:
      railbird verify-run run.json match.log
      railbird verify-run run.json match.log --record questions.jsonl --json
    """
    check_inputs([str(card), str(log), *([] if record is None else [str(record)])])
    claimed = report.run_card.read_card(card)
    with progress() as notify:
        anew = report.run_card.run_card(log, record, progress=notify)
    problems = report.run_card.differences(claimed, anew)
    if as_json:
        print_json({"card": str(card), "log": str(log), "problems": problems})
    elif problems:
        output.print(f"{card} is NOT the card of {log}:", soft_wrap=True, highlight=False)
        for problem in problems:
            output.print(f"  {problem}", soft_wrap=True, highlight=False, markup=False)
    else:
        hands = anew["log"]["hands"]
        output.print(
            f"{card} is the card of {log}: {hands:,} hands with the cards of their seed, the same "
            "errors and the same verdict.",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
        output.print("This does not show which programs really played.")
    if problems:
        click.get_current_context().exit(EXIT_FINDING)
