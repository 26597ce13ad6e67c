"""Every fast path of the odds room beside its slow twin."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from railbird.cards import (
    HOLDINGS,
    Card,
    Holding,
    cards_of,
    format_cards,
    parse_cards,
    parse_holding,
)
from railbird.cards.isomorphism.boards import (
    CARD_UNDER,
    board_classes,
    canonical_board,
)
from railbird.odds.equity._kernels_equity import SHARES, play_deals
from railbird.odds.equity.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.hand_rank.ranks import final_ranks, hand_rank
from railbird.odds.potential.strength_and_potential import potential
from railbird.odds.tables.rank_tables import Tables, open_tables
from twins import slow_odds

RNG_SEED = 20


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()


def random_board(rng: np.random.Generator, cards: int) -> tuple[Card, ...]:
    return tuple(Card(card) for card in rng.permutation(52)[:cards].tolist())


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_boards_fold_as_by_trying_all_permutations(cards: int) -> None:
    rng = np.random.default_rng(RNG_SEED)
    classes = board_classes(cards)
    for _ in range(300):
        board = random_board(rng, cards)
        row, permutation = canonical_board(board)
        first = slow_odds.canonical(board)
        assert tuple(classes.representative[row].tolist()) == first
        assert sorted(CARD_UNDER[permutation, list(board)].tolist()) == list(first)


def test_all_flops_fold_as_by_trying_all_permutations() -> None:
    classes = board_classes(3)
    representatives = {tuple(board) for board in classes.representative.tolist()}
    rows: dict[tuple[Card, ...], set[int]] = {}
    for board in combinations(slow_odds.DECK, 3):
        rows.setdefault(slow_odds.canonical(board), set()).add(canonical_board(board).row)
    assert rows.keys() == representatives
    assert all(len(found) == 1 for found in rows.values())


@pytest.mark.parametrize(("cards", "count"), [(3, 20), (4, 5), (5, 3)])
def test_immediate_ranks_as_by_comparing_all(tables: Tables, cards: int, count: int) -> None:
    rng = np.random.default_rng(RNG_SEED)
    table = {3: tables.flop_ihr, 4: tables.turn_ihr, 5: tables.river_ihr}[cards]
    for _ in range(count):
        board = random_board(rng, cards)
        hole = Holding(int(rng.integers(HOLDINGS)))
        if set(cards_of(hole)) & set(board):
            continue
        entry = table[tables.place(board, hole)]
        ahead, tied, behind = slow_odds.compare(hole, board)
        assert entry == 2 * ahead + tied
        rank = hand_rank(hole, board)
        assert (rank.ahead, rank.tied, rank.behind) == (ahead, tied, behind)


def test_turn_seven_card_rank_as_by_dealing_every_river(tables: Tables) -> None:
    hole, board = parse_holding("8h7h"), parse_cards("9h2c6hKd")
    expected = slow_odds.hr7(hole, board)
    assert Fraction(int(tables.turn_hr7[tables.place(board, hole)]), 46 * 1980) == expected
    assert hand_rank(hole, board).hr7 == pytest.approx(float(expected), abs=1e-15)


def test_seven_card_ranks_as_by_enumeration(tables: Tables) -> None:
    rng = np.random.default_rng(RNG_SEED)
    for cards, table in ((3, tables.flop_hr7), (4, tables.turn_hr7)):
        for _ in range(20):
            board = random_board(rng, cards)
            hole = Holding(int(rng.integers(HOLDINGS)))
            if set(cards_of(hole)) & set(board):
                continue
            entry = table[tables.place(board, hole)]
            counts = final_ranks(hole, board)
            assert entry == counts @ np.arange(1981), (hole, format_cards(board))
            np.testing.assert_array_equal(counts, final_ranks(hole, board, tables=tables))


@pytest.mark.slow
def test_preflop_seven_card_rank_as_by_enumeration(tables: Tables) -> None:
    hole = parse_holding("7c2d")
    np.testing.assert_array_equal(final_ranks(hole), final_ranks(hole, tables=tables))


def test_matrix_as_by_playing_every_board() -> None:
    matrix = open_matrix()
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(25):
        cards = rng.permutation(52)[:4]
        mine, other = (
            max(pair) * (max(pair) - 1) // 2 + min(pair)
            for pair in (cards[:2].tolist(), cards[2:].tolist())
        )
        outcome = np.zeros((3, 2), dtype=np.int64)
        play_deals(
            np.array([[mine, other]], dtype=np.uint16),
            np.ones(1, dtype=np.int64),
            np.empty(0, dtype=np.uint8),
            np.uint64(0),
            PAIR_BOARDS,
            0,
            PAIR_BOARDS,
            *outcome,
        )
        count = matrix.count(Holding(mine), Holding(other))
        assert outcome[:2].tolist() == [[count.win, count.lose], [count.tie, count.tie]]
        assert outcome[2].tolist()[0] == SHARES * count.win + SHARES // 2 * count.tie


@pytest.mark.parametrize(
    ("hole", "board", "to_come"), [("8d7d", "9d6c2dKh", 1), ("AsKd", "Ks7h2c", 1)]
)
def test_potential_as_by_dealing_every_card(hole: str, board: str, to_come: int) -> None:
    rng = np.random.default_rng(RNG_SEED)
    weights = rng.integers(0, 3, HOLDINGS) * (rng.random(HOLDINGS) < 0.1)
    found = potential(parse_holding(hole), parse_cards(board), to_come=to_come, weights=weights)
    by_holding = {Holding(h): int(weights[h]) for h in range(HOLDINGS)}
    expected = slow_odds.standings(parse_holding(hole), parse_cards(board), by_holding, to_come)
    assert [list(row) for row in found.table] == expected
