"""``railbird assess --sweep``: the same hands under several settings of the baseline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.table import Table

from railbird.cli._assess_options import Tell, Wanted
from railbird.cli._console import output, print_json, print_table
from railbird.cli._skipped_hands import SkipList, reasons
from railbird.errors import BadInput, NothingUsable, absent_player

if TYPE_CHECKING:
    from railbird.baseline import BaselineSettings
    from railbird.histories import HandRecord, Skipped
    from railbird.histories.columns import HandBatch
    from railbird.progress import Progress
    from railbird.report.toolkit.result_rows import ResultRow

_ALL: Final = "all"
_SHOWN: Final = ("money", "divat", "fitted")
"""Estimators compared."""


class _Assessed(NamedTuple):
    """The hands under one of the settings."""

    rows: list[ResultRow]
    skipped: dict[str, int]
    raked: float
    unit: str
    note: str
    """What the house took, and which estimates are of a selected sample, in words."""


def sweep_of(
    wanted: Wanted,
    text: str,
    pot: str,
    hands: Iterator[HandRecord | HandBatch | Skipped],
    report: Progress,
    *,
    by_rounds: bool,
) -> Tell:
    """Assess the same hands under each of the settings of ``text``, each with ``pot`` behind it."""
    chosen = _settings(text, pot)
    kept = list(hands)
    assess = _match_rows if by_rounds else _table_rows
    swept: list[_Assessed] = []
    for done, settings in enumerate(chosen):
        report(done, len(chosen), "settings")
        swept.append(assess(wanted, kept, settings, report))
    report(len(chosen), len(chosen), "settings")
    # What was skipped and what the house took depend on the hands alone.
    last, rows = swept[-1], [row for assessed in swept for row in assessed.rows]
    if rows and wanted.table is not None:
        from railbird._files import replace_files
        from railbird.report.toolkit.paper_table import paper_table

        table = paper_table(rows, wanted.table.suffix, note=last.note)
        replace_files({wanted.table: table.encode()})

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            told = {"files": list(wanted.files), "skipped": last.skipped}
            print_json({**told, f"raked_{last.unit}": last.raked, "sweep": _object(rows)})
        if not rows:
            raise NothingUsable(f"no hand could be assessed: {reasons(last.skipped)}")
        if as_json:
            return
        skips.show()
        _show(rows, wanted.player)
        if last.note:
            output.print(last.note)
        if wanted.table is not None:
            output.print(f"table: {wanted.table}")

    return tell


def _settings(text: str, pot: str) -> Sequence[BaselineSettings]:
    """Return settings separated by commas, or all named ones. Raises `BadInput` for others."""
    from railbird.baseline import SETTINGS, parse_settings

    names = SETTINGS if text == _ALL else [name.strip() for name in text.split(",")]
    chosen = [parse_settings(name + pot) for name in names]
    if text != _ALL and len(set(chosen)) < len(chosen):
        raise BadInput(f"--sweep {text}: the same settings twice")
    return chosen


def _match_rows(
    wanted: Wanted,
    hands: Iterable[HandRecord | HandBatch | Skipped],
    settings: BaselineSettings,
    report: Progress,
) -> _Assessed:
    from railbird.assessment import assess
    from railbird.report.toolkit.rake_text import rake_of_match
    from railbird.report.toolkit.result_rows import match_rows

    assessment = assess(
        hands,
        settings=settings,
        player=wanted.player,
        forward=wanted.forward,
        threads=wanted.workers,
        on=wanted.on,
        progress=report,
    )
    raked, unit, house = assessment.raked, assessment.unit, ""
    if assessment.hands:
        house = rake_of_match(raked.items(), unit, before="fitted and DIVAT")
    return _Assessed(
        rows=match_rows(assessment, _SHOWN) if assessment.hands else [],
        skipped=assessment.skipped,
        raked=sum(raked.values()),
        unit=unit,
        note=house,
    )


def _table_rows(
    wanted: Wanted,
    hands: Iterable[HandRecord | HandBatch | Skipped],
    settings: BaselineSettings,
    report: Progress,
) -> _Assessed:
    from railbird.assessment import assess_table
    from railbird.report.several_players.headline import selected_words
    from railbird.report.toolkit.rake_text import rake_of_table
    from railbird.report.toolkit.result_rows import table_rows

    assessment = assess_table(
        hands,
        settings=settings,
        forward=wanted.forward,
        threads=wanted.workers,
        on=wanted.on,
        progress=report,
    )
    if wanted.player is not None and wanted.player not in assessment.players and assessment.players:
        raise absent_player(wanted.player, assessment.players, where="this log")
    names = assessment.players if wanted.player is None else (wanted.player,)
    return _Assessed(
        rows=list(table_rows(assessment, names, _SHOWN)),
        skipped=assessment.skipped,
        raked=assessment.raked,
        unit=assessment.unit,
        note=f"{selected_words(assessment, _SHOWN)} {rake_of_table(assessment)}".strip(),
    )


def _object(rows: Sequence[ResultRow]) -> dict[str, dict[str, dict[str, object]]]:
    """Return ``sweep.SETTINGS.PLAYER.ESTIMATOR``."""
    by_settings: dict[str, dict[str, dict[str, object]]] = {}
    for row in rows:
        of = by_settings.setdefault(row.settings, {}).setdefault(row.player, {})
        of[row.estimator] = {
            **row.estimate.as_json(),
            "unit": row.unit,
            "variance_reduction": row.variance_reduction,
        }
    return by_settings


def _show(rows: Sequence[ResultRow], player: str | None) -> None:
    """Print a table for a player, by default the first: a row for each of the settings."""
    from railbird.report.toolkit.number_format import (
        decimals_for,
        display_name,
        interval_of,
        signed,
        times,
    )

    name = player or rows[0].player
    mine = [row for row in rows if row.player == name]
    table = Table(
        title=f"{display_name(name)}, {mine[0].unit} a hand (95 % interval)",
        title_justify="left",
        box=None,
    )
    table.add_column("settings", overflow="fold")
    titles = {row.estimator: row.title for row in mine}
    for title in titles.values():
        table.add_column(title, justify="right", no_wrap=True)
    reduced = [key for key in titles if any(_reduced(row, key) is not None for row in mine)]
    for key in reduced:
        table.add_column(f"variance ÷ {titles[key]}", justify="right", no_wrap=True)
    for settings in dict.fromkeys(row.settings for row in mine):
        by_estimator = {row.estimator: row for row in mine if row.settings == settings}
        cells = []
        for key in titles:
            estimate = by_estimator[key].estimate
            decimals = decimals_for(estimate.stderr)
            cells.append(f"{signed(estimate.value, decimals)} ({interval_of(estimate, decimals)})")
        cells += [times(_reduced(by_estimator[key], key)) for key in reduced]
        table.add_row(settings, *cells)
    print_table(table, lead=1)


def _reduced(row: ResultRow, estimator: str) -> float | None:
    return row.variance_reduction if row.estimator == estimator else None
