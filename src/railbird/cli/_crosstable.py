"""Who won how much from whom, as a table for the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from rich.table import Table

from railbird.report.toolkit.number_format import ALL_ALIKE, TOO_FEW, signed


class Known(Protocol):
    """A mean with an interval."""

    @property
    def value(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...


def crosstable_of(
    title: str,
    ranking: Sequence[str],
    total: Callable[[int], Known],
    against: Callable[[int, int], Known | None],
    hands: Callable[[int, int], int] | None = None,
) -> Table:
    """Lay out results; players are numbered by their place in the ranking, from 0.

    ``hands`` says how many two of them played, where that is not the same for all.
    """
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("")
    table.add_column("player", overflow="fold")
    table.add_column("all", justify="right", no_wrap=True)
    for place in range(1, len(ranking) + 1):
        table.add_column(f"against {place}", justify="right", no_wrap=True)
    for player, name in enumerate(ranking):
        cells = ["" for _ in ranking]
        for other in range(len(ranking)):
            if other != player:
                cells[other] = _cell(against(player, other))
                if hands is not None:
                    cells[other] += f"\n{hands(player, other):,} hands"
        table.add_row(str(player + 1), name, _cell(total(player)), *cells)
    return table


def _cell(won: Known | None) -> str:
    """A mean, and under it the half-width of its interval."""
    if won is None:
        return ""
    half = (won.high - won.low) / 2
    if math.isfinite(half):
        within = f"± {half:.3f}"
    else:
        within = ALL_ALIKE if getattr(won, "stderr", None) == 0 else TOO_FEW
    return f"{signed(won.value, 3)}\n{within}"
