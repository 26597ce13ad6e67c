"""What must hold for every hand, whoever played it and by whatever baseline it is scored."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.random_records import random_hand
from railbird.assessment import (
    HandScore,
    SampledPreflopValues,
    Scorer,
    assess,
    open_scorer,
    score_hand,
)
from railbird.assessment.limit_layout import batch_of
from railbird.baseline import baseline_line, parse_settings
from railbird.cards import Card, cards_of
from railbird.game import Street, limit_holdem
from railbird.histories import HandRecord
from railbird.odds.rank_tables import open_tables

_TOGETHER = [set(pair) for pair in product("kb", repeat=2)]
_TOGETHER += [set(pair) for pair in product("kr", repeat=2)]
_TOGETHER += [set(pair) for pair in product("fcr", repeat=2)]
"""Actions that one player can choose between."""

UNCAPPED = limit_holdem(max_raises=None)

specs = st.sampled_from(
    ["standard", "pot=facing-bet", "loose-high", "turn.make1=0.3", "multiplier=1.4"]
)
seeds = st.integers(0, 2**32 - 1)


@cache
def _scorer(spec: str) -> Scorer:
    chosen = parse_settings(spec)
    sampled = SampledPreflopValues(chosen, open_tables(), samples=16)
    return open_scorer(chosen, values=None if spec == "standard" else sampled)


def _scored(seed: int, spec: str) -> HandScore:
    return score_hand(random_hand(np.random.default_rng(seed)), scorer=_scorer(spec))


@pytest.mark.slow
@given(seeds, specs)
def test_money_is_skill_and_luck_and_position(seed: int, spec: str) -> None:
    hand = _scored(seed, spec)
    assert hand.divat + hand.luck + hand.position == pytest.approx(hand.money, abs=1e-9)


@pytest.mark.slow
@given(seeds)
@settings(max_examples=25)
def test_so_it_is_beyond_the_cap(seed: int) -> None:
    record = random_hand(np.random.default_rng(seed), rules=UNCAPPED, folds=0.02, raises=0.75)
    hand = score_hand(record, scorer=_scorer("standard"))
    assert hand.divat + hand.luck + hand.position == pytest.approx(hand.money, abs=1e-9)


@pytest.mark.slow
@given(seeds, specs)
def test_decisions_add_up_to_their_round(seed: int, spec: str) -> None:
    for row in _scored(seed, spec).rounds:
        total = sum(-d.divat if d.player else d.divat for d in row.decisions)
        assert total == pytest.approx(row.roe.difference, abs=1e-9)


@given(seeds, specs)
def test_nobody_is_judged_for_following_the_baseline(seed: int, spec: str) -> None:
    for row in _scored(seed, spec).rounds:
        for decision in row.decisions:
            if decision.action == decision.baseline:
                assert decision.divat == 0
        if row.actual == row.baseline:
            assert row.roe.difference == row.aie.difference == 0


@given(seeds)
def test_nothing_beats_the_best_action(seed: int) -> None:
    for decision in (d for row in _scored(seed, "standard").rounds for d in row.decisions):
        assert decision.evat <= 0
        assert (decision.evat == 0) == (decision.best == decision.action)


@given(seeds)
def test_the_best_action_could_have_been_taken(seed: int) -> None:
    for row in _scored(seed, "standard").rounds:
        before = ""
        for decision in row.decisions:
            line = baseline_line(row.street, *row.classes, after=before + decision.best)
            assert line.text.startswith(before + decision.best)
            assert {decision.action.lower(), decision.best.lower()} in _TOGETHER
            before += decision.action


def _with_card(record: HandRecord, place: int, card: Card) -> HandRecord:
    """The same betting on a board with another card in one place."""
    board = list(record.board)
    if card in board:
        board[board.index(card)] = board[place]
    board[place] = card
    return replace(record, board=tuple(board))


def _cards_left(record: HandRecord, dealt: int) -> list[Card]:
    gone = {card for hole in record.holes if hole is not None for card in cards_of(hole)}
    gone.update(record.board[:dealt])
    return [Card(card) for card in range(52) if card not in gone]


@given(seeds, specs, st.sampled_from([Street.FLOP, Street.TURN]))
@settings(max_examples=40)
def test_value_is_the_mean_over_the_next_card(seed: int, spec: str, street: Street) -> None:
    """What makes the estimator unbiased (Kan 2007, 4.1)."""
    record = random_hand(np.random.default_rng(seed), folds=0.0)
    dealt = street + 2
    further = [_with_card(record, dealt, card) for card in _cards_left(record, dealt)]
    scores = _scorer(spec).score(batch_of([record, *further]))
    assert scores.actual[0, street] == pytest.approx(
        scores.baseline[1:, street + 1].mean(), abs=1e-9
    )


@pytest.mark.slow(but=["1"])
@pytest.mark.parametrize("seed", [1, 2])
def test_value_before_the_flop_is_the_mean_over_all_flops(seed: int) -> None:
    record = random_hand(np.random.default_rng(seed), folds=0.0)
    flops = combinations(_cards_left(record, 0), 3)
    turn_and_river = record.board[3:]
    boards = [(*flop, *_others(flop, record, turn_and_river)) for flop in flops]
    scores = _scorer("standard").score(batch_of([replace(record, board=board) for board in boards]))
    assert len(boards) == 17_296
    assert scores.actual[0, 0] == pytest.approx(scores.baseline[:, 1].mean(), abs=1e-9)


def _others(
    flop: tuple[Card, ...], record: HandRecord, wanted: tuple[Card, ...]
) -> tuple[Card, ...]:
    """A turn and a river that do not lie on the flop."""
    free = [card for card in (*wanted, *_cards_left(record, 5)) if card not in flop]
    return tuple(free[:2])


@pytest.mark.slow
@given(seeds)
@settings(max_examples=8)
def test_swapping_names_turns_every_sign(seed: int) -> None:
    rng = np.random.default_rng(seed)
    records = [
        random_hand(rng, players=("Ann", "Bob") if i % 2 else ("Bob", "Ann")) for i in range(4)
    ]
    ann, bob = (assess(records, player=name, threads=1) for name in ("Ann", "Bob"))
    assert ann.players == bob.players[::-1]
    turned = [name for name in ann.scores.columns if ann.scores[name].dtype == pl.Float64]
    for name in turned:
        if name != "redgreen":
            assert ann.scores[name].to_list() == [-x for x in bob.scores[name]]
    credit = ann.scores["redgreen"] - bob.scores["redgreen"]
    assert credit.to_list() == pytest.approx(ann.scores["divat"].to_list(), abs=1e-9)


@pytest.mark.slow
@given(seeds)
@settings(max_examples=8)
def test_a_duplicate_pair_has_no_luck_of_the_deal(seed: int) -> None:
    """With the seats exchanged what the deal brings comes from both sides, position included."""
    rng = np.random.default_rng(seed)
    first = random_hand(rng, folds=0.0, number=1)
    second = replace(first, players=first.players[::-1])
    scores = assess([first, second], threads=1).scores
    for name in ("money", "divat", "luck_preflop", "luck_flop", "position", "aie", "evat"):
        assert scores[name].sum() == pytest.approx(0, abs=1e-9)
    assert scores["pair"].to_list() == [0, 0]
