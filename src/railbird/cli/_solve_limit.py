"""``railbird solve limit``: equilibria of heads-up limit hold'em in an abstraction."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from railbird import cards, game, solve
from railbird.cli._completion import OUTPUT_FILE, OneOf, Whole
from railbird.cli._console import (
    errors,
    json_option,
    output,
    print_json,
    print_made,
    resumable_progress,
)
from railbird.cli._gap_option import gap_option
from railbird.cli._hand_files import check_output, force_option
from railbird.cli.abstraction import parse_numbers
from railbird.errors import BadInput
from railbird.report.number_format import signed


@click.command()
@click.option(
    "--size",
    type=OneOf(["blind", "small", "medium", "large"]),
    help="Parts of the cards by street: small, the default, is 5-5-5-5, medium "
    "169-9000-5000-5000, large 169-30000-20000-20000; blind does not look at its cards.",
)
@click.option("--buckets", help="Other parts by street, such as 4-4-4-4; needs --out.")
@gap_option(
    unit=solve.settings.MB,
    help="Gain of a best response in the abstraction at which to stop, in mb/g; 1 by default.",
)
@click.option(
    "--iterations",
    type=Whole(1, 10_000_000_000),
    help="Maximum number of iterations; 10,000 by default, and 100 million of external.",
)
@click.option(
    "--samples",
    "boards",
    type=Whole(1, 1_000_000_000),
    help="Boards to deal in all where boards are sampled; 200,000 by default.",
)
@click.option(
    "--method",
    "algorithm",
    type=OneOf(["cfr+", "public-chance", "external"]),
    help="For comparison, up to the size small: another one than cfr+; needs --out. From medium on "
    "it is public-chance.",
)
@click.option("-o", "--out", type=OUTPUT_FILE, help="The strategy's file; by default in the cache.")
@force_option
@json_option
def limit(
    *,
    size: str | None,
    buckets: str | None,
    gap: float | None,
    iterations: int | None,
    boards: int | None,
    algorithm: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Solve heads-up limit hold'em in an abstraction of the cards.

    Up to the size small this is CFR+ until a gap is reached, which is exact in the abstraction,
    since recall is perfect; in the real game a strategy can be exploited by much more. From medium
    on boards are sampled, a number of them, and there is no gap to tell. Ctrl-C loses nothing: the
    same command continues where it stopped, and a larger number of boards continues a finished run.
    The strategy is for the player equilibrium:SIZE, or equilibrium:FILE.

    --method solves the same abstraction in another way, as a check: by sampled boards
    (public-chance), or by sampled deals, of which one player's actions are all followed and the
    other's drawn (external). All come to the same value.

    \b
    Examples:
      railbird solve limit --size small
      railbird solve limit --buckets 4-4-4-4 --gap 5 --out four.strategy
      railbird solve limit --size medium --samples 50000
      railbird solve limit --size small --method external --gap 200 --out external.strategy
    """
    if buckets is not None and size is not None:
        raise BadInput(f"--buckets {buckets} and --size {size}; allowed: one of them")
    if buckets is not None and out is None:
        raise BadInput("--buckets without --out; allowed: with --out, or --size in its place")
    size = size or "small"
    sizes: dict[str, tuple[int, ...]] = solve.limit.settings.SIZES | solve.abstraction.BUCKET_SIZES
    parts = sizes[size] if buckets is None else parse_numbers(buckets)
    sampled = parts[0] == cards.CLASSES
    _check_options(sampled, algorithm, gap, iterations, boards, out)
    if out is not None:
        if str(out) == "-" or (out.exists() and not out.is_file()):
            raise BadInput(f"--out {out}; allowed: a regular file, which is mapped into memory")
        check_output(out, force=force)
    path = solve.limit.strategy_path(size) if out is None else out
    strategy = (
        None if force or out is not None or not path.exists() else solve.limit.open_strategy(path)
    )
    is_new = strategy is None or not _suffices(strategy, gap, boards)
    if is_new and sampled:
        strategy = _sampled(path, parts, boards)
    elif is_new:
        most = boards if algorithm == "public-chance" else iterations
        strategy = _converged(path, parts, algorithm or "cfr+", gap, most)
    assert strategy is not None
    if as_json:
        print_json(strategy_json(strategy, path))
    else:
        print_strategy(strategy, path, is_new=is_new)


def _check_options(
    sampled: bool,
    algorithm: str | None,
    gap: float | None,
    iterations: int | None,
    boards: int | None,
    out: Path | None,
) -> None:
    """Raise `BadInput` for options that do not go with the size or the algorithm."""
    if sampled:
        if algorithm not in (None, "public-chance"):
            raise BadInput(f"--method {algorithm} for 169 hand classes; allowed: public-chance")
        if gap is not None or iterations is not None:
            raise BadInput("--gap or --iterations where boards are sampled; allowed: --samples")
        return
    if algorithm not in (None, "cfr+") and out is None:
        raise BadInput(f"--method {algorithm} without --out; allowed: with --out")
    if algorithm == "public-chance" and iterations is not None:
        raise BadInput("--iterations where boards are sampled; allowed: --gap and --samples")
    if algorithm != "public-chance" and boards is not None:
        raise BadInput("--samples where no boards are sampled; allowed: --gap and --iterations")


def _suffices(strategy: solve.limit.LimitStrategy, gap: float | None, boards: int | None) -> bool:
    """Tell whether a strategy has been solved as far as is asked."""
    made = strategy.training
    if "gap_mb" in made:
        enough: bool = made["gap_mb"] <= (solve.limit.settings.GAP_MB if gap is None else gap)
        return enough
    dealt: bool = made.get("boards", 0) >= (
        solve.limit.settings.SAMPLED_BOARDS if boards is None else boards
    )
    return dealt


def _converged(
    path: Path, parts: tuple[int, ...], algorithm: str, gap: float | None, most: int | None
) -> solve.limit.LimitStrategy:
    check_output(path, force=True, makes_folder=True)  # before minutes of work
    with resumable_progress() as notify:
        return solve.limit.solve_limit(
            path,
            solve.abstraction.percentile.check_buckets(parts),
            algorithm=solve.limit.Algorithm(algorithm),
            gap_mb=solve.limit.settings.GAP_MB if gap is None else gap,
            most=most,
            progress=notify,
        )


def _sampled(path: Path, parts: tuple[int, ...], boards: int | None) -> solve.limit.LimitStrategy:
    dealt = solve.limit.settings.SAMPLED_BOARDS if boards is None else boards
    check_output(path, force=True, makes_folder=True)
    needed = disk_needed(solve.abstraction.buckets.check_states(parts), dealt) / 1e9
    errors.print(f"up to {needed:.1f} GB on disk, beside {path}", soft_wrap=True)
    with resumable_progress() as notify:
        return solve.limit.solve_sampled(path, parts, boards=dealt, progress=notify)


# Output of ``railbird solve limit``.


_BYTES = 4
"""Of a number in single precision."""


def strategy_json(strategy: solve.limit.LimitStrategy, path: Path) -> dict[str, Any]:
    """Return the output of ``--json``."""
    made = strategy.training
    return {
        "gap_mb": made.get("gap_mb"),
        "algorithm": made.get("algorithm"),
        "iterations": made.get("iterations"),
        "deals": made.get("deals"),
        "strategy": str(path),
        "hash": strategy.hash,
        "abstraction": strategy.abstraction.name,
        "value_big_blind_mb": _value_mb(strategy),
        "seconds": made.get("seconds"),
        "curve": made.get("curve", []),
        "date": strategy.made and strategy.made.date,
        "made": strategy.made and strategy.made.as_json(),
        "boards": made.get("boards"),
        "kept": [{"boards": boards, "strategy": str(kept)} for boards, kept in _kept(path)],
    }


def print_strategy(strategy: solve.limit.LimitStrategy, path: Path, *, is_new: bool) -> None:
    """Print what is known of a strategy, and when it was solved unless it ``is_new``."""
    made, states = strategy.training, " · ".join(f"{n:,}" for n in strategy.abstraction.states)
    output.print(f"{strategy.abstraction.name}, states by street {states}")
    done = ", ".join(
        f"{made[unit]:,} {unit}" for unit in ("iterations", "boards", "deals") if unit in made
    )
    summary = f"{done} in {made.get('seconds'):,} s"
    if (processor := made.get("cpu_seconds")) is not None:
        summary = f"{summary}, {processor:,} s of processor"
    if (gap := made.get("gap_mb")) is not None:
        shown = f"{gap:,.0f}" if gap >= 100 else f"{gap:.3g}"
        summary = f"{summary}; gap in the abstraction {shown} mb/g"
    output.print(summary if is_new else f"solved before: {summary}")
    value = _value_mb(strategy)
    if value is not None:
        output.print(f"worth {signed(-value, 1)} mb/g to the dealer")
    output.print(f"{path}\nsha256 {strategy.hash}")
    if not is_new:
        print_made(strategy.made)
    for boards, kept in _kept(path):
        output.print(f"after {boards:,} boards: {kept}")


def disk_needed(states: Sequence[int], boards: int) -> int:
    """Return the bytes that a sampled run with so many states by street takes at most.

    Its regrets and sums are there twice while they are written, beside its strategies.
    """
    rounds = solve.limit.betting_tree(game.HEADS_UP_LIMIT).rounds
    table_bytes = _BYTES * sum(n * part.lanes for n, part in zip(states, rounds, strict=True))
    kept = (boards // solve.limit.settings.FIRST_KEPT_BOARDS).bit_length()
    return table_bytes * (4 + 1 + kept)


def _kept(path: Path) -> list[solve.limit.KeptStrategy]:
    return solve.limit.kept_strategies(path)


def _value_mb(strategy: solve.limit.LimitStrategy) -> float | None:
    value = strategy.training.get("value_big_blind_sb")
    return None if value is None else 1000 * value
