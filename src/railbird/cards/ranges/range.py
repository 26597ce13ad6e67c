"""Ranges: a weight for each of the 1,326 holdings, in the notation of players.

| written | means |
|---|---|
| `QQ`, `AKs`, `AKo`, `AK` | a class; without a letter, both suited and offsuit |
| `QQ+`, `A5s+` | this and better pairs; this and better kickers |
| `QQ-99`, `A5s-A2s`, `JTs-76s` | from the one to the other, a rank at a time |
| `AsKd` | one holding |
| `random` | every holding |
| `20%`, `top 20%` | as many of the best classes as fit into a fifth of all holdings |
| `KTo:0.5` | any of these with a weight from 0 to 1; the default is 1 |

Items are separated by commas or spaces; if two include a holding, the later one counts. The best
classes are those that win most at showdown against a random hand (7cHR before the flop).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards.conversion import CardsLike, HoldingLike, cards_from, holding_from
from railbird.cards.holding import HOLDING_CARDS, HOLDINGS, parse_holding
from railbird.cards.ranges._range_text import read_weights, write_weights
from railbird.errors import BadInput, ParseError


@checked
@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """A weight from 0 to 1 for each holding, as a read-only array (1326,) of float64.

    Raises `railbird.errors.BadInput` for another shape or weights outside 0 to 1.

    >>> broadway = Range.parse("QQ+, A5s-A2s, KTo:0.5")
    >>> len(broadway), broadway.combinations
    (46, 40.0)
    >>> str(broadway)
    'QQ+, A5s-A2s, KTo:0.5'
    """

    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float64)
        if weights.shape != (HOLDINGS,):
            raise BadInput(f"a range of shape {weights.shape}; allowed: ({HOLDINGS},)")
        if not np.all((weights >= 0) & (weights <= 1)):
            raise BadInput("a range's weights must lie between 0 and 1")
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)

    @classmethod
    @checked
    def parse(cls, text: str) -> Range:
        """Parse a range; the empty text is the empty range.

        Raises `railbird.errors.ParseError`, which points at the character.
        """
        return cls(read_weights(text))

    @classmethod
    def full(cls) -> Range:
        """Return the range of all holdings with weight 1."""
        return cls(np.ones(HOLDINGS))

    @classmethod
    @checked
    def of(cls, holdings: Iterable[HoldingLike]) -> Range:
        """Return the range of these holdings with weight 1."""
        weights = np.zeros(HOLDINGS)
        weights[[holding_from(holding) for holding in holdings]] = 1
        return cls(weights)

    @checked
    def without(self, dead: CardsLike) -> Range:
        """Return the range without holdings that contain these cards."""
        blocked = np.isin(HOLDING_CARDS, cards_from(dead)).any(axis=1)
        return Range(np.where(blocked, 0, self.weights))

    @property
    def combinations(self) -> float:
        """Sum of the weights, at most 1,326."""
        return float(self.weights.sum())

    def __len__(self) -> int:
        """Return the number of holdings with nonzero weight."""
        return int(np.count_nonzero(self.weights))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __str__(self) -> str:
        """Return a short text that parses to the same weights."""
        return write_weights(self.weights)


RangeLike: TypeAlias = Range | HoldingLike
"""A range, its text, ``"QQ+, AKs"``, or one holding."""


def range_from(value: RangeLike) -> Range:
    """Return a range given as an object, a text or a holding.

    Raises `railbird.errors.BadInput`.

    >>> range_from("QQ+") == Range.parse("QQ+"), len(range_from("K♦-A♠"))
    (True, 1)
    """
    if isinstance(value, Range):
        return value
    if not isinstance(value, str):
        return Range.of([holding_from(value)])
    try:
        return Range.of([parse_holding(value)])
    except ParseError:
        return Range.parse(value)
