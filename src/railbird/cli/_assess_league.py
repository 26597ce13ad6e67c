"""``railbird assess --show league``: everybody against everybody, whenever one looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from railbird import assessment, baseline
from railbird.cli._console import output, print_json, print_table, progress
from railbird.cli._hand_files import SkipList, errors_in_files, records_of_files
from railbird.cli._model_usage import tell_usage, usage_json, usage_of
from railbird.report.document import Table
from railbird.report.number_format import (
    counted,
    decimals_for,
    display_name,
    interval,
    interval_of,
    number,
    signed,
)


def tell_league(
    files: Sequence[str],
    game: str | None,
    settings: Sequence[baseline.BaselineSettings],
    workers: int | None,
    on: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Assess all files together, and show who is better than whom."""
    usage, skips = usage_of(record), SkipList()
    with progress() as notify:
        league = assessment.league_of(
            records_of_files(files, game, skips, notify),
            settings=settings,
            threads=workers,
            on=on,
            progress=notify,
            recorded=errors_in_files(files),
        )
    table, why = league.table, league.assessment.integrity.withheld(league.assessment.hero)
    if as_json:
        print_json({"files": list(files), **league.as_json(), **usage_json(usage)})
        return
    skips.show()
    if why is not None:
        output.print(f"No verdict: {why}.")
    for text_table in _tables(table, is_withheld=why is not None):
        print_table(text_table)
    for words in _words(table, league.reduction):
        output.print(words)
    tell_errors(league.assessment.errors)
    tell_usage(usage)


def tell_errors(errors: assessment.ProtocolErrors) -> None:
    """List what was not play, if there is anything."""
    if not errors.counts:
        return
    rows = [(display_name(who), what, f"{n:,}") for (who, what), n in errors.counts.items()]
    print_table(Table(("player", "error of protocol", "count"), rows, title="Not play"))
    if errors.unplaced:
        count = sum(errors.unplaced.values())
        output.print(
            f"The log does not say in which hands {count:,} of these errors were: a verdict stands "
            "only if it would even had each turned the largest loss into the largest gain."
        )
    for name in errors.as_play:
        output.print(
            f"{display_name(name)} errs more often when it is behind: its errors count as play."
        )


def _tables(table: assessment.LeagueTable, *, is_withheld: bool) -> Iterator[Table]:
    unit = f"{table.unit} a hand"
    confidence = f"{100 * table.level:.4g} % at any time"
    rows: list[tuple[str, ...]] = [
        (
            display_name(name),
            f"{table.totals[name].hands:,}",
            f"{signed(money.value, decimals_for(money.stderr))}"
            f" ({interval_of(money, decimals_for(money.stderr))})",
            *_cells(table.totals[name]),
        )
        for name in table.players
        for money in [table.money[name]]
    ]
    heads = ["player", "hands", "money (95 %)", table.decides, f"interval, {confidence}"]
    yield Table(heads, rows, title=f"League, {unit}")
    pairs = list[tuple[str, ...]]()
    for (first, second), versus in table.pairs.items():
        more = table.needed[first, second]
        better = display_name(first if versus.interval.value > 0 else second)
        verdict = f"{better} is better{versus.verdict.condition}"
        if versus.verdict.turned:
            verdict = "refused hands could turn it"
        elif versus.verdict.errors:
            verdict = "errors of protocol could explain it"
        elif not versus.is_decided:
            verdict = "not told apart" + ("" if more is None else f": {more:,} deals more")
        if is_withheld:
            verdict = "none"
        pairs.append(
            (
                display_name(first),
                display_name(second),
                f"{versus.hands:,}",
                *_cells(versus),
                verdict,
            )
        )
    heads = ["player", "against", "hands", table.decides, f"interval, {confidence}", "verdict"]
    yield Table(heads, pairs, title=f"Pairs, {unit}", names=2)
    for title, parts in (
        ("by street", {n: table.streets[n] for n in table.players}),
        ("by kind", {n: {k: e for k, (_, e) in table.kinds[n].items()} for n in table.players}),
    ):
        keys = list(dict.fromkeys(key for estimates in parts.values() for key in estimates))
        if not keys:
            continue
        rows = [
            (
                display_name(name),
                *(
                    f"{signed(1000 * estimates[key].value, 0)}"
                    f" ± {number(1000 * estimates[key].stderr, 0)}"
                    if key in estimates
                    else "–"
                    for key in keys
                ),
            )
            for name, estimates in parts.items()
        ]
        words = f"Decisions {title}, thousandths of a {table.unit} a hand ± standard error"
        yield Table(("player", *keys), rows, title=words)


def _cells(versus: assessment.league.Versus) -> tuple[str, str]:
    bounds = versus.interval
    if bounds.half_width == float("inf"):
        return signed(bounds.value, 2), "too few"
    decimals = decimals_for(bounds.half_width / 2)
    return signed(bounds.value, decimals), interval(bounds.low, bounds.high, decimals)


def _words(table: assessment.LeagueTable, divided: float | None) -> Iterator[str]:
    apart = [pair for pair, versus in table.pairs.items() if not versus.is_decided]
    yield (
        f"{counted(len(table.pairs) - len(apart), 'pair')} decided, {len(apart):,} not told apart."
        " Every interval holds at every look, and with 95 % all of them do."
    )
    if divided is not None:
        yield (
            f"{table.decides.capitalize()} has 1/{number(divided, 2)} of the money's variance;"
            " its coefficients come from earlier hands."
        )
    if any(table.streets.values()):
        yield (
            "Decisions are compared with those of a simple policy, and bluffs and mixed play look"
            " like gifts: the parts show where to look, the totals who is better."
        )
