"""Odds of a hand class on every flop, beside counts of all run-outs of single flops."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, CLASSES, Card, Holding, cards_of, parse_class
from railbird.cards.isomorphism.boards import board_classes
from railbird.errors import BadInput
from railbird.odds import open_matrix, showdown_odds
from railbird.odds.preflop_value import flop_values as flop_values_module
from railbird.odds.preflop_value.flop_values import (
    class_values,
    flop_values,
    holdings_of,
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
