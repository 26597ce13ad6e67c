"""``railbird night``: one page on a game among friends, to be shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
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
    SkipList,
    batches_of_files,
    check_ending,
    check_inputs,
    check_output,
    force_option,
    reasons,
    same_names,
    same_option,
)
from railbird.cli.ledger import ledgers_json, of_money, why_open
from railbird.errors import NothingUsable
from railbird.report.number_format import counted, display_name

_FEWEST = 2


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
    are a season. Nobody is called better than another unless luck does not explain it, and the page
    says after how many hands it will be decided. Three hands are told street by street.

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
    skips = SkipList(log)
    table = _Table(skips)
    with progress() as notify:
        read = batches_of_files(files, game, log, skips, notify)
        everything = assessment.player_statistics.rows_of(table.watched(read))
    skips.show()
    if table.left_out:
        kinds = ", ".join(f"{counted(hands)} {kind}" for kind, hands in table.left_out.items())
        errors.print(f"left out, as their chips are not money: {kinds}", soft_wrap=True)
    if everything.is_empty():
        raise NothingUsable(f"no hand of a cash game: {reasons(skips.counts + table.left_out)}")
    wanted = assessment.player_statistics.Filter(same=merged)
    rows = assessment.player_statistics.chosen_rows(everything, wanted)
    if (people := rows["player"].n_unique()) < _FEWEST:
        raise NothingUsable(f"{people} player; allowed: hands of {_FEWEST} or more")

    cards = assessment.player_statistics.LogCards.of(everything)
    integrity = assessment.player_statistics.integrity_of(rows, log, cards)
    withheld = integrity.withheld(None, display=display_name)
    won = histories.with_house(of_money(table.money), merged)
    settled = {currency: histories.settle(of) for currency, of in won.items()}
    doubt = withheld or why_open(won, skips, table.unlabelled)
    season = assessment.season_of(rows, cards)
    chosen = assessment.hands_worth_telling(rows)
    if as_json:
        print_json(
            {
                "files": list(files),
                "skipped": skips.counts,
                "left_out": table.left_out,
                "withheld": withheld,
                "ledger_withheld": doubt,
                "ledgers": ledgers_json(won, settled),
                **season.as_json(),
                "hands": [
                    {"title": title, "hand": hand + 1, "player": player, "won_bb": amount}
                    for title, hand, player, amount in chosen
                ],
                "report": None if out is None else str(out),
            }
        )
    if as_json and out is None:
        return
    by_player = assessment.player_statistics.divided(rows, None)
    document = report.night_document(
        season,
        rows,
        {standing.player: by_player[standing.player][""] for standing in season.standings},
        won,
        settled,
        styles=assessment.player_statistics.styles_of(rows),
        rates=assessment.hourly_rates(rows),
        hands=[
            report.hand_told(record, title, player, amount)
            for (title, _, player, amount), record in zip(
                chosen, table.records([hand for _, hand, _, _ in chosen]), strict=True
            )
        ],
        withheld=withheld,
        doubt=doubt,
    )
    if out is not None:
        report.html_page.write(document, out)
    if not as_json:
        print_document(document)
        if out is not None:
            output.print(f"report: {out}", soft_wrap=True)


@dataclass
class _Table:
    """What is kept of hands as they are read: the money, and the hands themselves in few bytes."""

    skips: SkipList
    money: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    unlabelled: set[str] = field(default_factory=set)
    left_out: Counter[str] = field(default_factory=Counter)
    """Hands whose chips are not money, by what they are."""
    pieces: list[histories.columns.Piece] = field(default_factory=list)

    def watched(self, batches: Iterable[histories.HandBatch]) -> Iterator[histories.HandBatch]:
        """Yield the hands that have blinds to count by, and add up the money of all."""
        for batch in histories.cash_games(batches, self.unlabelled, self.left_out):
            for currency, of in histories.money_by_player([batch]).items():
                mine = self.money.setdefault(currency, {})
                for name, amount in of.items():
                    mine[name] = mine.get(name, Fraction(0)) + amount
            for blinded, skipped in histories.columns.with_blinds([(batch, ())]):
                for skip in skipped:
                    self.skips.add(skip)
                if len(blinded):
                    self.pieces.append(histories.columns.pack(blinded))
                    yield blinded

    def records(self, hands: Sequence[int]) -> Iterator[histories.HandRecord]:
        """Return hands by their place among those that `watched` gave."""
        if not hands:
            return iter(())
        packed = histories.columns.PackedHands(self.pieces)
        return histories.columns.records_of(packed.rows(hands))
