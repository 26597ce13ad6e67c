"""The way from the first tables of a tournament to its winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum


class Stages(Enum):
    """Way from the first tables to the winner."""

    FREEZE_OUT = "freeze-out"
    """Tables are balanced and broken as players are knocked out."""
    SHOOT_OUT = "shoot-out"
    """Every table plays to a winner; the winners meet at new tables, with new stacks and blinds."""


def shoot_out_places(at_table: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Return the places after a stage of a shoot-out, given each table's places by player.

    Whoever came second at a table is behind all winners, and level with the other seconds. The
    winners' places are those of the stages to come.

    >>> shoot_out_places([{0: 1, 1: 2}, {2: 1, 3: 2, 4: 3}])
    {0: 1, 1: 3, 2: 1, 3: 3, 4: 5}
    """
    ranks = [rank for table in at_table for rank in table.values()]
    return {
        player: 1 + sum(other < rank for other in ranks)
        for table in at_table
        for player, rank in table.items()
    }
