"""Tables of two to six seats before the flop: the betting, and games whose solution is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from railbird.cards import CLASSES, parse_class
from railbird.errors import BadInput
from railbird.solve import PushFoldTable, solve_preflop, solve_pushfold_table
from railbird.solve.preflop import PreflopAction
from railbird.solve.preflop_seats import (
    SeatsGame,
    SeatsSolver,
    blueprint_continuation,
    checked_down,
    class_edges,
    first_in,
    frequencies,
    seats_tree,
)
from railbird.solve.preflop_seats_kernels import MANY, NOBODY, PAIR
from railbird.solve.spot.spot import BetSize

ALL_IN = (BetSize.parse("a"),)


def all_in_or_fold(seats: int, stack: float, limpers: int) -> SeatsGame:
    return SeatsGame(
        seats=seats,
        stack=stack,
        opens=ALL_IN,
        reraises=ALL_IN,
        limpers=limpers,
        continuation=checked_down(),
    )


def test_the_betting_of_two_by_hand() -> None:
    """Limp, all-in or fold; who has limped may still call."""
    tree = seats_tree(all_in_or_fold(2, 10, 1))
    words = [[], ["fold"], ["call"], ["all-in"], ["call", "check"], ["call", "all-in"]]
    assert [tree.actions[tree.after(line)] for line in words] == [
        ("fold", "call", "all-in"),
        (),
        ("check", "all-in"),
        ("fold", "call"),
        (),
        ("fold", "call"),
    ]
    assert len(tree.actor) == 10
    shown = tree.after(["all-in", "call"])
    assert tree.actor[shown] == PAIR
    assert tree.pots[shown] == 20
    assert tree.flops[shown].tolist() == [0, 1, 0]
    folded = tree.after(["call", "all-in", "fold"])
    assert tree.actor[folded] == NOBODY
    assert tree.paid[folded].tolist() == [1, 10]


def test_a_raise_adds_what_the_last_one_added_or_more() -> None:
    opens, reraises = (BetSize.parse("1.5x"),), (BetSize.parse("1.2x"),)
    game = SeatsGame(seats=2, opens=opens, reraises=reraises)
    tree = seats_tree(game)
    line: list[str] = []
    while words := [word for word in tree.actions[tree.after(line)] if word.startswith("raise")]:
        line += words
    assert line[:3] == ["raise 2", "raise 3", "raise 4"]
    short = seats_tree(replace(game, stack=3.5))
    assert short.actions[short.after(["raise 2", "raise 3"])] == ("fold", "call", "all-in")


def test_three_may_see_the_flop_and_no_fourth() -> None:
    tree = seats_tree(SeatsGame())
    line = ["fold", "fold", "raise 2.5", "call", "call"]
    assert tree.actions[tree.after(line)] == ("fold", "raise 7.5", "all-in")
    flop = tree.after([*line, "fold"])
    assert tree.actor[flop] == MANY
    assert tree.left[flop].tolist() == [False, False, True, True, True, False]
    assert tree.pots[flop] == pytest.approx(8.5)
    assert (tree.left.sum(axis=1)[tree.actor == MANY] == 3).all()
    raised = ["raise 2.5", "raise 7.5", "raise 22.5", "fold", "fold", "fold", "fold"]
    assert tree.actions[tree.after(raised)] == ("fold", "call")


@pytest.mark.parametrize(
    ("seats", "line", "is_reversed"),
    [
        (2, ["call", "check"], True),
        (6, ["fold"] * 4 + ["call", "check"], False),
        (6, ["fold"] * 3 + ["raise 2.5", "fold", "call"], True),
        (6, ["raise 2.5", "fold", "fold", "call", "fold", "fold"], False),
    ],
    ids=["two", "blinds", "button-blind", "first-button"],
)
def test_blinds_act_first_after_the_flop(seats: int, line: list[str], is_reversed: bool) -> None:
    tree = seats_tree(SeatsGame(seats=seats))
    assert tree.flops[tree.after(line), 1] == is_reversed


def test_what_classes_win_after_the_flop() -> None:
    """Who acts first wins less; suited connectors win more than their edge, weak aces less."""
    blueprint, down = blueprint_continuation(), checked_down()
    assert blueprint.shares[0] == pytest.approx(0.5 + class_edges() / 2)
    assert (down.shares + down.shares.transpose(0, 2, 1)) == pytest.approx(1)
    assert (np.diff(blueprint.depths) > 0).all()
    deep = blueprint.shares[np.searchsorted(blueprint.depths, 16)]
    both = (deep - deep.T) / 2  # of a class in either place, without that of the place
    assert deep.mean() < 0.5
    beyond = (both - class_edges() / 2).mean(axis=1)
    assert beyond[parse_class("65s")] > 0.05
    assert beyond[parse_class("A7o")] < -0.1
    assert both[parse_class("AA"), parse_class("KK")] > 0.8


def test_rake_is_taken_from_flops_alone() -> None:
    plain, raked = seats_tree(SeatsGame()), seats_tree(SeatsGame(rake=0.05, rake_cap=3))
    taken = plain.pots - raked.pots
    flops = plain.actor < NOBODY
    assert (taken[~flops] == 0).all()
    assert taken[flops] == pytest.approx(np.minimum(0.05 * plain.pots[flops], 3))


@pytest.mark.slow
def test_two_seats_are_worth_what_the_exact_solver_says() -> None:
    solver = SeatsSolver(all_in_or_fold(2, 10, 1), seed=1)
    solver.run(1_000_000)
    actions = frozenset([PreflopAction.FOLD, PreflopAction.LIMP, PreflopAction.SHOVE])
    exact = solve_preflop(10, actions, tolerance=1e-5)
    for seat, sign in ((0, 1), (1, -1)):
        won, gain = solver.gains(seat, learn=200_000, measure=200_000)
        assert won.value == pytest.approx(sign * exact.value.value, abs=3 * won.stderr + 0.005)
        assert gain.value < 0.005 + 3 * gain.stderr


@pytest.mark.slow
def test_four_seats_are_worth_what_the_table_of_push_and_fold_says() -> None:
    """Other code: exact values over classes, with an approximation of three hands' cards."""
    solver = SeatsSolver(all_in_or_fold(4, 8, 0), seed=1)
    solver.run(1_000_000)
    table = solve_pushfold_table(PushFoldTable(stacks=(8.0,) * 4), tolerance=1e-5)
    for seat, value in enumerate(table.values.seats):
        won, gain = solver.gains(seat, learn=200_000, measure=200_000)
        assert won.value == pytest.approx(value, abs=3 * won.stderr + 0.01)
        assert gain.value < 0.01 + 3 * gain.stderr
    for fold in range(3):
        _, chart = solver.chart(["fold"] * fold)
        pushed = table.share((fold, ()))
        assert frequencies(chart)["all-in"] == pytest.approx(pushed, abs=0.02)


def test_a_response_finds_what_a_bad_strategy_loses() -> None:
    """Against who plays everything alike, a response wins much more than its own average does."""
    solver = SeatsSolver(all_in_or_fold(3, 10, 0))
    solver.run(1)
    won, gain = solver.gains(0, learn=20_000, measure=20_000)
    assert gain.value - 5 * gain.stderr > 0.3
    assert won.n == gain.n == 20_000


def test_the_seed_and_the_number_of_deals_determine_it() -> None:
    first, second, other = (SeatsSolver(SeatsGame(seats=3), seed) for seed in (1, 1, 2))
    for solver in (first, second, other):
        solver.run(300)
    assert np.array_equal(first.sums, second.sums)
    assert not np.array_equal(first.sums, other.sums)


def test_strong_hands_are_played() -> None:
    solver = SeatsSolver(SeatsGame(seats=3), seed=3)
    solver.run(30_000)
    for name, line in first_in(solver.game).items():
        seat, chart = solver.chart(line)
        assert seat == name
        assert sum(chart.values()) == pytest.approx(np.ones(CLASSES), abs=1e-5)
        assert chart["fold"][parse_class("AA")] < 0.1
        assert chart["fold"][parse_class("72o")] > 0.5


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"seats": 7}, "7 seats; allowed: 2 to 6"),
        ({"seats": 1}, "1 seats"),
        ({"stack": 1.0}, "stack 1"),
        ({"stack": float("nan")}, "stack nan"),
        ({"stack": 10.0**30}, "stack 1e"),
        ({"rake": 1.0}, "rake 1"),
        ({"rake": float("nan")}, "rake nan"),
        ({"rake_cap": -1.0}, "cap -1"),
        ({"opens": (BetSize.parse("60%"),)}, "size 60%; allowed: 2.5x, a"),
        ({"reraises": (BetSize.parse("200x"),)}, "more than 1x"),
        ({"limpers": 6}, "6 limpers"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_impossible_games(rules: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words.replace("+", r"\+")):
        SeatsGame(**rules)


def test_lines_that_there_are_not() -> None:
    solver = SeatsSolver(all_in_or_fold(2, 10, 1))
    with pytest.raises(BadInput, match="'raise 3'; allowed: fold, call, all-in"):
        solver.chart(["raise 3"])
    with pytest.raises(BadInput, match="nobody acts"):
        solver.chart(["fold"])
