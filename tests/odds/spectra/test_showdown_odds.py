"""Odds against weighted opponents on every run-out, beside independent counts of the same."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from railbird.cards import (
    HOLDING_CARDS,
    Card,
    CardsLike,
    Holding,
    Range,
    cards_of,
    holding_of,
    parse_cards,
    parse_holding,
    strength,
)
from railbird.errors import BadInput
from railbird.odds import Mode, equity, open_matrix, raw_odds, showdown_odds
from railbird.odds.spectra.run_outs import compare_run_outs
from railbird.odds.spectra.showdown import joint_odds, power_odds
from railbird.odds.win_probability.win_probability import win_probability

TIGHT, LOOSE = "QQ+, AK:0.5, 76s", "top 30%"


def random_state(rng: np.random.Generator, board: int) -> tuple[Holding, tuple[Card, ...]]:
    cards = [Card(card) for card in rng.permutation(52)[: 2 + board].tolist()]
    return holding_of(cards[0], cards[1]), tuple(cards[2:])


def against_one(rng: np.random.Generator, states: int) -> None:
    """Compare with counts by ranks and suits, which evaluate no holding one by one."""
    for _ in range(states):
        holding, board = random_state(rng, int(rng.choice([3, 4, 5])))
        odds = showdown_odds(holding, board, ["random"])
        exact = win_probability(holding, board).share
        assert odds.joint == pytest.approx(exact, abs=1e-12), (holding, board)
        assert odds.power == pytest.approx(exact, abs=1e-12)


def test_against_one_the_odds_are_the_exact_equity_with_ties_half() -> None:
    against_one(np.random.default_rng(1), 60)
    matrix = open_matrix()
    rng = np.random.default_rng(2)
    for holding in rng.integers(0, 1326, 20):
        mean = np.nanmean(matrix.equity[holding])
        assert showdown_odds(holding, (), ["random"]).joint == pytest.approx(mean, abs=1e-12)


@pytest.mark.slow
def test_in_ten_thousand_states_the_odds_are_the_exact_equity() -> None:
    against_one(np.random.default_rng(3), 10_000)


@pytest.mark.parametrize(
    ("board", "wide"),
    [
        ("Ks9s2d", TIGHT),
        pytest.param("Ks9s2d", LOOSE, marks=pytest.mark.slow),
        ("Ks9s2dTh", LOOSE),
        ("Ks9s2dTh4c", LOOSE),
        ("KsQsJsTs9s", LOOSE),
    ],
)
def test_against_one_or_two_ranges_the_odds_are_those_of_all_deals(board: str, wide: str) -> None:
    """Both loose on a flop are 100 million deals."""
    for ranges in ([TIGHT], [wide], [TIGHT, wide], [wide, wide]):
        exact = equity(["As5d", *ranges], board, mode=Mode.EXACT).players[0].equity
        assert showdown_odds("As5d", board, ranges).joint == pytest.approx(exact, abs=1e-12)


def test_pairs_of_holdings_on_a_river_are_those_that_can_be_dealt() -> None:
    """Three opponents too, whose odds are only corrected: the twin deals all their holdings."""
    hole, board = parse_holding("AsTh"), parse_cards("Ts8d2c7h3s")
    ranges = [Range.parse(text).weights for text in ("T9s, 88, AA", "ATo, 98s, KK", "77, 65s")]
    known = {*cards_of(hole), *board}
    mine = strength([*cards_of(hole), *board])
    share = whole = 0.0
    holdings = [
        [
            (tuple(HOLDING_CARDS[h].tolist()), weights[h])
            for h in np.flatnonzero(weights)
            if known.isdisjoint(HOLDING_CARDS[h].tolist())
        ]
        for weights in ranges
    ]
    for one, first in holdings[0]:
        for two, second in holdings[1]:
            for three, third in holdings[2]:
                if len({*one, *two, *three}) == 6:
                    ways = first * second * third
                    best = [strength([*cards, *board]) for cards in (one, two, three)]
                    whole += ways
                    if mine >= max(best):
                        share += ways / (1 + best.count(mine))
    assert showdown_odds(hole, board, ranges).joint == pytest.approx(share / whole, abs=0.002)


@pytest.mark.parametrize(
    ("opponents", "deals"),
    [(3, 60_000), pytest.param(6, 400_000, marks=pytest.mark.slow), (9, 60_000)],
)
def test_the_correction_by_pairs_halves_the_error_of_independence(
    opponents: int, deals: int
) -> None:
    """Queens lose most by independence: whoever holds no card above them leaves it to others."""
    hole, board = parse_holding("QdQh"), parse_cards("Jc7d2s")
    run_outs = compare_run_outs(hole, board, [np.ones(1326)] * opponents)
    dealt = win_probability(hole, board, opponents=opponents, deals=deals)
    error = abs(joint_odds(run_outs) - dealt.share)
    assert error < 0.01
    assert error < abs(power_odds(run_outs) - dealt.share) / 2


def test_the_power_is_that_of_the_hand_ranks() -> None:
    for opponents in (1, 2, 5):
        ours = showdown_odds("As5s", "Ks9s2d", ["random"] * opponents).power
        assert ours == pytest.approx(raw_odds("As5s", "Ks9s2d", opponents=opponents), abs=1e-12)


def test_before_the_flop_boards_are_a_sample_with_a_standard_error() -> None:
    odds = showdown_odds("AsKs", "", ["random", "random"])
    dealt = equity(["AsKs", "random", "random"], samples=300_000, rng=np.random.default_rng(5))
    assert 0 < odds.stderr < 0.004
    assert odds.joint == pytest.approx(
        dealt.players[0].equity, abs=4 * odds.stderr + 4 * dealt.players[0].stderr
    )
    assert showdown_odds("AsKs", "", ["QQ"]).stderr == 0
    exact = equity(["AsKs", "QQ"]).players[0].equity
    assert showdown_odds("AsKs", "", ["QQ"]).joint == pytest.approx(exact, abs=1e-12)


def test_weights_scale_freely() -> None:
    weights = np.random.default_rng(6).random(1326)
    one, two = (showdown_odds("AsTh", "Ts8d2c", [w, w]) for w in (weights, weights * 1e6))
    assert one.joint == pytest.approx(two.joint, abs=1e-12)


def test_two_who_hold_the_same_two_aces_are_impossible() -> None:
    assert showdown_odds("KsKh", "Ts8d2c", ["AA", "AA"]).joint < 0.12
    with pytest.raises(BadInput, match="together"):
        showdown_odds("KsKh", "Ts8d2c", ["AsAd", "AsAd"])
    with pytest.raises(BadInput, match="together"):
        showdown_odds("KsKh", "Ts8d2c", ["AsAd", "AsAd", "random"])


@pytest.mark.parametrize(
    ("opponents", "said"),
    [
        ([], "0 opponents"),
        (["random"] * 23, "23 opponents"),
        (["AsAd"], "no holdings of the range"),
    ],
)
def test_what_cannot_be_is_refused(opponents: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        showdown_odds("AsKs", "Ts8d2c", opponents)


def test_all_boards_are_listed_once() -> None:
    from railbird.odds.spectra.run_outs import run_out_boards

    board: CardsLike = parse_cards("Ts8d2c")
    hole = parse_holding("AsKs")
    boards = run_out_boards(hole, parse_cards("Ts8d2c"))
    left = set(range(52)) - {*cards_of(hole), *board}
    expected = {frozenset({*board, *come}) for come in combinations(left, 2)}
    assert {frozenset(each) for each in boards.tolist()} == expected
    assert len(boards) == 1081
