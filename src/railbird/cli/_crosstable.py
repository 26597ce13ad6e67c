"""Who won how much from whom, as a table for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from railbird.assessment import Estimate


def crosstable_of(
    title: str,
    ranking: Sequence[str],
    total: Callable[[int], Estimate],
    against: Callable[[int, int], Estimate | None],
) -> Table:
    """Lay out results; players are numbered by their place in the ranking, from 0."""
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("")
    table.add_column("player", overflow="fold")
    table.add_column("all", justify="right", no_wrap=True)
    for place in range(1, len(ranking) + 1):
        table.add_column(f"against {place}", justify="right", no_wrap=True)
    for player, name in enumerate(ranking):
        cells = [
            _cell(None if other == player else against(player, other))
            for other in range(len(ranking))
        ]
        table.add_row(str(player + 1), name, _cell(total(player)), *cells)
    return table


def _cell(won: Estimate | None) -> str:
    """A mean, and under it the half-width of its interval."""
    if won is None:
        return ""
    return f"{won.value:+.3f}\n± {(won.high - won.low) / 2:.3f}"
