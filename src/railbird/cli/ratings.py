"""``railbird server ratings``: who plays best on a tournament server."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from railbird import storage, tournament
from railbird._files import replace_files
from railbird._terminal_safe import visible
from railbird.cli._completion import OUTPUT_FILE
from railbird.cli._console import json_option, output, print_json, print_table
from railbird.cli._hand_files import check_ending, check_output, force_option
from railbird.cli._keyed_options import show_option
from railbird.cli._server import read_results
from railbird.report.document import Table
from railbird.report.number_format import interval, number, percent

if TYPE_CHECKING:
    from railbird.cli._server import ServerResults

_SEED: Final = 0
"""Of the bootstrap: the same results have the same intervals."""


@click.command(name="ratings")
@click.argument("source", metavar="URL|JOURNAL")
@click.option("--game", "ladder", help="Game whose ladder is shown, if there are several.")
@show_option(fit="the strengths that fit all tournaments at once, with bootstrap intervals")
@click.option("-o", "--out", type=OUTPUT_FILE, help="Write a table (.csv).")
@force_option
@json_option
def command(
    *, source: str, ladder: str | None, fit: bool, out: Path | None, force: bool, as_json: bool
) -> None:
    """Show the ratings of a tournament server, from its database or its journals.

    The ladder changes with every tournament: mean ± two deviations, with a question mark while it
    is provisional. For claims use --show fit, in which all tournaments count alike: strength in
    natural log odds over the mean player, and the probability of finishing ahead of that player.
    Void tournaments never count.

    \b
    Examples:
      railbird server ratings server.sqlite3
      railbird server ratings server.journal/ --show fit
      railbird server ratings postgresql://railbird@localhost/poker --game nolimit --show fit --json
    """
    if out is not None:
        check_output(out, inputs=[] if "://" in source else [source], force=force)
        check_ending(out, [".csv"])

    server_results = read_results(source)
    chosen = server_results.ladder(ladder)
    standings = server_results.standings.get(chosen, [])
    strengths = _fit(server_results, chosen) if fit else {}
    if out is not None:
        replace_files({out: _csv(_objects(standings, strengths)).encode()})
    if as_json:
        print_json(
            {
                "source": server_results.shown,
                "ladder": chosen,
                "tournaments": sum(
                    result.counts and result.ladder == chosen for result in server_results.results
                ),
                "players": _objects(standings, strengths),
                "out": None if out is None else str(out),
            }
        )
        return
    print_table(_fit_table(strengths) if fit else _ladder_table(standings))
    if out is not None:
        output.print(f"written: {out}", soft_wrap=True)


def _fit(server_results: ServerResults, ladder: str) -> dict[str, tournament.ratings.Strength]:
    import numpy as np

    places = [
        [(entry.title, entry.place) for entry in result.entries if entry.place is not None]
        for result in server_results.results[::-1]
        if result.counts and result.ladder == ladder
    ]
    return {
        strength.player: strength
        for strength in tournament.fit_placings(places, rng=np.random.default_rng(_SEED))
    }


def _objects(
    standings: Sequence[storage.results.Standing],
    strengths: Mapping[str, tournament.ratings.Strength],
) -> dict[str, dict[str, Any]]:
    """Return the players by name, those first who lead the ladder."""
    from railbird.estimates.estimate import finite_or_none

    players: dict[str, dict[str, Any]] = {}
    for standing in standings:
        stored = standing.rating
        rating = tournament.Rating(stored.mean, stored.deviation, stored.tournaments)
        players[standing.title] = {
            "kind": str(standing.kind),
            "tournaments": rating.tournaments,
            "mean": rating.mean,
            "deviation": rating.deviation,
            "low": rating.low,
            "high": rating.high,
            "provisional": rating.provisional,
        }
    for name, strength in strengths.items():
        fitted = finite_or_none(
            value=strength.strength, stderr=strength.stderr, low=strength.low, high=strength.high
        )
        players.setdefault(name, {"tournaments": strength.tournaments})["strength"] = {
            **fitted,
            "n": strength.tournaments,
        }
    return players


def _csv(players: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for name, player_object in players.items():
        row = {"player": visible(name), **player_object}
        row |= {f"strength_{key}": value for key, value in row.pop("strength", {}).items()}
        rows.append(row)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _ladder_table(standings: Sequence[storage.results.Standing]) -> Table:
    rows = []
    for place, standing in enumerate(standings, start=1):
        stored = standing.rating
        rating = tournament.Rating(stored.mean, stored.deviation, stored.tournaments)
        rows.append(
            (
                str(place),
                visible(standing.title),
                str(standing.kind),
                number(rating.mean, 1),
                number(2 * rating.deviation, 1),
                "?" if rating.provisional else "",
                f"{rating.tournaments:,}",
            )
        )
    heads = ("", "player", "", "rating", "± 2 deviations", "", "tournaments")
    return Table(heads, rows, names=2)


def _fit_table(strengths: Mapping[str, tournament.ratings.Strength]) -> Table:
    rows = [
        (
            str(rank),
            visible(strength.player),
            number(strength.strength, 2),
            interval(strength.low, strength.high, 2) if math.isfinite(strength.low) else "too few",
            percent(strength.ahead, 0),
            f"{strength.tournaments:,}",
        )
        for rank, strength in enumerate(strengths.values(), start=1)
    ]
    heads = ("", "player", "strength", "95 % interval", "ahead of the mean", "tournaments")
    return Table(heads, rows, names=2)
