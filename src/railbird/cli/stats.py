"""``railbird stats``: what trackers say of players, from logs and archives."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.table import Table

from railbird.cli._completion import FILE
from railbird.cli._file_checks import check_inputs, check_output, force_option
from railbird.cli._shell import (
    json_option,
    log_game_option,
    output,
    print_json,
    print_table,
    progress,
)
from railbird.cli._skips import SkipList, reasons
from railbird.cli._verbs import Section
from railbird.errors import NothingUsable, absent_player

if TYPE_CHECKING:
    from railbird.assessment.player_statistics.definitions import Position
    from railbird.assessment.player_statistics.statistics import PlayerStatistics
    from railbird.histories.columns import HandBatch
    from railbird.progress import Progress

SECTION: Final = Section.JUDGE
_SHOWN: Final = 12
"""Players in the terminal; JSON and CSV have all."""


@click.command(name="stats")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@log_game_option
@click.option("--player", "players", multiple=True, help="Only this player; may be repeated.")
@click.option("--by-position", is_flag=True, help="Each position by itself.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write a CSV.")
@force_option
@json_option
def command(
    *,
    files: Sequence[str],
    game: str | None,
    players: Sequence[str],
    by_position: bool,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """What trackers say of players: VPIP, PFR, 3-bets, c-bets, showdowns, winnings, with intervals.

    FILE is a log of any known format, a folder of logs or an archive. Winnings are big blinds in a
    hundred hands, each hand in its own. The manual defines every statistic.

    \b
    Examples:
      railbird stats hands.txt --player Hero
      railbird stats archive --by-position --json
      railbird stats *.txt --out stats.csv
    """
    check_inputs(files)
    if out is not None:
        check_output(out, inputs=files, force=force)
    skips, seen = SkipList(), set[str]()
    with progress() as report:
        found = _statistics(_batches(files, game, skips, seen, report), players, by_position)
    if not seen:
        raise NothingUsable(f"no hand could be read: {reasons(skips.counts)}")
    for player in players:
        if player not in seen:
            raise absent_player(player, seen, where="these hands")
    if out is not None:
        from railbird._files import replace_files

        replace_files({out: _csv(found).encode()})
    if as_json:
        print_json({"files": list(files), "skipped": skips.counts, "players": _object(found)})
        return
    skips.show()
    _show(found)
    if out is not None:
        output.print(f"written: {out}")


def _show(found: _Found) -> None:
    for (name, position), of in islice(found.items(), _SHOWN):
        print_table(_table(name, position, of), lead=1)
    if more := max(0, len(found) - _SHOWN):
        output.print(f"and {more:,} more; --player chooses, --json and --out have all")


_Found = Mapping[tuple[str, "Position | None"], "PlayerStatistics"]


def _statistics(batches: Iterator[HandBatch], players: Sequence[str], by_position: bool) -> _Found:
    from railbird.assessment.player_statistics import statistics

    if not by_position:
        whole = statistics.statistics_of(batches, players=players)
        return {(name, None): of for name, of in whole.items()}
    positions = statistics.by_position(batches, players=players)
    return {(name, place): of for name, by in positions.items() for place, of in by.items()}


def _object(found: _Found) -> dict[str, object]:
    players: dict[str, object] = {}
    for (name, position), of in found.items():
        if position is None:
            players[name] = of.as_json()
        else:
            positions = players.setdefault(name, {})
            assert isinstance(positions, dict)
            positions[position.key] = of.as_json()
    return players


def _batches(
    files: Sequence[str], game: str | None, skips: SkipList, seen: set[str], report: Progress
) -> Iterator[HandBatch]:
    from railbird.histories import read_columns
    from railbird.histories.columns import batches_of

    for file in files:
        for batch, skipped in batches_of(read_columns(file, game=game, progress=report)):
            for skip in skipped:
                skips.add(skip, file)
            seen.update(batch.names)
            yield batch


def _table(name: str, position: Position | None, of: PlayerStatistics) -> Table:
    from railbird.report.toolkit.number_format import (
        counted,
        decimals_for,
        interval,
        percent,
        signed,
    )

    where = "" if position is None else f", {position.key.replace('_', ' ')}"
    table = Table(title=f"{name}{where}: {counted(of.hands)}", title_justify="left", box=None)
    table.add_column("", no_wrap=True)
    for column in ("", "95 % interval", "of"):
        table.add_column(column, justify="right", no_wrap=True)
    for key, won in of.winnings.items():
        decimals = decimals_for(won.stderr)
        low, high = won.interval()
        table.add_row(
            key.replace("_", " ").replace("per", "/"),
            signed(won.value, decimals),
            interval(low, high, decimals),
            f"{won.n:,}",
        )
    for statistic, share in of.shares.items():
        label = statistic.key.replace("_", " ")
        if not share.n:
            table.add_row(label, "–", "–", "0")
            continue
        low, high = share.interval()
        table.add_row(
            label, percent(share.value), f"{percent(low)} to {percent(high)}", f"{share.n:,}"
        )
    factor = "–" if math.isnan(of.aggression) else f"{of.aggression:.2f}"
    table.add_row("aggression factor", factor, "", f"{of.bets_and_raises + of.calls:,}")
    return table


def _csv(found: _Found) -> str:
    """One row for each player, or player and position; a share with its count of chances."""
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for (name, position), of in found.items():
        row: dict[str, object] = {"player": name}
        if position is not None:
            row["position"] = position.key
        row["hands"] = of.hands
        for key, won in of.winnings.items():
            row |= {key: won.value, f"{key}_stderr": won.stderr}
        for statistic, share in of.shares.items():
            row |= {statistic.key: share.value if share.n else "", f"{statistic.key}_n": share.n}
        row["aggression"] = "" if math.isnan(of.aggression) else of.aggression
        if writer is None:
            writer = csv.DictWriter(text, row.keys(), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()
