"""``railbird assess`` where the game is not heads-up limit: several players, any betting."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from railbird.cli._assess_options import Tell, Wanted, chosen_estimators
from railbird.cli._console import errors, output, print_json, print_table
from railbird.cli._skipped_hands import SkipList, reasons
from railbird.errors import BadInput, NothingUsable, absent_player
from railbird.report.toolkit.number_format import (
    display_name,
    signed,
    times,
    with_interval,
)

if TYPE_CHECKING:
    from railbird.assessment.decision_divat.match import TableAssessment
    from railbird.histories import HandRecord, Skipped
    from railbird.histories.columns import HandBatch
    from railbird.progress import Progress

_MOST_PLAYERS: Final = 30
"""Players in the terminal's table of results; the JSON and the page have all."""
_MOST_IN_CROSSTABLE: Final = 8
"""Players beyond which a crosstable does not fit a terminal; the JSON has all."""
PAGE: Final = "report.html"
SCORES: Final = "scores.parquet"


def table_of(
    wanted: Wanted, hands: Iterable[HandRecord | HandBatch | Skipped], report: Progress
) -> Tell:
    """Assess the hands, write what was asked for; return how to print what came of it."""
    from railbird.assessment import Form, assess_table, estimators_of
    from railbird.report.several_players.headline import usual_estimators

    if wanted.known or wanted.anytime:
        option = "--known" if wanted.known else "--anytime"
        raise BadInput(f"{option} in another game; allowed: heads-up limit")
    known = estimators_of(Form.TABLE)
    chosen: Sequence[str] | None = None
    if wanted.estimators is not None:
        chosen = chosen_estimators(wanted.estimators, [estimator.name for estimator in known])
    assessment = assess_table(
        hands,
        settings=wanted.settings,
        forward=wanted.forward,
        threads=wanted.workers,
        on=wanted.on,
        progress=report,
    )
    player = wanted.player
    if player is not None and player not in assessment.players and assessment.players:
        raise absent_player(player, assessment.players, where="this log")
    shown = chosen or usual_estimators(assessment)
    page = None
    if assessment.players:
        page = _write(assessment, wanted, shown, report)

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            from railbird.assessment.change_of_play import course_of_table

            course = course_of_table(assessment)
            print_json(
                {
                    "files": list(wanted.files),
                    **assessment.as_json(),
                    "change_of_play": course,
                    "report": page,
                }
            )
        if not (assessment.hands or assessment.hidden):
            raise NothingUsable(f"no hand could be assessed: {reasons(assessment.skipped)}")
        if not as_json:
            skips.show()
            show(assessment, player, shown, page, skips.counts)
            if wanted.table is not None:
                output.print(f"table: {wanted.table}")

    return tell


def show(
    assessment: TableAssessment,
    player: str | None = None,
    wanted: Sequence[str] | None = None,
    page: str | None = None,
    listed: Collection[str] = (),
) -> None:
    """Print the results; reasons for skipping that are ``listed`` have been told."""
    from railbird.report.several_players.headline import (
        headline,
        sample_words,
        selected_words,
        sum_words,
        usual_estimators,
    )

    names = assessment.players if player is None else (player,)
    wanted = wanted or usual_estimators(assessment)
    output.print(headline(assessment, player))
    print_table(_estimates(assessment, names, wanted), lead=1)
    if (more := len(names) - _MOST_PLAYERS) > 0:
        output.print(f"and {more:,} more; --player chooses, --json and --out have all")
    if words := selected_words(assessment, wanted):
        output.print(words)
    if any(cell.enough for cell in assessment.crosstable.cells.values()):
        print_table(_crosstable(assessment, player), lead=1)
        output.print(
            "A row's decisions, judged by the baseline, changed the columns' results by so much. "
            f"{sum_words(assessment)} The diagonal says better than the baseline, not well "
            f"played; single cells depend on it.{sample_words(assessment)}"
        )
    _show_course(assessment, player)
    if left := {why: count for why, count in assessment.skipped.items() if why not in listed}:
        errors.print(f"skipped: {reasons(left)}")
    if page is not None:
        output.print(f"report: {page}", soft_wrap=True)


def _show_course(assessment: TableAssessment, player: str | None) -> None:
    """Print the stretches of one player, and whose play changed."""
    from railbird.assessment.change_of_play import course_of_table
    from railbird.report.toolkit.change_of_play_text import (
        COLUMNS,
        course_rows,
        course_words,
        courses_words,
    )

    courses, player = course_of_table(assessment), player or assessment.hero
    if player is not None and player in courses:
        table = Table(title=f"{player} by stretch", title_justify="left", box=None)
        for column in COLUMNS:
            table.add_column(column, justify="right", no_wrap=True)
        for row in course_rows(courses[player]):
            table.add_row(*row)
        print_table(table)
    if player is None and courses:
        output.print(courses_words(courses, assessment.unit))
    elif player in courses:
        name = display_name(player)
        output.print(course_words(name, courses[player], assessment.unit, players=len(courses)))


def _estimates(assessment: TableAssessment, names: Sequence[str], wanted: Sequence[str]) -> Table:
    """One column for each estimator, so that a mean and its interval are never parted."""
    from railbird.report.several_players.headline import ranking, shown_estimators

    table = Table(title=f"{assessment.unit} a hand (95 % interval)", title_justify="left", box=None)
    table.add_column("player", overflow="fold")
    table.add_column("hands", justify="right")
    shown = shown_estimators(assessment, wanted)
    judging = {estimator.name for estimator in shown} - {"money"}
    reduced = any(assessment.decision(name).decides in judging for name in names)
    for estimator in shown:
        table.add_column(estimator.title, justify="right", no_wrap=True)
    if reduced:
        table.add_column("variance ÷", justify="right")
    for name in ranking(assessment, names)[:_MOST_PLAYERS]:
        cells = [with_interval(assessment.estimate(name, estimator.name)) for estimator in shown]
        evidence = assessment.evidence[name]
        reduction = assessment.variance_reduction[name].get(evidence.decides)
        last = [times(reduction)] if reduced else []
        table.add_row(name, f"{evidence.hands:,}", *cells, *last)
    return table


def _crosstable(assessment: TableAssessment, player: str | None) -> Table:
    cells, thousandths = assessment.crosstable.cells, 1000
    ranked = sorted(assessment.crosstable.players, key=lambda name: -cells[name, name].n)
    names = ranked[:_MOST_IN_CROSSTABLE]
    if player is not None and player not in names:
        names = [player, *names[:-1]]
    more = f", of the {len(names)} with most hands" if len(ranked) > len(names) else ""
    table = Table(
        title=f"whose decisions changed whose result, m{assessment.unit} a hand "
        f"± standard error{more}",
        title_justify="left",
        box=None,
    )
    table.add_column("", overflow="fold")
    for place, _ in enumerate(names, 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, one in enumerate(names, 1):
        row = [cells.get((one, two)) for two in names]
        table.add_row(
            f"{place} {one}",
            *(
                ""
                if cell is None
                else f"{signed(cell.value * thousandths, 0)} ± {cell.stderr * thousandths:.0f}"
                if cell.enough
                else "too few"
                for cell in row
            ),
        )
    return table


def _write(
    assessment: TableAssessment, wanted: Wanted, shown: Sequence[str], report: Progress
) -> str | None:
    """Write the page, the scores and the table, all or none; return the path of the page."""
    from railbird._files import replace_files

    files: dict[Path, bytes] = {}
    page = None
    if wanted.out is not None:
        from railbird.report.several_players.page import table_page

        page = wanted.out / PAGE
        files[page] = table_page(assessment, player=wanted.player, progress=report).encode()
        if assessment.hands or assessment.hidden:
            files[wanted.out / SCORES] = _scores(assessment)
        for image in wanted.images:
            files |= _images(assessment, wanted.out, image)
    if wanted.table is not None:
        from railbird.report.several_players.headline import selected_words
        from railbird.report.toolkit.paper_table import paper_table
        from railbird.report.toolkit.rake_text import rake_of_table
        from railbird.report.toolkit.result_rows import table_rows

        names = assessment.players if wanted.player is None else (wanted.player,)
        rows = list(table_rows(assessment, names, shown))
        note = f"{selected_words(assessment, shown)} {rake_of_table(assessment)}".strip()
        text = paper_table(rows, wanted.table.suffix, note=note)
        files[wanted.table] = text.encode()
    replace_files(files)
    return None if page is None else str(page)


def _scores(assessment: TableAssessment) -> bytes:
    import io

    import polars as pl

    packed = io.BytesIO()
    numbers = pl.Series(assessment.players, dtype=pl.Enum(assessment.players))
    scores = assessment.every.with_columns(player=numbers.gather(assessment.every["player"]))
    scores.drop("deal").write_parquet(packed)
    return packed.getvalue()


def _images(assessment: TableAssessment, out: Path, image: str) -> dict[Path, bytes]:
    from railbird.report import Image
    from railbird.report.several_players.page import table_pictures

    return {
        out / "figures" / f"{name}.{image}": picture
        for name, picture in table_pictures(assessment, Image(image)).items()
    }
