"""``railbird assess --payouts``: tournaments by their prizes, and less the luck of all-ins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from railbird.cli._amounts import entry_of
from railbird.cli._assess_crosstable import records_of_files
from railbird.cli._assess_options import chosen_estimators
from railbird.cli._console import output, print_json, print_table, progress
from railbird.cli._file_checks import check_inputs
from railbird.cli._skipped_hands import SkipList, reasons
from railbird.errors import BadInput, NothingUsable, absent_player
from railbird.report.toolkit.number_format import counted, interval_of, number

if TYPE_CHECKING:
    from railbird.assessment.prizes.match import PrizeAssessment


def check_payouts(
    payouts: str | None, *, without: Sequence[object], settings: tuple[str, str | None]
) -> None:
    """Refuse options that do not go together; ``settings`` are those of the baseline."""
    if payouts is None:
        raise BadInput("--entry without --payouts; allowed: with the prizes that it pays for")
    if any(without) or settings != ("standard", None):
        raise BadInput(
            "--payouts goes with --entry, --game, --player, --estimators and --json alone"
        )


def tell_prizes(
    files: Sequence[str],
    game: str | None,
    payouts: str | None,
    entry: str | None,
    player: str | None,
    estimators: str | None,
    as_json: bool,
) -> None:
    """Assess tournaments, and print what came of it."""
    from railbird.assessment import Form, estimators_of
    from railbird.assessment.prizes.match import assess_tournaments
    from railbird.tournament import parse_payouts

    known = estimators_of(Form.TOURNAMENT)
    shown: Sequence[str] = [one.name for one in known if one.listed]
    if estimators is not None:
        shown = chosen_estimators(estimators, [one.name for one in known])
    shares, fee = parse_payouts(payouts or ""), entry_of("1" if entry is None else entry)
    check_inputs(files)
    skips = SkipList()
    with progress() as report:
        found = assess_tournaments(
            records_of_files(files, game, skips, report), payouts=shares, entry=fee
        )
    if player is not None and found.players and player not in found.players:
        raise absent_player(player, found.players, where="this log")
    if as_json:
        print_json({"files": list(files), **found.as_json()})
    if not found.tournaments:
        why = found.unfinished.why or reasons(skips.counts)
        raise NothingUsable(f"no tournament could be assessed: {why}")
    if as_json:
        return
    skips.show()
    print_table(_table(found, found.players if player is None else (player,), shown))
    for words in _words(found, shown):
        output.print(words)


def _table(found: PrizeAssessment, names: Sequence[str], shown: Sequence[str]) -> Table:
    from railbird.assessment import Form, estimators_of

    table = Table(
        title=f"{counted(found.tournaments, 'tournament')}{_sets(found)}, {counted(found.hands)}",
        title_justify="left",
        box=None,
    )
    table.add_column("player", overflow="fold")
    listed = [one for one in estimators_of(Form.TOURNAMENT) if one.name in shown]
    listed = [one for one in listed if one.name in found.estimates[names[0]]]
    for one in listed:
        for column in (one.title.lower(), "95 % interval"):
            table.add_column(column, justify="right", no_wrap=True)
    for name in names:
        values = [found.estimates[name][one.name] for one in listed]
        cells = [cell for each in values for cell in (number(each.value, 3), interval_of(each, 3))]
        table.add_row(name, *cells)
    return table


def _sets(found: PrizeAssessment) -> str:
    if found.independent == found.tournaments:
        return ""
    return f" in {counted(found.independent, 'set')}"


def _words(found: PrizeAssessment, shown: Sequence[str]) -> list[str]:
    words = []
    if found.unfinished.count:
        words.append(
            f"left out: {counted(found.unfinished.count, 'tournament')} that cannot be followed to"
            f" the end, such as {found.unfinished.why}"
        )
    if "prize_less_luck" not in shown:
        return words
    if "prize_less_luck" not in found.estimates[found.players[0]]:
        words.append("a card is unknown: which all-ins could be adjusted would depend on who won")
        return words
    left = f"; {found.left:,} of five hands or more are left" if found.left else ""
    luck = f"less the luck of {counted(found.all_ins, 'all-in')}{left}"
    if found.variance_reduction is not None:
        times = number(found.variance_reduction, 2)
        luck += f". As narrow as intervals of {times} times as many tournaments"
    words.append(luck)
    return words
