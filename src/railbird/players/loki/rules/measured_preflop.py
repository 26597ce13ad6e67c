"""Measured thresholds before the flop, by blind, raises and expected players. Beyond Papp 1998.

The values are in ``measured_preflop.toml``; the experiment loki-preflop measures them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from railbird.game import HandState
from railbird.players.loki.rules.preflop import Group, Strategy, Tightness, expert_table
from railbird.players.loki.rules.spot import Spot
from railbird.units import Seat

MEASURED_STRATEGIES: Final = (Strategy.MAKE1, Strategy.MAKE2, Strategy.MAKE4)
_SEATS: Final = ("other", "small-blind", "big-blind")
_POTS: Final = ("unraised", "raised")
CELLS: Final = tuple((seat, pot) for seat in _SEATS for pot in _POTS)
"""A player's blind and whether the pot was raised, in the order of compiled thresholds."""


class Cell(NamedTuple):
    """Situations with thresholds of their own."""

    group: Group
    seat: str
    """One of "other", "small-blind" and "big-blind"."""
    pot: str
    """One of "unraised" and "raised"."""

    def __str__(self) -> str:
        return f"{self.seat}, {self.pot}, {self.group.value} players"


def cell_of(group: Group, state: HandState, seat: Seat, spot: Spot) -> Cell:
    """Return the cell of a player's first decision; ``group`` is that of the expected players."""
    blinds = state.rules.blinds
    kind = 0 if not blinds[seat] else 2 if blinds[seat] == max(blinds) else 1
    return Cell(group, _SEATS[kind], _POTS[spot.bets > 1])


@cache
def measured_thresholds(
    cell: Cell, position: int, offset: float
) -> tuple[tuple[Strategy, float], ...]:
    """Return the lowest income rate of each strategy, in thousandths, highest first."""
    known = measured_table().get(cell, {})
    expert = dict(
        expert_table().thresholds(cell.group, Tightness.LOOSE, position, small_blind=False)
    )
    least = -float("inf")
    rows = []
    for strategy in MEASURED_STRATEGIES:
        base, increment = known.get(strategy, (expert[strategy], 0.0))
        least = max(least, base + increment * position)
        rows.append((strategy, least + offset))
    return tuple(reversed(rows))


@cache
def measured_table() -> Mapping[Cell, Mapping[Strategy, tuple[float, float]]]:
    """Read the data file: base and increment by cell and strategy."""
    text = files(__package__).joinpath("measured_preflop.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return {
        Cell(Group(group), seat, pot): {
            Strategy[name.upper()]: (float(base), float(step)) for name, (base, step) in row.items()
        }
        for seat, pots in data.items()
        for pot, groups in pots.items()
        for group, row in groups.items()
    }
