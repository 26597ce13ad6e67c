"""Results as tables for the terminal: who won how much, from whom, and whose code failed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import click
from rich.table import Table

from railbird.cli._console import errors
from railbird.cli._exit_codes import EXIT_FINDING
from railbird.report.toolkit.number_format import (
    ALL_ALIKE,
    TOO_FEW,
    counted,
    decimals_for,
    interval,
    interval_of,
    signed,
)

if TYPE_CHECKING:
    from railbird.arena import FaultTally, MatchResult
    from railbird.estimates.confidence_sequences import AnytimeInterval, Watch
    from railbird.estimates.estimate import Estimate


_HANDS_PER_FAULT = 100
"""A result with more than one fault per this many hands is decided by faults."""


def match_table(
    result: MatchResult, players: Iterable[int], *, watch: Watch | None = None
) -> Table:
    """Lay out what these players won in a match, in this order, with intervals.

    ``watch`` is what decided when a match of two ended: an interval that forgets it would be too
    narrow.
    """
    raked = ""
    if result.match.rules.rake is not None:
        raked = f"; the house took {result.raked:,.1f} {result.unit}"
    table = Table(
        title=f"{counted(result.match.hands)}, {result.hands_per_s:,.0f} a second{raked}",
        title_justify="left",
        box=None,
    )
    table.add_column("player")
    table.add_column(f"{result.unit} a hand", justify="right")
    table.add_column("95 % interval", justify="right")
    for player in players:
        if watch is None:
            cells = shown(result.money(player))
        else:
            cells = _shown_anytime(-watch.interval if player else watch.interval)
        table.add_row(result.match.names[player], *cells)
    return table


def shown(won: Estimate) -> tuple[str, str]:
    """Return a mean with its sign and its interval, as every screen shows them."""
    decimals = decimals_for(won.stderr)
    return signed(won.value, decimals), interval_of(won, decimals)


def _shown_anytime(won: AnytimeInterval) -> tuple[str, str]:
    decimals = decimals_for(won.half_width / 2)
    return signed(won.value, decimals), interval(won.low, won.high, decimals)


def crosstable_of(
    title: str,
    ranking: Sequence[str],
    total: Callable[[int], Estimate | AnytimeInterval | None],
    against: Callable[[int, int], Estimate | AnytimeInterval | None],
    hands: Callable[[int, int], int] | None = None,
) -> Table:
    """Lay out who won how much from whom; players are numbered by their place, from 0.

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


def _cell(won: Estimate | AnytimeInterval | None) -> str:
    """A mean, and under it the half-width of its interval."""
    if won is None:
        return ""
    half = (won.high - won.low) / 2
    if math.isfinite(half):
        within = f"± {half:.3f}"
    else:
        within = ALL_ALIKE if getattr(won, "stderr", None) == 0 else TOO_FEW
    return f"{signed(won.value, 3)}\n{within}"


def tell_faults(
    faults: Iterable[tuple[str, FaultTally]], hands: int, *, strict: bool = False
) -> None:
    """List players' faults on standard error, and end with a finding where they decided.

    They did where a player failed in more than one hand of `_HANDS_PER_FAULT`: the results say more
    about the faults then than about the play. A ``strict`` game stops at a fault, so here faults
    are those of hands that its log had before.
    """
    failed, failed_before = [], False
    for name, tally in faults:
        for fault, count in tally.counts.items():
            noun = fault.value if count == 1 else f"{fault.value} faults"
            errors.print(f"{name}: {count:,} {noun}, first: {tally.first[fault]}")
        failed_before = failed_before or bool(tally.counts)
        if sum(tally.counts.values()) * _HANDS_PER_FAULT > hands:
            failed.append(f"{name} ({counted(sum(tally.counts.values()), 'fault')})")
    if strict and failed_before:
        errors.print(
            "hands that the log had already have faults; --force plays them anew",
            style="bold red",
        )
        click.get_current_context().exit(EXIT_FINDING)
    if failed:
        errors.print(
            f"faults decided: more than 1 in {_HANDS_PER_FAULT} hands is too many in "
            f"{counted(hands)}: {', '.join(failed)} (--debug shows tracebacks, --strict stops at "
            "the first)",
            style="bold red",
        )
        click.get_current_context().exit(EXIT_FINDING)
