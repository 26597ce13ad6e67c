"""``railbird opponents``: what players remember of their opponents."""

from __future__ import annotations

import csv
import io
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from railbird import report, storage
from railbird._files import replace_files
from railbird._terminal_safe import visible
from railbird.cli._completion import OPPONENT
from railbird.cli._console import (
    EXIT_FINDING,
    errors,
    json_option,
    json_text,
    output,
    print_document,
    print_json,
)
from railbird.cli._hand_files import check_ending, check_output, deleting_option, force_option
from railbird.cli._opponents_database import check_observers, find, opened, shown_address
from railbird.cli._verbs import Commands
from railbird.errors import BadInput

_database = click.option(
    "--database",
    default="default",
    show_default=False,
    metavar="URL|FILE",
    help="Database of the memories; your own by default.",
)
_observer = click.option("--observer", metavar="NAME", help="Only this player's memory.")
_COLUMNS: Final = (
    *("opponent", "observer", "kind", "game", "seats", "sessions", "hands"),
    *("first_met_at", "last_met_at", "bets", "actions", "style"),
)


@click.group(name="opponents", cls=Commands)
def command() -> None:
    """List, show, forget or export what players remember of their opponents.

    \b
    Examples:
      railbird opponents list
      railbird opponents show tom --database people.sqlite3 --out tom.html
    """


@command.command(name="list")
@_database
@_observer
@json_option
def list_(*, database: str, observer: str | None, as_json: bool) -> None:
    """List all opponents who are remembered.

    \b
    Example:
      railbird opponents list --database people.sqlite3
    """
    summaries = _summaries(database, observer=observer)
    if as_json:
        print_json(_object(database, summaries))
        return
    from railbird.report.opponent_document import list_document

    print_document(list_document(summaries))


@command.command()
@click.argument("name", type=OPPONENT)
@_database
@_observer
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a page with pictures (.html), or Markdown (.md).",
)
@force_option
@json_option
def show(
    *,
    name: str,
    database: str,
    observer: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show everything that is remembered about one opponent: classes, actions, folds, shown cards.

    \b
    Examples:
      railbird opponents show tom
      railbird opponents show tom --observer alice --out tom.html
    """
    if out is not None:
        check_output(out, force=force)
        check_ending(out, [".html", ".md"])
    summaries = _summaries(database, name=name, observer=observer)

    document = report.opponent_document(summaries)
    if out is not None:
        report.html_page.write(document, out)
    if as_json:
        print_json({**_object(database, summaries), "page": None if out is None else str(out)})
        return
    print_document(document)
    if out is not None:
        output.print(f"written: {out}", soft_wrap=True)


@command.command()
@click.argument("name", type=OPPONENT)
@_database
@_observer
@deleting_option
@json_option
def forget(*, name: str, database: str, observer: str | None, force: bool, as_json: bool) -> None:
    """Forget one opponent, after asking; this cannot be undone.

    \b
    Example:
      railbird opponents forget tom --observer alice --force
    """
    with opened(database) as opponents:
        observers = check_observers(opponents, database, name=name, observer=observer)
        if not force:
            _ask(name, observers)
        with opponents.write() as session:
            count = storage.opponents.forget_opponent(session, name, observer=observer)
    if as_json:
        print_json({"database": shown_address(database), "forgotten": {name: count}})
    else:
        output.print(f"forgotten: {name}, in {count} {'memory' if count == 1 else 'memories'}")


@command.command()
@_database
@_observer
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a .csv or .json instead of CSV on standard output.",
)
@force_option
@json_option
def export(
    *, database: str, observer: str | None, out: Path | None, force: bool, as_json: bool
) -> None:
    """Export all memories: CSV with a row for each, or JSON with everything that is remembered.

    \b
    Examples:
      railbird opponents export > opponents.csv
      railbird opponents export --out opponents.json
    """
    if out is not None:
        check_output(out, force=force)
        check_ending(out, [".csv", ".json"])
    summaries = _summaries(database, observer=observer)
    if out is None and not as_json:
        click.echo(_csv(summaries), nl=False)
        return
    if out is not None:
        as_csv = out.suffix.lower() == ".csv"
        text = _csv(summaries) if as_csv else json_text(_object(database, summaries)) + "\n"
        replace_files({out: text.encode()})
    if as_json:
        print_json(_object(database, summaries))
    else:
        errors.print(f"written: {out}", soft_wrap=True)


def _summaries(
    database: str, *, name: str | None = None, observer: str | None = None
) -> list[report.OpponentSummary]:
    """Read what is remembered, saying what does not read."""
    summaries, problems = find(database, name=name, observer=observer)
    for problem in problems:
        errors.print(f"left out: {problem}", soft_wrap=True)
    return summaries


def _object(database: str, summaries: Sequence[report.OpponentSummary]) -> dict[str, Any]:
    players: dict[str, list[object]] = defaultdict(list)
    for summary in summaries:
        players[summary.stored.name].append(summary.as_json())
    return {"database": shown_address(database), "players": players}


def _csv(summaries: Sequence[report.OpponentSummary]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for summary in summaries:
        stored, scope, bets = summary.stored, summary.stored.scope, summary.bets
        done = round(bets.value * bets.n) if bets.n else 0
        writer.writerow(
            (
                *(visible(name, layout="") for name in (stored.name, scope.observer)),
                *(scope.kind, scope.game, scope.seats),
                *(stored.sessions, stored.hands),
                *(stored.first_met_at.isoformat(), stored.last_met_at.isoformat()),
                *(done, bets.n, summary.words),
            )
        )
    return text.getvalue()


def _ask(name: str, observers: Sequence[str]) -> None:
    """Ask before forgetting; end with code 1 if the answer is no."""
    if not sys.stdin.isatty():
        raise BadInput(f"forget {name}: nobody to ask; --force forgets without asking")
    whose = ", ".join(observers)
    if not click.confirm(f"Forget {name}, whom {whose} remembers?", err=True):
        errors.print("nothing forgotten")
        click.get_current_context().exit(EXIT_FINDING)
