"""Content of a heads-up limit match's report, computed once for page, figures and terminal.

All amounts are the first player's; the second player's are their negative.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from statistics import NormalDist
from typing import TYPE_CHECKING

import polars as pl

from railbird._arguments import checked
from railbird.assessment import Estimator, EstimatorKind, Scoring
from railbird.assessment.limit_rows import Deals
from railbird.estimates import Estimate, Moments, hands_to_tell
from railbird.estimates.estimate import DIFFERENCE, FEWEST, ResultUnit
from railbird.report import number_format
from railbird.report import running_sums as sums
from railbird.report.headline import (
    LUCK_OUT,
    TWO_WAYS,
    is_for_players,
    method_words,
    no_verdict,
    plain_title,
    rake_of_match,
)
from railbird.report.running_sums import STREETS, Curves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from railbird.assessment import MatchAssessment


# Verdict on a match in words: two estimates become one sentence and the reasons for it.
#
# The rules are few and strict. A difference counts only where its 95 % interval excludes zero; an
# interval that includes zero never means "no difference" but "not decided", with the bound that it
# does give. How many hands a stated difference takes does not depend on the one that was seen. All
# numbers are the first player's.


class Finding(Enum):
    """Cases of the two estimates."""

    NO_HANDS = "no hand to judge"
    TOO_FEW = "too few hands for any interval"
    WITHHELD = "hands are missing or doubled"
    HIDDEN = "cards not shown, so that all but the money is of a selected sample"
    SAME_PLAY = "both played alike, so all of it is luck"
    BOTH = "money and skill decided, for the same player"
    SKILL = "skill decided for the winner, money undecided"
    UNLUCKY = "skill decided for the player who did not win the money, money undecided"
    CONTRADICTION = "money and skill decided for different players"
    MONEY_ONLY = "money decided, skill not"
    NEITHER = "neither decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchVerdict:
    """A finding with its sentence and the sentences that support it."""

    finding: Finding
    headline: str
    reasons: tuple[str, ...]


def find(
    money: Estimate,
    skill: Estimate,
    *,
    hidden: int = 0,
    same_play: bool = False,
    withheld: bool = False,
) -> Finding:
    """Name the case that two estimates of the same player and the same hands are in."""
    if money.n == 0:
        return Finding.NO_HANDS
    if money.n < FEWEST:
        return Finding.TOO_FEW
    if withheld:
        return Finding.WITHHELD
    if hidden:
        return Finding.HIDDEN
    if same_play:
        return Finding.SAME_PLAY
    agree = (money.value > 0) == (skill.value > 0) and money.value != 0
    match money.excludes_zero, skill.excludes_zero:
        case True, True:
            return Finding.BOTH if agree else Finding.CONTRADICTION
        case False, True:
            return Finding.SKILL if agree else Finding.UNLUCKY
        case True, False:
            return Finding.MONEY_ONLY
        case _:
            return Finding.NEITHER


def verdict(
    players: tuple[str, str],
    money: Estimate,
    skill: Estimate,
    *,
    hands: int,
    hidden: int = 0,
    raked: tuple[float, float] = (0.0, 0.0),
    same_play: bool = False,
    withheld: str | None = None,
    condition: str = "",
    checks: str = "",
) -> MatchVerdict:
    """Judge a match.

    ``money`` and ``skill`` (the estimate that decides) are per-hand estimates for ``players[0]``
    over the same ``hands``; the other player's are their negatives. Their ``n`` is the number of
    deals, fewer than the hands where deals were played from both sides. ``hidden`` is the number of
    hands whose cards are not known because of how they ended: with any there is no verdict on
    skill.
    ``raked`` is what the house took of each player's winnings in all; the money is net of it.
    ``same_play`` says that all bets of both were worth the same. ``withheld`` says why there is no
    verdict, ``condition`` follows one that holds on a condition (`Integrity.condition`), and
    ``checks`` are the tests of whether the log is complete.
    """
    finding = find(money, skill, hidden=hidden, same_play=same_play, withheld=withheld is not None)
    if finding is Finding.NO_HANDS:
        return MatchVerdict(finding=finding, headline="No hand could be judged.", reasons=())
    first, second = (number_format.display_name(name) for name in players)
    case = _Case(
        first=first,
        second=second,
        money=money,
        skill=skill,
        hands=hands,
        hidden=hidden,
        raked=raked,
        condition=condition,
    )
    check_reasons = [checks] if checks else []
    if withheld is not None and finding is Finding.WITHHELD:
        return MatchVerdict(
            finding=finding, headline=no_verdict(withheld), reasons=tuple(check_reasons)
        )
    return MatchVerdict(
        finding=finding,
        headline=case.headline(finding),
        reasons=(*case.reasons(finding), *check_reasons),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """Two estimates from the first player's side, in words."""

    first: str
    second: str
    money: Estimate
    skill: Estimate
    hands: int
    hidden: int
    raked: tuple[float, float]
    condition: str

    @property
    def unit(self) -> str:
        return ResultUnit(self.money.unit).words

    @property
    def better(self) -> str:
        """The player ahead by the estimate that decides."""
        return self.first if self.skill.value >= 0 else self.second

    def headline(self, finding: Finding) -> str:
        won, better, skill = self._won(), self.better, self._skill()
        match finding:
            case Finding.TOO_FEW:
                return f"{self._result()}, far too few to tell skill from luck."
            case Finding.HIDDEN:
                return (
                    f"No verdict on skill: the cards of {self.hidden:,} of {self.hands:,} hands "
                    f"were not shown, and those that were are not a representative sample. {won}."
                )
            case Finding.SAME_PLAY:
                return f"{won}, all of it luck: the bets of both were worth the same throughout."
            case Finding.BOTH:
                return f"{won}, and it was skill: {better} played better, {skill}."
            case Finding.SKILL:
                return f"{won}; the money alone could be luck, but {better} played better, {skill}."
            case Finding.UNLUCKY:
                return f"{won}, but {better} played better, {skill}."
            case Finding.CONTRADICTION:
                return f"{won}, yet {better} played better, {skill}; {self._doubt()}."
            case Finding.MONEY_ONLY:
                return (
                    f"{won}, more than luck readily explains, but nothing else confirms that it "
                    f"was skill: {skill}."
                )
            case _:
                chance = "" if self.money.value == 0 else ", which luck alone could explain"
                return f"{won}{chance}; the data do not show who is better: {skill}."

    def reasons(self, finding: Finding) -> list[str]:
        result = f"{self._result()}."
        by_money, by_skill = (self.money, "hands by the money"), (self.skill, f"hands {LUCK_OUT}")
        match finding:
            case Finding.TOO_FEW:
                return []
            case Finding.HIDDEN:
                return [
                    result,
                    self._selection(),
                    *self._chances(self.money),
                    *self._needed(by_money),
                ]
            case Finding.SAME_PLAY:
                return [result]
        # A bound says something only of an estimate that has an interval and does not decide.
        bounded = self.skill.enough and not self.skill.excludes_zero
        bound = [self._bound()] if bounded else []
        chances = self._chances(self.money, self.skill)
        return [result, self._luck(), *chances, *bound, *self._needed(by_skill, by_money)]

    def _won(self) -> str:
        if self.money.value == 0:
            return f"{self.first} and {self.second} finished level"
        decimals = number_format.decimals_for(self.money.stderr)
        value = number_format.number(self.money.value, decimals)
        verb = "won" if self.money.value > 0 else "lost:"
        interval = number_format.interval_of(self.money, decimals)
        return (
            f"{self.first} {verb} {value} {self.unit} a hand (95{number_format.THIN}% interval "
            f"{interval})"
        )

    def _skill(self) -> str:
        decimals = number_format.decimals_for(self.skill.stderr)
        value = number_format.signed(self.skill.value, decimals)
        whose = "" if self.better == self.first else f" for {self.first}"
        condition = self.condition if self.skill.excludes_zero else ""
        interval = number_format.interval_of(self.skill, decimals)
        return f"{value} ({interval}){whose}, {LUCK_OUT}{condition}"

    def _result(self) -> str:
        hands = number_format.counted(self.hands)
        if self.money.n < self.hands:
            hands += f", {number_format.counted(self.money.n, 'deal')}"
        if self.money.value == 0:
            return f"{self.first} and {self.second} finished level after {hands}"
        verb = "won" if self.money.value > 0 else "lost"
        amount = number_format.total(abs(self.money.value) * self.hands)
        return f"{self.first} {verb} {amount} {self.unit} in {hands}"

    def _selection(self) -> str:
        return (
            "Who loses at a showdown need not show and who folds does not, so the hands that can "
            "be scored are those that went one way."
        )

    def _luck(self) -> str:
        skill = self.skill.value * self.hands
        rake = self.raked[0]
        luck = (self.money.value - self.skill.value) * self.hands + rake
        less = f", and rake {number_format.signed_total(-rake)}" if any(self.raked) else ""
        return (
            f"For {self.first}, play was worth {number_format.signed_total(skill)}, cards and "
            f"position {number_format.signed_total(luck)}{less}."
        )

    def _chances(self, *estimates: Estimate) -> list[str]:
        chances = [
            number_format.chance(estimate.p_value) for estimate in estimates if estimate.enough
        ]
        if not chances:
            return []
        of_money, *rest = chances
        # Equal players both lose to the house, so only a player who breaks even is a fair test.
        who, again = "Between equal players", ""
        if any(self.raked):
            who, again = "For a player who breaks even after rake", " between equal players"
        more = "".join(
            f", and{again} one as large as here, {LUCK_OUT}, in {chance}" for chance in rest
        )
        return [
            f"{who} luck makes a money difference this large or larger in {of_money} of matches of "
            f"this length{more}."
        ]

    def _doubt(self) -> str:
        if any(self.raked):
            return "both are beyond chance, but only the money is after rake"
        return "both are beyond chance, so check the log before believing either"

    def _bound(self) -> str:
        bound = max(abs(self.skill.low), abs(self.skill.high))
        shown = number_format.number(bound, number_format.decimals_for(self.skill.stderr))
        return (
            f"A difference in skill, if there is one, is below {shown} {self.unit} a hand either "
            f"way (95{number_format.THIN}%)."
        )

    def _needed(self, *estimates: tuple[Estimate, str]) -> list[str]:
        """Return in words how many hands show a stated difference; the observed one has luck."""
        needs = [
            f"{number_format.about(hands)} {by}"
            for estimate, by in estimates
            if estimate.enough and (hands := hands_needed(estimate, self.hands)) is not None
        ]
        if not needs:
            return []
        return [
            f"To tell a difference of {DIFFERENCE:g} {self.unit} a hand from none in four matches "
            f"of five takes about {', '.join(needs)}; half the difference takes four times as many "
            "hands."
        ]


def hands_needed(estimate: Estimate, hands: int) -> int | None:
    """Return how many hands like these ``hands`` tell `DIFFERENCE` from none; None if unknown.

    The values of the estimate are hands, or deals of several.
    """
    values = hands_to_tell(DIFFERENCE, estimate.stderr * math.sqrt(estimate.n))
    # `hands_to_tell` counts independent values, which are deals where each was played twice; what a
    # reader counts is hands.
    return None if not values else math.ceil(hands / estimate.n * max(values, FEWEST))


_ENDINGS = {
    "showdown": "by showdown",
    "fold": "by a fold",
    "unknown cards": "with cards not shown",
    "masked cards": "with cards missing",
}


class RowKind(Enum):
    """Kind of quantity that a row shows: what its estimator measures, or nothing at all."""

    UNBIASED = EstimatorKind.UNBIASED.value
    BIASED = EstimatorKind.BIASED.value
    LUCK = EstimatorKind.LUCK.value
    PLAY = EstimatorKind.PLAY.value
    SELECTED = "selected"
    """It averages the hands whose cards were shown, and so estimates nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorRow:
    """One estimator over a match."""

    name: str
    label: str
    """What the estimator does, in a player's words if there are any."""
    kind: RowKind
    meaning: str
    assumes: str
    estimate: Estimate
    hands: int
    """Number of hands that have this score."""
    hand_sd: float
    """Standard deviation of one hand."""
    title: str = ""
    """What researchers call it."""
    reduction: float | None = None
    """Variance of the money divided by this estimator's; None if it is meaningless."""

    @property
    def decimals(self) -> int:
        """Number of decimals that the standard error justifies."""
        return number_format.decimals_for(self.estimate.stderr)

    @property
    def withheld(self) -> bool:
        """True if tables have a dash, since it estimates nothing."""
        return self.kind is RowKind.SELECTED

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
        """Number of hands that tell `DIFFERENCE` from none (`hands_needed`)."""
        if self.kind is not RowKind.UNBIASED or not self.estimate.enough:
            return None
        return hands_needed(self.estimate, self.hands)

    @property
    def shown_needed(self) -> str:
        """That number, rounded; a dash if there is none."""
        return (
            number_format.number(None, 0) if not self.needed else number_format.about(self.needed)
        )


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
    verdict: MatchVerdict
    decides: str
    """Name of the estimator that decides; the fitted one where cards are not known."""
    method: str
    """What decides, why, and how; empty where there is no verdict on skill."""
    luck: Estimate | None = None
    """Luck of the first player a hand: the money before rake less position and the estimate that
    decides. None where cards are not known, or too few hands had any."""

    @property
    def luckier_than(self) -> float | None:
        """Share of equally long matches between equal players in which there is less luck.

        Luck has mean zero, and in a long match nearly a normal distribution.
        """
        if self.luck is None:
            return None
        return NormalDist().cdf(self.luck.value / self.luck.stderr)

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
        """The estimate that decides if all cards are known."""
        return self.row(self.decides)

    @property
    def comparable(self) -> tuple[EstimatorRow, ...]:
        """Rows that aim at the expected result of a hand."""
        return tuple(row for row in self.rows if row.kind in (RowKind.UNBIASED, RowKind.BIASED))

    @property
    def usual(self) -> tuple[EstimatorRow, ...]:
        """Rows of the first tables: all but those for researchers, and the one that decides."""
        return tuple(
            row for row in self.rows if is_for_players(row.name) or row.name == self.decides
        )

    @property
    def of_one(self) -> str:
        """Unit of a standard deviation: a hand, or a deal that was played twice."""
        return _of_one(self.money)

    @property
    def of_shown(self) -> str:
        """Addition to the title of a table whose scores need cards, if some are missing."""
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

    def row(self, name: str) -> EstimatorRow:
        """Look up an estimator."""
        return next(row for row in self.rows if row.name == name)


@checked
def summarise_match(assessment: MatchAssessment, *, points: int = sums.POINTS) -> MatchSummary:
    """Summarise an assessment for a report.

    ``points`` is the most that a line of a figure may have.
    """
    first, second = assessment.players
    scores, unit = assessment.scores, assessment.unit
    estimates, hidden = assessment.estimates[first], assessment.hidden
    raked = (assessment.form.raked[first], assessment.form.raked[second])
    rows = [_row(estimator, assessment, first) for estimator in assessment.estimators]
    decides = "fitted" if hidden else assessment.decides.name
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
        kinds={kind: count for kind, count in assessment.form.kinds.items() if count},
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
            withheld=assessment.withheld(first, display=number_format.display_name),
            condition=assessment.integrity.condition(first),
            checks=assessment.integrity.words(first, display=number_format.display_name),
        ),
        decides=decides,
        method="" if hidden else _method(assessment, rows),
        luck=None if hidden else _luck(scores, decides),
    )


def _luck(scores: pl.DataFrame, decides: str) -> Estimate | None:
    """Estimate the luck of a hand by deals, from the hands whose cards are known."""
    known = scores.filter(pl.col("position").is_not_null())
    luck = known["money"] + known["rake"] - known["position"] - known[decides]
    estimate = Deals.of(known["pair"]).estimate(luck)
    return estimate if estimate.enough and estimate.stderr > 0 else None


def _method(assessment: MatchAssessment, rows: Sequence[EstimatorRow]) -> str:
    deciding = next(row for row in rows if row.name == assessment.decides.name)
    words = method_words(assessment, reduction=deciding.reduction, of=_of_one(deciding))
    if deciding.name != "fitted":
        return words
    return f"{words} Luck is taken out by betting rounds; `railbird report` {TWO_WAYS}."


def _of_one(row: EstimatorRow) -> str:
    """Name what counts as one value: a hand, or a deal that was played twice."""
    return "hand" if row.estimate.n == row.hands else "deal"


def _row(known: Estimator, assessment: MatchAssessment, player: str) -> EstimatorRow:
    name, estimates = known.name, assessment.estimates[player]
    kind, estimate = RowKind(known.kind.value), estimates[name]
    if name in assessment.selected:
        kind = RowKind.SELECTED
    reduction = None
    if kind is RowKind.UNBIASED and name != "money" and 0 < estimate.stderr < math.inf:
        # `Assessment.variance_reduction` is of hands. This is of deals, as the intervals are; where
        # cards are missing, the money has more of them.
        money = estimates["money"]
        reduction = (money.stderr / estimate.stderr) ** 2 * money.n / estimate.n
    return EstimatorRow(
        name=name,
        label=plain_title(known),
        kind=kind,
        meaning=known.meaning,
        assumes=known.assumes,
        title=known.title,
        estimate=estimate,
        hands=known.values(assessment.scores, Scoring()).count(),
        hand_sd=assessment.form.sd[player][name],
        reduction=reduction,
    )


def _round(street: str, assessment: MatchAssessment, player: str) -> EstimatorRow:
    return EstimatorRow(
        name=street,
        label=street.capitalize(),
        kind=RowKind.SELECTED if assessment.hidden else RowKind.UNBIASED,
        meaning=f"decisions alone on the {street}",
        assumes="",
        estimate=assessment.form.rounds[player][street],
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
    # Of hands with cards unknown only the money is known, so they are a part of their own and their
    # rake is in it.
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


def _pairs(assessment: MatchAssessment, decides: str, points: int) -> Pairs | None:
    scores = assessment.scores
    means = sums.pair_means(scores, decides)
    if means is None:
        return None
    money, skill, decisive = (
        replace(
            _row(estimator, assessment, assessment.players[0]),
            estimate=Moments.of(means[estimator.name]).estimate(assessment.unit),
            hands=2 * means.height,
            hand_sd=Moments.of(scores[estimator.name]).sd,
            reduction=None,
        )
        for estimator in assessment.estimators
        if estimator.name in ("money", "divat", decides)
    )
    return Pairs(
        count=means.height,
        money=money,
        skill=skill,
        decisive=decisive,
        curves=sums.thinned(means.drop("pair"), points=points),
    )
