"""``railbird machine tables``: the cached tables, listed and built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from railbird import baseline, odds
from railbird.cli._completion import SETTINGS, TABLE
from railbird.cli._console import (
    EXIT_FINDING,
    errors,
    json_option,
    print_json,
    print_table,
    progress,
)
from railbird.cli._verbs import Commands
from railbird.report.document import Table

if TYPE_CHECKING:
    from railbird.progress import Progress


@click.group(name="tables", cls=Commands)
def command() -> None:
    """Build or list the cached tables, which are rebuilt when needed if they are deleted."""


@command.command()
@click.option("--verify", is_flag=True, help="Read all data and compare checksums.")
@json_option
@click.pass_context
def status(context: click.Context, *, verify: bool, as_json: bool) -> None:
    """List the tables; exit code 1 if one is damaged.

    \b
    Example:
      railbird machine tables status --verify
    """
    rows = odds.status(check=odds.Check.FULL if verify else odds.Check.QUICK)
    if as_json:
        print_json(
            {
                "folder": str(odds.cache_folder()),
                "tables": [
                    {"name": row.name, "bytes": row.size, "condition": row.condition.value}
                    for row in rows
                ],
            }
        )
    else:
        table_rows = [(row.name, f"{row.size / 1e6:,.2f}", row.condition.value) for row in rows]
        print_table(Table(("table", "MB", "condition"), table_rows, title=str(odds.cache_folder())))
    if any(row.condition is odds.Condition.DAMAGED for row in rows):
        context.exit(EXIT_FINDING)


@command.command()
@click.argument("names", nargs=-1, type=TABLE)
@click.option(
    "--settings",
    type=SETTINGS,
    default="standard",
    help="Settings of the baseline for the table roe.",
)
@json_option
def build(*, names: Sequence[str], settings: str, as_json: bool) -> None:
    """Build the named tables if they are missing or damaged; without a name, all of them.

    The table "roe", preflop roll-out equity, is built only if it is named: it comes with the
    package for the standard settings, and takes long for others. It can be interrupted and
    resumed.

    \b
    Examples:
      railbird machine tables build
      railbird machine tables build roe --settings turn=tight-low
    """
    wanted = [name for name in names if name != "roe"]
    built: list[str] = []
    with progress() as notify:
        if wanted or not names:
            built += odds.build(wanted or None, progress=notify)
        if "roe" in names:
            built.append(_build_roe(baseline.parse_settings(settings), notify))
    if as_json:
        print_json({"built": built})
    else:
        errors.print(f"built: {', '.join(built)}" if built else "nothing to build")


def _build_roe(settings: baseline.BaselineSettings, notify: Progress) -> str:
    from railbird.assessment.divat.preflop_builder import build_table
    from railbird.assessment.divat.preflop_values import table_name

    build_table(settings, progress=notify)
    return table_name(settings)
