"""Bounds from sampled flops beside exact values, on decks where both can be computed."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy.stats import qmc

from railbird.cards import parse_cards
from railbird.errors import BadInput
from railbird.solve.limit import CALL
from railbird.solve.real_game import (
    Draws,
    OneRowStrategy,
    PublicTree,
    always,
    bounds,
    draw_flops,
    exact_value,
    flops_in_order,
    public_best_response,
    public_tree,
)
from solve.real_game.test_best_response import looking_at_cards, small_betting

DECK = parse_cards("2c3c4c5c6c2d3d4d5d6d2h4h6h")
MISSING = tuple(card for card in range(52) if card not in DECK)


def first(draws: Draws, count: int) -> Draws:
    return Draws(draws.flops[:count], draws.places[:count])


@pytest.fixture(scope="module")
def computed() -> tuple[list[PublicTree], dict[int, np.ndarray]]:
    strategy = looking_at_cards(small_betting((1, 1, 0, 0)))
    trees = [PublicTree(strategy, player=player, missing=MISSING) for player in (0, 1)]
    boards = trees[0].flops().boards
    results = {
        flop: np.array([tree.after_flop(board) for tree in trees])
        for flop, board in enumerate(boards)
    }
    return trees, results


@pytest.mark.slow
def test_joined_flops_are_the_whole_pass(
    computed: tuple[list[PublicTree], dict[int, np.ndarray]],
) -> None:
    trees, results = computed
    strategy = looking_at_cards(small_betting((1, 1, 0, 0)))
    found = exact_value(trees, trees[0].flops(), results)
    for player in (0, 1):
        whole = public_best_response(strategy, player=player, missing=MISSING)
        assert found[player] == pytest.approx(whole, abs=1e-9)


@pytest.mark.slow
def test_bounds_enclose_the_exact_value(
    computed: tuple[list[PublicTree], dict[int, np.ndarray]],
) -> None:
    trees, results = computed
    flops = trees[0].flops()
    assert flops.orbit.sum() == comb(len(DECK), 3)
    exact = float(np.mean(exact_value(trees, flops, results)))
    lower, upper, inside, errors = [], [], 0, []
    for seed in range(60):
        found = bounds(trees, first(draw_flops(flops, seed), 16), results)
        assert found.lower.value <= found.upper.value + 1e-12
        lower.append(found.lower.value)
        upper.append(found.upper.value)
        inside += found.lower.low <= exact <= found.upper.high
        errors.append(found.upper.stderr)
    spread = np.std(lower) / np.sqrt(60)
    # The lower bound has no bias but that of play chosen on eight flops; the upper one is above.
    assert np.mean(lower) < exact + 3 * spread
    assert np.mean(upper) > exact - 3 * spread
    assert np.mean(upper) - np.mean(lower) > 0
    assert inside >= 54
    assert 0.5 < np.mean(errors) / np.std(upper) < 2
    many = bounds(trees, first(draw_flops(flops, 1), 4096), results)
    assert many.upper.value == pytest.approx(exact, abs=4 * many.upper.stderr + 1e-3)


@pytest.mark.parametrize("seed", [0, 1, 2026])
def test_the_scrambled_sequence_is_scipys(seed: int) -> None:
    """Draw for draw, for the places of flops are part of results that people keep."""
    expected = qmc.Sobol(1, scramble=True, rng=np.random.default_rng(seed)).random(256)[:, 0]
    found = public_tree._scrambled_sobol(256, np.random.default_rng(seed))
    np.testing.assert_array_equal(found, expected)


def test_draws_are_uniform_and_spread() -> None:
    tree = PublicTree(OneRowStrategy(always(CALL)), player=0)
    flops = tree.flops()
    assert len(flops.boards) == 1755
    draws = draw_flops(flops, 3)
    counts = np.bincount(draws.flops, minlength=1755) / len(draws.flops) * 22_100
    # A class is drawn as often as it has flops.
    assert np.abs(counts - flops.orbit).max() < 6
    suits = np.array([len({card % 4 for card in board}) for board in flops.boards.tolist()])
    shares = [flops.orbit[suits == n].sum() / 22_100 for n in (1, 2, 3)]
    for half in (0, 1):
        sample = suits[first(draws, 128).flops[half::2]]
        found = [np.mean(sample == n) for n in (1, 2, 3)]
        assert np.abs(np.array(found) - shares).max() <= 2 / 64
    order = flops_in_order(flops, draws, 3)
    assert sorted(order) == list(range(1755))
    assert order[:1] == draws.flops[:1].tolist()


def test_refusals(computed: tuple[list[PublicTree], dict[int, np.ndarray]]) -> None:
    trees, results = computed
    draws = draw_flops(trees[0].flops(), 0)
    with pytest.raises(BadInput, match="2 flops; allowed: 4 or more"):
        bounds(trees, first(draws, 3), results)
    with pytest.raises(BadInput, match="allowed: equal blinds, bets and caps"):
        PublicTree(
            OneRowStrategy(always(CALL)),
            player=0,
            own=OneRowStrategy(always(CALL, small_betting((1, 1, 1, 1)))),
        )
