"""Equities beside direct enumeration in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from railbird.cards import HOLDINGS, Card, Holding, Range, parse_cards
from railbird.odds.equity.all_in_equity import Equity, Method, Mode, equity
from twins import slow_odds

Weights = dict[Holding, Fraction]


def random_range(rng: np.random.Generator, size: int, *, weighted: bool) -> Weights:
    chosen = rng.choice(HOLDINGS, size, replace=False).tolist()
    # Binary fractions, so that floats hold the weights exactly.
    weights = [Fraction(int(n), 8) for n in rng.integers(1, 9, size)]
    return {
        Holding(holding): weight if weighted else Fraction(1)
        for holding, weight in zip(chosen, weights, strict=True)
    }


def as_range(weights: Weights) -> Range:
    array = np.zeros(HOLDINGS)
    for holding, weight in weights.items():
        array[holding] = float(weight)
    return Range(array)


def check(result: Equity, players: list[Weights], board: list[Card], dead: list[Card]) -> None:
    trials, expected = slow_odds.equity(players, board, dead)
    assert result.trials == trials
    for player, (win, tie, share) in zip(result.players, expected, strict=True):
        assert player.win == win
        assert player.tie == tie
        assert player.lose == trials - win - tie
        assert player.equity == pytest.approx(float(share / trials), abs=1e-14)
        assert player.stderr == 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("cards", "size"), [(5, 60), (4, 8), (3, 2)])
def test_two_ranges(cards: int, size: int, weighted: bool) -> None:
    rng = np.random.default_rng(cards)
    deck = [Card(card) for card in rng.permutation(52).tolist()]
    board, dead = deck[:cards], deck[cards : cards + 2]
    players = [random_range(rng, size, weighted=weighted) for _ in range(2)]
    check(equity([as_range(p) for p in players], board, dead=dead), players, board, dead)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("cards", "size"), [(5, 12), (4, 4)])
def test_three_ranges(cards: int, size: int, weighted: bool) -> None:
    rng = np.random.default_rng(cards)
    deck = [Card(card) for card in rng.permutation(52).tolist()]
    board = deck[:cards]
    players = [random_range(rng, size, weighted=weighted) for _ in range(3)]
    result = equity([as_range(p) for p in players], board)
    assert result.method is Method.DEALS
    check(result, players, board, [])


def test_ten_hands_on_a_flop() -> None:
    deck = list(range(52))
    rng = np.random.default_rng(3)
    cards = rng.permutation(deck)[:23].reshape(-1)
    board = [Card(card) for card in cards[:3].tolist()]
    holdings = [
        Holding(max(pair) * (max(pair) - 1) // 2 + min(pair))
        for pair in cards[3:].reshape(10, 2).tolist()
    ]
    result = equity(holdings, board)
    check(result, [{holding: Fraction(1)} for holding in holdings], board, [])


def test_sweep_and_deals_agree_before_the_flop_with_dead_cards() -> None:
    dead = parse_cards("2c2d")
    pair = equity(["AhKh", "QsQd"], dead=dead)
    assert pair.method is Method.DEALS
    whole = equity(["AhKh", "AcKc"], dead="Ad Kd Ts 9s")
    assert pair.trials == 1_370_754  # C(46, 5)
    assert sum(player.equity for player in whole.players) == pytest.approx(1)


def test_samples_agree_with_the_exact_equity() -> None:
    players = ["QQ+,AK", "TT-77,AQ:0.5", "KQs,JTs"]
    exact = equity(players, "Kh7c2d", mode=Mode.EXACT)
    rng = np.random.default_rng(8)
    drawn = equity(players, "Kh7c2d", mode=Mode.SAMPLED, samples=200_000, rng=rng)
    assert not drawn.exact
    assert drawn.trials == 200_000
    for ours, theirs in zip(drawn.players, exact.players, strict=True):
        assert 0 < ours.stderr < 0.0012
        assert abs(ours.equity - theirs.equity) < 5 * ours.stderr
