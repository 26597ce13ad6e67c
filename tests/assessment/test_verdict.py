"""Verdicts on results: decided or not, on which condition, and turned by which refused hands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from railbird.assessment.integrity import Integrity, luck_check
from railbird.assessment.verdict import RefusedMoney, RefusedTally, ResultVerdict
from railbird.estimates.distributions import student_t
from railbird.estimates.estimate import LEVEL, Estimate, Moments
from railbird.histories import Skipped, SkipReason
from railbird.histories.record import RefusedHand

PIECES, HANDS = 150, 1_000


def verdict_of(money: npt.NDArray[np.float64], **more: object) -> ResultVerdict:
    mean = Moments.of(money).estimate("bb")
    return ResultVerdict(result=mean, values=money, money=money, **more)  # type: ignore[arg-type]


def pieces() -> Iterator[npt.NDArray[np.float64]]:
    """Results of equal players: many small pots, few that cost a stack of a hundred blinds."""
    rng = np.random.default_rng(5)
    for _ in range(PIECES):
        size = np.minimum(100, np.exp(rng.normal(0, 1.6, HANDS)))
        yield np.where(rng.random(HANDS) < 0.5, size, -size)


def without(money: npt.NDArray[np.float64], lost: int) -> npt.NDArray[np.float64]:
    """The hands in their order, but for the ``lost`` worst."""
    return money[np.sort(np.argsort(money)[lost:])]


@pytest.mark.parametrize("lost", [0, 10, 20])
def test_equal_players_without_their_worst_hands_have_no_verdict_without_a_condition(
    lost: int,
) -> None:
    found = [verdict_of(without(money, lost)) for money in pieces()]
    unconditional = np.mean([one.decided and not one.if_whole for one in found])
    assert unconditional <= 0.05
    if lost == 20:
        assert np.mean([one.decided for one in found]) > 0.8


def test_winners_of_five_standard_errors_keep_theirs() -> None:
    kept = []
    for money in pieces():
        mean = Moments.of(money).estimate()
        found = verdict_of(money - mean.value + 5 * mean.stderr)
        assert found.decided
        kept.append(not found.if_whole)
    assert np.mean(kept) >= 0.95


def test_the_hands_that_undo_it_are_as_many_as_are_needed() -> None:
    money = np.concatenate([np.tile([1.0, -0.9], 300), np.full(10, 8.0)])
    found = verdict_of(money)
    count = found.undone_by
    assert found.decided
    assert count is not None
    assert 1 < count < 10
    # With so many hands of minus eight the sum is within 1.645 standard errors of zero.
    assert isinstance(found.result, Estimate)
    beyond = money.sum() - 1.6473 * found.result.stderr * len(money)
    assert beyond - 8 * count <= 0 < beyond - 8 * (count - 1)
    assert verdict_of(-money).undone_by == count


def test_consecutive_numbers_leave_no_condition() -> None:
    found = verdict_of(np.concatenate([np.tile([1.0, -0.9], 300), np.full(10, 8.0)]))
    assert found.if_whole
    assert not replace(found, numbered=True).if_whole


def test_refused_hands_are_added_up_and_may_turn_a_verdict() -> None:
    refused, nothing = RefusedTally(), Skipped(SkipReason.CUT, 9, "")
    won = RefusedHand(won={"Ann": -100.0, "Bob": 96.0})
    lost = Skipped(SkipReason.ANOTHER_GAME, 1, "", hand=won)
    assert refused.new([lost, lost, nothing]) == [lost, lost, nothing], "they have no number"
    assert refused == {
        "Ann": RefusedMoney(2, -200.0, 20_000.0),
        "Bob": RefusedMoney(2, 192.0, 18_432.0),
    }
    numbered = replace(lost, hand=won._replace(number="7"))
    assert RefusedTally({"Dan": "Ann"}).new([numbered, nothing, numbered]) == [numbered, nothing]
    money = np.tile([1.0, -0.5], 300)
    for name, turned in (("Ann", True), ("Bob", False), ("Cy", False)):
        integrity = Integrity(refused=refused).judging(
            {name: (Moments.of(money).estimate("bb"), money, money)}
        )
        assert (integrity.withheld(name) is not None) == turned
        assert (integrity.decided(name) is None) == turned
    assert "Bob won 192.0 bb by their text, +32.0 bb for each" in Integrity(
        refused=refused
    ).judging({"Bob": (Moments.of(money).estimate("bb"), money, money)}).words("Bob")


def test_a_refused_hand_counts_for_the_spread_as_well_as_for_the_mean() -> None:
    """A hundred blinds lost leave a mean of 40 in a hundred, which its spread makes nothing of."""
    money = np.concatenate([np.full(240, 1.5), np.full(160, -0.6)])
    verdict = replace(verdict_of(money), refused=RefusedMoney(1, -100.0, 10_000.0))
    with_it = Moments.of(np.append(money, -100.0)).estimate("bb")
    assert verdict.decided
    assert with_it.value > 0.4
    assert verdict.turned
    small = replace(verdict, refused=RefusedMoney(20, -100.0, 500.0))
    assert not small.turned, "as much in twenty hands is no outlier"


@pytest.mark.parametrize("sign", [1, -1])
def test_refused_hands_turn_a_verdict_where_one_test_of_all_hands_would(sign: int) -> None:
    rng = np.random.default_rng(5)
    turned = []
    for _ in range(300):
        money, refused = sign * rng.normal(0.25, 1, 100), rng.normal(0, 6, 3)
        verdict = replace(
            verdict_of(money),
            refused=RefusedMoney(3, float(refused.sum()), float(np.square(refused).sum())),
        )
        if verdict.decided:
            every = Moments.of(np.append(money, refused)).estimate("bb")
            fails = sign * every.value <= student_t(LEVEL, 99) * every.stderr
            turned.append((verdict.turned, fails))
    assert {got for got, _ in turned} == {True, False}
    assert np.mean([got == fails for got, fails in turned]) > 0.98


def test_the_condition_and_the_power_of_the_check_are_said() -> None:
    money = without(next(pieces()), 20)
    check = luck_check(
        pl.DataFrame({"deal": np.random.default_rng(1).normal(0, 1, len(money))}),
        money=money,
    )
    assert check.power < 0.05
    integrity = Integrity(luck={"Ann": check}).judging(
        {"Ann": (Moments.of(money).estimate("bb"), money, money)}
    )
    assert integrity.condition("Ann") == ", if the log is whole"
    said = integrity.words("Ann")
    assert "Luck could explain the result if the " in said
    assert " worst hands of Ann (" in said
    assert "the cards would give it away in 0 % of such logs." in said
    told = integrity.as_json("Ann")["verdicts"]["Ann"]
    assert told["only_if_whole"]
    assert told["undone_by_hands"] <= 0.02 * len(money)


def test_luck_that_the_worst_hands_lacked_gives_missing_ones_away() -> None:
    money = np.concatenate([np.random.default_rng(2).normal(0, 1, 980), np.full(20, -30.0)])
    luck = np.random.default_rng(3).normal(0, 1, 1_000)
    unlucky = pl.DataFrame({"river": np.where(money < -20, luck - 12, luck)})
    assert luck_check(unlucky, money=money).power > 0.8
    assert luck_check(pl.DataFrame({"river": luck}), money=money).power < 0.01
    best = pl.DataFrame({"river": np.where(money > 2, luck + 12, luck)})
    assert luck_check(best, money=money).power < 0.01
    assert math.isnan(luck_check(best).power)
