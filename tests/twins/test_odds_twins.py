"""Every fast path of the odds room beside its slow twin."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import (
    HOLDINGS,
    STRENGTHS,
    Card,
    Holding,
    Range,
    Strength,
    cards_of,
    category,
    format_cards,
    format_holding,
    parse_cards,
    parse_holding,
    strength,
    strengths,
)
from railbird.cards.isomorphism import board_classes, canonical_board
from railbird.cards.isomorphism_kernels import CARD_UNDER
from railbird.cards.kernels import strength7, strength_of_key
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_CARDS, HOLDING_KEY, HOLDING_MASK
from railbird.odds.all_in_equity import Equity, Method, Mode, equity
from railbird.odds.equity_kernels import SHARES, play_deals
from railbird.odds.hand_rank import final_ranks, hand_rank
from railbird.odds.potential import potential
from railbird.odds.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.rank_tables import Tables, open_tables
from railbird.players.tight import equities_of, mean_equity, possible
from twins import slow_odds
from twins import slow_odds as slow_strength

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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow(but=["AsKd-Ks7h2c-1"])
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


# Equities beside direct enumeration in exact fractions.


Weights = dict[Holding, Fraction]


def random_range(rng: np.random.Generator, size: int, *, weighted: bool) -> Weights:
    chosen = rng.choice(HOLDINGS, size, replace=False).tolist()
    # Binary fractions, so that floats hold the weights exactly.
    weights = [Fraction(int(n), 8) for n in rng.integers(1, 9, size)]
    return {
        Holding(holding): weight if weighted else Fraction(1)
        for holding, weight in zip(chosen, weights, strict=True)
    }


def as_range(weights: Weights) -> Range:
    array = np.zeros(HOLDINGS)
    for holding, weight in weights.items():
        array[holding] = float(weight)
    return Range(array)


def check(result: Equity, players: list[Weights], board: list[Card], dead: list[Card]) -> None:
    trials, expected = slow_odds.equity(players, board, dead)
    assert result.trials == trials
    for player, (win, tie, share) in zip(result.players, expected, strict=True):
        assert player.win == win
        assert player.tie == tie
        assert player.lose == trials - win - tie
        assert player.equity == pytest.approx(float(share / trials), abs=1e-14)
        assert player.stderr == 0


@pytest.mark.slow(only=["3-2-False", "3-2-True"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("cards", "size"), [(5, 60), (4, 8), (3, 2)])
def test_two_ranges(cards: int, size: int, weighted: bool) -> None:
    rng = np.random.default_rng(cards)
    deck = [Card(card) for card in rng.permutation(52).tolist()]
    board, dead = deck[:cards], deck[cards : cards + 2]
    players = [random_range(rng, size, weighted=weighted) for _ in range(2)]
    check(equity([as_range(p) for p in players], board, dead=dead), players, board, dead)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("cards", "size"), [(5, 12), (4, 4)])
def test_three_ranges(cards: int, size: int, weighted: bool) -> None:
    rng = np.random.default_rng(cards)
    deck = [Card(card) for card in rng.permutation(52).tolist()]
    board = deck[:cards]
    players = [random_range(rng, size, weighted=weighted) for _ in range(3)]
    result = equity([as_range(p) for p in players], board)
    assert result.method is Method.DEALS
    check(result, players, board, [])


@pytest.mark.slow
def test_ten_hands_on_a_flop() -> None:
    deck = list(range(52))
    rng = np.random.default_rng(3)
    cards = rng.permutation(deck)[:23].reshape(-1)
    board = [Card(card) for card in cards[:3].tolist()]
    holdings = [
        Holding(max(pair) * (max(pair) - 1) // 2 + min(pair))
        for pair in cards[3:].reshape(10, 2).tolist()
    ]
    result = equity(holdings, board)
    check(result, [{holding: Fraction(1)} for holding in holdings], board, [])


def test_sweep_and_deals_agree_before_the_flop_with_dead_cards() -> None:
    dead = parse_cards("2c2d")
    pair = equity(["AhKh", "QsQd"], dead=dead)
    assert pair.method is Method.DEALS
    whole = equity(["AhKh", "AcKc"], dead="Ad Kd Ts 9s")
    assert pair.trials == 1_370_754  # C(46, 5)
    assert sum(player.equity for player in whole.players) == pytest.approx(1)


@pytest.mark.slow
def test_samples_agree_with_the_exact_equity() -> None:
    players = ["QQ+,AK", "TT-77,AQ:0.5", "KQs,JTs"]
    exact = equity(players, "Kh7c2d", mode=Mode.EXACT)
    rng = np.random.default_rng(8)
    drawn = equity(players, "Kh7c2d", mode=Mode.SAMPLED, samples=200_000, rng=rng)
    assert not drawn.exact
    assert drawn.trials == 200_000
    for ours, theirs in zip(drawn.players, exact.players, strict=True):
        assert 0 < ours.stderr < 0.0012
        assert abs(ours.equity - theirs.equity) < 5 * ours.stderr


# Equity of a holding against every other one at once, and by the general enumeration.


@pytest.mark.parametrize(
    ("held", "board"),
    [
        ("AcKh", "Kd9s2h"),
        ("8c7c", "Kc9c2h"),
        ("QdQs", "7h7d7s"),
        ("2c2d", "AhKhQh"),
        ("Ts9s", "8s7s2dKh"),
        ("Ac4d", "5c6c7c8c"),
        ("AsAd", "AcAhKd"),
        ("5d4d", "KcQcJcTc9c"),
        ("Ah3d", "KhQh7h2h9c"),
    ],
)
def test_against_each_holding_as_by_enumeration(held: str, board: str) -> None:
    holding, cards = parse_holding(held), tuple(parse_cards(board))
    free = possible(holding, cards)
    equities = equities_of(holding, cards, free)
    rng = np.random.default_rng(len(board))
    for other in map(Holding, rng.choice(np.flatnonzero(free), 40, replace=False).tolist()):
        pair = equity([held, format_holding(other)], board, mode=Mode.EXACT)
        assert equities[other] == pytest.approx(pair.players[0].equity, abs=1e-12)


def test_every_completion_of_random_flops() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        drawn = rng.permutation(52)[:5].tolist()
        low, high = sorted(drawn[:2])
        board = tuple(map(Card, drawn[2:]))
        holding = next(h for h in map(Holding, range(HOLDINGS)) if set(cards_of(h)) == {low, high})
        free = possible(holding, board)
        mean = mean_equity(equities_of(holding, board, free), free.astype(np.float64))
        exact = equity([holding, "random"], board, mode=Mode.EXACT).players[0].equity
        assert mean == pytest.approx(exact, abs=1e-12)


def test_only_what_is_wanted_is_filled() -> None:
    holding, board = parse_holding("AcKh"), tuple(parse_cards("Kd9s2h"))
    wanted = np.zeros(HOLDINGS, np.bool_)
    wanted[parse_holding("QsQd")] = True
    assert np.flatnonzero(equities_of(holding, board, wanted)).tolist() == [parse_holding("QsQd")]


# Every fast path of hand strength beside its slow twin.


def hands(size: int, deck: NDArray[np.int64], count: int) -> NDArray[np.uint8]:
    """Deal hands from a part of the deck, so that rare categories come often."""
    rng = np.random.default_rng([size, len(deck)])
    return np.array([rng.permutation(deck)[:size] for _ in range(count)], dtype=np.uint8)


WHOLE = np.arange(52)
DECKS = {
    "whole deck": WHOLE,
    "two suits": WHOLE[WHOLE % 4 < 2],
    "one suit and a few": WHOLE[(WHOLE % 4 == 3) | (WHOLE >= 44)],
    "five ranks": WHOLE[(WHOLE >= 12) & (WHOLE < 32)],
    "wheel and broadway": WHOLE[(WHOLE < 16) | (WHOLE >= 32)],
}


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_random_hands(size: int, deck: NDArray[np.int64]) -> None:
    dealt = hands(size, deck, 400)
    expected = [slow_strength.strength(hand) for hand in dealt.tolist()]
    assert strengths(dealt).tolist() == expected
    assert [strength([Card(card) for card in hand]) for hand in dealt.tolist()] == expected


def test_the_order_of_all_strengths_of_five_cards() -> None:
    scores = slow_strength.all_scores()
    assert len(scores) == STRENGTHS
    kinds = [category(Strength(number)) for number in range(STRENGTHS)]
    assert kinds == [kind for kind, *_ in scores]


def test_kernels_add_keys() -> None:
    board = (3, 16, 29, 42, 51)
    key = CARD_KEY[list(board)].sum(dtype=np.uint64)
    mask = CARD_MASK[list(board)].sum(dtype=np.uint64)
    for holding, (low, high) in enumerate(HOLDING_CARDS.tolist()):
        if low in board or high in board:
            assert mask & HOLDING_MASK[holding]
            continue
        assert not mask & HOLDING_MASK[holding]
        got = strength_of_key(key + HOLDING_KEY[holding], mask | HOLDING_MASK[holding])
        expected = slow_strength.strength((*board, low, high))
        assert got == strength7(low, *board, high) == expected


@pytest.mark.slow
def test_every_multiset_of_seven_ranks() -> None:
    dealt = []
    for ranks in combinations_with_replacement(range(13), 7):
        hand: list[int] = []
        for rank in ranks:
            suits = [suit for suit in range(4) if 4 * rank + suit not in hand]
            if not suits:
                break
            in_hand = [sum(card % 4 == suit for card in hand) for suit in suits]
            hand.append(4 * rank + suits[int(np.argmin(in_hand))])
        else:
            dealt.append(hand)
    assert len(dealt) == 49_205
    expected = [slow_strength.strength(hand) for hand in dealt]
    assert strengths(np.array(dealt, dtype=np.uint8)).tolist() == expected
