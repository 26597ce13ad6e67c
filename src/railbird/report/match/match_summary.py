"""What a report says about an assessment, computed once for page, figures and terminal.

Everything is seen from the first player's side; in a two-player game the other side is its
negative.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import polars as pl

from railbird.estimates import (
    Estimate,
    Moments,
    hands_to_decide,
    variance_reduction,
)
from railbird.report.match import curves as sums
from railbird.report.match.curves import STREETS, Curves
from railbird.report.match.verdict import FEWEST_HANDS, Verdict, verdict
from railbird.report.toolkit import number_format
from railbird.report.toolkit.number_format import MINUS

if TYPE_CHECKING:
    from railbird.assessment import Assessment


_ENDINGS = {
    "showdown": "by showdown",
    "fold": "by a fold",
    "unknown cards": "with cards not shown",
}


class Sort(Enum):
    """What kind of number an estimator gives."""

    UNBIASED = "unbiased"
    """Its expectation is the expected result of a hand."""
    BIASED = "biased"
    """It aims at the expected result of a hand, with a bias that is not known."""
    LUCK = "luck"
    """It measures what the cards did."""
    PLAY = "play"
    """It measures play on a scale of its own."""


@dataclass(frozen=True, slots=True)
class _Known:
    label: str
    sort: Sort
    meaning: str


ESTIMATORS = {
    "money": _Known("Money", Sort.UNBIASED, "the chips won"),
    "divat": _Known(
        "DIVAT", Sort.UNBIASED, "value of the bets made less value of the baseline's bets"
    ),
    "mivat": _Known("MIVAT", Sort.UNBIASED, "money with a fitted value function's luck removed"),
    "aivat": _Known("AIVAT", Sort.UNBIASED, "money with luck and known strategies' chance removed"),
    "aie": _Known("AIE-DIVAT", Sort.BIASED, "DIVAT with all-in equity for the value"),
    "money_minus_dcash": _Known(
        f"Money {MINUS} Dcash", Sort.BIASED, "money less the baseline's money"
    ),
    "redgreen": _Known(
        "RedGreen", Sort.PLAY, "rounds in which this player was the first to leave the baseline"
    ),
    "evat": _Known(
        "EVAT",
        Sort.PLAY,
        "losses against the best actions had all cards been seen, the opponent's less one's own",
    ),
    "dcash": _Known("Dcash", Sort.LUCK, "what two baseline players would have won"),
    "lfat": _Known("LFAT", Sort.LUCK, "change of the pot share when cards fall"),
    "luck": _Known("Luck", Sort.LUCK, "change of value when cards fall"),
    "position": _Known("Position", Sort.LUCK, "what the seats are worth"),
}
"""The estimators that a report knows, in the order of its table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorRow:
    """One estimator over a match."""

    name: str
    label: str
    sort: Sort
    meaning: str
    estimate: Estimate
    decimals: int
    """Decimals worth printing, the same for all rows of a match."""
    each: int = 1
    """Hands that each value is the mean of: 2 for duplicate pairs."""
    reduction: float | None = None
    """Variance of the money over this one's; None where it says nothing."""

    @property
    def value(self) -> float:
        """Mean per hand, in the assessment's unit."""
        return self.estimate.value

    @property
    def sd(self) -> float:
        """Standard deviation of one value."""
        return self.estimate.stderr * math.sqrt(self.estimate.n)

    @property
    def shown(self) -> str:
        """The mean with its sign."""
        return number_format.signed(self.value, self.decimals)

    @property
    def shown_interval(self) -> str:
        """The 95 % interval."""
        return number_format.interval(self.estimate.low, self.estimate.high, self.decimals)

    @property
    def needed(self) -> int | None:
        """Hands in all that would decide who is better; None for no number."""
        if self.sort not in (Sort.UNBIASED, Sort.BIASED):
            return None
        values = hands_to_decide(self.value, self.sd)
        return None if values is None else self.each * values

    @property
    def shown_needed(self) -> str:
        """Those hands, rounded; a dash for no number."""
        if self.needed is None:
            return number_format.number(None, 0)
        if self.needed < FEWEST_HANDS:
            return f"under {FEWEST_HANDS}"
        return number_format.about(self.needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summand:
    """One summand of money = skill + luck + position, over the whole match."""

    label: str
    kind: str
    total: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """The duplicate view: means of the two plays of each deal."""

    count: int
    money: EstimatorRow
    skill: EstimatorRow
    curves: Curves


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """An assessment as a reader meets it."""

    first: str
    second: str
    unit: str
    hands: int
    rows: tuple[EstimatorRow, ...]
    rounds: tuple[EstimatorRow, ...]
    parts: tuple[Summand, ...]
    """What the money is the sum of."""
    money: EstimatorRow
    """What is judged: the mean of hands, or of pairs where the whole match is duplicate."""
    skill: EstimatorRow
    """The DIVAT difference of the same."""
    curves: Curves
    pairs: Pairs | None
    kinds: dict[str, int]
    """How many hands ended so: "showdown", "fold", "unknown cards"."""
    verdict: Verdict

    @property
    def unit_words(self) -> str:
        """The unit in the plural: "small bets"."""
        return number_format.UNIT_WORDS.get(self.unit, self.unit)

    @property
    def endings(self) -> str:
        """How the hands ended, in words."""
        return ", ".join(f"{count:,} {_ENDINGS.get(k, k)}" for k, count in self.kinds.items())

    @property
    def unknown(self) -> int:
        """Hands whose cards were not all shown."""
        return self.kinds.get("unknown cards", 0)

    def row(self, name: str) -> EstimatorRow:
        """Look up an estimator."""
        return next(row for row in self.rows if row.name == name)


def summarise_match(assessment: Assessment, *, points: int = sums.POINTS) -> MatchSummary:
    """Collect what there is to say about an assessment.

    ``points`` is the most that a line of a figure may have.
    """
    first, second = assessment.players
    scores, unit = assessment.scores, assessment.unit
    estimates = assessment.estimates[first]
    reductions = assessment.variance_reduction[first]
    decimals = number_format.decimals_for(estimates["divat"].stderr)
    rows = {
        name: _row(name, estimates[name], decimals, reductions.get(name))
        for name in ESTIMATORS
        if name in estimates
    }
    pairs = _pairs(scores, unit, points)
    if pairs is not None and 2 * pairs.count == scores.height:
        money, skill = pairs.money, pairs.skill
    else:
        money, skill = rows["money"], rows["divat"]
    return MatchSummary(
        first=number_format.display_name(first),
        second=number_format.display_name(second),
        unit=unit,
        hands=scores.height,
        rows=tuple(rows.values()),
        rounds=tuple(
            _round(street, assessment.rounds[first][street], decimals) for street in STREETS
        ),
        parts=_parts(scores),
        curves=sums.curves(scores, points=points),
        money=money,
        skill=skill,
        pairs=pairs,
        kinds={kind: count for kind, count in assessment.kinds.items() if count},
        verdict=verdict((first, second), money.estimate, skill.estimate, each=money.each),
    )


def _row(
    name: str, estimate: Estimate, decimals: int, reduction: float | None, each: int = 1
) -> EstimatorRow:
    known = ESTIMATORS[name]
    comparable = known.sort in (Sort.UNBIASED, Sort.BIASED) and name != "money"
    return EstimatorRow(
        name=name,
        label=known.label,
        sort=known.sort,
        meaning=known.meaning,
        estimate=estimate,
        decimals=decimals,
        each=each,
        reduction=reduction if comparable else None,
    )


def _round(street: str, estimate: Estimate, decimals: int) -> EstimatorRow:
    return EstimatorRow(
        name=street,
        label=street.capitalize(),
        sort=Sort.UNBIASED,
        meaning=f"DIVAT of the {street}",
        estimate=estimate,
        decimals=decimals,
    )


def _parts(scores: pl.DataFrame) -> tuple[Summand, ...]:
    summands = [
        *((f"Skill: {street}", "skill", pl.col(f"divat_{street}")) for street in STREETS),
        ("Luck: hole cards", "luck", pl.col("luck_preflop")),
        *((f"Luck: {street}", "luck", pl.col(f"luck_{street}")) for street in STREETS[1:]),
        ("Position", "position", pl.col("position")),
    ]
    unknown = pl.col("position").is_null()
    if scores.select(unknown.any()).item():
        summands.append(("Cards not shown", "money", pl.col("money").filter(unknown)))
    totals = scores.select(column.sum().alias(label) for label, _, column in summands).row(0)
    return tuple(
        Summand(label=label, kind=kind, total=float(total))
        for (label, kind, _), total in zip(summands, totals, strict=True)
    )


def _pairs(scores: pl.DataFrame, unit: str, points: int) -> Pairs | None:
    means = sums.pair_means(scores)
    if means is None:
        return None
    money, skill = (Moments.of(means[name]) for name in ("money", "divat"))
    decimals = number_format.decimals_for(skill.estimate().stderr)
    reduction = variance_reduction(money, skill)
    return Pairs(
        count=means.height,
        money=_row("money", money.estimate(unit), decimals, None, each=2),
        skill=_row("divat", skill.estimate(unit), decimals, reduction, each=2),
        curves=sums.thinned(means.drop("pair"), points=points),
    )
