"""The rest of a hand, solved without buckets: games with answers on paper."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from railbird.cards import HOLDING_CARDS, HOLDINGS, Card, parse_cards, parse_holding, strength
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit import BettingTree, LimitBetting, betting_tree
from railbird.solve.limit.betting_tree import limit_tree
from railbird.solve.limit.settings import SUBGAME_GAP, SUBGAME_ITERATIONS
from railbird.solve.limit.subgame import rest_of, solve_subgame
from twins.slow_best_response import gap


def strengths_on(board: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """How strong every holding is; 0 where the board blocks it."""
    found = np.zeros(HOLDINGS, dtype=np.int64)
    for holding in np.flatnonzero(~is_blocked(board)):
        found[holding] = strength([Card(int(c)) for c in (*HOLDING_CARDS[holding], *board)])
    return found


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
    found = solve_subgame(tree, board, both, sequence=after, gap_percent=0.001, iterations=2_000)
    bet = found.shares(0)
    assert bet[parse_holding("JsTs")] == pytest.approx([0, 1], abs=0.01)
    assert bet[parse_holding("8h7h")] == pytest.approx([5 / 6, 1 / 6], abs=0.02)
    answer = found.shares(found.tree.after("r").node)
    assert answer[parse_holding("KdKc")] == pytest.approx([1 / 6, 5 / 6], abs=0.05)


def test_two_streets(tree: BettingTree) -> None:
    """The best hand calls, and the gap is what was asked for."""
    board = np.array(parse_cards("AsKsQsJs"), dtype=np.uint8)
    both = ranges("Ts2c 8h7h", "KdKc")
    after = tree.after("cc/cc/").sequence
    found = solve_subgame(tree, board, both, sequence=after, gap_percent=0.01, iterations=2_000)
    assert 0 <= found.gap_percent <= 0.01
    answer = found.shares(found.tree.after("cr").node)
    assert answer[parse_holding("Ts2c")] == pytest.approx([0, 1], abs=0.01)


@pytest.mark.slow(but=["Qs7h2d9c4s"])
@pytest.mark.parametrize("board", ["Qs7h2d9c4s", "AsKd8d5h2c"])
def test_a_river_between_ranges_is_solved_to_the_gap_that_is_asked_for(board: str) -> None:
    """By best responses from whole matrices of pairs of holdings.

    Everybody came with all holdings, the better ones more often, as ranges are.
    """
    tree = betting_tree(HEADS_UP_LIMIT)
    cards = np.array(parse_cards(board), dtype=np.uint8)
    free = ~is_blocked(cards)
    rank = np.argsort(np.argsort(strengths_on(cards))) / HOLDINGS
    both = np.stack([free * (0.1 + rank), free * (0.4 + 0.6 * np.abs(2 * rank - 1))])
    place = tree.after("rc/crc/rc/")
    found = solve_subgame(
        tree,
        cards,
        both,
        sequence=place.sequence,
        gap_percent=SUBGAME_GAP[5],
        iterations=SUBGAME_ITERATIONS,
    )
    exactly = 100 * gap(found.tree, cards.tolist(), both, lambda _: [found.table])
    assert 0 <= exactly < SUBGAME_GAP[5]
    assert found.gap_percent == pytest.approx(exactly, abs=1e-4)


def test_the_betting_that_is_left(tree: BettingTree) -> None:
    place = tree.after("cc/rc/")
    rest = rest_of(tree, place.street, place.sequence)
    assert [part.sequences for part in rest.rounds] == [1, 3]
    assert rest.rounds[0].before.tolist() == [14]
    assert rest.rounds[1].before.tolist() == [14, 18, 18]


def test_refusals(tree: BettingTree) -> None:
    board = np.array(parse_cards("Td5hTh2d"), dtype=np.uint8)
    nobody, all_of_them = ranges("TdTh", "AsAc"), np.ones((2, HOLDINGS))
    with pytest.raises(BadInput, match="without a holding that the board allows"):
        solve_subgame(tree, board, nobody, sequence=0, gap_percent=1.0, iterations=1)
    with pytest.raises(BadInput, match="allowed: 4, 5"):
        solve_subgame(tree, board[:3], all_of_them, sequence=0, gap_percent=1.0, iterations=1)
    with pytest.raises(BadInput, match="1 or more"):
        solve_subgame(tree, board, all_of_them, sequence=0, gap_percent=1.0, iterations=0)
