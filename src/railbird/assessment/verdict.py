"""A verdict on a result in any hold'em: whether luck could explain it, and what would undo that.

A log shows only the hands that are in it. If its worst hands are missing, through a careless export
or a reader that refuses them, even equal players seem to win: without the worst 2 % of a thousand
hands nearly all of them "won more than luck explains", and the luck of the cards seldom reveals it.
So a verdict states how many hands would have to be missing for luck to explain the result. A log
does not say what a missing hand was like. Missing hands are therefore assumed to mirror the log's
best hands: between equal players the largest losses are as large as the largest wins.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from railbird._arrays import Floats
from railbird.estimates.confidence_sequences import AnytimeInterval
from railbird.estimates.distributions import student_t
from railbird.estimates.estimate import LEVEL, Estimate
from railbird.histories import Skipped

LOST_IN_EXPORT: Final = 0.02
"""Share of hands that a careless export may lose. A verdict that so many would undo holds only if
the log is complete."""


class RefusedMoney(NamedTuple):
    """A player's winnings, according to the log's text, in hands that could not be used."""

    hands: int = 0
    total: float = 0.0
    """The winnings in big blinds, which are small bets in limit."""
    squares: float = 0.0
    """The sum of the squares of these hands' results."""

    def plus(self, more: RefusedMoney) -> RefusedMoney:
        """Return the sum of both."""
        return RefusedMoney(
            self.hands + more.hands, self.total + more.total, self.squares + more.squares
        )

    def less(self, opponent: RefusedMoney) -> RefusedMoney:
        """Return half the difference from an opponent's, in which pairs are compared.

        All refused hands of the two are assumed to have been played together, although the text
        does not say so. The squares are an upper bound: (a − b)² is at most 2a² + 2b².
        """
        return RefusedMoney(
            min(self.hands, opponent.hands),
            (self.total - opponent.total) / 2,
            (self.squares + opponent.squares) / 2,
        )


class RefusedTally(dict[str, RefusedMoney]):
    """The money of refused hands by player, under the first of a person's names (``same``).

    A hand that is in several logs, or twice in one, counts once.
    """

    def __init__(self, same: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._same = dict(same or {})
        self._met = set[object]()

    def new(self, skipped: Iterable[Skipped]) -> list[Skipped]:
        """Add skipped hands, and return those not met before."""
        new = []
        for skip in skipped:
            key = skip.hand.key
            if key is None or key not in self._met:
                new.append(skip)
                self._met |= set() if key is None else {key}
                for name, amount in skip.hand.won.items():
                    first = self._same.get(name, name)
                    money = self.get(first, RefusedMoney())
                    self[first] = money.plus(RefusedMoney(1, amount, amount * amount))
        return new


@dataclass(frozen=True, kw_only=True)
class ResultVerdict:
    """The result of a player or a pair by the deciding estimator, and what would undo it."""

    result: Estimate | AnytimeInterval
    values: Floats = field(compare=False)
    """(n,) the values of the hands behind the result."""
    money: Floats = field(compare=False)
    """(n,) the money won in each of these hands, which says which are the best and worst."""
    numbered: bool = False
    """Whether consecutive hand numbers show that no hand is missing."""
    refused: RefusedMoney = field(default_factory=RefusedMoney)
    errors: str | None = None
    """Why errors of protocol could explain the result; None if they could not."""

    @property
    def hands(self) -> int:
        """Number of hands."""
        return len(self.values)

    @property
    def decided(self) -> bool:
        """Whether the result is more than luck explains."""
        return self.result.excludes_zero

    @cached_property
    def undone_by(self) -> int | None:
        """Number of missing hands that would let luck explain the result; None without a verdict.

        They are a winner's worst hands, or a loser's best. The test is one-sided, since missing
        hands of this kind can only have made the result larger.
        """
        if not self.decided:
            return None
        sign = math.copysign(1.0, self.result.value)
        # Ordered by money, since an export loses hands by what they won, but valued by the
        # estimator, whose result they would change.
        best = (sign * self.values)[np.argsort(-sign * self.money, kind="stable")]
        left = self._beyond_chance - np.cumsum(best)
        return int(np.argmax(left <= 0)) + 1 if (left <= 0).any() else self.hands

    @property
    def if_whole(self) -> bool:
        """Whether a verdict holds only if the log is complete."""
        return not self.numbered and (self.undone_by or 0) <= LOST_IN_EXPORT * self.hands

    @property
    def condition(self) -> str:
        """The words to add to a verdict that holds only conditionally; else empty."""
        return ", if the log is whole" if self.if_whole else ""

    @property
    def turned(self) -> bool:
        """Whether the verdict no longer holds when refused hands are counted with the others.

        They move the mean and widen the interval: a hundred blinds lost in one hand say more about
        the spread than about the mean. Their money is taken as it is, including luck.
        """
        if not self.decided or not self.refused.hands:
            return False
        count = self.hands + self.refused.hands
        total = self.hands * self.result.value + self.refused.total
        squares = float(np.square(self.values).sum()) + self.refused.squares
        spread = max(squares - total * total / count, 0.0)
        own_spread = float(np.square(self.values - self.values.mean()).sum())
        if not own_spread:
            return True
        half = self._half_width * math.sqrt(spread / own_spread) * self.hands / count
        return math.copysign(1.0, self.result.value) * total / count <= half

    @property
    def stands(self) -> bool:
        """Whether there is a verdict that neither refused hands nor protocol errors undo."""
        return self.decided and not self.turned and self.errors is None

    @property
    def _beyond_chance(self) -> float:
        """The total won beyond what luck explains, by a one-sided test."""
        return (abs(self.result.value) - self._half_width) * self.hands

    @property
    def _half_width(self) -> float:
        """Half the width of a one-sided interval; one that holds at every look keeps its own."""
        if isinstance(self.result, AnytimeInterval):
            return self.result.half_width
        return student_t(LEVEL, self.result.n - 1) * self.result.stderr

    def as_json(self) -> Mapping[str, Any]:
        """Return whether there is a verdict and what would undo it, for JSON."""
        return {
            "decided": self.stands,
            "undone_by_hands": self.undone_by,
            "only_if_whole": self.decided and self.if_whole,
            "refused_hands": self.refused.hands,
            "refused_money": self.refused.total,
        }
