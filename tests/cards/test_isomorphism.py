from __future__ import annotations

from math import comb

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, Card, parse_cards
from railbird.cards.isomorphism import BOARD_CLASSES, board_classes, board_index, canonical_board
from railbird.cards.isomorphism_kernels import (
    CARD_UNDER,
    HOLDING_UNDER,
    INVERSE,
    SUIT_PERMUTATIONS,
    combination_at,
    extension_indices,
    index_of_3,
    index_of_4,
    index_of_5,
    index_of_sorted,
    to_successor,
)
from railbird.errors import BadInput, DuplicateCard


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_classes_cover_every_board_once(cards: int) -> None:
    classes = board_classes(cards)
    assert classes.orbit.sum(dtype=np.int64) == comb(52, cards)
    assert (24 % classes.orbit == 0).all()
    members = np.bincount(classes.row, minlength=BOARD_CLASSES[cards])
    np.testing.assert_array_equal(members, classes.orbit)
    assert not classes.row.flags.writeable


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_a_representative_is_its_own_image(cards: int) -> None:
    classes = board_classes(cards)
    for row in range(0, BOARD_CLASSES[cards], 131):
        board = [Card(card) for card in classes.representative[row].tolist()]
        assert canonical_board(board) == (row, 0)


def test_permutations_form_a_group() -> None:
    assert len({tuple(suits) for suits in SUIT_PERMUTATIONS.tolist()}) == 24
    assert SUIT_PERMUTATIONS[0].tolist() == [0, 1, 2, 3]
    for permutation, inverse in enumerate(INVERSE):
        there_and_back = CARD_UNDER[inverse][CARD_UNDER[permutation]]
        np.testing.assert_array_equal(there_and_back, np.arange(52))
        np.testing.assert_array_equal(
            np.sort(HOLDING_CARDS[HOLDING_UNDER[permutation]], axis=1),
            np.sort(CARD_UNDER[permutation][HOLDING_CARDS], axis=1),
        )


@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5])
def test_combinations_step_through_their_indices(cards: int) -> None:
    combination = np.arange(cards).astype(np.uint8)
    again = np.empty_like(combination)
    for index in range(min(comb(52, cards), 30_000)):
        assert index_of_sorted(combination) == index
        if index % 97 == 0:
            combination_at(index, again)
            np.testing.assert_array_equal(again, combination)
        to_successor(combination)


def test_the_last_combination() -> None:
    last = np.empty(5, dtype=np.uint8)
    combination_at(comb(52, 5) - 1, last)
    assert last.tolist() == [47, 48, 49, 50, 51]


@pytest.mark.slow
def test_indices_do_not_depend_on_the_order() -> None:
    rng = np.random.default_rng(4)
    for _ in range(500):
        cards = rng.permutation(52)[:5]
        for count, index in ((3, index_of_3), (4, index_of_4), (5, index_of_5)):
            assert index(*cards[:count]) == index_of_sorted(np.sort(cards[:count]).astype(np.uint8))


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_extensions_are_the_indices_of_one_card_more(cards: int) -> None:
    rng = np.random.default_rng(4)
    found = np.empty(52, dtype=np.int32)
    for _ in range(100):
        board = np.sort(rng.permutation(52)[:cards]).astype(np.uint8)
        extension_indices(board, found)
        for card in range(52):
            if card in board:
                assert found[card] == -1
            else:
                longer = np.sort(np.append(board, card)).astype(np.uint8)
                assert found[card] == index_of_sorted(longer)


def test_what_is_no_board() -> None:
    with pytest.raises(BadInput, match="2 cards has no index; allowed: 3, 4, 5 cards"):
        board_index(parse_cards("AsKs"))
    with pytest.raises(DuplicateCard, match="AsKsAs"):
        canonical_board([Card(51), Card(47), Card(51)])
    with pytest.raises(BadInput, match="allowed: 3, 4, 5"):
        board_classes(6)
