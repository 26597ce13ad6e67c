"""Output of ``railbird solve limit``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from railbird.cli._console import output
from railbird.report.toolkit.number_format import signed

if TYPE_CHECKING:
    from railbird.solve.limit import LimitStrategy
    from railbird.solve.limit.sampling.sampled_solving import KeptStrategy

_BYTES = 4
"""Of a number in single precision."""


def strategy_json(strategy: LimitStrategy, path: Path) -> dict[str, Any]:
    """Return the output of ``--json``."""
    made = strategy.provenance
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
        "date": made.get("date"),
        "boards": made.get("boards"),
        "kept": [{"boards": boards, "strategy": str(kept)} for boards, kept in _kept(path)],
    }


def print_strategy(strategy: LimitStrategy, path: Path, *, is_new: bool) -> None:
    """Print what is known of a strategy, and when it was solved unless it ``is_new``."""
    made, states = strategy.provenance, " · ".join(f"{n:,}" for n in strategy.abstraction.states)
    output.print(f"{strategy.abstraction.name}, states by street {states}")
    done = ", ".join(
        f"{made[unit]:,} {unit}" for unit in ("iterations", "boards", "deals") if unit in made
    )
    found = f"{done} in {made.get('seconds'):,} s"
    if (processor := made.get("cpu_seconds")) is not None:
        found = f"{found}, {processor:,} s of processor"
    if (gap := made.get("gap_mb")) is not None:
        shown = f"{gap:,.0f}" if gap >= 100 else f"{gap:.3g}"
        found = f"{found}; gap in the abstraction {shown} mb/g"
    output.print(found if is_new else f"solved before, on {made.get('date')}: {found}")
    value = _value_mb(strategy)
    if value is not None:
        output.print(f"worth {signed(-value, 1)} mb/g to the dealer")
    output.print(f"{path}\nsha256 {strategy.hash}")
    for boards, kept in _kept(path):
        output.print(f"after {boards:,} boards: {kept}")


def disk_needed(states: Sequence[int], boards: int) -> int:
    """Return the bytes that a sampled run with so many states by street takes at most.

    Its regrets and sums are there twice while they are written, beside its strategies.
    """
    from railbird.game import HEADS_UP_LIMIT
    from railbird.solve.limit import betting_tree
    from railbird.solve.limit.settings import FIRST_KEPT_BOARDS

    rounds = betting_tree(HEADS_UP_LIMIT).rounds
    one = _BYTES * sum(n * part.lanes for n, part in zip(states, rounds, strict=True))
    kept = (boards // FIRST_KEPT_BOARDS).bit_length()
    return one * (4 + 1 + kept)


def _kept(path: Path) -> list[KeptStrategy]:
    from railbird.solve.limit.sampling.sampled_solving import kept_strategies

    return kept_strategies(path)


def _value_mb(strategy: LimitStrategy) -> float | None:
    value = strategy.provenance.get("value_big_blind_sb")
    return None if value is None else 1000 * value
