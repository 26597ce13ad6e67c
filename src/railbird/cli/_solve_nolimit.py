"""``railbird solve nolimit``: blueprints of heads-up no-limit hold'em."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from railbird import solve
from railbird.cli._completion import OUTPUT_FILE, OneOf, Whole
from railbird.cli._console import (
    json_option,
    output,
    print_json,
    print_made,
    resumable_progress,
)
from railbird.cli._hand_files import check_output, force_option
from railbird.cli._keyed_options import Setting, set_option
from railbird.cli.abstraction import parse_numbers
from railbird.errors import BadInput


@click.command()
@click.option(
    "--size",
    type=OneOf(["small", "medium"]),
    default="small",
    help="Bets and parts of the cards: small has two sizes of bets and 169-500-500-500 parts, "
    "medium three and 169-2000-2000-1000.",
)
@click.option("--stacks", help="Stacks in big blinds; 10,20,50,100,200 by default.")
@click.option(
    "--samples",
    "deals",
    type=Whole(1, 10_000_000_000),
    help="Deals for each stack in all; 10 million by default, and 400 million of medium.",
)
@click.option("--menu", help="Other bets, such as 'opens = 3x, a; reraises = a; bets = 100%, a'.")
@click.option("--buckets", help="Other parts by street, such as 169-200-200-200.")
@click.option("-s", "--seed", type=Whole(min=0), default=1, help="Of deals.")
@set_option(
    keep=Setting(
        "trunk",
        "write only the streets before the turn, with what each bucket is worth where a turn "
        "begins: turn and river are then solved while playing",
        OneOf(["whole", "trunk"]),
        "whole",
    ),
    value_deals=Setting(
        "10000000", "deals by which these values are found", Whole(1, 10_000_000_000)
    ),
)
@click.option("-o", "--out", type=OUTPUT_FILE, help="The strategy's file; by default in the cache.")
@force_option
@json_option
def nolimit(
    *,
    size: str,
    stacks: str | None,
    deals: int | None,
    menu: str | None,
    buckets: str | None,
    seed: int,
    keep: str,
    value_deals: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Solve heads-up no-limit hold'em roughly: a few sizes of bets, and cards in parts.

    Both players learn from deals: on each, all actions of one are followed and one of the other's
    is drawn (external sampling). There is no gap to tell, since recall is imperfect. Each stack is
    solved by itself, on a core of its own; between two stacks both strategies are played, each in
    proportion. Ctrl-C loses nothing: the same command continues where it stopped, and a larger
    number of deals continues a finished run. The strategy is for the player equilibrium:nolimit,
    equilibrium:nolimit-medium or equilibrium:FILE. Other stacks, bets or parts need --out. The
    tables beside it serve --set keep=trunk and the whole strategy alike, if their names differ in
    the ending alone.

    \b
    Examples:
      railbird solve nolimit
      railbird solve nolimit --stacks 100 --samples 1000000 --out hundred.strategy
      railbird solve nolimit --size medium --stacks 100 --set keep=trunk --out hundred.trunk
    """
    given = {"--stacks": stacks, "--menu": menu, "--buckets": buckets}
    needing_out = [name for name, value in given.items() if value is not None]
    needing_out += ["--seed"] if seed != 1 else []
    is_trunk = keep == "trunk"
    needing_out += ["--set keep=trunk"] if is_trunk else []
    if value_deals is not None and not is_trunk:
        raise BadInput("--set value-deals without --set keep=trunk; allowed: with it")
    if needing_out and out is None:
        raise BadInput(f"{needing_out[0]} without --out; allowed: with --out")
    settings = solve.nolimit.settings.SIZES[size]
    if menu is not None:
        settings = replace(settings, menu=menu)
    if buckets is not None:
        settings = replace(settings, states=parse_numbers(buckets))
    depths = (
        solve.nolimit.settings.STACKS
        if stacks is None
        else solve.nolimit.strategy.check_stacks(stacks_of(stacks))
    )
    most = settings.deals if deals is None else deals
    if out is not None:
        if str(out) == "-" or (out.exists() and not out.is_file()):
            raise BadInput(f"--out {out}; allowed: a regular file, which is mapped into memory")
        check_output(out, force=force)
    path = solve.nolimit.nolimit_path(size) if out is None else out
    strategy = (
        None if force or out is not None or not path.exists() else solve.nolimit.open_nolimit(path)
    )
    is_new = strategy is None or strategy.training.get("deals", 0) < most
    if is_new:
        check_output(path, force=True, makes_folder=True)  # before minutes of work
        with resumable_progress() as notify:
            strategy = solve.nolimit.solve_nolimit(
                path,
                settings,
                stacks=depths,
                deals=most,
                seed=seed,
                trunk=is_trunk,
                **({} if value_deals is None else {"value_deals": value_deals}),
                progress=notify,
            )
    assert strategy is not None
    if as_json:
        print_json(_answer(strategy, path))
    else:
        _print(strategy, path, is_new=is_new)


def stacks_of(text: str) -> list[int]:
    """Parse ``--stacks``. Raises `BadInput`."""
    try:
        return [int(stack) for stack in text.split(",")]
    except ValueError:
        raise BadInput(f"--stacks {text!r}; allowed: big blinds such as 20,50,100") from None


def _answer(strategy: solve.nolimit.NoLimitStrategy, path: Path) -> dict[str, Any]:
    made = strategy.training
    return {
        "gap_mb": None,
        "algorithm": made.get("algorithm"),
        "deals": made.get("deals"),
        "value_deals": made.get("value_deals"),
        "decisions": made.get("decisions"),
        "cpu_seconds": made.get("cpu_seconds"),
        "date": strategy.made and strategy.made.date,
        "made": strategy.made and strategy.made.as_json(),
        "strategy": str(path),
        "hash": strategy.hash,
        "abstraction": strategy.abstraction.name,
        "menu": strategy.menu,
        "stacks": [depth.stack for depth in strategy.depths],
        "actions": {
            depth.stack: [table.shape[1] for table in depth.tables] for depth in strategy.depths
        },
    }


def _print(strategy: solve.nolimit.NoLimitStrategy, path: Path, *, is_new: bool) -> None:
    made = strategy.training
    output.print(f"{strategy.abstraction.name}; {strategy.menu}", soft_wrap=True)
    for depth in strategy.depths:
        actions = " · ".join(f"{table.shape[1]:,}" for table in depth.tables)
        output.print(f"{depth.stack} big blinds: actions by street {actions}")
    seconds = made.get("cpu_seconds", 0)
    done = f"{made.get('deals', 0):,} deals of each stack, {seconds:,} s of processor"
    if strategy.is_trunk:
        done += f"; the turn's values by {made.get('value_deals', 0):,} deals"
    output.print(done if is_new else f"solved before: {done}")
    output.print(f"{path}\nsha256 {strategy.hash}", soft_wrap=True)
    if not is_new:
        print_made(strategy.made)
