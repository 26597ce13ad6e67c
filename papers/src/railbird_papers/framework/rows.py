"""Rows of an experiment's table: the published number, ours, and a verdict by a stated rule.

A comparison allows for the rounding of a published number and, often, for its own sampling error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from railbird.estimates import Estimate, Moments
from railbird.estimates.bounded_mean import Proportion
from railbird.estimates.estimate import estimate
from railbird.extending import Floats
from railbird.report import number_format

if TYPE_CHECKING:
    import polars as pl


SIGMAS = 3.0
"""Standard errors allowed for chance: one correct row in 370 exceeds them."""

SIGMAS_OF_95 = NormalDist().inv_cdf(0.975)
"""Standard errors on each side of a 95 % interval."""

_EXACT_DECIMALS = 6


class Verdict(Enum):
    """Outcome of a row."""

    AGREES = "agrees"
    """Agrees with the published number."""
    DIFFERS = "differs"
    """Differs from the published number by more than chance; the note says why, if known."""
    HOLDS = "holds"
    """A required property holds."""
    FAILS = "fails"
    """A required property does not hold."""
    UNDECIDED = "undecided"
    """A required property is neither shown nor refuted; more hands would decide."""
    OTHER_PLAYERS = "other players"
    """The published number is of other players, given for its order of magnitude."""
    MEASURED = "measured"
    """Nothing was published or is required."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A number printed in the source."""

    text: str
    """As printed."""
    stderr: float = 0.0
    """Standard error from the size of its own sample, if known."""

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

    @property
    def shown(self) -> str:
        """The number as printed, with the minus sign of our own."""
        return self.text.replace("-", number_format.MINUS)

    @property
    def decimals(self) -> int:
        """Digits printed after the point.

        >>> Published(text="47.010").decimals
        3
        """
        exponent = Decimal(self.text).as_tuple().exponent
        assert isinstance(exponent, int)
        return max(0, -exponent)

    @property
    def rounding(self) -> float:
        """Maximum rounding error of the printed number."""
        return 0.5 * 10.0**-self.decimals


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number."""

    name: str
    published: Published | None = None
    ours: Estimate
    verdict: Verdict
    rule: str
    """The rule behind the verdict."""
    note: str = ""
    """Explanation of a difference, or other remarks."""

    @property
    def decimals(self) -> int:
        """Number of decimals worth printing."""
        if self._is_exact:
            return 0 if self.ours.value == int(self.ours.value) else _EXACT_DECIMALS
        printed = self.published.decimals if self.published is not None else 0
        # All or none of some trials have no standard error, but an interval.
        error = self.ours.stderr or (self.ours.high - self.ours.low) / 4
        return max(printed, number_format.decimals_for(error))

    @property
    def _is_exact(self) -> bool:
        return self.ours.stderr == 0 and not isinstance(self.ours, Proportion)

    @property
    def shown(self) -> str:
        """Our value as text; if it is only rounding error, its power of ten."""
        if self._is_exact and 0 < abs(self.ours.value) < 0.5 * 10.0**-_EXACT_DECIMALS:
            return f"{self.ours.value:.0e}".replace("-", number_format.MINUS)
        return number_format.number(self.ours.value, self.decimals)

    @property
    def shown_interval(self) -> str:
        """Our 95 % interval as text, or that the value is exact."""
        if self._is_exact and self.ours.nonzero is None:
            return "exact"
        return number_format.interval(self.ours.low, self.ours.high, self.decimals)

    def as_json(self) -> dict[str, Any]:
        """Return the row, unrounded."""
        return {
            "name": self.name,
            "published": None if self.published is None else self.published.value,
            "ours": self.ours.as_json(),
            "unit": self.ours.unit,
            "verdict": self.verdict.value,
            "rule": self.rule,
            "note": self.note,
        }


def compared(name: str, published: Published, ours: Estimate, note: str = "") -> Row:
    """Compare with a published number of the same quantity.

    >>> from railbird.estimates import Estimate
    >>> compared("sd", Published(text="6.856"), Estimate(6.8558, 0.0, 1)).verdict
    <Verdict.AGREES: 'agrees'>
    """
    chance = math.hypot(ours.stderr, published.stderr)
    agrees = abs(ours.value - published.value) <= published.rounding + SIGMAS * chance
    return Row(
        name=name,
        published=published,
        ours=ours,
        verdict=Verdict.AGREES if agrees else _unless_alike(ours, Verdict.DIFFERS),
        rule=f"within {SIGMAS:g} standard errors of both and the rounding of the published number",
        note=note,
    )


def zero(name: str, ours: Estimate, note: str = "", *, sigmas: float = SIGMAS) -> Row:
    """Check that a number does not differ from zero by more than chance."""
    holds = abs(ours.value) <= sigmas * ours.stderr
    return Row(
        name=name,
        ours=ours,
        verdict=Verdict.HOLDS if holds else _unless_alike(ours, Verdict.FAILS),
        rule=f"within {sigmas:.3g} standard errors of 0",
        note=note,
    )


def claimed(name: str, ours: Estimate, holds: bool, *, rule: str, note: str = "") -> Row:
    """Return a row for a required property."""
    verdict = Verdict.HOLDS if holds else Verdict.FAILS
    return Row(name=name, ours=ours, verdict=verdict, rule=rule, note=note)


def share_within(name: str, ours: Proportion, *, least: float = 0.0, most: float = 1.0) -> Row:
    """Check by its 95 % interval that a share lies between two bounds.

    >>> shares = [Proportion.of_trials([1] * n + [0] * (20 - n)) for n in (20, 18, 5)]
    >>> [share_within("kept", share, least=0.8).verdict.value for share in shares]
    ['holds', 'undecided', 'fails']
    """
    low, high = ours.interval()
    verdict = Verdict.UNDECIDED
    if least <= low and high <= most:
        verdict = Verdict.HOLDS
    elif high < least or low > most:
        verdict = Verdict.FAILS
    bounds = f"at least {least:.0%}" if least else f"at most {most:.0%}"
    return Row(name=name, ours=ours, verdict=verdict, rule=f"95 % interval {bounds}")


def _unless_alike(ours: Estimate, verdict: Verdict) -> Verdict:
    """Return a verdict by an interval; equal results have no interval and refute nothing."""
    return Verdict.UNDECIDED if ours.alike else verdict


def must_exceed_zero(name: str, ours: Estimate, note: str = "") -> Row:
    """Check that the 95 % interval of a number that must be positive is above zero.

    As for every other property, three standard errors refute it.

    >>> from railbird.estimates import Estimate
    >>> must_exceed_zero("lead", Estimate(0.02, 0.05, 100)).verdict
    <Verdict.UNDECIDED: 'undecided'>
    >>> [must_exceed_zero("lead", Estimate(lead, 0.05, 100)).verdict for lead in (-0.14, -0.16)]
    [<Verdict.UNDECIDED: 'undecided'>, <Verdict.FAILS: 'fails'>]
    """
    return must_exceed(0, name, ours, note)


def must_exceed(
    bound: float,
    name: str,
    ours: Estimate,
    note: str = "",
    *,
    sigmas: float = SIGMAS_OF_95,
) -> Row:
    """Check that a number is above a bound by ``sigmas`` standard errors, by default those of 95 %.

    >>> from railbird.estimates import Estimate
    >>> lead = Estimate(1.12, 0.05, 100)
    >>> must_exceed(1, "lead", lead).verdict, must_exceed(1, "lead", lead, sigmas=3).verdict
    (<Verdict.HOLDS: 'holds'>, <Verdict.UNDECIDED: 'undecided'>)
    """
    return _by_sign(
        name, ours, note, above=Verdict.HOLDS, below=Verdict.FAILS, bound=bound, sigmas=sigmas
    )


def published_as_positive(name: str, ours: Estimate, note: str = "") -> Row:
    """Compare the sign with that of a published number which is lost but was positive."""
    return _by_sign(name, ours, note, above=Verdict.AGREES, below=Verdict.DIFFERS)


def _by_sign(
    name: str,
    ours: Estimate,
    note: str,
    *,
    above: Verdict,
    below: Verdict,
    bound: float = 0,
    sigmas: float = SIGMAS_OF_95,
) -> Row:
    lowest = ours.value - sigmas / SIGMAS_OF_95 * (ours.value - ours.low)
    highest = ours.value + SIGMAS / SIGMAS_OF_95 * (ours.high - ours.value)
    decided = above if lowest > bound else below if highest < bound else Verdict.UNDECIDED
    by = "95 % interval" if sigmas == SIGMAS_OF_95 else f"{sigmas:g} standard errors"
    return Row(
        name=name,
        ours=ours,
        verdict=_unless_alike(ours, decided),
        rule=f"{by} above {bound:g}; undecided within {SIGMAS:g} standard errors below",
        note=note,
    )


def beside(name: str, published: str, ours: Estimate, note: str = "") -> Row:
    """Return a row with a number and the published one of other players."""
    return Row(
        name=name,
        published=Published(text=published),
        ours=ours,
        verdict=Verdict.OTHER_PLAYERS,
        rule="not compared",
        note=note,
    )


def measured(name: str, ours: Estimate, note: str = "") -> Row:
    """Return a row with a number that has no comparison."""
    return Row(name=name, ours=ours, verdict=Verdict.MEASURED, rule="not compared", note=note)


def sigmas_for(comparisons: int) -> float:
    """Return the standard errors to allow for the largest of several comparisons (Bonferroni).

    >>> round(sigmas_for(1), 6), round(sigmas_for(80), 2)
    (3.0, 4.15)
    """
    outside = 2 * NormalDist().cdf(-SIGMAS)
    return -NormalDist().inv_cdf(outside / 2 / comparisons)


# Estimates of spreads, with standard errors by the delta method.
#
# To first order, the error of a statistic is the mean of its influence function over the sample, so
# its standard error follows from the variance of the influences. This assumes nothing about tails
# and accounts for the correlation of two scores of the same hands.


def money_and_divat(scores: pl.DataFrame) -> tuple[Floats, Floats]:
    """Return the two amounts in a table of hands."""
    return scores["money"].to_numpy(), scores["divat"].to_numpy()


def sd(values: Floats) -> Estimate:
    """Estimate the standard deviation of one value.

    >>> print(sd(np.array([-1.0, 1.0, -1.0, 1.0] * 250)))
    1.0005 ± 0.0000 sb (95 %, n = 1,000)
    """
    return Estimate(Moments.of(values).sd, _stderr(_sd_influence(values)), len(values))


def sd_change(values: Floats, others: Floats) -> Estimate:
    """Estimate the sd of ``values`` less that of ``others``, two scores of the same hands."""
    influence = _sd_influence(values) - _sd_influence(others)
    change = Moments.of(values).sd - Moments.of(others).sd
    return Estimate(change, _stderr(influence), len(values))


def reduction(reference: Floats, reduced: Floats) -> Estimate:
    """Estimate the variance of ``reference`` over that of ``reduced``, scores of the same hands."""
    ratio = Moments.of(reference).variance / Moments.of(reduced).variance
    influence = _relative_square(reference) - _relative_square(reduced)
    return Estimate(ratio, ratio * _stderr(influence), len(reduced), unit="times")


def mean_ranks(values: Floats) -> Floats:
    """Return the ranks from 1 on of values; equal ones share the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def rank_correlation(values: Floats, others: Floats) -> float:
    """Return Spearman's correlation, that of the ranks.

    >>> rank_correlation(np.array([1.0, 2.0, 2.0, 9.0]), np.array([10.0, 20.0, 20.0, 30.0]))
    1.0
    """
    return float(np.corrcoef(mean_ranks(values), mean_ranks(others))[0, 1])


def _sd_influence(values: Floats) -> Floats:
    spread = Moments.of(values).sd
    influence: Floats = _relative_square(values) * spread / 2
    return influence


def _relative_square(values: Floats) -> Floats:
    """Return squared deviations over their mean; 0 if nothing varies."""
    squares = np.square(values - values.mean())
    mean = squares.mean()
    relative: Floats = squares / mean if mean else squares
    return relative


def _stderr(influence: Floats) -> float:
    return estimate(influence).stderr
