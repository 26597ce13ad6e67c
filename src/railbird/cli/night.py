"""``railbird night``: one page on a game among friends, to be shared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from railbird import assessment, histories, report
from railbird.cli._completion import FILE, OUTPUT_FILE
from railbird.cli._console import (
    errors,
    json_option,
    log_game_option,
    output,
    print_document,
    print_json,
    progress,
)
from railbird.cli._hand_files import (
    HandPlaces,
    SkipList,
    batches_of_files,
    check_ending,
    check_inputs,
    check_output,
    force_option,
    same_names,
    same_option,
)
from railbird.cli.ledger import ledgers_json, of_money
from railbird.report.number_format import counted


@click.command(name="night")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@same_option
@log_game_option
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="Page to write, such as night.html, or night.md for Markdown.",
)
@force_option
@json_option
def command(
    *,
    files: Sequence[str],
    same: Sequence[str],
    game: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Sum up a night among friends: who owes whom, standings with and without luck, awards.

    FILE is a log of any known format, a folder of logs or an archive, of cash games; several nights
    are a season. It calls somebody better only if luck does not explain the difference, and says
    how many hands it takes to decide. Three hands are described street by street.

    \b
    Examples:
      railbird night poker_now_log.csv --out night.html
      railbird night season/ --same "Bob=Bobby,bob_phone" --out season.html
    """
    merged = same_names(same)
    check_inputs(files)
    if out is not None:
        check_output(out, inputs=files, force=force)
        check_ending(out, [".html", ".md"])
    histories.check_players({*merged} - set(merged.values()), files)
    log = assessment.Log(merged)
    skips, places = SkipList(log), HandPlaces()
    table = report.night_page.NightTable()
    with progress() as notify:
        read = batches_of_files(files, game, log, skips, notify, places=places)
        everything = assessment.player_statistics.rows_of(table.watched(read))
    for skip in table.without_blinds:
        skips.add(skip)
    skips.show()
    if table.left_out:
        kinds = ", ".join(f"{counted(hands)} {kind}" for kind, hands in table.left_out.items())
        errors.print(f"left out, as their chips are not money: {kinds}", soft_wrap=True)
    night = report.night_page.night_of(everything, table, log, of_money(table.money), same=merged)
    if as_json:
        print_json(
            {
                "files": list(files),
                "skipped": skips.counts,
                "left_out": table.left_out,
                "withheld": night.withheld,
                "ledger_withheld": night.doubt,
                "ledgers": ledgers_json(night.won, night.settled),
                **night.season.as_json(),
                "hands": [
                    {
                        "title": hand.title,
                        "hand": places.name(record),
                        "player": hand.player,
                        "won_bb": hand.won,
                    }
                    for hand, record in night.memorable_records(table)
                ],
                "report": None if out is None else str(out),
            }
        )
    if as_json and out is None:
        return
    document = night.document(table)
    if out is not None:
        report.html_page.write(document, out)
    if not as_json:
        print_document(document)
        if out is not None:
            output.print(f"report: {out}", soft_wrap=True)
