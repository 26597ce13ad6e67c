"""Ranks against a typical opponent as a setting: what it changes, and what it must not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from helpers.random_records import random_hand
from railbird.assessment import assess, find_table, score_hand
from railbird.assessment.decision_divat.match import assess_batches
from railbird.assessment.decision_divat.settings import baseline_for
from railbird.assessment.divat import typical_opponent
from railbird.assessment.divat.preflop_builder import compute_table
from railbird.assessment.divat.typical_opponent import tables_for, typical_weights
from railbird.baseline import STANDARD, parse_settings
from railbird.cards import parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import batch_of
from railbird.odds.tables.rank_tables import open_tables

TYPICAL = parse_settings("opponent=typical")
EXAMPLE = read_hand("T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC")


def match(n: int) -> list[HandRecord]:
    rng = np.random.default_rng(12)
    return [random_hand(rng, players=("Ann", "Bob"), number=i) for i in range(n)]


def test_a_middling_hand_is_worth_less_against_what_is_played() -> None:
    uniform, typical = open_tables(), tables_for(TYPICAL)
    assert tables_for(STANDARD).flop_ihr is not typical.flop_ihr
    place = uniform.place(parse_cards("Td5hTh"), parse_holding("Jd5d"))
    assert typical.flop_ihr[place] < uniform.flop_ihr[place]
    assert typical.flop_hr7[place] < uniform.flop_hr7[place]
    assert np.array_equal(typical.preflop_hr7, uniform.preflop_hr7)


def test_weights_prefer_what_is_played() -> None:
    weights = typical_weights()
    aces, worst = (weights[parse_holding(text)] for text in ("AsAh", "7c2d"))
    assert aces == 1.0
    assert 0 < worst < 0.1
    assert weights[parse_holding("AsKs")] == weights[parse_holding("AsKh")]


def test_money_is_still_position_and_luck_and_decisions() -> None:
    found = assess(match(200), settings=TYPICAL)
    parts = sum(
        found.scores[name]
        for name in (
            "position",
            "divat",
            *(f"luck_{s}" for s in ("preflop", "flop", "turn", "river")),
        )
    )
    assert (found.scores["money"] - parts).abs().max() < 1e-9  # type: ignore[operator]
    uniform = assess(match(200))
    assert found.scores["divat"].to_list() != uniform.scores["divat"].to_list()
    assert found.settings[0].name == "opponent=typical"


def test_a_table_of_values_against_any_two_cards_is_not_taken_for_it() -> None:
    assert find_table(STANDARD) is not None
    assert find_table(TYPICAL) is None


def test_one_hand_shows_the_ranks_that_were_used() -> None:
    rounds = score_hand(EXAMPLE, TYPICAL).rounds
    uniform = score_hand(EXAMPLE).rounds
    assert rounds[1].ihr[1] < uniform[1].ihr[1]
    assert rounds[0].ihr == uniform[0].ihr


def test_decision_by_decision_too() -> None:
    batch = batch_of(match(60))
    policy = baseline_for(HEADS_UP_LIMIT, TYPICAL)
    found = assess_batches([(batch, ())], policy=policy, boards=8)
    uniform = assess_batches([(batch, ())], boards=8)
    scores = found.scores
    luck = sum(scores[f"luck_{name}"] for name in ("deal", "flop", "turn", "river"))
    rest = scores["money"] + scores["rake"] - luck - scores["own"] - scores["others"]
    assert (rest - scores["position"]).abs().max() < 1e-9  # type: ignore[operator]
    assert scores["divat"].to_list() != uniform.scores["divat"].to_list()


def test_no_table_is_built_for_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="opponent=typical goes by samples"):
        compute_table(TYPICAL, checkpoint=tmp_path / "checkpoint")


def test_threads_make_the_tables_once() -> None:
    typical_opponent._typical_tables.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: typical_opponent.typical_tables(), range(4)))
    assert len({id(tables) for tables in made}) == 1
