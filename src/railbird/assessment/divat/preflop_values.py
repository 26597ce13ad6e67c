"""Sources of the value of two holdings before the flop: table, sample or enumeration.

After the flop every value is an exact sum (`_kernels_rollout`). Before it there are 34 million ways
to deal the board, too many for each hand of a match.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from railbird.assessment.divat._kernels_enumerate import sum_over_flops
from railbird.assessment.divat._kernels_rollout import BaselineArrays, Ranks
from railbird.assessment.divat._kernels_sampling import sample_position, sample_values
from railbird.assessment.settings import POSITION_SAMPLES, SAMPLES
from railbird.baseline import CAP, BaselineClass, BaselineSettings, baseline_line, cutoffs
from railbird.baseline._kernels_baseline import class_of_rank, preflop_rank
from railbird.cards import CLASS_OF_HOLDING
from railbird.estimates.estimate import Estimate
from railbird.game.rules import Street
from railbird.odds.tables.rank_tables import Tables

Int16s = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float64]

WHOLE = math.comb(48, 3) * 45 * 44
"""34,246,080 ways to deal flop, turn and river to two holdings."""

BASELINE_MOST = 6 * CAP
"""Small bets that the baseline can put in during one hand."""

_SEED = 20071


class PreflopEstimates(NamedTuple):
    """Values of pairs of holdings, in small bets for player 1."""

    value: Floats
    """(n, k) by pair and contribution."""
    covariance: Floats
    """(n, k, k) of the errors of one pair's values; zeros where they are exact."""


class PreflopValues(Protocol):
    """Source of the value of two holdings when the flop is still to be dealt."""

    @property
    def settings(self) -> BaselineSettings:
        """The baseline that plays on."""

    def values(self, first: Int16s, second: Int16s, contribution: Int16s) -> PreflopEstimates:
        """Value pairs of holdings once both players have put in ``contribution``.

        ``first`` and ``second`` (n,): holdings of players 1 and 2, without a common card;
        ``contribution`` (n, k): small bets of each player, 1 or more.
        """

    def position(self) -> Estimate:
        """Value of a hand to player 1, the big blind, before the deal."""


class SampledPreflopValues:
    """Preflop values from random boards, the same for the same holdings and seed.

    >>> from railbird.baseline import STANDARD
    >>> from railbird.cards import parse_holding
    >>> from railbird.odds.tables.rank_tables import open_tables
    >>> sampled = SampledPreflopValues(STANDARD, open_tables())
    >>> aces, kings = (np.array([parse_holding(h)], np.int16) for h in ("AsAh", "KdKc"))
    >>> value, covariance = sampled.values(aces, kings, np.array([[1, 4]], np.int16))
    >>> value.shape, covariance.shape, bool(value[0, 1] > value[0, 0] > 0)
    ((1, 2), (1, 2, 2), True)
    """

    def __init__(
        self,
        settings: BaselineSettings,
        tables: Tables,
        *,
        samples: int = SAMPLES,
        seed: int = _SEED,
    ) -> None:
        self._settings = settings
        self._ranks = rank_arrays(tables)
        self._classes = preflop_classes(settings, tables)
        self._samples = samples
        self._seed = np.uint64(seed)
        self._position: Estimate | None = None

    @property
    def settings(self) -> BaselineSettings:
        """The baseline that plays on."""
        return self._settings

    def values(self, first: Int16s, second: Int16s, contribution: Int16s) -> PreflopEstimates:
        """See `PreflopValues.values`."""
        n, k = contribution.shape
        estimates = PreflopEstimates(np.empty((n, k)), np.empty((n, k, k)))
        sample_values(
            0,
            n,
            first,
            second,
            contribution,
            self._samples,
            self._seed,
            self._ranks,
            policy_arrays(self._settings, int(contribution.max(initial=0)) + BASELINE_MOST),
            *estimates,
        )
        return estimates

    def position(self) -> Estimate:
        """See `PreflopValues.position`; computed on the first call, in a fraction of a second."""
        if self._position is None:
            n = POSITION_SAMPLES
            policy = policy_arrays(self._settings, BASELINE_MOST)
            total, squares = sample_position(0, n, self._seed, self._classes, self._ranks, policy)
            mean = total / n
            self._position = Estimate(mean, math.sqrt((squares / n - mean * mean) / (n - 1)), n)
        return self._position


class EnumeratedPreflopValues:
    """Exact preflop values from all flops, turns and rivers; about a second for each pair.

    For single hands under settings that have no table. The position is sampled.
    """

    def __init__(self, settings: BaselineSettings, tables: Tables) -> None:
        self._sampled = SampledPreflopValues(settings, tables)
        self._ranks = rank_arrays(tables)

    @property
    def settings(self) -> BaselineSettings:
        """The baseline that plays on."""
        return self._sampled.settings

    def values(self, first: Int16s, second: Int16s, contribution: Int16s) -> PreflopEstimates:
        """See `PreflopValues.values`."""
        n, k = contribution.shape
        policy = policy_arrays(self.settings, int(contribution.max(initial=0)) + BASELINE_MOST)
        total = np.empty((n, k), dtype=np.int64)
        for pair in range(n):
            one, two = int(first[pair]), int(second[pair])
            sum_over_flops(one, two, contribution[pair], self._ranks, policy, total[pair])
        return PreflopEstimates(total / WHOLE, np.zeros((n, k, k)))

    def position(self) -> Estimate:
        """See `PreflopValues.position`."""
        return self._sampled.position()


def rank_arrays(tables: Tables) -> Ranks:
    """Arrange the hand-rank tables for kernels."""
    return Ranks(
        flop_class=_start_and_pattern(tables.flop_start, tables.flop_pattern),
        flop_ihr=tables.flop_ihr,
        flop_hr7=tables.flop_hr7,
        turn_class=_start_and_pattern(tables.turn_start, tables.turn_pattern),
        turn_ihr=tables.turn_ihr,
        turn_hr7=tables.turn_hr7,
        river_class=_start_and_pattern(tables.river_start, tables.river_pattern),
        river_ihr=tables.river_ihr,
    )


def _start_and_pattern(
    start: npt.NDArray[np.int32], pattern: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint32]:
    return np.bitwise_or(np.left_shift(start.astype(np.uint32), 6, dtype=np.uint32), pattern)


@lru_cache(maxsize=64)
def policy_arrays(settings: BaselineSettings, most: int) -> BaselineArrays:
    """Arrange the baseline for kernels, for contributions of up to ``most`` small bets."""
    numbers = cutoffs(settings, most)
    lines = [[baseline_line(Street.FLOP, a, b) for b in BaselineClass] for a in BaselineClass]
    folders = [[-1 if line.folded_by is None else line.folded_by for line in row] for row in lines]
    contribution = np.arange(most + 1)
    return BaselineArrays(
        *numbers,
        level=np.array([[line.level for line in row] for row in lines]),
        folded_by=np.array(folders),
        stakes=np.stack(
            [*(contribution + 2 * level for level in range(5)), -contribution], axis=1
        ).astype(np.int16),
    )


def preflop_classes(settings: BaselineSettings, tables: Tables) -> npt.NDArray[np.int8]:
    """Classes of all holdings before the flop, (1326,)."""
    numbers = cutoffs(settings)
    street = Street.PREFLOP
    bettable = int(numbers.bettable[street])
    by_class = [
        class_of_rank(preflop_rank(ihr, hr7, bettable), street, 1, numbers.make, numbers.fold)
        for ihr, hr7 in zip(tables.preflop_ihr.tolist(), tables.preflop_hr7.tolist(), strict=True)
    ]
    return np.array(by_class, dtype=np.int8)[CLASS_OF_HOLDING]
