"""Calibration of weight arrays against the opponent's true holding: log score and reliability.

Every array is normalised over the holdings compatible with the observer's own cards and the board,
and so is the uniform one for comparison. The gain is the base-2 logarithm of the array's mass on
the true holding over the uniform mass: the array's information about the hand in bits.
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
"""Bins of the ratio of an array's mass to the uniform mass, each half an octave wide."""
_LOWEST = -6.0
_WIDTH = 0.5
_CARD_BITS = np.uint64(1) << HOLDING_CARDS.astype(np.uint64)
_HOLDING_BITS: NDArray[np.uint64] = _CARD_BITS[:, 0] | _CARD_BITS[:, 1]


@dataclass(slots=True)
class Scores:
    """Scores on one street."""

    gains: dict[int, list[float]] = field(default_factory=dict)
    """Gains in bits, by deal: hands of one deal are dependent."""
    predicted: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """Total mass of the arrays on holdings of each bin."""
    uniform: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """Total mass of the uniform array on the same holdings."""
    hits: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))
    """Number of true holdings in each bin."""

    @property
    def count(self) -> int:
        """Arrays scored."""
        return sum(map(len, self.gains.values()))

    @property
    def gain(self) -> Estimate:
        """Mean gain of an array, with the standard error from independent deals."""
        sums = np.array([sum(gains) for gains in self.gains.values()])
        sizes = np.array([len(gains) for gains in self.gains.values()])
        if not sizes.size:
            return Estimate(float("nan"), float("inf"), 0, "bits")
        mean = sums.sum() / sizes.sum()
        spread = estimate((sums - mean * sizes) / sizes.mean(), unit="bits")
        return Estimate(float(mean), spread.stderr, int(sizes.sum()), "bits")

    def lead(self, other: Scores) -> Estimate:
        """Estimate the mean gain less that of other arrays, for the same holdings in order."""
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
        self.hits[bins[truth]] += 1
        self.gains.setdefault(deal, []).append(float(octaves[truth]))


def free_of(known: Sequence[Card]) -> NDArray[np.bool_]:
    """Return a mask of the holdings without any of the known cards, (1326,).

    >>> from railbird.cards import parse_cards
    >>> int(free_of(parse_cards("AsKs2c3d4h")).sum())
    1081
    """
    blocked = np.uint64(sum(1 << card for card in known))
    free: NDArray[np.bool_] = (_HOLDING_BITS & blocked) == 0
    return free


def new_scores() -> dict[Street, Scores]:
    """Return empty scores for every street."""
    return {street: Scores() for street in Street}
