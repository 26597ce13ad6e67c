"""Exact strength against two and three, compared with going through all their holdings."""

from __future__ import annotations

from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import (
    HOLDING_INDEX,
    Card,
    Holding,
    Range,
    cards_of,
    parse_cards,
    parse_holding,
    strength,
)
from railbird.errors import BadInput
from railbird.odds import hand_strength, joint_hand_strength


def by_enumeration(
    hole: Holding, board: tuple[Card, ...], *opponents: NDArray[np.float64]
) -> float:
    """The slow twin."""
    known = {*cards_of(hole), *board}
    mine = strength([*cards_of(hole), *board])
    hands = []
    for pair in combinations(sorted(set(range(52)) - known), 2):
        holding = int(HOLDING_INDEX[pair])
        if any(weights[holding] for weights in opponents):
            theirs = strength([Card(pair[0]), Card(pair[1]), *board])
            hands.append((set(pair), holding, 1.0 if mine > theirs else 0.5 * (mine == theirs)))
    won = whole = 0.0
    for held in product(hands, repeat=len(opponents)):
        if len(set.union(*(pair for pair, _, _ in held))) == 2 * len(held):
            likely = prod(weights[i] for weights, (_, i, _) in zip(opponents, held, strict=True))
            whole += likely
            won += likely * prod(ahead for _, _, ahead in held)
    return won / whole


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_sum_over_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(52)[: 5 + seed % 3].tolist()
    hole = Holding(int(HOLDING_INDEX[dealt[0], dealt[1]]))
    board = tuple(map(Card, dealt[2:]))
    one, other = (np.where(rng.random(1326) < 0.1, rng.random(1326), 0.0) for _ in range(2))
    assert joint_hand_strength(hole, board, one, other) == pytest.approx(
        by_enumeration(hole, board, one, other)
    )


@pytest.mark.parametrize("seed", range(3))
def test_with_three_it_is_the_sum_over_all_triples(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dealt = rng.permutation(52)[: 5 + seed].tolist()
    hole = Holding(int(HOLDING_INDEX[dealt[0], dealt[1]]))
    board = tuple(map(Card, dealt[2:]))
    three = [np.where(rng.random(1326) < 0.02, rng.random(1326), 0.0) for _ in range(3)]
    assert joint_hand_strength(hole, board, *three) == pytest.approx(
        by_enumeration(hole, board, *three)
    )


def test_opponents_who_cannot_hold_the_same_part_from_the_square() -> None:
    hole, flop = parse_holding("AdQc"), parse_cards("3h4cJh")
    anything = Range.full().weights
    joint = joint_hand_strength(hole, flop, anything, anything)
    square = hand_strength(hole, flop, opponents=2)
    assert joint != pytest.approx(square, abs=1e-5)
    assert joint == pytest.approx(square, abs=0.01)


@pytest.mark.parametrize(
    ("board", "one", "said"),
    [
        ("", "random", "before the flop"),
        ("3h4cJh", "AdQc", "no holdings"),
    ],
)
def test_what_cannot_be_is_refused(board: str, one: str, said: str) -> None:
    weights = Range.parse(one).weights
    with pytest.raises(BadInput, match=said):
        joint_hand_strength(parse_holding("AdQc"), parse_cards(board), weights, weights)


def test_three_cannot_hold_the_same_two_cards() -> None:
    held = Range.parse("KcKd").weights
    with pytest.raises(BadInput, match="three opponents no holdings"):
        joint_hand_strength(
            parse_holding("AdQc"), parse_cards("3h4cJh"), held, held, Range.full().weights
        )
