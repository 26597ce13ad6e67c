"""Bets and stacks that a blueprint does not know, in terms of those that it does."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.solve.abstraction import CardBlind
from railbird.solve.nolimit.betting import next_decision, nolimit_tree
from railbird.solve.nolimit.following import (
    ALL_IN,
    Done,
    Line,
    bet_sizes_of,
    translated,
    weight_of_lower,
)
from railbird.solve.nolimit.strategy import Depth, NoLimitStrategy
from railbird.solve.spot.tree import ActKind

MENU = "opens = 2x, 3x, a; reraises = a; bets = 50%, 100%, a; raises = a"
SIZES = [(0.0, 1.0), (0.25, 0.75), (0.5, 2.0), (1.0, 20.0)]

# The properties that Ganzfried and Sandholm (2013) ask of a mapping, section 6, and the reason for
# this one, section 7: between the sizes of a bettor who is right or bluffs, the mapping is a half
# where a caller is indifferent.


@pytest.mark.parametrize(("low", "high"), SIZES)
def test_a_size_of_the_menu_is_itself(low: float, high: float) -> None:
    assert weight_of_lower(low, low, high) == 1
    assert weight_of_lower(high, low, high) == 0


@pytest.mark.parametrize(("low", "high"), SIZES)
def test_a_larger_bet_is_less_like_the_smaller_size(low: float, high: float) -> None:
    weights = [weight_of_lower(size, low, high) for size in np.linspace(low, high, 50)]
    assert np.all(np.diff(weights) < 0)


@pytest.mark.parametrize(("low", "high"), SIZES)
def test_little_more_of_a_bet_changes_little(low: float, high: float) -> None:
    steepest = (1 + high) * (1 + low) / ((high - low) * (1 + low) ** 2)
    for size in np.linspace(low, high, 50)[:-1]:
        more = (high - low) / 1_000
        change = weight_of_lower(size, low, high) - weight_of_lower(size + more, low, high)
        assert 0 < change <= steepest * more * (1 + 1e-9)


@pytest.mark.parametrize(("low", "high"), SIZES)
def test_it_is_a_half_where_the_harmonic_mean_says(low: float, high: float) -> None:
    middle = (low + high + 2 * low * high) / (low + high + 2)
    assert weight_of_lower(middle, low, high) == pytest.approx(0.5)


def test_published_points() -> None:
    """Of the table of section 8: sizes 0.01 and 1, bets of a fifth and of half the pot."""
    assert weight_of_lower(1 / 3, 0, 1) == pytest.approx(0.5)
    assert weight_of_lower(0.5, 0.01, 1) == pytest.approx(0.340, abs=1e-3)


def test_chips_of_another_size_change_nothing() -> None:
    """Sizes are parts of the pot, so that all amounts times a number are the same bet."""
    trees = [nolimit_tree(MENU, stack) for stack in (50, 100)]
    nodes = [next_decision(tree.root.children[1]) for tree in trees]
    for node in nodes:
        assert node is not None
        assert translated(node, Done(ActKind.BET, 1.2), 30.0) == translated(
            trees[0].root.children[1], Done(ActKind.BET, 1.2), 30.0
        )


def uniform(*stacks: int) -> NoLimitStrategy:
    depths = []
    for stack in stacks:
        tree = nolimit_tree(MENU, stack)
        depths.append(
            Depth(MENU, stack, tuple(np.ones((1, n), dtype=np.uint8) for n in tree.actions))
        )
    return NoLimitStrategy(MENU, CardBlind(), tuple(depths))


def test_a_stack_between_two_is_both() -> None:
    strategy = uniform(20, 50, 100)
    found = strategy.between(np.sqrt(50 * 100))
    assert [depth.stack for depth, _ in found] == [50, 100]
    assert [weight for _, weight in found] == pytest.approx([0.5, 0.5])
    assert [(depth.stack, weight) for depth, weight in strategy.between(50)] == [(50, 1.0)]
    assert [depth.stack for depth, _ in strategy.between(3)] == [20]
    assert [depth.stack for depth, _ in strategy.between(900)] == [100]


def test_a_hand_is_followed_in_all_places_it_may_be_at() -> None:
    line = Line.begin(uniform(100), 100)
    (root,) = line.places
    sizes = bet_sizes_of(root.node)
    assert sizes[2:] == [0.5, 1.0, ALL_IN]
    assert np.isnan(sizes[:2]).all()
    opened = line.after(Done(ActKind.BET, 0.75), 49.5)
    low = weight_of_lower(0.75, 0.5, 1.0)
    assert [place.weight for place in opened.places] == pytest.approx([1 - low, low])
    assert [place.node.paid for place in opened.places] == [(100, 300), (100, 200)]
    called = opened.after(Done(ActKind.CALL), 49.5)
    assert [place.node.paid for place in called.places] == [(300, 300), (200, 200)]
    assert [place.node.street for place in called.places] == [0, 0]
    # A bet of all is all-in everywhere, and after a call of it nothing is left.
    shoved = called.after(Done(ActKind.BET, ALL_IN), 10.0)
    assert [max(place.node.paid) for place in shoved.places] == [10_000, 10_000]
    assert shoved.after(Done(ActKind.CALL), 10.0).places == ()
    assert shoved.after(Done(ActKind.CALL), 10.0).after(Done(ActKind.CALL), 1.0).places == ()


def test_how_likely_an_action_was() -> None:
    line = Line.begin(uniform(100), 100)
    states = np.zeros(3, dtype=np.int32)
    for done in (
        Done(ActKind.FOLD),
        Done(ActKind.CALL),
        Done(ActKind.BET, 0.75),
        Done(ActKind.BET, ALL_IN),
    ):
        assert line.likelihood(states, done, 49.5) == pytest.approx(np.full(3, 0.2))
    assert Line(()).likelihood(states, Done(ActKind.CALL), 1.0) == pytest.approx(np.ones(3))


def test_a_small_bet_is_the_smallest_and_a_large_one_of_few_the_largest() -> None:
    tree = nolimit_tree(MENU, 100)
    assert translated(tree.root, Done(ActKind.BET, 0.1), 50.0) == {2: 1.0}
    assert translated(tree.root, Done(ActKind.BET, 0.7), 0.8) == {
        2: pytest.approx(weight_of_lower(0.7, 0.5, 0.8)),
        4: pytest.approx(1 - weight_of_lower(0.7, 0.5, 0.8)),
    }
    shoved = tree.root.children[4]
    assert translated(shoved, Done(ActKind.BET, 0.5), 1.0) == {}
