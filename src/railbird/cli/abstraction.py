"""``railbird machine abstraction``: what strategies tell apart of the cards, built and listed."""

from __future__ import annotations

import click

from railbird import cards, solve
from railbird.cli._completion import OneOf
from railbird.cli._console import (
    errors,
    json_option,
    output,
    print_json,
    print_table,
    resumable_progress,
)
from railbird.cli._verbs import Commands
from railbird.errors import BadInput
from railbird.report.document import Table


@click.group(name="abstraction", cls=Commands)
def command() -> None:
    """Build or list the abstractions of the cards that limit's strategies are solved in."""


@command.command()
@json_option
def status(*, as_json: bool) -> None:
    """List the abstractions in the cache folder, and how far unfinished ones are.

    \b
    Example:
      railbird machine abstraction status
    """
    counts, tables = (
        solve.abstraction.percentile.kept_counts(),
        solve.abstraction.buckets.kept_tables(),
    )
    if as_json:
        print_json(
            {
                "folder": str(solve.abstraction.percentile.percentile_folder()),
                "abstractions": [
                    {"name": row.name, "path": str(row.path), "share_counted": row.share}
                    for row in counts
                ],
                "tables": [
                    {"street": row.street, "buckets": row.buckets, "bytes": row.size}
                    for row in tables
                ],
            }
        )
        return
    if not counts and not tables:
        output.print(f"none in {solve.abstraction.percentile.percentile_folder()}")
        return
    rows = [(count.name, f"{100 * count.share:.0f} %") for count in counts]
    for table in tables:
        rows.append((f"{table.street} in {table.buckets:,} buckets", f"{table.size / 1e6:.0f} MB"))
    print_table(
        Table(
            ("abstraction", "done"),
            rows,
            title=str(solve.abstraction.percentile.percentile_folder()),
        )
    )


@command.command()
@click.argument("buckets", required=False)
@click.option("--size", type=OneOf(["small", "medium", "large"]), help="Those of a size.")
@json_option
def build(*, buckets: str | None, size: str | None, as_json: bool) -> None:
    """Divide the holdings on all boards into buckets by street, such as 5-5-5-5.

    Four numbers whose product is at most 4,096 are percentiles of each state, which remember
    earlier streets; their showdowns are counted. Those of 5-5-5-5, the size small, come with the
    package, and are made again only by this command. Numbers that begin with 169 are clusters of
    what holdings may become, without memory: 169-9000-5000-5000 is the size medium, which takes
    some minutes and 45 MB. Ctrl-C loses little: the same command continues where it stopped.

    \b
    Examples:
      railbird machine abstraction build 4-4-4-4
      railbird machine abstraction build --size medium
    """
    if buckets is not None and size is not None:
        raise BadInput(f"buckets {buckets} and --size {size}; allowed: one of them")
    sizes: dict[str, tuple[int, ...]] = solve.limit.settings.SIZES | solve.abstraction.BUCKET_SIZES
    parts = sizes[size or "small"] if buckets is None else parse_numbers(buckets)
    if parts[0] == cards.CLASSES:
        with resumable_progress() as notify:
            made = solve.abstraction.bucket_abstraction(parts, progress=notify)
        name, states, path = made.name, made.states, solve.abstraction.buckets.folder()
    else:
        with resumable_progress() as notify:
            counted_buckets = solve.abstraction.counted_abstraction(
                parts, use_shipped=False, progress=notify
            )
        name, states, path = (
            counted_buckets.abstraction.name,
            counted_buckets.abstraction.states,
            solve.abstraction.percentile.abstraction_path(parts),
        )
    if as_json:
        print_json({"name": name, "states": list(states), "path": str(path)})
    else:
        errors.print(f"{name}: {path}")


def parse_numbers(text: str) -> tuple[int, ...]:
    """Read numbers by street. Raises `BadInput`."""
    try:
        return tuple(map(int, text.split("-")))
    except ValueError:
        raise BadInput(f"buckets {text}; allowed: four numbers, such as 5-5-5-5") from None
