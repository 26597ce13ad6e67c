"""A verdict on a result of any hold'em: whether it is more than luck, and what would undo it.

A log shows only the hands that are in it. If the worst are missing, through a careless export or a
reader that refuses them, equal players have winners: without the worst 2 % of a thousand hands
nearly all of them "won more than luck explains", and the luck of the cards seldom reveals it. So a
verdict states how many hands would have to be missing for luck to explain the result once they are
added. As no log says what a missing hand was like, missing hands are assumed to be the log's best,
mirrored: between equal players the largest losses are as large as the largest wins.
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
"""Share of the hands that a careless export loses: a verdict that as many would undo holds only if
the log is whole."""


class RefusedMoney(NamedTuple):
    """A player's winnings, by the text of the log, in hands that could not be used."""

    hands: int = 0
    total: float = 0.0
    """In big blinds, which are small bets in limit."""
    squares: float = 0.0
    """The sum of the squares of these hands' results."""

    def plus(self, more: RefusedMoney) -> RefusedMoney:
        """Return the sum of both."""
        return RefusedMoney(
            self.hands + more.hands, self.total + more.total, self.squares + more.squares
        )

    def less(self, opponent: RefusedMoney) -> RefusedMoney:
        """Return half the difference from an opponent's, as pairs are compared.

        It takes all refused hands of the two as played together, though the text does not say so.
        The squares are the most that they can be: (a − b)² is at most 2a² + 2b².
        """
        return RefusedMoney(
            min(self.hands, opponent.hands),
            (self.total - opponent.total) / 2,
            (self.squares + opponent.squares) / 2,
        )


class RefusedTally(dict[str, RefusedMoney]):
    """Money of refused hands by player, under the first of a person's names (``same``).

    A hand in several logs, or twice in one, counts once.
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
    """A player's result or a pair's, by the estimator that decides, and what would undo it."""

    result: Estimate | AnytimeInterval
    values: Floats = field(compare=False)
    """(n,) the values of hands behind the result."""
    money: Floats = field(compare=False)
    """(n,) what each of these hands won, by which hands are the worst."""
    numbered: bool = False
    """Whether numbers that run one by one show that no hand is missing."""
    refused: RefusedMoney = field(default_factory=RefusedMoney)
    errors: str | None = None
    """Why errors of protocol could explain the result; None where they could not."""

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
        """Hands that would have to be missing for luck to explain it; None without a verdict.

        The worst for a winner, the best for a loser. With them the result is tested on one side
        alone, since such hands missing can only have made it larger.
        """
        if not self.decided:
            return None
        sign = math.copysign(1.0, self.result.value)
        best = (sign * self.values)[np.argsort(-sign * self.money, kind="stable")]
        left = self._beyond_chance - np.cumsum(best)
        return int(np.argmax(left <= 0)) + 1 if (left <= 0).any() else self.hands

    @property
    def if_whole(self) -> bool:
        """Whether a verdict holds only if the log is whole."""
        return not self.numbered and (self.undone_by or 0) <= LOST_IN_EXPORT * self.hands

    @property
    def condition(self) -> str:
        """The condition of a verdict, to follow it; empty where it has none."""
        return ", if the log is whole" if self.if_whole else ""

    @property
    def turned(self) -> bool:
        """Whether the verdict falls once the hands that were refused count with the others.

        They move the mean and widen the interval: a hundred blinds lost in one hand say more of the
        spread than of the mean. Their money is taken as it is, luck included.
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
        """Whether there is a verdict that neither refused hands nor errors of protocol undo."""
        return self.decided and not self.turned and self.errors is None

    @property
    def _beyond_chance(self) -> float:
        """What all hands together won beyond what luck explains, one side of zero tested."""
        return (abs(self.result.value) - self._half_width) * self.hands

    @property
    def _half_width(self) -> float:
        """Half the interval's width, one side of zero tested; one for every look keeps its own."""
        if isinstance(self.result, AnytimeInterval):
            return self.result.half_width
        return student_t(LEVEL, self.result.n - 1) * self.result.stderr

    def as_json(self) -> Mapping[str, Any]:
        """Return whether there is a verdict, and what would undo it."""
        return {
            "decided": self.stands,
            "undone_by_hands": self.undone_by,
            "only_if_whole": self.decided and self.if_whole,
            "refused_hands": self.refused.hands,
            "refused_money": self.refused.total,
        }
