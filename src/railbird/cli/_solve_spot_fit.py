"""``railbird solve spot fit``: the largest tree of a spot that fits into memory and time."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from railbird import solve
from railbird._files import replace_files
from railbird._threads import core_count
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE, Whole
from railbird.cli._console import errors, json_option, output, print_json
from railbird.cli._hand_files import check_output, force_option
from railbird.cli._solve_spot import CommandOfSpot, preset_option, spot_of
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.solve.spot.fitting import FittedTree


@click.command(name="fit", cls=CommandOfSpot)
@click.argument("file", type=INPUT_FILE, required=False)
@preset_option
@click.option(
    "--memory", type=float, metavar="MB", help="The most memory to take, by default what is free."
)
@click.option(
    "--stop", "seconds", type=float, metavar="S", help="Seconds that solving may take, roughly."
)
@click.option("--workers", "threads", type=Whole(1, 1024), help="By default as many as cores.")
@click.option("-o", "--out", type=OUTPUT_FILE, help="File of the fitted spot, to be solved.")
@force_option
@json_option
def fit_spot(
    *,
    file: Path | None,
    memory: float | None,
    seconds: float | None,
    threads: int | None,
    out: Path | None,
    force: bool,
    as_json: bool,
    **of_spot: Any,
) -> None:
    """Give up details of a spot's tree, one after the other, until it fits.

    First it gives up half of the digits, then bets and raises, beginning with the latest. Each step
    shows what the tree then takes, and what the step cost on similar spots: how far the EV moved,
    and how much more a best response wins if it may use what was given up. A star marks the first
    tree that fits, which --out writes. Nothing is solved. Times are rough, to a gap of 0.3 %.

    \b
    Examples:
      railbird solve spot fit FILE.spot --memory 500
      railbird solve spot fit --preset bu-bb --board Ks7d2c --stop 60 --out fitted.spot
    """
    most, _ = solve.spot.solution.most_memory(memory)
    if seconds is not None and not 0 < seconds < math.inf:
        raise BadInput(f"--stop: {seconds:g}; allowed: more than 0 seconds")
    if out is not None:
        check_output(out, force=force)
    spot = spot_of(file, of_spot)
    fitting = solve.spot.fitting
    trees, chosen = [], None
    for tree in fitting.fitted_trees(spot, threads=core_count() if threads is None else threads):
        is_chosen = chosen is None and tree.fits(most, seconds)
        chosen = tree if is_chosen else chosen
        trees.append(tree)
        if not as_json:
            _print_tree(tree, is_chosen=is_chosen)
    if as_json:
        print_json(
            {
                "chosen": None if chosen is None else trees.index(chosen),
                "trees": [_tree_answer(tree) for tree in trees],
                "file": None if out is None or chosen is None else str(out),
            }
        )
    if chosen is None:
        raise fitting.too_large(trees[-1])
    if out is not None:
        replace_files({out: fitting.spot_lines(chosen).encode()})
        store = "" if chosen.store == fitting.FULL else f" --store {chosen.store}"
        errors.print(f"solve it with: railbird solve spot {out}{store}", soft_wrap=True)


def _print_tree(tree: FittedTree, *, is_chosen: bool) -> None:
    star = "*" if is_chosen else " "
    if math.isinf(tree.memory_mb):
        size = f"more than {tree.nodes - 1:,} points of betting"
    else:
        memory = solve.spot.solution.megabytes(tree.memory_mb)
        size = f"{memory:>7} MB  {tree.seconds:7,.0f} s  {tree.nodes:7,} points of betting"
    if not tree.given_up:
        output.print(f"{star} {size}: all that was asked for", soft_wrap=True, highlight=False)
        return
    step = tree.given_up[-1]
    words = solve.spot.fitting.cost_words(step.cost)
    output.print(f"{star} {size}: without {step.words}; {words}", soft_wrap=True, highlight=False)


def _tree_answer(tree: FittedTree) -> dict[str, object]:
    step = tree.given_up[-1] if tree.given_up else None
    is_built = not math.isinf(tree.memory_mb)
    return {
        "given_up": None if step is None else step.key,
        "words": None if step is None else step.words,
        "cost": None if step is None or step.cost is None else step.cost._asdict(),
        "store": tree.store,
        "nodes": tree.nodes if is_built else None,
        "memory_mb": tree.memory_mb if is_built else None,
        "seconds": tree.seconds if is_built else None,
        "left_out": tree.left_out,
        "spot": str(tree.spot),
    }
