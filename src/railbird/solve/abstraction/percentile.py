"""Percentile abstractions: holdings by the mean square of their final hand rank, E[HS^2].

On each street the holdings of every state are divided into equal parts of the deals, so states
remember everything (Johanson, "Robust strategies and counter-strategies", 2007, section 2.5.5). The
square prefers holdings that may become very strong to those that are always middling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS
from railbird.cards.isomorphism._kernels_isomorphism import index_of_3, index_of_4, index_of_5
from railbird.cards.isomorphism.rank_classes import COLUMN
from railbird.errors import BadInput
from railbird.odds.tables._kernels_ranking import mask_of
from railbird.odds.tables.rank_tables import open_arrays
from railbird.solve.abstraction._kernels_percentile import split
from railbird.solve.abstraction.card_abstraction import Recall, States
from railbird.solve.abstraction.settings import MOST_STATES

SHIFTS = (16, 12, 0)
"""By street from the flop on: bits cut off the values, so that all are below 65,536."""

_STREETS = 4

Thresholds = npt.NDArray[np.int64]
"""(states of the street before, buckets - 1) ascending; a value's bucket is how many it reaches."""


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The values of holdings from the flop on, and where they stand; see `railbird.odds.Tables`."""

    flop_start: npt.NDArray[np.int32]
    flop_pattern: npt.NDArray[np.uint8]
    flop_hr7_squares: npt.NDArray[np.uint32]
    turn_start: npt.NDArray[np.int32]
    turn_pattern: npt.NDArray[np.uint8]
    turn_hr7_squares: npt.NDArray[np.uint32]
    river_start: npt.NDArray[np.int32]
    river_pattern: npt.NDArray[np.uint8]
    river_ihr: npt.NDArray[np.uint16]


@cache
def open_values() -> Values:
    """Map the tables of values, building missing ones first."""
    return Values(**open_arrays(Values.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class PercentileAbstraction:
    """Equal parts of the deals of each state, street by street."""

    buckets: tuple[int, ...]
    """Parts into which each street divides the states of the one before."""
    preflop: npt.NDArray[np.int32]
    """(169,) the state of each hand class."""
    thresholds: tuple[Thresholds, ...]
    """Of the flop, the turn and the river."""

    @property
    def name(self) -> str:
        """Such as ``percentile:5-5-5-5``."""
        return "percentile:" + "-".join(map(str, self.buckets))

    @property
    def states(self) -> tuple[int, ...]:
        """Number of states by street."""
        return tuple(prod(self.buckets[: street + 1]) for street in range(_STREETS))

    @property
    def recall(self) -> Recall:
        """Perfect."""
        return Recall.PERFECT

    @property
    def record(self) -> dict[str, Any]:
        """All of it."""
        return {
            "kind": "percentile",
            "buckets": list(self.buckets),
            "preflop": self.preflop.tolist(),
            "thresholds": [each.tolist() for each in self.thresholds],
        }

    def next_states(self, board: npt.NDArray[np.uint8], before: States | None) -> States:
        """Return the states on a board, from those of the street before."""
        if before is None or not len(board):
            return self.preflop[CLASS_OF_HOLDING]
        values, states = open_values(), np.empty(HOLDINGS, dtype=np.int32)
        street = len(board) - 3
        entries: npt.NDArray[Any] = values.river_ihr
        if street == 0:
            index, entries = index_of_3(*board), values.flop_hr7_squares
            start, pattern = values.flop_start[index], values.flop_pattern[index]
        elif street == 1:
            index, entries = index_of_4(*board), values.turn_hr7_squares
            start, pattern = values.turn_start[index], values.turn_pattern[index]
        else:
            index = index_of_5(*board)
            start, pattern = values.river_start[index], values.river_pattern[index]
        used, thresholds = mask_of(board), self.thresholds[street]
        split(
            entries, int(start), COLUMN[pattern], SHIFTS[street], used, thresholds, before, states
        )
        return states


def read_percentile(record: dict[str, Any]) -> PercentileAbstraction:
    """Return the abstraction of a record. Raises `BadInput` for one that is damaged."""
    try:
        buckets = check_buckets(record["buckets"])
        preflop = np.array(record["preflop"], dtype=np.int32)
        thresholds = tuple(np.array(each, dtype=np.int64) for each in record["thresholds"])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise BadInput("a percentile abstraction that does not read") from None
    found = PercentileAbstraction(buckets, preflop, thresholds)
    shapes = [(states, parts - 1) for states, parts in zip(found.states, buckets[1:], strict=False)]
    if preflop.shape != (CLASSES,) or [each.shape for each in thresholds] != shapes:
        raise BadInput("a percentile abstraction of another shape")
    if preflop.min() < 0 or preflop.max() >= buckets[0]:
        raise BadInput("a percentile abstraction with states that it does not have")
    return found


def check_buckets(buckets: Sequence[int]) -> tuple[int, ...]:
    """Check the numbers of buckets by street. Raises `BadInput`."""
    parts = tuple(buckets)
    whole = all(type(part) is int and part >= 1 for part in parts)
    if len(parts) != _STREETS or not whole or prod(parts) > MOST_STATES:
        text = "-".join(map(str, parts))
        allowed = f"four numbers whose product is at most {MOST_STATES}, such as 5-5-5-5"
        raise BadInput(f"buckets {text}; allowed: {allowed}")
    return parts
