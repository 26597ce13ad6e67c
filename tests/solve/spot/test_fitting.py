"""Trees that fit: what goes in which order, sizes that are those of the solver, and refusals."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from railbird.errors import BadInput, TooLarge
from railbird.solve.spot import BetSizes, Lock, PreflopSpot, Spot, SpotSolver, same_sizes
from railbird.solve.spot.fitting import (
    COSTS,
    HALF,
    STEPS,
    fit_tree,
    fitted_trees,
    spot_lines,
    steps_alone,
)
from railbird.solve.spot.presets import PRESETS, USUAL_SIZES

TURN = Spot.of(
    "Td9d6hQc",
    "QQ,99,AKs,KJs,87s,A5s:0.5",
    "TT,66,KQs,J8s,AJs,76s:0.25",
    pot=20,
    stack=200,
    sizes=same_sizes(BetSizes.parse("33%, 75%, 150%", "2.5x, 4x")),
)


def _of_preset(name: str, board: str, street: str, **sizes: str) -> Spot:
    lines = dict(PRESETS[name].lines()) | USUAL_SIZES[street] | {"board": board} | sizes
    return Spot.parse("\n".join(f"{key} = {value}" for key, value in lines.items()))


def test_each_step_gives_up_one_detail_in_order() -> None:
    trees = list(fitted_trees(TURN))
    assert trees[0].given_up == ()
    assert trees[0].store == 32
    keys = [step.key for step in trees[-1].given_up]
    assert keys == [
        HALF,
        *("river-donks", "river-reraises", "turn-reraises", "river-raise"),
        *("river-bet", "river-bet", "turn-raise", "turn-bet", "turn-bet"),
        *("river-raises", "turn-raises"),
    ]
    assert [len(tree.given_up) for tree in trees] == list(range(len(trees)))
    numbers = [tree.numbers for tree in trees[1:]]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == len(numbers)
    words = [step.words for step in trees[-1].given_up]
    assert "bets of 150% on the river" in words
    assert "raises of 4x on the turn" in words
    # The usual size is left, neither the smallest nor the largest.
    assert str(trees[-1].spot.sizes[2][0].bets[0]) == "75%"


def test_sizes_are_those_of_the_solver() -> None:
    for tree in fitted_trees(TURN, threads=1):
        solver = SpotSolver(tree.spot, threads=1, store=tree.store)
        size = solver.size()
        assert (tree.numbers, tree.nodes) == (size.numbers, sum(size.nodes))
        assert size.memory_mb <= tree.memory_mb <= 1.1 * size.memory_mb + 6


def test_the_most_studied_spot_is_never_refused() -> None:
    """The button against the big blind, two sizes and raises on every street: 35 GB as asked."""
    rich = {f"{street}_bets": "33%, 75%" for street in ("flop", "turn", "river")}
    rich |= {f"{street}_raises": "3x" for street in ("flop", "turn", "river")}
    spot = _of_preset("bu-bb", "Ks7d2c", "flop", **rich)
    for memory_mb in (400, 1024, 4000):
        tree = fit_tree(spot, memory_mb)
        assert tree.memory_mb <= memory_mb
        assert tree.spot.ranges == spot.ranges
        assert tree.spot.pot == spot.pot
        assert all(tree.spot.sizes[street][0].bets for street in range(3))
    fast = fit_tree(spot, 10**6, seconds=60)
    assert fast.seconds <= 60


def test_what_is_given_up_can_be_solved_from_the_file() -> None:
    tree = fit_tree(TURN, list(fitted_trees(TURN))[4].memory_mb)
    text = spot_lines(tree)
    assert text.startswith("# without half of the digits")
    assert str(Spot.parse(text)) == str(tree.spot)


def test_what_a_line_needs_stays() -> None:
    locked = replace(TURN, locks=(Lock.parse("bet 7 raise 18 raise 45 > TT > call 1"),))
    keys = [step.key for step in list(fitted_trees(locked))[-1].given_up]
    assert "turn-reraises" not in keys
    assert "turn-raises" not in keys
    assert "turn-bet" in keys
    for tree in fitted_trees(locked):
        SpotSolver(tree.spot, threads=1).check_locks()
    removed = replace(TURN, removed=("bet 7",))
    words = [step.words for step in list(fitted_trees(removed))[-1].given_up]
    assert "bets of 33% on the turn" not in words


def test_nothing_left_to_give_up_is_said() -> None:
    bare = replace(TURN, sizes=same_sizes(BetSizes.parse("50%")))
    assert [tree.store for tree in fitted_trees(bare)] == [
        32,
        16,
        16,
    ]  # and no bets into who bet last
    with pytest.raises(TooLarge, match=r"nothing left to give up .* narrower ranges or a later"):
        fit_tree(bare, 0.01)
    with pytest.raises(BadInput, match="after the flop"):
        next(fitted_trees(PreflopSpot.parse("stack = 300\nopens = a")))


def test_a_tree_that_is_never_built_is_the_first_of_those_that_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("railbird.solve.spot.tree.MOST_NODES", 300)
    trees = list(fitted_trees(TURN))
    assert math.isinf(trees[0].memory_mb)
    assert trees[0].numbers == 0
    built = [tree for tree in trees if not math.isinf(tree.memory_mb)]
    assert str(fit_tree(TURN, 1000).spot) == str(built[0].spot)
    assert len(built) < len(trees) - 2


def test_what_was_measured_are_steps() -> None:
    keys = {HALF, *(f"{street}-{kind}" for kind, street in STEPS)}
    assert set(COSTS) <= keys
    for cost in COSTS.values():
        assert cost.street in ("flop", "turn")
        assert 0 <= cost.ev <= cost.most
        assert cost.spots >= 2


def test_a_step_alone_leaves_all_else() -> None:
    alone = dict(steps_alone(TURN))
    assert set(alone) >= {"river-raises", "turn-raises", "river-bet", "turn-bet"}
    assert alone["river-raises"].sizes[1] == TURN.sizes[1]
    assert alone["river-raises"].sizes[2][0].raises == ()
