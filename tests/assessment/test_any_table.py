"""Matches of several players: sums that must agree, hands given twice, hidden cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from helpers.random_hands import random_cards
from railbird.arena import Match, hands
from railbird.assessment import MatchAssessment, assess, assess_table
from railbird.assessment.any_table import TableAssessment, assess_batches
from railbird.assessment.crosstable import crosstable
from railbird.assessment.divat.any_game import NO_LIMIT
from railbird.assessment.divat.any_game_estimators import CALL_LUCK, LUCK
from railbird.assessment.frozen_coefficients import frozen_for
from railbird.assessment.player_statistics import position_of
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Action,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    Phase,
    Raise,
    Rules,
    initial,
    legal,
    limit_holdem,
    no_limit_holdem,
    parse_rake,
    payoffs,
    replay,
    step,
)
from railbird.histories import HandRecord, read_hand, write
from railbird.histories.columns import batch_of, batches_of
from railbird.report import summarise_match
from railbird.report.headline import beyond_chance, headline, sum_words
from railbird.report.number_format import with_interval
from railbird.report.running_sums import running_sums_chart
from railbird.report.table_document import table_document
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies

NAMES = ("Ann", "Bob", "Cy")
THREE = no_limit_holdem(3, blinds=(10, 20), stack=1000)
CHEAP = no_limit_holdem(3, blinds=(1, 2), stack=200)


def hand(rng: np.random.Generator, number: int, rules: Rules = THREE) -> HandRecord:
    """A hand of people who fold, call and raise by chance; seats go round."""
    holes, board = random_cards(rng, rules.seats)
    state = step(initial(rules), DealHoles(holes))
    actions: list[Action] = []
    while state.phase in (Phase.BETTING, Phase.DEAL_BOARD):
        if state.phase is Phase.DEAL_BOARD:
            size = len(state.board)
            state = step(state, DealBoard(board[size : max(size + 1, 3)]))
            continue
        allowed, drawn = legal(state), rng.random()
        action: Action = Call()
        if drawn < 0.2 and allowed.fold:
            action = Fold()
        elif drawn > 0.75 and allowed.min_raise_to is not None:
            action = Raise(allowed.min_raise_to)
        actions.append(action)
        assert state.actor is not None
        state = step(state, Act(state.actor, action))
    order = np.roll(np.arange(rules.seats), number)
    return HandRecord(
        rules=rules,
        players=tuple(NAMES[seat] for seat in order),
        holes=holes,
        board=state.board,
        actions=tuple(actions),
        payoffs=payoffs(replay(rules, holes, state.board, actions)),
        number=number,
    )


def any_table_hands(count: int, rules: Rules = THREE, seed: int = 4) -> list[HandRecord]:
    rng = np.random.default_rng(seed)
    return [hand(rng, number, rules) for number in range(count)]


def assessed(records: Sequence[HandRecord], **options: int) -> TableAssessment:
    return assess_batches([(batch_of(records), ())], **{"boards": 16, **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def of_six_hundred() -> TableAssessment:
    return assessed(any_table_hands(600))


@pytest.mark.slow
def test_money_is_position_and_luck_and_decisions(of_six_hundred: TableAssessment) -> None:
    scores = of_six_hundred.scores
    luck = scores.select(pl.sum_horizontal(pl.selectors.starts_with("luck_"))).to_series()
    parts = scores["position"] + luck + scores["own"] + scores["others"]
    assert (parts - scores["money"] - scores["rake"]).abs().max() < 1e-9  # type: ignore[operator]
    assert scores["rake"].abs().max() < 1e-9  # type: ignore[operator]


def test_columns_of_the_crosstable_are_what_decisions_did(of_six_hundred: TableAssessment) -> None:
    table = of_six_hundred.form.crosstable
    for number, name in enumerate(of_six_hundred.players):
        rows = of_six_hundred.scores.filter(pl.col("player") == number)
        column = sum(table.cells[other, name].value for other in table.players)
        assert column == pytest.approx((rows["own"] + rows["others"]).mean())
        assert table.cells[name, name].value == pytest.approx(rows["own"].mean())
        streets = [table.streets[name, name, street].value for street in range(4)]  # type: ignore[index]
        assert sum(streets) == pytest.approx(table.cells[name, name].value)
    rows_sum = [sum(table.cells[one, two].value for two in NAMES) for one in NAMES]
    assert rows_sum == pytest.approx([0, 0, 0], abs=1e-9)


def test_a_chart_of_few_hands_has_no_half_hands(of_six_hundred: TableAssessment) -> None:
    (lines,) = running_sums_chart(of_six_hundred, "Ann").to_dict()["layer"]
    assert lines["encoding"]["x"]["axis"]["tickMinStep"] == 1


def test_fitted_beats_money_and_agrees_with_it(of_six_hundred: TableAssessment) -> None:
    assert of_six_hundred.headline == "fitted"
    assert of_six_hundred.variance_reduction["all"]["fitted"] > 1.5
    for name in NAMES:
        money, fitted = (of_six_hundred.estimates[name][key] for key in ("money", "fitted"))
        assert abs(money.value - fitted.value) < 4 * money.stderr


@pytest.mark.slow
def test_equal_hands_without_number_and_line_are_two() -> None:
    alike = replace(read_hand("Ts6s,Jd5d SlF # 1:Ann|Bob"), number=None, source=None)
    found = assess_batches([(batch_of([alike, alike]), ()), (batch_of([alike]), ())], boards=2)
    assert (found.hands, found.skipped) == (3, {})


@pytest.mark.slow
def test_hands_given_twice_count_once(of_six_hundred: TableAssessment) -> None:
    records = any_table_hands(600)
    twice = assess_batches([(batch_of(records), ()), (batch_of(records[:50]), ())], boards=16)
    assert (twice.skipped, twice.integrity.merged) == ({}, 50)
    assert twice.as_json()["players"] == of_six_hundred.as_json()["players"]


@pytest.mark.slow
def test_a_batch_may_be_cut_anywhere(of_six_hundred: TableAssessment) -> None:
    records = any_table_hands(600)
    cut = assess_batches([(batch_of(records[:77]), ()), (batch_of(records[77:]), ())], boards=16)
    assert cut.as_json()["players"] == of_six_hundred.as_json()["players"]
    for pair, cell in cut.form.crosstable.cells.items():
        assert cell.value == pytest.approx(of_six_hundred.form.crosstable.cells[pair].value)


def test_hidden_cards_take_the_verdict_away() -> None:
    records = any_table_hands(40)
    hidden = [
        replace(record, holes=(record.holes[0], None, record.holes[2])) for record in records[:5]
    ]
    found = assessed([*hidden, *records[5:]])
    assert (found.known, found.hidden, found.headline) == (35, 5, "money")
    assert found.estimates["Ann"]["money"].n == 40
    assert found.estimates["Ann"]["divat"].n == 35


def test_near_copies_of_the_baseline_have_too_few_decisions_to_tell() -> None:
    """Coefficients fit nothing but noise where a dozen hands alone have a decision to judge."""
    copies = [PolicyPlayer(name=name, policy=NO_LIMIT, deviation=0.002) for name in NAMES]
    found = assess_batches([(play_policies(THREE, copies, 500, seed=3), ())], boards=8)
    changed = found.scores.filter(pl.col("own") != 0)["row"].n_unique()
    assert 0 < changed < 20
    for name in NAMES:
        assert found.estimates[name]["money"].enough
        assert not any(found.estimates[name][key].enough for key in ("divat", "fitted"))
    assert headline(found).startswith("Too few hands to say who is better.")


def test_of_many_equal_players_none_is_named() -> None:
    """One of fourteen at 5 % each would be beyond chance in half of all matches."""
    rng = np.random.default_rng(8)
    named = alone = 0
    for _ in range(400):
        means = {str(k): Estimate(float(rng.normal()), 1.0, 1000) for k in range(14)}
        named += bool(beyond_chance(means))
        alone += any(mean.p_value < 0.05 for mean in means.values())
    assert alone > 150
    # 20 are expected; 36 is beyond the 99.9 % point.
    assert named < 36
    assert beyond_chance({"a": Estimate(2.0, 1.0, 1000), "b": Estimate(-2.0, 1.0, 1000)}) == {
        "a",
        "b",
    }
    equal = {str(k): Estimate(1.0, 1.0, 1000) for k in range(13)}
    assert beyond_chance(equal | {"a": Estimate(4.0, 1.0, 1000)}) == {"a"}


def test_the_crosstable_of_players_who_come_and_go_says_how_it_adds_up(
    of_six_hundred: TableAssessment,
) -> None:
    whole = "rows add up to zero, columns to what all decisions changed for the player."
    assert sum_words(of_six_hundred) == f"Over all players {whole}"
    guests = [
        replace(record, players=("Ann", "Bob", "Dee")) for record in any_table_hands(10, seed=7)
    ]
    found = assessed([*any_table_hands(20), *guests])
    over_all = "Over all players, weighted by the hands that two played together,"
    assert sum_words(found) == f"{over_all} {whole}"
    table, scores = found.form.crosstable, found.scores
    for number, name in enumerate(found.players):
        column = [table.cells[one, name] for one in found.players if (one, name) in table.cells]
        rows = scores.filter(pl.col("player") == number)
        weighted = sum(cell.value * cell.n for cell in column)
        assert weighted == pytest.approx((rows["own"] + rows["others"]).sum())


@pytest.mark.slow
def test_units_are_never_mixed() -> None:
    limit = any_table_hands(3, limit_holdem(3), seed=9)
    found = assessed([*any_table_hands(10), *limit])
    assert found.unit == "bb"
    assert found.skipped == {"not no-limit betting": 3}


@pytest.mark.slow
def test_rising_blinds_are_counted_in_their_own() -> None:
    doubled = no_limit_holdem(3, blinds=(20, 40), stack=2000)
    small, large = (
        assessed(any_table_hands(30), boards=4),
        assessed(any_table_hands(30, doubled), boards=4),
    )
    for name in NAMES:
        first, second = small.estimates[name]["money"], large.estimates[name]["money"]
        assert first.value == pytest.approx(second.value)


def test_nothing_to_assess() -> None:
    found = assess_batches([])
    assert (found.hands, found.headline, found.estimates) == (0, "money", {})


def test_positions_have_the_results_of_their_own_seats(of_six_hundred: TableAssessment) -> None:
    sections = table_document(of_six_hundred).sections
    section = next(one for one in sections if one.heading.startswith("By position"))
    assert section.table is not None
    expected = {
        position_of(seat, 3).key.replace("_", " "): with_interval(
            estimate(rows["money"].to_numpy(), unit="bb")
        )
        for (seat,), rows in of_six_hundred.scores.group_by("seat")
        if isinstance(seat, int)
    }
    assert {row[0]: row[2] for row in section.table.rows} == expected


@pytest.mark.slow
def test_forward_knows_nothing_of_later_hands() -> None:
    records = any_table_hands(700, seed=11)
    other = [*records[:-1], any_table_hands(700, seed=12)[-1]]
    one, two = (
        assess_batches([(batch_of(each), ())], boards=4, forward=True) for each in (records, other)
    )
    usual = assess_batches([(batch_of(records), ())], boards=4)
    before = pl.col("row") < 699
    mine, theirs = (each.scores.filter(before)["fitted"] for each in (one, two))
    assert np.array_equal(mine, theirs)
    assert not np.array_equal(mine, usual.scores.filter(before)["fitted"])
    # The first of fifty blocks has only what is expected before any hand to go by.
    first = one.scores.filter(pl.col("row") < 14)
    luck = first.select(*CALL_LUCK, *LUCK).to_numpy()
    mean = frozen_for(Betting.NO_LIMIT, 3).prior(first).mean
    assert first["fitted"].to_numpy() == pytest.approx(first["money"].to_numpy() - luck @ mean)


@pytest.mark.slow
def test_threads_change_nothing() -> None:
    records = any_table_hands(150, seed=13)
    one, three = (assess_batches([(batch_of(records), ())], boards=4, threads=n) for n in (1, 3))
    assert one.scores.equals(three.scores)
    with pytest.raises(BadInput, match="0 threads"):
        assess_batches([], threads=0)


@pytest.mark.slow
def test_players_of_hands_that_are_left_out_play_no_part() -> None:
    limit = any_table_hands(3, limit_holdem(3, small_bet=20))
    strangers = [replace(each, players=("Xe", "Yu", "Zoe")) for each in limit]
    found = assessed([*any_table_hands(5), *strangers])
    assert found.skipped == {"not no-limit betting": 3}
    assert found.players == NAMES
    assert set(found.estimates) == set(NAMES)


@pytest.mark.slow
def test_the_public_name_takes_what_histories_take(tmp_path: Path) -> None:
    log = tmp_path / "ring.log"
    records = any_table_hands(40, seed=5)
    write(records, log)
    expected = assess_batches([(batch_of(records), ())], boards=4)
    assert assess_table(records, boards=4).scores.equals(expected.scores)
    read = assess_table(log, boards=4)
    assert read.players == expected.players
    assert read.scores["money"].equals(expected.scores["money"])


@pytest.mark.slow
def test_a_straddle_is_said_and_changes_no_unit() -> None:
    straddled = no_limit_holdem(3, blinds=(1, 2), stack=200, straddle=4)
    rng = np.random.default_rng(8)
    hands = [hand(rng, number, straddled if number < 4 else CHEAP) for number in range(24)]
    found = assess_table(hands, boards=2)
    won = sum(one.payoffs[one.players.index("Ann")] for one in hands)
    assert found.estimates["Ann"]["money"].value == pytest.approx(float(won) / 2 / 24)
    assert found.as_json()["straddled"] == 4
    assert "4 hands had a straddle; amounts are in big blinds all the same." in headline(found)
    assert "straddle" not in headline(assess_table(hands[4:], boards=2))


# Rake in an assessed match: the money is net of it, and every hand still adds up.


PLAYERS = ("always-call", "random")


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    rules = replace(HEADS_UP_LIMIT, rake=parse_rake("5%,cap=3"))
    return list(hands(Match(players=PLAYERS, rules=rules, deals=300, seed=3)))


@pytest.fixture(scope="module")
def found(records: list[HandRecord]) -> MatchAssessment:
    return assess(records, player=PLAYERS[0])


def paid(records: list[HandRecord], player: str) -> float:
    """Sum up the payoffs of the log, in small bets."""
    won = sum(hand.payoffs[hand.players.index(player)] for hand in records)
    return float(Fraction(won) / 10)


def test_money_is_what_the_log_pays(records: list[HandRecord], found: MatchAssessment) -> None:
    for player in PLAYERS:
        money = found.estimates[player]["money"]
        assert money.value * money.n == pytest.approx(paid(records, player))
    house = float(sum(hand.rake for hand in records) / 10)
    assert house > 10
    assert sum(found.form.raked.values()) == pytest.approx(house)
    assert found.as_json()["raked_sb"] == pytest.approx(house)


def test_money_and_rake_are_position_luck_and_decisions(found: MatchAssessment) -> None:
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


def test_baseline_money_is_taken_from_both_players_money(found: MatchAssessment) -> None:
    first, second = (found.estimates[player] for player in PLAYERS)
    for each, dcash in ((first, first["dcash"].value), (second, -first["dcash"].value)):
        assert each["money_minus_dcash"].value == pytest.approx(each["money"].value - dcash)


def test_the_crosstable_charges_both(found: MatchAssessment) -> None:
    table = crosstable([found])
    for player in PLAYERS:
        assert table.totals[player]["money"].value == pytest.approx(
            found.estimates[player]["money"].value
        )


def test_the_report_says_what_the_house_took(found: MatchAssessment) -> None:
    facts = summarise_match(found)
    assert facts.house.startswith(f"The house took {sum(found.form.raked.values()):.1f} sb, ")
    assert "money is net of it, all else is before rake" in facts.house
    assert sum(part.total for part in facts.parts) == pytest.approx(found.scores["money"].sum())
    assert "after rake luck makes a money difference" in " ".join(facts.verdict.reasons)


def test_without_rake_nothing_is_said() -> None:
    free = list(hands(Match(players=PLAYERS, rules=HEADS_UP_LIMIT, deals=50, seed=3)))
    found = assess(free)
    assert found.form.raked == dict.fromkeys(found.players, 0.0)
    assert not summarise_match(found).house


@pytest.mark.slow
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
