"""Content of a report on an assessment, computed once for page, figures and terminal.

All amounts are the first player's; the other side of a two-player game is their negative.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import polars as pl

from railbird._arguments import checked
from railbird.assessment import Estimator, Kind, Scoring
from railbird.assessment.anytime import anytime_intervals
from railbird.estimates import Estimate, Moments, hands_to_decide
from railbird.estimates.result_units import ResultUnit
from railbird.estimates.settings import FEWEST
from railbird.report.match import running_sums as sums
from railbird.report.match.running_sums import STREETS, Curves
from railbird.report.match.verdict import Verdict, verdict
from railbird.report.several_players.headline import fitted_words
from railbird.report.toolkit import number_format
from railbird.report.toolkit.rake_text import rake_of_match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from railbird.assessment import Assessment

_NO_CHANCE = 0.001
"""Probability under fair cards below which a reader is warned."""

_ENDINGS = {
    "showdown": "by showdown",
    "fold": "by a fold",
    "unknown cards": "with cards not shown",
    "masked cards": "with cards missing",
}


class Sort(Enum):
    """Kind of quantity that a row shows: what its estimator measures, or nothing at all."""

    UNBIASED = Kind.UNBIASED.value
    BIASED = Kind.BIASED.value
    LUCK = Kind.LUCK.value
    PLAY = Kind.PLAY.value
    SELECTED = "selected"
    """It averages the hands whose cards were shown, and so estimates nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorRow:
    """One estimator over a match."""

    name: str
    label: str
    sort: Sort
    meaning: str
    assumes: str
    estimate: Estimate
    hands: int
    """Number of hands that have this score."""
    hand_sd: float
    """Standard deviation of one hand."""
    reduction: float | None = None
    """Variance of the money over this one's; None where it is meaningless."""

    @property
    def decimals(self) -> int:
        """Number of decimals that the standard error justifies."""
        return number_format.decimals_for(self.estimate.stderr)

    @property
    def withheld(self) -> bool:
        """True if tables have a dash, since it estimates nothing."""
        return self.sort is Sort.SELECTED

    @property
    def value(self) -> float:
        """Mean per hand, in the assessment's unit."""
        return self.estimate.value

    @property
    def sd(self) -> float:
        """Standard deviation of one value: of a hand, or of a deal played from both sides."""
        return self.estimate.stderr * math.sqrt(self.estimate.n)

    @property
    def total(self) -> float:
        """Sum over all hands."""
        return self.value * self.hands

    @property
    def shown(self) -> str:
        """The mean with its sign."""
        return number_format.signed(None if self.withheld else self.value, self.decimals)

    @property
    def shown_interval(self) -> str:
        """The 95 % interval."""
        if self.withheld:
            return number_format.number(None, 0)
        return number_format.interval_of(self.estimate, self.decimals)

    @property
    def shown_sd(self) -> str:
        """The standard deviation of one value."""
        return number_format.number(None if self.withheld else self.sd, 3)

    @property
    def shown_total(self) -> str:
        """The sum over all hands."""
        return number_format.signed(None if self.withheld else self.total, 1)

    @property
    def needed(self) -> int | None:
        """Number of hands that would decide who is better; None if none does."""
        if self.sort is not Sort.UNBIASED or not self.estimate.enough:
            return None
        values = hands_to_decide(self.value, self.sd)
        return None if values is None else math.ceil(self.hands / self.estimate.n * values)

    @property
    def shown_needed(self) -> str:
        """That number, rounded; a dash if there is none."""
        if self.needed is None:
            return number_format.number(None, 0)
        fewest = FEWEST * self.hands // self.estimate.n
        if self.needed < fewest:
            return f"under {fewest}"
        return number_format.about(self.needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summand:
    """One summand of money = skill + luck + position, over the whole match."""

    label: str
    kind: str
    total: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Means of the two plays of each deal of a duplicate match."""

    count: int
    money: EstimatorRow
    skill: EstimatorRow
    decisive: EstimatorRow
    curves: Curves


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """An assessment as presented to a reader."""

    first: str
    second: str
    unit: ResultUnit
    hands: int
    rows: tuple[EstimatorRow, ...]
    rounds: tuple[EstimatorRow, ...]
    parts: tuple[Summand, ...]
    """Summands of the money."""
    curves: Curves
    pairs: Pairs | None
    kinds: dict[str, int]
    """Number of hands by `railbird.assessment.HandKind`."""
    hidden: int
    """Hands whose cards are not known because of how they ended."""
    raked: tuple[float, float]
    """What the house took of the first player's winnings, and of the second's."""
    verdict: Verdict
    decides: str
    """Name of the estimator that decides; the fitted one where cards are not known."""

    @property
    def unit_words(self) -> str:
        """The unit in the plural: "small bets"."""
        return self.unit.words

    @property
    def endings(self) -> str:
        """Endings of the hands, in words."""
        return ", ".join(f"{count:,} {_ENDINGS.get(k, k)}" for k, count in self.kinds.items())

    @property
    def unknown(self) -> int:
        """Hands whose cards are not all known."""
        return self.kinds.get("unknown cards", 0) + self.kinds.get("masked cards", 0)

    @property
    def money(self) -> EstimatorRow:
        """The money won."""
        return self.row("money")

    @property
    def skill(self) -> EstimatorRow:
        """The DIVAT difference."""
        return self.row("divat")

    @property
    def decisive(self) -> EstimatorRow:
        """The estimate that decides where all cards are known."""
        return self.row(self.decides)

    @property
    def decisive_word(self) -> str:
        """Its name in the middle of a sentence."""
        return "fitted" if self.decides == "fitted" else self.decisive.label

    @property
    def decisive_words(self) -> str:
        """Its name as a noun."""
        return "the fitted estimate" if self.decides == "fitted" else self.decisive.label

    @property
    def comparable(self) -> tuple[EstimatorRow, ...]:
        """Rows that aim at the expected result of a hand."""
        return tuple(row for row in self.rows if row.sort in (Sort.UNBIASED, Sort.BIASED))

    @property
    def of_one(self) -> str:
        """Unit of a standard deviation: a hand, or a deal that was played twice."""
        return _of_one(self.money)

    @property
    def of_shown(self) -> str:
        """Addition to the title of a table whose scores need cards, where some are missing."""
        known = self.hands - self.unknown
        return f", {number_format.counted(known)} whose cards are known" if self.unknown else ""

    @property
    def house(self) -> str:
        """The rake in words; empty without rake."""
        return rake_of_match(zip((self.first, self.second), self.raked, strict=True), self.unit)

    @property
    def uneven(self) -> bool:
        """True if the estimators average different numbers of hands."""
        return len({row.hands for row in self.rows}) > 1

    @property
    def balance(self) -> str:
        """Result of testing the money against DIVAT; empty without a test."""
        luck = self.row("luck").estimate
        if self.hidden or not luck.enough:
            return ""
        decimals = number_format.decimals_for(luck.stderr)
        before = "before rake " if any(self.raked) else ""
        left = (
            f"money {before}less DIVAT and position averages "
            f"{number_format.signed(luck.value, decimals)} "
            f"({number_format.interval_of(luck, decimals)})"
        )
        if luck.low <= 0 <= luck.high:
            return f"Money and DIVAT agree as unbiased estimates of one quantity must: {left}."
        favoured = self.first if luck.value > 0 else self.second
        told = f"The cards favoured {favoured}: {left}"
        if luck.p_value < _NO_CHANCE:
            return f"{told}, more than chance does. Hands may be missing from the log."
        return f"{told}, which chance does in {number_format.chance(luck.p_value)} of matches."

    def row(self, name: str) -> EstimatorRow:
        """Look up an estimator."""
        return next(row for row in self.rows if row.name == name)


@checked
def summarise_match(assessment: Assessment, *, points: int = sums.POINTS) -> MatchSummary:
    """Summarise an assessment for a report.

    ``points`` is the most that a line of a figure may have.
    """
    first, second = assessment.players
    scores, unit = assessment.scores, assessment.unit
    estimates, hidden = assessment.estimates[first], assessment.hidden
    raked = (assessment.raked[first], assessment.raked[second])
    rows = [_row(one, assessment, first) for one in assessment.estimators]
    decides = "fitted" if hidden else assessment.decides.name
    at_any_time = None
    if decides != "fitted":
        at_any_time = next((x.asymptotic for x in anytime_intervals(assessment, [decides])), None)
    return MatchSummary(
        first=number_format.display_name(first),
        second=number_format.display_name(second),
        unit=unit,
        hands=scores.height,
        rows=tuple(rows),
        rounds=tuple(_round(street, assessment, first) for street in STREETS),
        parts=_parts(scores),
        curves=sums.curves(scores, decides=decides, points=points),
        pairs=_pairs(assessment, decides, points),
        kinds={kind: count for kind, count in assessment.kinds.items() if count},
        hidden=hidden,
        raked=raked,
        verdict=verdict(
            (first, second),
            estimates["money"],
            estimates[decides],
            hands=scores.height,
            hidden=hidden,
            raked=raked,
            same_play=estimates["divat"].value == estimates["divat"].stderr == 0,
            why="" if hidden else _why(assessment, rows),
            by="fitted" if decides == "fitted" else assessment.decides.title,
            at_any_time=at_any_time,
        ),
        decides=decides,
    )


def _why(assessment: Assessment, rows: Sequence[EstimatorRow]) -> str:
    """Say which estimate decides, and why: the log and the players known fix it, no result."""
    evidence, decides = assessment.evidence, assessment.decides
    if decides.name != "fitted":
        row = next(row for row in rows if row.name == decides.name)
        return (
            f"{decides.title} decides: {evidence['reason']}. Its interval here holds at any time, "
            "however often the match is looked at (a "
            f"{_of_one(row)}'s variance ÷ {number_format.times(row.reduction)})."
        )
    fitted = next(row for row in rows if row.name == "fitted")
    return fitted_words(
        f"Fitted decides: {evidence['reason']}",
        hands=int(evidence["all_cards"] or 0),
        forward=assessment.forward,
        reduction=fitted.reduction,
        of=_of_one(fitted),
    )


def _of_one(row: EstimatorRow) -> str:
    """Name what counts as one value: a hand, or a deal that was played twice."""
    return "hand" if row.estimate.n == row.hands else "deal"


def _row(known: Estimator, assessment: Assessment, player: str) -> EstimatorRow:
    name, estimates = known.name, assessment.estimates[player]
    sort, estimate = Sort(known.kind.value), estimates[name]
    if assessment.withholds(known):
        sort = Sort.SELECTED
    reduction = None
    if sort is Sort.UNBIASED and name != "money" and 0 < estimate.stderr < math.inf:
        # Of deals, as the intervals are; where cards are missing, the money has more of them.
        money = estimates["money"]
        reduction = (money.stderr / estimate.stderr) ** 2 * money.n / estimate.n
    return EstimatorRow(
        name=name,
        label=known.title,
        sort=sort,
        meaning=known.meaning,
        assumes=known.assumes,
        estimate=estimate,
        hands=known.values(assessment.scores, Scoring()).count(),
        hand_sd=assessment.sd[player][name],
        reduction=reduction,
    )


def _round(street: str, assessment: Assessment, player: str) -> EstimatorRow:
    return EstimatorRow(
        name=street,
        label=street.capitalize(),
        sort=Sort.SELECTED if assessment.hidden else Sort.UNBIASED,
        meaning=f"DIVAT of the {street}",
        assumes="",
        estimate=assessment.rounds[player][street],
        hands=assessment.scores[f"divat_{street}"].count(),
        hand_sd=Moments.of(assessment.scores[f"divat_{street}"]).sd,
    )


def _parts(scores: pl.DataFrame) -> tuple[Summand, ...]:
    summands = [
        *((f"Skill: {street}", "skill", pl.col(f"divat_{street}")) for street in STREETS),
        ("Luck: hole cards", "luck", pl.col("luck_preflop")),
        *((f"Luck: {street}", "luck", pl.col(f"luck_{street}")) for street in STREETS[1:]),
        ("Position", "position", pl.col("position")),
    ]
    unknown = pl.col("position").is_null()
    if (scores["rake"] != 0).any():
        summands.append(("Rake", "money", -pl.col("rake").filter(~unknown)))
    if scores.select(unknown.any()).item():
        summands.append(("Cards not shown", "money", pl.col("money").filter(unknown)))
    totals = scores.select(column.sum().alias(label) for label, _, column in summands).row(0)
    return tuple(
        Summand(label=label, kind=kind, total=float(total))
        for (label, kind, _), total in zip(summands, totals, strict=True)
    )


def _pairs(assessment: Assessment, decides: str, points: int) -> Pairs | None:
    scores = assessment.scores
    means = sums.pair_means(scores, decides)
    if means is None:
        return None
    money, skill, decisive = (
        EstimatorRow(
            name=one.name,
            label=one.title,
            sort=Sort.SELECTED if assessment.withholds(one) else Sort(one.kind.value),
            meaning=one.meaning,
            assumes=one.assumes,
            estimate=Moments.of(means[one.name]).estimate(assessment.unit),
            hands=2 * means.height,
            hand_sd=Moments.of(scores[one.name]).sd,
        )
        for one in assessment.estimators
        if one.name in ("money", "divat", decides)
    )
    return Pairs(
        count=means.height,
        money=money,
        skill=skill,
        decisive=decisive,
        curves=sums.thinned(means.drop("pair"), points=points),
    )
