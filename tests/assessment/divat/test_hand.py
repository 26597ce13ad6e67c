"""One hand in full."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from helpers.random_records import random_hand
from railbird.assessment import (
    EnumeratedPreflopValues,
    SampledPreflopValues,
    SmoothedScore,
    find_table,
    open_scorer,
    score_hand,
)
from railbird.baseline import STANDARD, parse_settings
from railbird.cards import parse_holding
from railbird.errors import BadInput
from railbird.game import HEADS_UP_NO_LIMIT, Street, limit_holdem
from railbird.histories import read_hand
from railbird.odds.rank_tables import open_tables

RIVER_FOLD = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBc/kBrC/bF"
PREFLOP_FOLD = "AsAd,7c2d SlRrF"


def test_json_has_the_keys_of_the_contract() -> None:
    score = score_hand(read_hand(RIVER_FOLD)).as_json()
    assert json.loads(json.dumps(score, allow_nan=False)) == score
    assert {"players", "money_sb", "divat_sb", "settings", "rounds"} <= score.keys()
    assert score["settings"] == "standard"
    assert [row["round"] for row in score["rounds"]] == ["preflop", "flop", "turn", "river"]
    assert [row["board"] for row in score["rounds"]] == ["", "Td5hTh", "Td5hTh2d", "Td5hTh2d2h"]
    flop = score["rounds"][1]
    assert flop["classes"] == ["make4", "make2"]
    assert flop["aie"].keys() == {"actual", "baseline", "difference"}
    assert flop["roe"].keys() == {"actual", "baseline", "difference", "stderr"}
    assert flop["roe"]["stderr"] == 0


@pytest.mark.slow
def test_values_are_exact_under_settings_without_a_table() -> None:
    """Enumerated by an independent run; a sample of 512 boards gives -0.2285."""
    preflop = score_hand(read_hand(RIVER_FOLD), parse_settings("tight-low")).rounds[0]
    assert preflop.roe.actual == pytest.approx(-0.2604, abs=5e-5)
    assert preflop.roe.stderr == 0


@pytest.mark.slow
def test_several_settings_are_averaged() -> None:
    hand, names = read_hand(RIVER_FOLD), ("standard", "turn=tight-high")
    alone = [score_hand(hand, parse_settings(name)) for name in names]
    both = SmoothedScore(tuple(alone)).as_json()
    assert both["settings"] == "standard+turn=tight-high"
    assert both["divat_sb"] == pytest.approx((alone[0].divat + alone[1].divat) / 2)
    assert both["money_sb"] == alone[0].money
    for row, one, other in zip(both["rounds"], alone[0].rounds, alone[1].rounds, strict=True):
        mean = (one.roe.difference + other.roe.difference) / 2
        assert row["roe"]["difference"] == pytest.approx(mean)
        assert row["baseline"] == (one.baseline if one.baseline == other.baseline else None)
    parts = [both["by_settings"][name]["divat_sb"] for name in names]
    assert parts == [score.divat for score in alone]
    assert SmoothedScore((alone[0],)).as_json() == alone[0].as_json()


def test_every_decision_with_what_the_baseline_would_have_done() -> None:
    river = score_hand(read_hand(RIVER_FOLD)).rounds[3]
    assert [(d.player, d.action, d.baseline) for d in river.decisions] == [
        (0, "b", "b"),
        (1, "F", "C"),
    ]
    assert [d.divat for d in river.decisions] == [0, 2]  # the fold saves the bet that is lost
    assert [d.evat for d in river.decisions] == [0, 0]
    assert [d.best for d in river.decisions] == ["b", "F"]


def test_the_best_action_with_all_cards_seen() -> None:
    """Jd 5d is drawing thin from the flop on: the other bets and raises, it checks and folds."""
    score = score_hand(read_hand("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"))
    assert score.holes == (parse_holding("Ts6s"), parse_holding("Jd5d"))
    assert ["".join(d.best for d in row.decisions) for row in score.rounds] == [
        "Rk",  # Jd 5d is ahead before the flop
        "bKrF",
        "bFrC",  # eight outs and seven bets in the pot
        "bF",
    ]


def test_equities_with_all_cards_seen() -> None:
    """Before the flop each action is compared by the pot equity if it is just called."""
    score = score_hand(read_hand(PREFLOP_FOLD))
    share = score.rounds[0].aie.baseline / 2  # 2 small bets each by the baseline
    dealer, blind, fold = score.rounds[0].decisions
    assert dealer.evat == pytest.approx(-2 * share - -0.5)  # folding at once was best
    assert blind.evat == 0
    assert [d.best for d in (dealer, blind, fold)] == ["F", "r", "F"]
    assert fold.evat == pytest.approx(min(0, -2 - -3 * share))
    assert score.rounds[0].lfat == pytest.approx(share / 2 * 1.5)


def test_blind_steals() -> None:
    """The dealer gives up at once: half a bet changes hands, whatever the cards."""
    score = score_hand(read_hand("7c2d,AsAd SlF"))
    assert score.money == 0.5
    preflop = score.rounds[0]
    assert preflop.roe.actual == preflop.aie.actual == 0.5
    assert preflop.baseline == "SlRc"
    assert score.dcash == preflop.roe.baseline
    assert score.divat == 0.5 - preflop.roe.baseline > 2


@pytest.mark.slow(but=["9h8h,KcJd SlRf"])
@pytest.mark.parametrize("text", [PREFLOP_FOLD, RIVER_FOLD, "9h8h,KcJd SlRf"])
def test_three_sources_of_preflop_values_agree(text: str) -> None:
    """The table and the enumeration to the last digit, the sample within its standard error."""
    record = read_hand(text)
    table = find_table(STANDARD)
    assert table is not None
    enumerated = EnumeratedPreflopValues(STANDARD, open_tables())
    sampled = SampledPreflopValues(STANDARD, open_tables(), samples=4096)
    by_table, by_count, by_sample = (
        score_hand(record, scorer=open_scorer(STANDARD, values=values)).rounds[0].roe
        for values in (table, enumerated, sampled)
    )
    assert by_table == by_count
    assert by_table.stderr == 0
    off = by_sample.difference - by_table.difference
    assert abs(off) <= 4 * by_sample.stderr
    assert (by_sample.stderr > 0) == (by_sample.actual != by_sample.baseline)


@pytest.mark.slow
def test_settings_without_a_table_are_enumerated() -> None:
    settings = parse_settings("loose-high,flop.make1=0.5,flop.make2=0.7")
    assert find_table(settings) is None
    score = score_hand(read_hand(PREFLOP_FOLD), settings)
    assert score.settings == settings
    assert score.rounds[0].roe.stderr == 0


def test_hands_that_cannot_be_scored_are_refused() -> None:
    hand = read_hand(RIVER_FOLD)
    with pytest.raises(BadInput, match="both holdings must be known"):
        score_hand(replace(hand, holes=(hand.holes[0], None)))
    with pytest.raises(BadInput, match="not limit betting"):
        score_hand(replace(hand, rules=HEADS_UP_NO_LIMIT))
    with pytest.raises(BadInput, match="stacks too short"):
        score_hand(replace(hand, rules=limit_holdem(stack=60)))


def test_hands_of_any_stakes_score_alike() -> None:
    rng = np.random.default_rng(8)
    hand = random_hand(rng, rules=limit_holdem(small_bet=2), raises=0.6)
    other = random_hand(np.random.default_rng(8), rules=limit_holdem(small_bet=600), raises=0.6)
    assert score_hand(hand).as_json() == score_hand(other).as_json()


def test_luck_of_the_deal_is_what_the_cards_are_worth() -> None:
    score = score_hand(read_hand("AsAd,7c2d SlF"))
    assert score.rounds[0].street is Street.PREFLOP
    table = find_table(STANDARD)
    assert table is not None
    dealt = float(table.value(parse_holding("AsAd"), parse_holding("7c2d"), 2))
    assert score.rounds[0].luck == pytest.approx(dealt - table.position().value, abs=1e-12)
