"""``railbird server results``: how the tournaments of a server ended."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from railbird import storage, tournament
from railbird._files import replace_files
from railbird._terminal_safe import visible
from railbird.cli._completion import OUTPUT_FILE
from railbird.cli._console import json_option, output, print_json, print_table
from railbird.cli._hand_files import check_ending, check_output, force_option
from railbird.cli._server import read_results
from railbird.errors import NothingUsable
from railbird.report.document import Table
from railbird.report.number_format import counted, percent

_SHOWN: Final = 20
"""Tournaments in the terminal; JSON and CSV have all."""
_COLUMNS: Final = (
    *("tournament", "ladder", "rated", "void", "started_at", "finished_at"),
    *("player", "kind", "place", "prize", "fee", "hands"),
)


@click.command(name="results")
@click.argument("source", metavar="URL|JOURNAL")
@click.option("--player", metavar="NAME", help="Only tournaments of this player, in any version.")
@click.option("-o", "--out", type=OUTPUT_FILE, help="Write a table of all entries (.csv).")
@force_option
@json_option
def command(
    *, source: str, player: str | None, out: Path | None, force: bool, as_json: bool
) -> None:
    """Show the finished tournaments of a server, from its database or its journals.

    The newest come first. --player adds, for each opponent in tournaments for two, the share won so
    far, of the first ten and of the last ten. Name a database by its URL or an SQLite file, and
    journals by one of them or their folder.

    \b
    Examples:
      railbird server results server.sqlite3
      railbird server results server.sqlite3 --player ann --out ann.csv
    """
    if out is not None:
        check_output(out, inputs=[] if "://" in source else [source], force=force)
        check_ending(out, [".csv"])

    server_results = read_results(source)
    results = [
        result for result in server_results.results if player is None or _has(result, player)
    ]
    if not results:
        raise NothingUsable(f"no tournament of {player} in {server_results.shown}")
    series = [] if player is None else tournament.series_by_opponent(results, player)
    if out is not None:
        replace_files({out: _csv(results).encode()})
    if as_json:
        print_json(
            {
                "source": server_results.shown,
                "tournaments": [_object(result) for result in results],
                "series": [_series_object(opponent_series) for opponent_series in series],
                "out": None if out is None else str(out),
            }
        )
        return
    print_table(_table(results[:_SHOWN]))
    if len(results) > _SHOWN:
        output.print(f"{counted(len(results) - _SHOWN, 'older tournament')} in --json and --out")
    if series:
        output.print(f"\n{visible(player or '')} in tournaments for two")
        print_table(_series_table(series))
    if out is not None:
        output.print(f"written: {out}", soft_wrap=True)


def _has(result: storage.results.TournamentResult, player: str) -> bool:
    wanted = player.lower()
    return any(wanted in (entry.name.lower(), entry.title.lower()) for entry in result.entries)


def _object(result: storage.results.TournamentResult) -> dict[str, Any]:
    return {
        "tournament": result.id,
        "ladder": result.ladder,
        "rated": result.counts,
        "void": result.void_reason,
        "started_at": result.started_at.isoformat(),
        "finished_at": result.finished_at.isoformat(),
        "entries": [
            {
                "player": entry.title,
                "kind": str(entry.kind),
                "place": entry.place,
                "prize": entry.prize,
                "fee": entry.fee,
                "hands": entry.hands,
                "service": dict(entry.service),
            }
            for entry in result.entries
        ],
        "details": dict(result.details),
    }


def _csv(results: Sequence[storage.results.TournamentResult]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for result in results:
        tournament_object = _object(result)
        for entry in tournament_object["entries"]:
            writer.writerow({**tournament_object, **entry, "player": visible(entry["player"])})
    return text.getvalue()


def _table(results: Sequence[storage.results.TournamentResult]) -> Table:
    rows = []
    for result in results:
        places = " · ".join(_place(entry) for entry in result.entries)
        if result.void_reason is not None:
            places = f"void: {visible(result.void_reason)}"
        rows.append(
            (
                f"{result.finished_at:%Y-%m-%d %H:%M}",
                visible(result.id),
                f"{visible(result.ladder)}{'' if result.counts else ' (unrated)'}",
                str(len(result.entries)),
                places,
            )
        )
    return Table(("finished, UTC", "tournament", "game", "players", "places"), rows)


def _series_object(series: tournament.Series) -> dict[str, Any]:
    return {
        "opponent": series.opponent,
        "tournaments": len(series.won),
        "won": sum(series.won),
        "share": series.share,
        "interval": list(series.interval),
        "first_ten": series.first,
        "last_ten": series.last,
    }


def _series_table(series: Sequence[tournament.Series]) -> Table:
    head = ("opponent", "tournaments", "won", "share, 95 % at any time", "first ten", "last ten")
    rows = [
        (
            visible(opponent_series.opponent),
            str(len(opponent_series.won)),
            str(sum(opponent_series.won)),
            f"{percent(opponent_series.share, 0)} ({percent(opponent_series.interval[0], 0)} to "
            f"{percent(opponent_series.interval[1], 0)})",
            "–" if opponent_series.first is None else str(opponent_series.first),
            "–" if opponent_series.last is None else str(opponent_series.last),
        )
        for opponent_series in series
    ]
    return Table(head, rows)


def _place(entry: storage.results.ResultEntry) -> str:
    prize = f" ({entry.prize:,g})" if entry.prize else ""
    return f"{entry.place or '–'} {visible(entry.title)}{prize}"
