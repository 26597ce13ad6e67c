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

from railbird.cli._completion import FILE, OUTPUT_FILE, OneOf
from railbird.cli._console import (
    json_option,
    log_game_option,
    output,
    print_json,
    print_table,
    progress,
)
from railbird.cli._file_checks import check_ending, check_inputs, check_output, force_option
from railbird.cli._skipped_hands import SkipList, reasons
from railbird.cli._verbs import Section
from railbird.errors import BadInput, NothingUsable, absent_player, unknown_name
from railbird.report.toolkit.number_format import (
    counted,
    decimals_for,
    interval,
    money_won,
    percent,
    signed,
)

if TYPE_CHECKING:
    import polars as pl

    from railbird.assessment.player_statistics.sessions import HourlyRate
    from railbird.assessment.player_statistics.statistics import Filter, PlayerStatistics
    from railbird.assessment.player_statistics.style import Style
    from railbird.assessment.player_statistics.tournament_returns import TournamentReturn
    from railbird.histories.columns import HandBatch
    from railbird.progress import Progress

SECTION: Final = Section.JUDGE
_SHOWN: Final = 12
"""Players in the terminal; JSON and CSV have all."""
_ROWS: Final = 40
"""Rows of a table by session or hand in the terminal; JSON and CSV have all."""
_BY: Final = ("position", "stake", "session", "month", "hand")
_POSITIONS: Final = ("small-blind", "big-blind", "early", "middle", "cutoff", "button")
_KEY_STATISTICS: Final = ("vpip", "pfr", "wtsd", "wsd")


@click.command(name="stats")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@log_game_option
@click.option("--player", "players", multiple=True, help="Only this player; may be repeated.")
@click.option(
    "--same",
    multiple=True,
    metavar="NAME=OTHER,...",
    help="Other names of one person, who is counted under the first; may be repeated.",
)
@click.option("--since", default="", metavar="DATE", help="Hands from this day on: 2009-07-01.")
@click.option("--until", default="", metavar="DATE", help="Hands up to this day.")
@click.option("--stake", "stakes", multiple=True, help="Only this stake, as --by stake names it.")
@click.option(
    "--position",
    "positions",
    multiple=True,
    type=OneOf(_POSITIONS),
    help="Only hands in this position; may be repeated.",
)
@click.option("--by", type=OneOf(_BY), help="Divide each player's hands.")
@click.option("--by-position", is_flag=True, help="The same as --by position.")
@click.option(
    "--out",
    type=OUTPUT_FILE,
    help="Write a .csv, or a page (.html) with own hands, positions, sessions and stakes.",
)
@force_option
@json_option
def command(
    *,
    files: Sequence[str],
    game: str | None,
    players: Sequence[str],
    same: Sequence[str],
    since: str,
    until: str,
    stakes: Sequence[str],
    positions: Sequence[str],
    by: str | None,
    by_position: bool,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show statistics of players: VPIP, PFR, 3-bets, c-bets, showdowns, winnings, with intervals.

    FILE is a log of any known format, a folder of logs or an archive. Winnings are big blinds per
    hundred hands, each hand in its own; money is added up only within a stake. The manual defines
    every statistic.

    \b
    Examples:
      railbird stats hands.txt --player Hero
      railbird stats archive --by stake --json
      railbird stats sessions/ --player Hero --same Hero=Hero2,hero_ps --by session
      railbird stats sessions/ --player Hero --out hero.html
    """
    if by is not None and by_position and by != "position":
        raise BadInput(f"--by-position and --by {by}; allowed: one of them")
    check_inputs(files)
    if out is not None:
        check_output(out, inputs=files, force=force)
        check_ending(out, [".csv", ".html"])
    from railbird.assessment.player_statistics import statistics
    from railbird.assessment.player_statistics.sessions import hourly_rates
    from railbird.assessment.player_statistics.style import styles_of

    wanted = _filter(players, same, since, until, stakes, positions)
    chosen = statistics.By(by) if by else statistics.By.POSITION if by_position else None
    skips = SkipList()
    with progress() as report:
        everything = statistics.rows_of(_batches(files, game, skips, report))
    if everything.is_empty():
        raise NothingUsable(f"no hand could be read: {reasons(skips.counts)}")
    rows = _chosen(everything, wanted)
    by_player = statistics.divided(rows, chosen)
    styles = styles_of(statistics.chosen_rows(everything, statistics.Filter(same=wanted.same)))
    rates = hourly_rates(rows)
    returns = {} if chosen else _returns(files, wanted)
    if out is not None:
        from railbird._files import replace_files

        if out.suffix.lower() == ".html":
            from railbird.report.player_statistics.page import statistics_page

            replace_files({out: statistics_page(rows, styles, rates).encode()})
        else:
            replace_files({out: _csv(by_player, by).encode()})
    if as_json:
        told = _object(by_player, styles, rates, divided=chosen is not None)
        print_json(
            {
                "files": list(files),
                "skipped": skips.counts,
                "players": told,
                "tournaments": {
                    name: {currency: one.as_json() for currency, one in of.items()}
                    for name, of in returns.items()
                },
            }
        )
        return
    skips.show()
    if chosen is None:
        _show_whole(by_player, styles, rates, returns)
    else:
        _show_divided(by_player, chosen.value)
        if left := rows.height - sum(
            part.hands for of in by_player.values() for part in of.values()
        ):
            what = "cards that were not shown" if by == "hand" else "no time"
            output.print(f"left out: {counted(left, 'row')} of a hand and seat with {what}")
    if out is not None:
        output.print(f"written: {out}", soft_wrap=True)


_ByPlayer = Mapping[str, Mapping[str, "PlayerStatistics"]]
_Returns = Mapping[str, Mapping[str, "TournamentReturn"]]


def _returns(files: Sequence[str], wanted: Filter) -> _Returns:
    """Read tournaments' buy-ins and finishes of the players that are shown.

    None from standard input, which has been read, nor of a part of the hands: finishes have neither
    a stake nor a position.
    """
    parts = (wanted.since, wanted.until, wanted.stakes, wanted.positions)
    if "-" in files or any(parts):
        return {}
    from railbird.assessment.player_statistics.tournament_returns import returns_of
    from railbird.histories.pokerstars.tournaments import entries_of

    found = returns_of(entries_of(files), wanted.same or {})
    return {name: of for name, of in found.items() if not wanted.players or name in wanted.players}


def _filter(
    players: Sequence[str],
    same: Sequence[str],
    since: str,
    until: str,
    stakes: Sequence[str],
    positions: Sequence[str],
) -> Filter:
    """Read the options. Raises `BadInput` for one that does not read."""
    from railbird.assessment.player_statistics.sessions import moment
    from railbird.assessment.player_statistics.statistic_names import Position
    from railbird.assessment.player_statistics.statistics import Filter

    names: dict[str, str] = {}
    for text in same:
        name, equals, others = text.partition("=")
        if not (equals and name and others):
            raise BadInput(f"--same {text}: allowed: NAME=OTHER or NAME=OTHER,ANOTHER")
        names |= {other.strip(): name.strip() for other in others.split(",")}
    for date in filter(None, (since, until)):
        moment(date)
    places = tuple(Position[position.replace("-", "_").upper()] for position in positions)
    return Filter(
        players=tuple(players),
        same=names,
        since=since,
        until=until,
        stakes=tuple(stakes),
        positions=places,
    )


def _chosen(rows: pl.DataFrame, wanted: Filter) -> pl.DataFrame:
    """Keep what counts. Raises for a name or stake that is not there, or if nothing is left."""
    from railbird.assessment.player_statistics.statistics import Filter, chosen_rows

    seen = set(rows["player"].unique())
    for name in wanted.same or ():
        if name not in seen:
            raise absent_player(name, seen, where="these hands")
    renamed = chosen_rows(rows, Filter(same=wanted.same))
    people = set(renamed["player"].unique())
    for player in wanted.players:
        if player not in people:
            raise absent_player(player, people, where="these hands")
    stakes = renamed["stake"].unique(maintain_order=True).to_list()
    for stake in wanted.stakes:
        if stake not in stakes:
            raise NothingUsable(str(unknown_name("stake", stake, stakes)))
    chosen = chosen_rows(rows, wanted)
    if chosen.is_empty():
        raise NothingUsable(
            f"none of {counted(rows.height, 'row')} of a hand and seat is left to count"
        )
    return chosen


def _show_whole(
    by_player: _ByPlayer,
    styles: Mapping[str, Style],
    rates: Mapping[str, HourlyRate],
    returns: _Returns,
) -> None:
    for name, of in islice(by_player.items(), _SHOWN):
        print_table(_table(name, of[""]), lead=1)
        if words := styles[name].words:
            output.print(f"style: {words}, beside the others at the table")
        if (rate := rates.get(name)) is not None:
            output.print(_rate_words(rate))
        for currency, one in returns.get(name, {}).items():
            output.print(_return_words(currency, one))
    if more := max(0, len(by_player) - _SHOWN):
        output.print(f"and {more:,} more; --player chooses, --json and --out have all")


def _return_words(currency: str, one: TournamentReturn) -> str:
    """Say what tournaments brought; the hands of one that is not played to the end do not tell."""
    entered = f"{counted(one.entered, 'tournament')} entered"
    if one.roi is None:
        return f"{entered}; no hand tells a finish, so there is no return on investment"
    low, high = one.roi.interval()
    return (
        f"{entered}, {one.finished:,} with a finish in the hands: buy-ins "
        f"{currency}{one.buy_ins:,.2f}, prizes {currency}{one.prizes:,.2f}, return on investment "
        f"{signed(100 * one.roi.value, 1)} % ({interval(100 * low, 100 * high, 1)})"
    )


def _rate_words(rate: HourlyRate) -> str:
    hours = f"{rate.hours:,.1f} hours in {counted(rate.sessions, 'session')}"
    low, high = rate.bb.interval()
    told = f"{hours}: {signed(rate.bb.value, 1)} bb an hour ({interval(low, high, 1)})"
    for stake, mean in rate.money.items():
        low, high = mean.interval()
        told += f"; {stake}: {money_won({mean.unit: mean.value})} ({interval(low, high, 2)})"
    return told


def _show_divided(by_player: _ByPlayer, by: str) -> None:
    """Print a table for each player: a row for each position, stake, session, month or hand."""
    for name, of in islice(by_player.items(), _SHOWN):
        table = Table(title=f"{name} by {by}", title_justify="left", box=None)
        table.add_column(by, overflow="fold")
        for column in ("hands", "bb / 100 (95 % interval)", "money", *_KEY_STATISTICS):
            table.add_column(column, justify="right", no_wrap=True)
        for key, part in islice(of.items(), _ROWS):
            table.add_row(key.replace("_", " "), f"{part.hands:,}", *_cells(part))
        print_table(table, lead=1)
        if (more := len(of) - _ROWS) > 0:
            output.print(f"and {more:,} more rows; --json and --out have all")
    if more := max(0, len(by_player) - _SHOWN):
        output.print(f"and {more:,} more; --player chooses, --json and --out have all")


def _cells(of: PlayerStatistics) -> list[str]:
    won = of.winnings["bb_per_100"]
    decimals = 1
    cells = [f"{signed(won.value, decimals)} ({interval(*won.interval(), decimals)})"]
    cells.append(money_won(of.money))
    shares = {statistic.key: share for statistic, share in of.shares.items()}
    cells += [percent(shares[key].value) if shares[key].n else "–" for key in _KEY_STATISTICS]
    return cells


def _object(
    by_player: _ByPlayer,
    styles: Mapping[str, Style],
    rates: Mapping[str, HourlyRate],
    *,
    divided: bool,
) -> dict[str, object]:
    if divided:
        return {
            name: {key: part.as_json() for key, part in of.items()}
            for name, of in by_player.items()
        }
    return {
        name: {
            **of[""].as_json(),
            "style": styles[name].as_json(),
            "hourly": None if name not in rates else rates[name].as_json(),
        }
        for name, of in by_player.items()
    }


def _batches(
    files: Sequence[str], game: str | None, skips: SkipList, report: Progress
) -> Iterator[HandBatch]:
    from railbird.assessment import Unscorable
    from railbird.histories import read_columns
    from railbird.histories.columns import SeenHands, batches_of

    hands = SeenHands()
    for file in files:
        for batch, skipped in batches_of(read_columns(file, game=game, progress=report)):
            for skip in skipped:
                skips.add(skip, file)
            fresh = hands.fresh(batch)
            if again := len(batch) - fresh.size:
                skips.leave_out(Unscorable.AGAIN.value, again)
            yield batch.rows(fresh) if again else batch


def _table(name: str, of: PlayerStatistics) -> Table:
    title = f"{name}: {counted(of.hands)}" + (f", {money_won(of.money)}" if of.money else "")
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("", no_wrap=True)
    for column in ("", "95 % interval", "of"):
        table.add_column(column, justify="right", no_wrap=True)
    for key, won in of.winnings.items():
        decimals = decimals_for(won.stderr)
        low, high = won.interval()
        table.add_row(
            key.replace("allin", "all-in").replace("_", " ").replace("per", "/"),
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
    if of.unknown_all_ins:
        table.add_row("all-ins with cards unknown", f"{of.unknown_all_ins:,}", "", "")
    return table


def _csv(by_player: _ByPlayer, by: str | None) -> str:
    """One row for each player, or player and key; a share with its count of chances."""
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for name, parts in by_player.items():
        for key, of in parts.items():
            row: dict[str, object] = {"player": name}
            if key:
                row[by or "position"] = key
            row["hands"] = of.hands
            for label, won in of.winnings.items():
                row |= {label: won.value, f"{label}_stderr": won.stderr}
            for statistic, share in of.shares.items():
                row |= {
                    statistic.key: share.value if share.n else "",
                    f"{statistic.key}_n": share.n,
                }
            row["aggression"] = "" if math.isnan(of.aggression) else of.aggression
            currency, money = next(iter(of.money.items()), ("", ""))
            row |= {"money": money, "currency": currency, "unknown_all_ins": of.unknown_all_ins}
            if writer is None:
                writer = csv.DictWriter(text, row.keys(), lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)
    return text.getvalue()
