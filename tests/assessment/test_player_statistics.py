"""Statistics of players, checked hand by hand and against a plain count in Python."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from helpers.command_line import call, call_json
from helpers.random_records import random_table_hand
from railbird.assessment import statistics_kernels as kernels
from railbird.assessment.counted_log import counted_log
from railbird.assessment.player_statistics import (
    DEFINITIONS,
    By,
    Filter,
    LogCards,
    PlayerStatistics,
    Position,
    Statistic,
    by_position,
    chosen_rows,
    counts_of,
    divided,
    hourly_rates,
    last_parts,
    position_of,
    rows_of,
    statistics_of,
    styles_of,
)
from railbird.assessment.spot_language import spots_from
from railbird.assessment.tournament_returns import returns_of
from railbird.cards import cards_from
from railbird.cli import run
from railbird.errors import BadInput, NothingUsable
from railbird.estimates.bounded_mean import BoundedMean
from railbird.game import Action, Call, Fold, Raise, Street
from railbird.histories import HandRecord, read_columns, read_hand, resolve_game
from railbird.histories.betting import course_of
from railbird.histories.columns import HandBatch, batch_of
from railbird.histories.tournament_entries import TOURNAMENTS_FILE, TournamentEntry, entries_of
from railbird.units import Chips

SIX = "holdem.nolimit.6p.game,stack=10000"
# Blinds 50 and 100; seats: small blind, big blind, early, middle, cutoff, button.
NAMES = "sb|bb|utg|mp|co|btn"
S = Statistic


def of_hand(betting: str, payoffs: str, cards: str = "") -> dict[str, dict[str, tuple[int, int]]]:
    """What one hand counts for each player: how often of how many chances."""
    holes = "2c2d|3c3d|4c4d|5c5d|6c6d|7c7d"
    record = read_hand(f"STATE:1:{betting}:{holes}{cards}:{payoffs}:{NAMES}", game=SIX)
    rows = counts_of(batch_of([record])).to_dicts()
    return {
        row["player"]: {each.key: (row[each.key], row[f"{each.key}_chances"]) for each in S}
        for row in rows
    }


def test_a_steal_that_the_blinds_give_up() -> None:
    found = of_hand("ffr300fff", "-50|-100|0|0|150|0")
    assert found["co"]["steal"] == (1, 1)
    assert found["co"]["vpip"] == found["co"]["pfr"] == (1, 1)
    assert found["btn"]["steal"] == (0, 0)
    assert found["btn"]["three_bet"] == (0, 1)
    assert found["sb"]["fold_to_steal"] == found["bb"]["fold_to_steal"] == (1, 1)
    assert found["utg"]["vpip"] == (0, 1)
    assert found["utg"]["steal"] == (0, 0)


def test_a_walk_is_no_chance_for_anything() -> None:
    found = of_hand("fffff", "-50|50|0|0|0|0")
    assert found["bb"]["vpip"] == (0, 0)
    assert found["sb"]["steal"] == (0, 1)
    assert found["btn"]["steal"] == (0, 1)


def test_a_squeeze_a_fold_to_it_and_a_fourth_bet() -> None:
    found = of_hand("r300cfffr1200r3000ff", "-50|-1200|1550|-300|0|0")
    assert found["bb"]["squeeze"] == found["bb"]["three_bet"] == (1, 1)
    assert found["utg"]["fold_to_three_bet"] == (0, 1)
    assert found["utg"]["four_bet"] == (1, 1)
    assert found["mp"]["three_bet"] == (0, 1)
    assert found["mp"]["squeeze"] == (0, 0)
    assert found["mp"]["four_bet"] == (0, 0)
    assert found["co"]["squeeze"] == (0, 1)


def test_continuation_bets_and_what_they_meet() -> None:
    found = of_hand("r300ffffc/cr800c/cr1700f", "-50|-800|850|0|0|0", "/8s9sTh/Jc")
    assert found["utg"]["cbet"] == found["utg"]["cbet_turn"] == (1, 1)
    assert found["bb"]["fold_to_cbet"] == (0, 1)
    assert found["bb"]["check_raise"] == (0, 2)
    assert found["utg"]["aggression_frequency"] == (2, 2)
    assert found["bb"]["aggression_frequency"] == (0, 2)
    assert found["utg"]["wwsf"] == (1, 1)
    assert found["bb"]["wtsd"] == (0, 1)
    assert found["utg"]["wsd"] == (0, 0)


def test_a_check_raise_and_a_showdown() -> None:
    found = of_hand("r300ffffc/cr500r1500c/cc/cc", "-50|-1500|1550|0|0|0", "/8s9sKh/Qc/2h")
    assert found["bb"]["check_raise"] == (1, 1)
    assert found["bb"]["fold_to_cbet"] == (0, 1)
    assert found["utg"]["wtsd"] == found["bb"]["wtsd"] == (1, 1)
    assert found["utg"]["wsd"] == (1, 1)
    assert found["bb"]["wsd"] == (0, 1)
    assert found["bb"]["wwsf"] == (0, 1)


def test_a_limp_that_is_isolated_and_folds() -> None:
    found = of_hand("cr400ffffff"[:-1], "-50|-100|-100|250|0|0")
    assert found["utg"]["limp"] == found["utg"]["limp_fold"] == (1, 1)
    assert found["mp"]["isolate"] == (1, 1)
    assert found["mp"]["limp"] == (0, 0)
    assert found["co"]["cold_call"] == found["btn"]["cold_call"] == (0, 1)
    assert found["sb"]["cold_call"] == (0, 0)
    assert found["utg"]["cold_call"] == (0, 0)


def test_a_cold_call_a_donk_bet_and_a_raised_continuation() -> None:
    found = of_hand("r300fcfcf/cr500r1500fc/cc/cc", "-300|-100|-1500|0|1900|0", "/8s9sKh/Qc/2h")
    assert found["co"]["cold_call"] == (1, 1)
    assert found["mp"]["cold_call"] == (0, 1)
    assert found["sb"]["donk"] == (0, 1)
    assert found["co"]["donk"] == (0, 0)
    assert found["co"]["raise_cbet"] == found["co"]["raise_flop_bet"] == (1, 1)
    assert found["sb"]["fold_to_flop_bet"] == (0, 0)
    assert found["utg"]["fold_to_flop_bet"] == (0, 0)


def test_three_continuation_bets_of_which_the_last_is_given_up_to() -> None:
    found = of_hand("r300ffffc/cr400c/cr900c/cr2000f", "-50|-900|950|0|0|0", "/8s9sKh/Qc/2h")
    assert found["utg"]["cbet_river"] == (1, 1)
    assert found["bb"]["fold_to_cbet_turn"] == found["bb"]["fold_to_turn_bet"] == (0, 1)
    assert found["bb"]["fold_to_cbet_river"] == found["bb"]["fold_to_river_bet"] == (1, 1)
    assert found["bb"]["raise_river_bet"] == (0, 1)
    assert found["bb"]["donk"] == (0, 1)


def test_a_probe_and_a_float() -> None:
    found = of_hand("r300ffffc/cc/r500f", "-50|350|-300|0|0|0", "/8s9sKh/Qc")
    assert found["bb"]["probe"] == (1, 1)
    assert found["utg"]["probe"] == (0, 0)
    found = of_hand("fr300cfff/r500c/cr900f", "-50|-100|0|-500|650|0", "/8s9sKh/Qc")
    assert found["co"]["float"] == (1, 1)
    assert found["co"]["probe"] == found["mp"]["float"] == (0, 0)


def test_a_steal_that_is_raised_and_a_fourth_bet_that_is_not_met() -> None:
    found = of_hand("fffr300r900fr2000f", "-900|-100|0|0|0|1000")
    assert found["sb"]["resteal"] == (1, 1)
    assert found["sb"]["fold_to_four_bet"] == (1, 1)
    assert found["bb"]["resteal"] == (0, 0)


@pytest.mark.parametrize(
    ("to", "is_large", "is_over"), [(500, 0, 0), (625, 0, 0), (626, 1, 0), (950, 1, 0), (951, 1, 1)]
)
def test_a_bet_is_large_beyond_half_the_pot_and_over_beyond_all(
    to: int, is_large: int, is_over: int
) -> None:
    """There are 650 chips in the pot, and 300 of each before the flop."""
    found = of_hand(f"r300ffffc/cr{to}f", "-50|-300|350|0|0|0", "/8s9sKh")
    assert found["utg"]["large_cbet"] == (is_large, 1)
    assert found["utg"]["overbet"] == (is_over, 1)
    assert found["bb"]["fold_to_large_cbet"] == (is_large, is_large)
    assert found["bb"]["fold_to_small_cbet"] == (1 - is_large, 1 - is_large)
    assert found["bb"]["large_cbet"] == found["bb"]["overbet"] == (0, 0)


def test_third_bets_by_who_raised_and_folds_by_blind() -> None:
    found = of_hand("r300cfffr1200r3000ff", "-50|-1200|1550|-300|0|0")
    assert found["bb"]["three_bet_to_early"] == (1, 1)
    assert found["mp"]["three_bet_to_early"] == (0, 1)
    assert found["bb"]["three_bet_to_late"] == found["utg"]["three_bet_to_early"] == (0, 0)
    found = of_hand("ffr300fff", "-50|-100|0|0|150|0")
    assert found["btn"]["three_bet_to_late"] == found["sb"]["three_bet_to_late"] == (0, 1)
    assert found["btn"]["three_bet_to_early"] == (0, 0)
    assert found["sb"]["fold_small_blind_to_steal"] == (1, 1)
    assert found["bb"]["fold_big_blind_to_steal"] == (1, 1)
    assert found["sb"]["fold_big_blind_to_steal"] == (0, 0)
    assert found["bb"]["fold_small_blind_to_steal"] == (0, 0)


def test_a_check_raise_is_of_its_street() -> None:
    found = of_hand("r300ffffc/cr500r1500c/cc/cc", "-50|-1500|1550|0|0|0", "/8s9sKh/Qc/2h")
    assert found["bb"]["check_raise_flop"] == (1, 1)
    assert found["bb"]["check_raise_turn"] == found["utg"]["check_raise_flop"] == (0, 0)
    found = of_hand("r300ffffc/cc/cr500c/cr900c", "-50|-900|950|0|0|0", "/8s9sKh/Qc/2h")
    assert found["bb"]["check_raise_turn"] == found["bb"]["check_raise_river"] == (0, 1)


def test_a_checked_flop_is_a_chance_not_taken() -> None:
    found = of_hand("r300ffffc/cc/cr600f", "-50|-300|350|0|0|0", "/8s9sKh/Qc")
    assert found["utg"]["cbet"] == (0, 1)
    assert found["utg"]["cbet_turn"] == (0, 0)
    assert found["bb"]["fold_to_cbet"] == (0, 0)


def of_all_in(
    actions: Sequence[Action], payoffs: Sequence[int], *, big_blind: int
) -> dict[str, dict[str, tuple[int, int]]]:
    """What a hand counts in which all have 10,000 chips but the big blind."""
    rules = replace(resolve_game(SIX), stacks=tuple(map(Chips, (10_000, big_blind, *[10_000] * 4))))
    record = HandRecord(
        rules=rules,
        players=tuple(NAMES.split("|")),
        holes=(None,) * 6,
        board=cards_from("2c7dJhQs3h"),
        actions=tuple(actions),
        payoffs=tuple(map(Fraction, payoffs)),
    )
    rows = counts_of(batch_of([record])).to_dicts()
    return {
        row["player"]: {each.key: (row[each.key], row[f"{each.key}_chances"]) for each in S}
        for row in rows
    }


FOLDS = (Fold(),) * 3
SHOVE = (*FOLDS, Raise(Chips(10_000)), Fold(), Call())
OVERBET = (
    *(*FOLDS, Raise(Chips(300)), Fold(), Call()),
    *(Call(), Call()) * 2,
    *(Call(), Raise(Chips(9_700)), Call()),
)


@pytest.mark.parametrize("actions", [SHOVE, OVERBET], ids=["before-the-flop", "on-the-river"])
def test_who_covers_and_loses_has_won_nothing(actions: Sequence[Action]) -> None:
    """What comes back of the bet is no winning, whoever's cards are better."""
    found = of_all_in(actions, (-50, 4_050, 0, 0, 0, -4_000), big_blind=4_000)
    assert found["btn"]["wsd"] == found["btn"]["wwsf"] == (0, 1)
    assert found["bb"]["wsd"] == found["bb"]["wwsf"] == (1, 1)


def test_a_share_of_the_pot_is_a_win_for_who_covers_too() -> None:
    found = of_all_in(SHOVE, (-50, 25, 0, 0, 0, 25), big_blind=4_000)
    assert found["btn"]["wsd"] == found["bb"]["wsd"] == (1, 1)
    raked = of_all_in(SHOVE, (-50, -25, 0, 0, 0, -25), big_blind=4_000)
    assert raked["btn"]["wwsf"] == raked["bb"]["wwsf"] == (1, 1)


def test_nobody_has_a_chance_to_raise_an_all_in_that_covers_it() -> None:
    found = of_all_in(SHOVE, (-50, 4_050, 0, 0, 0, -4_000), big_blind=4_000)
    assert found["bb"]["pfr"] == found["bb"]["three_bet"] == (0, 0)
    assert found["bb"]["vpip"] == found["sb"]["fold_to_steal"] == (1, 1)
    assert found["sb"]["three_bet"] == found["sb"]["pfr"] == (0, 0)


def test_a_raised_continuation_bet_leaves_none_for_the_turn() -> None:
    raised = of_hand("r300ffffc/cr500r1500c/cr2000f", "-50|-1500|1550|0|0|0", "/8s9sKh/Qc")
    assert raised["utg"]["cbet"] == (1, 1)
    assert raised["utg"]["cbet_turn"] == (0, 0)
    again = of_hand("r300ffffc/cr500r1500r3000c/cr4000f", "-50|-3000|3050|0|0|0", "/8s9sKh/Qc")
    assert again["utg"]["cbet_turn"] == (1, 1)


def plain_counts(records: Sequence[HandRecord]) -> Counter[tuple[str, str]]:
    """VPIP, PFR, aggression and showdowns, counted from the readable walk."""
    counts: Counter[tuple[str, str]] = Counter()
    for record in records:
        moves = course_of(record.rules, record.actions).moves
        folded = {move.seat for move in moves if isinstance(move.action, Fold)}
        early = {m.seat for m in moves if isinstance(m.action, Fold) and m.street == 0}
        for seat, name in enumerate(record.players):
            mine = [move for move in moves if move.seat == seat]
            preflop = [move for move in mine if move.street is Street.PREFLOP]
            later = [move for move in mine if move.street is not Street.PREFLOP]
            if preflop:
                counts[name, "chances"] += 1
                counts[name, "pfr"] += any(isinstance(m.action, Raise) for m in preflop)
                counts[name, "vpip"] += any(
                    isinstance(m.action, Raise) or (isinstance(m.action, Call) and m.to_call > 0)
                    for m in preflop
                )
            counts[name, "bets"] += sum(isinstance(m.action, Raise) for m in later)
            counts[name, "calls"] += sum(
                isinstance(m.action, Call) and m.to_call > 0 for m in later
            )
            if len(record.board) >= 3 and seat not in early:
                counts[name, "flops"] += 1
                showdown = seat not in folded and len(folded) < record.rules.seats - 1
                counts[name, "showdowns"] += showdown
    return counts


def times(share: BoundedMean) -> int:
    return dict(zip(share.levels, share.counts, strict=True)).get(1.0, 0)


@pytest.mark.slow
def test_counts_agree_with_a_plain_count() -> None:
    rng = np.random.default_rng(8)
    records = [random_table_hand(rng) for _ in range(500)]
    plain = plain_counts(records)
    found = statistics_of([batch_of(records[:123]), batch_of(records[123:])])
    assert len(found) == 9
    for name, of in found.items():
        shares = of.shares
        assert (shares[S.VPIP].n, times(shares[S.VPIP])) == (
            plain[name, "chances"],
            plain[name, "vpip"],
        )
        assert times(shares[S.PFR]) == plain[name, "pfr"]
        assert (of.bets_and_raises, of.calls) == (plain[name, "bets"], plain[name, "calls"])
        assert (shares[S.WTSD].n, times(shares[S.WTSD])) == (
            plain[name, "flops"],
            plain[name, "showdowns"],
        )


@pytest.mark.slow
def test_winnings_of_showdowns_and_others_add_up() -> None:
    rng = np.random.default_rng(9)
    records = [random_table_hand(rng) for _ in range(200)]
    for of in statistics_of([batch_of(records)]).values():
        won, shown, other, _ = of.winnings.values()
        assert won.value == pytest.approx(shown.value + other.value)
    positions = by_position([batch_of(records)], players=["P0"])["P0"]
    whole = statistics_of([batch_of(records)], players=["P0"])["P0"]
    assert sum(of.hands for of in positions.values()) == whole.hands
    assert set(positions) <= set(Position)


def test_one_players_rows_are_those_of_all_without_the_others() -> None:
    rng = np.random.default_rng(10)
    records = [random_table_hand(rng) for _ in range(60)]
    batches = [batch_of(records[:23]), batch_of(records[23:])]
    everybody = counted_log(batches)
    text = pl.col("player").cast(pl.String)
    for same in ({}, {"P1": "P0"}):
        alone = counted_log(batches, players=["P0"], same=same)
        wanted = Filter(players=("P0",), same=same)
        together = chosen_rows(everybody.rows, wanted)
        assert_frame_equal(alone.rows.with_columns(text), together.with_columns(text))
        styles = styles_of(chosen_rows(everybody.rows, Filter(same=same)))
        assert styles_of(alone.rows, alone.everybody) == {"P0": styles["P0"]}
        assert (alone.names, alone.seats) == (everybody.names, everybody.rows.height)
        assert alone.cards.all_known == LogCards.of(everybody.rows).all_known
        assert list(alone.cards.weights) == list(LogCards.of(everybody.rows).weights)
    assert counted_log([]).rows.is_empty()


def test_every_statistic_is_defined() -> None:
    assert set(DEFINITIONS) == set(Statistic)


# The statistics' numbers and places, which the kernel states for itself.


def test_the_kernel_numbers_statistics_as_their_definitions_do() -> None:
    numbers = {name: number for name, number in vars(kernels).items() if isinstance(number, int)}
    numbers["AGGRESSION_FREQUENCY"] = numbers.pop("AGGRESSION")
    counted = [one for one in Statistic if one is not Statistic.SHOWN_BY_CHOICE]
    for one in (*counted, *Position):
        assert numbers[one.name] == one
    assert numbers["STATISTICS"] == len(Statistic) == len(counted) + 1


def test_places_at_tables_of_every_size() -> None:
    for seats in range(2, 24):
        for seat in range(seats):
            assert kernels.position_of(seat, seats) == position_of(seat, seats)


# Statistics by stake, session, month and hand; people under one name; style; real hands.


CARDS = "2c2d|3c3d|4c4d|5c5d|6c6d|AsKs"
NOON = datetime(2020, 2, 29, 12, 0)
STEAL = "fffr300ff", "-50|-100|0|0|0|150"
WALK = "fffff", "-50|50|0|0|0|0"


def hand(betting: str, payoffs: str, *, minute: int = 0, **changes: object) -> HandRecord:
    text = f"STATE:1:{betting}:{CARDS}:{payoffs}:{NAMES}"
    record = read_hand(text, game=SIX)
    return replace(record, played_at=NOON + timedelta(minutes=minute), **changes)  # type: ignore[arg-type]


def rows(records: Sequence[HandRecord]) -> pl.DataFrame:
    return rows_of([batch_of(records)])


def test_a_pause_of_an_hour_begins_a_session_for_the_player_alone() -> None:
    played = rows([hand(*WALK, minute=minute) for minute in (0, 40, 95, 160, 161)])
    found = divided(played, By.SESSION)["bb"]
    assert {key: of.hands for key, of in found.items()} == {
        "2020-02-29 12:00": 3,
        "2020-02-29 14:40": 2,
    }
    assert last_parts(played.filter(pl.col("player") == "bb"), By.SESSION, 1) == (
        {"2020-02-29 14:40": found["2020-02-29 14:40"]},
        2,
    )
    rate = hourly_rates(played)["bb"]
    assert rate.sessions == 2
    assert rate.hours == pytest.approx((95 + 1) / 60)
    assert rate.bb.value == pytest.approx(5 * 0.5 / (96 / 60))


def test_money_is_never_added_up_over_stakes_or_currencies() -> None:
    dollars = [
        hand(*STEAL, denomination=Fraction(1, 100), currency="$"),
        hand(*WALK, minute=5, denomination=Fraction(1, 100), currency="$"),
    ]
    euros = hand(*STEAL, minute=9, denomination=Fraction(1, 100), currency="€")
    dear = hand(*STEAL, minute=9, denomination=Fraction(1, 10), currency="$")
    played = rows([*dollars, euros, dear])
    whole = divided(played, None)["btn"][""]
    assert whole.money == {}
    assert whole.winnings["bb_per_100"].value == pytest.approx(100 * 3 * 1.5 / 4)
    by_stake = divided(played, By.STAKE)["btn"]
    assert {key: of.money for key, of in by_stake.items()} == {
        "$0.50/$1 no-limit": {"$": pytest.approx(1.5)},
        "$5/$10 no-limit": {"$": pytest.approx(15)},
        "€0.50/€1 no-limit": {"€": pytest.approx(1.5)},
    }
    assert set(hourly_rates(played)["btn"].money) == {"$0.50/$1 no-limit"}


def test_straddled_hands_are_of_the_same_stake_in_big_blinds() -> None:
    plain = hand("fffr400ff", STEAL[1])
    small, big, straddle = map(Chips, (50, 100, 200))
    blinds = (small, big, Chips(0), Chips(0), Chips(0), straddle)
    posts = replace(plain.rules, blinds=blinds, bet_sizes=(straddle, big, big, big))
    told = divided(rows([plain, replace(plain, rules=posts)]), By.STAKE)["btn"]
    assert list(told) == ["50/100 no-limit"]
    of = told["50/100 no-limit"]
    assert (of.hands, of.straddled, of.as_json()["straddled"]) == (2, 1, 1)
    assert of.winnings["bb_per_100"].value == pytest.approx(150)


def test_other_names_dates_stakes_and_positions() -> None:
    played = rows([hand(*STEAL), hand(*WALK, minute=2000)])
    one = chosen_rows(played, Filter(same={"btn": "co"}, players=("co",)))
    assert one.height == 4
    assert divided(one, None)["co"][""].hands == 4
    assert chosen_rows(played, Filter(since="2020-03-01")).height == 6
    assert chosen_rows(played, Filter(until="2020-02-29")).height == 6
    assert chosen_rows(played, Filter(spots=spots_from(["button"])))["player"].to_list() == [
        "btn",
        "btn",
    ]
    assert chosen_rows(played, Filter(stakes=("50/100 no-limit",))).height == 12
    with pytest.raises(BadInput, match="'yesterday' is no date"):
        chosen_rows(played, Filter(since="yesterday"))


def test_months_and_own_hands() -> None:
    played = rows([hand(*STEAL), hand(*WALK, minute=2000)])
    assert list(divided(played, By.MONTH)["btn"]) == ["2020-02", "2020-03"]
    own = divided(played, By.HAND)["btn"]
    assert list(own) == ["AKs"]
    assert own["AKs"].shares[Statistic.VPIP].value == 0.5
    timeless = rows([replace(hand(*STEAL), played_at=None)])
    with pytest.raises(NothingUsable, match="no hand has a time"):
        divided(timeless, By.SESSION)


def test_all_ins_count_by_their_mean() -> None:
    text = "STATE:1:r10000fffcf///:{}/2h3h4d/9c/Td:10100|-100|-10000|0|0|0:" + NAMES
    cards = "AsAd|7c2d|KsKd|5c5d|6c6d|8c8d"
    record = read_hand(text.format(cards), game=SIX)
    found = divided(rows([record]), None)
    won, by_mean = (
        found["sb"][""].winnings[key].value for key in ("bb_per_100", "allin_bb_per_100")
    )
    assert won == 10_100
    assert 5_500 < by_mean < 7_500  # aces against kings win four times in five
    assert found["sb"][""].unknown_all_ins == 0
    hidden = replace(record, holes=(record.holes[0], *[None] * 5))
    unknown = divided(rows([hidden]), None)["sb"][""]
    assert unknown.unknown_all_ins == 1
    assert unknown.winnings["allin_bb_per_100"].value == won


def test_all_ins_that_happen_to_be_shown_keep_their_luck() -> None:
    """The small blind lost every all-in, so all were shown, by players who may muck what loses."""
    text = "STATE:{}:r10000fffcf///:AsAd|7c2d|KsKd|5c5d|6c6d|8c8d/{}:{}|-100|{}|0|0|0:" + NAMES
    lost, won = ("2h3h4d/9c/Kh", -10000, 10100), ("2h3h4d/9c/Td", 10100, -10000)

    def log(*ends: tuple[str, int, int]) -> PlayerStatistics:
        hands = [read_hand(text.format(n, *end), game=SIX) for n, end in enumerate(ends)]
        mucked = [
            replace(hand, holes=(hand.holes[0], None, hand.holes[2], None, None, None))
            for hand in hands
        ]
        folded = read_hand(f"STATE:99:fffff:AsAd|||||/:-50|50|0|0|0|0:{NAMES}", game=SIX)
        return divided(rows([folded, *mucked]), None)["sb"][""]

    shown = log(lost, lost, lost)
    assert (shown.all_ins, shown.unknown_all_ins, shown.adjusted_all_ins) == (3, 0, 0)
    assert shown.winnings["allin_bb_per_100"] == shown.winnings["bb_per_100"]
    told = log(lost, won, won, won)
    assert told.adjusted_all_ins == 4
    assert told.winnings["allin_bb_per_100"].stderr < told.winnings["bb_per_100"].stderr / 2


def test_style_is_told_beside_the_others() -> None:
    raised = [hand(*STEAL, minute=minute) for minute in range(60)]
    found = styles_of(rows(raised))
    assert found["btn"].tightness is not None
    assert found["btn"].words == "loose"
    assert found["utg"].words == "tight"
    assert found["btn"].aggressiveness is None
    few = styles_of(rows(raised[:10]))
    assert few["btn"].words == ""


def test_ten_real_hands_as_counted_by_hand(shared_data: Path) -> None:
    """Counted from the text: jimmyhoo called three times and raised once before the flop, saw four
    flops, showed once and won; 22.98 + 282 - 5 + 92 + 37.08 dollars; 1:11:20 to 1:53:51."""
    file = shared_data / "sites" / "pokerstars" / "10MultipleHands.txt"
    batches = [each for each in read_columns(str(file)) if isinstance(each, HandBatch | HandRecord)]
    played = rows([each for each in batches if isinstance(each, HandRecord)])
    of = divided(played, None)["jimmyhoo"][""]
    assert of.hands == 10
    assert of.money == {"$": pytest.approx(429.06)}
    counts = {each: (share.value, share.n) for each, share in of.shares.items() if share.n}
    assert counts[Statistic.VPIP] == (0.4, 10)
    assert counts[Statistic.PFR] == (0.1, 10)
    assert counts[Statistic.WTSD] == (0.25, 4)
    assert counts[Statistic.WSD] == (1.0, 1)
    assert counts[Statistic.WWSF] == (1.0, 4)
    assert list(divided(played, By.STAKE)["jimmyhoo"]) == ["$5/$10 no-limit"]
    rate = hourly_rates(played)["jimmyhoo"]
    assert rate.sessions == 1
    assert rate.hours * 3600 == pytest.approx(42 * 60 + 31)
    assert rate.money["$5/$10 no-limit"].value == pytest.approx(429.06 / rate.hours)


# Return on investment from the lines of tournament hands.


HAND = """PokerStars Game #{hand}: Tournament #{number}, {buy_in} Hold'em No Limit - Level II
Table '{number} 1' 9-max Seat #1 is the button
Seat 1: Ann (1500 in chips)
Seat 2: Bob (1500 in chips) is sitting out
Seat 3: Cy (2) (1500 in chips)
Dealt to Ann [4s 7h]
Ann said, "Ann finished the tournament in 1st place and received $99.00."
{said}
*** SUMMARY ***
Seat 1: Ann (button) folded before Flop (didn't bet)


"""


def _hand(hand: int, number: int, buy_in: str, *said: str) -> str:
    return HAND.format(hand=hand, number=number, buy_in=buy_in, said="\n".join(said))


def _written(tmp_path: Path, *hands: str) -> Path:
    log = tmp_path / "hands.txt"
    log.write_text("".join(hands), encoding="utf-8")
    return log


def test_buy_ins_finishes_and_bounties(tmp_path: Path) -> None:
    log = _written(
        tmp_path,
        _hand(1, 7, "$5.00+$0.50", "Cy (2) finished the tournament in 3rd place"),
        _hand(
            2,
            7,
            "$5.00+$0.50",
            "Ann wins the $0.25 bounty for eliminating Bob",
            "Bob finished the tournament in 2nd place and received $1,004.50.",
            "Ann wins the tournament and receives $20.00 - congratulations!",
        ),
        _hand(3, 8, "€1.00+€0.25+€0.15 EUR"),
        _hand(4, 9, "$1,000", "Ann finished the tournament in 12th place and received $1,500."),
        _hand(5, 10, "$1+$0.10", "Ann finished the tournament"),
    )
    expected = [
        TournamentEntry(7, "Ann", "$", Fraction("5.5"), Fraction("20.25"), 1, True),
        TournamentEntry(8, "Ann", "€", Fraction("1.4"), Fraction(0), None, False),
        TournamentEntry(9, "Ann", "$", Fraction(1000), Fraction(1500), 12, True),
        TournamentEntry(10, "Ann", "$", Fraction("1.1"), Fraction(0), None, True),
    ]
    assert entries_of([log]) == expected
    assert entries_of([log, log]) == expected, "hands given again count once"


PLAYED = """PokerStars Hand #{hand}: Tournament #{number}, {buy_in} USD Hold'em No Limit - Level II\
 (15/30) - 2024/03/02 12:{hand:02}:00 ET
Table '{number} 1' 3-max Seat #1 is the button
Seat 1: Ann (1500 in chips)
Seat 2: Bob (1500 in chips)
Seat 3: Cy (1500 in chips)
Bob: posts small blind 15
Cy: posts big blind 30
*** HOLE CARDS ***
Dealt to Ann [4s 7h]
Ann: folds
Bob: folds
Uncalled bet (15) returned to Cy
Cy collected 30 from pot
{said}*** SUMMARY ***
Total pot 30 | Rake 0


"""


def _played(hand: int, number: int, buy_in: str, said: str = "") -> str:
    return PLAYED.format(hand=hand, number=number, buy_in=buy_in, said=f"{said}\n" if said else "")


def test_an_archive_tells_of_tournaments_what_its_logs_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where a tournament is spread over several logs, which are added one after another."""
    begun = [_played(1, 7, "$5.00+$0.50"), _played(2, 7, "$5.00+$0.50")]
    ended = [
        _played(3, 7, "$5.00+$0.50", "Ann, Bob split the $2 bounty for eliminating Cy"),
        _played(4, 7, "$5.00+$0.50", "Ann wins the tournament and receives $20.00"),
        _played(5, 8, "$1,000"),
    ]
    files, folder = [], tmp_path / "archive"
    for name, hands in {"begun.txt": begun, "ended.txt": [*ended, ended[0]]}.items():
        files.append(str(tmp_path / name))
        Path(files[-1]).write_text("".join(hands), encoding="utf-8")
        assert call(capsys, "archive", "add", str(folder), files[-1])[0] == 0
    entries = entries_of(files)
    assert entries == entries_of([folder])
    assert entries == [
        TournamentEntry(7, "Ann", "$", Fraction("5.5"), Fraction(21), 1, True),
        TournamentEntry(8, "Ann", "$", Fraction(1000), Fraction(0), None, False),
    ]
    by_files, by_archive = (call_json(capsys, "stats", *of) for of in (files, [str(folder)]))
    assert by_archive["tournaments"] == by_files["tournaments"]
    copies = [of["integrity"]["duplicates_merged"] for of in (by_files, by_archive)]
    assert copies == [1, 0], "an archive has each hand once"
    kept = (folder / TOURNAMENTS_FILE).read_bytes()
    call(capsys, "archive", "add", str(folder), *files)
    assert (folder / TOURNAMENTS_FILE).read_bytes() == kept, "hands given again count once"
    (folder / TOURNAMENTS_FILE).write_bytes(kept[:-9])
    code, _, problem = call(capsys, "stats", str(folder))
    assert (code, problem.count("\n")) == (1, 1)
    assert f"{TOURNAMENTS_FILE}: cannot be read" in problem


def test_two_finishes_are_two_entries_and_later_hands_are_none(tmp_path: Path) -> None:
    log = _written(
        tmp_path,
        _hand(3, 7, "$5.00+$0.50", "Ann finished the tournament in 3rd place"),
        _hand(2, 7, "$5.00+$0.50"),
        _hand(1, 7, "$5.00+$0.50", "Ann finished the tournament in 90th place"),
    )
    assert [entry.place for entry in entries_of([log])] == [3, 90]


def test_whoever_plays_on_after_a_finish_has_entered_again(tmp_path: Path) -> None:
    log = _written(
        tmp_path,
        _hand(2, 7, "$5.00+$0.50", "Ann wins $1 for eliminating Bob"),
        _hand(1, 7, "$5.00+$0.50", "Ann finished the tournament in 90th place"),
    )
    assert entries_of([log]) == [
        TournamentEntry(7, "Ann", "$", Fraction("5.5"), Fraction(1), 90, True),
        TournamentEntry(7, "Ann", "$", Fraction("5.5"), Fraction(0), None, False),
    ]


def test_the_winners_own_bounty_is_a_prize_and_an_unreadable_amount_none(tmp_path: Path) -> None:
    log = _written(
        tmp_path,
        _hand(1, 7, "$1.5.5", "Ann finished the tournament in 3rd place"),
        _hand(
            2,
            8,
            "$5+$5+$1",
            "Ann wins the $2.50 bounty for eliminating Bob and their own bounty increases by"
            " $2.50 to $15",
            "Ann wins $15 for their own bounty",
            "Ann wins $1.5.5 for eliminating Cy (2)",
            "Ann wins the tournament and receives $30.00 - congratulations!",
        ),
    )
    assert entries_of([log]) == [
        TournamentEntry(8, "Ann", "$", Fraction(11), Fraction("47.5"), 1, True)
    ]


def test_a_return_is_of_told_finishes_and_of_one_currency() -> None:
    entries = [
        TournamentEntry(1, "Ann", "$", Fraction(10), Fraction(25), 2, True),
        TournamentEntry(2, "ann2", "$", Fraction(30), Fraction(0), 9, True),
        TournamentEntry(3, "Ann", "$", Fraction(50), Fraction(0), None, False),
        TournamentEntry(4, "Ann", "€", Fraction(5), Fraction(0), None, False),
    ]
    found = returns_of(entries, {"ann2": "Ann"})["Ann"]
    dollars, euros = found["$"], found["€"]
    assert (dollars.entered, dollars.finished) == (3, 2)
    assert (dollars.buy_ins, dollars.prizes) == (40, 25)
    assert dollars.roi is not None
    assert dollars.roi.value == pytest.approx(25 / 40 - 1)
    assert not dollars.roi.enough
    assert (euros.entered, euros.finished, euros.roi) == (1, 0, None)


def test_twenty_finishes_have_an_interval_even_if_most_bring_nothing() -> None:
    entries = [
        TournamentEntry(n, "Ann", "$", Fraction(10), Fraction(50 if n % 10 == 0 else 0), None, True)
        for n in range(40)
    ]
    roi = returns_of(entries, {})["Ann"]["$"].roi
    assert roi is not None
    assert roi.value == pytest.approx(-0.5)
    assert roi.low < -0.5 < roi.high


@pytest.mark.parametrize(("finishes", "prize"), [(3, 20), (19, 20), (30, 0)])
def test_prizes_that_are_all_alike_are_not_exact(finishes: int, prize: int) -> None:
    entries = [
        TournamentEntry(n, "Ann", "$", Fraction(10), Fraction(prize), None, True)
        for n in range(finishes)
    ]
    roi = returns_of(entries, {})["Ann"]["$"].roi
    assert roi is not None
    assert roi.value == pytest.approx(prize / 10 - 1)
    assert roi.as_json()["low"] is roi.as_json()["high"] is None


def test_no_buy_in_and_no_tournament_is_no_entry(tmp_path: Path) -> None:
    assert entries_of([_written(tmp_path, _hand(1, 7, "Freeroll "))]) == []
    cash = "PokerStars Game #9: Hold'em No Limit ($1/$2 USD) - 2014/01/06 6:15:36 ET\n"
    assert entries_of([_written(tmp_path, cash, "Seat 1: Ann (15 in chips)\n")]) == []


@pytest.mark.slow
def test_a_real_tournament_hand_on_the_command_line(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Read as text: 1.00 + 0.25 + 0.15 to enter; 6th and 7th leave with 4.72 and 3.82."""
    text = (shared_data / "faults" / "short_bb.txt").read_text(encoding="utf-8-sig")
    log = tmp_path / "own.txt"
    log.write_text(text.replace("Hero", "~").replace("stefan_bg_46", "Hero").replace("~", "other"))
    text = log.read_text()
    assert "Hero finished the tournament in 6th place and received $4.72." in text
    log.write_text(re.sub(r"Dealt to other \[.*\]", "Dealt to Hero [Kh Kc]", text))
    (one,) = entries_of([log])
    assert (one.buy_in, one.prize, one.place) == (Fraction("1.4"), Fraction("4.72"), 6)
    assert run(["stats", str(log), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["tournaments"]
    assert set(told) == {"Hero"}
    assert told["Hero"]["$"]["roi"]["value"] == pytest.approx(4.72 / 1.40 - 1)
    assert run(["stats", str(log), "--player", "Hero"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 tournament entered, 1 with a known finish: buy-ins $1.40, prizes $4.72" in out
    for options in (["--since", "2001-01-01"], ["--by", "stake"]):
        assert run(["stats", str(log), "--json", *options]) == 0
        assert json.loads(capsys.readouterr().out)["tournaments"] == {}
    whole = shared_data / "faults" / "short_bb.txt"
    assert run(["stats", str(whole), "--player", "Hero"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 tournament entered; no text tells a finish" in out


# Thirty-one hands of five sites, each read as text by a person who wrote down what it counts.


KEYS = {
    "V": Statistic.VPIP,
    "P": Statistic.PFR,
    "3": Statistic.THREE_BET,
    "F3": Statistic.FOLD_TO_THREE_BET,
    "4": Statistic.FOUR_BET,
    "SQ": Statistic.SQUEEZE,
    "ST": Statistic.STEAL,
    "FS": Statistic.FOLD_TO_STEAL,
    "C": Statistic.CBET,
    "FC": Statistic.FOLD_TO_CBET,
    "CT": Statistic.CBET_TURN,
    "CR": Statistic.CHECK_RAISE,
    "A": Statistic.AGGRESSION_FREQUENCY,
    "T": Statistic.WTSD,
    "W": Statistic.WSD,
    "S": Statistic.WWSF,
}
OUT = "V=0 P=0"
"""Folded before the flop with no other chance."""

HANDS = {
    "fulltilt/GameTypeTests_CapNoLimitHoldem": {
        "hockenspit50": OUT,
        "drc40": "V=1 P=1 C=0 CR=0/2 A=0/2 T=0 S=0",
        "oggie the fox": "V=0 P=0 3=0",
        "diknek": "V=1 P=0 3=0 A=2/2 T=0 S=1",
        "Naturalblow": "V=0 P=0 3=0 SQ=0",
        "BeerMySole": "V=0 P=0 3=0 SQ=0",
    },
    "fulltilt/HandActionTests_AllInOnFlop": {
        "Darkking_pt": "V=0 P=0 ST=0",
        "ginalisa18": "V=1 P=1 ST=0 3=1 C=1 A=1/2 T=1 W=0 S=0",
        "1mperial": OUT,
        "Postrail": "V=1 P=1 F3=0 4=0 FC=0 CR=1 A=1 T=1 W=1 S=1",
    },
    "fulltilt/Limits_Limit3": {
        "BeetRootSalad": "V=0 P=0 ST=0",
        "ptci88": "V=1 P=1 ST=1 F3=0 4=0 FC=0 CR=0/3 A=0/3 T=0 S=0",
        "chiles0n": "V=1 P=1 3=1 FS=0 C=1 CT=1 A=3/3 T=0 S=1",
    },
    "fulltilt/PlayerTests_WithShowdown": {
        "burjennio": "V=1 P=1 C=1 CT=0 CR=0 A=1/2 T=1 W=0 S=0",
        "Haklot": "V=0 P=0 3=0",
        "14grant": "V=1 P=0 3=0 FC=0 A=1/2 T=1 W=1 S=1",
        "Caribou0": "V=0 P=0 3=0 SQ=0",
        "Corvus81": "V=0 P=0 3=0 SQ=0",
        "MUFTI76": "V=0 P=0 3=0 SQ=0",
        "ilya1681": "V=0 P=0 3=0 SQ=0",
        "OMGStoneAiken": "V=0 P=0 3=0 SQ=0",
    },
    "fulltilt/Seats_6_Max": {
        "Sonnyy26": OUT,
        "noobbusta": OUT,
        "IpushUpayMe": "V=0 P=0 ST=0",
        "AnnaMaria13": "V=1 P=1 ST=1",
        "BTOPHuK": "V=0 P=0 3=0 FS=1",
        "-d3str0ye7r-": "V=0 P=0 3=0 FS=1",
    },
    "fulltilt/Seats_Full_Ring_(9_Handed)": {
        "Daiv200": OUT,
        "jaghuar": OUT,
        "palma1707": OUT,
        "insomnieux": "V=1 P=1 ST=1",
        "VidiVici 22": "V=0 P=0 3=0",
        "LVJ6666": "V=0 P=0 3=0 FS=1",
        "mothersierra": "V=0 P=0 3=0 FS=1",
    },
    "fulltilt/HandActionTests_3BetHand": {
        "jobetzu": "V=1 P=1 ST=1 F3=0 4=0 FC=1 A=0 T=0 S=0",
        "theking881": "V=1 P=1 3=1 FS=0 C=1 A=1 T=0 S=1",
    },
    "pacific/HandActionTests_3BetHand": {
        "M00700": "V=1 P=0 4=0",
        "cashgamer15": "V=1 P=1 F3=0 4=0 FC=0 CR=0 A=1/2 T=0 S=1",
        "Jack3bet": "V=1 P=1 3=1 C=1 CT=0 A=1/2 T=0 S=0",
        "Krautsturm": "V=0 P=0 4=0",
        "littlez33": "V=0 P=0 4=0",
        "AceOfSpace87": "V=0 P=0 4=0",
    },
    "pacific/StreetTests_Turn": {
        "Luka57": "V=1 P=1 ST=1 C=1 CT=1 A=2/2 T=0 S=1",
        "JonnyRiver69": "V=0 P=0 3=0 FS=1",
        "JazzuJun": "V=1 P=0 3=0 FS=0 FC=0 CR=0/2 A=0/2 T=0 S=0",
    },
    "pacific/StreetTests_Preflop": {
        "JazzuJun": "V=1 P=1",
        "pokermon24": "V=0 P=0 3=0",
        "Br0keDonk": "V=0 P=0 3=0",
        "liulijia": "V=0 P=0 3=0",
        "Birmancat4": "V=0 P=0 3=0",
    },
    "pacific/Tables_Table2": {
        "BanananOne": OUT,
        "kdlishus": OUT,
        "losgenie": OUT,
        "janarr5": OUT,
        "igor888igor": "V=1 P=1 ST=1 C=1 CT=0 A=1 T=1 W=1 S=1",
        "TruDrot": "V=0 P=0 3=0",
        "mikeray747": "V=1 P=0 3=0 FS=0 FC=0 CR=0 A=0 T=1 W=0 S=0",
        "Kaminoontyo": "V=0 P=0 3=0 SQ=0",
    },
    "pacific/Limits_Limit1": {
        "rameez23": "V=1 P=0 ST=0 3=0",
        "Mr.Zsombor": "V=1 P=0",  # faces an all-in, and all others have folded
        "diamondjin": "V=1 P=1",
    },
    "partypoker/GameTypeTests_FixedLimitHoldem": {
        "aisberg_2013": "V=1 P=0 A=1 T=0 S=1",
        "dam81": OUT,
        "xtracktor": OUT,
        "transkybeat": OUT,
        "jaygeew": OUT,
        "kachanow": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "partypoker/HandActionTests_AllInHandWithShowdown": {
        "GrindAA": OUT,
        "mumija80": OUT,
        "dr. spaz": "V=1 P=1 ST=1 C=1 CT=1 A=3/3 T=1 W=1 S=1",
        "TYRANNOMAN1": "V=1 P=0 3=0 FC=0 A=0/3 T=1 W=0 S=0",
        "kewen": "V=1 P=0 3=0 SQ=0 FC=1 CR=0 A=0 T=0 S=0",
        "xyxyTiltyxyx": "V=1 P=0 3=0 SQ=0 FC=0 CR=0/3 A=0/3 T=0 S=0",
    },
    "partypoker/Limits_Limit1": {
        "mraeolus": "V=1 P=0 ST=0 3=0 FC=0 A=0/2 T=1 W=1 S=1",
        "Gun5611": OUT,
        "hmups": "V=1 P=1 C=1 CT=0 A=2/2 T=1 W=0 S=0",
    },
    "partypoker/StreetTests_Flop": {
        "mackini1987": "V=1 P=0 A=1 T=0 S=1",
        "SandCylinder": OUT,
        "Amad1971": "V=1 P=0 A=0 T=0 S=0",
        "mm1964": OUT,
        "Kimy1": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "partypoker/StreetTests_River": {
        "Kimy1": OUT,
        "mackini1987": "V=1 P=0 ST=0 A=1 T=0 S=1",
        "SandCylinder": OUT,
        "Amad1971": OUT,
        "mm1964": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "partypoker/Tables_Table1": {
        "lukason": "V=1 P=0 CR=0 A=0 T=0 S=0",
        "Wolfmace": "V=1 P=0 CR=0 A=0 T=0 S=0",
        "hausen89": "V=1 P=0 A=1 T=0 S=1",
        "Mav1190": OUT,
        "pagmoz": OUT,
        "Mr.Haze420": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "partypoker/Tables_Table3": {
        "th3_weeknd": "V=0 P=0 ST=0",
        "pizzapete47": "V=1 P=0 ST=0 A=1 T=0 S=1",
        "Hsrhsrhsr52": "V=0 P=0 A=0 T=0 S=0",
    },
    "pokerstars/FixedLimitHoldem": {
        "crvbig": OUT,
        "maverik_t": OUT,
        "vital580": OUT,
        "clammyclam": OUT,
        "thewirds": OUT,
        "patanu1990": "V=0 P=0 ST=0",
        "garycute": "V=0 P=0 ST=0",
        "AMSH78": "V=1 P=1 ST=1",
        "serrulit": "V=0 P=0 3=0 FS=1",
    },
    "pokerstars/GeneralHand": {
        "Player_L": "V=1 P=0 3=0 FC=1 CR=0 A=0 T=0 S=0",
        "H6U5r": OUT,
        "LovID": "V=1 P=1 C=1 A=1 T=0 S=1",
        "Tunks2": "V=0 P=0 3=0",
        "Nightfox82": "V=0 P=0 3=0",
        "Asaki1": "V=0 P=0 3=0",
    },
    "pokerstars/HeroName": {
        "Player4": OUT,
        "Player5": OUT,
        "Player6": "V=1 P=1 ST=1 C=1 CT=0 A=1 T=1 W=0 S=0",
        "Player1": "V=1 P=0 3=0 FC=0 A=0 T=1 W=1 S=1",
        "PS_Hero": "V=0 P=0 3=0 SQ=0",
        "Player3": "V=0 P=0 3=0 SQ=0",
    },
    "pokerstars/NoLimitHoldem": {
        "dem0n-GMRF": OUT,
        "shauneta": OUT,
        "pichcora 811": "V=0 P=0 ST=0",
        "rocketsteph": "V=0 P=0 ST=0",
        "cenopelepi": "V=1 P=1 ST=1",
        "zoomast": "V=0 P=0 3=0 FS=1",
    },
    "pokerstars/SidePot": {
        "lold.lold": OUT,
        "T_Leroy": "V=1 P=1 F3=0 4=1 A=0/2 T=1 W=1 S=1",
        "SW_KaiZ": "V=0 P=0 3=0",
        "pak87": "V=0 P=0 3=0",
        "ilya44rus": "V=1 P=1 3=1 A=2/2 T=1 W=0 S=0",
        "Shupstix": "V=1 P=0 4=0 A=1 T=1 W=0 S=0",
    },
    "pokerstars/ZoomHand": {
        "9124-3": OUT,
        "JoeBlack_MS": OUT,
        "SumerianHaze": "V=1 P=1 ST=1",
        "chukimarios": "V=0 P=0 3=0",
        "M.Moliere": "V=0 P=0 3=0 FS=1",
        "NikolaSRBin": "V=0 P=0 3=0 FS=1",
    },
    "pokerstars/CapNoLimitHoldem": {
        "SirCedric": "V=0 P=0 ST=0",
        "V_Koning": "V=0 P=0 ST=0",
        "Giovanni1983": "",
    },
    "winamax/HandActionTests_3BetHand": {
        "sined20": "V=0 P=0 ST=0",
        "fanf4K UR0": "V=1 P=1 ST=1 F3=0 4=0 FC=1 A=0 T=0 S=0",
        "totti6720": "V=1 P=1 3=1 FS=0 C=1 A=1 T=0 S=1",
        "titi250": "V=0 P=0 4=0",
    },
    "winamax/HandActionTests_BasicHand": {
        "Dbrz34": "V=1 P=0 3=0 FC=1 CR=0 A=0 T=0 S=0",
        "sined20": "V=1 P=1 C=1 A=1 T=0 S=1",
        "fanf4K UR0": "V=0 P=0 3=0",
        "totti6720": "V=0 P=0 3=0",
        "titi250": "V=0 P=0 3=0",
    },
    "winamax/Seats_6_Max": {
        "arthurxxx": OUT,
        "Booobisar": "V=0 P=0 ST=0",
        "LASCONI4": "V=1 P=1 ST=1",
        "I_M_ALL_IN": "V=0 P=0 3=0 FS=1",
        "justlucky": "V=0 P=0 3=0 FS=1",
    },
    "winamax/Tables_Table3": {
        "Kosmos777": "V=1 P=0 A=1 T=0 S=1",
        "WAHIL": "V=0 P=0 A=0 T=0 S=0",
        "beso760": OUT,
        "bishop74270": OUT,
        "R.Ford": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "winamax/Limits_Limit2": {
        "7 7 7": "V=0 P=0 ST=0",
        "9574561": "V=0 P=0 ST=0",
        "Woodshipper1": "V=0 P=0 ST=0",
        "Kool Shen": "",
    },
}
"""By file, for each player dealt in: what was done of how many chances, one where no number stands.

A statistic that is not named has no chance.
"""


def expected(words: str) -> dict[str, tuple[int, int]]:
    """Read what a person wrote down."""
    counts = dict.fromkeys((each.key for each in KEYS.values()), (0, 0))
    for word in words.split():
        key, _, numbers = word.partition("=")
        done, _, chances = numbers.partition("/")
        counts[KEYS[key].key] = int(done), int(chances or 1)
    return counts


@pytest.mark.parametrize("file", HANDS)
def test_a_hand_counts_what_a_reader_counts(file: str, shared_data: Path) -> None:
    read = read_columns(str(shared_data / "sites" / f"{file}.txt"))
    hands = [one for one in read if isinstance(one, HandRecord | HandBatch)]
    (hand,) = [one if isinstance(one, HandBatch) else batch_of([one]) for one in hands]
    found = {
        # One name came down in a broken encoding.
        "SW_KaiZ" if row["player"].startswith("SW_KaiZ") else row["player"]: row
        for row in counts_of(hand).to_dicts()
    }
    assert set(found) == set(HANDS[file])
    for player, words in HANDS[file].items():
        counted = {
            key: (found[player][key], found[player][f"{key}_chances"]) for key in expected("")
        }
        assert counted == expected(words), player
