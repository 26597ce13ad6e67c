"""Rows of an experiment's table: what was published, what came out, and a verdict by a stated rule.

A published number is known as far as it was printed, and often comes from a sample of its own; both
count when it is compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from railbird.report.toolkit import number_format

if TYPE_CHECKING:
    from railbird.estimates import Estimate

SIGMAS = 3.0
"""Standard errors that chance is granted; so far out lies one sound row in 370."""

_EXACT_DECIMALS = 6


class Verdict(Enum):
    """What a row comes to."""

    AGREES = "agrees"
    """With the published number."""
    DIFFERS = "differs"
    """From the published number, by more than chance; the note says what is known of why."""
    HOLDS = "holds"
    """What must be so, is."""
    FAILS = "fails"
    """What must be so, is not."""
    UNDECIDED = "undecided"
    """What must be so is neither shown nor refuted; more hands would decide."""
    OTHER_PLAYERS = "other players"
    """The published number is of other players; it stands there for its size."""
    MEASURED = "measured"
    """Nothing was published, and nothing must be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A number of the source."""

    text: str
    """As printed."""
    stderr: float = 0.0
    """From the size of its own sample, where that is known."""

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

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
        """How far off the printed number may be from the one that was measured."""
        return 0.5 * 10.0**-self.decimals


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number."""

    name: str
    published: Published | None = None
    ours: Estimate
    verdict: Verdict
    rule: str
    """How the verdict was come by."""
    note: str = ""
    """What explains a difference, or what else there is to know."""

    @property
    def decimals(self) -> int:
        """Decimals worth printing."""
        if self.ours.stderr == 0:
            return 0 if self.ours.value == int(self.ours.value) else _EXACT_DECIMALS
        printed = self.published.decimals if self.published is not None else 0
        return max(printed, number_format.decimals_for(self.ours.stderr))

    @property
    def shown(self) -> str:
        """Our value in words."""
        return number_format.number(self.ours.value, self.decimals)

    @property
    def shown_interval(self) -> str:
        """Our 95 % interval in words; empty for an exact value."""
        if self.ours.stderr == 0:
            return "exact"
        return number_format.interval(self.ours.low, self.ours.high, self.decimals)

    def as_json(self) -> dict[str, Any]:
        """Give the row unrounded."""
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
    """Compare with a published number that means the same.

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
        verdict=Verdict.AGREES if agrees else Verdict.DIFFERS,
        rule=f"within {SIGMAS:g} standard errors of both and the rounding of the published number",
        note=note,
    )


def zero(name: str, ours: Estimate, note: str = "", *, sigmas: float = SIGMAS) -> Row:
    """Check that a number does not differ from zero by more than chance."""
    return claimed(
        name,
        ours,
        abs(ours.value) <= sigmas * ours.stderr,
        rule=f"within {sigmas:.3g} standard errors of 0",
        note=note,
    )


def claimed(name: str, ours: Estimate, holds: bool, *, rule: str, note: str = "") -> Row:
    """Say whether something holds that must hold."""
    verdict = Verdict.HOLDS if holds else Verdict.FAILS
    return Row(name=name, ours=ours, verdict=verdict, rule=rule, note=note)


def must_exceed_zero(name: str, ours: Estimate, note: str = "") -> Row:
    """Check that a number that must be positive has its 95 % interval clear of zero.

    >>> from railbird.estimates import Estimate
    >>> must_exceed_zero("lead", Estimate(0.02, 0.05, 100)).verdict
    <Verdict.UNDECIDED: 'undecided'>
    """
    return _by_sign(name, ours, note, above=Verdict.HOLDS, below=Verdict.FAILS)


def published_as_positive(name: str, ours: Estimate, note: str = "") -> Row:
    """Compare the sign with that of a number of the source that is lost but was positive."""
    return _by_sign(name, ours, note, above=Verdict.AGREES, below=Verdict.DIFFERS)


def _by_sign(name: str, ours: Estimate, note: str, *, above: Verdict, below: Verdict) -> Row:
    decided = above if ours.low > 0 else below if ours.high < 0 else Verdict.UNDECIDED
    rule = "95 % interval above 0; undecided if 0 is in it"
    return Row(name=name, ours=ours, verdict=decided, rule=rule, note=note)


def beside(name: str, published: str, ours: Estimate, note: str = "") -> Row:
    """Set a number beside the published one of other players."""
    return Row(
        name=name,
        published=Published(text=published),
        ours=ours,
        verdict=Verdict.OTHER_PLAYERS,
        rule="not compared",
        note=note,
    )


def measured(name: str, ours: Estimate, note: str = "") -> Row:
    """Report a number for itself."""
    return Row(name=name, ours=ours, verdict=Verdict.MEASURED, rule="not compared", note=note)


def sigmas_for(comparisons: int) -> float:
    """Standard errors to grant the farthest of several comparisons (Bonferroni).

    >>> round(sigmas_for(1), 6), round(sigmas_for(80), 2)
    (3.0, 4.15)
    """
    outside = 2 * NormalDist().cdf(-SIGMAS)
    return -NormalDist().inv_cdf(outside / 2 / comparisons)
