"""``railbird assess`` where the game is not heads-up limit: several players, any betting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from railbird.cli._shell import errors, output, print_json, print_table
from railbird.cli._skips import SkipList, reasons
from railbird.errors import NothingUsable, absent_player, unknown_name
from railbird.report.toolkit.number_format import counted, decimals_for, interval, number, signed

if TYPE_CHECKING:
    from railbird.assessment.decision_divat.match import TableAssessment
    from railbird.estimates import Estimate
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
    files: Sequence[str],
    hands: Iterable[HandRecord | HandBatch | Skipped],
    player: str | None,
    estimators: str | None,
    out: Path | None,
    report: Progress,
) -> Callable[..., None]:
    """Assess the hands, write their scores; return how to print what came of it."""
    from railbird.assessment import Form, estimators_of
    from railbird.assessment.decision_divat.match import assess_table
    from railbird.histories.columns import batches_of

    known = estimators_of(Form.TABLE)
    if estimators is None:
        wanted: Sequence[str] = [each.name for each in known if each.listed]
    else:
        wanted = _wanted(estimators, [each.name for each in known])
    found = assess_table(batches_of(hands), progress=report)
    if player is not None and player not in found.players and found.players:
        raise absent_player(player, found.players, where="this log")
    page = None if out is None or not found.players else _write(found, out)

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            print_json({"files": list(files), **found.as_json(), "report": page})
        if not (found.hands or found.hidden):
            raise NothingUsable(f"no hand could be assessed: {reasons(found.skipped)}")
        if not as_json:
            skips.show()
            _show(found, player, wanted, page)

    return tell


def _show(
    found: TableAssessment, player: str | None, wanted: Sequence[str], page: str | None
) -> None:
    names = found.players if player is None else (player,)
    from railbird.report.several_players.headline import headline

    output.print(headline(found))
    print_table(_estimates(found, names, wanted), lead=1)
    if (more := len(names) - _MOST_PLAYERS) > 0:
        output.print(f"and {more:,} more; --player chooses, --json and --out have all")
    if found.hands and len(found.crosstable.players) > 1:
        print_table(_crosstable(found, player), lead=2)
        output.print(
            "A row's decisions, judged by the baseline, changed the columns' results by so much. "
            "Columns add up to DIVAT less position. The diagonal says better than the baseline, "
            "not well played; single cells depend on it."
        )
    if given := found.skipped.get("given more than once"):
        errors.print(f"given more than once, counted once: {counted(given)}")
    if page is not None:
        output.print(f"report: {page}")


def _estimates(found: TableAssessment, names: Sequence[str], wanted: Sequence[str]) -> Table:
    table = Table(title=f"{found.unit} a hand", title_justify="left", box=None)
    table.add_column("player", overflow="fold")
    table.add_column("hands", justify="right")
    shown = [each for each in found.estimators if each.name in wanted]
    for each in shown:
        table.add_column(each.title, justify="right", no_wrap=True)
        table.add_column("95 % interval", justify="right", no_wrap=True)
    if "fitted" in wanted:
        table.add_column("variance ÷", justify="right")
    rows = sorted(names, key=lambda name: -_deciding(found, name).value)
    for name in rows[:_MOST_PLAYERS]:
        cells = []
        for each in shown:
            value = found.estimate(name, each.name)
            cells += ["–", "–"] if value is None else _cells(value)
        reduction = found.variance_reduction.get(name, {}).get("fitted")
        played = found.money_of_all[name].n if found.hidden else _deciding(found, name).n
        last = [number(reduction, 2)] if "fitted" in wanted else []
        table.add_row(name, f"{played:,}", *cells, *last)
    return table


def _deciding(found: TableAssessment, name: str) -> Estimate:
    return found.estimate(name, found.headline) or found.money_of_all[name]


def _cells(each: Estimate) -> list[str]:
    decimals = decimals_for(each.stderr)
    low, high = each.interval()
    return [signed(each.value, decimals), interval(low, high, decimals)]


def _crosstable(found: TableAssessment, player: str | None) -> Table:
    cells, thousandths = found.crosstable.cells, 1000
    ranked = sorted(found.crosstable.players, key=lambda name: -cells[name, name].n)
    names = ranked[:_MOST_IN_CROSSTABLE]
    if player is not None and player not in names:
        names = [player, *names[:-1]]
    more = f", of the {len(names)} with most hands" if len(ranked) > len(names) else ""
    table = Table(
        title=f"whose decisions changed whose result, m{found.unit} a hand ± standard error{more}",
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
                if each is None
                else f"{signed(each.value * thousandths, 0)} ± {each.stderr * thousandths:.0f}"
                if each.enough
                else "too few"
                for each in row
            ),
        )
    return table


def _wanted(text: str, known: Sequence[str]) -> Sequence[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise unknown_name("estimator", name, known)
    return names


def _write(found: TableAssessment, out: Path) -> str:
    """Write the page and the scores; return where the page lies."""
    import io

    import polars as pl

    from railbird._files import replace_files
    from railbird.report.several_players.page import table_page

    packed = io.BytesIO()
    if found.hands:
        numbers = pl.Series(found.players, dtype=pl.Enum(found.players))
        scores = found.scores.with_columns(player=numbers.gather(found.scores["player"]))
        scores.drop("deal").write_parquet(packed)
    scored = {out / SCORES: packed.getvalue()} if found.hands else {}
    replace_files({out / PAGE: table_page(found).encode()} | scored)
    return str(out / PAGE)
