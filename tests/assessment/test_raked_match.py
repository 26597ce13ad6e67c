"""Rake in an assessed match: the money is net of it, and every hand still adds up."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest

from railbird.arena import Match, hands
from railbird.assessment import Assessment, assess
from railbird.assessment.crosstable import crosstable
from railbird.assessment.decision_divat.estimators import LUCK
from railbird.assessment.decision_divat.match import assess_batches
from railbird.game import HEADS_UP_LIMIT, parse_rake
from railbird.histories import HandRecord
from railbird.histories.columns import batches_of
from railbird.report import summarise_match
from railbird.report.several_players.headline import headline

PLAYERS = ("always-call", "random")


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    rules = replace(HEADS_UP_LIMIT, rake=parse_rake("5%,cap=3"))
    return list(hands(Match(players=PLAYERS, rules=rules, deals=300, seed=3)))


@pytest.fixture(scope="module")
def found(records: list[HandRecord]) -> Assessment:
    return assess(records, player=PLAYERS[0])


def paid(records: list[HandRecord], player: str) -> float:
    """Sum up the payoffs of the log, in small bets."""
    won = sum(hand.payoffs[hand.players.index(player)] for hand in records)
    return float(Fraction(won) / 10)


def test_money_is_what_the_log_pays(records: list[HandRecord], found: Assessment) -> None:
    for player in PLAYERS:
        money = found.estimates[player]["money"]
        assert money.value * money.n == pytest.approx(paid(records, player))
    house = float(sum(hand.rake for hand in records) / 10)
    assert house > 10
    assert sum(found.raked.values()) == pytest.approx(house)
    assert found.as_json()["raked_sb"] == pytest.approx(house)


def test_money_and_rake_are_position_luck_and_decisions(found: Assessment) -> None:
    luck = [f"luck_{street}" for street in ("preflop", "flop", "turn", "river")]
    rest = found.scores.select(
        pl.col("money")
        + pl.col("rake")
        - pl.col("divat")
        - pl.col("position")
        - pl.sum_horizontal(luck)
    )
    assert rest.to_series().abs().max() == pytest.approx(0, abs=1e-9)
    assert (found.scores["rake"] > 0).any()
    assert (found.scores["other_rake"] > 0).any()


def test_baseline_money_is_taken_from_both_players_money(found: Assessment) -> None:
    first, second = (found.estimates[player] for player in PLAYERS)
    for each, dcash in ((first, first["dcash"].value), (second, -first["dcash"].value)):
        assert each["money_minus_dcash"].value == pytest.approx(each["money"].value - dcash)


def test_the_crosstable_charges_both(found: Assessment) -> None:
    table = crosstable([found])
    for player in PLAYERS:
        assert table.totals[player]["money"].value == pytest.approx(
            found.estimates[player]["money"].value
        )


def test_the_report_says_what_the_house_took(found: Assessment) -> None:
    facts = summarise_match(found)
    assert facts.house.startswith(f"The house took {sum(found.raked.values()):.1f} sb, ")
    assert "money is net of it, fitted, DIVAT and luck are before rake" in facts.house
    assert sum(part.total for part in facts.parts) == pytest.approx(found.scores["money"].sum())
    assert "after rake luck makes a money difference" in " ".join(facts.verdict.reasons)


def test_without_rake_nothing_is_said() -> None:
    free = list(hands(Match(players=PLAYERS, rules=HEADS_UP_LIMIT, deals=50, seed=3)))
    found = assess(free)
    assert found.raked == dict.fromkeys(found.players, 0.0)
    assert not summarise_match(found).house


@pytest.mark.parametrize("stated", [True, False])
def test_a_table_says_what_the_house_took(records: list[HandRecord], *, stated: bool) -> None:
    """By a stated rule every value is net; else rake is a summand of its own."""
    logged = records if stated else [replace(hand, rules=HEADS_UP_LIMIT) for hand in records]
    table = assess_batches(batches_of(logged), boards=4)
    house = float(sum(hand.rake for hand in records) / 10)
    assert table.raked == table.as_json()["raked_sb"] == pytest.approx(house)
    rest = table.scores.select(
        pl.col("money") + pl.col("rake") - pl.col("position") - pl.sum_horizontal(LUCK)
        - pl.col("own") - pl.col("others")
    )  # fmt: skip
    assert rest.to_series().abs().max() == pytest.approx(0, abs=1e-9)
    assert table.scores["rake"].sum() == pytest.approx(0 if stated else house, abs=1e-9)
    said = headline(table)
    assert f"The house took {house:.1f} sb" in said
    assert ("every figure is net of it" in said) is stated
    assert ("luck and decisions before rake" in said) is not stated
