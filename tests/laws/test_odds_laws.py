"""Laws that odds obey whatever the cards."""

from __future__ import annotations

from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.cards import HOLDING_INDEX, Card, Holding
from railbird.cards.isomorphism import (
    board_classes,
    board_index,
    canonical_board,
    cards_of_key,
    suit_key,
)
from railbird.cards.isomorphism_kernels import CARD_UNDER, HOLDING_UNDER
from railbird.odds.all_in_equity import Mode, equity
from railbird.odds.hand_rank import final_ranks, final_strength, final_strengths, hand_rank, rating
from railbird.odds.pot_odds import call_value, implied_odds, pot_odds
from railbird.odds.potential import potential
from railbird.odds.preflop_matrix import open_matrix
from railbird.odds.win_probability import win_probability

patient = settings(deadline=None)
"""The first call of a kernel may compile it."""

PERMUTATIONS = st.integers(0, 23)
AMOUNTS = st.floats(0.01, 1e6)


def cards(count: int) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.integers(0, 51).map(Card), min_size=count, max_size=count, unique=True)


def holding(pair: list[Card]) -> Holding:
    return Holding(int(HOLDING_INDEX[pair[0], pair[1]]))


def under(permutation: int, dealt: list[Card]) -> list[Card]:
    return [Card(int(card)) for card in CARD_UNDER[permutation, dealt]]


@pytest.mark.slow
@patient
@given(cards(7), st.integers(3, 5), PERMUTATIONS)
def test_renamed_suits_lead_to_the_same_entry(
    dealt: list[Card], size: int, permutation: int
) -> None:
    hole, board = dealt[:2], dealt[2 : 2 + size]
    row, there = canonical_board(board)
    other_row, from_other = canonical_board(under(permutation, board))
    assert row == other_row
    column = HOLDING_UNDER[there, holding(hole)]
    other_column = HOLDING_UNDER[from_other, holding(under(permutation, hole))]
    # The columns may differ by a permutation that leaves the representative alone, no more.
    representative = board_classes(size).representative[row]
    assert any(
        renamed[column] == other_column
        for renamed, image in zip(HOLDING_UNDER, CARD_UNDER, strict=True)
        if np.array_equal(np.sort(image[representative]), representative)
    )


@patient
@given(cards(5), st.integers(3, 5))
def test_a_board_is_a_set(dealt: list[Card], size: int) -> None:
    board = dealt[:size]
    assert board_index(board) == board_index(board[::-1]) == board_index(sorted(board))


@patient
@given(cards(9), st.integers(3, 5), PERMUTATIONS)
def test_equity_ignores_the_names_of_suits_and_the_order_of_players(
    dealt: list[Card], size: int, permutation: int
) -> None:
    first, second, board = dealt[:2], dealt[2:4], dealt[4 : 4 + size]
    result = equity([holding(first), holding(second)], board)
    renamed = equity(
        [holding(under(permutation, second)), holding(under(permutation, first))],
        under(permutation, board),
    )
    assert result.players == renamed.players[::-1]
    assert isclose(sum(player.equity for player in result.players), 1)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(cards(5))
def test_equity_against_anything_is_the_mean_final_rank(dealt: list[Card]) -> None:
    hole, board = holding(dealt[:2]), dealt[2:]
    against_all = equity([hole, "random"], board)
    rank = hand_rank(hole, board)
    found = potential(hole, board, to_come=2)
    assert isclose(against_all.players[0].equity, rank.hr7, rel_tol=1e-12)
    assert isclose(found.ehs, rank.hr7, rel_tol=1e-12)
    assert isclose(found.hs, rank.ihr, rel_tol=1e-12)


@pytest.mark.slow
@patient
@given(cards(7))
def test_seven_card_rank_is_the_mean_over_the_next_card(dealt: list[Card]) -> None:
    hole, board = holding(dealt[:2]), dealt[2:6]
    rivers = [Card(card) for card in range(52) if card not in dealt[:6]]
    mean = sum(hand_rank(hole, [*board, river]).ihr for river in rivers) / len(rivers)
    assert isclose(hand_rank(hole, board).hr7, mean, rel_tol=1e-12)
    assert final_ranks(hole, board).sum() == len(rivers)


@patient
@given(cards(4), PERMUTATIONS)
def test_the_matrix_ignores_the_names_of_suits(dealt: list[Card], permutation: int) -> None:
    matrix = open_matrix()
    first, second = dealt[:2], dealt[2:]
    count = matrix.count(holding(first), holding(second))
    assert count == matrix.count(
        holding(under(permutation, first)), holding(under(permutation, second))
    )
    back = matrix.count(holding(second), holding(first))
    assert (back.win, back.tie, back.lose) == (count.lose, count.tie, count.win)


@pytest.mark.slow
@patient
@given(cards(8), st.integers(0, 2**32 - 1))
def test_a_seed_repeats_its_samples(dealt: list[Card], seed: int) -> None:
    players: list[Holding | str] = [holding(dealt[:2]), holding(dealt[2:4]), "random"]
    first, again = (
        equity(
            players,
            dealt[4:7],
            mode=Mode.SAMPLED,
            samples=100,
            rng=np.random.default_rng(seed),
        )
        for _ in range(2)
    )
    assert first == again


@given(AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS)
def test_pot_odds_break_even(to_call: float, pot: float, bets: float, winnings: float) -> None:
    assert isclose(
        call_value(pot_odds(to_call, pot), to_call, pot), 0, abs_tol=1e-6 * (pot + to_call)
    )
    chance = implied_odds(to_call, pot, future_bets=bets, future_winnings=winnings)
    cost = to_call + bets
    assert isclose(chance * (pot + winnings + cost), cost)


# Laws of the probability of winning, and of the ratings of a board.


State = tuple[Holding, tuple[Card, ...]]


@st.composite
def states(draw: st.DrawFn, sizes: tuple[int, ...] = (3, 4, 5)) -> State:
    """A holding and a board."""
    size = draw(st.sampled_from(sizes))
    cards = draw(st.lists(st.integers(0, 51), min_size=2 + size, max_size=2 + size, unique=True))
    return Holding(int(HOLDING_INDEX[cards[0], cards[1]])), tuple(map(Card, cards[2:]))


def renamed(state: State, suits: list[int]) -> State:
    """The state with its suits permuted and its board in another order."""
    holding, board = state
    low, high = np.argwhere(holding == HOLDING_INDEX)[0].tolist()

    def other(card: int) -> Card:
        return Card(card // 4 * 4 + suits[card % 4])

    return Holding(int(HOLDING_INDEX[other(low), other(high)])), tuple(map(other, board[::-1]))


@given(states(), st.permutations(range(4)), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_suits_and_order_do_not_matter(state: State, suits: list[int], opponents: int) -> None:
    other = renamed(state, suits)
    assert win_probability(*state, opponents=opponents) == win_probability(
        *other, opponents=opponents
    )
    assert rating(*state) == rating(*other)


@given(states())
@settings(max_examples=100, deadline=None)
def test_a_key_is_that_of_its_cards(state: State) -> None:
    holding, board = state
    held = np.argwhere(holding == HOLDING_INDEX)[0].tolist()
    key = suit_key(map(Card, held), board)
    cards, dealt = cards_of_key(key)
    assert suit_key(cards, dealt) == key
    assert (len(cards), len(dealt)) == (2, len(board))


@given(states(), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_a_share_is_at_most_the_probability_of_not_being_beaten(
    state: State, opponents: int
) -> None:
    found = win_probability(*state, opponents=opponents)
    assert 0 <= found.share <= found.unbeaten <= 1
    more = win_probability(*state, opponents=opponents + 1)  # 1 may stand for 0.999
    assert more.share <= found.share + 5 * (found.share_stderr + more.share_stderr) + 0.004


@given(states(sizes=(4, 5)))
@settings(max_examples=20, deadline=None)
def test_the_next_card_keeps_the_mean(state: State) -> None:
    """A board's mean strength is the mean of those of the boards that it becomes."""
    _, board = state
    if len(board) == 4:
        after = [
            final_strengths((*board, Card(card))).mean for card in range(52) if card not in board
        ]
        assert np.isclose(np.mean(after), final_strengths(board).mean)
    mean = final_strengths(board)
    assert mean.deviation >= 0
    assert 0 <= final_strength(*state) <= 7461
