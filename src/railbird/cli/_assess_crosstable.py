"""``railbird assess --show crosstable``: a table of several matches of heads-up limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from railbird import assessment, baseline, histories, report
from railbird.cli._console import errors, output, print_json, print_table, progress
from railbird.cli._hand_files import SkipList, reasons, records_of_files
from railbird.cli._result_tables import crosstable_of
from railbird.errors import NothingUsable

if TYPE_CHECKING:
    from railbird.estimates import Estimate
    from railbird.progress import Progress


def tell_crosstable(
    files: Sequence[str],
    game: str | None,
    settings: Sequence[baseline.BaselineSettings],
    more: Sequence[assessment.Aivat],
    workers: int | None,
    on: str | None,
    as_json: bool,
) -> None:
    """Assess each file as a separate match and show them together."""
    skips, skipped = SkipList(), Counter[str]()
    withheld: list[str] = []

    def matches() -> Iterator[assessment.MatchAssessment]:
        recorded = _recorded(files)
        for log, hands in _matches(files, game, skips, notify):
            match = assessment.assess(
                hands, settings=settings, more=more, threads=workers, on=on, progress=notify
            )
            match = match.with_recorded(recorded.get(log, {}))
            skipped.update(match.skipped)
            if match.hands:
                if (why := match.integrity.withheld(match.hero)) is not None:
                    withheld.append(f"{' v '.join(match.players)}: {why}")
                yield match

    with progress() as notify:
        table = assessment.crosstable(matches())
    if not table.players:
        raise NothingUsable(f"no hand could be assessed: {reasons(skipped)}")
    withheld += [
        f"{' v '.join(names)}: {verdict.errors}"
        for names, verdict in table.verdicts.items()
        if verdict.errors and (names[0] < names[-1] if len(names) == 2 else len(table.players) > 2)
    ]
    withheld += [f"these matches: {contradiction}" for contradiction in table.contradictions]
    if table.again:
        skipped[assessment.Unscorable.AGAIN.value] += table.again
    if as_json:
        print_json(
            {"files": list(files), "unit": "sb", "skipped": skipped, "withheld": withheld}
            | table.as_json()
        )
        return
    for why in withheld:
        output.print(f"No verdict on {why}.")
    _show(table)
    skips.show()
    if unlisted := skipped - skips.counts:
        errors.print(f"skipped: {reasons(unlisted)}")


def _show(table: assessment.Crosstable) -> None:
    if table.hidden:
        output.print(
            f"No verdict on skill: the cards of {table.hidden:,} of {table.hands:,} hands were not "
            "shown, and those that were are not a representative sample."
        )
    if house := report.rake_of_matches(table.raked, "sb", money_alone=bool(table.hidden)):
        output.print(house)
    for name in table.estimators:
        print_table(_one_crosstable(table, name))
    for words in _conditions(table):
        output.print(words)


def _conditions(table: assessment.Crosstable) -> Iterator[str]:
    """Say which results beyond chance hold only if the logs are whole, and which fall."""
    decided = {
        " against ".join(map(report.number_format.display_name, (*names, "all")[:2])): verdict
        for names, verdict in table.verdicts.items()
        if verdict.decided and (len(names) == 1 or verdict.result.value > 0)
    }
    turned = [who for who, verdict in decided.items() if verdict.turned]
    if_whole = [who for who, verdict in decided.items() if verdict.if_whole and not verdict.turned]
    if turned:
        yield f"Hands that could not be used could turn these results: {', '.join(turned)}."
    if if_whole:
        yield f"More than luck only if the logs are whole: {', '.join(if_whole)}."


def _matches(
    files: Sequence[str], game: str | None, skips: SkipList, notify: Progress
) -> Iterator[tuple[str, Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped]]]:
    """Yield the name and the hands of each log; those in folders and archives are separate matches.

    A log must be consumed before the next one begins.
    """
    for file in files:
        hands = _log_by_log(records_of_files([file], game, skips, notify))
        yield from groupby(hands, key=partial(_log_of, file=file))


def _recorded(files: Sequence[str]) -> dict[str, Counter[tuple[str, str]]]:
    return {log: n for file in files for log, n in histories.recorded_errors(file).items()}


def _log_by_log(
    hands: Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped],
) -> Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped]:
    """Split batches at the start of another log, since those of an archive span several."""
    for hand in hands:
        if isinstance(hand, histories.HandBatch):
            yield from histories.columns.by_source(hand)
        else:
            yield hand


def _log_of(
    hand: histories.HandRecord | histories.HandBatch | histories.Skipped, *, file: str
) -> str:
    if isinstance(hand, histories.Skipped):
        return hand.file or file
    if isinstance(hand, histories.HandRecord):
        return file if hand.source is None else hand.source.file
    name: str = file if hand.file[0] < 0 else hand.sources[hand.file[0]]
    return name


def _one_crosstable(table: assessment.Crosstable, estimator: str) -> report.Table:
    def against(player: int, opponent: int) -> Estimate | None:
        row = table.pairs.get((table.players[player], table.players[opponent]))
        return None if row is None else row[estimator]

    return crosstable_of(
        f"{estimator}, sb a hand, 95 % intervals",
        table.players,
        lambda player: table.totals[table.players[player]][estimator],
        against,
    )
