"""``railbird assess``: the post-game analysis of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import click

from railbird.cli._assess_several_players import table_of
from railbird.cli._completion import ESTIMATORS, FILE, SETTINGS
from railbird.cli._file_checks import check_folder, check_inputs, force_option
from railbird.cli._results import crosstable_of
from railbird.cli._shell import (
    errors,
    json_option,
    log_game_option,
    output,
    print_json,
    print_table,
    progress,
)
from railbird.cli._skips import SkipList, reasons
from railbird.cli._verbs import Section
from railbird.errors import BadInput, NothingUsable, unknown_name

if TYPE_CHECKING:
    from rich.table import Table

    from railbird.assessment import Assessment, Crosstable
    from railbird.baseline import BaselineSettings
    from railbird.estimates import Estimate
    from railbird.game import Rules
    from railbird.histories import HandRecord, Skipped
    from railbird.histories.columns import HandBatch
    from railbird.progress import Progress

SECTION: Final = Section.JUDGE


@click.command(name="assess")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the report."
)
@log_game_option
@click.option(
    "--settings",
    type=SETTINGS,
    default="standard",
    show_default=True,
    help="Settings of the baseline; A+B averages two.",
)
@click.option(
    "--fold-pot",
    type=click.Choice(["round-start", "facing-bet"]),
    help="Pot that the fold rule sees.",
)
@click.option(
    "--player",
    help="Player from whose side results are given; by default the first hand's big blind.",
)
@click.option(
    "--crosstable", is_flag=True, help="Take each log for a match, and show who won from whom."
)
@click.option(
    "--estimators",
    type=ESTIMATORS,
    metavar="A,B",
    help="Show only these, such as money,divat.",
)
@click.option(
    "--images",
    type=click.Choice(["png", "svg"]),
    multiple=True,
    help="Write every figure as a file, too.",
)
@force_option
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Threads that score, by default one for each core; the figures are the same.",
)
@json_option
def command(
    *,
    files: Sequence[str],
    out: Path | None,
    game: str | None,
    settings: str,
    fold_pot: str | None,
    player: str | None,
    crosstable: bool,
    estimators: str | None,
    images: Sequence[str],
    force: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Tell skill from luck in finished matches of hold'em.

    FILE is a log of any known format, compressed or not, a folder of logs, or - for standard input.
    Unusable hands are skipped and counted by reason. Amounts are in small bets of the hand's own
    stakes, so a match whose blinds rose is judged at fixed stakes.

    \b
    Examples:
      railbird assess match.log --out report
      railbird assess six-handed.txt --player Hero --out scores
      railbird assess match.log.gz --settings standard+tight-low --json
      railbird assess --crosstable logs
    """
    if images and out is None:
        raise BadInput("--images needs --out, the folder to put them in")
    if crosstable and (out or player or estimators):
        raise BadInput("--crosstable goes with --game, --settings, --workers and --json alone")
    check_inputs(files)
    if out is not None:
        from railbird.report import FILES

        check_folder(out, FILES, inputs=files, force=force)
    from railbird.assessment.batch import is_heads_up_limit
    from railbird.baseline import parse_smoothing

    pot = f",pot={fold_pot}" if fold_pot else ""
    chosen = parse_smoothing("+".join(part + pot for part in settings.split("+")))
    if crosstable:
        _tell_crosstable(files, game, chosen, workers, as_json)
        return
    skips = SkipList()
    with progress() as report:
        rules, hands = _game_of(_records(files, game, skips, report))
        if rules is None or is_heads_up_limit(rules):
            tell = _heads_up(files, hands, chosen, player, estimators, out, images, workers, report)
        else:
            tell = table_of(files, hands, player, estimators, out, report)
    tell(skips, as_json=as_json)


class _Tell(Protocol):
    def __call__(self, skips: SkipList, *, as_json: bool) -> None:
        """Print what came of an assessment."""


def _heads_up(
    files: Sequence[str],
    hands: Iterator[HandRecord | HandBatch | Skipped],
    settings: Sequence[BaselineSettings],
    player: str | None,
    estimators: str | None,
    out: Path | None,
    images: Sequence[str],
    workers: int | None,
    report: Progress,
) -> _Tell:
    """Assess a match of heads-up limit by its exact tables; return how to print it."""
    from railbird.assessment import Form, assess, estimators_of
    from railbird.assessment.change_of_play import course_of_match

    wanted = None
    if estimators is not None:
        wanted = _wanted(estimators, [each.name for each in estimators_of(Form.MATCH)])
    found = assess(hands, settings=settings, player=player, threads=workers, progress=report)
    written = _write(found, out, images) if out is not None and found.hands else None

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            print_json(
                {
                    "files": list(files),
                    **found.as_json(wanted),
                    "change_of_play": course_of_match(found),
                    "report": None if written is None else str(written),
                }
            )
        if not found.hands:
            raise NothingUsable(f"no hand could be assessed: {reasons(found.skipped)}")
        if as_json:
            return
        skips.show()
        from railbird.report import text

        output.print(text(found, estimators=wanted))
        if written is not None:
            output.print(f"report: {written}")

    return tell


def _game_of(
    hands: Iterator[HandRecord | HandBatch | Skipped],
) -> tuple[Rules | None, Iterator[HandRecord | HandBatch | Skipped]]:
    """Look at the first hand that reads; return its rules, and all that was to be read."""
    from railbird.histories import HandRecord, Skipped

    before: list[HandRecord | HandBatch | Skipped] = []
    for hand in hands:
        before.append(hand)
        if not isinstance(hand, Skipped):
            first = hand.rules if isinstance(hand, HandRecord) else hand.rules[hand.rules_of[0]]
            return first, chain(before, hands)
    return None, iter(before)


def _tell_crosstable(
    files: Sequence[str],
    game: str | None,
    settings: Sequence[BaselineSettings],
    workers: int | None,
    as_json: bool,
) -> None:
    """Assess each file as a match of its own and show them together."""
    from railbird.assessment import Unscorable, assess, crosstable

    skipped: Counter[str] = Counter()

    def matches() -> Iterator[Assessment]:
        for hands in _matches(files, game, report):
            match = assess(hands, settings=settings, threads=workers, progress=report)
            skipped.update(match.skipped)
            if match.hands:
                yield match

    with progress() as report:
        table = crosstable(matches())
    if not table.players:
        raise NothingUsable(f"no hand could be assessed: {reasons(skipped)}")
    if table.again:
        skipped[Unscorable.AGAIN.value] += table.again
    if as_json:
        print_json({"files": list(files), "unit": "sb", "skipped": skipped, **table.as_json()})
        return
    if table.hidden:
        output.print(
            f"No verdict on skill: the cards of {table.hidden:,} of {table.hands:,} hands were not "
            "shown, and those that were are no fair sample."
        )
    for name in table.estimators:
        print_table(_one_crosstable(table, name), lead=2)
    if skipped:
        errors.print(f"skipped: {reasons(skipped)}")


def _matches(
    files: Sequence[str], game: str | None, report: Progress
) -> Iterator[Iterator[HandRecord | HandBatch | Skipped]]:
    """The hands of each log; a folder's, a zip archive's and an archive's are matches of their own.

    A log has to be read before the next one begins.
    """
    for file in files:
        hands = _log_by_log(_records([file], game, SkipList(), report))
        for _, match in groupby(hands, key=partial(_log_of, file=file)):
            yield match


def _log_by_log(
    hands: Iterator[HandRecord | HandBatch | Skipped],
) -> Iterator[HandRecord | HandBatch | Skipped]:
    """Cut batches where another log begins, as those of an archive have hands of several."""
    from railbird.histories.columns import HandBatch, by_source

    for hand in hands:
        if isinstance(hand, HandBatch):
            yield from by_source(hand)
        else:
            yield hand


def _log_of(hand: HandRecord | HandBatch | Skipped, *, file: str) -> str:
    from railbird.histories import HandRecord, Skipped

    if isinstance(hand, Skipped):
        return hand.file or file
    if isinstance(hand, HandRecord):
        return file if hand.source is None else hand.source.file
    name: str = file if hand.file[0] < 0 else hand.sources[hand.file[0]]
    return name


def _one_crosstable(table: Crosstable, estimator: str) -> Table:
    def against(place: int, other: int) -> Estimate | None:
        row = table.pairs.get((table.players[place], table.players[other]))
        return None if row is None else row[estimator]

    return crosstable_of(
        f"{estimator}, sb a hand, 95 % intervals",
        table.players,
        lambda place: table.totals[table.players[place]][estimator],
        against,
    )


def _wanted(estimators: str, known: Sequence[str]) -> Sequence[str]:
    wanted = [name.strip() for name in estimators.split(",")]
    if unknown := [name for name in wanted if name not in known]:
        raise unknown_name("estimator", unknown[0], known)
    return wanted


def _records(
    files: Sequence[str], game: str | None, skips: SkipList, report: Progress
) -> Iterator[HandRecord | HandBatch | Skipped]:
    from railbird.histories import Skipped, read_columns

    for file in files:
        for hand in read_columns(file, game=game, progress=report):
            if isinstance(hand, Skipped):
                skips.add(hand, file)
            yield hand


def _write(found: Assessment, out: Path, images: Sequence[str]) -> Path:
    from railbird.report import Image, write

    return write(found, out, images=[Image(image) for image in images])
