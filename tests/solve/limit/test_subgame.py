"""The rest of a hand, solved without buckets: games with answers on paper."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from railbird.cards import HOLDINGS, parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.solve.abstraction import CardBlind
from railbird.solve.abstraction.shipped_counts import read_shipped
from railbird.solve.limit import BettingTree, LimitBetting
from railbird.solve.limit.betting_tree import limit_tree
from railbird.solve.limit.subgame import rest_of, solve_subgame


@pytest.fixture(scope="module")
def tree() -> BettingTree:
    """One bet of 4 a street, into a pot of 20 on the turn where nobody has bet before."""
    return limit_tree(
        LimitBetting(
            posts=(0, 0),
            bet_sizes=(4, 4, 4, 4),
            most_raises=(1, 1, 1, 1),
            first=(0, 0, 0, 0),
            ante=10,
        )
    )


def ranges(first: str, second: str) -> npt.NDArray[np.float64]:
    """Return the same reach for some holdings of each player."""
    found = np.zeros((2, HOLDINGS))
    for row, text in zip(found, (first, second), strict=True):
        row[[parse_holding(each) for each in text.split()]] = 0.7
    return found


def test_all_or_nothing_on_the_river(tree: BettingTree) -> None:
    """Who has the best or the worst hand bluffs as often as the pot pays; the other calls so.

    With a pot of 20 and a bet of 4 there is a bluff for every six good hands, and 20 calls in 24.
    """
    board = np.array(parse_cards("AsKsQs4d2c"), dtype=np.uint8)
    both = ranges("JsTs 8h7h", "KdKc")
    after = tree.after("cc/cc/cc/").sequence
    found = solve_subgame(
        tree, board, both, sequence=after, iterations=1_000, abstraction=CardBlind()
    )
    bet = found.shares(0)
    assert bet[parse_holding("JsTs")] == pytest.approx([0, 1], abs=0.01)
    assert bet[parse_holding("8h7h")] == pytest.approx([5 / 6, 1 / 6], abs=0.02)
    answer = found.shares(found.tree.after("r").node)
    assert answer[parse_holding("KdKc")] == pytest.approx([1 / 6, 5 / 6], abs=0.05)


def test_all_or_nothing_on_two_streets(tree: BettingTree) -> None:
    """The same from the turn on: (24 / 28) * (32 / 36) of the bets there are good hands."""
    board = np.array(parse_cards("AsKsQsJs"), dtype=np.uint8)
    both = ranges("Ts2c 8h7h", "KdKc")
    shipped, after = read_shipped((5, 5, 5, 5)), tree.after("cc/cc/").sequence
    assert shipped is not None
    found = solve_subgame(tree, board, both, sequence=after, iterations=600, abstraction=shipped[0])
    bet = found.shares(0)
    good = 24 / 28 * 32 / 36
    assert bet[parse_holding("Ts2c"), 1] > 0.9
    assert bet[parse_holding("8h7h"), 1] == pytest.approx(1 / good - 1, abs=0.06)


def test_the_betting_that_is_left(tree: BettingTree) -> None:
    place = tree.after("cc/rc/")
    rest = rest_of(tree, place.street, place.sequence)
    assert [part.sequences for part in rest.rounds] == [1, 3]
    assert rest.rounds[0].before.tolist() == [14]
    assert rest.rounds[1].before.tolist() == [14, 18, 18]


def test_the_same_seed_gives_the_same_answer(tree: BettingTree) -> None:
    board = np.array(parse_cards("Td5hTh2d"), dtype=np.uint8)
    both = np.ones((2, HOLDINGS))
    tables = [
        solve_subgame(
            tree, board, both, sequence=0, iterations=3, abstraction=CardBlind(), seed=seed
        ).table
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(tables[0], tables[1])
    assert not np.array_equal(tables[0], tables[2])


def test_refusals(tree: BettingTree) -> None:
    board = np.array(parse_cards("Td5hTh2d"), dtype=np.uint8)
    nobody, all_of_them, blind = ranges("TdTh", "AsAc"), np.ones((2, HOLDINGS)), CardBlind()
    with pytest.raises(BadInput, match="without a holding that the board allows"):
        solve_subgame(tree, board, nobody, sequence=0, iterations=1, abstraction=blind)
    with pytest.raises(BadInput, match="allowed: 4, 5"):
        solve_subgame(tree, board[:3], all_of_them, sequence=0, iterations=1, abstraction=blind)
    with pytest.raises(BadInput, match="1 or more"):
        solve_subgame(tree, board, all_of_them, sequence=0, iterations=0, abstraction=blind)
