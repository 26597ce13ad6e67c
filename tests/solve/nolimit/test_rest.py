"""The rest of a no-limit hand, solved with what was really bet."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from railbird.cards import HOLDINGS, Range, parse_cards
from railbird.errors import BadInput
from railbird.solve.nolimit.following import CHECK_OR_CALL, Rest, solve_rest
from railbird.solve.spot import Spot, solve_spot
from railbird.solve.spot.preflop import PreflopSpot

MENU = "opens = 2x, a; reraises = a; bets = 60%, a; raises = a"
BOARD = np.array(parse_cards("Ks7d2c9h3d"), dtype=np.uint8)


def ranges(one: str = "random", other: str = "random") -> np.ndarray:
    return np.array([Range.parse(text).weights for text in (one, other)])


def solved(*totals: int, **rest: int) -> Rest:
    settings = {"pot": 600, "stack": 2_700} | rest
    return solve_rest(MENU, BOARD, ranges(), totals=totals, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("totals", "actions"),
    [
        ([], ["check", "bet 360", "all-in 2700"]),
        ([CHECK_OR_CALL], ["check", "bet 360", "all-in 2700"]),
        ([333], ["fold", "call", "all-in 2700"]),
        ([CHECK_OR_CALL, 100], ["fold", "call", "all-in 2700"]),
        ([333, 1_111], ["fold", "call", "all-in 2700"]),
        ([CHECK_OR_CALL, 333, 1_111], ["fold", "call", "all-in 2700"]),
        ([2_700], ["fold", "call"]),
        ([333, 2_700], ["fold", "call"]),
    ],
)
def test_what_was_bet_is_in_the_tree(totals: list[int], actions: list[str]) -> None:
    point = solved(*totals).point(totals)
    assert point is not None
    assert [str(action) for action in point.node.actions] == actions


def test_every_rule_of_the_menu_is_one_of_the_spot() -> None:
    """A rule that a spot gets one day has to be set here, and comes along by itself."""
    game = PreflopSpot.parse(
        f"stack = 10000; flops = 7h3d2c; {MENU}; payouts = 50, 30, 20; other_stacks = 4000;"
        "all_in_threshold = 1.5; force_all_in = 0.2; merging = 0.1; rake = 0.05; rake_cap = 3"
    )
    held = Range.parse("AA"), Range.parse("KK")
    spot = game.later(parse_cards("Ks7d2c9h3d"), held, pot=600, stack=2_700)
    of_the_hand = {"board", "ranges", "pot", "stack", "added", "removed", "locks", "folded"}
    for field in fields(Spot):
        if field.name not in of_the_hand:
            usual = field.default_factory() if callable(field.default_factory) else field.default
            assert getattr(spot, field.name) == getattr(game, field.name) != usual, field.name


@pytest.mark.parametrize(
    ("stack", "bets"),
    [
        (2_400, ["check", "bet 77", "bet 150", "bet 300", "all-in 2400"]),
        pytest.param(
            *(2_700, ["check", "bet 77", "bet 300", "all-in 2700"]), marks=pytest.mark.slow
        ),
    ],
)
def test_a_turn_has_fewer_sizes_than_the_blueprint(stack: int, bets: list[str]) -> None:
    menu = f"{MENU}\nturn_bets = 20%, 40%, 90%; river_bets = 10%, 20%"
    rest = solve_rest(menu, BOARD[:4], ranges("AA,QQ", "KK,JJ"), pot=300, stack=stack, totals=[77])
    assert [str(action) for action in rest.solution.start().node.actions] == bets
    answers = rest.point([77])
    assert answers is not None
    assert [str(action) for action in answers.node.actions] == [
        *("fold", "call", "raise 531"),
        f"all-in {stack}",
    ]


def test_what_nobody_did_is_not() -> None:
    rest = solved()
    assert rest.point([333]) is None
    assert rest.likelihood([], 333) is None
    assert rest.point([CHECK_OR_CALL, CHECK_OR_CALL]) is None
    assert rest.likelihood([CHECK_OR_CALL], 360) is not None


def test_it_is_the_spot_of_the_same_bets() -> None:
    """A holding that nobody has but for the least weight changes little."""
    rest = solve_rest(MENU, BOARD, ranges("AA,QQ", "KK,JJ"), pot=600, stack=900)
    spot = Spot.parse(
        "board = Ks7d2c9h3d; oop = AA,QQ; ip = KK,JJ; pot = 600; stack = 900;"
        "bets = 60%, a; raises = a".replace(";", "\n")
    )
    same = solve_spot(spot, gap_percent=0.05, threads=1)
    assert rest.solution.values() == pytest.approx(same.values(), abs=15)


def test_it_ends_in_time() -> None:
    assert solved().solution.iterations > 10
    hurried = solve_rest(MENU, BOARD, ranges(), pot=600, stack=2_700, seconds=1e-9)
    assert hurried.solution.iterations == 10


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"board": BOARD[:3]}, "a board of 3 cards"),
        ({"ranges": np.zeros((2, HOLDINGS))}, "without a holding"),
        ({"stack": 0}, "stack"),
        ({"totals": (100, 50)}, "cannot be added"),
        ({"totals": (9_999,)}, "cannot be added"),
    ],
)
def test_what_cannot_be_solved(change: dict[str, object], words: str) -> None:
    given = {"board": BOARD, "ranges": ranges(), "pot": 600, "stack": 2_700, "totals": ()}
    given |= change
    board, weights = given.pop("board"), given.pop("ranges")
    with pytest.raises(BadInput, match=words):
        solve_rest(MENU, board, weights, **given)  # type: ignore[arg-type]


def test_holdings_that_are_not_in_the_ranges_have_an_answer() -> None:
    rest = solve_rest(MENU, BOARD, ranges("AA", "KK"), pot=600, stack=900)
    point = rest.point([])
    assert point is not None
    shares = rest.shares(point)
    assert shares.sum(axis=1) == pytest.approx(np.ones(HOLDINGS), abs=1e-5)
