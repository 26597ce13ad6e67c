"""``railbird abstraction``: what strategies tell apart of the cards, built and listed."""

from __future__ import annotations

from typing import Final

import click
from rich.table import Table

from railbird.cli._console import errors, json_option, output, print_json, print_table, progress
from railbird.cli._verbs import Commands, Section
from railbird.errors import BadInput

SECTION: Final = Section.MACHINE


@click.group(name="abstraction", cls=Commands)
def command() -> None:
    """Build or list the abstractions of the cards that limit's strategies are solved in."""


@command.command()
@json_option
def status(*, as_json: bool) -> None:
    """List the abstractions in the cache folder, and how far unfinished ones are.

    \b
    Example:
      railbird abstraction status
    """
    from railbird.solve.abstraction.percentile_building import folder, kept_counts

    rows = kept_counts()
    if as_json:
        print_json(
            {
                "folder": str(folder()),
                "abstractions": [
                    {"name": row.name, "path": str(row.path), "share_counted": row.share}
                    for row in rows
                ],
            }
        )
        return
    if not rows:
        output.print(f"none in {folder()}")
        return
    table = Table(title=str(folder()), title_justify="left", box=None)
    table.add_column("abstraction")
    table.add_column("counted", justify="right")
    for row in rows:
        table.add_row(row.name, f"{100 * row.share:.0f} %")
    print_table(table)


@command.command()
@click.argument("buckets", default="5-5-5-5")
@json_option
def build(*, buckets: str, as_json: bool) -> None:
    """Find percentiles and count showdowns over all deals, such as 5-5-5-5 parts by street.

    The counts of 5-5-5-5 come with the package, and are made again only by this command. Ctrl-C
    loses nothing: the same command goes on where it stopped.

    \b
    Example:
      railbird abstraction build 4-4-4-4
    """
    parts = parse_buckets(buckets)
    from railbird.solve.abstraction.percentile_building import counted_abstraction, path_of

    with progress() as report:
        found = counted_abstraction(parts, use_shipped=False, progress=report)
    if as_json:
        states = list(found.abstraction.states)
        print_json({"name": found.abstraction.name, "states": states, "path": str(path_of(parts))})
    else:
        errors.print(f"{found.abstraction.name}: {path_of(parts)}")


def parse_buckets(text: str) -> tuple[int, ...]:
    """Read buckets by street. Raises `BadInput`."""
    from railbird.solve.abstraction.percentile import check_buckets

    try:
        return check_buckets(tuple(map(int, text.split("-"))))
    except BadInput:
        raise
    except ValueError:
        raise BadInput(f"buckets {text}; allowed: four numbers, such as 5-5-5-5") from None
