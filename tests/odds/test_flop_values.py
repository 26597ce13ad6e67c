"""Odds of a hand class on every flop, beside counts of all run-outs of single flops."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, CLASSES, Card, Holding, cards_of, parse_class
from railbird.cards.isomorphism import board_classes
from railbird.errors import BadInput
from railbird.odds import flop_values as flop_values_module
from railbird.odds import open_matrix, showdown_odds
from railbird.odds.flop_values import (
    call_share,
    class_values,
    first_bet_share,
    flop_values,
    holdings_of,
    needed_in_whole_hand,
    needed_to_win,
    sum_over_boards,
)

WIDE = np.ones(CLASSES)
TIGHT = np.zeros(CLASSES)
for name, weight in {"AA": 1, "KK": 1, "QQ": 1, "AKs": 1, "AKo": 0.5, "76s": 1}.items():
    TIGHT[parse_class(name)] = weight


HEROES = holdings_of(parse_class("A5s"))


@pytest.fixture(scope="module")
def sums() -> np.ndarray:
    """All boards, which take a core some seconds."""
    return sum_over_boards(HEROES, [TIGHT], WIDE, 1)


@pytest.mark.slow
def test_single_flops_are_as_counted_one_by_one(sums: np.ndarray) -> None:
    """Monotone, paired and rainbow flops: their suits can be renamed in different ways."""
    flops = board_classes(3).representative
    ranges = [TIGHT[CLASS_OF_HOLDING], WIDE[CLASS_OF_HOLDING]]
    rng = np.random.default_rng(1)
    suits = np.array([len({card % 4 for card in flop}) for flop in flops.tolist()])
    chosen = [rng.choice(np.flatnonzero(suits == n)) for n in (1, 2, 2, 3, 3)]
    for row in chosen:
        flop = [Card(card) for card in flops[row].tolist()]
        for place, hero in enumerate(HEROES.tolist()):
            if {*cards_of(Holding(hero))} & {*flop}:
                assert not sums[row, place].any()
                continue
            odds = sums[row, place, 0] / sums[row, place, 1]
            one = showdown_odds(Holding(hero), flop, ranges[:1]).joint
            two = showdown_odds(Holding(hero), flop, ranges).power
            assert odds[0] == pytest.approx(one, abs=2e-5)
            assert odds[1] == pytest.approx(two, abs=5e-5)


@pytest.mark.slow
def test_all_flops_together_are_the_exact_equity(sums: np.ndarray) -> None:
    values = class_values(sums)
    assert values.flops.sum() == pytest.approx(1)
    weight = values.flops @ values.whole
    equity = float((values.flops @ values.won)[0] / weight[0])
    matrix = open_matrix().equity
    pairs = matrix[HEROES]
    weights = np.where(np.isfinite(pairs), TIGHT[CLASS_OF_HOLDING], 0.0)
    assert equity == pytest.approx(
        float((np.nan_to_num(pairs) * weights).sum() / weights.sum()), abs=2e-5
    )


def test_what_was_computed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird._paths.cache_folder", lambda: tmp_path)
    computed = []

    def sums_of(heroes: np.ndarray, *opponents: object, progress: object) -> np.ndarray:
        computed.append(len(heroes))
        return np.random.default_rng(1).random((1755, len(heroes), 2, 1), dtype=np.float32)

    monkeypatch.setattr(flop_values_module, "sum_over_boards", sums_of)
    hand = parse_class("72o")
    first = flop_values(hand, [TIGHT], None, 0)
    (kept,) = (tmp_path / "preflop_values").glob("*.npz")
    again = flop_values(hand, [TIGHT], None, 0)
    assert computed == [12]
    assert np.array_equal(first.won, again.won)
    kept.write_bytes(b"damaged")
    os.utime(kept)
    assert np.array_equal(flop_values(hand, [TIGHT], None, 0).won, first.won)
    assert kept.stat().st_size > 1000
    flop_values(hand, [WIDE], None, 0)
    assert computed == [12, 12, 12]


@pytest.mark.parametrize("acted", [[], [np.zeros(CLASSES)], [np.ones(5)], [-np.ones(CLASSES)]])
def test_no_opponent_is_refused(acted: list[np.ndarray]) -> None:
    with pytest.raises(BadInput, match="allowed"):
        sum_over_boards(holdings_of(parse_class("72o")), acted, None, 0)


# Shares of hands in games of one chip, beside the source's formula solved otherwise.


@pytest.mark.parametrize("needed", [0.25, 0.4, 0.5])
@pytest.mark.parametrize("ahead", range(1, 10))
def test_the_share_solves_the_sources_equation(ahead: int, needed: float) -> None:
    assert (1 - first_bet_share(ahead, needed)) ** ahead == pytest.approx(needed)


def test_a_hand_at_the_share_beats_that_part_of_the_bettor() -> None:
    first = first_bet_share(5, 0.4)
    # The hand at the share of the call lies in the first (1 - needed) of the bettor's hands.
    assert 1 - call_share(first, 0.3) / first == pytest.approx(0.3)


def test_later_bets_wash_out_the_blinds() -> None:
    assert needed_in_whole_hand(1.5, 1, later_bets=0) == needed_to_win(1.5, 1) == 0.4
    assert needed_in_whole_hand(1.5, 1, later_bets=1e9) == pytest.approx(0.5)
    several = needed_in_whole_hand(1.5, 1, later_bets=5, payers=3)
    assert several < needed_to_win(1.5, 1)


def test_the_last_to_act_needs_nothing() -> None:
    assert first_bet_share(0, 0.5) == 1


def test_what_cannot_be_is_refused() -> None:
    calls: tuple[Callable[[], float], ...] = (
        lambda: needed_to_win(0, 0),
        lambda: needed_to_win(-1, 1),
        lambda: first_bet_share(-1, 0.5),
        lambda: first_bet_share(2, 1.5),
        lambda: call_share(2, 0.5),
        lambda: needed_in_whole_hand(1, 1, later_bets=-1),
    )
    for call in calls:
        with pytest.raises(BadInput, match="allowed"):
            call()
