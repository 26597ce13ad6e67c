"""What a match says, in words: from two estimates to one sentence and the reasons for it.

The rules are few and strict. A difference is called one only where its 95 % interval excludes
zero; an interval that includes zero is never "no difference" but "not decided", with the bound
that it does give and the hands that would decide it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from railbird.estimates import Estimate, hands_to_decide
from railbird.report.toolkit import number_format

FEWEST_HANDS = 30
"""Below this a normal interval of one hand's heavy-tailed result means nothing."""


class Finding(Enum):
    """The cases that the two estimates can be in."""

    NO_HANDS = "no hand to judge"
    TOO_FEW = "too few hands for any interval"
    SAME_PLAY = "both played alike, so all of it is luck"
    BOTH = "money and skill decided, for the same player"
    SKILL = "skill decided for the winner, money undecided"
    UNLUCKY = "skill decided for the one who did not win the money, money undecided"
    CONTRADICTION = "money and skill decided for different players"
    MONEY_ONLY = "money decided, skill not"
    NEITHER = "neither decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A finding with its sentence and the sentences that support it."""

    finding: Finding
    headline: str
    reasons: tuple[str, ...]


def excludes_zero(estimate: Estimate) -> bool:
    """Tell whether the 95 % interval lies on one side of zero."""
    return estimate.low > 0 or estimate.high < 0


def chance_if_equal(estimate: Estimate) -> float:
    """Two-sided p-value: how often equal players would come this far from zero or farther."""
    if not estimate.stderr > 0:
        return 1.0 if estimate.value == 0 else 0.0
    return math.erfc(abs(estimate.value) / estimate.stderr / math.sqrt(2))


def find(money: Estimate, skill: Estimate) -> Finding:
    """Name the case that two estimates of the same player and the same hands are in."""
    if money.n == 0:
        return Finding.NO_HANDS
    if money.n < FEWEST_HANDS:
        return Finding.TOO_FEW
    if skill.value == 0 and skill.stderr == 0:
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
    players: tuple[str, str], money: Estimate, skill: Estimate, *, each: int = 1
) -> Verdict:
    """Judge a match.

    ``money`` and ``skill`` (the DIVAT difference) are per-hand estimates for ``players[0]`` over
    the same hands; the other player's are their negatives. ``each`` of their ``n`` values is the
    mean of that many hands: 2 where duplicate pairs are judged.
    """
    finding = find(money, skill)
    if finding is Finding.NO_HANDS:
        return Verdict(finding=finding, headline="No hand could be judged.", reasons=())
    case = _Case.of(players, money, skill, each)
    return Verdict(
        finding=finding,
        headline=case.headline(finding),
        reasons=tuple(case.reasons(finding)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """The two estimates seen from the side of the one who won the money."""

    winner: str
    loser: str
    better: str
    """Who is ahead by DIVAT."""
    money: Estimate
    skill: Estimate
    each: int

    @classmethod
    def of(cls, players: tuple[str, str], money: Estimate, skill: Estimate, each: int) -> _Case:
        winner, loser = (number_format.display_name(name) for name in players)
        if (money.value or skill.value) < 0:
            winner, loser, money, skill = loser, winner, -money, -skill
        better = winner if skill.value >= 0 else loser
        return cls(winner=winner, loser=loser, better=better, money=money, skill=skill, each=each)

    @property
    def hands(self) -> int:
        return self.each * self.money.n

    @property
    def unit(self) -> str:
        return number_format.UNIT_WORDS.get(self.money.unit, self.money.unit)

    def headline(self, finding: Finding) -> str:
        won, better = self._won(), self.better
        skill = f"{self._quoted(self.skill)} for {self.winner}"
        credit = self._quoted(self.skill if better == self.winner else -self.skill)
        match finding:
            case Finding.TOO_FEW:
                return f"{self._result()}, far too few to tell skill from luck."
            case Finding.SAME_PLAY:
                return f"{won}, all of it luck: the bets of both were worth the same throughout."
            case Finding.BOTH:
                return f"{won}, and it was skill: DIVAT credits {better} with {credit}."
            case Finding.SKILL:
                return (
                    f"{won}; the money alone could be luck, but by DIVAT {better} played better, "
                    f"by {credit}."
                )
            case Finding.UNLUCKY:
                return f"{won}, but {better} played better: DIVAT credits {better} with {credit}."
            case Finding.CONTRADICTION:
                return (
                    f"{won}, yet DIVAT credits {better} with {credit}; both are beyond chance, so "
                    "check the log before believing either."
                )
            case Finding.MONEY_ONLY:
                return (
                    f"{won}, more than luck readily explains, but DIVAT does not confirm that it "
                    f"was skill: {skill}."
                )
            case _:
                chance = "" if self.money.value == 0 else ", which luck alone could explain"
                return f"{won}{chance}, and DIVAT does not tell the two apart either: {skill}."

    def reasons(self, finding: Finding) -> list[str]:
        if finding is Finding.TOO_FEW:
            return []
        if finding is Finding.SAME_PLAY:
            return [f"{self._result()}."]
        bound = [] if excludes_zero(self.skill) else [self._bound()]
        return [f"{self._result()}.", self._luck(), self._chances(), *bound, self._hands()]

    def _won(self) -> str:
        if self.money.value == 0:
            return f"{self.winner} and {self.loser} finished level"
        decimals = number_format.decimals_for(self.money.stderr)
        won = number_format.number(self.money.value, decimals)
        return (
            f"{self.winner} won {won} {self.unit} a hand "
            f"(95{number_format.THIN}% interval "
            f"{number_format.interval(self.money.low, self.money.high, decimals)})"
        )

    def _quoted(self, estimate: Estimate) -> str:
        decimals = number_format.decimals_for(estimate.stderr)
        value = number_format.number(estimate.value, decimals)
        return f"{value} ({number_format.interval(estimate.low, estimate.high, decimals)})"

    def _result(self) -> str:
        hands = number_format.counted(self.hands)
        if self.each == 2:
            hands += f", {self.money.n:,} deals played from both sides"
        if self.money.value == 0:
            return f"{self.winner} and {self.loser} finished level after {hands}"
        amount = number_format.total(self.money.value * self.hands)
        return f"{self.winner} won {amount} {self.unit} in {hands}"

    def _luck(self) -> str:
        skill = abs(self.skill.value) * self.hands
        luck = (self.money.value - self.skill.value) * self.hands
        favoured = self.winner if luck >= 0 else self.loser
        return (
            f"By DIVAT, playing better was worth {number_format.total(skill)} to {self.better}; "
            f"cards and position gave {number_format.total(abs(luck))} to {favoured}."
        )

    def _chances(self) -> str:
        money, skill = (number_format.chance(chance_if_equal(e)) for e in (self.money, self.skill))
        return (
            "Between equal players luck makes a money difference this large or larger in "
            f"{money} of matches of this length, and a DIVAT difference in {skill}."
        )

    def _bound(self) -> str:
        bound = max(abs(self.skill.low), abs(self.skill.high))
        shown = number_format.number(bound, number_format.decimals_for(self.skill.stderr))
        return (
            f"A difference in skill, if there is one, is below {shown} {self.unit} a hand either "
            f"way (95{number_format.THIN}%)."
        )

    def _hands(self) -> str:
        money, skill = (self._decides(e) for e in (self.money, self.skill))
        return f"At the rates seen DIVAT decides {skill}, the money {money}."

    def _decides(self, estimate: Estimate) -> str:
        needed = hands_to_decide(estimate.value, estimate.stderr * math.sqrt(estimate.n))
        if needed is None:
            return "never"
        hands = self.each * needed
        if hands < FEWEST_HANDS:
            return f"within the first {FEWEST_HANDS} hands"
        if hands <= self.hands:
            return f"after about {number_format.about(hands)} hands"
        return f"with about {number_format.about(hands - self.hands)} more hands"
