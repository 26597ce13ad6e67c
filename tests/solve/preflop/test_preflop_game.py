"""Play before the flop with limps and small raises."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import CLASS_NAMES
from railbird.errors import BadInput
from railbird.solve import solve_pushfold
from railbird.solve.preflop.game import PreflopAction, PreflopGame, solve_preflop

FOLD, LIMP, MINRAISE, SHOVE = PreflopAction


@pytest.mark.parametrize("stack", [5.0, 10.0])
def test_with_nothing_but_all_in_it_is_push_fold(stack: float) -> None:
    found = solve_preflop(stack, [FOLD, SHOVE], tolerance=1e-6)
    known = solve_pushfold(stack, tolerance=1e-6)
    assert found.solution.value == pytest.approx(known.value_sb_bb, abs=1e-5)
    (_, first), (_, second) = found.decisions
    assert found.shares(first)[1] == pytest.approx(known.push_share, abs=2e-3)
    assert found.shares(second)[1] == pytest.approx(known.call_share, abs=2e-3)


def test_more_actions_are_worth_more_to_who_has_them() -> None:
    push_fold = solve_preflop(10.0, [FOLD, SHOVE], tolerance=1e-4).solution
    everything = solve_preflop(10.0, tolerance=1e-3)
    assert everything.solution.value > push_fold.value + 1e-3
    assert everything.solution.exploitability <= 1e-3
    for decision, frequencies in everything.decisions:
        assert frequencies.shape == (len(decision.actions), 169)
        assert np.allclose(frequencies.sum(axis=0), 1)


def test_tree_of_all_actions() -> None:
    game = PreflopGame(stack=4.0)
    first, second = game.tree().decisions
    by_name = {decision.name: decision.actions for decision in (*first, *second)}
    assert by_name["first"] == ("fold", "limp", "raise to 2", "shove")
    assert by_name["limp"] == ("check", "raise to 2", "shove")
    assert by_name["raise to 2"] == ("fold", "call", "raise to 3", "shove")
    assert by_name["raise to 2, raise to 3"] == ("fold", "call", "shove")
    assert by_name["limp, shove"] == by_name["shove"] == ("fold", "call")


def test_a_limp_and_a_check_are_worth_the_equity() -> None:
    # With limps alone nobody can fold but the small blind, whose limp costs half a blind: every
    # hand that wins more than a quarter of the pot of two is worth it, which is all but a few.
    found = solve_preflop(10.0, [FOLD, LIMP], tolerance=1e-6)
    (decision, chart), (_, check) = found.decisions
    assert decision.actions == ("fold", "limp")
    assert chart[1][CLASS_NAMES.index("32o")] > 0.99
    assert np.allclose(check, 1)
    assert found.solution.value == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("stack", "actions", "words"),
    [
        (1.0, [FOLD, SHOVE], "stack 1; allowed: more than 1"),
        (101.0, [FOLD, SHOVE], "at most 100"),
        (10.0, [LIMP, SHOVE], "allowed: fold and one or more"),
        (10.0, [FOLD], "allowed: fold and one or more"),
    ],
)
def test_refused_games(stack: float, actions: list[PreflopAction], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        solve_preflop(stack, actions)
