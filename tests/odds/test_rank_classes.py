"""Boards folded by the suits that matter, held against the classes under suit permutations."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, Card
from railbird.cards.hand_strength._kernels_evaluator import CARD_MASK, HOLDING_MASK
from railbird.cards.isomorphism._tables_columns import SUIT_PAIRS, TWO_SUITS, WIDTHS
from railbird.cards.isomorphism.boards import CARD_UNDER, HOLDING_UNDER, board_index
from railbird.cards.isomorphism.rank_classes import (
    COLUMN,
    RANK_ENTRIES,
    RANK_ROWS,
    _all_boards,
    rank_classes,
)
from railbird.errors import BadInput
from railbird.odds.tables._kernels_runouts import rank_all
from railbird.odds.tables.rank_tables import open_tables


@pytest.mark.parametrize("cards", [4, 5])
def test_rows_lie_end_to_end(cards: int) -> None:
    classes = rank_classes(cards)
    boards, rows = comb(52, cards), RANK_ROWS[cards]
    assert classes.start.shape == classes.pattern.shape == (boards,)
    assert classes.representative.shape == (rows, cards)
    widths = np.append(np.diff(classes.row_start), RANK_ENTRIES[cards] - classes.row_start[-1])
    assert set(widths.tolist()) == set(WIDTHS.values()) - ({780} if cards == 5 else set())
    highest = COLUMN[classes.row_pattern].max(axis=1)
    assert ((widths - 3 < highest) & (highest < widths)).all()
    assert set(classes.start.tolist()) == set(classes.row_start.tolist())


@pytest.mark.parametrize("cards", [4, 5])
def test_all_boards_in_order(cards: int) -> None:
    boards = _all_boards(cards).astype(np.int64)
    terms = [np.array([comb(c, k + 1) for c in range(52)])[boards[:, k]] for k in range(cards)]
    assert np.array_equal(np.sum(terms, axis=0), np.arange(comb(52, cards)))


@pytest.mark.parametrize("cards", [4, 5])
def test_boards_alike_under_a_suit_permutation_share_a_row(cards: int) -> None:
    """And holdings that it carries onto each other have equal ranks there."""
    classes, tables = rank_classes(cards), open_tables()
    ranks = {4: tables.turn_ihr, 5: tables.river_ihr}[cards]
    rng = np.random.default_rng(cards)
    for _ in range(500):
        board = [Card(card) for card in rng.permutation(52)[:cards].tolist()]
        under = int(rng.integers(24))
        image = [Card(int(card)) for card in CARD_UNDER[under, board]]
        index, its = board_index(board), board_index(image)
        assert classes.start[index] == classes.start[its]
        live = HOLDING_MASK & CARD_MASK[board].sum() == 0
        mine = ranks[classes.start[index] + COLUMN[classes.pattern[index]]]
        other = ranks[classes.start[its] + COLUMN[classes.pattern[its]]][HOLDING_UNDER[under]]
        assert (mine == other)[live].all()


@pytest.mark.parametrize("cards", [4, 5])
def test_holdings_with_one_entry_are_equally_strong(cards: int) -> None:
    """What the tables hold, and not only now: flushes that can still come are told apart."""
    classes, boards = rank_classes(cards), _all_boards(cards)
    rng = np.random.default_rng(7)
    level, order = np.empty(1326, np.int32), np.empty(1326, np.int16)
    for index in rng.integers(0, len(boards), 400).tolist():
        rank_all(boards[index], level, order)
        columns = COLUMN[classes.pattern[index]]
        by_column = np.full(int(columns.max()) + 1, -1)
        for holding in np.flatnonzero(level >= 0).tolist():
            seen = by_column[columns[holding]]
            assert seen in (-1, level[holding])
            by_column[columns[holding]] = level[holding]


def test_two_suits_that_matter_are_told_apart() -> None:
    for number, (one, other) in enumerate(SUIT_PAIRS.tolist()):
        columns = COLUMN[TWO_SUITS + number]
        suits = HOLDING_CARDS % 4
        mine = (suits == one).all(axis=1)
        its = (suits == other).all(axis=1)
        assert not set(columns[mine].tolist()) & set(columns[its].tolist())


def test_other_boards_have_no_rank_classes() -> None:
    with pytest.raises(BadInput, match="boards of 3 cards; allowed: 4, 5"):
        rank_classes(3)
