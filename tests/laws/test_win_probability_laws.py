"""Laws of the probability of winning, and of the ratings of a board."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.cards import HOLDING_INDEX, Card, Holding
from railbird.cards.isomorphism.suit_key import cards_of_key, suit_key
from railbird.odds.hand_rank.final_strength import final_strength, final_strengths, rating
from railbird.odds.win_probability.win_probability import win_probability

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
