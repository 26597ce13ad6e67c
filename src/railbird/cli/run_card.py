"""``railbird run-card``: what a paper cites of a match or a ring game."""

from __future__ import annotations

import json
from pathlib import Path

import click

from railbird import report
from railbird._files import replace_files
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE
from railbird.cli._console import json_option, output, print_document, print_json, progress
from railbird.cli._hand_files import check_ending, check_inputs, check_output, force_option
from railbird.cli._model_usage import record_option


@click.command(name="run-card")
@click.argument("log", type=INPUT_FILE)
@record_option
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="Card to write, such as run.json, or a page of it, such as run.html or run.md.",
)
@force_option
@json_option
def command(
    *, log: Path, record: Path | None, out: Path | None, force: bool, as_json: bool
) -> None:
    """Write the card of a match or ring game: players, seed, digests, errors, cost, the verdict.

    LOG is a log that `railbird match --log` wrote, of two players of hold'em, or one of `railbird
    ring --log`. First its cards are dealt again from its seed. Everything on the card follows from
    the log and the record, and anybody who has them can check it with verify-run.

    \b
    Examples:
      railbird run-card match.log --out run.json
      railbird run-card match.log --record questions.jsonl --out run.html
      railbird run-card ring.phhs --out run.json
    """
    inputs = [str(log), *([] if record is None else [str(record)])]
    check_inputs(inputs)
    if out is not None:
        check_output(out, inputs=inputs, force=force)
        check_ending(out, [".json", ".html", ".md"])
    with progress() as notify:
        card = report.run_card.run_card(log, record, progress=notify)
    document = report.run_card.card_document(card)
    if out is not None and out.suffix.lower() == ".json":
        text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
        replace_files({out: text.encode()})
    elif out is not None:
        report.html_page.write(document, out)
    if as_json:
        print_json(card)
        return
    print_document(document)
    if out is not None:
        output.print(f"card: {out}", soft_wrap=True)
