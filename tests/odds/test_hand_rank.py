"""Strength at the end: means and deviations, and ratings."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDING_CARDS,
    HOLDINGS,
    STRENGTHS,
    Card,
    cards_of,
    holding_of,
    holdings_of_class,
    parse_cards,
    parse_class,
    parse_holding,
    strength,
    strengths,
)
from railbird.cards.hand_strength import strength_counts
from railbird.cards.isomorphism import (
    RANK_ENTRIES,
    RANK_ROWS,
    _all_boards,
    board_index,
    rank_classes,
)
from railbird.cards.isomorphism_kernels import (
    CARD_UNDER,
    COLUMN,
    HOLDING_UNDER,
    SUIT_PAIRS,
    TWO_SUITS,
    WIDTHS,
)
from railbird.cards.tables import CARD_MASK, HOLDING_MASK
from railbird.errors import BadInput
from railbird.odds.hand_rank import ANY_BOARD, final_strength, final_strengths, rating
from railbird.odds.potential import hand_strengths
from railbird.odds.rank_kernels import rank_all, rank_boards_by_weight
from railbird.odds.rank_tables import IHR_WHOLE, open_tables, rows_of, weighted_arrays


@pytest.mark.parametrize("text", ["Kd9s2hTs", "7h7d7c2h", "Kd9s2hTs3c", "5h6h7h8h9h"])
def test_a_board_s_distribution_by_every_holding_and_run_out(text: str) -> None:
    board = parse_cards(text)
    free = [Card(card) for card in range(52) if card not in board]
    rows = [
        (*board, *run_out, *held)
        for held in combinations(free, 2)
        for run_out in combinations([card for card in free if card not in held], 5 - len(board))
    ]
    values = strengths(np.array(rows, np.uint8)).astype(float)
    found = final_strengths(board)
    assert found.mean == pytest.approx(values.mean())
    assert found.deviation == pytest.approx(values.std(), abs=1e-6)


@pytest.mark.parametrize("text", ["Kd9s2h", "Kd9s2hTs", "Kd9s2hTs3c"])
def test_a_holding_s_mean_by_every_run_out(text: str) -> None:
    board, holding = parse_cards(text), parse_holding("As4s")
    known = (*board, *cards_of(holding))
    free = [Card(card) for card in range(52) if card not in known]
    values = [strength((*known, *more)) for more in combinations(free, 5 - len(board))]
    assert final_strength(holding, board) == pytest.approx(np.mean(values))


def test_the_mean_of_a_flop_is_that_of_its_holdings() -> None:
    board = parse_cards("Kd9s2h")
    free = [Card(card) for card in range(52) if card not in board]
    means = [final_strength(holding_of(a, b), board) for a, b in combinations(free, 2)]
    assert final_strengths(board).mean == pytest.approx(np.mean(means))


@pytest.mark.slow
def test_before_the_flop_all_hands_together_have_the_known_mean() -> None:
    """The census counts all 133,784,560 hands of seven cards by strength."""
    counts, values = strength_counts(), np.arange(STRENGTHS)
    mean = np.average(values, weights=counts)
    assert ANY_BOARD.mean == pytest.approx(mean, abs=1e-8)
    variance = np.average((values - mean) ** 2, weights=counts)
    assert ANY_BOARD.deviation == pytest.approx(np.sqrt(variance), abs=1e-8)
    means = [final_strength(holdings_of_class(parse_class(name))[0]) for name in CLASS_NAMES]
    sizes = [len(holdings_of_class(parse_class(name))) for name in CLASS_NAMES]
    assert np.average(means, weights=sizes) == pytest.approx(ANY_BOARD.mean, abs=1e-3)


def test_ratings() -> None:
    assert rating("AsAh") == pytest.approx((5000.072 - 3366.1164) / 1773.4059, abs=1e-4)
    assert rating("2c3d", "AsKsQsJsTs") == 0
    assert (
        rating("AsAd", "AhAcKd") > 2 > rating("AsKs", "AhKc2d") > 1 > 0 > rating("7c2d", "AhKcQd")
    )


# Ranks against opponents whose holdings have weights, by a slow sum over all of them.


def weights_by_rank(seed: int) -> np.ndarray:
    """Random weights that are equal for equal ranks."""
    low, high = np.sort(HOLDING_CARDS // 4, axis=1).T.astype(int)
    by_ranks = np.random.default_rng(seed).uniform(0.01, 1, 13 * 13)
    weights: np.ndarray = by_ranks[13 * high + low]
    return weights


@pytest.mark.slow(but=["3", "4"])
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_an_entry_is_the_share_of_weight_that_is_beaten(cards: int) -> None:
    boards, starts, patterns = rows_of(cards)
    weights = weights_by_rank(cards)
    street = ["flop", "turn", "river"][cards - 3]
    size = len(getattr(open_tables(), f"{street}_ihr"))
    whole = IHR_WHOLE[cards - 2]
    entries = np.zeros(size, np.uint16)
    for row in np.random.default_rng(9).integers(0, len(boards), 5).tolist():
        rank_boards_by_weight(boards, starts, patterns, row, row + 1, weights, whole, entries)
        board = tuple(Card(int(card)) for card in boards[row])
        shares = hand_strengths(board, weights=weights)
        for holding in np.flatnonzero(~np.isnan(shares)).tolist():
            entry = int(entries[starts[row] + COLUMN[patterns[row], holding]])
            assert entry == pytest.approx(whole * shares[holding], abs=0.5 + 1e-6)


@pytest.mark.slow
def test_equal_weights_are_the_tables_themselves() -> None:
    arrays = weighted_arrays(np.ones(HOLDINGS))
    for name, array in arrays.items():
        assert np.array_equal(array, getattr(open_tables(), name)), name


def test_weights_by_suit_are_refused() -> None:
    by_class = (1 + CLASS_OF_HOLDING).astype(
        np.float64
    )  # suited and offsuit hands are classes of their own
    with pytest.raises(BadInput, match="differ by suit"):
        weighted_arrays(by_class)
    with pytest.raises(BadInput, match="above 0"):
        weighted_arrays(np.zeros(HOLDINGS))


# Boards folded by the suits that matter, held against the classes under suit permutations.


@pytest.mark.slow(but=["4"])
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


@pytest.mark.slow(but=["4"])
@pytest.mark.parametrize("cards", [4, 5])
def test_all_boards_in_order(cards: int) -> None:
    boards = _all_boards(cards).astype(np.int64)
    terms = [np.array([comb(c, k + 1) for c in range(52)])[boards[:, k]] for k in range(cards)]
    assert np.array_equal(np.sum(terms, axis=0), np.arange(comb(52, cards)))


@pytest.mark.slow(only=["5"])
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


@pytest.mark.slow(but=["5"])
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
