"""How much of a weight array lies on what the opponent really holds: log score and reliability.

Every array is brought to a sum of one over the holdings that the watcher's own cards and the board
leave, and so is the uniform one beside it. The gain is the logarithm (base 2) of the array's mass
on the true holding over the uniform mass: bits that the array knows of the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from railbird.cards import HOLDING_CARDS, Card, Holding
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.game import Street

BINS = 16
"""Of the ratio of an array's mass to the uniform mass, each half an octave wide."""
_LOWEST = -6.0
_WIDTH = 0.5
_CARD_BITS = np.uint64(1) << HOLDING_CARDS.astype(np.uint64)
_HOLDING_BITS: NDArray[np.uint64] = _CARD_BITS[:, 0] | _CARD_BITS[:, 1]


@dataclass(slots=True)
class Scores:
    """What was found on one street."""

    gains: dict[int, list[float]] = field(default_factory=dict)
    """Bits, by deal: the hands of one deal belong together."""
    predicted: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """Mass that the arrays gave to holdings of each bin."""
    uniform: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """Mass that the uniform array gave to the same holdings."""
    found: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """True holdings in each bin."""

    @property
    def count(self) -> int:
        """Arrays scored."""
        return sum(map(len, self.gains.values()))

    @property
    def gain(self) -> Estimate:
        """Mean gain of an array, with the error of deals that are independent of each other."""
        sums = np.array([sum(each) for each in self.gains.values()])
        sizes = np.array([len(each) for each in self.gains.values()])
        if not sizes.size:
            return Estimate(float("nan"), float("inf"), 0, "bits")
        mean = sums.sum() / sizes.sum()
        spread = estimate((sums - mean * sizes) / sizes.mean(), unit="bits")
        return Estimate(float(mean), spread.stderr, int(sizes.sum()), "bits")

    def lead(self, other: Scores) -> Estimate:
        """Mean gain over that of other arrays about the same holdings, in the same order."""
        apart = {
            deal: [ours - theirs for ours, theirs in zip(gains, other.gains[deal], strict=True)]
            for deal, gains in self.gains.items()
        }
        return Scores(gains=apart).gain

    def add(
        self, weights: NDArray[np.float64], known: Sequence[Card], truth: Holding, deal: int
    ) -> None:
        """Score one array; ``known`` are the cards that the opponent cannot hold."""
        free = free_of(known)
        mass = np.where(free, weights, 0.0)
        mass /= mass.sum()
        even = 1.0 / np.count_nonzero(free)
        with np.errstate(divide="ignore"):
            octaves = np.log2(mass / even)
        bins = np.clip((octaves - _LOWEST) / _WIDTH, 0, BINS - 1).astype(np.int64)
        self.predicted += np.bincount(bins[free], mass[free], minlength=BINS)
        self.uniform += np.bincount(bins[free], minlength=BINS) * even
        self.found[bins[truth]] += 1
        self.gains.setdefault(deal, []).append(float(octaves[truth]))


def free_of(known: Sequence[Card]) -> NDArray[np.bool_]:
    """Which holdings the known cards leave, (1326,).

    >>> from railbird.cards import parse_cards
    >>> int(free_of(parse_cards("AsKs2c3d4h")).sum())
    1081
    """
    blocked = np.uint64(sum(1 << card for card in known))
    free: NDArray[np.bool_] = (_HOLDING_BITS & blocked) == 0
    return free


def new_scores() -> dict[Street, Scores]:
    """Empty scores for every street."""
    return {street: Scores() for street in Street}
