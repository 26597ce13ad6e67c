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

_MOST_IN_CROSSTABLE: Final = 8
"""Players beyond which a crosstable does not fit a terminal; the JSON has all."""
_LABELS: Final = {"money": "money", "divat": "DIVAT", "fitted": "fitted"}
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
    from railbird.assessment.decision_divat.match import ESTIMATORS, assess_table
    from railbird.histories.columns import batches_of

    wanted = ESTIMATORS if estimators is None else _wanted(estimators, ESTIMATORS)
    found = assess_table(batches_of(hands), progress=report)
    if player is not None and player not in found.players and found.players:
        raise absent_player(player, found.players, where="this log")
    scores = None
    if found.hands and out is not None:
        _write_scores(found, out)
        scores = str(out / SCORES)

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            print_json({"files": list(files), **found.as_json(), "report": None, "scores": scores})
        if not (found.hands or found.hidden):
            raise NothingUsable(f"no hand could be assessed: {reasons(found.skipped)}")
        if not as_json:
            skips.show()
            _show(found, player, wanted, scores)

    return tell


def _show(
    found: TableAssessment, player: str | None, wanted: Sequence[str], scores: str | None
) -> None:
    names = found.players if player is None else (player,)
    output.print(_headline(found))
    print_table(_estimates(found, names, wanted), lead=1)
    if found.hands and len(found.crosstable.players) > 1:
        print_table(_crosstable(found, player), lead=2)
        output.print(
            "A row's decisions, judged by the baseline, changed the columns' results by so much. "
            "Columns add up to DIVAT less position. The diagonal says better than the baseline, "
            "not well played; single cells depend on it."
        )
    if given := found.skipped.get("given more than once"):
        errors.print(f"given more than once, counted once: {counted(given)}")
    if scores is not None:
        output.print(f"scores: {scores}")


def _headline(found: TableAssessment) -> str:
    """Which estimator decides, and why, before any number."""
    hands = counted(found.hands)
    if not found.hands:
        return f"Money decides: in all {counted(found.hidden)} some cards are not known."
    if found.hidden:
        return (
            f"Money decides: the cards of {found.hidden:,} of {found.hands + found.hidden:,} hands "
            "were not all shown, and those that were are no fair sample. DIVAT and fitted stand "
            f"for the other {hands} only."
        )
    coefficients = "cross-fitted" if len(found.scores) and found.hands >= 500 else "fixed"
    return (
        f"Fitted decides: all cards of {hands} are known, so luck is taken out of the money "
        f"({coefficients} coefficients; a hand's variance ÷ "
        f"{number(found.variance_reduction['all'].get('fitted'), 2)})."
    )


def _estimates(found: TableAssessment, names: Sequence[str], wanted: Sequence[str]) -> Table:
    table = Table(title=f"{found.unit} a hand", title_justify="left", box=None)
    table.add_column("player", overflow="fold")
    table.add_column("hands", justify="right")
    for name in wanted:
        table.add_column(_LABELS[name], justify="right", no_wrap=True)
        table.add_column("95 % interval", justify="right", no_wrap=True)
    if "fitted" in wanted:
        table.add_column("variance ÷", justify="right")
    rows = sorted(names, key=lambda name: -_deciding(found, name).value)
    for name in rows:
        cells = []
        for key in wanted:
            all_hands = key == "money" and (found.hidden or name not in found.estimates)
            each = found.money_of_all[name] if all_hands else _estimate(found, name, key)
            cells += ["–", "–"] if each is None else _cells(each)
        reduction = found.variance_reduction.get(name, {}).get("fitted")
        played = found.money_of_all[name].n if found.hidden else _deciding(found, name).n
        last = [number(reduction, 2)] if "fitted" in wanted else []
        table.add_row(name, f"{played:,}", *cells, *last)
    return table


def _deciding(found: TableAssessment, name: str) -> Estimate:
    if found.headline == "money" or name not in found.estimates:
        return found.money_of_all[name]
    return found.estimates[name][found.headline]


def _estimate(found: TableAssessment, name: str, key: str) -> Estimate | None:
    return found.estimates[name][key] if name in found.estimates else None


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
                else f"{each.value * thousandths:+.0f} ± {each.stderr * thousandths:.0f}"
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


def _write_scores(found: TableAssessment, out: Path) -> None:
    import io

    import polars as pl

    from railbird._files import replace_files

    names = pl.Enum(found.players)
    packed = io.BytesIO()
    numbers = pl.Series(found.players, dtype=names)
    scores = found.scores.with_columns(player=numbers.gather(found.scores["player"]))
    scores.drop("deal").write_parquet(packed)
    replace_files({out / SCORES: packed.getvalue()})
