"""Confidence sequences: intervals that remain valid however often they are inspected.

A fixed 95 % interval contains the true mean 95 times in 100 if it is inspected once. Somebody who
inspects it again and again, and stops when it excludes zero, is wrong far more often. In a
confidence sequence, *all intervals together* contain the true mean 95 times in 100. So a match may
be stopped at any moment, for any reason.

>>> won = Moments(n=20_000, mean=0.1, deviations=19_999 * 4.0)
>>> print(confidence_sequence(won))
0.1000, 0.0567 to 0.1433 sb (95 % at any time, n = 20,000)
>>> parse_goal("decided", unit="sb").reached(confidence_sequence(won))
True
>>> parse_goal("0.02sb", unit="sb").reached(confidence_sequence(won))
False
"""

# Which sequence is used where: `confidence_sequence` is asymptotic. It is narrow enough to stop a
# match by, and right for winnings, whose bounds are many times their deviation. `bounded_sequence`
# holds exactly for bounded values, but is wider; it certifies what has been found. Fixed intervals
# are in `estimate`.
#
# Two things make an interval valid whenever it is looked at, and must not change: values enter in
# the order of play, and the bet on a value (`bounded_path`) depends only on earlier values. Other
# numbers for `TUNED_FOR` and `FIRST_LOOK` would change the widths of published results.
#
# Who would notice: tests/estimates/test_confidence_sequences.py plays equal players and looks all
# the time; it computes the sequence value by value, and has the size and the power of the test for
# a change.

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from railbird._arrays import Floats
from railbird.errors import BadInput
from railbird.estimates.distributions import kolmogorov_above
from railbird.estimates.estimate import (
    ALPHA,
    FIRST_LOOK,
    LONG_SEQUENCE,
    MOST_PERMUTED,
    PERMUTATIONS,
    ROUNDING,
    TUNED_FOR,
    Moments,
    ResultUnit,
    finite_or_none,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnytimeInterval:
    """A mean with an interval that is valid at all times at once."""

    value: float
    half_width: float
    """Half the interval's width; infinite while there are too few values."""
    n: int
    unit: str = ResultUnit.SMALL_BETS
    alpha: float = ALPHA
    """Largest probability that it ever misses the mean."""

    @property
    def low(self) -> float:
        """Lower end."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """Upper end."""
        return self.value + self.half_width

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval has a width and excludes zero; every verdict goes by this rule."""
        return ROUNDING * abs(self.value) < self.half_width < abs(self.value)

    def as_json(self) -> dict[str, float | int | None]:
        """Return the numbers unrounded, None for those that are not finite."""
        return {**finite_or_none(value=self.value, low=self.low, high=self.high), "n": self.n}

    def __str__(self) -> str:
        if math.isinf(self.half_width):
            return f"{self.value:.4f} {self.unit}, too few hands for an interval (n = {self.n:,})"
        ends = f"{self.low:.4f} to {self.high:.4f} {self.unit}"
        level = f"{100 * (1 - self.alpha):.4g} % at any time"
        return f"{self.value:.4f}, {ends} ({level}, n = {self.n:,})"

    def __neg__(self) -> AnytimeInterval:
        """Return the other side's interval in a zero-sum game."""
        return replace(self, value=-self.value)


def confidence_sequence(
    moments: Moments,
    *,
    alpha: float = ALPHA,
    tuned_for: int = TUNED_FOR,
    unit: str = ResultUnit.SMALL_BETS,
) -> AnytimeInterval:
    """Return the present interval of an asymptotic confidence sequence for the mean.

    It is Robbins' normal mixture, with the running standard deviation in place of the true one and
    a width tuned for ``tuned_for`` values, after Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
    "Time-uniform central limit theory and asymptotic confidence sequences" (Annals of Statistics
    52, 2024; arXiv:2103.06476). Values must be independent and have a finite variance, but need not
    be bounded. There must be enough of them at the first look: below `FIRST_LOOK` the interval is
    infinite.
    """
    if moments.n < FIRST_LOOK:
        return AnytimeInterval(
            value=moments.mean, half_width=math.inf, n=moments.n, unit=unit, alpha=alpha
        )
    # The width that makes the interval narrowest after `tuned_for` values has no closed form; this
    # is the source's approximation of it, scaled to the present number of values.
    two_log = -2 * math.log(alpha)
    width = moments.n * (two_log + math.log1p(two_log)) / tuned_for
    scale = 2 * (width + 1) / width * math.log(math.sqrt(width + 1) / alpha)
    half_width = moments.sd * math.sqrt(scale / moments.n)
    return AnytimeInterval(
        value=moments.mean, half_width=half_width, n=moments.n, unit=unit, alpha=alpha
    )


def averaged(intervals: Sequence[AnytimeInterval]) -> AnytimeInterval:
    """Average several intervals; the result is valid whenever all of them are.

    Their error probabilities add up, whether or not they are independent.
    """
    return AnytimeInterval(
        value=fmean(interval.value for interval in intervals),
        half_width=fmean(interval.half_width for interval in intervals),
        n=min(interval.n for interval in intervals),
        unit=intervals[0].unit,
        alpha=sum(interval.alpha for interval in intervals),
    )


class Goal(Protocol):
    """The question that a match must answer."""

    def reached(self, interval: AnytimeInterval) -> bool:
        """Return whether the interval answers it."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The goal of knowing who is ahead: the interval must exclude zero."""

    def reached(self, interval: AnytimeInterval) -> bool:
        """Return whether the interval excludes zero."""
        return interval.excludes_zero


@dataclass(frozen=True, slots=True)
class Precision:
    """The goal of knowing the mean to within a half-width."""

    half_width: float

    def reached(self, interval: AnytimeInterval) -> bool:
        """Return whether the interval is narrow enough."""
        return interval.half_width <= self.half_width


def parse_goal(text: str, *, unit: str) -> Goal:
    """Parse ``decided``, or a half-width in the game's unit such as ``0.02sb``.

    Raises `BadInput` for anything else, including other units.
    """
    if text == "decided":
        return Decided()
    parsed = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)([a-z]+)", text)
    if parsed is None or parsed[2] != unit or not float(parsed[1]) > 0:
        raise BadInput(f"goal {text!r}; allowed: decided, or a half-width such as 0.02{unit}")
    return Precision(float(parsed[1]))


class PlayedDeals(Protocol):
    """Some deals of a match."""

    @property
    def payoffs(self) -> NDArray[np.number]:
        """(directions, deals, players) in chips."""


class StoppingRule:
    """A stopping rule that looks at the first player's winnings after each chunk of a match.

    Pass it to `arena.play` as ``until``. Its values are the deals' results, averaged over the
    directions in which each was played.
    """

    def __init__(self, goal: Goal, *, chips: int, unit: str, alpha: float = ALPHA) -> None:
        """Create a rule; ``chips`` is the number of chips in one ``unit``."""
        self._goal = goal
        self._chips = chips
        self._unit = unit
        self._alpha = alpha
        self._moments = Moments()

    def __call__(self, chunk: PlayedDeals) -> bool:
        """Add a chunk and return whether the goal is reached."""
        # A deal that was played in both directions is one value: its two results share their cards.
        self._moments += Moments.of(chunk.payoffs[:, :, 0].mean(axis=0) / self._chips)
        return self.reached

    @property
    def interval(self) -> AnytimeInterval:
        """The interval so far."""
        return confidence_sequence(self._moments, alpha=self._alpha, unit=self._unit)

    @property
    def reached(self) -> bool:
        """Whether the goal is reached."""
        return self._goal.reached(self.interval)

    def as_json(self) -> dict[str, object]:
        """Return the interval, and whether the goal is reached."""
        return {"reached": self.reached, "interval": self.interval.as_json()}


# Confidence sequences for bounded values, which hold exactly and need no large samples.
#
# They are wider than the asymptotic ones, by a lot if the bound is far from the usual values. So
# they certify what has been found; they are no rule for stopping.


_LARGEST_BET = 0.5


class Path(NamedTuple):
    """Intervals after each value, along the last axis."""

    centre: Floats
    half_width: Floats


def bounded_path(values: npt.ArrayLike, *, bound: float, alpha: float = ALPHA) -> Path:
    """Return a confidence sequence for the mean of independent values in [-bound, bound].

    It is the predictable plug-in empirical Bernstein sequence of Waudby-Smith and Ramdas,
    "Estimating means of bounded random variables by betting" (Journal of the Royal Statistical
    Society B 86, 2024; arXiv:2010.09686, theorem 2). The last axis is time; the other axes hold
    separate sequences. Raises `BadInput` for a value beyond the bound.
    """
    given = np.asarray(values, dtype=np.float64)
    if not (bound > 0 and np.all(np.abs(given) <= bound)):
        worst = np.max(np.abs(given), initial=0.0)
        raise BadInput(f"values up to {worst:g}; allowed: up to the bound, {bound:g}")
    # The theorem is for values between 0 and 1.
    x = (given + bound) / (2 * bound)
    time = np.arange(1, x.shape[-1] + 1)
    # The mean and the variance begin as if one value had been seen, at a half with variance a
    # quarter, so that the first bets have something to go by.
    mean = (0.5 + np.cumsum(x, axis=-1)) / (time + 1)
    variance = (0.25 + np.cumsum(np.square(x - mean), axis=-1)) / (time + 1)
    # The bet on a value may depend only on the values before it; otherwise the bound is not valid.
    mean_before = np.concatenate([np.full((*x.shape[:-1], 1), 0.5), mean[..., :-1]], axis=-1)
    variance_before = np.concatenate(
        [np.full((*x.shape[:-1], 1), 0.25), variance[..., :-1]], axis=-1
    )
    log = math.log(2 / alpha)
    # The bets fall with the square root of time times its logarithm. Bets that did not fall would
    # narrow the interval early and then keep it from closing.
    bets = np.sqrt(2 * log / (variance_before * time * np.log1p(time)))
    # The cost below grows without bound as a bet nears 1.
    bets = np.minimum(bets, _LARGEST_BET)
    cost = np.square(x - mean_before) * (-np.log1p(-bets) - bets)
    total = np.cumsum(bets, axis=-1)
    centre = np.cumsum(bets * x, axis=-1) / total
    half_width = (log + np.cumsum(cost, axis=-1)) / total
    # Back on the scale of the values. An interval wider than the range says no more than the range.
    return Path(bound * (2 * centre - 1), np.minimum(2 * bound * half_width, 2 * bound))


def bounded_sequence(
    values: npt.ArrayLike,
    *,
    bound: float,
    alpha: float = ALPHA,
    unit: str = ResultUnit.SMALL_BETS,
) -> AnytimeInterval:
    """Return the interval after the last value; see `bounded_path`. The order matters.

    >>> won = np.tile([2.0, -1.0, -0.5], 3000)
    >>> print(bounded_sequence(won, bound=24))
    0.1667, 0.1109 to 0.2225 sb (95 % at any time, n = 9,000)
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not numbers.size:
        return AnytimeInterval(value=math.nan, half_width=math.inf, n=0, unit=unit, alpha=alpha)
    path = bounded_path(numbers, bound=bound, alpha=alpha)
    return AnytimeInterval(
        value=float(path.centre[-1]),
        half_width=float(path.half_width[-1]),
        n=numbers.size,
        unit=unit,
        alpha=alpha,
    )


def proportion_sequence(
    successes: int, trials: int, *, alpha: float = ALPHA
) -> tuple[float, float]:
    """Return bounds for a probability that hold however often one looks.

    A probability lies outside the bounds if the trials are 1 / alpha times as likely under a
    uniform mixture of all probabilities as under it (Robbins, "Statistical methods related to the
    law of the iterated logarithm", Annals of Mathematical Statistics 41, 1970). Raises `BadInput`
    for impossible counts.

    >>> [round(bound, 3) for bound in proportion_sequence(12, 24)]
    [0.223, 0.777]
    >>> proportion_sequence(0, 0)
    (0.0, 1.0)
    """
    if not 0 <= successes <= trials:
        raise BadInput(f"{successes} of {trials} trials; allowed: 0 to {trials}")
    failures = trials - successes
    # The uniform mixture of all probabilities is a beta integral, so it needs no numerical
    # integration.
    mixture = math.lgamma(successes + 1) + math.lgamma(failures + 1) - math.lgamma(trials + 2)

    def is_outside(chance: float) -> bool:
        likelihood = 0.0
        for count, log_of in ((successes, chance), (failures, 1 - chance)):
            likelihood += count * math.log(log_of) if count else 0.0
        return mixture - likelihood > math.log(1 / alpha)

    centre = successes / trials if trials else 0.5
    low, high = (_edge(is_outside, centre, end) for end in (0.0, 1.0))
    return low, high


def _edge(is_outside: Callable[[float], bool], inside: float, end: float) -> float:
    """Return where the interval ends on the way from ``inside`` to ``end``, by bisection."""
    outside = end
    # At 0 and 1 themselves the logarithm of the likelihood may be infinite, so the end is tested a
    # little inside.
    nearly = abs(end - _ROUNDING)
    if inside == end or not is_outside(nearly):
        return end
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if is_outside(middle) else (middle, outside)
    return outside


_ROUNDING: Final = 1e-12
_HALVINGS: Final = 50


# A test for a change of the mean anywhere in a sequence.
#
# The statistic is a CUSUM of the Kolmogorov-Smirnov type: the largest deviation of the running sum
# from the straight line to its end, in standard deviations times the square root of the length. Its
# null distribution is that of the same maximum over all places, so looking everywhere is accounted
# for. For long sequences that is the limit, the maximum of a Brownian bridge (`kolmogorov_above`).
# For shorter ones, and for values that are dependent within deals, whole deals are permuted, which
# assumes neither a limit nor normality. Weighted statistics (sup F) were rejected: with winnings
# of heavy tails, a single pot at either end of the sequence decides them.


_FEWEST_PERMUTATIONS = 199


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """The largest deviation of a sequence from a constant mean, and its p-value."""

    place: int
    """Number of values before the change."""
    statistic: float
    """The CUSUM statistic; above 1.36 in one of twenty long sequences without a change."""
    p_value: float
    """Probability of a statistic at least this large if the mean never changed."""
    by: str
    """``permutation`` or ``limit``."""


def change_point(
    values: npt.ArrayLike,
    deals: npt.ArrayLike | None = None,
    *,
    groups: npt.ArrayLike | None = None,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> ChangePoint:
    """Test whether the mean of ``values`` (n,), given in the order of play, stays the same.

    Values with the same number in ``deals`` (n,) are dependent, and are permuted together, among
    deals of the same size. Omit it if all values are independent. With ``groups`` (n,) the mean may
    differ between groups, and the test is for a change within them.

    >>> steady = np.tile([1.0, -1.0], 500)
    >>> change_point(steady).p_value > 0.9
    True
    >>> change = change_point(steady + np.repeat([0.0, 0.5], 500))
    >>> change.place, change.p_value < 0.01
    (500, True)
    """
    x = np.asarray(values, np.float64)
    n = len(x)
    group = np.zeros(n, np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]
    x = less_group_means(x, group)
    spread = float(x.std()) if n else 0.0
    if n < 2 or spread == 0.0:
        return ChangePoint(n, 0.0, 1.0, "permutation")
    scale = spread * math.sqrt(n)
    strayed = _strayed(x[None])[0]
    position = int(strayed.argmax()) + 1
    statistic = float(strayed.max()) / scale
    blocks = _blocks(group, deals)
    independent = len(blocks) == 1 and blocks[0].positions.shape[1] == 1
    # The limit assumes independent values with one variance; dependent deals and groups are
    # permuted, however long the sequence.
    if n > LONG_SEQUENCE and independent and not group.any():
        return ChangePoint(position, statistic, kolmogorov_above(statistic), "limit")
    drawn = max(_FEWEST_PERMUTATIONS, min(permutations, MOST_PERMUTED // n))
    as_far = _count_as_far(x, blocks, statistic * scale, drawn, np.random.default_rng(seed))
    # The data's own order counts as one of the permutations, so that no p-value is zero and the
    # test keeps its level for any number of them.
    return ChangePoint(position, statistic, (1 + as_far) / (1 + drawn), "permutation")


def _strayed(rows: Floats) -> Floats:
    """Return the deviation of each running sum (rows, n) from the straight line to its end."""
    sums = np.cumsum(rows, axis=1)
    line = np.arange(1, rows.shape[1] + 1) / rows.shape[1]
    far: Floats = np.abs(sums - line * sums[:, -1:])
    return far


def less_group_means(values: Floats, group: npt.NDArray[np.int64]) -> Floats:
    """Subtract from each value (n,) how far its group's mean lies above the mean of all."""
    if not len(values) or not group.any():
        return values
    means: Floats = np.bincount(group, values) / np.maximum(np.bincount(group), 1)
    level: Floats = values - means[group] + values.mean()
    return level


class _Block(NamedTuple):
    """Deals with the same number of values; those of one kind may change places."""

    positions: npt.NDArray[np.int64]
    """(deals, values of each), sorted by kind."""
    kind: npt.NDArray[np.int64]
    """(deals,) number of the groups of a deal's values, in their order."""


def _blocks(group: npt.NDArray[np.int64], deals: npt.ArrayLike | None) -> list[_Block]:
    """Return the positions of the deals, by their number of values."""
    deal = np.arange(len(group))
    if deals is not None:
        deal = np.unique(np.asarray(deals), return_inverse=True)[1]
    # The stable sort keeps the values of a deal in their order, so a permuted deal stays as it was
    # played.
    order = np.argsort(deal, kind="stable")
    counts = np.bincount(deal)
    blocks = []
    for size in np.unique(counts).tolist():
        positions = order[counts[deal[order]] == size].reshape(-1, size)
        kind = np.unique(group[positions], axis=0, return_inverse=True)[1].ravel()
        by_kind = np.argsort(kind, kind="stable")
        blocks.append(_Block(positions[by_kind], kind[by_kind]))
    return blocks


def _count_as_far(
    x: Floats,
    blocks: list[_Block],
    far: float,
    permutations: int,
    rng: np.random.Generator,
) -> int:
    """Count the permutations whose running sum deviates at least as far as the data's."""
    count = 0
    drawn = np.empty_like(x)
    for _ in range(permutations):
        for positions, kind in blocks:
            drawing = rng.permutation(len(positions))
            # Deals change places only with deals of the same groups: sorting the drawn deals by
            # kind, in a stable order, puts each into a place of its own kind and leaves chance to
            # choose among these.
            drawing = drawing[np.argsort(kind[drawing], kind="stable")]
            drawn[positions] = x[positions[drawing]]
        # Sums in another order differ by rounding, and a permutation that equals the data must
        # count.
        count += bool(_strayed(drawn[None]).max() >= far * (1 - 1e-12))
    return count
