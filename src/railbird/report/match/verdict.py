"""Verdict on a match in words: two estimates become one sentence and the reasons for it.

The rules are few and strict. A difference counts only where its 95 % interval excludes zero; an
interval that includes zero never means "no difference" but "not decided", with the bound that it
does give and the number of hands that would decide it. All numbers are the first player's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from railbird.estimates import Estimate, hands_to_decide
from railbird.estimates.confidence_sequences import AnytimeInterval
from railbird.estimates.result_units import ResultUnit
from railbird.estimates.settings import FEWEST, FIRST_LOOK
from railbird.report.toolkit import number_format


class Finding(Enum):
    """Cases of the two estimates."""

    NO_HANDS = "no hand to judge"
    TOO_FEW = "too few hands for any interval"
    HIDDEN = "cards not shown, so that all but the money is of a selected sample"
    SAME_PLAY = "both played alike, so all of it is luck"
    BOTH = "money and skill decided, for the same player"
    SKILL = "skill decided for the winner, money undecided"
    UNLUCKY = "skill decided for the player who did not win the money, money undecided"
    CONTRADICTION = "money and skill decided for different players"
    MONEY_ONLY = "money decided, skill not"
    NEITHER = "neither decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A finding with its sentence and the sentences that support it."""

    finding: Finding
    headline: str
    reasons: tuple[str, ...]


def excludes_zero(estimate: Estimate | AnytimeInterval) -> bool:
    """Return whether the 95 % interval excludes zero."""
    return estimate.low > 0 or estimate.high < 0


def find(
    money: Estimate,
    skill: Estimate | AnytimeInterval,
    *,
    hidden: int = 0,
    same_play: bool = False,
) -> Finding:
    """Name the case that two estimates of the same player and the same hands are in."""
    if money.n == 0:
        return Finding.NO_HANDS
    if money.n < FEWEST:
        return Finding.TOO_FEW
    if hidden:
        return Finding.HIDDEN
    if same_play:
        return Finding.SAME_PLAY
    agree = (money.value > 0) == (skill.value > 0) and money.value != 0
    match excludes_zero(money), excludes_zero(skill):
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
    why: str = "",
    by: str = "fitted",
    at_any_time: AnytimeInterval | None = None,
) -> Verdict:
    """Judge a match.

    ``money`` and ``skill`` (the estimate that decides) are per-hand estimates for ``players[0]``
    over the same ``hands``; the other player's are their negatives. Their ``n`` is the number of
    deals, fewer than the hands where deals were played from both sides. ``hidden`` is the number of
    hands whose cards are not known because of how they ended: with any there is no verdict on
    skill.
    ``raked`` is what the house took of each player's winnings in all; the money is net of it.
    ``same_play`` says that all bets of both were worth the same. ``why`` is the sentence that says
    what decides, and ``by`` its name in the middle of a sentence. With ``at_any_time`` that
    interval decides, not the one of ``skill``.
    """
    sure = skill if at_any_time is None else at_any_time
    finding = find(money, sure, hidden=hidden, same_play=same_play)
    if finding is Finding.NO_HANDS:
        return Verdict(finding=finding, headline="No hand could be judged.", reasons=())
    first, second = (number_format.display_name(name) for name in players)
    case = _Case(
        first=first,
        second=second,
        money=money,
        skill=skill,
        hands=hands,
        hidden=hidden,
        raked=raked,
        why=why,
        by=by,
        at_any_time=at_any_time,
    )
    return Verdict(
        finding=finding,
        headline=case.headline(finding),
        reasons=tuple(case.reasons(finding)),
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
    why: str
    by: str
    at_any_time: AnytimeInterval | None

    @property
    def sure(self) -> Estimate | AnytimeInterval:
        """The interval that decides."""
        return self.skill if self.at_any_time is None else self.at_any_time

    @property
    def the_estimate(self) -> str:
        return "the fitted estimate" if self.by == "fitted" else self.by

    @property
    def unit(self) -> str:
        return ResultUnit(self.money.unit).words

    @property
    def better(self) -> str:
        """The player ahead by the estimate that decides."""
        return self.first if self.skill.value >= 0 else self.second

    def headline(self, finding: Finding) -> str:
        won, better, skill = self._won(), self.better, self._quoted(self.sure)
        if better != self.first:
            skill += f" for {self.first}"
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
                return f"{won}, and it was skill: {better} played better, {self.by} {skill}."
            case Finding.SKILL:
                return (
                    f"{won}; the money alone could be luck, but by {self.the_estimate} {better} "
                    f"played better: {skill}."
                )
            case Finding.UNLUCKY:
                return f"{won}, but {better} played better: {self.by} {skill}."
            case Finding.CONTRADICTION:
                return f"{won}, yet {better} played better: {self.by} {skill}; {self._doubt()}."
            case Finding.MONEY_ONLY:
                return (
                    f"{won}, more than luck readily explains, but {self.the_estimate} does not "
                    f"confirm that it was skill: {skill}."
                )
            case _:
                chance = "" if self.money.value == 0 else ", which luck alone could explain"
                return f"{won}{chance}; the data do not show who is better: {self.by} {skill}."

    def reasons(self, finding: Finding) -> list[str]:
        result = f"{self._result()}."
        match finding:
            case Finding.TOO_FEW:
                return []
            case Finding.HIDDEN:
                return [result, self._selection(), *self._chances(self.money), self._money_alone()]
            case Finding.SAME_PLAY:
                return [result]
        unbounded = not self.skill.enough or math.isinf(self.sure.high)
        bound = [] if excludes_zero(self.sure) or unbounded else [self._bound()]
        # A chance in a match of this length says nothing where one may stop at any time.
        fixed = [self.skill] if isinstance(self.sure, Estimate) else []
        chances = self._chances(self.money, *fixed)
        why = [self.why] if self.why else []
        return [*why, result, self._luck(), *chances, *bound, self._both_decide()]

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

    def _quoted(self, sure: Estimate | AnytimeInterval) -> str:
        decimals = number_format.decimals_for(self.skill.stderr)
        value = number_format.signed(sure.value, decimals)
        if isinstance(sure, Estimate):
            return f"{value} ({number_format.interval_of(sure, decimals)})"
        if math.isinf(sure.high):
            missing = number_format.counted(FIRST_LOOK - sure.n, "value")
            return f"{value} (its interval, which holds at any time, begins in {missing})"
        return f"{value} ({number_format.interval(sure.low, sure.high, decimals)})"

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
            f"For {self.first}, play was worth {number_format.signed_total(skill)} by "
            f"{self.the_estimate}, cards and position {number_format.signed_total(luck)}{less}."
        )

    def _chances(self, *estimates: Estimate) -> list[str]:
        told = [
            (name, number_format.chance(estimate.p_value))
            for name, estimate in zip(("money", self.by), estimates, strict=False)
            if estimate.enough
        ]
        if not told:
            return []
        (name, chance), *rest = told
        # Equal players both lose to the house, so only a player who breaks even is a fair test.
        who, again = "Between equal players", ""
        if any(self.raked):
            who, again = "For a player who breaks even after rake", " between equal players"
        more = "".join(
            f", and{again} {_article(name)} {name} difference in {chance}" for name, chance in rest
        )
        return [
            f"{who} luck makes a {name} difference this large or larger in "
            f"{chance} of matches of this length{more}."
        ]

    def _doubt(self) -> str:
        if any(self.raked):
            return "both are beyond chance, but only the money is after rake"
        return "both are beyond chance, so check the log before believing either"

    def _bound(self) -> str:
        bound = max(abs(self.sure.low), abs(self.sure.high))
        shown = number_format.number(bound, number_format.decimals_for(self.skill.stderr))
        return (
            f"A difference in skill, if there is one, is below {shown} {self.unit} a hand either "
            f"way (95{number_format.THIN}%)."
        )

    def _money_alone(self) -> str:
        return f"At the rate seen the money decides {self._decides(self.money)}."

    def _both_decide(self) -> str:
        if not self.skill.enough or self.at_any_time is not None:
            return self._money_alone()
        money, skill = (self._decides(e) for e in (self.money, self.skill))
        return f"At the rates seen the fitted estimate decides {skill}, the money {money}."

    def _decides(self, estimate: Estimate) -> str:
        needed = hands_to_decide(estimate.value, estimate.stderr * math.sqrt(estimate.n))
        if needed is None:
            return "never"
        hands_per_value = self.hands / estimate.n
        if needed < FEWEST:
            return f"within the first {number_format.about(FEWEST * hands_per_value)} hands"
        if hands_per_value * needed <= self.hands:
            return f"after about {number_format.about(hands_per_value * needed)} hands"
        return f"with about {number_format.about(hands_per_value * needed - self.hands)} more hands"


def _article(name: str) -> str:
    return "an" if name.startswith("A") else "a"
